"""Rows of vectors: what has one, writing, reading a whole space, pruning, and the generation that names the caches.

A vector belongs to the key of what was embedded and to a model, not to a chunk: moved and copied cards cost nothing.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from codemem.errors import BadInput
from codemem.store.connection import Store
from codemem.store.index_layer import read_meta, write_meta

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Ids = NDArray[numpy.int64]
    Halves = NDArray[numpy.float16]

SPACES = {"files": "file", "units": "chunk"}
"""Space of vectors -> the table whose `card_hash` refers to them."""
QUERY_KEYS = 500
"""Bound values of one statement: SQLite of Python 3.11 may allow no more than 999."""


def missing_hashes(store: Store, hashes: Iterable[bytes], model: str) -> set[bytes]:
    """Return those of `hashes` that have no vector of `model`."""
    wanted = list(dict.fromkeys(hashes))
    missing = set(wanted)
    for part in _parts(wanted):
        sql = f"SELECT hash FROM vector WHERE model = ? AND hash IN ({_marks(part)})"
        missing.difference_update(row[0] for row in store.connection.execute(sql, (model, *part)))
    return missing


def put_vectors(connection: sqlite3.Connection, model: str, hashes: Sequence[bytes], matrix: NDArray[Any]) -> None:
    """Write one vector a hash (rows of `matrix`), as float16."""
    halves = matrix.astype("<f2")
    rows = ((key, model, halves.shape[1], row.tobytes()) for key, row in zip(hashes, halves, strict=True))
    connection.executemany("INSERT OR REPLACE INTO vector (hash, model, dimension, data) VALUES (?, ?, ?, ?)", rows)


def read_vectors(store: Store, hashes: Sequence[bytes], model: str, dimension: int) -> Halves:
    """Return the vectors of `hashes` in order, zeros where there is none."""
    import numpy as np

    found: dict[bytes, bytes] = {}
    for part in _parts(list(dict.fromkeys(hashes))):
        sql = f"SELECT hash, data FROM vector WHERE model = ? AND dimension = ? AND hash IN ({_marks(part)})"
        found.update(store.connection.execute(sql, (model, dimension, *part)))
    empty = bytes(2 * dimension)
    joined = b"".join(found.get(key, empty) for key in hashes)
    return np.frombuffer(joined, dtype="<f2").reshape(len(hashes), dimension)


def read_space(store: Store, space: str, model: str, dimension: int) -> tuple[Ids, Halves]:
    """Return ids, ascending, and vectors of a whole space: units (chunk ids) or files (file ids)."""
    import numpy as np

    sql = (
        f"SELECT owner.id, vector.data FROM {_table(space)} AS owner JOIN vector ON vector.hash = owner.card_hash"
        " WHERE vector.model = ? AND vector.dimension = ? ORDER BY owner.id"
    )
    rows = store.connection.execute(sql, (model, dimension)).fetchall()
    ids = np.fromiter((row[0] for row in rows), dtype=np.int64, count=len(rows))
    return ids, np.frombuffer(b"".join(row[1] for row in rows), dtype="<f2").reshape(len(rows), dimension)


def read_keys(store: Store, space: str) -> tuple[Ids, NDArray[numpy.void]]:
    """Return ids, ascending, and the key of each one's vector, whether it has one or not: what a cache is compared with."""
    import numpy as np

    table = _table(space)
    sql = f"SELECT id, card_hash FROM {table} INDEXED BY {table}_card WHERE card_hash IS NOT NULL"
    rows = store.connection.execute(sql).fetchall()
    ids = np.fromiter((row[0] for row in rows), dtype=np.int64, count=len(rows))
    order = np.argsort(ids)
    return ids[order], np.frombuffer(b"".join(row[1] for row in rows), dtype="V16")[order]


def prune_vectors(connection: sqlite3.Connection, among: Iterable[bytes] | None = None) -> int:
    """Delete vectors that no card refers to, of all or `among` some; return how many."""
    unused = " AND ".join(
        f"NOT EXISTS (SELECT 1 FROM {table} WHERE card_hash = vector.hash)" for table in SPACES.values()
    )
    if among is None:
        return connection.execute(f"DELETE FROM vector WHERE {unused}").rowcount
    return connection.executemany(f"DELETE FROM vector WHERE hash = ? AND {unused}", ((key,) for key in among)).rowcount


def generation(store: Store) -> int:
    """Return the number that the cache files of the present vectors carry."""
    return int(read_meta(store, "vectors_generation", "0"))


def bump_generation(connection: sqlite3.Connection) -> int:
    """Declare all cache files stale and return the new number."""
    row = connection.execute("SELECT value FROM index_meta WHERE key = 'vectors_generation'").fetchone()
    number = int(row[0]) + 1 if row is not None else 1
    write_meta(connection, vectors_generation=str(number))
    return number


def _table(space: str) -> str:
    if space not in SPACES:
        raise BadInput(f"unknown vector space: {space}", f"known are {', '.join(sorted(SPACES))}")
    return SPACES[space]


def _parts(keys: list[bytes]) -> Iterator[list[bytes]]:
    for begin in range(0, len(keys), QUERY_KEYS):
        yield keys[begin : begin + QUERY_KEYS]


def _marks(part: Sequence[bytes]) -> str:
    return ",".join("?" * len(part))
