"""Settle contracts over the store: the changed region in memory, the rest looked up where a change reaches it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import reduce
from typing import TYPE_CHECKING

from codemem.indexing.definitions import merge_codes, pack_names
from codemem.resolve import Session, effective_contract, settle
from codemem.resolve.leaving import PANIC, Leaving
from codemem.resolve.nodes import Node, join_nodes, make_node
from codemem.resolve.propagate import Outflow
from codemem.resolve.whole import Contracts
from codemem.store.code import load_chunks
from codemem.store.connection import Connection
from codemem.store.definitions import (
    fill_outflows,
    outflow_keys,
    read_consulted,
    read_outflow,
    write_consulted,
    write_outflows,
)
from codemem.store.graph import (
    callers_of,
    chunk_ids_of,
    fact_values,
    file_of_chunk,
    raw_contract,
    read_call_rows,
    remove_facts,
    write_facts,
)
from codemem.store.layers import indexed_beside
from codemem.types import ChunkKey

if TYPE_CHECKING:
    from codemem.indexing.resolving import Region


WRITTEN_AT_ONCE = 20_000
"""Fact rows that are gathered before they are written."""


class Outflows(dict[ChunkKey, Outflow]):
    """What leaves each chunk, read from the store where it is asked for."""

    def __init__(self, connection: Connection) -> None:
        super().__init__()
        self._connection = connection

    def get(self, key: ChunkKey, default: Outflow | None = None) -> Outflow | None:  # type: ignore[override]
        found = super().get(key, default)
        if found is None:
            rows = read_outflow(self._connection, key)
            found = self[key] = {Leaving(channel, kind): distance for channel, kind, distance in rows}
        return found


def settle_contracts(connection: Connection, region: Region, session: Session) -> None:
    """Work the contracts of the region out, follow changes to callers, and write the rows that differ."""
    graph = _Graph(connection, region, session)
    if region.whole:
        _settle_all(connection, region, graph, session)
        return
    known: dict[ChunkKey, Outflow] = Outflows(connection)
    start = [*_postorder(region.nodes), *region.bare, *_orphans(connection, region)]
    changed = settle(start, graph.node, known, graph.callers, session)
    write_outflows(
        connection,
        {
            key: tuple([(*error, distance) for error, distance in sorted((known.get(key) or {}).items())])
            for key in changed
        },
    )
    touched = dict.fromkeys((*region.nodes, *region.bare))
    for key in changed:
        touched.update(dict.fromkeys(graph.callers(key)))
    rows: list[Sequence[object]] = []
    for key in touched:
        rows.extend(_contract_rows(connection, region, graph, known, key, session))
        if len(rows) > WRITTEN_AT_ONCE:
            write_facts(connection, rows)
            rows.clear()
    write_facts(connection, rows)
    graph.keep_consulted()


def _settle_all(connection: Connection, region: Region, graph: _Graph, session: Session) -> None:
    """Work all contracts out and write them, where none were before."""
    with indexed_beside(connection, region.missing.pop("call", ())):
        contracts = Contracts(region.nodes, graph.node, session)
        outflows = list(contracts.outflows())
    fill_outflows(connection, outflows)
    rows: list[Sequence[object]] = []
    for number, key in enumerate(region.nodes):
        facts, through = contracts.contract(number)
        if not facts and not through:
            continue
        chunk_id = region.chunk_ids[key]
        region.rewritten.add(chunk_id)
        rows.extend([fact_values(chunk_id, fact) for fact in facts])
        rows.extend(
            [
                (chunk_id, "panic" if channel == PANIC else "propagate", kind, text, line, "code", callee, 0)
                for (channel, kind), text, line, callee in through
            ]
        )
        if len(rows) > WRITTEN_AT_ONCE:
            write_facts(connection, rows)
            rows.clear()
    write_facts(connection, rows)
    graph.keep_consulted()


def _contract_rows(
    connection: Connection,
    region: Region,
    graph: _Graph,
    known: dict[ChunkKey, Outflow],
    key: ChunkKey,
    session: Session,
) -> list[Sequence[object]]:
    """Return the rows of a contract when they differ from those written, which are removed."""
    chunk_id = graph.chunk_id(key)
    if chunk_id is None:
        return []
    node = graph.node(key)
    rows = [fact_values(chunk_id, fact) for fact in effective_contract(node, known.get, session)] if node else []
    old = raw_contract(connection, chunk_id)
    if rows == old:
        return []
    if old:
        remove_facts(connection, chunk_id)
    region.rewritten.add(chunk_id)
    return list(rows)


def _orphans(connection: Connection, region: Region) -> list[ChunkKey]:
    """Return chunks that something left before the run and that are no longer there."""
    return [key for path in sorted(region.gone) for key in outflow_keys(connection, path) if key not in region.nodes]


class _Graph:
    """Nodes and callers: the region's from memory, others from the store."""

    def __init__(self, connection: Connection, region: Region, session: Session) -> None:
        self._connection = connection
        self._region = region
        self._session = session
        self._others: dict[ChunkKey, tuple[int, int, Node] | None] = {}
        self._consulted: dict[int, set[str]] = defaultdict(set)
        self._callers: dict[ChunkKey, list[ChunkKey]] = {}

    def node(self, key: ChunkKey) -> Node | None:
        """Return a chunk's node, and have the names that its contract looks up recorded for its file."""
        node = self._region.nodes.get(key)
        if node is not None:
            self._session.record_in(self._consulted[self._region.file_ids[key.path]])
            return node
        if key in self._region.chunk_ids:
            return None
        other = self._other(key)
        if other is None:
            return None
        self._session.record_in(self._consulted[other[1]])
        return other[2]

    def chunk_id(self, key: ChunkKey) -> int | None:
        found = self._region.chunk_ids.get(key)
        if found is not None:
            return found
        other = self._other(key)
        return None if other is None else other[0]

    def callers(self, key: ChunkKey) -> Iterable[ChunkKey]:
        """Return the chunks with a call that may run `key`."""
        if key not in self._callers:
            self._callers[key] = list(dict.fromkeys(row.caller for row in callers_of(self._connection, key)))
        return self._callers[key]

    def keep_consulted(self) -> None:
        """Add what contracts of other files looked up to what those files consulted."""
        rows = [
            (merge_codes(read_consulted(self._connection, file_id), pack_names(names)), file_id)
            for file_id, names in self._consulted.items()
            if names
        ]
        write_consulted(self._connection, rows)

    def _other(self, key: ChunkKey) -> tuple[int, int, Node] | None:
        if key not in self._others:
            ids = chunk_ids_of(self._connection, key)
            if ids:
                self._session.record_in(self._consulted[file_of_chunk(self._connection, ids[0])])
            self._others[key] = self._load(ids) if ids else None
        return self._others[key]

    def _load(self, chunk_ids: list[int]) -> tuple[int, int, Node]:
        chunks = load_chunks(self._connection, chunk_ids, with_text=False)
        calls = read_call_rows(self._connection, chunk_ids)
        nodes = [
            make_node(
                chunks[number].key,
                chunks[number].language,
                chunks[number].contract,
                calls.get(number, ()),
                self._session,
            )
            for number in chunk_ids
        ]
        return chunk_ids[0], file_of_chunk(self._connection, chunk_ids[0]), reduce(join_nodes, nodes)


def _postorder(nodes: dict[ChunkKey, Node]) -> list[ChunkKey]:
    """List callees before callers, without recursion."""
    order: list[ChunkKey] = []
    seen: set[ChunkKey] = set()
    for root in nodes:
        stack: list[tuple[ChunkKey, bool]] = [(root, False)]
        while stack:
            key, finished = stack.pop()
            if finished:
                order.append(key)
            elif key not in seen and key in nodes:
                seen.add(key)
                stack.append((key, True))
                stack.extend(
                    (target, False) for edge in nodes[key].edges for target in edge.targets if target not in seen
                )
    return order
