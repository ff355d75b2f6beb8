"""The interfaces of the code seen as memories: tools of the source `codebase`, projected from the index, never copied.

They are shown where the source `codebase` is asked for, to whom the visibility function shows the project, and can only be
read: what they say changes with the code.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING
from uuid import UUID

from codemem.card import card_text, interface_card, own_calls
from codemem.errors import BadInput
from codemem.memory.requests import MemoryQuery
from codemem.store import has_index, read_meta
from codemem.store.graph import load_resolved
from codemem.store.projection import count_named, interface_kinds, may_see, page_named
from codemem.types import Chunk, Filters, Memory, Query, Scope

if TYPE_CHECKING:
    from codemem.memory.stores import Stores
    from codemem.store import Store

TYPE, SOURCE, CUBE = "tool_mem", "codebase", "user_profile"
IMPORTANCE = 5
REFERENCE = r"[0-9a-f-]{4,36}"
"""What can be the end of an id; anything else is the name of a symbol."""


def page(stores: Stores, scope: Scope, query: MemoryQuery, limit: int, offset: int) -> tuple[list[Memory], int]:
    """Return interfaces in the order of the tree, and how many there are in all."""
    store = _source(stores, scope, query)
    if store is None:
        return [], 0
    rows = page_named(store, query.symbols, limit, offset) if limit else ()
    return _memories(store, scope, [row.chunk_id for row in rows]), count_named(store, query.symbols)


def answers(stores: Stores, scope: Scope, query: MemoryQuery) -> list[tuple[Memory, float, float]]:
    """Return (interface, score, share of the question's words) of those that answer, best first; scores from 0 to 1."""
    from codemem.retrieval import search
    from codemem.scale import common_scores, held_share

    store = _source(stores, scope, query)
    if store is None:
        return []
    wanted = Filters(kinds=interface_kinds(store), sources=("code",))
    asked = Query(query.text, limit=query.offset + query.limit, mode=query.mode, filters=wanted, all_chunks=True)  # type: ignore[arg-type]
    hits = [hit for hit in search(store, asked).hits if not hit.chunk.part and hit.chunk.name]
    chosen = [hit for hit in hits if not query.symbols or hit.chunk.qualified_name in query.symbols]
    at = _indexed_at(store)
    memories = [_memory(hit.chunk, scope, at) for hit in chosen]
    shares = [
        held_share(query.text, memory.content, hit.chunk.text) for memory, hit in zip(memories, chosen, strict=True)
    ]
    scores = common_scores([hit.score for hit in chosen], shares[0] if shares else 0.0)
    return list(zip(memories, scores, shares, strict=True))


def find_projected(stores: Stores, scope: Scope, reference: str) -> list[Memory]:
    """Return the interfaces that a symbol's name, an id or the end of one means."""
    store = _source(stores, scope, MemoryQuery("", sources=(SOURCE,)))
    if store is None:
        return []
    if not re.fullmatch(REFERENCE, reference.lower()):
        return _memories(store, scope, [row.chunk_id for row in page_named(store, (reference,))])
    ending = reference.lower()
    found = [row.chunk_id for row in page_named(store) if _uuid(scope.project_id, *row[1:]).endswith(ending)]
    return _memories(store, scope, found)


def refuse_change(memory: Memory) -> None:
    """Raise BadInput for an interface: it is a view of the code, not a row."""
    if not memory.id:
        raise BadInput(
            f"{memory.symbol} is an interface of the code, projected from the index",
            "change the code and run `codemem index`, or add a memory about it with --symbol",
        )


def _source(stores: Stores, scope: Scope, query: MemoryQuery) -> Store | None:
    """Return the store whose interfaces the question asks for; None when it asks for something else or may not see them."""
    store = stores.project
    asked = SOURCE in query.sources and (not query.types or TYPE in query.types) and not query.keys
    if store is None or not asked or query.visibility == "global" or not has_index(store):
        return None
    if query.as_of is not None and query.as_of < _indexed_at(store):
        return None  # what the interfaces were then, nobody knows
    return store if may_see(store, scope, CUBE, stores.project_id) else None


def _memories(store: Store, scope: Scope, numbers: Sequence[int]) -> list[Memory]:
    chunks = load_resolved(store.connection, numbers, with_text=False)
    at = _indexed_at(store)
    return [_memory(chunks[number], scope, at) for number in numbers if number in chunks]


def _memory(chunk: Chunk, scope: Scope, at: int) -> Memory:
    return Memory(
        uuid=_uuid(scope.project_id, *chunk.key),
        tenant=scope.tenant,
        visibility="project",
        project_id=scope.project_id,
        cube=CUBE,
        type=TYPE,
        content=card_text(interface_card(chunk, own_calls(chunk), chunk.contract)),
        importance=IMPORTANCE,
        status="active",
        created_at=at,
        updated_at=at,
        content_hash=chunk.interface_hash,
        context=f"{chunk.path}:{chunk.start_line}-{chunk.end_line}",
        symbol=chunk.qualified_name,
        source=SOURCE,
        anchor="fresh",
    )


def _uuid(*identity: object) -> str:
    """Make an id that is the same at every run as long as path, name and ordinal are."""
    digest = blake2b("\0".join(map(str, identity)).encode("utf-8", "surrogatepass"), digest_size=16).digest()
    return str(UUID(bytes=digest, version=5))


def _indexed_at(store: Store) -> int:
    from codemem.memory.identity import parse_time

    try:
        return parse_time(read_meta(store, "indexed_at"))
    except BadInput:
        return 0
