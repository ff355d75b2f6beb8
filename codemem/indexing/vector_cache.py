"""Keep the vector caches beside the database in step with it: same generation, same ids, same keys, or built anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemem.store import Store

if TYPE_CHECKING:
    from codemem.vectors import VectorIndex

SPACES = ("files", "units")
"""Vector spaces of code: cards of files (ids are file ids) and of chunks (chunk ids)."""
BLOCK_ROWS = 20_000
"""Vectors taken over at once: 20 MB of float32 at 256 dimensions."""


def write_caches(store: Store, model: str, dimension: int) -> list[bytes] | None:
    """Write the cache files of the store's present generation, from the newest ones there are.

    Returns the keys that these had and the new ones have not, None when there was no file to compare with.
    """
    from codemem.store.vectors import generation

    number = generation(store)
    gone: list[bytes] | None = []
    for space in SPACES:
        index, lost = _current_index(store, space, model, dimension)
        index.save(store.path.parent, space, number)
        gone = None if gone is None or lost is None else gone + lost
    return gone


def caches_missing(store: Store, dimension: int) -> bool:
    """Say whether a killed run or a person left the store without its cache files."""
    from codemem.store.vectors import generation
    from codemem.vectors import open_index

    number = generation(store)
    return any(open_index(store.path.parent, space, number, dimension) is None for space in SPACES)


def _current_index(store: Store, space: str, model: str, dimension: int) -> tuple[VectorIndex, list[bytes] | None]:
    """Return the newest cache brought up to date block by block, so that memory holds one block of vectors; see above."""
    import numpy as np

    from codemem.store.vectors import read_keys, read_vectors
    from codemem.vectors import build_index, newest_index

    ids, keys = read_keys(store, space)
    newest = newest_index(store.path.parent, space, dimension)
    index = build_index(ids[:0], np.zeros((0, dimension), dtype=np.float16), keys[:0]) if newest is None else newest
    gone, new = index.difference(ids, keys)
    lost = [key.tobytes() for key in index.remove(gone)]
    # Both are ascending: the keys of the new ids stand where the ids do.
    places = ids.searchsorted(new)
    for start in range(0, len(new), BLOCK_ROWS):
        block = places[start : start + BLOCK_ROWS]
        matrix = read_vectors(store, [key.tobytes() for key in keys[block]], model, dimension)
        present = matrix.any(axis=1)  # a provider that failed has given some of them no vector
        index.add(ids[block][present], matrix[present], keys[block][present])
    return index, None if newest is None else lost
