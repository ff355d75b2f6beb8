"""What a bare call means by the functions around it: one defined inside them, or a variable of theirs."""

from __future__ import annotations

from codemem.resolve.inference import ALIAS_MARK, member_rows, value_of
from codemem.resolve.places import Place, bound_at, names_parameter
from codemem.resolve.records import TYPE_KINDS, Symbol
from codemem.resolve.session import Session
from codemem.types import Call


def nested(callee: str, place: Place, session: Session) -> tuple[Symbol, ...]:
    """Find a function defined inside one of the functions around the call."""
    rows = session.symbols(callee, place.profile.family)
    own = [row for row in rows if row.path == place.head.path and row.parent] if rows else ()
    for chunk in place.around if own else ():
        if chunk.kind in TYPE_KINDS or chunk.kind == "module":
            continue
        found = tuple(row for row in own if row.parent == chunk.qualified_name and row.kind != "method")
        if found:
            return found
    return ()


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
