"""Memories beside code: those tied to a hit's symbol, and with `--source memory` those that answer, in one list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from codemem.types import Hit, Query, SearchResult

if TYPE_CHECKING:
    from codemem.cli.door import Repository
    from codemem.embed import Embedder
    from codemem.memory import MemoryHit
    from codemem.store import Store

MOST_TIED = 3
"""Memories shown under one hit; `memory list --symbol` has the rest."""


def with_tied_memories(store: Store, result: SearchResult) -> SearchResult:
    """Put under every hit the current memories that are tied to its symbol."""
    if not _has_ties(store):
        return result
    from codemem.store.anchors import tied_memories

    symbols = tuple({hit.chunk.qualified_name for hit in result.hits})
    tied = tied_memories(store, symbols)
    if not tied:
        return result
    hits = tuple(
        replace(hit, memories=tuple(tied[name][:MOST_TIED])) if (name := hit.chunk.qualified_name) in tied else hit
        for hit in result.hits
    )
    return replace(result, hits=hits)


def _has_ties(store: Store) -> bool:
    """Look before importing anything: most stores have none."""
    known = store.connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'memory_anchor'").fetchone()
    return known is not None and store.connection.execute("SELECT 1 FROM memory_anchor LIMIT 1").fetchone() is not None


def whole_page(query: Query) -> Query:
    """Ask for everything up to the end of the page: only then can two sources be merged and the page be cut."""
    return replace(query, limit=query.offset + query.limit, offset=0)


def memory_answers(repository: Repository, asked: Query) -> tuple[list[MemoryHit], tuple[str, ...]]:
    """Search the memories with the same question; return the hits up to the end of the page and what was missing."""
    from codemem.memory import MemoryQuery, open_memories, search_memories

    with open_memories(repository.root) as stores:
        query = MemoryQuery(asked.text, asked.offset + asked.limit, 0, asked.mode)
        found = search_memories(stores, query, stores.scope(), _embedder(repository, asked))
    return list(found.hits), found.degraded


def _embedder(repository: Repository, asked: Query) -> Embedder | None:
    from codemem.embed import load_embedder
    from codemem.errors import ModelMissing

    if asked.mode == "keyword":
        return None
    try:
        return load_embedder(repository.settings.embedder)
    except ModelMissing:
        return None  # the code search has said so


def one_list(
    result: SearchResult, memories: Sequence[MemoryHit], asked: Query, embedder: str
) -> tuple[Hit | MemoryHit, ...]:
    """Merge both kinds of hits on the scale of `codemem.scale` and cut the page; the code that was named stands first."""
    from codemem.scale import common_scores, merged_order

    code_best, exact = _code_strength(result, embedder)
    code_scores = common_scores([hit.score for hit in result.hits], code_best)
    memory_scores = common_scores([hit.score for hit in memories], _memory_strength(memories, asked, embedder))
    code: list[Hit | MemoryHit] = [
        replace(hit, score=score) for hit, score in zip(result.hits, code_scores, strict=True)
    ]
    others: list[Hit | MemoryHit] = [
        replace(hit, score=score) for hit, score in zip(memories, memory_scores, strict=True)
    ]
    # A memory that holds all words is about them; of equally strong code only the definition that was named is.
    sources, scores = ((code, others), (code_scores, memory_scores)) if exact else (
        (others, code), (memory_scores, code_scores)
    )  # fmt: skip
    ordered = [sources[source][place] for source, place in merged_order(*scores)]
    return tuple(ordered[asked.offset : asked.offset + asked.limit])


def _code_strength(result: SearchResult, embedder: str) -> tuple[float, bool]:
    """Measure the best code hit; say also whether it is the definition that the question names."""
    from codemem.scale import held_share, strength

    if not result.hits:
        return 0.0, False
    best = result.hits[0]
    chunk = best.chunk
    named = "\n".join((chunk.path, chunk.qualified_name, chunk.signature, chunk.doc))
    exact = result.exact_match and best.why.get("definition", 0.0) > 0
    held = held_share(result.query.text, named, chunk.text)
    return strength(held, _code_cosine(best, result.query), embedder, exact), exact


def _code_cosine(hit: Hit, query: Query) -> float:
    """Return the cosine behind the hit's share of `meaning`: reasons are shown as weight times value."""
    share = hit.why.get("meaning", 0.0)
    if not share or query.fusion != "ranked":
        return 0.0
    if query.mode == "vector":
        return share
    from codemem.signals import load_weights

    return share / (load_weights("hybrid").get("meaning") or 1.0)


def _memory_strength(memories: Sequence[MemoryHit], asked: Query, embedder: str) -> float:
    from codemem.scale import held_share, strength

    if not memories:
        return 0.0
    best = memories[0]
    memory = best.memory
    text = "\n".join((memory.content, memory.key, memory.symbol, memory.context, *memory.aliases))
    return strength(held_share(asked.text, text), best.why.get("dense", 0.0), embedder, "literal" in best.why)
