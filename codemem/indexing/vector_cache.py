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


def write_caches(store: Store, model: str, dimension: int) -> None:
    """Write the cache files of the store's present generation, from the newest ones there are."""
    from codemem.store.vectors import generation

    number = generation(store)
    for space in SPACES:
        _current_index(store, space, model, dimension).save(store.path.parent, space, number)


def caches_missing(store: Store, dimension: int) -> bool:
    """Say whether a killed run or a person left the store without its cache files."""
    from codemem.store.vectors import generation
    from codemem.vectors import open_index

    number = generation(store)
    return any(open_index(store.path.parent, space, number, dimension) is None for space in SPACES)


def _current_index(store: Store, space: str, model: str, dimension: int) -> VectorIndex:
    """Return the newest cache brought up to date block by block, so that memory holds one block of vectors."""
    import numpy as np

    from codemem.store.vectors import read_keys, read_vectors
    from codemem.vectors import build_index, newest_index

    ids, keys = read_keys(store, space, model, dimension)
    index = newest_index(store.path.parent, space, dimension)
    if index is None:
        index = build_index(ids[:0], np.zeros((0, dimension), dtype=np.float16), keys[:0])
    gone, new = index.difference(ids, keys)
    index.remove(gone)
    # Both are ascending: the keys of the new ids stand where the ids do.
    places = ids.searchsorted(new)
    for start in range(0, len(new), BLOCK_ROWS):
        block = places[start : start + BLOCK_ROWS]
        matrix = read_vectors(store, [key.tobytes() for key in keys[block]], model, dimension)
        index.add(ids[block], matrix, keys[block])
    return index
