"""Questions about the soundness of a store, each one query: integrity, orphans, vectors by cause."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from pathlib import Path

from codemem.errors import StoreCorrupt
from codemem.store.code import expand
from codemem.store.connection import Store
from codemem.store.faults import translated
from codemem.store.index_layer import INDEX_TABLES, has_index

SHOWN_FAULTS = 5
"""Lines of SQLite's integrity report that are kept: one broken page often causes hundreds."""

ORPHANS = {
    "documents of no segment": "SELECT count(*) FROM chunk WHERE segment IS NOT NULL AND segment NOT IN (SELECT id FROM segment)",
    "chunks without a document": "SELECT count(*) FROM chunk WHERE segment IS NULL",
    "posting lists of no segment": "SELECT count(DISTINCT segment) FROM posting WHERE segment NOT IN (SELECT id FROM segment)",
    "dead marks of no segment": "SELECT count(*) FROM dead WHERE segment NOT IN (SELECT id FROM segment)",
    "problems of no file": (
        "SELECT count(*) FROM problem WHERE stage IN ('read', 'parse') AND path NOT IN (SELECT path FROM file)"
    ),
    "files both indexed and skipped": "SELECT count(*) FROM skipped WHERE path IN (SELECT path FROM file)",
}
"""What must not be there -> how many there are."""

VECTORS = {
    "cards": "SELECT count(*) FROM (SELECT card_hash FROM chunk UNION ALL SELECT card_hash FROM file) WHERE card_hash IS NOT NULL",
    "cards with a vector": (
        "SELECT count(*) FROM (SELECT card_hash FROM chunk UNION ALL SELECT card_hash FROM file) "
        "WHERE card_hash IN (SELECT hash FROM vector)"
    ),
    "vectors": "SELECT count(*) FROM vector",
    "vectors without a card": (
        "SELECT count(*) FROM vector WHERE hash NOT IN (SELECT card_hash FROM chunk WHERE card_hash IS NOT NULL "
        "UNION ALL SELECT card_hash FROM file WHERE card_hash IS NOT NULL)"
    ),
    "vectors of another model": "SELECT count(*) FROM vector WHERE model <> (SELECT value FROM index_meta WHERE key = 'model')",
}
"""What is counted about vectors."""


def integrity_faults(store: Store) -> list[str]:
    """Return what SQLite finds broken in pages, indexes and references; empty when nothing is."""
    faults: list[str] = []
    try:
        for (line,) in store.connection.execute(f"PRAGMA integrity_check({SHOWN_FAULTS})"):
            faults.extend(part for part in str(line).splitlines() if part != "ok")
        for table, _, parent, _ in store.connection.execute("PRAGMA foreign_key_check").fetchmany(SHOWN_FAULTS):
            faults.append(f"a row of {table} refers to a missing row of {parent}")
    except sqlite3.DatabaseError as error:
        faults.append(str(error))
    if not faults and has_index(store):
        faults = content_faults(store)
    return faults[:SHOWN_FAULTS]


def content_faults(store: Store) -> list[str]:
    """Read every value of the index layer once: text that is none, and stored files whose checksum does not hold."""
    faults: list[str] = []
    for table in INDEX_TABLES:
        try:
            for _ in store.connection.execute(f'SELECT * FROM "{table}"'):
                pass
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            faults.append(f"{table}: {error}")
    try:
        for (data,) in store.connection.execute("SELECT content FROM file"):
            expand(data)
    except (sqlite3.DatabaseError, StoreCorrupt) as error:
        faults.append(str(error))
    return faults[:SHOWN_FAULTS]


def count_orphans(store: Store) -> dict[str, int]:
    """Count what must not be there, by name; only what was found."""
    return {name: number for name, number in _counted(store, ORPHANS).items() if number}


def count_vectors(store: Store) -> dict[str, int]:
    """Count cards and vectors by cause."""
    return _counted(store, VECTORS)


def count_memories(store: Store) -> tuple[int, int]:
    """Return active memories, and those of them that have no vector yet."""
    with translated(store.path):
        if store.connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'memory'").fetchone() is None:
            return 0, 0
        waiting = "count(*) FILTER (WHERE id NOT IN (SELECT memory_id FROM memory_vector))"
        query = f"SELECT count(*), {waiting} FROM memory WHERE status = 'active'"
        found = store.connection.execute(query).fetchone()
        return int(found[0]), int(found[1])


def sqlite_version() -> str:
    return sqlite3.sqlite_version


def full_text_search() -> bool:
    """Say whether this SQLite was built with FTS5, which the search in conversations needs."""
    connection = sqlite3.connect(":memory:")
    try:
        connection.execute("CREATE VIRTUAL TABLE probe USING fts5 (words)")
        return True
    except sqlite3.OperationalError:
        return False
    finally:
        connection.close()


def database_bytes(path: Path) -> int:
    """Return the size of the database with the files beside it."""
    return sum(file.stat().st_size for file in path.parent.glob(path.name + "*") if file.is_file())


def _counted(store: Store, queries: Mapping[str, str]) -> dict[str, int]:
    with translated(store.path):
        return {name: int(store.connection.execute(query).fetchone()[0]) for name, query in queries.items()}
