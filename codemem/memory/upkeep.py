"""Keep the memories whole: fill in missing vectors, look for faults, and say what cosines of this store mean."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from codemem.errors import BadInput, CodememError
from codemem.identity import now_ms
from codemem.memory.remembering import embedded_text
from codemem.memory.rows import begin_history
from codemem.memory.stores import Stores
from codemem.memory.words import memory_terms
from codemem.store.checks import MemoryFault, memory_faults, posting_faults, reindex_document
from codemem.store.memories import Condition, count, each, find, find_ids, visible
from codemem.store.memory_vectors import count_vectors, coverage, put_vector, vectors_after, without_vector
from codemem.store.migrations import has_memory
from codemem.types import Memory, Scope

if TYPE_CHECKING:
    from codemem.embed import Embedder
    from codemem.store import Store
    from codemem.store.memory_vectors import Vector

REBUILD_BATCH = 64
"""Texts sent to the model at once; each batch is one transaction, so an interrupted rebuild keeps what it has done."""
FILL_WINDOW = 64
"""Memories that one `memory add` looks at for a missing vector, a window further at each: half a millisecond."""
MOST_FILLED = 1_024
"""Memories that one `index` run embeds beside its own work: after a change of model a few runs fill everything in."""
SAMPLED_PAIRS = 2_000
MOST_COMPARED = 2_000
"""Vectors compared with each other for nearest pairs: 2,000 are four million cosines, a tenth of a second."""
QUANTILES = (0.5, 0.9, 0.95, 0.99, 0.999)
WITHOUT_HISTORY = Condition("memory.uuid NOT IN (SELECT uuid FROM memory_history)")
WHICH = ("missing", "stale", "all")


@dataclass(slots=True)
class Rebuilt:
    """What a rebuild did, and which memories have no vector because the model failed on them."""

    wanted: int = 0
    done: int = 0
    failed: list[tuple[str, str]] = field(default_factory=list)
    """(uuid, message)"""


def rebuild(
    stores: Stores,
    scope: Scope,
    embedder: Embedder,
    which: str = "missing",
    progress: Callable[[int, int], None] | None = None,
) -> Rebuilt:
    """Embed the memories that have no usable vector of this model (`all`: every one); resumable at any point."""
    if which not in WHICH:
        raise BadInput(f"unknown choice: {which!r}", f"known are {', '.join(WHICH)}")
    result = Rebuilt()
    for store in stores:
        chosen = visible(scope) & _wanted(which, embedder)
        batches = list(each(store, chosen, REBUILD_BATCH))
        result.wanted += sum(map(len, batches))
        for batch in batches:
            _embed_batch(store, batch, embedder, result)
            if progress is not None:
                progress(result.done + len(result.failed), result.wanted)
    return result


def fill_in(store: Store, embedder: Embedder, most: int, around: int | None = None) -> int:
    """Embed up to `most` memories that lack a vector of this model, whoever they belong to; return how many were.

    With `around` only the FILL_WINDOW memories that this one's turn falls on are looked at: a step whose cost does not grow.
    A model that fails ends it: what is missing is said by searches and by `doctor`.
    """
    lacking = without_vector(embedder.model, embedder.dimension)
    if around is not None:
        first = around % (around // FILL_WINDOW + 1) * FILL_WINDOW
        lacking = lacking & Condition("memory.id BETWEEN ? AND ?", (first, first + FILL_WINDOW - 1))
    elif not _may_lack(store, embedder):
        return 0
    done = 0
    while done < most:
        batch = find(store, lacking, limit=min(REBUILD_BATCH, most - done), by_number=around is not None)
        if not batch:
            break
        try:
            rows = list(embedder.embed_texts([embedded_text(memory) for memory in batch]))
        except CodememError:
            break
        _put_vectors(store, batch, rows, embedder)
        done += len(batch)
    return done


def _may_lack(store: Store, embedder: Embedder) -> bool:
    """Compare two counts (50 ms at 100,000 memories) before every memory is asked for its vector."""
    current = count(store, Condition("memory.status IN ('active', 'candidate')"))
    return current > count_vectors(store, embedder.model, embedder.dimension)


def find_faults(stores: Stores, embedder: Embedder | None = None) -> list[MemoryFault]:
    """Look for what does not fit together: orphans, half-written rows, postings, vectors by cause, broken chains."""
    return [fault for store in stores for fault in store_faults(store, embedder)]


def store_faults(store: Store, embedder: Embedder | None = None) -> list[MemoryFault]:
    """Look through one store; `codemem doctor` and `codemem memory doctor` both say what this finds."""
    if not has_memory(store):
        return []
    faults = [*memory_faults(store), *posting_faults(store, _documents(store))]
    if embedder is not None:
        counted = coverage(store, Condition("1"), embedder.model, embedder.dimension)
        for cause, number in (
            ("missing", counted.missing),
            ("stale", counted.stale),
            ("other model", counted.other_model),
        ):
            if number:
                text = f"{number} memories have no usable {embedder.model} vector ({cause}): `codemem memory rebuild`"
                faults.append(MemoryFault("vectors", text, True))
    return faults


def mend(stores: Stores, embedder: Embedder | None = None) -> int:
    """Mend every store; return how many documents were written."""
    return sum(mend_store(store, embedder) for store in stores)


def mend_store(store: Store, embedder: Embedder | None = None) -> int:
    """Write the postings of every memory anew, remove what refers to nothing, begin lost histories, embed what lacks a vector."""
    lost = [memory for batch in each(store, WITHOUT_HISTORY) for memory in batch]
    with store.transaction(durable=True) as connection:
        for memory in lost:
            begin_history(connection, memory, "doctor")
        written = reindex_document(connection, ((memory, memory_terms(memory)) for memory in _all(store)))
    if embedder is not None:
        fill_in(store, embedder, most=max(written, 1))
    return written


def calibrate(stores: Stores, scope: Scope, embedder: Embedder) -> dict[str, Any]:
    """Describe the cosines of random and of nearest pairs of this store and model, and propose a minimum score."""
    import numpy as np

    matrix = _sample(stores, scope, embedder)
    if len(matrix) < 3:
        return {
            "model": embedder.model,
            "memories": len(matrix),
            "random": {},
            "nearest": {},
            "proposed_min_score": None,
        }
    cosines = matrix @ matrix.T
    np.fill_diagonal(cosines, -1.0)
    upper = cosines[np.triu_indices(len(matrix), 1)]
    random = np.random.default_rng(0).choice(upper, min(SAMPLED_PAIRS, len(upper)), replace=False)
    nearest = cosines.max(axis=1)
    # Above nearly all random pairs a cosine says something; below it is noise of this model.
    proposed = float(np.quantile(random, 0.99))
    return {
        "model": embedder.model,
        "semantic": embedder.semantic,
        "memories": len(matrix),
        "random": _quantiles(random),
        "nearest": _quantiles(nearest),
        "proposed_min_score": round(proposed, 3),
        "note": "cosines never merge memories by themselves; a minimum score is off by default",
    }


def _wanted(which: str, embedder: Embedder) -> Condition:
    current = Condition("memory.status IN ('active', 'candidate')")
    if which == "all":
        return current
    lacking = without_vector(embedder.model, embedder.dimension)
    if which == "missing":
        return lacking
    return lacking & Condition(
        "EXISTS (SELECT 1 FROM memory_vector v WHERE v.memory_id = memory.id AND v.content_hash <> memory.content_hash)"
    )


def _embed_batch(store: Store, batch: list[Memory], embedder: Embedder, result: Rebuilt) -> None:
    """Embed a batch; when the model fails on it, embed one by one, so that one bad text costs itself only."""
    try:
        rows = list(embedder.embed_texts([embedded_text(memory) for memory in batch]))
    except CodememError as error:
        if len(batch) > 1:
            for memory in batch:
                _embed_batch(store, [memory], embedder, result)
        else:
            result.failed.append((batch[0].uuid, error.message))
        return
    _put_vectors(store, batch, rows, embedder)
    result.done += len(batch)


def _put_vectors(store: Store, batch: Sequence[Memory], rows: Sequence[Vector], embedder: Embedder) -> None:
    now = now_ms()
    with store.transaction(durable=True) as connection:
        still = find_ids(store, Condition("1"), [memory.id for memory in batch])
        for memory, row in zip(batch, rows, strict=True):
            if memory.id in still and still[memory.id].content_hash == memory.content_hash:
                put_vector(connection, memory, embedder.model, row, now)


def _documents(store: Store) -> Iterator[tuple[Memory, dict[str, int]]]:
    return ((memory, dict(memory_terms(memory))) for memory in _all(store))


def _all(store: Store) -> Iterator[Memory]:
    for batch in each(store, Condition("memory.status <> 'deleted'")):
        yield from batch


def _sample(stores: Stores, scope: Scope, embedder: Embedder) -> Vector:
    import numpy as np

    found = []
    for store in stores:
        vectors = vectors_after(store, 0, embedder.model, embedder.dimension)
        current = Condition("memory.status IN ('active', 'candidate')")
        seen = find_ids(store, visible(scope) & current, [int(number) for number in vectors.numbers])
        directed = vectors.matrix.any(axis=1)
        found.append(vectors.matrix[directed & np.array([int(number) in seen for number in vectors.numbers], np.bool_)])
    matrix = np.concatenate(found) if found else np.zeros((0, embedder.dimension), np.float32)
    if len(matrix) > MOST_COMPARED:
        matrix = matrix[np.random.default_rng(0).choice(len(matrix), MOST_COMPARED, replace=False)]
    return matrix


def _quantiles(values: Any) -> dict[str, float]:
    import numpy as np

    return {f"p{100 * share:g}": round(float(np.quantile(values, share)), 3) for share in QUANTILES}
