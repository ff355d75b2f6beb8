"""What a bare call means by the functions around it: one defined inside them, or a variable of theirs."""

from __future__ import annotations

from codemem.resolve.extensions import extension_rows
from codemem.resolve.inference import ALIAS_MARK, value_of
from codemem.resolve.places import Place, bound_at, names_parameter
from codemem.resolve.records import TYPE_KINDS, Symbol
from codemem.resolve.results import member_rows
from codemem.resolve.session import Session
from codemem.resolve.values import Outside
from codemem.types import Call


def nested(callee: str, place: Place, session: Session, line: int) -> tuple[tuple[Symbol, ...], bool]:
    """Find a function defined inside one of the functions around the call; of several in its blocks likely the last before it."""
    own = [row for row in session.symbols_at(callee, place.profile.family, place.head.path) if row.parent]
    for chunk in place.around if own else ():
        if chunk.kind in TYPE_KINDS or chunk.kind == "module":
            continue
        found = tuple(row for row in own if row.parent == chunk.qualified_name and row.kind != "method")
        if len(found) > 1 and (starts := place.starts):
            before = [row for row in found if starts.get(row.key, 0) <= line]
            return tuple(before[-1:]) or found, place.profile.modules == "dotted"
        if found:
            return found, True
    return (), True


def siblings(callee: str, place: Place, session: Session) -> tuple[Symbol, ...]:
    """Find what `this.callee()` means in an object literal, or in a table that no definition stands for: the method beside."""
    own = next((chunk for chunk in place.around if chunk.kind == "method"), None)
    if own is None or place.type is not None:
        return ()
    rows = session.symbols_inside(callee, place.profile.family, own.parent)
    told = own.key if "#" in own.qualified_name else None  # `stream.write = () => this.write()` is no recursion
    return tuple(row for row in rows if row.path == own.path and row.kind == "method" and row.key != told)


def is_variable(name: str, place: Place, line: int) -> bool:
    """Tell whether a local or parameter hides the functions of this name; `let total = total(x)` does so from there on."""
    own = (f"{name}(", f"={name}(")
    for chunk in place.around:
        if chunk.kind in TYPE_KINDS or chunk.kind in ("module", "constant", "field"):
            continue
        bound = bound_at(place, chunk, name, line)
        if place.profile.sequential and chunk is place.chunk:
            # A variable of which nothing is known was taken out of what stands on its line.
            bound = [each for each in bound if each.line < line or (each.line == line and (each.type or each.until))]
        if any(each.line != line or not each.type.startswith(own) for each in bound) or names_parameter(chunk, name):
            return True
    return False


def extended(callee: str, call: Call, place: Place, session: Session) -> tuple[Symbol, ...]:
    """Find an extension of the foreign type that the function around a bare call extends too."""
    for chunk in place.around if place.profile.attaches and place.type is None else ():
        owner, joint, _ = chunk.qualified_name.rpartition("#")
        if joint:
            value = Outside("", (), owner.replace("#", ".").rpartition(".")[2])
            return extension_rows(session, place, value, callee, call.arguments)
    return ()


def taken_out(callee: str, call: Call, place: Place, session: Session) -> tuple[Symbol, ...]:
    """Find the member that a variable was taken out of a value as: `const { send } = reply` and then `send()`."""
    for chunk in place.around:
        if chunk.kind in TYPE_KINDS:
            continue
        before = bound_at(place, chunk, callee, call.line)
        if before:
            receiver, dot, name = before[-1].type[1:].rpartition(".")
            if before[-1].type[:1] != ALIAS_MARK or not dot or name != callee:
                return ()
            value = value_of(session, place, receiver, before[-1].line)
            return member_rows(session, value, callee, call.arguments) if value is not None else ()
        if names_parameter(chunk, callee):
            return ()
    return ()
