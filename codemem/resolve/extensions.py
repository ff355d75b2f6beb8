"""Members that are declared for a type somewhere else: extension functions and methods, classes that wrap implicitly."""

from __future__ import annotations

from collections.abc import Sequence

from codemem.resolve.expressions import type_name
from codemem.resolve.members import fits, owner_of
from codemem.resolve.places import Place
from codemem.resolve.profile import Profile, profile_of
from codemem.resolve.records import IMPLICIT, Symbol
from codemem.resolve.session import Session
from codemem.resolve.signatures import RECEIVER
from codemem.resolve.typenames import ancestors
from codemem.resolve.values import Above, Instance, Outside, Several, Static, Value


def extension_rows(
    session: Session, place: Place, value: Value, callee: str, arguments: int | None
) -> tuple[Symbol, ...]:
    """Return the extensions that a member call on a value can mean: those of the nearest of its types that has some."""
    if not place.profile.attaches or isinstance(value, Above | Several) or value is None:
        return ()
    names = _type_names(session, value, place.profile)
    best = len(names)
    found: list[Symbol] = []
    for row in session.symbols(callee, place.profile.family) if names else ():
        receiver = receiver_of(session, row)
        if bound := dict(row.generics).get(receiver):
            receiver = _simple(bound, place.profile)  # `fun <T : Page> T.twice()`
        if receiver not in names or not _fits(row, arguments) or not _in_sight(session, row, place, callee):
            continue
        at = names.index(receiver)
        if at < best:
            best, found = at, []
        if at == best:
            found.append(row)
    return tuple(found)


def receiver_of(session: Session, row: Symbol) -> str:
    """Return the simple name of the type that a definition extends from outside, empty when it is no extension."""
    if row.types and row.types[0].startswith(RECEIVER):
        return _simple(row.types[0].partition(":")[2], profile_of(row.language))
    if "#" not in row.qualified_name or not row.parent:
        return ""
    owner = owner_of(session, row)
    if owner is None or owner.path != row.path:
        return row.parent.replace("#", ".").rpartition(".")[2]
    if IMPLICIT in owner.modifiers and owner.types:
        return _simple(owner.types[0].partition(":")[2], profile_of(row.language))
    return ""


def _type_names(session: Session, value: Value, profile: Profile) -> Sequence[str]:
    """List the simple names of a value's types, nearest first; a literal has every name of its kind."""
    if isinstance(value, Outside):
        if value.name in profile.literals:
            return sorted(profile.literals[value.name][0])
        return [value.name] if value.name else []
    if not isinstance(value, Instance | Static):
        return []
    chain, _ = ancestors(session, value.type)
    own = [kind.name for kind in chain]
    return [*own, *(_simple(name, profile) for kind in chain for name in kind.extends if name not in own)]


def _fits(row: Symbol, arguments: int | None) -> bool:
    """Count the receiver among the arguments where it is declared as a parameter."""
    declared = bool(row.types) and row.types[0].startswith(RECEIVER)
    return fits(row, arguments + declared if arguments is not None else None)


def _in_sight(session: Session, row: Symbol, place: Place, callee: str) -> bool:
    """Tell whether the file sees an extension: by package or by import, where those are written in the file itself."""
    head = place.head
    if place.profile.open_imports or not place.profile.implicit_package or not row.package:
        return True
    if row.package == head.package or head.package.startswith(row.package + "."):
        return True
    bound = session.bound(head)
    if callee in bound:
        return True
    return any(entry.path.removesuffix(".*").removesuffix("._").startswith(row.package) for entry in bound.get("*", ()))


def _simple(text: str, profile: Profile) -> str:
    kind = type_name(text, profile.nothing)
    return kind.name.replace("::", ".").rpartition(".")[2] if kind else ""
