"""What ranking reads of files and chunks: narrow rows by id, and the ids that a filter allows."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

EXPECTING = (
    "describe",
    "it",
    "expect",
    "assert",
    "assertEqual",
    "assertEquals",
    "assert_equal",
    "assertThat",
    "should",
)
"""Calls that nothing but tests makes in numbers."""
MOST_VARIABLES = 500
"""Bound values of one statement, well below SQLite's limit."""


class CandidateFile(NamedTuple):
    """One candidate file."""

    id: int
    path: str
    language: str
    generated: bool
    indegree: int
    calls: int | None
    """None where nothing can be said: SQL, Terraform and their like."""
    sha: str


class CandidateUnit(NamedTuple):
    """One candidate chunk, without its text."""

    id: int
    file_id: int
    kind: str
    name: str
    names: str
    qualified_name: str
    parent: str
    part: int
    start_line: int
    end_line: int


def read_file_rows(connection: sqlite3.Connection, ids: Iterable[int]) -> dict[int, CandidateFile]:
    """Return the rows of these files by id."""
    query = "SELECT id, path, language, generated, indegree, calls, sha FROM file WHERE id IN"
    return {
        row[0]: CandidateFile(row[0], row[1], row[2], bool(row[3]), row[4], row[5], row[6])
        for row in _select(connection, query, ids)
    }


def read_unit_rows(connection: sqlite3.Connection, ids: Iterable[int]) -> dict[int, CandidateUnit]:
    """Return the rows of these chunks by id."""
    query = "SELECT id, file_id, kind, name, names, qualified_name, parent, part, start_line, end_line FROM chunk WHERE id IN"
    return {row[0]: CandidateUnit(*row) for row in _select(connection, query, ids)}


def file_paths(connection: sqlite3.Connection) -> list[tuple[int, str]]:
    """Return id and path of every file."""
    return list(connection.execute("SELECT id, path FROM file"))


def files_ending_with(connection: sqlite3.Connection, suffix: str) -> list[int]:
    """Return the files whose path is `suffix` or ends with `/suffix`, whatever their case."""
    escaped = suffix.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    query = "SELECT id FROM file WHERE path LIKE ? ESCAPE '\\' OR path LIKE ? ESCAPE '\\' ORDER BY path"
    return [row[0] for row in connection.execute(query, (escaped, "%/" + escaped))]


def imports_of(connection: sqlite3.Connection, name: str) -> dict[int, int]:
    """Return the files that import or re-export something under this name, each with how often it says so."""
    said = "SELECT file_id, SUM((name = :name) + (alias = :name)) FROM import WHERE name = :name OR alias = :name"
    return dict(connection.execute(f"{said} GROUP BY file_id", {"name": name}))


def files_calling(connection: sqlite3.Connection, name: str) -> set[int]:
    """Return the files with a call that is written so."""
    query = "SELECT DISTINCT file_id FROM call JOIN chunk ON chunk.id = call.chunk_id WHERE callee = ?"
    return {row[0] for row in connection.execute(query, (name,))}


def files_in_languages(connection: sqlite3.Connection, languages: Sequence[str]) -> list[int]:
    """Return the files written in one of these languages."""
    return [row[0] for row in _select(connection, "SELECT id FROM file WHERE language IN", languages)]


def chunks_of_kinds(connection: sqlite3.Connection, kinds: Sequence[str]) -> list[int]:
    """Return the chunks of one of these kinds."""
    return [row[0] for row in _select(connection, "SELECT id FROM chunk WHERE kind IN", kinds)]


def chunks_raising(connection: sqlite3.Connection, types: Sequence[str]) -> list[int]:
    """Return the chunks whose contract lets one of these error types out."""
    query = "SELECT DISTINCT chunk_id FROM fact WHERE role != 'catch' AND type IN"
    return [row[0] for row in _select(connection, query, types)]


def chunks_calling(connection: sqlite3.Connection, names: Sequence[str]) -> list[int]:
    """Return the chunks that call one of these, given by simple or by qualified name."""
    found: set[int] = {row[0] for row in _select(connection, "SELECT chunk_id FROM call WHERE callee IN", names)}
    found.update(row[0] for row in _select(connection, "SELECT chunk_id FROM call WHERE target_name IN", names))
    return sorted(found)


