"""Write lexical segments and keep them few: small ones are merged as they gather, dead documents are left behind."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from codemem.lexical import Arrays, SegmentData, decode_arrays, merge_arrays, merge_postings
from codemem.store import Connection, Store
from codemem.store.postings import (
    assign_segment,
    delete_segments,
    insert_segment,
    iterate_postings,
    read_segments,
    segment_sizes,
)

LEVEL_FACTOR = 4
"""Segments whose sizes lie within this factor are one level …"""
LEVEL_SEGMENTS = 4
"""… and are merged when there are this many: every document is rewritten about log4(documents) times in its life."""
MOST_DEAD_SHARE = 0.4
"""A segment with a larger share of dead documents is rewritten: they cost every query that meets them."""


def add_segment(connection: Connection, data: SegmentData, chunk_ids: Iterable[int]) -> int:
    """Write an analysed batch as a new segment and make it the home of its chunks; returns the segment's id."""
    segment = insert_segment(connection, data.documents, data.arrays, data.postings)
    assign_segment(connection, segment, chunk_ids)
    return segment


def compact_segments(store: Store) -> int:
    """Merge what should be merged, one transaction each; returns how many merges were done."""
    merges = 0
    while chosen := _choose(segment_sizes(store.connection)):
        with store.transaction() as connection:
            merge_segments(connection, chosen)
        merges += 1
    return merges


def merge_segments(connection: Connection, segments: Sequence[int]) -> None:
    """Rewrite the live documents of some segments as one; memory holds their arrays and one posting list."""
    import numpy as np

    wanted = set(segments)
    rows = [row for row in read_segments(connection) if row.id in wanted]
    parts: list[tuple[Arrays, np.ndarray[tuple[int], np.dtype[np.bool_]]]] = []
    for row in rows:
        arrays = decode_arrays(row.arrays, row.documents)
        parts.append((arrays, ~np.isin(arrays.chunk_ids, np.array(row.dead, dtype=np.uint32))))
    documents, encoded, renumbered = merge_arrays(parts)
    if documents:
        order = [row.id for row in rows]
        merged = insert_segment(
            connection, documents, encoded, merge_postings(iterate_postings(connection, order), renumbered)
        )
        alive = np.concatenate([arrays.chunk_ids[live] for arrays, live in parts])
        assign_segment(connection, merged, alive.tolist())
    delete_segments(connection, [row.id for row in rows])


def _choose(sizes: Sequence[tuple[int, int, int]]) -> list[int]:
    """Return the segments to merge next, the smallest level first; empty when all is well."""
    levels: dict[int, list[int]] = {}
    for segment, documents, dead in sizes:
        live = documents - dead
        if dead > documents * MOST_DEAD_SHARE:
            return [segment]
        level = 0
        while live > LEVEL_FACTOR ** (level + 1):
            level += 1
        levels.setdefault(level, []).append(segment)
    for level in sorted(levels):
        if len(levels[level]) >= LEVEL_SEGMENTS:
            return levels[level]
    return []
