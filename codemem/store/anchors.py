"""Rows that tie memories to code, and the chunks that such a tie may mean."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from codemem.store.connection import Store
from codemem.store.faults import translated
from codemem.store.memories import visible
from codemem.store.projects import project_id
from codemem.types import Scope

if TYPE_CHECKING:
    from codemem.types import Chunk

COLUMNS = "memory_id, tenant, symbol, path, language, kind, content_hash, interface_hash, state, detail, checked_at"
NANOSECONDS = 1_000_000
"""Of a millisecond: files bear the ones, ties the others."""
MOST_SEARCHED = 20_000
"""Definitions looked through for one that was renamed: beyond it a lost symbol is simply orphaned."""


class Anchor(NamedTuple):
    """One tie: what the symbol was when it was last verified, and what has become of it."""

    memory_id: int
    tenant: str
    symbol: str
    path: str
    language: str
    kind: str
    content_hash: str
    interface_hash: str
    state: str
    detail: str
    checked_at: int


def read_anchors(store: Store) -> list[Anchor]:
    """Return the ties of all memories that are not deleted."""
    with translated(store.path):
        rows = store.connection.execute(
            f"SELECT {COLUMNS} FROM memory_anchor WHERE memory_id IN (SELECT id FROM memory WHERE status <> 'deleted') ORDER BY 1"
        )
        return [Anchor(*row) for row in rows]


def read_anchor(store: Store, memory_id: int) -> Anchor | None:
    """Return the tie of one memory."""
    row = store.connection.execute(f"SELECT {COLUMNS} FROM memory_anchor WHERE memory_id = ?", (memory_id,)).fetchone()
    return None if row is None else Anchor(*row)


def tied_files(store: Store) -> list[tuple[str, tuple[int, int, int] | None]]:
    """Return the files that memories are tied to, with size, mtime and ctime as indexed; None for one not indexed now."""
    if store.connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'memory_anchor'").fetchone() is None:
        return []
    rows = store.connection.execute(
        "SELECT DISTINCT memory_anchor.path, size, mtime_ns, ctime_ns FROM memory_anchor"
        " LEFT JOIN file ON file.path = memory_anchor.path WHERE memory_anchor.path <> '' ORDER BY 1"
    )
    return [(row[0], None if row[1] is None else (row[1], row[2], row[3])) for row in rows]


def write_anchor(connection: sqlite3.Connection, anchor: Anchor) -> None:
    """Write a tie, replacing the one this memory had."""
    connection.execute(
        f"INSERT OR REPLACE INTO memory_anchor ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", anchor
    )


def remove_anchor(connection: sqlite3.Connection, memory_id: int) -> None:
    """Untie a memory."""
    connection.execute("DELETE FROM memory_anchor WHERE memory_id = ?", (memory_id,))


def definitions(store: Store, symbol: str, language: str = "", path: str = "") -> list[Chunk]:
    """Return the definitions with this qualified name; language and path narrow when given."""
    where = "qualified_name = ?"
    values = [symbol]
    for column, value in (("file.language", language), ("file.path", path)):
        if value:
            where += f" AND {column} = ?"
            values.append(value)
    return _load(store, where, values)


def similar_definitions(store: Store, language: str, kind: str) -> list[Chunk]:
    """Return every definition of a language and kind."""
    return _load(store, "file.language = ? AND chunk.kind = ?", [language, kind])


def read_since(store: Store, path: str, milliseconds: int) -> bool:
    """Say whether a file was read for the index at or after a time: what stands in others stood there before it."""
    row = store.connection.execute("SELECT checked_ns FROM file WHERE path = ?", (path,)).fetchone()
    return row is not None and row[0] // NANOSECONDS >= milliseconds


def indexed_text(store: Store, path: str) -> str:
    """Return the text of a file as it was indexed."""
    from codemem.store.code import read_content

    row = store.connection.execute("SELECT id FROM file WHERE path = ?", (path,)).fetchone()
    return "" if row is None else read_content(store.connection, row[0])


def _load(store: Store, where: str, values: Iterable[object]) -> list[Chunk]:
    """Return whole definitions with the text of all their lines (a container's members included)."""

    from codemem.store.code import load_chunks, read_content

    sql = f"SELECT chunk.id, file_id FROM chunk JOIN file ON file.id = file_id WHERE part = 0 AND {where} LIMIT ?"
    files = dict(store.connection.execute(sql, (*values, MOST_SEARCHED)))
    chunks = load_chunks(store.connection, files, with_text=False)
    lines: dict[int, list[str]] = {}
    whole = []
    for number, chunk in chunks.items():
        file_id = files[number]
        if file_id not in lines:
            lines[file_id] = read_content(store.connection, file_id).split("\n")
        text = "\n".join(lines[file_id][chunk.start_line - 1 : chunk.end_line])
        whole.append(chunk._replace(text=text))
    return sorted(whole, key=lambda chunk: chunk.key)


def tied_memories(store: Store, symbols: Sequence[str], tenant: str = "default") -> dict[str, list[dict[str, object]]]:
    """Return the current memories of this project tied to these symbols, as the fields that a hit shows."""
    if (
        not symbols
        or store.connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'memory_anchor'").fetchone() is None
    ):
        return {}
    marks = ", ".join("?" * len(symbols))
    condition = visible(Scope(tenant, (), project_id(store)))
    rows = store.connection.execute(
        "SELECT memory_anchor.symbol, memory.uuid, memory.content, memory.type, memory_anchor.state FROM memory_anchor"
        f" JOIN memory ON memory.id = memory_id WHERE memory_anchor.symbol IN ({marks}) AND {condition.sql}"
        " AND memory.status IN ('active', 'candidate') ORDER BY memory.importance DESC, memory.id DESC",
        (*symbols, *condition.values),
    )
    found: dict[str, list[dict[str, object]]] = {}
    for symbol, uuid, content, kind, state in rows:
        found.setdefault(symbol, []).append({"id": uuid, "content": content, "type": kind, "anchor": state})
    return found
