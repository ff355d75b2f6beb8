"""Choose the few memories that a new statement is judged against."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from codemem.judge import judge, similarity
from codemem.memory.ranking import rarest_terms
from codemem.memory.words import memory_terms
from codemem.store.memories import Condition, find_ids, same_range
from codemem.store.memory_vectors import vectors_of
from codemem.store.terms import max_number, read_postings
from codemem.types import Memory

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from codemem.store import Store
    from codemem.store.memory_vectors import Vector

MOST_NOMINEES = 8
"""Every verdict but "unrelated" needs half of the words in common, so the best by words hold whatever there is to find."""
POSTINGS_READ = 10_000
"""Entries read to find them: the rarest words of a statement tell it apart, the frequent ones only cost."""
COSINE_LEAST = 0.75
"""From here on "cosine" is named as what nominated a pair."""
LONGEST_STATEMENT = 2_000
"""Characters; longer texts are documents of many statements, which have no one verdict."""
SCORED_TERMS = 40


class Nominee(NamedTuple):
    """An older memory with what the judge says about it."""

    memory: Memory
    rung: str
    score: float
    verdict: str = "update_old"
    rule: str = "same key"
    evidence: str = ""
    cosine: float | None = None


def nominate(store: Store, memory: Memory, vector: Vector | None, model: str) -> list[Nominee]:
    """Return the current memories of the same range that share the statement's rarest words, each with its judgement."""
    partition = _partition(store, memory)
    if partition is None or len(memory.content) > LONGEST_STATEMENT:
        return []
    numbers = _sharing(store, partition, list(memory_terms(memory))[:SCORED_TERMS])
    if not numbers:
        return []
    current = same_range(memory) & Condition("memory.raw = 0 AND memory.status IN ('active', 'candidate')")
    memories = find_ids(store, current, numbers)
    vectors = vectors_of(store, list(memories), model, len(vector)) if vector is not None else {}
    nominees = []
    for number, old in memories.items():
        if len(old.content) > LONGEST_STATEMENT:
            continue
        cosine = float(vectors[number] @ vector) if vector is not None and number in vectors else None
        nominees.append(_judged(old, memory, cosine))
    return sorted(nominees, key=lambda nominee: (-nominee.score, nominee.memory.id))


def _sharing(store: Store, partition: int, terms: Sequence[str]) -> list[int]:
    """Return the documents that share most of the weight of the statement's rarest words.

    Entries are summed without arrays over all documents: an add must not cost what the store is large.
    """
    import numpy as np

    found: list[npt.NDArray[np.int64]] = []
    weights: list[npt.NDArray[np.float64]] = []
    total = max_number(store)
    for term in rarest_terms(store, [partition], terms, POSTINGS_READ):
        numbers, _ = read_postings(store, [partition], term)
        found.append(numbers)
        weights.append(np.full(len(numbers), np.log(1 + total / len(numbers))))
    if not found:
        return []
    numbers, places = np.unique(np.concatenate(found), return_inverse=True)
    sums = np.bincount(places.ravel(), weights=np.concatenate(weights))
    order = np.lexsort((-numbers, -sums))[:MOST_NOMINEES]
    return [int(number) for number in numbers[order]]


def _judged(old: Memory, new: Memory, cosine: float | None) -> Nominee:
    """Judge the new wording against every wording of the old fact; the one that says most counts."""
    order = {"same_fact": 0, "update_old": 1, "conflict": 2, "unrelated": 3}
    judgement = min(
        (judge(text, new.content, cosine) for text in (old.content, *old.aliases)),
        key=lambda found: order[found.verdict],
    )
    measured = similarity(old.content, new.content)
    rung = measured.rung or ("cosine" if cosine is not None and cosine >= COSINE_LEAST else "words")
    score_shown = max(measured.score, cosine or 0.0)
    return Nominee(old, rung, score_shown, judgement.verdict, judgement.rule, judgement.evidence, cosine)


def _partition(store: Store, memory: Memory) -> int | None:
    row = store.connection.execute(
        "SELECT id FROM memory_partition WHERE tenant = ? AND visibility = ? AND project_id = ? AND cube = ? AND closed = 0",
        (memory.tenant, memory.visibility, memory.project_id, memory.cube),
    ).fetchone()
    return None if row is None else int(row[0])
