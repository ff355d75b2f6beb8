"""Guess the target of a member call on an unknown value: by the receiver's name, or by a telling unique name."""

from __future__ import annotations

import re
from functools import lru_cache

from codemem.resolve.members import fits
from codemem.resolve.noise import is_noise
from codemem.resolve.places import Place
from codemem.resolve.records import Symbol
from codemem.resolve.session import Session
from codemem.roles import is_test

MAXIMUM_OWNERS = 60
"""Types with a member of this name: beyond that even a receiver's name proves little."""
SHORTEST_HINT = 2
"""Letters of a receiver's name from which on it can name a type: `M` is what every module calls its table."""
TELLING_WORDS = 2
"""Words in a member's name from which on a unique definition is worth a guess: `createOrder`, not `run`."""
WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
LAST_NAME = re.compile(r"([^\W\d]\w*)(?:\([^()]*\)|\[[^\[\]]*\])?\s*[?!]*$")
EXPORT = "export"
HINT_PREFIXES = ("get", "the", "my", "our", "this")


def guess(session: Session, callee: str, receiver: str, arguments: int | None, place: Place) -> tuple[Symbol, ...]:
    """Return the likely definitions of `receiver.callee(...)`, empty when nothing points to one."""
    noise = is_noise(place.head.language, callee, receiver)
    family, tested = place.profile.family, is_test(place.head.path)
    rows, owners, by_owner = session.remember(
        ("guess", callee, family, arguments, tested), lambda: _members(session, callee, family, arguments, tested)
    )
    if not rows or owners > MAXIMUM_OWNERS:
        return ()
    words = receiver_hint(receiver)
    hint = "".join(words) if len(words) >= TELLING_WORDS or not noise else ""
    hint = hint if len(hint) >= SHORTEST_HINT else ""
    named = by_owner.get(hint, ()) if hint else ()
    if len({(row.path, row.parent) for row in named}) == 1:
        return tuple(named)
    if owners == 1 and not noise and is_telling(callee):
        return rows
    return ()


def _members(
    session: Session, callee: str, family: str, arguments: int | None, tested: bool
) -> tuple[tuple[Symbol, ...], int, dict[str, list[Symbol]]]:
    """Return the members of a name that fit a call, the number of types that have some, and those by the types' words."""
    rows = tuple(
        row
        for row in session.symbols(callee, family)
        if "#" in row.qualified_name
        and row.kind in ("method", "function", "field")
        and fits(row, arguments)
        and (tested or not is_test(row.path))
    )
    owners = len({(row.path, row.parent) for row in rows})
    by_owner: dict[str, list[Symbol]] = {}
    for row in rows if owners <= MAXIMUM_OWNERS else ():
        by_owner.setdefault(_plain(row.parent.replace("#", ".").rpartition(".")[2]), []).append(row)
    return rows, owners, by_owner


def unimported(session: Session, callee: str, place: Place) -> tuple[Symbol, ...]:
    """Return the one exported function of a telling name that nothing in the file binds."""
    rows = [row for row in session.symbols(callee, place.profile.family) if not row.parent]
    free = [row for row in rows if row.kind == "function" and EXPORT in row.modifiers]
    return tuple(free) if len(free) == 1 == len(rows) and is_telling(callee) else ()


@lru_cache(maxsize=16384)
def receiver_hint(receiver: str) -> list[str]:
    """Return the words of the receiver's last name: `self._order_service` gives order, service."""
    found = LAST_NAME.search(receiver.strip())
    if not found:
        return []
    words = [word.lower() for word in WORDS.findall(found.group(1))]
    if len(words) > 1 and words[0] in HINT_PREFIXES:
        words = words[1:]
    return words


def is_telling(name: str) -> bool:
    """Tell whether a name is unlikely to be borne by a foreign type too."""
    return len(WORDS.findall(name)) >= TELLING_WORDS


def _plain(name: str) -> str:
    return "".join(WORDS.findall(name)).lower()
