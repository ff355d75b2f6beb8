"""Keep the memories whole: fill in missing vectors, look for faults, and say what cosines of this store mean."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from codemem.errors import BadInput, CodememError
from codemem.identity import now_ms
from codemem.memory.remembering import embedded_text
from codemem.memory.stores import Stores
from codemem.memory.words import memory_terms
from codemem.store.checks import MemoryFault, memory_faults, posting_faults, reindex_document
from codemem.store.memories import Condition, each, find_ids, visible
from codemem.store.memory_vectors import coverage, put_vector, vectors_after, without_vector
from codemem.types import Memory, Scope

if TYPE_CHECKING:
    from codemem.embed import Embedder
    from codemem.store import Store
    from codemem.store.memory_vectors import Vector

REBUILD_BATCH = 64
"""Texts sent to the model at once; each batch is one transaction, so an interrupted rebuild keeps what it has done."""
SAMPLED_PAIRS = 2_000
MOST_COMPARED = 2_000
"""Vectors compared with each other for nearest pairs: 2,000 are four million cosines, a tenth of a second."""
QUANTILES = (0.5, 0.9, 0.95, 0.99, 0.999)
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


def find_faults(stores: Stores, embedder: Embedder | None = None) -> list[MemoryFault]:
    """Look for what does not fit together: orphans, half-written rows, postings, vectors by cause, broken chains."""
    faults: list[MemoryFault] = []
    for store in stores:
        faults += memory_faults(store)
        faults += posting_faults(store, _documents(store))
        if embedder is not None:
            counted = coverage(store, Condition("1"), embedder.model, embedder.dimension)
            for cause, number in (
                ("missing", counted.missing),
                ("stale", counted.stale),
                ("other model", counted.other_model),
            ):
                if number:
                    text = (
                        f"{number} memories have no usable {embedder.model} vector ({cause}): `codemem memory rebuild`"
                    )
                    faults.append(MemoryFault("vectors", text, False))
    return faults


def mend(stores: Stores) -> int:
    """Write the postings of every memory anew and remove what refers to nothing; return how many documents were written."""
    written = 0
    for store in stores:
        with store.transaction(durable=True) as connection:
            written += reindex_document(connection, ((memory, memory_terms(memory)) for memory in _all(store)))
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
    now = now_ms()
    with store.transaction(durable=True) as connection:
        still = find_ids(store, Condition("1"), [memory.id for memory in batch])
        for memory, row in zip(batch, rows, strict=True):
            if memory.id in still and still[memory.id].content_hash == memory.content_hash:
                put_vector(connection, memory, embedder.model, row, now)
            result.done += 1


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
