"""The second half of a run: cards, lexical documents and vectors of every chunk that has none that holds.

`chunk.segment IS NULL` is the work list. It stands in the store, so what a killed run left undone is done by the next.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from codemem.card import interface_card
from codemem.errors import ProviderError
from codemem.indexing.progress import Stages
from codemem.roles import is_test
from codemem.store import Store
from codemem.store.code import FileRow, chunks_by_id, read_files, set_card_hashes
from codemem.types import Chunk, ParsedFile, Problem

if TYPE_CHECKING:
    from codemem.card import Card
    from codemem.embed import Embedder, FileCard
    from codemem.lexical import Document

MEMBER_KINDS = frozenset({"constant", "field"})
BATCH_DOCUMENTS = 8_000
BATCH_CHARACTERS = 8_000_000
"""A segment ends at whichever comes first: large enough that merging is rare, small enough to hold in memory."""


@dataclass(slots=True)
class Documents:
    """What the second half did."""

    embedded: int = 0
    reused: int = 0
    problems: list[Problem] = field(default_factory=list)


@dataclass(slots=True)
class _Batch:
    """Documents and cards on their way into one transaction."""

    documents: list[Document] = field(default_factory=list)
    unit_cards: dict[int, Card] = field(default_factory=dict)
    file_cards: dict[int, FileCard] = field(default_factory=dict)
    characters: int = 0


def write_documents(
    store: Store,
    work: Sequence[tuple[int, frozenset[int]]],
    embedder: Embedder | None,
    stages: Stages,
    lexical: bool = True,
) -> Documents:
    """Write documents and vectors of the chunks in `work`, pairs of file id and chunk ids, in order of path.

    Without `embedder` cards get no key and no vector. With `lexical=False` only cards and vectors are renewed.
    """
    done = Documents()
    total = sum(len(ids) for _, ids in work)
    finished = 0
    for batch in _batches(store, work, stages, with_documents=lexical):
        _write(store, batch, embedder, stages, done)
        finished += max(len(batch.documents), len(batch.unit_cards))
        stages.tell("embed", finished, total)
    return done


def unit_has_card(chunk: Chunk) -> bool:
    """Say whether a chunk gets a vector of its own: whole definitions outside tests (measured: test cards hurt).

    Fields and constants inside another unit get none: there are as many as of everything else, and the unit names them.
    """
    return chunk.part == 0 and not (chunk.kind in MEMBER_KINDS and not chunk.spans) and not is_test(chunk.path)


def _batches(
    store: Store, work: Sequence[tuple[int, frozenset[int]]], stages: Stages, with_documents: bool
) -> Iterator[_Batch]:
    batch = _Batch()
    rows = {row.id: row for row in read_files(store.connection, [file_id for file_id, _ in work])}
    done, total = 0, sum(len(ids) for _, ids in work)
    for file_id, wanted in work:
        stages.tell("lexical", done, total)
        done += len(wanted)
        with stages.stage("lexical"):
            _add_file(store, batch, rows[file_id], wanted, with_documents)
        if max(len(batch.documents), len(batch.unit_cards)) >= BATCH_DOCUMENTS or batch.characters >= BATCH_CHARACTERS:
            yield batch
            batch = _Batch()
    if batch.documents or batch.unit_cards or batch.file_cards:
        yield batch


def _add_file(store: Store, batch: _Batch, row: FileRow, wanted: frozenset[int], with_documents: bool) -> None:
    """Build the cards and documents of one file's wanted chunks."""
    from codemem.embed import file_card
    from codemem.lexical import document
    from codemem.resolve import shown_calls
    from codemem.store.graph import read_calls, read_contract

    chunks = chunks_by_id(store.connection, row.id, with_text=with_documents)
    calls = read_calls(store.connection, wanted)
    contracts = read_contract(store.connection, wanted)
    first = min(chunks, default=0)
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


def _write(store: Store, batch: _Batch, embedder: Embedder | None, stages: Stages, done: Documents) -> None:
    """Embed what the store has no vector for, then write all of the batch at once."""
    from codemem.indexing.compaction import add_documents
    from codemem.store.vectors import put_vectors

    with stages.stage("embed"):
        keys, fresh, matrix = _embedded(store, batch, embedder, done)
    with store.transaction() as connection:
        if batch.documents:
            with stages.stage("lexical"):
                add_documents(connection, batch.documents)
        if embedder is not None:
            with stages.stage("store"):
                units = [(keys.get(("unit", number)), number) for number in batch.unit_cards]
                files = [(keys.get(("file", number)), number) for number in batch.file_cards]
                set_card_hashes(connection, units, files)
                if fresh:
                    put_vectors(connection, embedder.model, fresh, matrix)


def _embedded(
    store: Store, batch: _Batch, embedder: Embedder | None, done: Documents
) -> tuple[dict[tuple[str, int], bytes], list[bytes], Any]:
    """Return the key of every card, and keys and vectors of those that had none; a provider that fails is a problem."""
    if embedder is None or not (batch.unit_cards or batch.file_cards):
        return {}, [], None
    from codemem.embed import usable, vector_key
    from codemem.store.vectors import missing_hashes

    cards: dict[tuple[str, int], Card | FileCard] = {
        ("unit", number): card for number, card in batch.unit_cards.items()
    }
    cards |= {("file", number): card for number, card in batch.file_cards.items()}
    keys = {place: vector_key(card, embedder.model) for place, card in cards.items()}
    by_key = {key: cards[place] for place, key in keys.items()}
    missing = missing_hashes(store, by_key, embedder.model)
    fresh = [key for key in by_key if key in missing]
    done.reused += len(keys) - len(fresh)
    if not fresh:
        return keys, [], None
    try:
        matrix = embedder.embed_cards([by_key[key] for key in fresh])
    except ProviderError as error:
        if not done.problems:
            done.problems.append(Problem(".", "embed", error.message))
        return keys, [], None
    mask = usable(matrix)
    done.embedded += len(fresh)
    return keys, [key for key, good in zip(fresh, mask, strict=True) if good], matrix[mask]
