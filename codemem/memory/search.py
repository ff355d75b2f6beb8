"""Search the memories: scope first, then the union of the arms, weighted fusion, small boosts, and a threshold only if asked for."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from codemem.errors import BadQuery, CodememError
from codemem.memory.dense import dense_scores
from codemem.memory.identity import now_ms
from codemem.memory.ranking import Lexical, score
from codemem.memory.requests import MemoryQuery, check_query
from codemem.memory.stores import Stores
from codemem.memory.words import question_terms
from codemem.store.memories import Condition, find, find_ids, partitions, visible
from codemem.types import Memory, Scope

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from codemem.embed import Embedder
    from codemem.store import Store

RRF_K = 20
WEIGHTS = {"words": 2.0, "conversation": 1.0, "dense": 1.0}
"""Weighted reciprocal ranks; plain 1:1 with k = 60 ranks dialogue worse than words alone (LoCoMo recall@10 0.558 against 0.621)."""
ARM_DEPTH = 400
"""Candidates of an arm; recall beyond that does not move the first page."""
RECENCY_HALF_LIFE_MS = 90 * 86_400_000
MOST_RECENCY = 0.2
MOST_IMPORTANCE = 0.1
"""Boosts multiply by at most 1 + this; they order equals and never hide anything."""
CANDIDATE_FACTOR = 0.9
"""A memory nobody has confirmed ranks a little below one that somebody has."""
VERIFY_BATCH = 100
NEUTRAL_IMPORTANCE = 5


@dataclass(frozen=True, slots=True)
class MemoryHit:
    """One answer: the memory, its score (0 to 1, comparable within one search) and where it came from."""

    memory: Memory
    score: float
    similarity: float
    """What --min-score compares: the higher of the cosine and the share of the question's words that it holds."""
    why: dict[str, float]
    keyword_only: bool = False


@dataclass(frozen=True, slots=True)
class MemoryResult:
    hits: tuple[MemoryHit, ...]
    below_minimum: int = 0
    skipped_model_mismatch: int = 0
    pending_vectors: int = 0
    semantic: bool = True
    degraded: tuple[str, ...] = ()
    total: int = 0
    """Memories that matched, before the page was cut."""


def search_memories(
    stores: Stores, query: MemoryQuery, scope: Scope, embedder: Embedder | None = None
) -> MemoryResult:
    """Return the memories that answer `query`, best first.

    `embedder` None, or mode "keyword", loads and compares no vectors. A model that fails costs its arm, not the answer.
    """
    check_query(query)
    if not query.text.strip():
        raise BadQuery("the question is empty", "give a few words, or list everything with `codemem memory list`")
    vector, degraded = _question_vector(query, embedder)
    found: list[MemoryHit] = []
    skipped = pending = 0
    for store in stores:
        if query.visibility and store is not stores.of(query.visibility):
            continue
        hits, mismatched, missing = _search_store(store, query, scope, embedder if vector is not None else None, vector)
        found += hits
        skipped += mismatched
        pending += missing
    ordered = _collapse(sorted(found, key=lambda hit: (-hit.score, hit.memory.visibility != "project", -hit.memory.created_at, hit.memory.uuid)))
    kept = [hit for hit in ordered if query.min_score is None or hit.keyword_only or hit.similarity >= query.min_score]
    page = kept[query.offset : query.offset + query.limit]
    semantic = embedder is None or embedder.semantic
    return MemoryResult(
        tuple(page), len(ordered) - len(kept), skipped, pending, semantic, (*stores.degraded, *degraded), len(kept)
    )


def _question_vector(query: MemoryQuery, embedder: Embedder | None) -> tuple[npt.NDArray[np.float32] | None, tuple[str, ...]]:
    if query.mode == "keyword" or embedder is None:
        return None, ()
    try:
        row = embedder.embed_prose_queries([query.text])[0]
    except CodememError as error:
        return None, (f"{embedder.model}: {error.message}; searched by words alone",)
    return (row if row.any() else None), ()


def _search_store(
    store: Store,
    query: MemoryQuery,
    scope: Scope,
    embedder: Embedder | None,
    vector: npt.NDArray[np.float32] | None,
) -> tuple[list[MemoryHit], int, int]:
    closed = query.include_superseded or query.as_of is not None
    readable = partitions(store, scope, closed)
    if not readable:
        return [], 0, 0
    ranks: dict[int, float] = {}
    why: dict[int, dict[str, float]] = {}
    similar: dict[int, float] = {}
    terms = question_terms(query.text)
    lexical = score(store, readable, terms) if terms and query.mode != "vector" else None
    if lexical is not None:
        for number, value in _best(lexical.own):
            why.setdefault(number, {})["words"] = round(value, 4)
            similar[number] = float(lexical.share[number])
        _add_ranks(ranks, [number for number, _ in _best(lexical.own)], WEIGHTS["words"])
        if lexical.conversation is not None:
            _add_conversations(ranks, why, lexical)
    mismatched = missing = 0
    with_vector: set[int] = set()
    if vector is not None and embedder is not None:
        dense, mismatched, missing = dense_scores(store, scope, readable, vector, embedder)
        for number, value in dense[:ARM_DEPTH]:
            with_vector.add(number)
            why.setdefault(number, {})["dense"] = round(value, 4)
            similar[number] = max(similar.get(number, 0.0), value)
        _add_ranks(ranks, [number for number, _ in dense[:ARM_DEPTH]], WEIGHTS["dense"])
    hits = _verified(store, query, scope, ranks, why, similar, with_vector)
    if not hits and query.mode != "vector":
        hits = _literal(store, query, scope)
    return hits, mismatched, missing


