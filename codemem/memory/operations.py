"""What can be done with a memory that exists: look it up, list, edit, delete, restore, verify, tell its history."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from codemem.errors import BadInput, BadQuery
from codemem.identity import now_ms
from codemem.judge import judge, similarity
from codemem.memory import projected
from codemem.memory.anchors import anchor_memory
from codemem.memory.conditions import filters, lifetime
from codemem.memory.identity import SHORTEST_REFERENCE, content_hash
from codemem.memory.remembering import embed_text, embedded_text, exact_match
from codemem.memory.requests import LONGEST_CONTENT, MemoryQuery, Options, check_name, check_options, refuse_global_tie
from codemem.memory.rows import change_row, remove_row
from codemem.memory.stores import Stores
from codemem.redact import is_empty, safe
from codemem.store.anchors import read_anchor, remove_anchor
from codemem.store.memories import (
    Condition,
    count,
    count_by,
    drop_aliases,
    find,
    find_reference,
    history_of,
    same_range,
    visible,
)
from codemem.store.memory_vectors import drop_vectors, put_vector
from codemem.types import Memory, Scope

if TYPE_CHECKING:
    from codemem.embed import Embedder
    from codemem.store import Store

EDITABLE = ("type", "importance", "symbol", "valid_from", "valid_to")
STATUSES = ("active", "superseded", "candidate", "deleted")


class Found(NamedTuple):
    """A memory and the store it stands in."""

    store: Store
    memory: Memory


@dataclass(frozen=True, slots=True)
class Changes:
    """What an edit sets; None leaves a field as it is."""

    content: str | None = None
    type: str | None = None
    key: str | None = None
    importance: int | None = None
    symbol: str | None = None
    valid_from: int | None = None
    valid_to: int | None = None
    confirm: bool = False
    """Make a candidate active."""


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


def edit_memory(
    stores: Stores, scope: Scope, found: Found, changes: Changes, embedder: Embedder | None = None
) -> Memory:
    """Change a memory in place; its old state stays in the history, a new text gets a new vector."""
    old = found.memory
    projected.refuse_change(old)
    refuse_global_tie(old.visibility, changes.symbol or "")
    if old.status == "deleted":
        raise BadInput("this memory is deleted", f"restore it first: codemem memory restore {old.short_id}")
    new = _edited(old, changes)
    vector, _ = embed_text(embedded_text(new), embedder) if new.content != old.content else (None, ())
    now = now_ms()
    with found.store.transaction(durable=True) as connection:
        if new.content_hash != old.content_hash and not old.raw:
            known = exact_match(found.store, new)
            if known is not None and known.id != old.id:
                raise BadInput(f"memory {known.short_id} already says this", "edit or delete that one instead")
        changed = change_row(
            connection, old, replace(new, updated_at=now, version=old.version + 1), "user", now, "edit"
        )
        if new.content_hash != old.content_hash:
            drop_vectors(connection, old.id)
            drop_aliases(connection, old.id)
            if vector is not None and embedder is not None:
                put_vector(connection, changed, embedder.model, vector, now)
        if new.symbol != old.symbol:
            remove_anchor(connection, old.id)
            changed = (
                anchor_memory(found.store, connection, changed, now) if new.symbol else replace(changed, anchor="")
            )
    return changed


def delete_memory(found: Found, purge: bool = False, actor: str = "user") -> None:
    """Delete a memory: out of every search and count, restorable from its row; with `purge` for good, history included."""
    projected.refuse_change(found.memory)
    now = now_ms()
    with found.store.transaction(durable=True) as connection:
        if purge:
            remove_row(connection, found.memory)
        elif found.memory.status != "deleted":
            change_row(
                connection, found.memory, replace(found.memory, status="deleted", updated_at=now), actor, now, "delete"
            )


def restore_memory(stores: Stores, found: Found, embedder: Embedder | None = None) -> Memory:
    """Bring a deleted or superseded memory back as current; raises BadInput when a current one says the same."""
    old = found.memory
    projected.refuse_change(old)
    if old.status in ("active", "candidate"):
        return old
    new = replace(old, status="active", superseded_at=None, superseded_by=None, updated_at=now_ms())
    if old.status == "superseded":
        new = replace(new, valid_to=None)
    vector, _ = embed_text(embedded_text(new), embedder)
    now = new.updated_at
    with found.store.transaction(durable=True) as connection:
        known = None if old.raw else exact_match(found.store, new)
        if known is not None and known.id != old.id:
            raise BadInput(f"memory {known.short_id} already says this", "there is nothing to restore")
        if new.key and count(found.store, _same_key(new)):
            raise BadInput(f"another memory is current under the key {new.key}", "edit that one, or delete it first")
        changed = change_row(connection, old, new, "user", now, "restore")
        if vector is not None and embedder is not None:
            put_vector(connection, changed, embedder.model, vector, now)
    return changed


def verify_memory(found: Found) -> Memory:
    """Say that a memory is right for the code as it is now: its tie is made anew."""
    projected.refuse_change(found.memory)
    if not found.memory.symbol:
        raise BadInput("this memory is not tied to a symbol", "tie it with `codemem memory edit ID --symbol NAME`")
    now = now_ms()
    with found.store.transaction(durable=True) as connection:
        tie = read_anchor(found.store, found.memory.id)
        named = replace(found.memory, symbol=tie.symbol if tie else found.memory.symbol)
        verified = anchor_memory(found.store, connection, named, now)
        change_row(connection, found.memory, replace(found.memory, updated_at=now), "user", now, "verify")
    return replace(found.memory, anchor=verified.anchor, updated_at=now)


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


def compare_statements(first: str, second: str, embedder: Embedder | None = None) -> dict[str, Any]:
    """Measure two statements on every rung of the ladder and let the judge say what the newer one means."""
    older, newer = safe(first).text, safe(second).text
    cosine = None
    if embedder is not None and older and newer:
        rows = embedder.embed_texts([older, newer])
        cosine = round(float(rows[0] @ rows[1]), 4) if rows.any(axis=1).all() else None
    measured = similarity(older, newer)
    judgement = judge(older, newer, cosine if embedder is not None and embedder.semantic else None)
    return {
        "verdict": judgement.verdict,
        "rule": judgement.rule,
        "evidence": judgement.evidence,
        "exact": content_hash(older) == content_hash(newer),
        "rung": measured.rung,
        "ngrams": round(measured.jaccard, 4),
        "edits": round(measured.edits, 4),
        "cosine": cosine,
        "model": embedder.model if embedder is not None else "",
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


def _edited(old: Memory, changes: Changes) -> Memory:
    new = old
    if changes.content is not None:
        text, _ = safe(changes.content)
        if is_empty(text):
            raise BadInput("the new text is empty", "delete the memory with `codemem memory delete ID`")
        if len(text) > LONGEST_CONTENT:
            raise BadInput(
                f"the new text has {len(text):,} characters",
                f"at most {LONGEST_CONTENT:,} are kept; a document belongs into a file",
            )
        new = replace(
            new, content=text, content_hash=content_hash(text), aliases=() if text != old.content else old.aliases
        )
    given = {name: value for name in EDITABLE if (value := getattr(changes, name)) is not None}
    if changes.key is not None:
        given["key"] = check_name("key", changes.key) if changes.key else ""
    if changes.confirm:
        given["status"] = "active"
    new = replace(new, **given)
    check_options(
        Options(
            type=new.type,
            importance=new.importance,
            valid_from=new.valid_from,
            valid_to=new.valid_to,
            source=new.source,
        )
    )
    return new


def _status(statuses: Sequence[str]) -> Condition:
    return Condition(f"memory.status IN ({', '.join('?' * len(statuses))})", tuple(statuses))


def _same_key(memory: Memory) -> Condition:
    return same_range(memory) & Condition(
        "memory.key = ? AND memory.status = 'active' AND memory.id <> ?", (memory.key, memory.id)
    )
