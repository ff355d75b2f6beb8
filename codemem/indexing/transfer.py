"""Outcomes on their way from a worker: plain tuples, which travel in a third of the time that records take."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from codemem.indexing.outcome import Outcome, opened, work_out
from codemem.resolve import FileHead
from codemem.resolve.nodes import Edge, Node
from codemem.types import ChunkKey, ErrorFact, Guard

Plain = tuple[Any, ...]
Keys = dict[tuple[Any, ...], ChunkKey]
"""Identities met so far: an edge names one that is a node's, mostly many times over."""
_edge: Callable[[tuple[Any, ...]], Edge] = partial(tuple.__new__, Edge)
_fact: Callable[[tuple[Any, ...]], ErrorFact] = partial(tuple.__new__, ErrorFact)
_node: Callable[[tuple[Any, ...]], Node] = partial(tuple.__new__, Node)
_guard: Callable[[tuple[Any, ...]], Guard] = partial(tuple.__new__, Guard)


def work_out_batch(path: str, files: Sequence[tuple[int, FileHead]]) -> list[Plain]:
    """Run `work_out` in a worker, on the store at `path` whose definitions are written."""
    connection, session = opened(path)
    return [plain_outcome(work_out(connection, session, file_id, head, False)) for file_id, head in files]


def plain_outcome(outcome: Outcome) -> Plain:
    """Take an outcome apart for the process that started the worker."""
    file_id, path, chunk_ids, calls, nodes, consulted, reached = outcome
    rows = [(chunk_id, _plain_node(node)) for chunk_id, node in nodes]
    return file_id, path, chunk_ids, calls, rows, consulted, reached


def read_outcome(plain: Plain, keys: Keys) -> Outcome:
    """Undo `plain_outcome`; equal identities become one record."""
    file_id, path, chunk_ids, calls, nodes, consulted, reached = plain
    records = [(chunk_id, _read_node(node, keys)) for chunk_id, node in nodes]
    return Outcome(file_id, path, chunk_ids, calls, records, consulted, reached)


def _plain_node(node: Node) -> tuple[Any, ...]:
    key, language, facts, edges, *rest = node
    return (
        tuple(key),
        language,
        tuple([(*fact[:6], _plain_guards(fact.guards), fact.handled) for fact in facts]),
        tuple([_plain_edge(edge) for edge in edges]),
        *rest,
    )


def _plain_edge(edge: Edge) -> tuple[Any, ...]:
    targets, line, text, guards, passes, common = edge
    return tuple([tuple(key) for key in targets]), line, text, _plain_guards(guards), passes, common


def _plain_guards(guards: tuple[Guard, ...]) -> tuple[tuple[Any, ...], ...]:
    return tuple([tuple(guard) for guard in guards]) if guards else ()


def _read_node(row: tuple[Any, ...], keys: Keys) -> Node:
    key, language, facts, edges, *rest = row
    return _node(
        (
            _key(key, keys),
            language,
            tuple([_fact((*fact[:6], _read_guards(fact[6]), fact[7])) for fact in facts]) if facts else (),
            tuple([_read_edge(edge, keys) for edge in edges]),
            *rest,
        )
    )


def _read_edge(row: tuple[Any, ...], keys: Keys) -> Edge:
    targets, line, text, guards, passes, common = row
    return _edge((tuple([_key(key, keys) for key in targets]), line, text, _read_guards(guards), passes, common))


def _read_guards(rows: tuple[tuple[Any, ...], ...]) -> tuple[Guard, ...]:
    return tuple([_guard(row) for row in rows]) if rows else ()


def _key(row: tuple[Any, ...], keys: Keys) -> ChunkKey:
    known = keys.get(row)
    if known is None:
        known = keys[row] = ChunkKey._make(row)
    return known
