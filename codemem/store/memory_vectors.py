"""Vectors of memories: several models side by side; a vector counts only for the same model, dimension and content."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from codemem.store.connection import Store
from codemem.store.faults import translated
from codemem.store.memories import CHUNK, Condition
from codemem.types import Memory

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Vector = npt.NDArray[np.float32]


class VectorRows(NamedTuple):
    """Vectors as they stand in the store: row ids (ascending), memory numbers and the matrix."""

    rows: npt.NDArray[np.int64]
    numbers: npt.NDArray[np.int64]
    matrix: Vector


class Coverage(NamedTuple):
    """How many current memories have a usable vector of a model, and why the others have none."""

    fresh: int
    missing: int
    stale: int
    other_model: int


def put_vector(connection: sqlite3.Connection, memory: Memory, model: str, vector: Vector, now: int) -> None:
    """Write a memory's vector; one of the same model is replaced by a row with a new id."""
    connection.execute("DELETE FROM memory_vector WHERE memory_id = ? AND model = ?", (memory.id, model))
    connection.execute(
        "INSERT INTO memory_vector (memory_id, tenant, model, dimension, data, content_hash, updated_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        (memory.id, memory.tenant, model, len(vector), vector.astype("<f4").tobytes(), memory.content_hash, now),
    )


def drop_vectors(connection: sqlite3.Connection, number: int) -> None:
    """Remove all vectors of a memory."""
    connection.execute("DELETE FROM memory_vector WHERE memory_id = ?", (number,))


def vectors_of(store: Store, numbers: Sequence[int], model: str, dimension: int) -> dict[int, Vector]:
    """Return the fresh vectors of these memories."""
    import numpy as np

    found: dict[int, Vector] = {}
    for start in range(0, len(numbers), CHUNK):
        part = tuple(numbers[start : start + CHUNK])
        marks = ", ".join("?" * len(part))
        # The plus signs keep SQLite from reading all vectors of the model to find these few.
        rows = store.connection.execute(
            "SELECT v.memory_id, v.data FROM memory_vector v JOIN memory m ON m.id = v.memory_id"
            f" AND m.content_hash = v.content_hash WHERE +v.model = ? AND +v.dimension = ? AND v.memory_id IN ({marks})",
            (model, dimension, *part),
        )
        found.update((number, np.frombuffer(data, "<f4")) for number, data in rows)
    return found


def vectors_after(store: Store, row: int, model: str, dimension: int) -> VectorRows:
    """Return the fresh vectors of a model that were written after the vector row `row`."""
    import numpy as np

    with translated(store.path):
        rows = store.connection.execute(
            "SELECT v.id, v.memory_id, v.data FROM memory_vector v JOIN memory m ON m.id = v.memory_id"
            " WHERE v.id > ? AND v.model = ? AND v.dimension = ? AND m.content_hash = v.content_hash ORDER BY v.id",
            (row, model, dimension),
        ).fetchall()
    matrix = np.frombuffer(b"".join(entry[2] for entry in rows), "<f4").reshape(len(rows), dimension)
    return VectorRows(
        np.array([entry[0] for entry in rows], np.int64), np.array([entry[1] for entry in rows], np.int64), matrix
    )


def change_mark(store: Store) -> tuple[int, int]:
    """Return a mark that differs when this or another connection has changed the store since."""
    return int(store.connection.execute("PRAGMA data_version").fetchone()[0]), store.connection.total_changes


def count_vectors(store: Store, model: str, dimension: int) -> int:
    """Return how many vectors a model has."""
    sql = "SELECT COUNT(*) FROM memory_vector WHERE model = ? AND dimension = ?"
    return int(store.connection.execute(sql, (model, dimension)).fetchone()[0])


def coverage(store: Store, condition: Condition, model: str, dimension: int) -> Coverage:
    """Count the usable vectors of the current memories that satisfy `condition`."""
    sql = (
        "SELECT COUNT(*), TOTAL(v.id IS NOT NULL AND v.content_hash = memory.content_hash AND v.dimension = ?),"
        " TOTAL(v.id IS NOT NULL AND v.content_hash <> memory.content_hash),"
        " TOTAL((v.id IS NULL OR v.dimension <> ?) AND EXISTS (SELECT 1 FROM memory_vector o WHERE o.memory_id = memory.id))"
        f" FROM memory LEFT JOIN memory_vector v ON v.memory_id = memory.id AND v.model = ? WHERE {condition.sql}"
        " AND memory.status IN ('active', 'candidate')"
    )
    with translated(store.path):
        total, fresh, stale, other = store.connection.execute(
            sql, (dimension, dimension, model, *condition.values)
        ).fetchone()
    return Coverage(int(fresh), int(total - fresh - stale - other), int(stale), int(other))


def without_vector(model: str, dimension: int) -> Condition:
    """Select memories that have no usable vector of this model."""
    return Condition(
        "memory.status IN ('active', 'candidate') AND NOT EXISTS (SELECT 1 FROM memory_vector v WHERE v.memory_id = memory.id"
        " AND v.model = ? AND v.dimension = ? AND v.content_hash = memory.content_hash)",
        (model, dimension),
    )
