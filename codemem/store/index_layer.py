"""The index layer of a store: its tables and schema, made anew when another version made it, and the facts noted of it."""

from __future__ import annotations

import sqlite3
import zlib
from functools import cache
from pathlib import Path

from codemem.errors import StoreNewer
from codemem.store.connection import Store

INDEX_SCHEMA = 1
"""Version of index_schema.sql; on mismatch the index layer is dropped and rebuilt."""
INDEX_TABLES = (
    "posting", "dead", "segment", "vector", "resolution", "symbol", "reach", "outflow", "fact", "call", "import", "chunk",
    "problem", "skipped", "file", "index_meta",
)  # fmt: skip
"""Every table of index_schema.sql, referring ones first."""
SCRIPTS = Path(__file__).parent
"""Where the .sql files stand; importlib.resources would say the same and cost every search 4 ms."""


def has_index(store: Store) -> bool:
    """Say whether the index layer exists with the schema this version reads."""
    row = store.connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'index_meta'").fetchone()
    return (
        row is not None
        and read_meta(store, "schema") == str(INDEX_SCHEMA)
        and read_meta(store, "tables") == _tables_hash()
    )


def read_meta(store: Store, key: str, default: str = "") -> str:
    row = store.connection.execute("SELECT value FROM index_meta WHERE key = ?", (key,)).fetchone()
    return default if row is None else str(row[0])


def write_meta(connection: sqlite3.Connection, **values: str) -> None:
    connection.executemany("INSERT OR REPLACE INTO index_meta VALUES (?, ?)", sorted(values.items()))


def forget_meta(connection: sqlite3.Connection, key: str) -> None:
    connection.execute("DELETE FROM index_meta WHERE key = ?", (key,))


def drop_index(store: Store, keep_vectors: bool = False) -> None:
    """Remove the index layer and make it anew, empty; the memory layer is not touched.

    `keep_vectors` keeps what cards cost to embed; it needs a layer of this very schema.
    """
    with store.transaction() as connection:
        generation = _next_generation(connection)
        kept = keep_vectors and has_index(store)
        if kept:
            connection.execute("CREATE TEMP TABLE kept_vector AS SELECT * FROM vector")
        for table in INDEX_TABLES:
            connection.execute(f'DROP TABLE IF EXISTS "{table}"')
        run_script(connection, "index_schema.sql")
        write_meta(connection, schema=str(INDEX_SCHEMA), tables=_tables_hash(), vectors_generation=str(generation))
        if kept:
            connection.execute("INSERT INTO vector SELECT * FROM kept_vector")
            connection.execute("DROP TABLE kept_vector")


def _next_generation(connection: sqlite3.Connection) -> int:
    """Return a generation that no cache file of the dropped layer has."""
    if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'index_meta'").fetchone() is None:
        return 0
    row = connection.execute("SELECT value FROM index_meta WHERE key = 'vectors_generation'").fetchone()
    return int(row[0]) + 1 if row is not None and str(row[0]).isdigit() else 1


def refuse_newer(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse a store whose schema this version does not know (user_version counts memory migrations)."""
    row = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'index_meta'").fetchone()
    if row is None:
        return
    found = connection.execute("SELECT value FROM index_meta WHERE key = 'schema'").fetchone()
    if found is not None and found[0].isdigit() and int(found[0]) > INDEX_SCHEMA:
        raise StoreNewer(
            f"the store {path} was written by a newer codemem", "upgrade with `pip install -U codemem-cli`"
        )


@cache
def _tables_hash() -> str:
    """Hash the schema's text: a layer made by other statements is rebuilt, even when nobody moved the number on."""
    return f"{zlib.crc32((SCRIPTS / 'index_schema.sql').read_bytes()):08x}"


def run_script(connection: sqlite3.Connection, name: str, only: str = "CREATE") -> None:
    """Execute a schema file statement by statement, inside the caller's transaction (executescript would commit it).

    `only` picks the statements that begin so.
    """
    statement = ""
    for line in SCRIPTS.joinpath(name).read_text("utf-8").splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            if _without_comments(statement).startswith(only):
                connection.execute(statement)
            statement = ""


def _without_comments(statement: str) -> str:
    lines = (line for line in statement.splitlines() if line.strip() and not line.lstrip().startswith("--"))
    return "\n".join(lines)
