"""Resolved calls and effective contracts: rows in, records out."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from codemem.types import Call, Chunk, ChunkKey, ErrorFact, Guard

ROW_BATCH = 500
"""Ids looked up by one statement: below the smallest limit of host parameters that SQLite was ever built with."""
CALL_COLUMNS = (
    "chunk_id, position, callee, receiver, line, mark, repeat, certainty, module, target_path, target_name, target_ordinal, "
    "candidates, passes, guards"
)
FACT_COLUMNS = "chunk_id, role, type, text, line, source, via, handled"
NO_TARGET = (None, None, None)
GUARDS_KEPT = 1024
_encode = json.JSONEncoder(ensure_ascii=False).encode
CALLER_QUERY = (
    f"SELECT {', '.join('call.' + column for column in CALL_COLUMNS.split(', '))}, file.path, chunk.qualified_name, "
    "chunk.ordinal, chunk.start_line FROM call JOIN chunk ON chunk.id = call.chunk_id "
    "JOIN file ON file.id = chunk.file_id WHERE "
)


class CallRow(NamedTuple):
    """A resolved call with what contracts need of it."""

    call: Call
    passes: bool
    guards: tuple[Guard, ...]


class CallerRow(NamedTuple):
    """One call that may run a certain definition."""

    chunk_id: int
    caller: ChunkKey
    start_line: int
    call: Call


def read_calls(connection: sqlite3.Connection, chunk_ids: Iterable[int]) -> dict[int, tuple[Call, ...]]:
    """Return the resolved calls of chunks in evaluation order; chunks without calls are left out."""
    return {
        chunk_id: tuple(row.call for row in rows) for chunk_id, rows in read_call_rows(connection, chunk_ids).items()
    }


def read_call_rows(connection: sqlite3.Connection, chunk_ids: Iterable[int]) -> dict[int, list[CallRow]]:
    """Return the resolved calls of chunks with their handlers."""
    found: dict[int, list[CallRow]] = {}
    for part, marks in _batches(chunk_ids):
        query = f"SELECT {CALL_COLUMNS} FROM call WHERE chunk_id IN ({marks}) ORDER BY chunk_id, position"
        for row in connection.execute(query, part):
            found.setdefault(row[0], []).append(_call_row(row))
    return found


def read_contract(connection: sqlite3.Connection, chunk_ids: Iterable[int]) -> dict[int, tuple[ErrorFact, ...]]:
    """Return the effective contracts of chunks: written facts, then what comes through callees."""
    found: dict[int, list[ErrorFact]] = {}
    for part, marks in _batches(chunk_ids):
        query = f"SELECT {FACT_COLUMNS} FROM fact WHERE chunk_id IN ({marks}) ORDER BY chunk_id, rowid"
        for chunk_id, role, kind, text, line, source, via, handled in connection.execute(query, part):
            fact = ErrorFact(role, kind, text, line, source, via, handled=bool(handled))
            found.setdefault(chunk_id, []).append(fact)
    return {chunk_id: tuple(facts) for chunk_id, facts in found.items()}


def load_resolved(
    connection: sqlite3.Connection, chunk_ids: Collection[int], with_text: bool = True
) -> dict[int, Chunk]:
    """Return chunks by id with resolved calls and effective contracts."""
    from codemem.store.code import load_chunks

    chunks = load_chunks(connection, chunk_ids, with_text)
    calls = read_calls(connection, chunk_ids)
    contracts = read_contract(connection, chunk_ids)
    return {
        chunk_id: chunk._replace(calls=calls.get(chunk_id, ()), contract=contracts.get(chunk_id, ()))
        for chunk_id, chunk in chunks.items()
    }


def write_calls(connection: sqlite3.Connection, rows: Iterable[Sequence[object]]) -> None:
    """Write resolved calls, each as `call_values` gives it."""
    connection.executemany(f"INSERT INTO call ({CALL_COLUMNS}) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)", rows)


def remove_calls(connection: sqlite3.Connection, chunk_id: int) -> None:
    connection.execute("DELETE FROM call WHERE chunk_id = ?", (chunk_id,))


def write_facts(connection: sqlite3.Connection, rows: Iterable[Sequence[object]]) -> None:
    """Write facts of effective contracts, each as `fact_values` gives it."""
    connection.executemany(f"INSERT INTO fact ({FACT_COLUMNS}) VALUES (?,?,?,?,?,?,?,?)", rows)


def remove_facts(connection: sqlite3.Connection, chunk_id: int) -> None:
    connection.execute("DELETE FROM fact WHERE chunk_id = ?", (chunk_id,))


def call_values(chunk_id: int, call: Call, passes: bool, guards: tuple[Guard, ...]) -> tuple[Any, ...]:
    """Return the columns of a resolved call, as they are written and compared."""
    callee, receiver, line, order, _, mark, repeat, _, target, certainty, candidates, module = call
    path, name, ordinal = target or NO_TARGET
    return (
        chunk_id, order, callee, receiver or "", line, mark, repeat, certainty, module, path, name, ordinal,
        _encode(candidates) if candidates else "", int(passes), _guards_text(guards) if guards else "",
    )  # fmt: skip


@lru_cache(maxsize=GUARDS_KEPT)
def _guards_text(guards: tuple[Guard, ...]) -> str:
    """Return handlers as they are written; most calls of a chunk stand in the same ones."""
    return _encode([[guard.types, guard.rethrows, guard.scope] for guard in guards])


def fact_values(chunk_id: int, fact: ErrorFact) -> tuple[Any, ...]:
    """Return the columns of a fact, as they are written and compared."""
    return (chunk_id, *fact[:6], int(fact.handled))


def raw_calls(connection: sqlite3.Connection, file_id: int) -> dict[int, list[tuple[Any, ...]]]:
    """Return the call rows of a file as columns, by chunk."""
    chunks = "SELECT id FROM chunk WHERE file_id = ?"
    query = f"SELECT {CALL_COLUMNS} FROM call WHERE chunk_id IN ({chunks}) ORDER BY chunk_id, position"
    found: dict[int, list[tuple[Any, ...]]] = {}
    for row in connection.execute(query, (file_id,)):
        found.setdefault(row[0], []).append(row)
    return found


def raw_contract(connection: sqlite3.Connection, chunk_id: int) -> list[tuple[Any, ...]]:
    """Return the fact rows of a chunk as columns."""
    return connection.execute(
        f"SELECT {FACT_COLUMNS} FROM fact WHERE chunk_id = ? ORDER BY rowid", (chunk_id,)
    ).fetchall()


def callers_of(connection: sqlite3.Connection, target: ChunkKey) -> list[CallerRow]:
    """Return the calls whose target is `target`, or one of whose candidates it is, in order of place."""
    name = target.qualified_name.replace("#", ".").rpartition(".")[2]
    query = CALLER_QUERY
    rows = connection.execute(
        query + "target_name = ? AND target_path = ? AND target_ordinal = ?", (target[1], target[0], target[2])
    )
    found = [_caller_row(row) for row in rows]
    seen = {(row.chunk_id, row.call.order) for row in found}
    # Candidates bear the callee's own name, or that of the type whose constructor they are.
    owner = target.qualified_name[: -len(name)].rstrip("#.").replace("#", ".").rpartition(".")[2]
    for row in connection.execute(query + "callee IN (?, ?) AND candidates != ''", (name, owner or name)):
        caller = _caller_row(row)
        if target in caller.call.candidates and (caller.chunk_id, caller.call.order) not in seen:
            found.append(caller)
    return sorted(found, key=lambda row: (row.caller, row.call.order))


def chunk_ids_of(connection: sqlite3.Connection, key: ChunkKey) -> list[int]:
    """Return the ids of the chunk pieces with this identity, the first piece first."""
    query = (
        "SELECT chunk.id FROM chunk JOIN file ON file.id = chunk.file_id "
        "WHERE file.path = ? AND qualified_name = ? AND ordinal = ? ORDER BY part"
    )
    return [int(row[0]) for row in connection.execute(query, key)]


def file_of_chunk(connection: sqlite3.Connection, chunk_id: int) -> int:
    """Return the id of the file that a chunk stands in."""
    return int(connection.execute("SELECT file_id FROM chunk WHERE id = ?", (chunk_id,)).fetchone()[0])


def _call_row(row: Sequence[Any]) -> CallRow:
    target = ChunkKey(row[9], row[10], row[11]) if row[10] is not None else None
    candidates = tuple(ChunkKey(*key) for key in json.loads(row[12])) if row[12] else ()
    guards = (
        tuple(Guard(tuple(types), rethrows, scope) for types, rethrows, scope in json.loads(row[14])) if row[14] else ()
    )
    call = Call(
        row[2], row[3] or None, row[4], row[1], None, row[5], row[6], guards, target, row[7], candidates, row[8]
    )
    return CallRow(call, bool(row[13]), guards)


def _caller_row(row: Sequence[Any]) -> CallerRow:
    width = len(CALL_COLUMNS.split(", "))
    path, name, ordinal, start_line = row[width:]
    return CallerRow(row[0], ChunkKey(path, name, ordinal), start_line, _call_row(row[:width]).call)


def _batches(ids: Iterable[int]) -> Iterable[tuple[list[int], str]]:
    numbers = list(ids)
    for start in range(0, len(numbers), ROW_BATCH):
        part = numbers[start : start + ROW_BATCH]
        yield part, ",".join("?" * len(part))


class FactSite(NamedTuple):
    """One fact with the definition that it belongs to."""

    qualified_name: str
    path: str
    fact: ErrorFact


def error_types(connection: sqlite3.Connection) -> list[str]:
    """Return all error types that some contract names."""
    return [str(row[0]) for row in connection.execute("SELECT DISTINCT type FROM fact WHERE type != '' ORDER BY type")]


def type_names(connection: sqlite3.Connection) -> list[str]:
    """Return the names of all classes and interfaces."""
    query = "SELECT DISTINCT name FROM chunk WHERE kind IN ('class', 'interface') ORDER BY name"
    return [str(row[0]) for row in connection.execute(query)]


def fact_sites(connection: sqlite3.Connection, types: Iterable[str]) -> Iterator[FactSite]:
    """Yield the facts about some error types."""
    query = (
        "SELECT qualified_name, file.path, role, type, text, line, source, via, handled FROM fact "
        "JOIN chunk ON chunk.id = fact.chunk_id JOIN file ON file.id = chunk.file_id WHERE type = ?"
    )
    for kind in types:
        for name, path, role, error, text, line, source, via, handled in connection.execute(query, (kind,)):
            yield FactSite(name, path, ErrorFact(role, error, text, line, source, via, handled=bool(handled)))


def indexed_languages(connection: sqlite3.Connection) -> list[str]:
    """Return the languages that definitions are known in."""
    return [str(row[0]) for row in connection.execute("SELECT DISTINCT language FROM file ORDER BY language")]


def unresolved_calls(connection: sqlite3.Connection, name: str, limit: int) -> list[CallerRow]:
    """Return calls of this name that could not be resolved."""
    query = CALLER_QUERY + "callee = ? AND certainty = 'unresolved' ORDER BY file.path, call.line LIMIT ?"
    return [_caller_row(row) for row in connection.execute(query, (name, limit))]


def declaring_chunks(connection: sqlite3.Connection) -> list[int]:
    """Return the chunks whose contract declares, raises or lets an error through."""
    query = "SELECT DISTINCT chunk_id FROM fact WHERE role IN ('declare', 'raise', 'propagate') ORDER BY chunk_id"
    return [int(row[0]) for row in connection.execute(query)]
