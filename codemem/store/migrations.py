"""Bring the user-data layer up to date: ordered steps, each in one transaction with its record, nothing ever dropped."""

from __future__ import annotations

import sqlite3
import time
from typing import NamedTuple

from codemem.errors import StoreNewer
from codemem.store.connection import Store
from codemem.store.faults import translated


class Step(NamedTuple):
    """One migration: its number and the SQL file that carries it out."""

    version: int
    script: str


MEMORY_STEPS = (Step(1, "memory_schema.sql"), Step(2, "session_schema.sql"))
"""Append, never edit: a released step has run on people's data."""
RECORD_TABLE = (
    "CREATE TABLE IF NOT EXISTS memory_migration"
    " (version INTEGER PRIMARY KEY, script TEXT NOT NULL, at INTEGER NOT NULL)"
)


def ensure_memory(store: Store) -> None:
    """Run the steps that this store has not seen; raises `StoreNewer` when it has seen steps that we do not know."""
    done = applied_steps(store)
    refuse_newer_memory(store, done)
    if {step.version for step in MEMORY_STEPS} <= done:
        return
    with store.transaction(durable=True) as connection:
        connection.execute(RECORD_TABLE)
    for step in MEMORY_STEPS:
        with store.transaction(durable=True) as connection:
            # Looked up again inside the transaction: another process may have run it meanwhile.
            if (
                connection.execute("SELECT 1 FROM memory_migration WHERE version = ?", (step.version,)).fetchone()
                is None
            ):
                _run(connection, step)


def has_memory(store: Store) -> bool:
    """Say whether the store has the memory layer (a read-only store of an older version may not)."""
    return MEMORY_STEPS[0].version in applied_steps(store)


def applied_steps(store: Store) -> set[int]:
    """Return the versions of the steps that were run on this store."""
    with translated(store.path):
        found = store.connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'memory_migration'").fetchone()
        if found is None:
            return set()
        return {row[0] for row in store.connection.execute("SELECT version FROM memory_migration")}


def refuse_newer_memory(store: Store, done: set[int]) -> None:
    """Refuse a memory layer that a newer version has migrated."""
    if done - {step.version for step in MEMORY_STEPS}:
        raise StoreNewer(
            f"the memories in {store.path} were written by a newer codemem", "upgrade with `pip install -U codemem-cli`"
        )


def _run(connection: sqlite3.Connection, step: Step) -> None:
    from importlib.resources import files

    statement = ""
    for line in files("codemem.store").joinpath(step.script).read_text("utf-8").splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            connection.execute(statement)
            statement = ""
    now = time.time_ns() // 1_000_000
    connection.execute("INSERT INTO memory_migration VALUES (?, ?, ?)", (step.version, step.script, now))
