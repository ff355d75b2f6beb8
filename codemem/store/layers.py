"""Put a part of the index layer back on its work list, because what made it has changed."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from codemem.store.connection import Store


def forget_resolution(connection: sqlite3.Connection) -> None:
    """Make every file one that was never resolved."""
    for table in ("resolution", "symbol", "reach", "outflow", "call", "fact"):
        connection.execute(f'DELETE FROM "{table}"')


@contextmanager
def filling(store: Store, *tables: str, missing: dict[str, list[str]] | None = None) -> Iterator[sqlite3.Connection]:
    """Run one transaction that fills empty tables: without their indexes and without looking up what rows refer to.

    `missing` takes the statements that make the indexes, by table, for who wants to run some earlier (`indexed_beside`).
    """
    with (
        _without_reference_checks(store.connection),
        store.transaction() as connection,
        _without_indexes(connection, tables, {} if missing is None else missing),
    ):
        yield connection


@contextmanager
def indexed_beside(connection: sqlite3.Connection, statements: Sequence[str]) -> Iterator[None]:
    """Make indexes in a thread, which leaves the interpreter free meanwhile; the block must not use the connection."""
    with ThreadPoolExecutor(1) as thread:
        made = [thread.submit(connection.execute, statement) for statement in statements]
        yield
        for each in made:
            each.result()


@contextmanager
def _without_indexes(
    connection: sqlite3.Connection, tables: tuple[str, ...], missing: dict[str, list[str]]
) -> Iterator[None]:
    """Fill tables without their indexes and make these afterwards, sorted at once: half the time, and full pages."""
    marks = ", ".join("?" * len(tables))
    query = f"SELECT name, sql, tbl_name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL AND tbl_name IN ({marks})"
    for name, sql, table in connection.execute(query, tables).fetchall():
        missing.setdefault(table, []).append(sql)
        connection.execute(f'DROP INDEX "{name}"')
    yield
    for statements in missing.values():
        for sql in statements:
            connection.execute(sql)


@contextmanager
def _without_reference_checks(connection: sqlite3.Connection) -> Iterator[None]:
    """Let one transaction write rows whose chunks are known to be there: looking each one up took half of the writing.

    It must begin and end outside a transaction, within which SQLite ignores the switch.
    """
    connection.execute("PRAGMA foreign_keys = OFF")
    try:
        yield
    finally:
        connection.execute("PRAGMA foreign_keys = ON")


def forget_documents(connection: sqlite3.Connection) -> None:
    """Leave every chunk without a lexical document."""
    connection.execute("UPDATE chunk SET segment = NULL")
    for table in ("posting", "dead", "segment"):
        connection.execute(f'DELETE FROM "{table}"')


def forget_foreign_vectors(connection: sqlite3.Connection) -> int:
    """Delete vectors of any model but the one the index names, and leave their cards to be embedded; return how many."""
    found = connection.execute(
        "DELETE FROM vector WHERE model <> (SELECT value FROM index_meta WHERE key = 'model')"
    ).rowcount
    if found:
        connection.execute("INSERT OR REPLACE INTO index_meta VALUES ('vectors', 'partial')")
    return found
