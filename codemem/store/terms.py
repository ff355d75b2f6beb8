"""The lexical index of memories: postings in blocks that grow by one entry per added document.

Document numbers are memory ids, unique over all partitions of a store; `number >> 9` is the block, the low 9 bits the
place in it. Adding a document rewrites one small blob per term (at most 2 KB), so it costs the same at any size.
"""

from __future__ import annotations

import sqlite3
import struct
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from codemem.store.connection import Store

    Ints = npt.NDArray[np.int64]

BLOCK_BITS = 9
BLOCK_SIZE = 1 << BLOCK_BITS
"""512 documents: a full block of a frequent term is 2 KB, half a page; smaller ones mean more rows to read."""
LARGEST = 0xFFFF
"""Frequencies and lengths are uint16 and saturate."""
ENTRY = struct.Struct("<HH")


class Documents(NamedTuple):
    """Arrays over document numbers 0 … n-1 (a gap has length 0)."""

    lengths: Ints
    parents: Ints


def add_document(
    connection: sqlite3.Connection, partition: int, number: int, terms: Mapping[str, int], parent: int = 0
) -> None:
    """Enter a document: its term frequencies, its length and the conversation it belongs to."""
    block, place = number >> BLOCK_BITS, number & (BLOCK_SIZE - 1)
    for term, frequency in sorted(terms.items()):
        entry = ENTRY.pack(place, min(frequency, LARGEST))
        connection.execute(
            "INSERT INTO memory_posting VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET data = CAST(data || excluded.data AS BLOB)",
            (partition, term, block, entry),
        )
    _write_place(connection, partition, number, min(max(sum(terms.values()), 1), LARGEST), parent)


def remove_document(connection: sqlite3.Connection, partition: int, number: int, terms: Sequence[str]) -> None:
    """Take a document out; `terms` are those it was entered with."""
    block, place = number >> BLOCK_BITS, number & (BLOCK_SIZE - 1)
    for term in sorted(set(terms)):
        key = (partition, term, block)
        row = connection.execute(
            "SELECT data FROM memory_posting WHERE partition = ? AND term = ? AND block = ?", key
        ).fetchone()
        if row is None:
            continue
        kept = b"".join(ENTRY.pack(*entry) for entry in ENTRY.iter_unpack(row[0]) if entry[0] != place)
        if kept:
            connection.execute(
                "UPDATE memory_posting SET data = ? WHERE partition = ? AND term = ? AND block = ?", (kept, *key)
            )
        else:
            connection.execute("DELETE FROM memory_posting WHERE partition = ? AND term = ? AND block = ?", key)
    _write_place(connection, partition, number, 0, 0)


def read_documents(store: Store, partitions: Sequence[int]) -> Documents:
    """Return length and conversation of every document of these partitions."""
    import numpy as np

    rows = store.connection.execute(
        f"SELECT block, lengths, parents FROM memory_block WHERE partition IN ({_marks(partitions)}) ORDER BY block",
        tuple(partitions),
    ).fetchall()
    size = (max(row[0] for row in rows) + 1) * BLOCK_SIZE if rows else 0
    lengths = np.zeros(size, np.int64)
    parents = np.zeros(size, np.int64)
    for block, some_lengths, some_parents in rows:
        start = block * BLOCK_SIZE
        # Partitions share blocks but never a place, so adding merges them.
        lengths[start : start + BLOCK_SIZE] += np.frombuffer(some_lengths, "<u2")
        if some_parents:
            parents[start : start + BLOCK_SIZE] += np.frombuffer(some_parents, "<u4")
    return Documents(lengths, parents)


def read_postings(store: Store, partitions: Sequence[int], term: str) -> tuple[Ints, Ints]:
    """Return the documents of these partitions that hold `term`, and how often."""
    import numpy as np

    rows = store.connection.execute(
        f"SELECT block, data FROM memory_posting WHERE term = ? AND partition IN ({_marks(partitions)})",
        (term, *partitions),
    ).fetchall()
    if not rows:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    entries = np.frombuffer(b"".join(row[1] for row in rows), "<u2").reshape(-1, 2).astype(np.int64)
    sizes = [len(row[1]) // ENTRY.size for row in rows]
    blocks = np.repeat(np.array([row[0] for row in rows], np.int64), sizes)
    return entries[:, 0] + blocks * BLOCK_SIZE, entries[:, 1]


def count_entries(store: Store, partitions: Sequence[int], term: str) -> int:
    """Return in how many documents `term` stands, without reading them."""
    row = store.connection.execute(
        f"SELECT TOTAL(length(data)) FROM memory_posting WHERE term = ? AND partition IN ({_marks(partitions)})",
        (term, *partitions),
    ).fetchone()
    return int(row[0]) // ENTRY.size


def max_number(store: Store) -> int:
    """Return the highest document number, an upper bound of how many there are."""
    row = store.connection.execute("SELECT MAX(id) FROM memory").fetchone()
    return int(row[0] or 0)


def conversation_number(connection: sqlite3.Connection, tenant: str, session: str) -> int:
    """Return the number under which a conversation's turns are grouped; 0 for none."""
    if not session:
        return 0
    connection.execute("INSERT OR IGNORE INTO memory_parent (tenant, session) VALUES (?, ?)", (tenant, session))
    row = connection.execute(
        "SELECT id FROM memory_parent WHERE tenant = ? AND session = ?", (tenant, session)
    ).fetchone()
    return int(row[0])


def _write_place(connection: sqlite3.Connection, partition: int, number: int, length: int, parent: int) -> None:
    block, place = number >> BLOCK_BITS, number & (BLOCK_SIZE - 1)
    row = connection.execute(
        "SELECT lengths, parents FROM memory_block WHERE partition = ? AND block = ?", (partition, block)
    ).fetchone()
    lengths = bytearray(row[0]) if row else bytearray(2 * BLOCK_SIZE)
    parents = bytearray(row[1]) if row else bytearray()
    struct.pack_into("<H", lengths, 2 * place, length)
    if parent and not parents:
        parents = bytearray(4 * BLOCK_SIZE)
    if parents:
        struct.pack_into("<I", parents, 4 * place, parent)
    connection.execute(
        "INSERT OR REPLACE INTO memory_block VALUES (?, ?, ?, ?)", (partition, block, bytes(lengths), bytes(parents))
    )


def _marks(values: Sequence[int]) -> str:
    return ", ".join("?" * len(values))
