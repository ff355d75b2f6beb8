"""What can be done with a memory that exists: edit, delete, restore, verify, compare it with another statement."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from codemem.errors import BadInput
from codemem.identity import now_ms
from codemem.judge import judge, similarity
from codemem.memory import projected
from codemem.memory.anchors import anchor_memory
from codemem.memory.identity import content_hash
from codemem.memory.reading import Found
from codemem.memory.remembering import embed_text, embedded_text, exact_match
from codemem.memory.requests import LONGEST_CONTENT, Options, check_name, check_options, refuse_global_tie
from codemem.memory.rows import change_row, remove_row
from codemem.memory.stores import Stores
from codemem.redact import is_empty, safe
from codemem.store.anchors import read_anchor, remove_anchor
from codemem.store.memories import (
    Condition,
    count,
    drop_aliases,
    same_range,
)
from codemem.store.memory_vectors import drop_vectors, put_vector
from codemem.types import Memory, Scope

if TYPE_CHECKING:
    from codemem.embed import Embedder

EDITABLE = ("type", "importance", "symbol", "valid_from", "valid_to")


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


def _same_key(memory: Memory) -> Condition:
    return same_range(memory) & Condition(
        "memory.key = ? AND memory.status = 'active' AND memory.id <> ?", (memory.key, memory.id)
    )
