"""The index layer as a database file of its own: the same bytes for the same index, checked before it is believed."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from codemem.errors import BadInput
from codemem.store.connection import Store
from codemem.store.faults import translated
from codemem.store.index_layer import INDEX_SCHEMA, INDEX_TABLES, run_script, write_meta

LOCAL_META = ("indexed_at",)
"""Facts of `index_meta` that hold on one machine only."""
PAGE_BYTES = 4096
CHANGE_COUNTER = slice(24, 28)
VALID_FOR = slice(92, 100)
"""Bytes of the file header that count changes and name the SQLite that wrote it: set alike, they say nothing."""
HEADER_STAMP = b"\0\0\0\1"
LARGEST_TEXT = 16
"""A stored text may be this many times the size limit of files: UTF-16 doubles, four bytes a character, and some room."""


def write_image(store: Store, target: Path) -> None:
    """Write the index layer of `store` to the new file `target`, without what only holds on this machine."""
    with translated(target):
        image = sqlite3.connect(f"{target.absolute().as_uri()}?mode=rwc", uri=True, isolation_level=None)
        try:
            image.execute(f"PRAGMA page_size = {PAGE_BYTES}")
            image.execute("PRAGMA journal_mode = OFF")
            image.execute("PRAGMA synchronous = OFF")
            image.execute("ATTACH DATABASE ? AS source", (f"{store.path.absolute().as_uri()}?mode=ro",))
            image.execute("BEGIN")
            _create_tables(image)
            for table in reversed(INDEX_TABLES):
                image.execute(f'INSERT INTO main."{table}" SELECT * FROM source."{table}"')
            _forget_machine(image)
            _create_rest(image)
            image.execute("COMMIT")
            image.execute("DETACH DATABASE source")
        finally:
            image.close()
    with target.open("r+b") as file:
        for place, value in ((CHANGE_COUNTER, HEADER_STAMP), (VALID_FOR, HEADER_STAMP * 2)):
            file.seek(place.start)
            file.write(value)


def check_image(path: Path, max_file_bytes: int) -> None:
    """Refuse an image that is not exactly an index of this version: foreign schema, broken pages, paths that lead out.

    Raises BadInput.
    """
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True, isolation_level=None)
    try:
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA cell_size_check = ON")
        if _schema(connection) != _expected_schema():
            raise _refused("its tables are not those of this version", "build the index here with `codemem index`")
        faults = [str(row[0]) for row in connection.execute("PRAGMA integrity_check(1)")]
        if faults != ["ok"] or connection.execute("PRAGMA foreign_key_check").fetchone() is not None:
            raise _refused(f"its pages are damaged ({faults[0]})")
        for path_text in _paths(connection):
            if not _is_inside(path_text):
                raise _refused(f"it names a path outside the repository: {path_text!r}")
        _check_contents(connection, LARGEST_TEXT * max_file_bytes)
        if connection.execute("SELECT 1 FROM vector WHERE length(data) <> 2 * dimension LIMIT 1").fetchone():
            raise _refused("a vector has not the length that it claims")
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        raise _refused(f"it is no readable database ({error})") from error
    finally:
        connection.close()


def _create_tables(image: sqlite3.Connection) -> None:
    run_script(image, "index_schema.sql", only="CREATE TABLE")


def _create_rest(image: sqlite3.Connection) -> None:
    """Indexes and triggers come last: filling tables is faster without, and no trigger sees the copying."""
    run_script(image, "index_schema.sql", only="CREATE INDEX")
    run_script(image, "index_schema.sql", only="CREATE TRIGGER")


def _forget_machine(image: sqlite3.Connection) -> None:
    image.execute("UPDATE file SET size = -1, mtime_ns = 0, ctime_ns = 0, inode = 0, checked_ns = 0")
    image.execute("UPDATE skipped SET size = -1, mtime_ns = 0, ctime_ns = 0, inode = 0, checked_ns = 0")
    image.executemany("DELETE FROM index_meta WHERE key = ?", [(key,) for key in LOCAL_META])
    write_meta(image, schema=str(INDEX_SCHEMA))
    for table, number in image.execute("SELECT name, seq FROM source.sqlite_sequence").fetchall():
        image.execute("UPDATE main.sqlite_sequence SET seq = ? WHERE name = ?", (number, table))


def _expected_schema() -> set[tuple[str, ...]]:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    try:
        run_script(connection, "index_schema.sql")
        return _schema(connection)
    finally:
        connection.close()


def _schema(connection: sqlite3.Connection) -> set[tuple[str, ...]]:
    return set(connection.execute("SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_master"))


def _paths(connection: sqlite3.Connection) -> Iterator[str]:
    for table in ("file", "skipped"):
        for (path,) in connection.execute(f"SELECT path FROM {table}"):
            yield path


def _is_inside(path: object) -> bool:
    if not isinstance(path, str) or not path or "\0" in path:
        return False
    pure = PurePosixPath(path)
    return not pure.is_absolute() and ".." not in pure.parts and pure.parts[:1] not in ((".codemem",), (".git",))


def _check_contents(connection: sqlite3.Connection, limit: int) -> None:
    """Expand every text once, never beyond the limit: a small blob may stand for gigabytes."""
    for path, content in connection.execute("SELECT path, content FROM file"):
        expander = zlib.decompressobj()
        try:
            text = expander.decompress(content, limit)
        except (zlib.error, TypeError) as error:
            raise _refused(f"the text of {path!r} cannot be expanded") from error
        if not expander.eof or len(text) >= limit:
            raise _refused(f"the text of {path!r} is larger than any file that is indexed")
        try:
            text.decode("utf-8")
        except UnicodeDecodeError as error:
            raise _refused(f"the text of {path!r} is not UTF-8") from error


def _refused(reason: str, remedy: str = "export it again, or build the index here with `codemem index`") -> BadInput:
    return BadInput(f"the file is not imported: {reason}", remedy)
