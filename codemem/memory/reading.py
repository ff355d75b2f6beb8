"""Memories as they stand: look one up, list, count, tell what it replaced, what happened to it and what it is tied to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from codemem.errors import BadInput, BadQuery
from codemem.memory import projected
from codemem.memory.conditions import filters, lifetime
from codemem.memory.identity import SHORTEST_REFERENCE
from codemem.memory.requests import MemoryQuery
from codemem.memory.stores import Stores
from codemem.store.anchors import read_anchor
from codemem.store.memories import (
    Condition,
    count,
    count_by,
    find,
    find_reference,
    history_of,
    visible,
)
from codemem.types import Memory, Scope

if TYPE_CHECKING:
    from codemem.store import Store

STATUSES = ("active", "superseded", "candidate", "deleted")


class Found(NamedTuple):
    """A memory and the store it stands in."""

    store: Store
    memory: Memory


@dataclass(frozen=True, slots=True)
class Listing:
    """A page of memories, how many there are in all, and how many superseded ones are hidden."""

    memories: tuple[Memory, ...]
    total: int
    superseded: int


def find_one(stores: Stores, scope: Scope, reference: str) -> Found | None:
    """Return the memory that `reference` names among those `scope` may see; raises BadQuery when it names several."""
    if len(reference.strip()) < SHORTEST_REFERENCE:
        raise BadQuery(
            f"the id {reference!r} is too short",
            f"give at least {SHORTEST_REFERENCE} characters, as `memory list` shows them",
        )
    found = [Found(store, memory) for store in stores for memory in find_reference(store, scope, reference.strip())]
    if not found and stores.project is not None:
        found = [Found(stores.project, seen) for seen in projected.find_projected(stores, scope, reference.strip())]
    exact = [entry for entry in found if entry.memory.uuid == reference.strip().lower()]
    chosen = exact or found
    if len(chosen) > 1:
        names = ", ".join(entry.memory.uuid for entry in chosen[:5])
        raise BadQuery(f"the id {reference!r} names {len(chosen)} memories", f"give more of it: {names}")
    return chosen[0] if chosen else None


def list_memories(
    stores: Stores, scope: Scope, query: MemoryQuery, statuses: Sequence[str] = (), below: str = ""
) -> Listing:
    """Return memories newest first; superseded and deleted ones only when asked for. `query.text` is not looked at."""
    for status in statuses:
        if status not in STATUSES:
            raise BadInput(f"unknown status: {status!r}", f"known are {', '.join(STATUSES)}")
    rows: list[Memory] = []
    total = superseded = 0
    for store in stores.readable(query.visibility):
        condition = visible(scope) & filters(query, _status(statuses) if statuses else lifetime(query))
        rows += find(
            store, condition, order="memory.created_at DESC, memory.uuid DESC", limit=query.offset + query.limit
        )
        total += count(store, condition)
        superseded += count(store, visible(scope) & Condition("memory.status = 'superseded'"))
    rows.sort(key=lambda memory: (-memory.created_at, memory.uuid), reverse=False)
    shown = rows[query.offset : query.offset + query.limit]
    if not statuses or "active" in statuses:
        # What is stored first; the interfaces of the code follow in the order of the tree.
        interfaces, number = projected.page(
            stores, scope, query, query.limit - len(shown), max(0, query.offset - total)
        )
        shown, total = [*shown, *interfaces], total + number
    return Listing(tuple(shown), total, superseded)


def memory_history(found: Found) -> list[dict[str, Any]]:
    """Return what happened to a memory, oldest first."""
    return history_of(found.store, found.memory)


def version_chain(found: Found, scope: Scope) -> list[Memory]:
    """Return the older memories that this one replaced, newest first."""
    chain: list[Memory] = []
    current = found.memory.uuid
    while True:
        older = find(
            found.store,
            visible(scope) & Condition("memory.superseded_by = ?", (current,)),
            order="memory.id DESC",
            limit=1,
        )
        if not older or older[0] in chain:
            return chain
        chain.append(older[0])
        current = older[0].uuid


def tie_of(found: Found) -> dict[str, Any] | None:
    """Return a memory's tie to code: the symbol now, its place, its state."""
    tie = read_anchor(found.store, found.memory.id)
    if tie is None:
        return None
    return {
        "symbol": tie.symbol,
        "path": tie.path,
        "kind": tie.kind,
        "language": tie.language,
        "state": tie.state,
        "detail": tie.detail,
    }


def memory_stats(stores: Stores, scope: Scope) -> dict[str, Any]:
    """Count what `scope` may see: by status, type, cube and visibility."""
    totals: dict[str, dict[str, int]] = {"status": {}, "type": {}, "cube": {}, "visibility": {}, "source": {}}
    for store in stores:
        for column, numbers in totals.items():
            current = Condition("1") if column == "status" else Condition("memory.status IN ('active', 'candidate')")
            for value, number in count_by(store, visible(scope) & current, column).items():
                numbers[value] = numbers.get(value, 0) + number
    statuses = totals["status"]
    return {
        "current": statuses.get("active", 0) + statuses.get("candidate", 0),
        "total": sum(number for status, number in statuses.items() if status != "deleted"),
        **{f"by_{column}": numbers for column, numbers in totals.items()},
    }


def attached_memories(stores: Stores, scope: Scope, symbols: Sequence[str]) -> dict[str, tuple[Memory, ...]]:
    """Return the current memories tied to each of these symbols (qualified names)."""
    found: dict[str, list[Memory]] = {}
    if not symbols or stores.project is None:
        return {}
    marks = ", ".join("?" * len(symbols))
    tied = Condition(
        "memory.status IN ('active', 'candidate')"
        f" AND memory.id IN (SELECT memory_id FROM memory_anchor WHERE symbol IN ({marks}))",
        tuple(symbols),
    )
    for memory in find(stores.project, visible(scope) & tied):
        tie = read_anchor(stores.project, memory.id)
        if tie is not None:
            found.setdefault(tie.symbol, []).append(memory)
    return {symbol: tuple(memories) for symbol, memories in found.items()}


def _status(statuses: Sequence[str]) -> Condition:
    return Condition(f"memory.status IN ({', '.join('?' * len(statuses))})", tuple(statuses))
