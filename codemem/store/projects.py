"""Who a store belongs to."""

from __future__ import annotations

import sqlite3
from typing import NamedTuple

from codemem.store.connection import Store


class Project(NamedTuple):
    """A repository as it was last seen."""

    id: str
    path: str
    remote: str


def read_project(store: Store) -> Project | None:
    """Return the project this store belongs to, None before the first memory."""
    row = store.connection.execute(
        "SELECT id, path, remote FROM project ORDER BY updated_at DESC, id LIMIT 1"
    ).fetchone()
    return None if row is None else Project(*row)


def project_id(store: Store) -> str:
    """Return the identity of the project this store belongs to, empty before the first memory."""
    project = read_project(store)
    return project.id if project is not None else ""


def write_project(connection: sqlite3.Connection, identity: str, path: str, remote: str, now: int) -> None:
    """Record where the project is now."""
    connection.execute("INSERT OR REPLACE INTO project VALUES (?, ?, ?, ?)", (identity, path, remote, now))
