"""Changes of one memory, each complete in itself: row, postings, vectors and history together, inside a transaction."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from codemem.memory.words import memory_terms
from codemem.store.memories import add_alias, add_history, insert, partition_of, purge, update
from codemem.store.memory_vectors import drop_vectors, put_vector
from codemem.store.terms import add_document, conversation_number, remove_document
from codemem.types import Memory

if TYPE_CHECKING:
    from codemem.store import Connection
    from codemem.store.memory_vectors import Vector

SHOWN_FIELDS = ("content", "key", "symbol", "importance", "type", "cube", "status", "valid_from", "valid_to", "version")
"""Fields that history keeps of a whole memory."""


def enter_row(
    connection: Connection, memory: Memory, vector: Vector | None, model: str, actor: str, action: str = "add"
) -> Memory:
    """Write a new memory with everything that finds it again; an empty `action` leaves its history to the caller."""
    closed = memory.status == "superseded"
    partition = partition_of(connection, memory, closed) if memory.status != "deleted" else None
    entered = replace(memory, id=insert(connection, memory, partition))
    for alias in entered.aliases:
        from codemem.memory.identity import content_hash

        add_alias(connection, entered, alias, content_hash(alias), memory.created_at)
    if partition is not None:
        parent = conversation_number(connection, memory.tenant, memory.source_session) if memory.raw else 0
        add_document(connection, partition, entered.id, memory_terms(entered), parent)
    if vector is not None and memory.status != "deleted":
        put_vector(connection, entered, model, vector, memory.created_at)
    if action:
        add_history(connection, entered, action, actor, memory.created_at, after=_json(_whole(entered)))
    return entered


def close_row(connection: Connection, old: Memory, successor: str, end: int, now: int, actor: str) -> Memory:
    """Mark a memory superseded: it ends where its successor begins and moves to the closed partition."""
    valid_to = end if old.valid_to is None or old.valid_to > end else old.valid_to
    closed = replace(
        old, status="superseded", valid_to=valid_to, superseded_at=now, superseded_by=successor, updated_at=now
    )
    return change_row(connection, old, closed, actor, now, "supersede")


def merge_into(connection: Connection, known: Memory, memory: Memory, actor: str, alias: bool) -> Memory:
    """Count a repeated statement; keep its wording as an alias, and a key or more weight that it brings."""
    now = memory.created_at
    aliases = known.aliases
    if alias and memory.content not in (known.content, *aliases):
        aliases = (*aliases, memory.content)
    changed = replace(
        known,
        seen_count=known.seen_count + 1,
        updated_at=now,
        aliases=aliases,
        key=known.key or memory.key,
        symbol=known.symbol or memory.symbol,
        status="active" if "active" in (known.status, memory.status) else known.status,
    )
    return change_row(connection, known, changed, actor, now, "seen")


def change_row(connection: Connection, old: Memory, new: Memory, actor: str, now: int, action: str) -> Memory:
    """Write the difference between two states of a memory: columns, postings, aliases, history."""
    from codemem.store.memories import STORED

    changes = {name: getattr(new, name) for name in STORED if getattr(new, name) != getattr(old, name)}
    for alias in new.aliases:
        if alias not in old.aliases:
            from codemem.memory.identity import content_hash

            add_alias(connection, old, alias, content_hash(alias), now)
    moved = _place(old) != _place(new) or memory_terms(old) != memory_terms(new)
    if moved:
        _unindex(connection, old)
        changes["partition"] = _index(connection, new)
    if new.status == "deleted":
        drop_vectors(connection, old.id)
    if changes:
        update(connection, old.id, **changes)
    shown = {name: value for name, value in changes.items() if name not in ("partition", "updated_at", "content_hash")}
    before = {name: getattr(old, name) for name in shown}
    add_history(connection, old, action, actor, now, _json(before), _json(shown))
    return new


def begin_history(connection: Connection, memory: Memory, actor: str) -> None:
    """Write the first entry of a memory whose history was lost: what it is now, since it was recorded."""
    add_history(connection, memory, "add", actor, memory.created_at, after=_json(_whole(memory)))


def remove_row(connection: Connection, memory: Memory) -> None:
    """Remove a memory with everything that was kept of it."""
    _unindex(connection, memory)
    purge(connection, memory)


def _place(memory: Memory) -> tuple[str, ...]:
    live = {"active": "open", "candidate": "open", "superseded": "closed"}.get(memory.status, "none")
    return (memory.tenant, memory.visibility, memory.project_id, memory.cube, live)


def _index(connection: Connection, memory: Memory) -> int | None:
    if memory.status == "deleted":
        return None
    partition = partition_of(connection, memory, memory.status == "superseded")
    parent = conversation_number(connection, memory.tenant, memory.source_session) if memory.raw else 0
    add_document(connection, partition, memory.id, memory_terms(memory), parent)
    return partition


def _unindex(connection: Connection, memory: Memory) -> None:
    if memory.status != "deleted":
        partition = partition_of(connection, memory, memory.status == "superseded")
        remove_document(connection, partition, memory.id, list(memory_terms(memory)))


def _whole(memory: Memory) -> dict[str, object]:
    return {name: value for name in SHOWN_FIELDS if (value := getattr(memory, name)) not in (None, "")}


def _json(values: dict[str, object]) -> str:
    return json.dumps(values, ensure_ascii=False, sort_keys=True)
