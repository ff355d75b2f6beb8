"""What a repository's index holds, in numbers."""

from __future__ import annotations

import os
from dataclasses import dataclass

from codemem.store.connection import Store
from codemem.store.files import count_rows
from codemem.store.index_layer import read_meta

CHUNK_KINDS = frozenset(
    ("block", "class", "constant", "enum", "field", "function", "interface", "macro", "method", "module", "section", "type")
)  # fmt: skip
"""What a chunk can be: the definitions that grammars capture, modules and sections of documents."""
STORE_ENDINGS = ("", "-wal", "-shm")
"""A database in WAL mode is up to three files."""


@dataclass(frozen=True, slots=True)
class IndexCounts:
    """The size of an index and what it was made with."""

    files: int
    chunks: int
    skipped: int
    problems: int
    commit: str
    indexed_at: str
    embedder: str
    dimension: int


def count_index(store: Store) -> IndexCounts:
    """Count the rows of the index layer."""
    return IndexCounts(
        **count_rows(store),
        commit=read_meta(store, "commit"),
        indexed_at=read_meta(store, "indexed_at"),
        embedder=read_meta(store, "embedder"),
        dimension=int(read_meta(store, "dimension") or 0),
    )


def known_kinds(store: Store) -> list[str]:
    """List the kinds that chunks have: those of every language, and whatever else stands in this index."""
    found = {str(kind) for (kind,) in store.connection.execute("SELECT DISTINCT kind FROM chunk")}
    return sorted(found.union(CHUNK_KINDS))


def size_bytes(store: Store) -> int:
    """Return the bytes of the database and its caches on disk."""
    total = 0
    for ending in STORE_ENDINGS:
        try:
            total += os.stat(f"{store.path}{ending}").st_size  # noqa: PTH116  no Path per question
        except OSError:
            continue
    return total + sum(file.stat().st_size for file in store.path.parent.glob("vectors-*"))
