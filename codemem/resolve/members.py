"""Members of types: which definitions a call of a member can mean, and the type that a member belongs to."""

from __future__ import annotations

from codemem.resolve.profile import Profile, profile_of
from codemem.resolve.records import Symbol
from codemem.resolve.session import Session
from codemem.resolve.signatures import RECEIVER
from codemem.resolve.typenames import ancestors, belongs, is_type, members_named

VARIABLE_KINDS = frozenset({"field", "constant"})


def find_member(
    session: Session, symbol: Symbol, name: str, arguments: int | None, above: bool = False, called: bool = True
) -> tuple[Symbol, ...]:
    """Return the definitions that a member call can mean: those of the nearest type that has fitting ones."""
    key = ("find", symbol.key, name, arguments, above, called)
    return session.remember(key, lambda: _find_member(session, symbol, name, arguments, above, called))


def _find_member(
    session: Session, symbol: Symbol, name: str, arguments: int | None, above: bool, called: bool
) -> tuple[Symbol, ...]:
    profile = profile_of(symbol.language)
    inside = session.symbols_by_parent(name, profile.family)
    if not inside:
        return ()
    chain, _ = ancestors(session, symbol)
    unfit: tuple[Symbol, ...] = ()
    for kind in chain[1:] if above else chain:
        if kind.qualified_name not in inside:
            continue
        rows = members_named(session, kind, name)
        if called and rows and profile.separate_names:
            rows = callable_rows(rows, arguments, profile)
        fitting = tuple(row for row in rows if fits(row, arguments))
        if fitting:
            return fitting
        unfit = unfit or rows
        if rows and not profile.overloads:
            break
    return unfit


def callable_rows(rows: tuple[Symbol, ...], arguments: int | None, profile: Profile) -> tuple[Symbol, ...]:
    """Leave out variables where they bear names of their own, but for fields that calls read (`attr_reader`, records)."""
    called = tuple(row for row in rows if row.kind not in VARIABLE_KINDS)
    if called or arguments or not (profile.bare_calls or profile.accessors):
        return called
    fields = (row for row in rows if row.kind == "field")
    return tuple(row for row in fields if profile.bare_calls or not profile.accessors.isdisjoint(row.modifiers))


def fits(row: Symbol, arguments: int | None) -> bool:
    """Tell whether a call with so many arguments can mean this definition."""
    if arguments is None:
        return True
    if row.types and row.types[0].startswith(RECEIVER) and _takes(row, arguments + 1):
        return True
    return _takes(row, arguments)


def _takes(row: Symbol, arguments: int) -> bool:
    if row.required is not None and arguments < row.required:
        return False
    return row.parameters is None or arguments <= row.parameters


def owner_of(session: Session, row: Symbol) -> Symbol | None:
    """Return the type that a member belongs to."""
    return session.remember(("owner", row.path, row.parent, row.language), lambda: _owner_of(session, row))


def _owner_of(session: Session, row: Symbol) -> Symbol | None:
    profile = profile_of(row.language)
    simple = row.parent.replace("#", ".").rpartition(".")[2]
    types = [
        kind for kind in session.symbols(simple, profile.family) if kind.qualified_name == row.parent and is_type(kind)
    ]
    here = [kind for kind in types if kind.path == row.path] or [kind for kind in types if belongs(row, kind, profile)]
    return here[0] if here else None
