"""Build the index anew beside the old one and put it in its place in one step: until then the old one answers.

Killed at any point, the run leaves the old index or the new one, whole; memories are in the same file and never touched.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

from codemem.store import Store, create_store, has_index, read_meta, write_meta
from codemem.store.seeding import copy_vectors, replace_index
from codemem.types import Report

GENERATION = "vectors_generation"
COMPLETE = "complete"


def is_whole(store: Store) -> bool:
    """Say whether there is an index worth keeping until its successor is complete."""
    return has_index(store) and read_meta(store, "state") == COMPLETE


def rebuild(store: Store, build: Callable[[Store], Report]) -> Report:
    """Let `build` fill a store beside `store`, vectors taken over, and make what it made the index of `store`."""
    folder = store.path.parent
    with tempfile.TemporaryDirectory(prefix="full-", dir=folder, ignore_cleanup_errors=True) as place:
        beside = Path(place) / store.path.name
        with create_store(beside) as new:
            copy_vectors(store.path, new)
            with new.transaction() as connection:
                # Cache files of the new index get numbers that none of the old one has.
                write_meta(connection, **{GENERATION: read_meta(store, GENERATION, "0")})
            report = build(new)
        replace_index(beside, store)
        for cache in sorted(Path(place).glob("vectors-*")):
            cache.replace(folder / cache.name)
    return report
