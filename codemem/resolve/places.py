"""The place a call is seen from: its file, own type, scopes and variables."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from codemem.resolve.names import Found
from codemem.resolve.profile import Profile, profile_of
from codemem.resolve.records import TYPE_KINDS, FileFacts, FileHead, Symbol, enclosing_names, prototypes_of
from codemem.resolve.session import Session
from codemem.resolve.typenames import find_type
from codemem.types import Binding, Call, Chunk, ChunkKey

BRACKET = re.compile(r"[()\[\]{}]")
PARAMETER = re.compile(r"[(,]\s*(?:\*{1,2}|\.{3}|[&$@])?([^\W\d][\w$]*)\s*(?=[,):=]|\?\s*[,):=]|$)")


class Place(NamedTuple):
    """Where an expression stands; `functions` are the names of the functions around it, innermost first."""

    head: FileHead
    profile: Profile
    type: Symbol | None = None
    scopes: tuple[str, ...] = ()
    """Scopes in which a bare name is looked for: functions, and types where a bare call can mean a member."""
    chunk: Chunk | None = None
    around: tuple[Chunk, ...] = ()
    """The function chunks around it, innermost (its own) first: their variables are in sight."""
    globals: Mapping[str, tuple[Binding, ...]] | None = None
    """Variables at the top level of the file."""
    nests: bool = False
    """Whether functions stand inside the functions around it."""
    starts: Mapping[ChunkKey, int] | None = None
    """The lines on which the definitions of the file begin."""


class Places:
    """The places of one file, made on demand."""

    def __init__(self, facts: FileFacts, session: Session) -> None:
        self._session = session
        self._head = facts.head
        self._profile = profile_of(facts.head.language)
        self._chunks: dict[str, Chunk] = {}
        self._globals: dict[str, tuple[Binding, ...]] = {}
        self._answers: dict[object, dict[object, Call]] = {}
        self._parents = {chunk.parent for chunk in facts.chunks}
        self._prototypes = prototypes_of(facts)
        self._starts = {chunk.key: chunk.start_line for chunk in facts.chunks if not chunk.part}
        for chunk in facts.chunks:
            if not chunk.part and chunk.kind not in ("lines", "section"):
                self._chunks.setdefault(chunk.qualified_name, chunk)
            if not chunk.parent and chunk.kind in ("module", "constant", "field", "lines"):
                for binding in chunk.bindings:
                    self._globals[binding.name] = (*self._globals.get(binding.name, ()), binding)

    def of(self, chunk: Chunk) -> Place:
        """Return the place inside `chunk`."""
        names = enclosing_names(chunk.qualified_name) if chunk.kind != "module" else ()
        around = [chunk]
        scopes: list[str] = []
        owner: Symbol | None = None
        inside = self._profile.implicit_self or self._profile.bare_members
        for name in names:
            other = self._chunks.get(name) if name != chunk.qualified_name else chunk
            # What is said to be a member of a thing stands beside it, not inside.
            beside = chunk.qualified_name[len(name) :][:1] == "#" and not inside
            is_scope = other is None or other.kind in TYPE_KINDS or name in self._prototypes
            if owner is None and is_scope and (other is not None or name != chunk.qualified_name):
                owner = self._type(name, other)
            if other is not None and other is not chunk and other.kind not in TYPE_KINDS and not beside:
                around.append(other)
            # Scopes that hold nothing are left out, so that places of one type are remembered together.
            if name in self._parents and not beside and (not is_scope or other is None or inside):
                scopes.append(name)
        nests = any(other.qualified_name in self._parents for other in around if other.kind not in TYPE_KINDS)
        return Place(
            self._head, self._profile, owner, tuple(scopes), chunk, tuple(around), self._globals, nests, self._starts
        )

    def answers(self, place: Place) -> dict[object, Call]:
        """Return the answers known to calls from places like this one: in the same type and the same scopes."""
        return self._answers.setdefault((place.type and place.type.key, place.scopes), {})

    def _type(self, name: str, chunk: Chunk | None) -> Symbol | None:
        simple = name.replace("#", ".").rpartition(".")[2]
        session = self._session
        if chunk is not None:
            rows = session.symbols_at(simple, self._profile.family, self._head.path)
            same = (row for row in rows if row.qualified_name == name and row.kind in TYPE_KINDS)
            return next(same, None)
        found = find_type(session, simple, self._head)
        return found.symbols[0] if isinstance(found, Found) and found.symbols[0].qualified_name == name else None


def place_of_type(symbol: Symbol, head: FileHead) -> Place:
    """Return the place inside a type of any file, as its field declarations see it."""
    profile = profile_of(symbol.language)
    scopes = enclosing_names(symbol.qualified_name) if profile.implicit_self else ()
    return Place(head, profile, symbol, scopes)


def place_of_member(owner: Symbol | None, row: Symbol, head: FileHead) -> Place:
    """Return the place in which the declaration of `row` is read."""
    return Place(head, profile_of(row.language), owner, enclosing_names(row.parent))


def bound_at(place: Place, chunk: Chunk, name: str, line: int) -> list[Binding]:
    """Return the bindings of a name that a line of the chunk can see, the one that counts last."""
    bound = [
        each
        for each in chunk.bindings
        if each.name == name and not (each.until and not each.line <= line <= each.until)
    ]
    return [each for each in bound if each.line <= line] or ([] if place.profile.sequential else bound[:1])


def names_parameter(chunk: Chunk, name: str) -> bool:
    """Tell whether a signature declares an untyped parameter of this name (typed ones are bindings)."""
    return name in chunk.signature and name in _untyped_parameters(chunk.signature)


@lru_cache(maxsize=4096)
def _untyped_parameters(signature: str) -> frozenset[str]:
    start = signature.find("(")
    if start < 0:
        return frozenset()
    depth = 0
    for match in BRACKET.finditer(signature, start):
        depth += 1 if match.group() in "([{" else -1
        if depth == 0:
            return frozenset(PARAMETER.findall(signature[start : match.end()]))
    return frozenset(PARAMETER.findall(signature[start:]))
