"""Follow calls from definitions, outward to callees or inward to callers, level by level."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from codemem.store import Store, translated
from codemem.store.graph import callers_of, chunk_ids_of, read_calls, unresolved_calls
from codemem.types import Call, Certainty, ChunkKey

MAXIMUM_EDGES = 500
"""Edges of one answer: more is no answer; `truncated` says that there were more."""
MAXIMUM_POSSIBLE = 20
"""Unresolved calls of the same name that are listed as possible callers."""


@dataclass(frozen=True, slots=True)
class Edge:
    """One call; `path` and `line` say where it is written, `depth` how many calls away from the start it is."""

    caller: ChunkKey
    callee: ChunkKey | None
    name: str
    """The call as written, with its receiver."""
    path: str
    line: int
    order: int
    certainty: Certainty
    depth: int = 1
    mark: str = ""
    module: str = ""


@dataclass(frozen=True, slots=True)
class CallGraph:
    """The calls around some definitions."""

    start: tuple[ChunkKey, ...]
    edges: tuple[Edge, ...]
    possible: tuple[Edge, ...] = ()
    """Unresolved calls that bear the name: they may mean it."""
    truncated: bool = False


def callees(store: Store, start: Sequence[ChunkKey], depth: int = 1) -> CallGraph:
    """Return what the definitions call, in evaluation order; deeper levels follow own symbols only."""
    edges: list[Edge] = []
    seen = set(start)
    level = list(start)
    with translated(store.path):
        for distance in range(1, depth + 1):
            below: list[ChunkKey] = []
            for caller in level:
                for edge in outgoing(store, caller, distance):
                    edges.append(edge)
                    if edge.callee is not None and edge.callee not in seen:
                        seen.add(edge.callee)
                        below.append(edge.callee)
                if len(edges) > MAXIMUM_EDGES:
                    return CallGraph(tuple(start), tuple(edges[:MAXIMUM_EDGES]), truncated=True)
            if not (level := below):
                break
    return CallGraph(tuple(start), tuple(edges))


def callers(store: Store, start: Sequence[ChunkKey], depth: int = 1) -> CallGraph:
    """Return who calls the definitions, and the unresolved calls that may mean them."""
    edges: list[Edge] = []
    seen = set(start)
    level = list(start)
    with translated(store.path):
        for distance in range(1, depth + 1):
            above: list[ChunkKey] = []
            for callee in level:
                for edge in incoming(store, callee, distance):
                    edges.append(edge)
                    if edge.caller not in seen and edge.certainty != "ambiguous":
                        seen.add(edge.caller)
                        above.append(edge.caller)
                if len(edges) > MAXIMUM_EDGES:
                    return CallGraph(tuple(start), tuple(edges[:MAXIMUM_EDGES]), truncated=True)
            if not (level := above):
                break
        names = dict.fromkeys(simple_name(key) for key in start)
        possible = [
            _edge(row.caller, row.call, None, "unresolved", 1)
            for name in names
            for row in unresolved_calls(store.connection, name, MAXIMUM_POSSIBLE)
        ]
    return CallGraph(tuple(start), tuple(edges), tuple(possible))


def outgoing(store: Store, caller: ChunkKey, depth: int = 1) -> list[Edge]:
    """Return the calls of one definition: one edge per call, one more per implementation or alternative."""
    found: list[Edge] = []
    calls = read_calls(store.connection, chunk_ids_of(store.connection, caller))
    for call in (call for chunk_id in sorted(calls) for call in calls[chunk_id]):
        if call.target is not None or not call.candidates:
            found.append(_edge(caller, call, call.target, call.certainty, depth))
        found.extend(_edge(caller, call, candidate, "ambiguous", depth) for candidate in call.candidates)
    return found


def incoming(store: Store, callee: ChunkKey, depth: int = 1) -> list[Edge]:
    """Return the calls that run a definition, directly or as one of several candidates."""
    return [
        _edge(row.caller, row.call, callee, row.call.certainty if row.call.target == callee else "ambiguous", depth)
        for row in callers_of(store.connection, callee)
    ]


def simple_name(key: ChunkKey) -> str:
    """Return the last part of a qualified name."""
    return key.qualified_name.replace("#", ".").rpartition(".")[2]


def nodes_of(edges: Iterable[Edge]) -> list[ChunkKey]:
    """List the definitions that edges connect, in order of appearance."""
    keys: dict[ChunkKey, None] = {}
    for edge in edges:
        keys[edge.caller] = None
        if edge.callee is not None:
            keys[edge.callee] = None
    return list(keys)


def _edge(caller: ChunkKey, call: Call, callee: ChunkKey | None, certainty: Certainty, depth: int) -> Edge:
    name = f"{call.receiver}.{call.callee}" if call.receiver else call.callee
    module = call.module if call.target is None else ""
    return Edge(caller, callee, name, caller.path, call.line, call.order, certainty, depth, call.mark, module)
