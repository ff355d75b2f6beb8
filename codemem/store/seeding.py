"""Copy the index layer of one store into another, new one: rows keep their ids, so caches and postings keep their sense."""

from __future__ import annotations

from pathlib import Path

from codemem.store.connection import Connection, Store
from codemem.store.database import open_store
from codemem.store.faults import translated
from codemem.store.index_layer import INDEX_TABLES, has_index, run_script, write_meta


def copy_index(source: Path, target: Store) -> bool:
    """Fill the empty index layer of `target` from the store at `source`; memories are not copied.

    Returns False when the source has no index of this version's schema.
    """
    with open_store(source) as parent:
        if not has_index(parent):
            return False
    with translated(target.path):
        # Attached read-only by its own name: writers of the parent are not hindered, and one transaction sees one state.
        target.connection.execute("ATTACH DATABASE ? AS parent", (f"{source.absolute().as_uri()}?mode=ro",))
        try:
            with target.transaction() as connection:
                connection.execute("PRAGMA defer_foreign_keys = ON")
                for table in reversed(INDEX_TABLES):
                    connection.execute(f'DELETE FROM main."{table}"')
                    connection.execute(f'INSERT INTO main."{table}" SELECT * FROM parent."{table}"')
                _keep_sequences(connection)
        finally:
            target.connection.execute("DETACH DATABASE parent")
    return True


def replace_index(source: Path, target: Store) -> None:
    """Put the index layer of the store at `source` in the place of that of `target`, in one transaction: all or nothing.

    Readers see the old layer until it ends, and a killed process leaves it. Memories are not touched.
    """
    with translated(target.path):
        target.connection.execute("ATTACH DATABASE ? AS parent", (f"{source.absolute().as_uri()}?mode=ro",))
        try:
            with target.transaction() as connection:
                connection.execute("PRAGMA defer_foreign_keys = ON")
                before = _generation(connection, "main")
                for table in INDEX_TABLES:
                    connection.execute(f'DROP TABLE IF EXISTS main."{table}"')
                run_script(connection, "index_schema.sql", only="CREATE TABLE")
                for table in reversed(INDEX_TABLES):
                    connection.execute(f'INSERT INTO main."{table}" SELECT * FROM parent."{table}"')
                # Indexes and triggers come last: filling tables is faster without, and no trigger sees the copying.
                run_script(connection, "index_schema.sql", only="CREATE INDEX")
                run_script(connection, "index_schema.sql", only="CREATE TRIGGER")
                _keep_sequences(connection)
                # No cache file of the old layer may pass for one of the new.
                write_meta(connection, vectors_generation=str(max(before + 1, _generation(connection, "parent"))))
        finally:
            target.connection.execute("DETACH DATABASE parent")


def copy_vectors(source: Path, target: Store) -> None:
    """Take over the vectors of another store: what they cost need not be paid again."""
    with translated(target.path):
        target.connection.execute("ATTACH DATABASE ? AS parent", (f"{source.absolute().as_uri()}?mode=ro",))
        try:
            with target.transaction() as connection:
                connection.execute("INSERT OR IGNORE INTO main.vector SELECT * FROM parent.vector")
        finally:
            target.connection.execute("DETACH DATABASE parent")


def _generation(connection: Connection, schema: str) -> int:
    query = f"SELECT value FROM {schema}.index_meta WHERE key = 'vectors_generation'"
    row = connection.execute(query).fetchone()
    return int(row[0]) if row is not None and str(row[0]).isdigit() else 0


def _keep_sequences(connection: Connection) -> None:
    """Ids that the parent has used are used here too: postings of dead documents still name them."""
    for table, number in connection.execute("SELECT name, seq FROM parent.sqlite_sequence").fetchall():
        if table in INDEX_TABLES:
            connection.execute("DELETE FROM main.sqlite_sequence WHERE name = ?", (table,))
            connection.execute("INSERT INTO main.sqlite_sequence VALUES (?, ?)", (table, number))
