"""Rows of the memory layer. Every read and every change of existing rows passes through `visible`: nothing leaks around it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, NamedTuple

from codemem.store.connection import Store
from codemem.store.database import create_store
from codemem.store.faults import translated
from codemem.types import Memory, Scope

STORED = tuple(field.name for field in fields(Memory) if field.name not in ("id", "aliases", "anchor"))
"""Fields that are columns, in the order of the record."""
COLUMNS = ", ".join(f"memory.{name}" for name in STORED)
CURRENT = ("active", "candidate")
SELECT = (
    f"SELECT {COLUMNS}, memory.id, COALESCE(memory_anchor.state, '') FROM memory{{}}"
    " LEFT JOIN memory_anchor ON memory_anchor.memory_id = memory.id"
)
CHUNK = 500
"""Values bound to one statement; SQLite's oldest limit is 999."""


class Condition(NamedTuple):
    """A part of a WHERE clause with what it binds."""

    sql: str
    values: tuple[Any, ...] = ()

    def __and__(self, other: Condition) -> Condition:
        return Condition(f"{self.sql} AND {other.sql}", (*self.values, *other.values))


def visible(scope: Scope, table: str = "memory") -> Condition:
    """Return what `scope` may see, as a condition on `table` (memory or memory_partition). The only such function."""
    cubes = f" AND {table}.cube IN ({_marks(scope.cubes)})" if scope.cubes else ""
    return Condition(
        f"({table}.tenant = ? AND (({table}.visibility = 'project' AND {table}.project_id = ? AND {table}.project_id <> '')"
        f" OR {table}.visibility = 'global'){cubes})",
        (scope.tenant, scope.project_id, *scope.cubes),
    )


def same_range(memory: Memory) -> Condition:
    """Return the rows that a new memory is compared with: equal tenant, visibility, project and cube."""
    return Condition(
        "(memory.tenant = ? AND memory.visibility = ? AND memory.project_id = ? AND memory.cube = ?)",
        (memory.tenant, memory.visibility, memory.project_id, memory.cube),
    )


def partitions(store: Store, scope: Scope, closed: bool = False) -> list[int]:
    """Return the partitions that `scope` may see; with `closed` those of superseded rows too."""
    condition = visible(scope, "memory_partition")
    extra = "" if closed else " AND closed = 0"
    with translated(store.path):
        rows = store.connection.execute(
            f"SELECT id FROM memory_partition WHERE {condition.sql}{extra}", condition.values
        )
        return [row[0] for row in rows]


def partition_of(connection: sqlite3.Connection, memory: Memory, closed: bool = False) -> int:
    """Return the partition a memory belongs to, made when it is the first of its range."""
    values = (memory.tenant, memory.visibility, memory.project_id, memory.cube, int(closed))
    columns = "tenant, visibility, project_id, cube, closed"
    connection.execute(f"INSERT OR IGNORE INTO memory_partition ({columns}) VALUES (?, ?, ?, ?, ?)", values)
    row = connection.execute(
        "SELECT id FROM memory_partition WHERE tenant = ? AND visibility = ? AND project_id = ? AND cube = ? AND closed = ?",
        values,
    ).fetchone()
    return int(row[0])


def find(
    store: Store,
    condition: Condition,
    order: str = "memory.id",
    limit: int = -1,
    offset: int = 0,
    by_number: bool = False,
) -> list[Memory]:
    """Return the memories that satisfy `condition` (build it with `visible` or `same_range`), aliases included."""
    # With numbers given, SQLite must not prefer an index over them: it would read the whole range.
    select = SELECT.format(" NOT INDEXED" if by_number else "")
    sql = f"{select} WHERE {condition.sql} ORDER BY {order} LIMIT ? OFFSET ?"
    with translated(store.path):
        rows = store.connection.execute(sql, (*condition.values, limit, offset)).fetchall()
        aliases = _aliases(store.connection, [row[-2] for row in rows])
    return [_memory(row, aliases.get(row[-2], ())) for row in rows]


