"""Rows about files: what is indexed with the hints that change detection uses, what is skipped, what went wrong."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from codemem.store.connection import Store
from codemem.store.faults import translated

if TYPE_CHECKING:
    from codemem.types import FileEntry, Problem, Skipped

PARSE_STAGES = ("read", "parse")
"""Problems of these stages belong to a file's own parse and go with it."""


class FileHint(NamedTuple):
    """What the store knows about a file it has read: `sha` is empty for one that was skipped for its content."""

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int
    checked_ns: int
    sha: str
    reason: str = ""


def read_hints(store: Store) -> dict[str, FileHint]:
    """Return the hints of every indexed file and of every file whose bytes decided that it is skipped."""
    with translated(store.path):
        rows = store.connection.execute(
            "SELECT path, size, mtime_ns, ctime_ns, inode, checked_ns, sha, '' FROM file UNION ALL "
            "SELECT path, size, mtime_ns, ctime_ns, inode, checked_ns, '', reason FROM skipped WHERE size >= 0"
        )
        return {row[0]: FileHint._make(row[1:]) for row in rows}


def touch_files(connection: sqlite3.Connection, entries: Iterable[tuple[FileEntry, int]]) -> None:
    """Renew the hints of files that were read again and had not changed; pairs of entry and reading time."""
    for table in ("file", "skipped"):
        connection.executemany(
            f"UPDATE {table} SET size = ?, mtime_ns = ?, ctime_ns = ?, inode = ?, checked_ns = ? WHERE path = ?",
            [(e.size, e.mtime_ns, e.ctime_ns, e.inode, checked, e.path) for e, checked in entries],
        )


def remove_files(connection: sqlite3.Connection, paths: Iterable[str]) -> None:
    """Remove files with all that hangs on them; triggers bury their lexical documents."""
    rows = [(path,) for path in paths]
    connection.executemany("DELETE FROM file WHERE path = ?", rows)
    connection.executemany("DELETE FROM problem WHERE path = ?", rows)


def read_skipped(store: Store) -> tuple[Skipped, ...]:
    from codemem.types import Skipped

    with translated(store.path):
        return tuple(
            Skipped(*row) for row in store.connection.execute("SELECT path, reason FROM skipped ORDER BY path")
        )


def write_skipped(
    connection: sqlite3.Connection, rows: Sequence[tuple[Skipped, FileEntry | None, int]], gone: Collection[str]
) -> None:
    """Record skipped files (with the hints of those whose bytes decided) and forget those in `gone`."""
    connection.executemany("DELETE FROM skipped WHERE path = ?", [(path,) for path in gone])
    connection.executemany(
        "INSERT OR REPLACE INTO skipped VALUES (?, ?, ?, ?, ?, ?, ?)",
        [
            (skip.path, skip.reason, -1, 0, 0, 0, 0)
            if entry is None
            else (skip.path, skip.reason, entry.size, entry.mtime_ns, entry.ctime_ns, entry.inode, checked)
            for skip, entry, checked in rows
        ],
    )


def read_problems(store: Store) -> tuple[Problem, ...]:
    from codemem.types import Problem

    with translated(store.path):
        rows = store.connection.execute("SELECT path, stage, message FROM problem ORDER BY path, stage, message")
        return tuple(Problem(*row) for row in rows)


def write_problems(connection: sqlite3.Connection, problems: Iterable[Problem]) -> None:
    connection.executemany("INSERT INTO problem VALUES (?, ?, ?)", [(p.path, p.stage, p.message) for p in problems])


def replace_problems(connection: sqlite3.Connection, stage: str, problems: Iterable[Problem]) -> None:
    """Replace all problems of one stage (walk, resolve, embed …)."""
    connection.execute("DELETE FROM problem WHERE stage = ?", (stage,))
    write_problems(connection, problems)


def count_rows(store: Store) -> Mapping[str, int]:
    """Count what a status line shows: files, chunks, skipped, problems."""
    with translated(store.path):
        return {
            "files": _count(store, "file"),
            "chunks": _count(store, "chunk"),
            "skipped": _count(store, "skipped"),
            "problems": _count(store, "problem"),
        }


def count_languages(store: Store) -> dict[str, int]:
    """Count indexed files by language, most first."""
    with translated(store.path):
        rows = store.connection.execute("SELECT language, COUNT(*) FROM file GROUP BY 1 ORDER BY 2 DESC, 1")
        return {str(language): int(count) for language, count in rows}


def _count(store: Store, table: str) -> int:
    return int(store.connection.execute(f'SELECT COUNT(*) FROM "{table}"').fetchone()[0])