def chunk_at_line(connection: sqlite3.Connection, file_id: int, line: int) -> int:
    """Return the innermost chunk around a line of a file, 0 when there is none."""
    query = """SELECT id FROM chunk WHERE file_id = ? AND start_line <= ? AND end_line >= ?
               ORDER BY end_line - start_line, id LIMIT 1"""
    row = connection.execute(query, (file_id, line, line)).fetchone()
    return int(row[0]) if row else 0


def testing_files(connection: sqlite3.Connection, files: Sequence[int]) -> set[int]:
    """Return those of some files that hold tests: definitions called so, or calls by which tests say what they expect."""
    named = "SELECT DISTINCT file_id FROM chunk WHERE lower(substr(name, 1, 4)) = 'test' AND file_id IN"
    expecting = f"""SELECT DISTINCT file_id FROM chunk JOIN call ON call.chunk_id = chunk.id
                    WHERE callee IN ({", ".join(f"'{name}'" for name in EXPECTING)}) AND file_id IN"""
    return {row[0] for query in (named, expecting) for row in _select(connection, query, files)}


def error_facts(connection: sqlite3.Connection, type_name: str, limit: int) -> list[tuple[int, int, str, bool, int]]:
    """Return (chunk, file, role, direct, line) of statements about an error type, direct ones first: written there, in code."""
    query = """SELECT fact.chunk_id, chunk.file_id, role, source = 'code' AND via IS NULL, line
               FROM fact JOIN chunk ON chunk.id = fact.chunk_id WHERE type = ? ORDER BY 4 DESC, fact.rowid LIMIT ?"""
    return [(row[0], row[1], row[2], bool(row[3]), row[4]) for row in connection.execute(query, (type_name, limit))]


def error_types(connection: sqlite3.Connection) -> list[str]:
    """Return every error type that some statement names."""
    return [row[0] for row in connection.execute("SELECT DISTINCT type FROM fact WHERE type != ''")]


def called_files(connection: sqlite3.Connection, chunks: Sequence[int]) -> dict[int, set[str]]:
    """Return, by chunk, the paths of the files that its calls surely or likely lead to."""
    query = """SELECT chunk_id, target_path FROM call
               WHERE target_path IS NOT NULL AND certainty IN ('resolved', 'likely') AND chunk_id IN"""
    found: dict[int, set[str]] = {}
    for chunk, path in _select(connection, query, chunks):
        found.setdefault(chunk, set()).add(path)
    return found


def calling_files(connection: sqlite3.Connection, chunk: int, most_calls: int) -> set[str]:
    """Return the paths of the files that surely call a chunk; none when there are more than `most_calls` calls."""
    counted = """FROM call JOIN chunk AS target ON target.id = ? JOIN file AS home ON home.id = target.file_id
                 WHERE target_path = home.path AND target_name = target.qualified_name AND certainty = 'resolved'"""
    number = connection.execute(
        f"SELECT COUNT(*) FROM (SELECT 1 {counted} LIMIT ?)", (chunk, most_calls + 1)
    ).fetchone()
    if not 0 < number[0] <= most_calls:
        return set()
    path = "(SELECT path FROM file JOIN chunk ON chunk.file_id = file.id WHERE chunk.id = call.chunk_id)"
    query = f"SELECT DISTINCT {path} {counted}"
    return {row[0] for row in connection.execute(query, (chunk,))}


def calling_chunks(connection: sqlite3.Connection, callees: Sequence[str]) -> list[tuple[int, int, str, int]]:
    """Return (chunk, file, qualified name of the target or nothing, line) of every call of these simple names."""
    query = """SELECT call.chunk_id, chunk.file_id, coalesce(target_name, ''), line
               FROM call JOIN chunk ON chunk.id = call.chunk_id WHERE callee IN"""
    return [(row[0], row[1], row[2], row[3]) for row in _select(connection, query, callees)]


def _select(connection: sqlite3.Connection, query: str, values: Iterable[object]) -> Iterator[tuple[Any, ...]]:
    wanted = list(values)
    for start in range(0, len(wanted), MOST_VARIABLES):
        batch = wanted[start : start + MOST_VARIABLES]
        yield from connection.execute(f"{query} ({','.join('?' * len(batch))})", batch)
