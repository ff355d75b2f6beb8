"""Gather cards and lexical documents of chunks from the store: reads only, in this process or in a worker."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from codemem.card import interface_card
from codemem.roles import is_test
from codemem.store import open_store
from codemem.store.code import FileRow, chunks_by_id, read_files
from codemem.store.connection import Connection
from codemem.types import Chunk, ParsedFile

if TYPE_CHECKING:
    from codemem.card import Card
    from codemem.embed import FileCard
    from codemem.lexical import Document, SegmentData

MEMBER_KINDS = frozenset({"constant", "field"})
BATCH_DOCUMENTS = 8_000
BATCH_CHARACTERS = 8_000_000
"""A segment ends at whichever comes first: large enough that merging is rare, small enough to hold in memory."""
Wanted = tuple[int, frozenset[int]]
"""A file's id and the ids of those of its chunks that are wanted."""


class Gathered(NamedTuple):
    """What one transaction writes: a lexical segment, already analysed, and cards."""

    chunks: int
    """How many chunks this finishes."""
    chunk_ids: list[int]
    """Of the documents of the segment."""
    segment: SegmentData | None
    unit_cards: dict[int, Card]
    file_cards: dict[int, FileCard]


@dataclass(slots=True)
class _Batch:
    """Documents and cards on their way into one transaction."""

    documents: list[Document] = field(default_factory=list)
    unit_cards: dict[int, Card] = field(default_factory=dict)
    file_cards: dict[int, FileCard] = field(default_factory=dict)
    characters: int = 0
    chunks: int = 0


def slices(work: Sequence[Wanted]) -> Iterator[Sequence[Wanted]]:
    """Cut the work where the documents of one segment are full."""
    start = chunks = 0
    for end, (_, ids) in enumerate(work):
        if chunks and chunks + len(ids) > BATCH_DOCUMENTS:
            yield work[start:end]
            start, chunks = end, 0
        chunks += len(ids)
    if start < len(work):
        yield work[start:]


def gather(connection: Connection, work: Sequence[Wanted], with_documents: bool) -> list[Gathered]:
    """Build cards and documents of a slice of the work; several segments where its texts are long."""
    rows = {row.id: row for row in read_files(connection, [file_id for file_id, _ in work])}
    found: list[Gathered] = []
    batch = _Batch()
    for file_id, wanted in work:
        _add_file(connection, batch, rows[file_id], wanted, with_documents)
        if batch.characters >= BATCH_CHARACTERS:
            found.append(_gathered(batch))
            batch = _Batch()
    if batch.chunks:
        found.append(_gathered(batch))
    return found


def gather_slices(path: str, work: Sequence[Sequence[Wanted]]) -> list[Gathered]:
    """Run `gather` in a worker, on the store at `path`."""
    connection = _opened(path)
    return [gathered for part in work for gathered in gather(connection, part, True)]


@lru_cache(maxsize=1)
def _opened(path: str) -> Connection:
    gc.disable()  # millions of records, no circles; a worker ends with its work
    return open_store(Path(path)).connection


def _gathered(batch: _Batch) -> Gathered:
    from codemem.lexical import build_segment

    segment = build_segment(batch.documents) if batch.documents else None
    ids = [document.chunk_id for document in batch.documents]
    return Gathered(batch.chunks, ids, segment, batch.unit_cards, batch.file_cards)


def unit_has_card(chunk: Chunk) -> bool:
    """Say whether a chunk gets a vector of its own: whole definitions outside tests (measured: test cards hurt).

    Fields and constants inside another unit get none: there are as many as of everything else, and the unit names them.
    """
    return chunk.part == 0 and not (chunk.kind in MEMBER_KINDS and not chunk.spans) and not is_test(chunk.path)


def _add_file(
    connection: Connection, batch: _Batch, row: FileRow, wanted: frozenset[int], with_documents: bool
) -> None:
    """Build the cards and documents of one file's wanted chunks."""
    from codemem.embed import file_card
    from codemem.lexical import document
    from codemem.resolve import shown_calls
    from codemem.store.graph import read_calls, read_contract

    chunks = chunks_by_id(connection, row.id, with_text=with_documents)
    calls = read_calls(connection, wanted)
    contracts = read_contract(connection, wanted)
    first = min(chunks, default=0)
    batch.chunks += len(wanted)
    for chunk_id, chunk in chunks.items():
        if chunk_id not in wanted:
            continue
        card = interface_card(chunk, shown_calls(calls.get(chunk_id, ()), row.language), contracts.get(chunk_id, ()))
        batch.unit_cards[chunk_id] = card
        if with_documents:
            file_doc = row.doc if chunk_id == first else None
            written = document(chunk, card, chunk_id, row.id, file_doc)
            batch.documents.append(written)
            batch.characters += len(written.body) + len(written.name) + len(written.doc) + len(written.relations)
        if not unit_has_card(chunk):
            del batch.unit_cards[chunk_id]
    if first in wanted:
        batch.file_cards[row.id] = file_card(
            ParsedFile(row.path, row.language, row.sha, row.lines, tuple(chunks.values()), (), (), row.package, row.doc)
        )
