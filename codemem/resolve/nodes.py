"""Chunks as contracts need them: their written facts, with the types that calls and aliases tell, and their known calls."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from codemem.resolve.errors import MEMBER_KINDS, TYPE_PARAMETER, rules_of, simple_name
from codemem.resolve.expressions import type_name
from codemem.resolve.modules import crate_module, crate_place
from codemem.resolve.names import Found, member, visible
from codemem.resolve.profile import profile_of
from codemem.resolve.records import ResolvedChunk
from codemem.resolve.session import Session
from codemem.resolve.typenames import is_type
from codemem.types import Call, Chunk, ChunkKey, ErrorFact, Guard

RESULT = "Result"
"""A result type that may be an alias of this repository's own, with the error type written there."""
ERROR_WORDS = ("Error", "Exception", "Failure", "Fault")
"""Last words of a type that is an error by its name: its functions make such ones."""
MAKER = re.compile(r"(?:[$\w?]+(?:\.|->|::|\\))*([^\W\d]\w*)\s*(?:\(|$)")
"""A raised call: what stands before its bracket, or a name alone."""


class Edge(NamedTuple):
    """One call whose targets are known, as contracts need it."""

    targets: tuple[ChunkKey, ...]
    line: int
    text: str
    guards: tuple[Guard, ...] = ()
    passes: bool = True
    common: bool = False
    """Only what all targets let out: they are overloads of which one is meant."""


class Node(NamedTuple):
    """One chunk as contracts need it: its written facts and its known calls."""

    key: ChunkKey
    language: str
    facts: tuple[ErrorFact, ...]
    edges: tuple[Edge, ...]
    has_calls: bool = True
    unknown: frozenset[str] = frozenset()
    """Types that handlers around unknown calls throw again."""
    by_value: bool = False
    recovers: bool = False
    """Whether a recovery stops all panics."""
    silent: bool = False
    """Whether the language lets no error out of it, as it declares none."""


def node_of_chunk(chunk: Chunk, resolved: ResolvedChunk, session: Session) -> Node:
    """Join the written facts of a chunk with its resolved calls."""
    return make_node(
        chunk.key,
        chunk.language,
        chunk.contract,
        zip(resolved.calls, resolved.passes, resolved.guards, strict=True),
        session,
    )


def make_node(
    key: ChunkKey,
    language: str,
    facts: tuple[ErrorFact, ...],
    calls: Iterable[tuple[Call, bool, tuple[Guard, ...]]],
    session: Session,
) -> Node:
    """Make a node of written facts and of resolved calls, each with whether it hands errors on and its handlers."""
    edges: dict[tuple[object, ...], Edge] = {}
    unknown: set[str] = set()
    rules = rules_of(language)
    raised = {(_maker(fact), fact.line) for fact in facts if fact.role == "raise"} if facts else ()
    has_calls = False
    made: dict[tuple[str, int], Call] = {}
    for call, passes, guards in calls:
        has_calls = True
        if raised and (call.callee, call.line) in raised:
            made[call.callee, call.line] = call
        edge = edge_of_call(call, passes, guards)
        if edge is not None:
            edges.setdefault((edge.targets, guards, passes), edge)
        elif guards and (call.callee, call.line) not in raised:
            unknown.update(name for guard in guards if guard.rethrows for name in guard.types)
    if made:
        facts = tuple(_made_by_call(fact, made.get((_maker(fact), fact.line)), language, session) for fact in facts)
    facts = tuple(_of_alias(fact, key, language, session) if fact.type == RESULT else fact for fact in facts)
    recovers = any(fact.role == "catch" and fact.type in rules.recovers for fact in facts)
    silent = rules.tried and not any(fact.role == "declare" and fact.source == "code" for fact in facts)
    out = tuple(edges.values())
    return Node(key, language, facts, out, has_calls, frozenset(unknown), rules.by_value, recovers, silent)


