"""Who implements the members of interfaces and abstract types."""

from __future__ import annotations

from codemem.resolve.members import ancestors, fits, is_type, members_named, owner_of
from codemem.resolve.profile import Profile, profile_of
from codemem.resolve.records import Symbol
from codemem.resolve.session import Session

IMPLEMENTATION_SCAN = 400
"""Definitions of one method name looked at for implementations: names beyond that (`get`, `run`) say nothing."""
MAXIMUM_IMPLEMENTATIONS = 24


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
    found: list[Symbol] = []
    for other in rows:
        if (
            other.key == row.key
            or not other.parent
            or other.parent == row.parent
            or other.kind not in ("method", "function", "field")
        ):
            continue
        if row.parameters is not None and not fits(other, row.parameters):
            continue
        kind = owner_of(session, other)
        if kind is None or kind.kind == "interface" or "abstract" in other.modifiers:
            continue
        if _is_a(session, kind, owner, profile):
            found.append(other)
    found.sort(key=lambda other: other.key)
    return tuple(found) if len(found) <= MAXIMUM_IMPLEMENTATIONS else ()


def _is_a(session: Session, kind: Symbol, wanted: Symbol, profile: Profile) -> bool:
    if profile.structural and wanted.members:
        chain, _ = ancestors(session, kind)
        return all(any(members_named(session, step, name) for step in chain) for name in wanted.members)
    return any(step.key == wanted.key for step in ancestors(session, kind)[0])
