"""Who implements the members of interfaces and abstract types."""

from __future__ import annotations

from collections.abc import Iterable

from codemem.resolve.members import fits, owner_of
from codemem.resolve.profile import profile_of
from codemem.resolve.records import Symbol
from codemem.resolve.session import Session
from codemem.resolve.typenames import ancestors, is_type, members_named
from codemem.types import ChunkKey

IMPLEMENTATION_SCAN = 400
"""Definitions of one method name looked at for implementations: names beyond that (`get`, `run`) say nothing."""
MAXIMUM_IMPLEMENTATIONS = 24
NO_TYPES: frozenset[ChunkKey] = frozenset()


def is_abstract(session: Session, row: Symbol) -> bool:
    """Tell whether a method leaves its body to others."""
    if not row.parent or is_type(row):
        return False
    if "abstract" in row.modifiers:
        return True
    owner = owner_of(session, row)
    return owner is not None and owner.kind == "interface"


def implementations(session: Session, row: Symbol) -> tuple[Symbol, ...]:
    """List the methods that implement or override `row`, by path and name."""
    return session.remember(("implementations", row.key), lambda: _implementations(session, row))


def _implementations(session: Session, row: Symbol) -> tuple[Symbol, ...]:
    owner = owner_of(session, row)
    if owner is None:
        return ()
    profile = profile_of(row.language)
    rows = session.symbols(row.name, profile.family)
    if len(rows) > IMPLEMENTATION_SCAN:
        return ()
    by_members = bool(profile.structural and owner.members)
    bodies = session.remember(
        ("bodies", row.name, profile.family, by_members), lambda: _bodies(session, rows, not by_members)
    )
    found = [
        other
        for other, kind, above in bodies
        if (by_members or owner.key in above)
        and other.key != row.key
        and other.parent != row.parent
        and (row.parameters is None or fits(other, row.parameters))
        and (not by_members or _has_members(session, kind, owner.members))
    ]
    found.sort(key=lambda other: other.key)
    return tuple(found) if len(found) <= MAXIMUM_IMPLEMENTATIONS else ()


def _bodies(
    session: Session, rows: Iterable[Symbol], by_name: bool
) -> list[tuple[Symbol, Symbol, frozenset[ChunkKey]]]:
    """List the definitions that have a body, each with its type and, where that counts, all that the type is."""
    found = []
    for row in rows:
        if not row.parent or row.kind not in ("method", "function", "field") or "abstract" in row.modifiers:
            continue
        kind = owner_of(session, row)
        if kind is not None and kind.kind != "interface":
            found.append((row, kind, _all_types(session, kind) if by_name else NO_TYPES))
    return found


def _all_types(session: Session, kind: Symbol) -> frozenset[ChunkKey]:
    return session.remember(
        ("all types", kind.key), lambda: frozenset([step.key for step in ancestors(session, kind)[0]])
    )


def _has_members(session: Session, kind: Symbol, names: Iterable[str]) -> bool:
    chain, _ = ancestors(session, kind)
    return all(any(members_named(session, step, name) for step in chain) for name in names)
