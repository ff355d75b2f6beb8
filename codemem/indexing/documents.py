"""The second half of a run: cards, lexical documents and vectors of every chunk that has none that holds.

`chunk.segment IS NULL` is the work list. It stands in the store, so what a killed run left undone is done by the next.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

from codemem.errors import ProviderError
from codemem.indexing.gathering import Gathered, Wanted, gather, gather_slices, slices
from codemem.indexing.progress import Stages
from codemem.store import Store
from codemem.store.code import set_card_hashes
from codemem.types import Problem

if TYPE_CHECKING:
    from codemem.card import Card
    from codemem.embed import Embedder, FileCard

PAYS_CHUNKS = 8_000
"""Chunks below which workers do not pay: a second and a half of analysis against their start."""
AHEAD = 2
"""Segments per worker that wait to be written: each is some 20 MB with its cards."""


@dataclass(slots=True)
class Documents:
    """What the second half did."""

    embedded: int = 0
    reused: int = 0
    problems: list[Problem] = field(default_factory=list)


def write_documents(
    store: Store,
    work: Sequence[Wanted],
    embedder: Embedder | None,
    stages: Stages,
    lexical: bool = True,
    jobs: int = 1,
) -> Documents:
    """Write documents and vectors of the chunks in `work`, in order of path; `jobs` as for parsing.

    Without `embedder` cards get no key and no vector. With `lexical=False` only cards and vectors are renewed.
    """
    done = Documents()
    total = sum(len(ids) for _, ids in work)
    finished = 0
    batches = _gathered(store, work, lexical, jobs if total >= PAYS_CHUNKS else 1)
    while True:
        stages.tell("lexical", finished, total)
        with stages.stage("lexical"):
            batch = next(batches, None)
        if batch is None:
            return done
        _write(store, batch, embedder, stages, done)
        finished += batch.chunks
        stages.tell("embed", finished, total)


def _gathered(store: Store, work: Sequence[Wanted], lexical: bool, jobs: int) -> Iterator[Gathered]:
    """Yield what is to be written, from worker processes where these help; the same either way."""
    from codemem.workers import Crew, worker_count

    count = worker_count(jobs)
    if count == 1 or not lexical:
        yield from chain.from_iterable(gather(store.connection, part, lexical) for part in slices(work))
        return
    here = partial(_gather_here, store)
    with Crew(count) as crew:
        yield from crew.run(
            ([part] for part in slices(work)), partial(gather_slices, str(store.path)), here, window=AHEAD
        )


def _gather_here(store: Store, work: Sequence[Sequence[Wanted]]) -> list[Gathered]:
    return [gathered for part in work for gathered in gather(store.connection, part, True)]


def _write(store: Store, batch: Gathered, embedder: Embedder | None, stages: Stages, done: Documents) -> None:
    """Embed what the store has no vector for, then write all of the batch at once."""
    from codemem.indexing.compaction import add_segment
    from codemem.store.vectors import put_vectors

    with stages.stage("embed"):
        keys, fresh, matrix = _embedded(store, batch, embedder, done)
    with store.transaction() as connection:
        if batch.segment is not None:
            with stages.stage("lexical"):
                add_segment(connection, batch.segment, batch.chunk_ids)
        if embedder is not None:
            with stages.stage("store"):
                units = [(keys.get(("unit", number)), number) for number in batch.unit_cards]
                files = [(keys.get(("file", number)), number) for number in batch.file_cards]
                set_card_hashes(connection, units, files)
                if fresh:
                    put_vectors(connection, embedder.model, fresh, matrix)


def _embedded(
    store: Store, batch: Gathered, embedder: Embedder | None, done: Documents
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
