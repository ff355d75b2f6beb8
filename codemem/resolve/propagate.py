"""Carry exceptions along resolved calls to a fixed point: what leaves a chunk is what it raises and what its callees let out.

Rules:
- Own facts that leave: raised and not caught around the raise; declared in code; declared in documentation when nothing else
  speaks (no call, no raise); where errors are values, returned error types with a name; a re-throw of a type when unknown
  calls stand in its `try`; panics without a recovery.
- A call lets out what leaves its target, minus what the handlers around it catch. A call of an abstract member lets out what
  leaves its implementations too; a call of equal overloads lets out what all of them let out. Guessed targets let out nothing.
- Code in lambdas, closures, generators and coroutines counts as run where it is written: it belongs to the definition around
  it, and the handlers around its text protect it.
- Where the compiler asks for declarations, a checked error of the standard library that came through a call leaves only what
  declares it: else it came into a lambda.
- Where `try` is written before what may fail, only such calls let errors out, and only of definitions that declare errors.
- Where errors are values, only calls whose error is handed on (see passing.py) let errors out.
Each error keeps the number of calls it came through. That makes the fixed point unique, so that starting from old answers
gives the same result as starting from nothing, also where functions call each other in circles.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import NamedTuple

from codemem.resolve.errors import MEMBER_KINDS, is_caught, kinds_of, rules_of, simple_name
from codemem.resolve.expressions import type_name
from codemem.resolve.members import is_type
from codemem.resolve.modules import crate_module, crate_place
from codemem.resolve.names import Found, member, visible
from codemem.resolve.profile import profile_of
from codemem.resolve.records import ResolvedChunk
from codemem.resolve.session import Session
from codemem.types import Call, Chunk, ChunkKey, ErrorFact, ErrorRole, Guard

_fact: Callable[[tuple[object, ...]], ErrorFact] = partial(tuple.__new__, ErrorFact)
"""A fact from all its fields: a repository has hundreds of thousands that come through callees."""
MAXIMUM_DISTANCE = 64
"""Calls an error is followed through: far beyond any readable chain, and the bound that ends circles."""
MAXIMUM_ERRORS = 32
"""Error types that leave one chunk, nearest first: an entry point that can fail in more ways says so by its number."""
MAXIMUM_VIA = 3
"""Callees named for one error type of a chunk."""
TOO_FAR = MAXIMUM_DISTANCE + 1
ERROR, PANIC = "error", "panic"
ANY_PANIC = "panic"
TYPE_PARAMETER = re.compile(r"[A-Z]{1,2}\d?$")
"""`throws E`: what it stands for is said where it is used."""
ABSENT = "None"
"""The error type of an optional result."""
RESULT = "Result"
"""A result type that may be an alias of this repository's own, with the error type written there."""
ERROR_WORDS = ("Error", "Exception", "Failure", "Fault")
"""Last words of a type that is an error by its name: its functions make such ones."""
MAKER = re.compile(r"(?:[$\w?]+(?:\.|->|::|\\))*([^\W\d]\w*)\s*(?:\(|$)")
"""A raised call: what stands before its bracket, or a name alone."""
"""Type of a panic that names none."""


class Leaving(NamedTuple):
    """One way a chunk fails towards its callers."""

    channel: str
    """error or panic"""
    type: str


Outflow = Mapping[Leaving, int]
"""What leaves a chunk, with the number of calls it came through."""
Known = Callable[[ChunkKey], Outflow | None]
"""What leaves a chunk as far as it is known; None is nothing."""


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


def outflow(node: Node, of: Known, session: Session) -> dict[Leaving, int]:
    """Work out what leaves a chunk from what leaves its callees now."""
    found = own_outflow(node, session) if node.facts else {}
    nearest_of = found.get
    for edge in node.edges:
        for _, flow in _edge_flows(node, edge, of, session):
            for error, distance in flow.items():
                distance += 1
                if distance < nearest_of(error, TOO_FAR):
                    found[error] = distance
    if node.by_value and (returned := {fact.type for fact in node.facts if fact.role == "return"}):
        # An optional gives nothing else than absence, a result never does.
        found = {error: distance for error, distance in found.items() if is_returned(error, returned)}
    if rules_of(node.language).checked:
        found = {error: distance for error, distance in found.items() if not _is_held(error, distance, node, session)}
    if node.silent:
        found = {error: distance for error, distance in found.items() if error.channel == PANIC}
    if len(found) > MAXIMUM_ERRORS:
        nearest = sorted(found, key=lambda error: (found[error], error))[:MAXIMUM_ERRORS]
        found = {error: found[error] for error in nearest}
    return found


def _is_held(error: Leaving, distance: int, node: Node, session: Session) -> bool:
    """Tell whether the compiler proves that an error does not leave: checked, not thrown here by name and not declared.

    It came into a lambda, or is what a handler of everything throws again.
    """
    rules = rules_of(node.language)
    if error.channel == PANIC or not (error.type in rules.parents or error.type in rules.roots):
        return False
    if distance == 0 and any(fact.role == "raise" and fact.type == error.type for fact in node.facts):
        return False
    kinds = kinds_of(session, error.type, node.language)
    declared = {fact.type for fact in node.facts if fact.role == "declare"}
    return kinds.isdisjoint(rules.unchecked) and kinds.isdisjoint(declared)


