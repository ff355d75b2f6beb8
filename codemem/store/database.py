"""Open the one SQLite file for reading or writing: modes, pragmas, and the layers it must hold.

Synchronous is NORMAL under WAL: a power cut may lose the last transaction of the derived index but cannot corrupt the
file; memory writes raise it to FULL for their own transaction, because an acknowledged memory must survive.
"""

from __future__ import annotations

import os
import sqlite3
import time
from pathlib import Path

from codemem.errors import NotIndexed, StoreError
from codemem.store.connection import Store
from codemem.store.faults import translated
from codemem.store.index_layer import drop_index, has_index, refuse_newer

BUSY_TIMEOUT_MS = 30_000
"""How long a writer waits for another transaction; batches commit far more often than that."""
WAL_RETRY_SECONDS = 0.02
"""Between two tries to switch a new store to write-ahead logging, which takes a millisecond."""
WRITER_CACHE_KIB = 32_768
"""Pages that a writer keeps in memory: index trees of a large repository are changed all over."""
STORE_FOLDER = ".codemem"
STORE_NAME = "codemem.db"
SIDE_FILES = ("-wal", "-shm")
"""Endings of the files that WAL mode keeps beside a database."""


def store_path(root: Path) -> Path:
    """Return where the store of the repository at `root` lives."""
    return root / STORE_FOLDER / STORE_NAME


def create_store(path: Path) -> Store:
    """Open the store for writing, making it and bringing its layers up to date when needed."""
    _refuse_links(path)
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        ignore = path.parent / ".gitignore"
        if path.parent.name == STORE_FOLDER and not ignore.exists():
            ignore.write_text("*\n", encoding="utf-8")
    except OSError as error:
        remedy = "check the permissions of the folder"
        raise StoreError(f"cannot write in {path.parent}: {error.strerror or error}", remedy) from error
    with translated(path):
        if not path.exists():
            # 0600 from the first byte: the store holds source text and memories.
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
        connection = _connect(path, f"file:{_quoted(path)}?mode=rw")
        store = Store(connection, path, read_only=False)
        try:
            _begin_wal(connection)
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute(f"PRAGMA cache_size = -{WRITER_CACHE_KIB}")
            _ensure_layers(store)
        except BaseException:
            store.close()
            raise
    return store


def _begin_wal(connection: sqlite3.Connection) -> None:
    """Turn write-ahead logging on; SQLite does not wait for others there, so the first writers of a new store would fail."""
    deadline = time.monotonic() + BUSY_TIMEOUT_MS / 1000
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
        time.sleep(WAL_RETRY_SECONDS)


def open_store(path: Path) -> Store:
    """Open the store read-only; raises `NotIndexed` when there is none."""
    if not path.exists():
        raise NotIndexed(f"no index at {path.parent.parent}", "run `codemem index` there first")
    _refuse_links(path)
    with translated(path):
        connection = _open_for_reading(path)
        try:
            refuse_newer(connection, path)
            connection.execute("PRAGMA query_only = 1")
            connection.execute("PRAGMA trusted_schema = OFF")  # the file may have come with a repository
        except BaseException:
            connection.close()
            raise
    return Store(connection, path, read_only=True)


def _connect(path: Path, uri: str) -> sqlite3.Connection:
    connection = sqlite3.connect(
        uri, uri=True, isolation_level=None, timeout=BUSY_TIMEOUT_MS / 1000, check_same_thread=False
    )
    connection.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")
    connection.execute("PRAGMA foreign_keys = ON")
    return connection


def _open_for_reading(path: Path) -> sqlite3.Connection:
    """Connect read-only; on a medium that cannot hold the -shm file of WAL readers, as an unchanging file."""
    uri = f"file:{_quoted(path)}?mode=ro"
    connection = _connect(path, uri)
    try:
        connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone()
        return connection
    except sqlite3.OperationalError:
        connection.close()
        if os.access(path.parent, os.W_OK, effective_ids=os.access in os.supports_effective_ids):
            raise
    except sqlite3.DatabaseError:
        connection.close()
        raise
    connection = _connect(path, f"{uri}&immutable=1")
    try:
        connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone()
    except sqlite3.DatabaseError:
        connection.close()
        raise
    return connection


def _refuse_links(path: Path) -> None:
    """Refuse a store that leads elsewhere: a repository is not trusted to say where codemem reads and writes."""
    for place in (path.parent, path):
        if place.is_symlink() and (place is path or place.name == STORE_FOLDER):
            raise StoreError(f"{place} is a symbolic link", "remove it: codemem keeps its store inside the repository")


def _quoted(path: Path) -> str:
    return str(path.absolute()).replace("%", "%25").replace("?", "%3f").replace("#", "%23")


def _ensure_layers(store: Store) -> None:
    from codemem.store.migrations import ensure_memory

    refuse_newer(store.connection, store.path)
    ensure_memory(store)
    if not has_index(store):
        drop_index(store)
