"""The named definitions of an index, page by page: what is projected to memories."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from codemem.store.connection import Store
from codemem.store.faults import translated
from codemem.store.interfaces import NO_INTERFACES
from codemem.store.memories import visible
from codemem.types import Scope

FROM = "FROM chunk JOIN file ON file.id = chunk.file_id"


class Named(NamedTuple):
    """One definition by number and identity."""

    chunk_id: int
    path: str
    qualified_name: str
    ordinal: int


def may_see(store: Store, scope: Scope, cube: str, project_id: str) -> bool:
    """Ask the one visibility function about a row of the asker's project that stands in no table."""
    condition = visible(scope, "shown")
    row = store.connection.execute(
        "WITH shown (tenant, visibility, project_id, cube) AS (VALUES (?, 'project', ?, ?))"
        f" SELECT 1 FROM shown WHERE {condition.sql}",
        (scope.tenant, project_id, cube, *condition.values),
    ).fetchone()
    return row is not None


def interface_kinds(store: Store) -> tuple[str, ...]:
    """Return the kinds of definitions in this index that promise something to a caller."""
    rows = store.connection.execute("SELECT DISTINCT kind FROM chunk WHERE name <> '' ORDER BY 1")
    return tuple(row[0] for row in rows if row[0] not in NO_INTERFACES)


def count_named(store: Store, symbols: Sequence[str] = ()) -> int:
    """Count the interfaces, or those that are called one of `symbols`."""
    where, values = _where(symbols)
    return int(store.connection.execute(f"SELECT COUNT(*) {FROM} WHERE {where}", values).fetchone()[0])


def page_named(store: Store, symbols: Sequence[str] = (), limit: int = -1, offset: int = 0) -> Iterator[Named]:
    """Yield interfaces in the order of the tree."""
    where, values = _where(symbols)
    columns = "chunk.id, file.path, qualified_name, ordinal"
    sql = f"SELECT {columns} {FROM} WHERE {where} ORDER BY file.path, start_line, ordinal LIMIT ? OFFSET ?"
    with translated(store.path):
        for row in store.connection.execute(sql, (*values, limit, offset)):
            yield Named(*row)


def _where(symbols: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    kinds = ", ".join(f"'{kind}'" for kind in NO_INTERFACES)
    where = f"part = 0 AND kind NOT IN ({kinds}) AND name <> ''"
    if symbols:
        where += f" AND qualified_name IN ({', '.join('?' * len(symbols))})"
    return where, tuple(symbols)