def find_ids(store: Store, condition: Condition, ids: Sequence[int]) -> dict[int, Memory]:
    """Return those of `ids` that satisfy `condition`, by id."""
    found: dict[int, Memory] = {}
    for start in range(0, len(ids), CHUNK):
        part = tuple(ids[start : start + CHUNK])
        chosen = condition & Condition(f"memory.id IN ({_marks(part)})", part)
        found.update((memory.id, memory) for memory in find(store, chosen, by_number=True))
    return found


def find_reference(store: Store, scope: Scope, reference: str) -> list[Memory]:
    """Return the memories that `reference` names: a whole UUID, its last characters as printed, or its first ones."""
    text = reference.lower()
    escaped = text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    named = Condition(
        "(memory.uuid = ? OR memory.uuid LIKE ? ESCAPE '\\' OR memory.uuid LIKE ? ESCAPE '\\')",
        (text, f"%{escaped}", f"{escaped}%"),
    )
    return find(store, visible(scope) & named)


def count(store: Store, condition: Condition) -> int:
    """Return how many memories satisfy `condition`."""
    with translated(store.path):
        row = store.connection.execute(
            f"SELECT COUNT(*) FROM memory WHERE {condition.sql}", condition.values
        ).fetchone()
    return int(row[0])


def loosen_chains(connection: sqlite3.Connection) -> None:
    """Forget successors that are nowhere: an imported file may name what it does not hold."""
    connection.execute(
        "UPDATE memory SET superseded_by = NULL WHERE superseded_by IS NOT NULL AND superseded_by NOT IN (SELECT uuid FROM memory)"
    )


def mark_used(path: Path, uuids: Sequence[str], at: int, before: int) -> None:
    """Note that these memories were used at `at`, where nothing was noted since `before`; waits for no other writer."""
    named = f"uuid IN ({_marks(uuids)}) AND coalesce(last_used_at, 0) < ?"
    with create_store(path) as store:
        values = (*uuids, before)
        if store.connection.execute(f"SELECT 1 FROM memory WHERE {named} LIMIT 1", values).fetchone() is None:
            return
        store.connection.execute("PRAGMA busy_timeout = 0")
        with store.transaction() as connection:
            connection.execute(f"UPDATE memory SET last_used_at = ? WHERE {named}", (at, *values))


def count_by(store: Store, condition: Condition, column: str) -> dict[str, int]:
    """Return how many memories satisfy `condition` per value of `column` (a stored field)."""
    if column not in STORED:
        raise ValueError(column)
    sql = f"SELECT memory.{column}, COUNT(*) FROM memory WHERE {condition.sql} GROUP BY 1 ORDER BY 1"
    with translated(store.path):
        return {str(row[0]): int(row[1]) for row in store.connection.execute(sql, condition.values)}


def insert(connection: sqlite3.Connection, memory: Memory, partition: int | None) -> int:
    """Write a new row and return its number."""
    names = ", ".join((*STORED, "partition"))
    values = [getattr(memory, name) for name in STORED]
    cursor = connection.execute(
        f"INSERT INTO memory ({names}) VALUES ({_marks(STORED)}, ?)",
        (*(int(value) if isinstance(value, bool) else value for value in values), partition),
    )
    return int(cursor.lastrowid or 0)


def update(connection: sqlite3.Connection, number: int, **changes: object) -> None:
    """Set columns of one row."""
    assert changes.keys() <= {*STORED, "partition"}, changes
    assignments = ", ".join(f"{name} = ?" for name in changes)
    connection.execute(f"UPDATE memory SET {assignments} WHERE id = ?", (*changes.values(), number))


