"""Modules and namespaces by their whole names: a path before a call, read from the place where it stands."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from codemem.resolve.expressions import Step
from codemem.resolve.places import Place
from codemem.resolve.records import Symbol, enclosing_names
from codemem.resolve.session import Session
from codemem.resolve.typenames import is_type
from codemem.resolve.values import Outside, Static, Value

PATH = re.compile(r"(?:::)?[^\W\d]\w*(?:::[^\W\d]\w*)*$")
"""A path of namespaces, and maybe a type at its end."""


def in_namespace(session: Session, place: Place, receiver: str, callee: str) -> tuple[Symbol, ...]:
    """Return the definitions of `receiver::callee`, the receiver being a namespace or type seen from the place."""
    if not PATH.match(receiver):
        return ()
    path = receiver.removeprefix("::").replace("::", ".")
    around = enclosing_names(place.chunk.qualified_name) if place.chunk is not None else ()
    for outer in (*(() if receiver.startswith("::") else around), ""):
        whole = f"{outer}.{path}" if outer else path
        if rows := session.symbols_inside(callee, place.profile.family, whole):
            return rows
    return ()


def called_in_namespace(session: Session, place: Place, steps: Sequence[Step]) -> tuple[tuple[Symbol, ...], int]:
    """Return the definitions that a call behind a path of names means, and how many steps that are; none when no call follows."""
    names = list(takewhile(lambda step: step.kind == "name", steps))
    if not names or len(names) == len(steps) or steps[len(names)].kind != "call":
        return (), 0
    rows = in_namespace(session, place, "::".join(step.name for step in names), steps[len(names)].name)
    return (rows, len(names) + 1) if rows else ((), 0)


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
