"""Memories beside code: those tied to a hit's symbol, and with `--source memory` those that answer the question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from codemem.types import SearchResult

if TYPE_CHECKING:
    from codemem.cli.door import Repository
    from codemem.memory import MemoryHit
    from codemem.store import Store

SCORE_DIGITS = 4
"""As the code hits are rounded, so that equals are equal."""
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


def memory_answers(repository: Repository, result: SearchResult) -> list[MemoryHit]:
    """Search the memories with the same question; scores are brought to the scale of the code hits.

    A memory that holds every word of the question, or means the same, weighs as much as the best code hit.
    """
    from codemem.embed import load_embedder
    from codemem.errors import ModelMissing
    from codemem.memory import MemoryQuery, open_memories, search_memories

    asked = result.query
    embedder = None
    if asked.mode != "keyword":
        try:
            embedder = load_embedder(repository.settings.embedder)
        except ModelMissing:
            embedder = None  # the code search has said so
    with open_memories(repository.root) as stores:
        query = MemoryQuery(asked.text, asked.limit, asked.offset, asked.mode)
        found = search_memories(stores, query, stores.scope(), embedder).hits
    scale = max((hit.score for hit in result.hits), default=1.0)
    return [replace(hit, score=round(scale * min(hit.similarity, 1.0), SCORE_DIGITS)) for hit in found]


def joined_documents(
    code: Sequence[dict[str, Any]], memories: Sequence[MemoryHit], limit: int, offset: int
) -> list[dict[str, Any]]:
    """Merge both kinds of hits of `search --json` by score, memories first among equals, and number them anew."""
    from codemem.render.memories import hit_document

    documents = [*(hit_document(0, hit) for hit in memories), *code]
    ordered = sorted(documents, key=lambda document: -float(document["score"]))[:limit]
    return [{**document, "rank": rank} for rank, document in enumerate(ordered, offset + 1)]


def memories_text(memories: Sequence[MemoryHit]) -> str:
    """List the memories that answer below the code."""
    from codemem.render.memories import memory_line

    return "\n".join(f"memory: {memory_line(hit.memory)}" for hit in memories)
