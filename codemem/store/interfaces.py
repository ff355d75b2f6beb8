"""What two states of an index say about interfaces: definitions, contracts, and who calls them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterator
from typing import NamedTuple

from codemem.store.connection import Store
from codemem.store.faults import translated
from codemem.types import ChunkKey

NO_INTERFACES = ("block", "constant", "field", "lines", "module", "section")
"""Kinds that promise nothing to a caller by themselves."""
CALLABLE = ("function", "method")
EXTENDS_AT, MODIFIERS_AT = 3, 5
"""Places of these facts in the row that `records` writes."""
CONTRACT_ROLES = ("declare", "raise", "panic", "return", "propagate")
"""Facts that callers meet; what is caught inside is not theirs."""
FROM = "FROM chunk JOIN file ON file.id = chunk.file_id"


class InterfaceRow(NamedTuple):
    """One definition as callers see it."""

    key: ChunkKey
    kind: str
    name: str
    signature: str
    interface_hash: str
    start_line: int
    end_line: int


def read_interfaces(store: Store, paths: Collection[str]) -> dict[ChunkKey, InterfaceRow]:
    """Return the definitions in the given files, by file and line; what stands inside a function is its own affair."""
    marks = ", ".join(f"'{kind}'" for kind in NO_INTERFACES)
    query = (
        "SELECT path, qualified_name, ordinal, kind, name, signature, interface_hash, start_line, end_line "
        f"{FROM} WHERE path = ? AND part = 0 AND kind NOT IN ({marks}) AND name <> '' ORDER BY start_line"
    )
    found: dict[ChunkKey, InterfaceRow] = {}
    with translated(store.path):
        for path in sorted(paths):
            rows = [InterfaceRow(ChunkKey(*row[:3]), *row[3:]) for row in store.connection.execute(query, (path,))]
            found |= {row.key: row for row in _not_local(rows)}
    return found


def _not_local(rows: list[InterfaceRow]) -> Iterator[InterfaceRow]:
    """Leave out what stands inside the lines of a function (`rows` by first line)."""
    inside_until = 0
    for row in rows:
        if row.end_line <= inside_until:
            continue
        yield row
        if row.kind in CALLABLE:
            inside_until = max(inside_until, row.end_line)


def read_marks(store: Store, key: ChunkKey) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the modifiers of a definition and what it extends."""
    query = f"SELECT facts {FROM} WHERE path = ? AND qualified_name = ? AND ordinal = ? AND part = 0"
    with translated(store.path):
        row = store.connection.execute(query, key).fetchone()
    facts = json.loads(row[0]) if row is not None else []
    return (tuple(facts[MODIFIERS_AT]), tuple(facts[EXTENDS_AT])) if facts else ((), ())


def differing_files(store: Store, base: Store) -> tuple[str, ...]:
    """Return the paths whose content differs between two states, or that only one has."""
    query = "SELECT path, sha FROM file"
    with translated(store.path):
        head_files = dict(store.connection.execute(query))
    with translated(base.path):
        base_files = dict(base.connection.execute(query))
    return tuple(sorted(path for path in {*head_files, *base_files} if head_files.get(path) != base_files.get(path)))


def differing_outflows(store: Store, base: Store) -> set[ChunkKey]:
    """Return the definitions of which something else reaches callers than before."""
    query = "SELECT path, qualified_name, ordinal, data FROM outflow"
    with translated(base.path):
        before = {ChunkKey(*row[:3]): row[3] for row in base.connection.execute(query)}
    with translated(store.path):
        after = {ChunkKey(*row[:3]): row[3] for row in store.connection.execute(query)}
    return {key for key in {*before, *after} if before.get(key) != after.get(key)}


def contract_types(store: Store, key: ChunkKey) -> dict[str, str]:
    """Return what a definition may fail with: type -> the callee it comes through, empty when it is its own doing."""
    marks = ", ".join(f"'{role}'" for role in CONTRACT_ROLES)
    query = (
        f"SELECT type, coalesce(via, '') FROM fact WHERE handled = 0 AND role IN ({marks}) AND type <> '' AND chunk_id IN "
        f"(SELECT chunk.id {FROM} WHERE path = ? AND qualified_name = ? AND ordinal = ?) ORDER BY type, via IS NOT NULL, via"
    )
    found: dict[str, str] = {}
    with translated(store.path):
        for kind, via in store.connection.execute(query, key):
            found.setdefault(kind, via)
    return found


class CallerRow(NamedTuple):
    """A definition that calls another, the line of the first call, and whether an error passes through it."""

    key: ChunkKey
    line: int
    passes: bool
    guarded: bool
    """Every call stands where some error is handled."""


def callers_by_handling(store: Store, key: ChunkKey, kind: str) -> list[CallerRow]:
    """Return the definitions that call `key`; what passes is an error of the type `kind`."""
    query = (
        "SELECT file.path, chunk.qualified_name, chunk.ordinal, min(call.line), EXISTS (SELECT 1 FROM fact "
        "WHERE chunk_id = chunk.id AND role = 'propagate' AND type = ? AND via = ? AND handled = 0), "
        f"min(call.guards <> '') {FROM} JOIN call ON call.chunk_id = chunk.id "
        "WHERE call.target_name = ? AND call.target_path = ? AND call.target_ordinal = ? GROUP BY chunk.id ORDER BY 1, 4"
    )
    with translated(store.path):
        values = (kind, key.qualified_name, key.qualified_name, key.path, key.ordinal)
        rows = store.connection.execute(query, values)
        return [
            CallerRow(ChunkKey(path, name, ordinal), line, bool(passes), bool(guarded))
            for path, name, ordinal, line, passes, guarded in rows
        ]


def stale_anchors(connection: sqlite3.Connection) -> list[tuple[str, str, str, str]]:
    """Return uuid, symbol, state and text of memories whose code changed or went."""
    if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'memory_anchor'").fetchone() is None:
        return []
    query = (
        "SELECT memory.uuid, memory_anchor.symbol, memory_anchor.state, memory.content FROM memory_anchor JOIN memory "
        "ON memory.id = memory_id WHERE memory.status = 'active' AND (memory_anchor.state LIKE 'stale%' "
        "OR memory_anchor.state = 'orphaned') ORDER BY 2, 1"
    )
    return [(str(uuid), str(symbol), str(state), str(text)) for uuid, symbol, state, text in connection.execute(query)]
