"""Open the one SQLite file: modes, pragmas, transactions, and the index layer it must hold.

Synchronous is NORMAL under WAL: a power cut may lose the last transaction of the derived index but cannot corrupt the
file; memory writes raise it to FULL for their own transaction, because an acknowledged memory must survive.
"""

from __future__ import annotations

import os
import sqlite3
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from codemem.errors import NotIndexed, StoreError, StoreNewer
from codemem.store.faults import translated

INDEX_SCHEMA = 1
"""Version of index_schema.sql; on mismatch the index layer is dropped and rebuilt."""
INDEX_TABLES = (
    "posting", "dead", "segment", "vector", "resolution", "symbol", "reach", "outflow", "fact", "call", "import", "chunk",
    "problem", "skipped", "file", "index_meta",
)  # fmt: skip
"""Every table of index_schema.sql, referring ones first."""
BUSY_TIMEOUT_MS = 30_000
"""How long a writer waits for another transaction; batches commit far more often than that."""
WAL_RETRY_SECONDS = 0.02
"""Between two tries to switch a new store to write-ahead logging, which takes a millisecond."""
Connection = sqlite3.Connection
"""The name by which pipelines annotate what a transaction yields."""
WRITER_CACHE_KIB = 32_768
"""Pages that a writer keeps in memory: index trees of a large repository are changed all over."""
SCRIPTS = Path(__file__).parent
"""Where the .sql files stand; importlib.resources would say the same and cost every search 4 ms."""
STORE_FOLDER = ".codemem"
STORE_NAME = "codemem.db"
SIDE_FILES = ("-wal", "-shm")
"""Endings of the files that WAL mode keeps beside a database."""


def store_path(root: Path) -> Path:
    """Return where the store of the repository at `root` lives."""
    return root / STORE_FOLDER / STORE_NAME


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
            _refuse_newer(connection, path)
            connection.execute("PRAGMA query_only = 1")
            connection.execute("PRAGMA trusted_schema = OFF")  # the file may have come with a repository
        except BaseException:
            connection.close()
            raise
    return Store(connection, path, read_only=True)


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

    _refuse_newer(store.connection, store.path)
    ensure_memory(store)
    if not has_index(store):
        drop_index(store)


def _refuse_newer(connection: sqlite3.Connection, path: Path) -> None:
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