def add_alias(connection: sqlite3.Connection, memory: Memory, content: str, content_hash: str, now: int) -> bool:
    """Keep another wording; False when it was known."""
    cursor = connection.execute(
        "INSERT OR IGNORE INTO memory_alias VALUES (?, ?, ?, ?, ?)",
        (memory.id, memory.tenant, content, content_hash, now),
    )
    return cursor.rowcount > 0


def drop_aliases(connection: sqlite3.Connection, number: int) -> None:
    """Forget the other wordings of a memory."""
    connection.execute("DELETE FROM memory_alias WHERE memory_id = ?", (number,))


def alias_owner(store: Store, memory: Memory) -> Memory | None:
    """Return the current memory of the same range that already has this wording as an alias."""
    condition = same_range(memory) & Condition(
        "memory.status IN ('active', 'candidate') AND memory.id IN"
        " (SELECT memory_id FROM memory_alias WHERE content_hash = ? AND memory_alias.tenant = ?)",
        (memory.content_hash, memory.tenant),
    )
    return next(iter(find(store, condition, limit=1)), None)


def add_history(
    connection: sqlite3.Connection, memory: Memory, action: str, actor: str, at: int, before: str = "", after: str = ""
) -> None:
    """Record what happened to a memory."""
    connection.execute(
        "INSERT INTO memory_history (uuid, tenant, action, actor, at, before, after) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (memory.uuid, memory.tenant, action, actor, at, before, after),
    )


def add_history_rows(
    connection: sqlite3.Connection, memory: Memory, rows: Iterable[tuple[str, str, int, str, str]]
) -> None:
    """Write a history that was exported elsewhere: (action, actor, at, before, after), oldest first."""
    connection.executemany(
        "INSERT INTO memory_history (uuid, tenant, action, actor, at, before, after) VALUES (?, ?, ?, ?, ?, ?, ?)",
        [(memory.uuid, memory.tenant, *row) for row in rows],
    )


def history_of(store: Store, memory: Memory) -> list[dict[str, Any]]:
    """Return the history of a memory (found through `visible`), oldest first."""
    sql = "SELECT action, actor, at, before, after FROM memory_history WHERE uuid = ? AND tenant = ? ORDER BY id"
    with translated(store.path):
        rows = store.connection.execute(sql, (memory.uuid, memory.tenant)).fetchall()
    return [dict(zip(("action", "actor", "at", "before", "after"), row, strict=True)) for row in rows]


def each(store: Store, condition: Condition, batch: int = CHUNK) -> Iterator[list[Memory]]:
    """Yield the memories that satisfy `condition` in batches, in order of number."""
    last = 0
    while rows := find(store, condition & Condition("memory.id > ?", (last,)), limit=batch):
        yield rows
        last = rows[-1].id


def purge(connection: sqlite3.Connection, memory: Memory) -> None:
    """Remove a row, its aliases, vectors, anchor and history for good."""
    connection.execute("DELETE FROM memory WHERE id = ?", (memory.id,))
    connection.execute("DELETE FROM memory_history WHERE uuid = ? AND tenant = ?", (memory.uuid, memory.tenant))


def _aliases(connection: sqlite3.Connection, numbers: Sequence[int]) -> dict[int, tuple[str, ...]]:
    found: dict[int, list[str]] = {}
    for start in range(0, len(numbers), CHUNK):
        part = numbers[start : start + CHUNK]
        sql = f"SELECT memory_id, content FROM memory_alias WHERE memory_id IN ({_marks(part)}) ORDER BY created_at, content_hash"
        for number, content in connection.execute(sql, tuple(part)):
            found.setdefault(number, []).append(content)
    return {number: tuple(contents) for number, contents in found.items()}


def _memory(row: Sequence[Any], aliases: tuple[str, ...]) -> Memory:
    values = dict(zip(STORED, row, strict=False))
    values["raw"] = bool(values["raw"])
    return Memory(**values, id=row[-2], anchor=row[-1], aliases=aliases)


def _marks(values: Iterable[object]) -> str:
    return ", ".join("?" for _ in values)
