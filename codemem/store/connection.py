"""An open connection: its transactions, its snapshots, and rehearsals that leave nothing behind."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from codemem.store.faults import translated

Connection = sqlite3.Connection
"""The name by which pipelines annotate what a transaction yields."""


class Store:
    """An open connection; `read_only` ones cannot write and never block a writer."""

    def __init__(self, connection: sqlite3.Connection, path: Path, read_only: bool) -> None:
        self.connection = connection
        self.path = path
        self.read_only = read_only
        self._rehearsing = False

    def close(self) -> None:
        self.connection.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def snapshot(self) -> Iterator[sqlite3.Connection]:
        """Read one state of the store in several statements, whatever a writer does meanwhile."""
        with translated(self.path):
            if self.connection.in_transaction:
                yield self.connection
                return
            self.connection.execute("BEGIN")
            try:
                yield self.connection
            finally:
                self.connection.execute("COMMIT")

    @contextmanager
    def rehearsal(self) -> Iterator[None]:
        """Let transactions inside change what this connection sees, and undo all of it at the end: nobody else sees any."""
        with translated(self.path):
            self.connection.execute("BEGIN IMMEDIATE")
            self._rehearsing = True
            try:
                yield
            finally:
                self._rehearsing = False
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")

    @contextmanager
    def transaction(self, durable: bool = False) -> Iterator[sqlite3.Connection]:
        """Run one unit of work: everything or nothing. `durable` waits for the disk (memories)."""
        connection = self.connection
        if self._rehearsing:
            yield connection
            return
        with translated(self.path):
            if durable:
                connection.execute("PRAGMA synchronous = FULL")
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise
            finally:
                if durable:
                    connection.execute("PRAGMA synchronous = NORMAL")