def is_returned(error: Leaving, returned: set[str]) -> bool:
    """Tell whether a function with these result types can let an error out."""
    if error.channel == PANIC:
        return True
    return error.type == ABSENT if returned == {ABSENT} else error.type != ABSENT or ABSENT in returned


def effective_contract(node: Node, of: Known, session: Session) -> tuple[ErrorFact, ...]:
    """Return the written facts and one fact per error type and callee that it comes through, few callees per type.

    `of` must be settled: what leaves the chunk itself is taken from it.
    """
    found = written_facts(node, session)
    leaving = of(node.key) or {}
    named: dict[Leaving, list[str]] = {}
    for edge in node.edges if leaving else ():
        for callee, flow in _edge_flows(node, edge, of, session):
            for error in sorted(flow):
                if error not in leaving:
                    continue
                callees = named.setdefault(error, [])
                if len(callees) < MAXIMUM_VIA and callee not in callees:
                    callees.append(callee)
                    role: ErrorRole = "panic" if error.channel == PANIC else "propagate"
                    found.append(_fact((role, error.type, edge.text, edge.line, "code", callee, (), False)))
    return tuple(found)


def settle(
    nodes: Iterable[ChunkKey],
    node_of: Callable[[ChunkKey], Node | None],
    known: dict[ChunkKey, Outflow],
    callers_of: Callable[[ChunkKey], Iterable[ChunkKey]],
    session: Session,
) -> set[ChunkKey]:
    """Bring `known` to the fixed point, beginning at `nodes`; return the chunks whose outflow changed."""
    waiting = list(dict.fromkeys(nodes))
    queued = set(waiting)
    changed: set[ChunkKey] = set()
    nothing: Outflow = {}
    position = 0
    while position < len(waiting):
        key = waiting[position]
        position += 1
        queued.discard(key)
        node = node_of(key)
        new = outflow(node, known.get, session) if node is not None and (node.facts or node.edges) else nothing
        if new == (known.get(key) or nothing):
            continue
        known[key] = new
        changed.add(key)
        for caller in callers_of(key):
            if caller not in queued:
                queued.add(caller)
                waiting.append(caller)
    return changed


def own_outflow(node: Node, session: Session) -> dict[Leaving, int]:
    """Return what leaves a chunk by its written facts alone."""
    found: dict[Leaving, int] = {}
    rules = rules_of(node.language)
    speaks = node.has_calls or any(fact.source == "code" and fact.role != "return" for fact in node.facts)
    for fact in node.facts:
        if fact.role == "panic":
            if not node.recovers and not (fact.type and is_caught(session, fact.type, fact.guards, node.language)):
                found[Leaving(PANIC, fact.type or ANY_PANIC)] = 0
        elif (
            fact.type
            and (rules.by_value or fact.role != "return")  # where errors are thrown, one that is returned is a value
            and _leaves(fact, speaks, rules.generic, node.unknown)
            and not is_caught(session, fact.type, fact.guards, node.language)
        ):
            found[Leaving(ERROR, fact.type)] = 0
    return found


def _leaves(fact: ErrorFact, speaks: bool, generic: frozenset[str], unknown: frozenset[str]) -> bool:
    if fact.role == "propagate":
        return fact.type in unknown
    if TYPE_PARAMETER.match(fact.type):
        return False
    if fact.role == "declare":
        return fact.source == "code" or not speaks
    return fact.role in ("raise", "return") and fact.type not in generic


def _edge_flows(node: Node, edge: Edge, of: Known, session: Session) -> list[tuple[str, Outflow]]:
    """Return what a call lets out, by the callee that it comes from."""
    if edge.passes and not edge.guards and not edge.common and not node.recovers:
        return [(target.qualified_name, flow) for target in edge.targets if (flow := of(target)) and target != node.key]
    flows: list[tuple[str, Outflow]] = []
    for target in edge.targets:
        flow = of(target) if target != node.key else None
        if flow:
            flows.append((target.qualified_name, flow))
        elif edge.common and target != node.key:
            return []
    if edge.common and len(flows) > 1:
        shared = set(flows[0][1]).intersection(*(flow for _, flow in flows[1:]))
        flows = [(flows[0][0], {error: max(flow[error] for _, flow in flows) for error in shared})]
    if edge.passes and not edge.guards and not node.recovers:
        return flows
    return [
        (callee, {error: distance for error, distance in flow.items() if _passes(error, edge, node, session)})
        for callee, flow in flows
    ]


def _passes(error: Leaving, edge: Edge, node: Node, session: Session) -> bool:
    if error.channel == PANIC and (node.by_value or error.type == ANY_PANIC):
        return not node.recovers
    return edge.passes and not is_caught(session, error.type, edge.guards, node.language)


def written_facts(node: Node, session: Session) -> list[ErrorFact]:
    """Return the facts of a node as they are written, those that it deals with itself marked."""
    return [_written(fact, node, session) if fact.guards or node.recovers else fact for fact in node.facts]


def _written(fact: ErrorFact, node: Node, session: Session) -> ErrorFact:
    """Mark a raise that the chunk itself catches, and a panic that it recovers from."""
    recovered = fact.role == "panic" and node.recovers
    caught = fact.role == "raise" and fact.guards and is_caught(session, fact.type, fact.guards, node.language)
    if not recovered and not caught:
        return fact
    return ErrorFact(fact.role, fact.type, fact.text, fact.line, fact.source, fact.via, fact.guards, handled=True)
