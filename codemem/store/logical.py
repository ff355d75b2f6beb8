"""The index layer as logical rows: without ids, hints and segments, in a fixed order, so that two stores compare."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from codemem.store.connection import Store
from codemem.store.faults import translated

CHUNK_KEY = "file.path, chunk.qualified_name, chunk.ordinal, chunk.part"
CHUNK_FROM = "FROM chunk JOIN file ON file.id = chunk.file_id"

LOGICAL_TABLES = {
    "file": (
        1,
        "SELECT path, sha, language, lines, package, doc, generated, indegree, calls, hex(card_hash), hex(content) FROM file",
    ),
    "skipped": (1, "SELECT path, reason FROM skipped"),
    "problem": (1, "SELECT path, stage, message FROM problem"),
    "import": (1, "SELECT file.path, import.line, import.path, name, alias FROM import JOIN file ON file.id = file_id"),
    "chunk": (
        4,
        f"SELECT {CHUNK_KEY}, kind, name, names, start_line, end_line, spans, signature, chunk.doc, parent, facts, partial, "
        f"content_hash, interface_hash, hex(chunk.card_hash), segment IS NOT NULL {CHUNK_FROM}",
    ),
    "call": (
        5,
        f"SELECT {CHUNK_KEY}, position, callee, receiver, line, mark, repeat, certainty, module, target_path, target_name, "
        f"target_ordinal, candidates, passes, call.guards {CHUNK_FROM} JOIN call ON call.chunk_id = chunk.id",
    ),
    "fact": (
        4,
        f"SELECT {CHUNK_KEY}, role, type, fact.line, text, source, via, handled {CHUNK_FROM} JOIN fact ON fact.chunk_id = chunk.id",
    ),
    "symbol": (4, "SELECT path, qualified_name, ordinal, name, data FROM symbol JOIN resolution USING (file_id)"),
    "outflow": (3, "SELECT path, qualified_name, ordinal, data FROM outflow"),
    "resolution": (1, "SELECT path, stem, language, package, imports FROM resolution"),
    "reach": (2, "SELECT file.path, target FROM reach JOIN file ON file.id = file_id"),
    "vector": (
        1,
        "SELECT DISTINCT hex(hash), model, dimension FROM vector WHERE hash IN (SELECT card_hash FROM chunk WHERE card_hash "
        "IS NOT NULL UNION ALL SELECT card_hash FROM file WHERE card_hash IS NOT NULL)",
    ),
}
"""Table -> how many leading columns identify a row for a reader, and the rows."""


def logical_rows(store: Store, table: str) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of one table, sorted by all their columns."""
    _, query = LOGICAL_TABLES[table]
    with translated(store.path):
        cursor = store.connection.execute(f"SELECT * FROM ({query})")
        columns = ", ".join(str(number + 1) for number in range(len(cursor.description)))
        cursor.close()
        yield from store.connection.execute(f"SELECT * FROM ({query}) ORDER BY {columns}")


def column_names(store: Store, table: str) -> list[str]:
    """Return the names of the logical columns, for telling where two rows differ."""
    cursor = store.connection.execute(f"SELECT * FROM ({LOGICAL_TABLES[table][1]}) LIMIT 0")
    return [str(column[0]) for column in cursor.description]


def document_rows(store: Store) -> Iterator[tuple[int, str]]:
    """Yield chunk id and readable key of every chunk, in the order of the keys."""
    query = f"SELECT chunk.id, {CHUNK_KEY} {CHUNK_FROM} ORDER BY 2, 3, 4, 5"
    with translated(store.path):
        for number, path, name, ordinal, part in store.connection.execute(query):
            yield number, f"{path} {name} {ordinal} {part}"
