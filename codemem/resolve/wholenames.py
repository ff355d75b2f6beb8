"""Modules that are called by a path of capitalised names: their whole name, or one that an alias begins."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from codemem.resolve.expressions import Step
from codemem.resolve.members import Outside, Static, Value, is_type
from codemem.resolve.places import Place
from codemem.resolve.records import enclosing_names
from codemem.resolve.session import Session


def module_at(session: Session, place: Place, steps: Sequence[Step]) -> tuple[Value, int]:
    """Return the module that the first steps name, and how many of them: none where they name nothing that is known."""
    names: list[str] = []
    for step in steps:
        if step.kind != "name" or not (step.name[:1].isupper() or step.name in place.profile.self):
            break
        names.append(step.name)
    if not names:
        return None, 0
    for whole in _whole_names(session, place, names):
        rows = session.symbols(whole.rpartition(".")[2], place.profile.family)
        row = next((row for row in rows if row.qualified_name == whole and is_type(row)), None)
        if row is not None:
            return Static(row), len(names)
    alias = session.bound(place.head).get(names[0], ())
    return (Outside(".".join((alias[0].path, *names[1:]))), len(names)) if alias else (None, 0)


def _whole_names(session: Session, place: Place, names: Sequence[str]) -> Iterator[str]:
    """Yield what the path can mean: by alias, inside the modules around, as it stands."""
    for entry in session.bound(place.head).get(names[0], ()):
        yield ".".join(part for part in (entry.path, entry.name, *names[1:]) if part)
    around = enclosing_names(place.type.qualified_name) if place.type is not None else ()
    if names[0] in place.profile.self and around:
        yield ".".join((around[0], *names[1:]))
    for outer in around:
        yield ".".join((outer, *names))
    yield ".".join(names)
