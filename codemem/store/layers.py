"""Put a part of the index layer back on its work list, because what made it has changed."""

from __future__ import annotations

import sqlite3


def forget_resolution(connection: sqlite3.Connection) -> None:
    """Make every file one that was never resolved."""
    for table in ("resolution", "symbol", "reach", "outflow", "call", "fact"):
        connection.execute(f'DELETE FROM "{table}"')


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
