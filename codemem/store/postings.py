"""The tables of the lexical index: segments, posting lists, and which documents still count."""

from __future__ import annotations

import heapq
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from codemem.store.connection import Store

MOST_VARIABLES = 500
"""Bound values of one statement, well below SQLite's limit."""
BEYOND = "\U0010ffff"
"""Sorts after every term that starts with a given prefix."""


class SegmentRow(NamedTuple):
    """One stored segment; `dead` are the chunk ids whose documents in it no longer count."""

    id: int
    documents: int
    arrays: bytes
    dead: tuple[int, ...]


def insert_segment(
    connection: sqlite3.Connection, documents: int, arrays: bytes, postings: Iterable[tuple[str, bytes]]
) -> int:
    """Store a segment (postings sorted by term) and return its id."""
    cursor = connection.execute("INSERT INTO segment (documents, arrays) VALUES (?, ?)", (documents, arrays))
    segment = int(cursor.lastrowid or 0)
    connection.executemany(
        "INSERT INTO posting (segment, term, data) VALUES (?, ?, ?)", ((segment, term, data) for term, data in postings)
    )
    return segment


def assign_segment(connection: sqlite3.Connection, segment: int, chunk_ids: Iterable[int]) -> None:
    """Name `segment` as the home of these chunks' live documents; triggers bury the older ones."""
    connection.executemany("UPDATE chunk SET segment = ? WHERE id = ?", ((segment, chunk) for chunk in chunk_ids))


def read_segments(connection: sqlite3.Connection) -> list[SegmentRow]:
    """Return all segments in the order of their ids."""
    dead: dict[int, list[int]] = {}
    for segment, chunk in connection.execute("SELECT segment, chunk_id FROM dead"):
        dead.setdefault(segment, []).append(chunk)
    rows = connection.execute("SELECT id, documents, arrays FROM segment ORDER BY id")
    return [SegmentRow(number, documents, arrays, tuple(dead.get(number, ()))) for number, documents, arrays in rows]


def segment_sizes(connection: sqlite3.Connection) -> list[tuple[int, int, int]]:
    """Return (segment, documents, dead documents), without reading the arrays."""
    query = """SELECT id, documents, (SELECT count(*) FROM dead WHERE dead.segment = segment.id)
               FROM segment ORDER BY id"""
    return [(int(row[0]), int(row[1]), int(row[2])) for row in connection.execute(query)]


def read_postings(
    connection: sqlite3.Connection, segments: Sequence[int], terms: Iterable[str]
) -> list[tuple[str, int, bytes]]:
    """Return (term, segment, posting list) of each of the terms."""
    wanted = sorted(set(terms))
    found: list[tuple[str, int, bytes]] = []
    for start in range(0, len(wanted), MOST_VARIABLES):
        batch = wanted[start : start + MOST_VARIABLES]
        marks = ",".join("?" * len(batch))
        query = f"SELECT term, segment, data FROM posting WHERE segment = ? AND term IN ({marks})"
        for segment in segments:
            found.extend(connection.execute(query, (segment, *batch)))
    return found


def terms_with_prefix(
    connection: sqlite3.Connection, segments: Sequence[int], prefix: str, limit: int
) -> list[tuple[str, int]]:
    """Return terms that start with `prefix`, each with the bytes of its postings, at most `limit` a segment."""
    sizes: dict[str, int] = {}
    query = "SELECT term, length(data) FROM posting WHERE segment = ? AND term >= ? AND term < ? ORDER BY term LIMIT ?"
    for segment in segments:
        for term, size in connection.execute(query, (segment, prefix, prefix + BEYOND, limit)):
            sizes[term] = sizes.get(term, 0) + size
    return sorted(sizes.items())


def iterate_postings(connection: sqlite3.Connection, segments: Sequence[int]) -> Iterator[tuple[str, int, bytes]]:
    """Stream (term, position in `segments`, posting list) sorted by term, then by position."""

    def run(position: int, segment: int) -> Iterator[tuple[str, int, bytes]]:
        query = "SELECT term, data FROM posting WHERE segment = ? ORDER BY term"
        for term, data in connection.execute(query, (segment,)):
            yield term, position, data

    return heapq.merge(*(run(position, segment) for position, segment in enumerate(segments)), key=lambda row: row[:2])


def delete_segments(connection: sqlite3.Connection, segments: Sequence[int]) -> None:
    """Remove segments with their postings and dead marks; chunks must have moved before."""
    for segment in segments:
        connection.execute("DELETE FROM posting WHERE segment = ?", (segment,))
        connection.execute("DELETE FROM segment WHERE id = ?", (segment,))
        connection.execute("DELETE FROM dead WHERE segment = ?", (segment,))


def lexical_state(store: Store) -> tuple[object, ...]:
    """Return what changes whenever the lexical index does, cheap enough to ask before every query."""
    connection = store.connection
    segments = connection.execute(
        "SELECT count(*), coalesce(max(id), 0), coalesce(sum(documents), 0) FROM segment"
    ).fetchone()
    dead = connection.execute("SELECT count(*) FROM dead").fetchone()
    return (*segments, *dead)
