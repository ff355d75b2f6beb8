"""What resolution keeps between runs: definitions by name, heads of files, names consulted, what leaves each chunk."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from codemem.types import ChunkKey, Import

FLOWS_KEPT = 8192
SymbolValues = tuple[str, str, int, str]
"""Name, qualified name, ordinal, and the rest as JSON."""
SymbolRow = tuple[str, str, str, str, str, int, str]
"""Path, language and package of the file, then the values."""


class Definition(NamedTuple):
    """The parts of a chunk that other files can see."""

    kind: str
    name: str
    names: tuple[str, ...]
    qualified_name: str
    ordinal: int
    parent: str
    signature: str
    facts: str
    """JSON of the chunk: parameters, required, result, extends, bindings, modifiers, then calls and contract."""


def unresolved_files(connection: sqlite3.Connection) -> list[tuple[int, str, str, str]]:
    """Return id, path, language and package of the files that were never resolved, in order of path."""
    rows = connection.execute(
        "SELECT id, path, language, package FROM file "
        "WHERE id IN (SELECT id FROM file EXCEPT SELECT file_id FROM resolution) ORDER BY path"
    )
    return [tuple(row) for row in rows]


class Vanished(NamedTuple):
    """A resolved file whose row is gone: removed, or parsed again under another id."""

    file_id: int
    path: str
    stem: str
    language: str
    package: str
    imports: str


def vanished_files(connection: sqlite3.Connection) -> list[Vanished]:
    """Return what is kept of files that are removed or were parsed again."""
    rows = connection.execute(
        "SELECT file_id, path, stem, language, package, imports FROM resolution "
        "WHERE file_id IN (SELECT file_id FROM resolution EXCEPT SELECT id FROM file)"
    )
    return [Vanished(*row) for row in rows]


def forget_files(connection: sqlite3.Connection, file_ids: Iterable[int]) -> list[str]:
    """Remove what is kept of vanished files; return the paths that they called into."""
    targets: list[str] = []
    for file_id in file_ids:
        targets.extend(row[0] for row in connection.execute("SELECT target FROM reach WHERE file_id = ?", (file_id,)))
        for table in ("reach", "resolution", "symbol"):
            connection.execute(f"DELETE FROM {table} WHERE file_id = ?", (file_id,))
    return targets


def definitions_of(connection: sqlite3.Connection, file_id: int) -> Iterator[Definition]:
    """Yield the whole definitions of a file in order."""
    rows = connection.execute(
        "SELECT kind, name, names, qualified_name, ordinal, parent, signature, facts FROM chunk "
        "WHERE file_id = ? AND part = 0 ORDER BY id",
        (file_id,),
    )
    for kind, name, names, qualified_name, ordinal, parent, signature, facts in rows:
        all_names = tuple(names.split("\n")) if names else (name,)
        yield Definition(kind, name, all_names, qualified_name, ordinal, parent, signature, facts)


def symbols_of_file(connection: sqlite3.Connection, file_id: int) -> list[SymbolValues]:
    """Return the definitions that were known of a file."""
    query = "SELECT name, qualified_name, ordinal, data FROM symbol WHERE file_id = ?"
    return connection.execute(query, (file_id,)).fetchall()


def symbols_named(connection: sqlite3.Connection, name: str) -> list[SymbolRow]:
    """Return all definitions of a name, in order of path."""
    query = (
        "SELECT path, language, package, name, qualified_name, ordinal, data FROM symbol JOIN resolution USING (file_id) "
        "WHERE name = ? ORDER BY path, qualified_name, ordinal"
    )
    return connection.execute(query, (name,)).fetchall()


def count_symbols(connection: sqlite3.Connection) -> int:
    """Return how many definitions there are."""
    return int(connection.execute("SELECT COUNT(*) FROM symbol").fetchone()[0])


def all_symbols(
    connection: sqlite3.Connection,
) -> tuple[dict[int, tuple[str, str, str]], Iterator[tuple[str, int, str, int, str]]]:
    """Return path, language and package of resolved files by id, and all definitions as name, file id and values."""
    files = {row[0]: row[1:] for row in connection.execute("SELECT file_id, path, language, package FROM resolution")}
    return files, connection.execute("SELECT name, file_id, qualified_name, ordinal, data FROM symbol")


def write_symbols(connection: sqlite3.Connection, rows: Iterable[Sequence[object]]) -> None:
    """Write definitions, each as file id and values."""
    connection.executemany(
        "INSERT OR REPLACE INTO symbol (file_id, name, qualified_name, ordinal, data) VALUES (?, ?, ?, ?, ?)",
        rows,
    )


def write_resolutions(connection: sqlite3.Connection, kept: Iterable[Vanished]) -> None:
    connection.executemany(
        "INSERT INTO resolution (file_id, path, stem, language, package, imports) VALUES (?, ?, ?, ?, ?, ?)", kept
    )


def imports_text(imports: Sequence[Import]) -> str:
    """Return the imports of a file as they are kept."""
    return json.dumps([(entry.path, entry.name, entry.alias) for entry in imports], ensure_ascii=False)


def head_at(connection: sqlite3.Connection, path: str) -> tuple[str, str, tuple[Import, ...]] | None:
    """Return language, package and imports of a resolved file."""
    row = connection.execute("SELECT language, package, imports FROM resolution WHERE path = ?", (path,)).fetchone()
    return None if row is None else (row[0], row[1], tuple(Import(*entry) for entry in json.loads(row[2])))


def paths_with_stem(connection: sqlite3.Connection, stem: str) -> list[str]:
    rows = connection.execute("SELECT path FROM resolution WHERE stem = ? ORDER BY path", (stem,))
    return [str(row[0]) for row in rows]


def any_resolved(connection: sqlite3.Connection) -> bool:
    """Say whether some file was resolved before."""
    return connection.execute("SELECT 1 FROM resolution LIMIT 1").fetchone() is not None


def consulted_by(connection: sqlite3.Connection) -> Iterator[tuple[int, bytes]]:
    """Yield for each resolved file what it looked up, packed."""
    yield from connection.execute("SELECT file_id, consulted FROM resolution")


def read_consulted(connection: sqlite3.Connection, file_id: int) -> bytes:
    row = connection.execute("SELECT consulted FROM resolution WHERE file_id = ?", (file_id,)).fetchone()
    return b"" if row is None else bytes(row[0])


def write_consulted(connection: sqlite3.Connection, rows: Iterable[tuple[bytes, int]]) -> None:
    connection.executemany("UPDATE resolution SET consulted = ? WHERE file_id = ?", rows)


def read_outflow(connection: sqlite3.Connection, key: ChunkKey) -> list[list[Any]]:
    row = connection.execute(
        "SELECT data FROM outflow WHERE path = ? AND qualified_name = ? AND ordinal = ?", key
    ).fetchone()
    return [] if row is None else list(json.loads(row[0]))


def outflow_keys(connection: sqlite3.Connection, path: str) -> list[ChunkKey]:
    """Return the chunks of a file that something was known to leave."""
    rows = connection.execute("SELECT path, qualified_name, ordinal FROM outflow WHERE path = ?", (path,))
    return [ChunkKey(*row) for row in rows]


def write_outflows(connection: sqlite3.Connection, flows: Mapping[ChunkKey, tuple[tuple[str, str, int], ...]]) -> None:
    """Replace what leaves the given chunks; nothing is kept of those that nothing leaves."""
    connection.executemany(
        "DELETE FROM outflow WHERE path = ? AND qualified_name = ? AND ordinal = ?",
        [key for key, flow in flows.items() if not flow],
    )
    connection.executemany(
        "INSERT OR REPLACE INTO outflow VALUES (?, ?, ?, ?)",
        [(*key, _flow_text(flow)) for key, flow in flows.items() if flow],
    )


def fill_outflows(
    connection: sqlite3.Connection, groups: Iterable[tuple[tuple[tuple[str, str, int], ...], list[ChunkKey]]]
) -> None:
    """Write what leaves all chunks, given by what it is, into the empty table and in its order: pages fill one by one."""
    rows = [(*key, text) for flow, keys in groups for text in (_flow_text(flow),) for key in keys]
    connection.executemany("INSERT INTO outflow VALUES (?, ?, ?, ?)", sorted(rows))


@lru_cache(maxsize=FLOWS_KEPT)
def _flow_text(flow: tuple[tuple[str, str, int], ...]) -> str:
    """Return what leaves a chunk as it is written; the same leaves very many."""
    return json.dumps(flow, ensure_ascii=False)


def replace_reach(connection: sqlite3.Connection, file_id: int, targets: Iterable[str]) -> set[str]:
    """Note which files a file calls into; return those for which that changed."""
    old = {str(row[0]) for row in connection.execute("SELECT target FROM reach WHERE file_id = ?", (file_id,))}
    new = set(targets)
    if old - new:
        connection.executemany(
            "DELETE FROM reach WHERE target = ? AND file_id = ?", [(target, file_id) for target in old - new]
        )
    if new - old:
        connection.executemany("INSERT INTO reach VALUES (?, ?)", [(target, file_id) for target in new - old])
    return old ^ new


def update_indegree(connection: sqlite3.Connection, paths: Iterable[str]) -> None:
    """Count the files that call into each path again; rows are touched only where the count changed."""
    connection.executemany(
        "UPDATE file SET indegree = (SELECT COUNT(*) FROM reach WHERE target = :path) "
        "WHERE path = :path AND indegree != (SELECT COUNT(*) FROM reach WHERE target = :path)",
        [{"path": path} for path in sorted(set(paths))],
    )


def mark_for_documents(connection: sqlite3.Connection, chunk_ids: Iterable[int]) -> None:
    """Put chunks whose card may have changed on the work list of the lexical stage."""
    if connection.execute("SELECT 1 FROM segment LIMIT 1").fetchone() is None:
        return  # nothing was analysed yet: all of it is on the list
    connection.executemany(
        "UPDATE chunk SET segment = NULL WHERE id = ? AND segment IS NOT NULL",
        [(chunk_id,) for chunk_id in sorted(set(chunk_ids))],
    )
