"""What can be wrong with the memory layer, looked for row by row, and the repair of what is derived from the rows."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from codemem.store.connection import Store
from codemem.store.faults import translated
from codemem.store.memories import partition_of, update
from codemem.store.migrations import has_memory
from codemem.store.terms import BLOCK_BITS, ENTRY, add_document, conversation_number
from codemem.types import Memory

SHOWN = 5


class MemoryFault(NamedTuple):
    """One finding; `mendable` ones are derived data that `doctor --fix` writes anew."""

    where: str
    message: str
    mendable: bool


CHECKS = (
    ("vectors", "vectors without a memory", "SELECT memory_id FROM memory_vector WHERE memory_id NOT IN (SELECT id FROM memory)"),
    ("vectors", "vectors of deleted memories",
     "SELECT memory_id FROM memory_vector JOIN memory ON memory.id = memory_id WHERE status = 'deleted'"),
    ("aliases", "wordings without a memory", "SELECT memory_id FROM memory_alias WHERE memory_id NOT IN (SELECT id FROM memory)"),
    ("anchors", "ties without a memory", "SELECT memory_id FROM memory_anchor WHERE memory_id NOT IN (SELECT id FROM memory)"),
    ("history", "memories without a history",
     "SELECT uuid FROM memory WHERE uuid NOT IN (SELECT uuid FROM memory_history)"),
    ("chain", "memories superseded by one that does not exist",
     "SELECT uuid FROM memory WHERE superseded_by IS NOT NULL AND superseded_by NOT IN (SELECT uuid FROM memory)"),
    ("chain", "superseded memories without an end",
     "SELECT uuid FROM memory WHERE status = 'superseded' AND (superseded_at IS NULL OR valid_to IS NULL)"),
    ("index", "memories outside the word index", "SELECT uuid FROM memory WHERE status <> 'deleted' AND partition IS NULL"),
    ("index", "deleted memories in the word index", "SELECT uuid FROM memory WHERE status = 'deleted' AND partition IS NOT NULL"),
)  # fmt: skip
"""(where, what, query that returns the offenders)"""


def memory_faults(store: Store) -> list[MemoryFault]:
    """Run every check of the table."""
    faults: list[MemoryFault] = []
    if not has_memory(store):
        return faults
    with translated(store.path):
        for where, what, sql in CHECKS:
            rows = [str(row[0]) for row in store.connection.execute(sql)]
            if rows:
                shown = ", ".join(rows[:SHOWN])
                faults.append(
                    MemoryFault(where, f"{len(rows)} {what}: {shown}", where in ("history", "index", "vectors"))
                )
    return faults


def posting_faults(store: Store, documents: Iterable[tuple[Memory, Mapping[str, int]]]) -> list[MemoryFault]:
    """Compare the word index with what the memories say."""
    wanted = {memory.id: dict(terms) for memory, terms in documents}
    partitions = dict(store.connection.execute("SELECT id, partition FROM memory WHERE partition IS NOT NULL"))
    have: dict[int, dict[str, int]] = {}
    wrong: set[int] = set()
    for partition, term, block, data in store.connection.execute(
        "SELECT partition, term, block, data FROM memory_posting"
    ):
        for place, frequency in ENTRY.iter_unpack(data):
            number = block << BLOCK_BITS | place
            have.setdefault(number, {})[term] = frequency
            if partitions.get(number) != partition:
                wrong.add(number)
    wrong |= {number for number in wanted.keys() | have.keys() if wanted.get(number) != have.get(number)}
    if not wrong:
        return []
    shown = ", ".join(map(str, sorted(wrong)[:SHOWN]))
    return [MemoryFault("index", f"{len(wrong)} memories differ from the word index: rows {shown}", True)]


def reindex_document(connection: sqlite3.Connection, documents: Iterable[tuple[Memory, Mapping[str, int]]]) -> int:
    """Write the whole word index anew from the rows; return how many documents it has."""
    listed = list(documents)
    for table in ("memory_posting", "memory_block"):
        connection.execute(f"DELETE FROM {table}")
    connection.execute(
        "DELETE FROM memory_vector WHERE memory_id NOT IN (SELECT id FROM memory WHERE status <> 'deleted')"
    )
    connection.execute("UPDATE memory SET partition = NULL")
    for memory, terms in listed:
        partition = partition_of(connection, memory, memory.status == "superseded")
        parent = conversation_number(connection, memory.tenant, memory.source_session) if memory.raw else 0
        add_document(connection, partition, memory.id, terms, parent)
        update(connection, memory.id, partition=partition)
    return len(listed)