def _best(values: npt.NDArray[np.float64]) -> list[tuple[int, float]]:
    """Return (number, score) of the best positive scores, ties by number."""
    import numpy as np

    positive = np.flatnonzero(values > 0)
    if len(positive) > ARM_DEPTH:
        positive = positive[np.argpartition(-values[positive], ARM_DEPTH - 1)[:ARM_DEPTH]]
    order = np.lexsort((-positive, -values[positive]))
    return [(int(positive[place]), float(values[positive[place]])) for place in order]


def _add_ranks(ranks: dict[int, float], numbers: Sequence[int], weight: float) -> None:
    for rank, number in enumerate(numbers, 1):
        ranks[number] = ranks.get(number, 0.0) + weight / (RRF_K + rank)


def _add_conversations(ranks: dict[int, float], why: dict[int, dict[str, float]], lexical: Lexical) -> None:
    """Add the rank of the conversation a turn belongs to; all its turns share it, so only nominated ones gain."""
    assert lexical.conversation is not None
    values = {number: float(lexical.conversation[number]) for number in ranks if lexical.conversation[number] > 0}
    place = {value: rank for rank, value in enumerate(sorted(set(values.values()), reverse=True), 1)}
    for number, value in values.items():
        ranks[number] += WEIGHTS["conversation"] / (RRF_K + place[value])
        why[number]["conversation"] = round(value, 4)


def _verified(
    store: Store,
    query: MemoryQuery,
    scope: Scope,
    ranks: dict[int, float],
    why: dict[int, dict[str, float]],
    similar: dict[int, float],
    with_vector: set[int],
) -> list[MemoryHit]:
    """Turn ranked numbers into hits: rows that the scope may see and the filters let through, with their boosts."""
    best_possible = sum(WEIGHTS.values()) / (RRF_K + 1)
    condition = visible(scope) & filters(query)
    hits: list[MemoryHit] = []
    numbers = sorted(ranks, key=lambda number: (-ranks[number], -number))
    # Boosts reach 32 %: what ranks far below the page cannot come up.
    wanted = (query.offset + query.limit) * 3 + VERIFY_BATCH
    for start in range(0, len(numbers), VERIFY_BATCH):
        for number, memory in find_ids(store, condition, numbers[start : start + VERIFY_BATCH]).items():
            boost = boosts(memory, now_ms())
            value = min(ranks[number] / best_possible * boost, 1.0)
            shown = {**why.get(number, {}), "boost": round(boost, 4)}
            hits.append(MemoryHit(memory, round(value, 6), round(similar.get(number, 0.0), 4), shown, number not in with_vector))
        if len(hits) >= wanted:
            break
    return hits


def filters(query: MemoryQuery) -> Condition:
    """Return the part of the WHERE clause that the question asks for (visibility comes from `visible`)."""
    parts = [_lifetime(query)]
    for column, values in (
        ("type", query.types), ("source", query.sources), ("symbol", query.symbols), ("key", query.keys),
    ):  # fmt: skip
        if values:
            parts.append(Condition(f"memory.{column} IN ({', '.join('?' * len(values))})", tuple(values)))
    condition = parts[0]
    for part in parts[1:]:
        condition = condition & part
    return condition


def _lifetime(query: MemoryQuery) -> Condition:
    """Select what holds now, or at `as_of`; a fact without a given start holds since it was recorded."""
    if query.as_of is not None:
        return Condition(
            "memory.status <> 'deleted' AND COALESCE(memory.valid_from, memory.created_at) <= ?"
            " AND COALESCE(memory.valid_to, memory.superseded_at, ?) > ?",
            (query.as_of, query.as_of + 1, query.as_of),
        )
    if query.include_superseded:
        return Condition("memory.status <> 'deleted'")
    return Condition("memory.status IN ('active', 'candidate') AND (memory.valid_to IS NULL OR memory.valid_to > ?)", (now_ms(),))


def boosts(memory: Memory, now: int) -> float:
    """Return the factor of importance, recency and confirmation."""
    importance = 1 + MOST_IMPORTANCE * max(memory.importance - NEUTRAL_IMPORTANCE, 0) / (10 - NEUTRAL_IMPORTANCE)
    age = max(now - (memory.updated_at if not memory.raw else memory.created_at), 0)
    recency = 1 + MOST_RECENCY * math.exp2(-age / RECENCY_HALF_LIFE_MS)
    return importance * recency * (CANDIDATE_FACTOR if memory.status == "candidate" else 1.0)


def _literal(store: Store, query: MemoryQuery, scope: Scope) -> list[MemoryHit]:
    """Find the question as it is written, for those that hold no indexable word ("*", "a AND")."""
    text = query.text.strip()
    condition = visible(scope) & filters(query) & Condition("instr(lower(memory.content), lower(?)) > 0", (text,))
    rows = find(store, condition, order="memory.id DESC", limit=query.offset + query.limit)
    return [MemoryHit(memory, 0.5, 1.0, {"literal": 1.0}, True) for memory in rows]


def _collapse(hits: Sequence[MemoryHit]) -> list[MemoryHit]:
    """Show a text once when it stands in project and global: the project's row wins, at the better place."""
    place: dict[tuple[str, str], int] = {}
    result: list[MemoryHit] = []
    for hit in hits:
        key = (hit.memory.content_hash, hit.memory.uuid if hit.memory.raw else "")
        if key not in place:
            place[key] = len(result)
            result.append(hit)
        elif hit.memory.visibility == "project" and result[place[key]].memory.visibility == "global":
            result[place[key]] = replace(hit, score=result[place[key]].score)
    return result
