"""How errors travel in a language and which error type is a kind of which: repository first, then grammars/errors.toml."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from codemem.languages import grammar_folder
from codemem.resolve.profile import profile_of
from codemem.resolve.records import Symbol
from codemem.resolve.session import Session
from codemem.resolve.typenames import ancestors, is_type, supertypes
from codemem.types import Guard

EVERYTHING = "*"
"""The type of a handler that names none."""
DEFAULT_ROW = "default"
VALUES = "values"
TYPE_PARAMETER = re.compile(r"[A-Z]{1,2}\d?$")
"""`throws E`: what it stands for is said where it is used."""
MEMBER_KINDS = frozenset({"constant", "field"})


@dataclass(frozen=True, slots=True)
class ErrorRules:
    """One row of errors.toml; the file's head explains the fields."""

    style: str = "exceptions"
    roots: frozenset[str] = frozenset()
    default: str = ""
    checked: bool = False
    unchecked: frozenset[str] = frozenset()
    recovers: frozenset[str] = frozenset()
    returns: tuple[str, ...] = ()
    tail: bool = False
    tried: bool = False
    converts: frozenset[str] = frozenset()
    generic: frozenset[str] = frozenset()
    parents: Mapping[str, frozenset[str]] = field(default_factory=dict)

    @property
    def by_value(self) -> bool:
        return self.style == VALUES


@cache
def rules_of(language: str) -> ErrorRules:
    """Return the row of `language`; an unknown language gets the default row."""
    rows = _rows()
    row = rows.get(language, {})
    row = {**rows[DEFAULT_ROW], **rows.get(row.get("like", ""), {}), **row}
    return ErrorRules(
        style=row["style"],
        roots=frozenset(row["roots"]),
        default=row["default"],
        checked=row.get("checked", False),
        unchecked=frozenset(row.get("unchecked", ())),
        recovers=frozenset(row.get("recovers", ())),
        returns=tuple(row.get("returns", ())),
        tail=row.get("tail", False),
        tried=row.get("tried", False),
        converts=frozenset(row.get("converts", ())),
        generic=frozenset(row.get("generic", ())),
        parents=_parents(row.get("tree", "")),
    )


def is_kind_of(session: Session, error: str, wanted: str, language: str) -> bool:
    """Tell whether every error type of this name is, or descends from, the wanted one."""
    return error == wanted or wanted in kinds_of(session, error, language)


def kinds_of(session: Session, error: str, language: str) -> frozenset[str]:
    """Return the names of all types that an error type surely is: itself and its ancestors."""
    return session.remember(("kinds", error, language), lambda: _kinds_of(session, error, language))


def certain_kinds(session: Session, error: str, language: str) -> frozenset[str]:
    """Return what an error type surely is: of one that neither the repository nor the table knows, its name alone."""
    rules = rules_of(language)
    known = error in rules.parents or error in rules.roots
    known = known or any(is_type(row) for row in session.symbols(error, profile_of(language).family))
    return kinds_of(session, error, language) if known else frozenset((error,))


def is_caught(session: Session, error: str, guards: tuple[Guard, ...], language: str) -> bool:
    """Tell whether the handlers around a call or raise stop an error: in each `try` the first that matches decides."""
    decided: set[int] = set()
    for guard in guards:
        if guard.scope and guard.scope in decided:
            continue
        if _matches(session, error, guard, language):
            if not guard.rethrows:
                return True
            decided.add(guard.scope)
    return False


def _matches(session: Session, error: str, guard: Guard, language: str) -> bool:
    if EVERYTHING in guard.types:
        return True
    if not error:
        return not rules_of(language).roots.isdisjoint(guard.types)
    kinds = kinds_of(session, error, language)
    return any(name in kinds for name in guard.types)


def _kinds_of(session: Session, error: str, language: str) -> frozenset[str]:
    rules = rules_of(language)
    rows = session.symbols(error, profile_of(language).family)
    kinds = [_own_kinds(session, row, rules) for row in rows if is_type(row)]
    if not kinds:
        # A variant of an enumeration of errors (`Failure::NotFound`) is also what the enumeration is.
        kinds = [
            _known_kinds(error, rules) | {simple_name(row.parent)}
            for row in rows
            if row.parent and row.kind in MEMBER_KINDS
        ]
    return frozenset.intersection(*kinds) if kinds else _known_kinds(error, rules)


def _own_kinds(session: Session, row: Symbol, rules: ErrorRules) -> frozenset[str]:
    """Collect the ancestors of an own type and follow those from outside in the table."""
    chain, _ = ancestors(session, row)
    found = {kind.name for kind in chain}
    for kind in chain:
        own = {above.name for above in supertypes(session, kind)[0]}
        for text in kind.extends:
            simple = simple_name(text)
            if simple not in own:
                found |= _known_kinds(simple, rules)
    return frozenset(found)


def simple_name(text: str) -> str:
    """Return the last part of a qualified name."""
    return text.replace("\\", ".").replace("::", ".").replace("#", ".").rpartition(".")[2]


def _known_kinds(error: str, rules: ErrorRules) -> frozenset[str]:
    found: set[str] = set()
    waiting = [error]
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        found.add(name)
        above = rules.parents.get(name)
        if above is None and name != rules.default and name not in rules.roots and rules.default and name == error:
            above = frozenset((rules.default,))
        waiting.extend(above or ())
    return frozenset(found)


def _parents(tree: str) -> Mapping[str, frozenset[str]]:
    parents: dict[str, frozenset[str]] = {}
    for line in tree.strip().splitlines():
        parent, _, children = line.partition(":")
        for child in children.split():
            parents[child] = parents.get(child, frozenset()) | {parent}
    return parents


@cache
def _rows() -> dict[str, dict[str, Any]]:
    return tomllib.loads((grammar_folder() / "errors.toml").read_text(encoding="utf-8"))
