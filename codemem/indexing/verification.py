"""Prove that the index is what a clean build gives: build one beside it and compare every row."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from codemem.indexing.pipeline import build
from codemem.indexing.progress import Progress, Stages
from codemem.lock import writer_lock
from codemem.settings import Settings
from codemem.store import Store, create_store, open_store, store_path
from codemem.store.logical import LOGICAL_TABLES, column_names, document_rows, logical_rows
from codemem.store.seeding import copy_vectors

Row = tuple[Any, ...]
Rows = Iterator[Row]
SHOWN_DIFFERENCES = 50
"""Differences of one table that are told one by one; the rest is counted."""
SHOWN_VALUE = 60
"""Characters of a value in a difference."""


@dataclass(slots=True)
class Verification:
    """What was compared (rows by table) and the differences, readable, `-` for the index and `+` for the clean build."""

    rows: dict[str, int] = field(default_factory=dict)
    differences: list[str] = field(default_factory=list)

    @property
    def equal(self) -> bool:
        return not self.differences


def verify(
    root: Path, settings: Settings, *, wait_seconds: float = 0.0, progress: Progress | None = None
) -> Verification:
    """Build the index anew in a folder beside the store and compare; the index itself is only read."""
    from codemem.embed import load_embedder

    embedder = load_embedder(settings.embedder)
    path = store_path(root)
    with (
        open_store(path) as store,
        writer_lock(path.parent, "verify", wait_seconds),
        tempfile.TemporaryDirectory(prefix="verify-", dir=path.parent) as folder,
        create_store(Path(folder) / path.name) as clean,
    ):
        copy_vectors(path, clean)
        build(root, clean, settings, embedder, Stages(progress))
        return compare_stores(store, clean)


def compare_stores(store: Store, clean: Store) -> Verification:
    """Compare two stores row by row: files, chunks, calls, facts, skipped, problems, vector keys and term counts."""
    result = Verification()
    for table, (key_width, _) in LOGICAL_TABLES.items():
        names = column_names(store, table)
        _compare(table, logical_rows(store, table), logical_rows(clean, table), key_width, names, result)
    ours, theirs = _documents(store), _documents(clean)
    _compare("document", ours, theirs, 1, ["chunk", "terms"], result)
    return result


def _compare(table: str, ours: Rows, theirs: Rows, key_width: int, names: list[str], result: Verification) -> None:
    """Tell what stands on one side only."""
    kept: list[tuple[str, Row]] = []
    unmatched = 0
    counted = _Counted(ours)
    for side, row in _unmatched(counted, theirs):
        unmatched += 1
        if len(kept) < 2 * SHOWN_DIFFERENCES:
            kept.append((side, row))
    result.rows[table] = counted.count
    result.differences.extend(_told(table, kept, key_width, names))
    if unmatched > len(kept):
        result.differences.append(f"{table}: {unmatched - len(kept):,} more rows differ")


class _Counted:
    """Rows that are counted as they pass."""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        self.count = 0

    def __iter__(self) -> Rows:
        for row in self.rows:
            self.count += 1
            yield row


def _unmatched(ours: Iterable[Row], theirs: Iterable[Row]) -> Iterator[tuple[str, Row]]:
    """Yield the rows of two sorted runs that have no equal on the other side."""
    left_rows, right_rows = iter(ours), iter(theirs)
    left, right = next(left_rows, None), next(right_rows, None)
    while left is not None or right is not None:
        if left == right:
            left, right = next(left_rows, None), next(right_rows, None)
        elif right is None or (left is not None and _sortable(left) < _sortable(right)):
            assert left is not None
            yield "-", left
            left = next(left_rows, None)
        else:
            yield "+", right
            right = next(right_rows, None)


def _sortable(row: Row) -> tuple[tuple[int, Any], ...]:
    """Order rows as SQLite does: NULL first, then numbers, then texts by their bytes."""
    return tuple(
        (0, 0) if value is None else (2, value.encode()) if isinstance(value, str) else (1, value) for value in row
    )


def _told(table: str, only: list[tuple[str, Row]], key_width: int, names: list[str]) -> Iterator[str]:
    """Say which rows are missing, too many, or differ in which columns."""
    pairs: dict[Row, dict[str, Row]] = {}
    for side, row in only:
        pairs.setdefault(row[:key_width], {})[side] = row
    for key, sides in list(pairs.items())[:SHOWN_DIFFERENCES]:
        name = " ".join(str(part) for part in key)
        if len(sides) == 2:
            old, new = sides["-"], sides["+"]
            changes = [
                f"{column} -{_short(a)} +{_short(b)}" for column, a, b in zip(names, old, new, strict=True) if a != b
            ]
            yield f"{table} {name}: {', '.join(changes)}"
        else:
            yield f"{table} {name}: " + ("only in the index" if "-" in sides else "missing in the index")
    if len(pairs) > SHOWN_DIFFERENCES:
        yield f"{table}: {len(pairs) - SHOWN_DIFFERENCES:,} more rows differ"


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= SHOWN_VALUE else text[:SHOWN_VALUE] + "…"


def _documents(store: Store) -> Iterator[tuple[str, str]]:
    """Yield each chunk's key with a digest of its terms, fields and counts, from the live documents alone."""
    from codemem.indexing.term_digest import digest_documents

    digests = digest_documents(store)
    for chunk_id, key in document_rows(store):
        yield key, f"{digests.get(chunk_id, 0):016x}"
