"""Find how calls lead from one definition to another: the shortest ways and those one step longer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from codemem.graph.walking import Edge, callees, outgoing
from codemem.store import Store, translated
from codemem.types import ChunkKey

MAXIMUM_DEPTH = 16
"""Calls in a row that are followed: longer ways explain nothing."""
MAXIMUM_NODES = 20_000
"""Definitions looked at before the search gives up."""
MAXIMUM_PATHS = 20
DETOUR = 1
"""Steps that a shown way may be longer than the shortest."""
TREE_DEPTH = 3
"""Levels shown of what a definition calls when no goal is given."""


@dataclass(frozen=True, slots=True)
class Trace:
    """Ways along calls, shortest first; without a goal, the edges of the tree of callees."""

    start: tuple[ChunkKey, ...]
    goal: tuple[ChunkKey, ...] = ()
    paths: tuple[tuple[Edge, ...], ...] = ()
    edges: tuple[Edge, ...] = ()
    truncated: bool = False


def trace(store: Store, start: Sequence[ChunkKey], goal: Sequence[ChunkKey] = (), depth: int = 0) -> Trace:
    """Return the ways from `start` to `goal`, or what `start` calls, level by level."""
    if not goal:
        graph = callees(store, start, depth or TREE_DEPTH)
        own = tuple(edge for edge in graph.edges if edge.callee is not None)
        return Trace(tuple(start), (), (), own, graph.truncated)
    with translated(store.path):
        steps, gave_up = _explore(store, start, set(goal), depth or MAXIMUM_DEPTH)
    paths, cut = _short_paths(steps, start, set(goal), depth or MAXIMUM_DEPTH)
    edges = tuple(dict.fromkeys(edge for path in paths for edge in path))
    return Trace(tuple(start), tuple(goal), tuple(paths), edges, gave_up or cut)


def _explore(
    store: Store, start: Sequence[ChunkKey], goal: set[ChunkKey], depth: int
) -> tuple[dict[ChunkKey, list[Edge]], bool]:
    """Collect the calls around `start`, until the goal is reached and a detour beyond."""
    steps: dict[ChunkKey, list[Edge]] = {}
    level = list(dict.fromkeys(start))
    seen = set(level)
    left = depth
    while level and left > 0:
        below: list[ChunkKey] = []
        for caller in level:
            steps[caller] = _first_edges(outgoing(store, caller))
            for edge in steps[caller]:
                if edge.callee is not None and edge.callee not in seen:
                    seen.add(edge.callee)
                    below.append(edge.callee)
            if len(seen) > MAXIMUM_NODES:
                return steps, True
        left -= 1
        if goal & seen:
            left = min(left, DETOUR)
        level = below
    return steps, False


def _first_edges(edges: list[Edge]) -> list[Edge]:
    """Keep the first call of each callee."""
    first: dict[ChunkKey, Edge] = {}
    for edge in edges:
        if edge.callee is not None:
            first.setdefault(edge.callee, edge)
    return list(first.values())


def _short_paths(
    steps: dict[ChunkKey, list[Edge]], start: Sequence[ChunkKey], goal: set[ChunkKey], depth: int
) -> tuple[list[tuple[Edge, ...]], bool]:
    left = _distances_to(steps, goal)
    reachable = [key for key in dict.fromkeys(start) if key in left and key not in goal]
    if not reachable:
        return [], False
    longest = min(min(left[key] for key in reachable) + DETOUR, depth)
    found: list[tuple[Edge, ...]] = []
    stack: list[tuple[ChunkKey, tuple[Edge, ...]]] = [(key, ()) for key in reversed(reachable)]
    while stack and len(found) <= MAXIMUM_PATHS * MAXIMUM_PATHS:
        key, path = stack.pop()
        if key in goal:
            found.append(path)
            continue
        been = {edge.caller for edge in path}
        for edge in reversed(steps.get(key, ())):
            callee = edge.callee
            if callee is None or callee in been or callee == key or len(path) + 1 + left.get(callee, depth) > longest:
                continue
            stack.append((callee, (*path, edge)))
    found.sort(key=len)
    return found[:MAXIMUM_PATHS], len(found) > MAXIMUM_PATHS


def _distances_to(steps: dict[ChunkKey, list[Edge]], goal: set[ChunkKey]) -> dict[ChunkKey, int]:
    """Count the calls from each definition to the goal."""
    callers: dict[ChunkKey, list[ChunkKey]] = {}
    for caller, edges in steps.items():
        for edge in edges:
            if edge.callee is not None:
                callers.setdefault(edge.callee, []).append(caller)
    distance = dict.fromkeys(goal, 0)
    level = list(goal)
    while level:
        above = []
        for key in level:
            for caller in callers.get(key, ()):
                if caller not in distance:
                    distance[caller] = distance[key] + 1
                    above.append(caller)
        level = above
    return distance