def _of_alias(fact: ErrorFact, key: ChunkKey, language: str, session: Session) -> ErrorFact:
    """Give a returned `Result<T>` the error type that the own alias `type Result<T> = std::Result<T, Failure>` says."""
    profile = profile_of(language)
    head = session.head(key.path)
    path = fact.text.replace("::", ".").split(".")
    if fact.role != "return" or profile.modules != "crate" or head is None or path[-1] != RESULT:
        return fact
    place = crate_place(key.path, "", language)
    if path[0] == place[0]:
        path[0] = "crate"
    module = crate_module(path[:-1], place, language)
    meaning = member(session, module, RESULT) if len(path) > 1 else visible(session, RESULT, head, types=True)
    rows = meaning.symbols if isinstance(meaning, Found) else ()
    kinds = {type_name(row.result, profile.nothing) for row in rows if row.kind == "type"}
    kind = kinds.pop() if len(kinds) == 1 else None
    name = simple_name(kind.arguments[-1].name) if kind is not None and len(kind.arguments) > 1 else ""
    return fact._replace(type=name) if name and not TYPE_PARAMETER.match(name) else fact


def _maker(fact: ErrorFact) -> str:
    """Name the function whose call is raised: its type says it, or the text where calling it tells no type."""
    if fact.type or fact.role != "raise":
        return fact.type
    found = MAKER.match(fact.text)
    return found.group(1) if found else ""


def _made_by_call(fact: ErrorFact, call: Call | None, language: str, session: Session) -> ErrorFact:
    """Give `throw failure(x)` the result type of the function that makes the error."""
    if fact.role != "raise" or call is None:
        return fact
    if call.target is None:
        made_by = simple_name(call.receiver or "")
        if fact.type[:1].islower() and made_by.endswith(ERROR_WORDS):
            # `Error::other(x)`: a type that makes one of its own.
            return ErrorFact(fact.role, made_by, fact.text, fact.line, fact.source, None, fact.guards)
        # `throw cause.unwrap()`: what foreign code makes has no type that the source names.
        receiver = simple_name(call.receiver or "")
        maker = call.module and not receiver[:1].isupper() and simple_name(call.module.replace("/", ".")) == receiver
        known = maker or fact.type[:1].isupper() or call.receiver is None
        return fact if known else ErrorFact(fact.role, "", fact.text, fact.line, fact.source, None, fact.guards)
    name = simple_name(call.target.qualified_name)
    rows = (row for row in session.symbols(name, profile_of(language).family) if row.key == call.target)
    # `raise session.Interrupted(x)`: an attribute that holds the type makes nothing else.
    row = next((row for row in rows if not (is_type(row) or (row.kind in MEMBER_KINDS and name[:1].isupper()))), None)
    if row is None or (row.parent and simple_name(row.parent) == name) or _maker(fact) != name:
        return fact
    profile = profile_of(language)
    kind = type_name(row.result, profile.nothing) if row.result else None
    result = simple_name(kind.name) if kind else ""
    if row.result in profile.self_types:
        # `throw Failure::at($place)`: the class that is named, or the one that has the method.
        named = simple_name(call.receiver or "")
        known = named[:1].isupper() and row.result not in profile.declaring
        result = named if known else simple_name(row.parent)
    return ErrorFact(fact.role, result, fact.text, fact.line, fact.source, None, fact.guards)


def join_nodes(first: Node, second: Node) -> Node:
    """Join the pieces of one chunk."""
    return Node(
        first.key, first.language, first.facts + second.facts, first.edges + second.edges,
        first.has_calls or second.has_calls, first.unknown | second.unknown, first.by_value, first.recovers or second.recovers,
        first.silent and second.silent,
    )  # fmt: skip


def edge_of_call(call: Call, passes: bool, guards: tuple[Guard, ...]) -> Edge | None:
    """Make an edge of a call whose targets are certain, None of any other."""
    if call.target is not None and call.certainty == "resolved":
        return Edge((call.target, *call.candidates), call.line, _shown(call), guards, passes)
    if call.certainty == "ambiguous" and len({key[:2] for key in call.candidates}) == 1:
        return Edge(call.candidates, call.line, _shown(call), guards, passes, common=True)
    return None


def _shown(call: Call) -> str:
    return f"{call.receiver}.{call.callee}" if call.receiver else call.callee
