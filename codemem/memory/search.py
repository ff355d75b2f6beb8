"""Search the memories: scope first, the union of the arms, weighted fusion, small boosts; a threshold only if asked for."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from codemem.errors import BadQuery, CodememError, WrongCount
from codemem.identity import now_ms
from codemem.memory.conditions import filters
from codemem.memory.dense import dense_scores
from codemem.memory.ranking import score
from codemem.memory.requests import MemoryQuery, check_query
from codemem.memory.stores import Stores
from codemem.memory.words import question_terms
from codemem.store.memories import Condition, find, find_ids, partitions, visible
from codemem.store.terms import read_documents
from codemem.text import counted
from codemem.types import Memory, Scope

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from codemem.embed import Embedder
    from codemem.rerank import Reranker
    from codemem.store import Store

WEIGHTS = {"words": 1.0, "conversation": 0.4, "dense": 0.3}
"""Weights of the arms, each divided by its best score. On LoCoMo (turns, DEV half) this gives recall@10 0.784 by words alone;
weighted reciprocal ranks 2:1:1 with k = 20 gave 0.761, plain ones with k = 60 less than words alone."""
CLEAR_COSINE = 0.5
"""A best cosine below this is no full mark: in a small store something is always nearest."""
ARM_DEPTH = 400
"""Candidates of an arm; recall beyond that does not move the first page."""
RECENCY_HALF_LIFE_MS = 90 * 86_400_000
MOST_RECENCY = 0.2
MOST_IMPORTANCE = 0.1
"""Boosts multiply by at most 1 + this; they order equals and never hide anything."""
CANDIDATE_FACTOR = 0.9
"""A memory nobody has confirmed ranks a little below one that somebody has, a superseded one below what replaced it."""
BOOST_CEILING = (1 + MOST_RECENCY) * (1 + MOST_IMPORTANCE)
LEAST_SCORE = 0.005
"""A score that is shown as 0.00: no word in common and a cosine of none. It would only fill the page."""
SOURCE_OF_INTERFACES = "codebase"
RERANKED = 100
"""Hits a reranker sees."""
JUDGE_SHARE = 0.4
"""Share of a reranker in a memory's score, more than in code's: prose holds all that there is to judge by. Not measured."""
VERIFY_BATCH = 50
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
    stores: Stores, query: MemoryQuery, scope: Scope, embedder: Embedder | None = None, reranker: Reranker | None = None
) -> MemoryResult:
    """Return the memories that answer `query`, best first.

    `embedder` None, or mode "keyword", loads and compares no vectors. A model that fails costs its arm, not the answer.
    With `reranker` the best hits are judged again; raises WrongCount when it answers for another number of texts.
    """
    if reranker is not None:
        return _reranked(stores, query, scope, embedder, reranker)
    check_query(query)
    if not query.text.strip():
        raise BadQuery("the question is empty", "give a few words, or list everything with `codemem memory list`")
    vector, degraded = _question_vector(query, embedder)
    readable = stores.readable(query.visibility)
    arms = [_arms(store, query, scope, embedder, vector) for store in readable]
    found = _fused(arms, query, scope)
    if not found and query.mode != "vector":
        found = [hit for store in readable for hit in _literal(store, query, scope)]
    if SOURCE_OF_INTERFACES in query.sources:
        found += _interfaces(stores, query, scope)
    skipped = sum(arm.other_model for arm in arms)
    pending = sum(arm.pending for arm in arms)
    ordered = _collapse(sorted(found, key=_order))
    kept = [hit for hit in ordered if query.min_score is None or hit.keyword_only or hit.similarity >= query.min_score]
    page = kept[query.offset : query.offset + query.limit]
    semantic = embedder is None or embedder.semantic
    notes = (*stores.degraded, *degraded, *_without_vectors(skipped + pending, embedder))
    return MemoryResult(tuple(page), len(ordered) - len(kept), skipped, pending, semantic, notes, len(kept))


def _without_vectors(number: int, embedder: Embedder | None) -> tuple[str, ...]:
    if not number or embedder is None:
        return ()
    have = f"{counted(number, 'memory')} {'has' if number == 1 else 'have'}"
    return (f"{have} no vector of {embedder.model} and can be found by words alone: `codemem memory rebuild`",)


def _reranked(
    stores: Stores, query: MemoryQuery, scope: Scope, embedder: Embedder | None, reranker: Reranker
) -> MemoryResult:
    """Search wide, let the judge look at each text, blend, then cut the page."""
    from codemem.rerank import blend

    wide = search_memories(stores, replace(query, limit=RERANKED, offset=0), scope, embedder)
    hits = wide.hits
    notes: tuple[str, ...] = ()
    if hits:
        try:
            judged = reranker.judge(query.text, [hit.memory.content for hit in hits])
        except WrongCount:
            raise
        except CodememError as error:
            notes = (f"{reranker.name}: {error.message}; the order is that of the search",)
        else:
            blended = blend([hit.score for hit in hits], judged, JUDGE_SHARE)
            notes = (blended.warning,) if blended.warning else ()
            hits = tuple(
                sorted(
                    (replace(hit, score=round(score, 6)) for hit, score in zip(hits, blended.scores, strict=True)),
                    key=_order,
                )
            )
    page = hits[query.offset : query.offset + query.limit]
    return replace(wide, hits=page, degraded=(*wide.degraded, *notes))


def _question_vector(
    query: MemoryQuery, embedder: Embedder | None
) -> tuple[npt.NDArray[np.float32] | None, tuple[str, ...]]:
    if query.mode == "keyword" or embedder is None:
        return None, ()
    try:
        row = embedder.embed_prose_queries([query.text])[0]
    except CodememError as error:
        return None, (f"{embedder.model}: {error.message}; searched by words alone",)
    return (row if row.any() else None), ()


@dataclass(slots=True)
class _Arms:
    """What the arms say about the candidates of one store, by document number."""

    store: Store
    words: dict[int, float]
    conversation: dict[int, float]
    dense: dict[int, float]
    share: dict[int, float]
    pending: int = 0
    other_model: int = 0


def _arms(
    store: Store, query: MemoryQuery, scope: Scope, embedder: Embedder | None, vector: npt.NDArray[np.float32] | None
) -> _Arms:
    arms = _Arms(store, {}, {}, {}, {})
    readable = partitions(store, scope, query.include_superseded or query.as_of is not None)
    if not readable:
        return arms
    terms = question_terms(query.text)
    lexical = score(store, readable, terms) if terms and query.mode != "vector" else None
    if lexical is not None:
        arms.words = dict(_best(lexical.own))
        arms.share = {number: float(lexical.share[number]) for number in arms.words}
        if lexical.conversation is not None:
            arms.conversation = {number: float(lexical.conversation[number]) for number in arms.words}
    if vector is not None and embedder is not None:
        documents = lexical.documents if lexical is not None else read_documents(store, readable)
        dense = dense_scores(store, scope, documents.lengths, vector, embedder)
        arms.dense = dict(dense.scored)
        arms.pending, arms.other_model = dense.pending, dense.other_model
    return arms


def _fused(arms: Sequence[_Arms], query: MemoryQuery, scope: Scope) -> list[MemoryHit]:
    """Sum the arms, each over its best score in any store, and look up the rows from the top."""
    best = {name: max((max(getattr(arm, name).values(), default=0.0) for arm in arms), default=0.0) for name in WEIGHTS}
    if best["dense"] > 0:
        best["dense"] = max(best["dense"], CLEAR_COSINE)
    total = sum(WEIGHTS[name] for name in WEIGHTS if best[name] > 0)
    found: list[MemoryHit] = []
    for arm in arms:
        values: dict[int, float] = {}
        for name, weight in WEIGHTS.items():
            if best[name] > 0:
                for number, value in getattr(arm, name).items():
                    values[number] = values.get(number, 0.0) + weight * max(value, 0.0) / best[name] / total
        near = {number: value for number, value in values.items() if value >= LEAST_SCORE}
        found += _verified(arm, near, query, scope)
    return found


def _order(hit: MemoryHit) -> tuple[float, bool, int, str]:
    return (-hit.score, hit.memory.visibility != "project", -hit.memory.created_at, hit.memory.uuid)


def _best(values: npt.NDArray[np.float64]) -> list[tuple[int, float]]:
    """Return (number, score) of the best positive scores, ties by number."""
    import numpy as np

    positive = np.flatnonzero(values > 0)
    if len(positive) > ARM_DEPTH:
        positive = positive[np.argpartition(-values[positive], ARM_DEPTH - 1)[:ARM_DEPTH]]
    order = np.lexsort((-positive, -values[positive]))
    return [(int(positive[place]), float(values[positive[place]])) for place in order]


def _verified(arm: _Arms, values: dict[int, float], query: MemoryQuery, scope: Scope) -> list[MemoryHit]:
    """Turn scored numbers into hits: rows that the scope may see and the filters let through, with their boosts."""
    condition = visible(scope) & filters(query)
    now = now_ms()
    hits: list[MemoryHit] = []
    numbers = sorted(values, key=lambda number: (-values[number], -number))
    wanted = (query.offset + query.limit) * 2
    for start in range(0, len(numbers), VERIFY_BATCH):
        part = numbers[start : start + VERIFY_BATCH]
        # A boost cannot lift what comes now above what is wanted: its value is the most it can score.
        if query.min_score is None and _settled(hits, wanted, values[part[0]]):
            break
        rows = find_ids(arm.store, condition, part)
        for number in part:
            if number in rows:
                factor = boosts(rows[number], now)
                hits.append(_hit(arm, rows[number], number, values[number] * factor / BOOST_CEILING, factor))
    return hits


def _settled(hits: Sequence[MemoryHit], wanted: int, bound: float) -> bool:
    return len(hits) >= wanted and sorted((hit.score for hit in hits), reverse=True)[wanted - 1] >= bound


def _hit(arm: _Arms, memory: Memory, number: int, value: float, factor: float) -> MemoryHit:
    why = {name: round(getattr(arm, name)[number], 4) for name in WEIGHTS if number in getattr(arm, name)}
    similar = max(arm.share.get(number, 0.0), arm.dense.get(number, 0.0))
    return MemoryHit(
        memory, round(value, 6), round(similar, 4), {**why, "boost": round(factor, 4)}, number not in arm.dense
    )


def boosts(memory: Memory, now: int) -> float:
    """Return the factor of importance, recency and confirmation."""
    importance = 1 + MOST_IMPORTANCE * max(memory.importance - NEUTRAL_IMPORTANCE, 0) / (10 - NEUTRAL_IMPORTANCE)
    age = max(now - (memory.updated_at if not memory.raw else memory.created_at), 0)
    recency = 1 + MOST_RECENCY * math.exp2(-age / RECENCY_HALF_LIFE_MS)
    return importance * recency * (CANDIDATE_FACTOR if memory.status in ("candidate", "superseded") else 1.0)


def _interfaces(stores: Stores, query: MemoryQuery, scope: Scope) -> list[MemoryHit]:
    """Project the code's interfaces that answer; `codemem.memory.projected` says when and to whom."""
    from codemem.memory.projected import answers

    return [
        MemoryHit(memory, score, round(share, 4), {"interface": score}, query.mode == "keyword")
        for memory, score, share in answers(stores, scope, query)
    ]


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
