"""`remember`: the one way into the memories, for the command line, imports, extraction and MCP.

Everything happens in one durable transaction: the row, its postings, its vector, its history, and whatever becomes of an
older row. Nothing is ever discarded by similarity: the judge inspects the difference, and says why.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from codemem.errors import CodememError
from codemem.fence import is_context
from codemem.identity import now_ms, uuid7
from codemem.memory.anchors import anchor_memory
from codemem.memory.identity import content_hash
from codemem.memory.nominate import Nominee, nominate
from codemem.memory.requests import (
    LONGEST_CONTENT,
    LONGEST_INPUT,
    Options,
    Remembered,
    Turn,
    check_name,
    check_options,
    refuse_global_tie,
)
from codemem.memory.rows import close_row, enter_row, merge_into
from codemem.memory.stores import Stores
from codemem.redact import is_empty, redact, safe
from codemem.store.memories import CURRENT, Condition, alias_owner, find, same_range
from codemem.types import Memory, Scope

if TYPE_CHECKING:
    from codemem.embed import Embedder
    from codemem.store import Connection, Store
    from codemem.store.memory_vectors import Vector

REDACTED_ONLY = re.compile(r"(?:\[REDACTED:[\w-]+\]|[\s\W])+|(?:[\w.-]*\s*[:=]\s*\[REDACTED:[\w-]+\]\s*)+")
DEFAULT = Options()
MAY_DIFFER = ("key", "symbol", "valid_from", "valid_to")
"""What may come with a statement that is known already, and is never put in the place of what is there."""


def remember(
    stores: Stores, content: str, scope: Scope, options: Options = DEFAULT, embedder: Embedder | None = None
) -> Remembered:
    """Store a statement, or say what it duplicates, supersedes or contradicts.

    Raises:
        BadInput: an option cannot be used.
        StoreError: the store cannot be written; what was there is untouched.
    """
    check_options(options)
    refuse_global_tie(options.visibility, options.symbol)
    check_name("cube", scope.cube)
    check_name("tenant", scope.tenant)
    if is_context(content):
        return Remembered("ignored")
    if len(content) > LONGEST_INPUT:
        return Remembered("too_long")
    text, kinds = safe(content)
    refused = _refused(text, kinds)
    if refused:
        return Remembered(refused, redacted=kinds)
    memory = _new_memory(text, scope, options, stores.project_id)
    vector, degraded = embed_text(embedded_text(memory), embedder)
    store = stores.holding(memory)
    with store.transaction(durable=True) as connection:
        done = enter(store, connection, memory, options, vector, embedder)
        if done.memory is not None and (options.symbol or (done.verdict == "superseded_old" and done.memory.symbol)):
            anchored = anchor_memory(store, connection, done.memory, now_ms())
            done = replace(done, memory=anchored)
    return replace(
        done,
        redacted=kinds,
        degraded=(*stores.degraded, *degraded, *done.degraded),
        pending_vector=vector is None and done.memory is not None,
    )


def add_turns(stores: Stores, turns: Sequence[Turn], scope: Scope, embedder: Embedder | None = None) -> int:
    """Store the turns of a conversation as they were said, in one transaction; return how many were not empty."""
    prepared = []
    for turn in turns:
        options = Options(
            source="conversation",
            source_session=turn.session,
            source_message=turn.message,
            context=f"{' '.join(turn.said.split())}\n{turn.context}".rstrip(),
            raw=True,
        )
        text, _ = safe(turn.text)
        if not is_empty(text):
            prepared.append((_new_memory(text[:LONGEST_CONTENT], scope, options, stores.project_id), options))
    if not prepared:
        return 0
    matrix = embedder.embed_texts([embedded_text(memory) for memory, _ in prepared]) if embedder is not None else None
    store = stores.holding(prepared[0][0])
    with store.transaction(durable=True) as connection:
        for place, (memory, options) in enumerate(prepared):
            vector = matrix[place] if matrix is not None else None
            enter(store, connection, memory, options, vector, embedder)
    return len(prepared)


def enter(
    store: Store,
    connection: Connection,
    memory: Memory,
    options: Options,
    vector: Vector | None,
    embedder: Embedder | None,
) -> Remembered:
    """Decide about a prepared memory and carry it out, inside the caller's transaction."""
    model = embedder.model if embedder is not None else ""
    known = None if memory.raw else exact_match(store, memory)
    if known is not None:
        return _seen(connection, known, memory, options)
    if memory.key:
        chain = find(
            store, same_range(memory) & Condition("memory.key = ? AND memory.status = 'active'", (memory.key,))
        )
        if chain:
            return _supersede(
                store, connection, memory, chain[-1], vector, model, options, Nominee(chain[-1], "key", 1.0)
            )
    if options.force or memory.raw:
        return _stored(connection, memory, vector, model, options)
    semantic = embedder is not None and embedder.semantic
    nominees = nominate(store, memory, vector if semantic else None, model)
    best = _decisive(nominees)
    if best is None:
        return _stored(connection, memory, vector, model, options, nominees)
    if best.verdict == "same_fact":
        return _near(connection, best, memory, vector, model, options)
    if best.verdict == "update_old":
        return _supersede(store, connection, memory, best.memory, vector, model, options, best)
    done = _stored(connection, memory, vector, model, options)
    return _explained(replace(done, verdict="possible_conflict", existing=best.memory), best)


def exact_match(store: Store, memory: Memory) -> Memory | None:
    """Return the current memory of the same range with this very text, as content or as another wording."""
    condition = same_range(memory) & Condition(
        "memory.content_hash = ? AND memory.raw = 0 AND memory.status IN ('active', 'candidate')",
        (memory.content_hash,),
    )
    return next(iter(find(store, condition, limit=1)), None) or alias_owner(store, memory)


def embedded_text(memory: Memory) -> str:
    """Return what a memory's vector is made of: its context and its content."""
    return f"{memory.context}\n{memory.content}" if memory.context else memory.content


def embed_text(text: str, embedder: Embedder | None) -> tuple[Vector | None, tuple[str, ...]]:
    """Embed one text; a model that fails costs the vector, not the memory.

    A text of which the model knows no word has a vector of zeros: it is kept, so that nobody waits for a better one.
    """
    if embedder is None:
        return None, ()
    try:
        row = embedder.embed_texts([text])[0]
    except CodememError as error:
        return None, (f"{embedder.model}: {error.message}; stored without a vector, `codemem memory rebuild` adds it",)
    return row, ()


def _refused(text: str, kinds: Sequence[str]) -> str:
    if is_empty(text):
        return "empty"
    if len(text) > LONGEST_CONTENT:
        return "too_long"
    return "secret_blocked" if kinds and REDACTED_ONLY.fullmatch(text) else ""


def _new_memory(text: str, scope: Scope, options: Options, project_id: str) -> Memory:
    at = now_ms()
    return Memory(
        uuid=uuid7(at),
        tenant=scope.tenant,
        visibility=options.visibility,
        project_id=project_id if options.visibility == "project" else "",
        cube=scope.cube,
        type=options.type,
        content=text,
        importance=options.importance,
        status=options.status,
        created_at=at,
        updated_at=at,
        content_hash=content_hash(text),
        key=options.key,
        context=redact(options.context).text,
        symbol=options.symbol,
        source=options.source,
        source_session=options.source_session,
        source_message=options.source_message,
        raw=options.raw,
        valid_from=options.valid_from,
        valid_to=options.valid_to,
    )


def _decisive(nominees: Sequence[Nominee]) -> Nominee | None:
    """Choose what the new statement means for the old ones: a known fact before an update before a conflict."""
    for verdict in ("same_fact", "update_old", "conflict"):
        found = [nominee for nominee in nominees if nominee.verdict == verdict]
        if found:
            return max(found, key=lambda nominee: (nominee.score, nominee.memory.id))
    return None


def _seen(connection: Connection, known: Memory, memory: Memory, options: Options) -> Remembered:
    changed = merge_into(connection, known, memory, options.actor, alias=False)
    kept = _kept_as_it_was(changed, memory)
    return Remembered("exact_duplicate", changed, known, 1.0, "equal text", "", "exact", degraded=kept)


def _near(
    connection: Connection, best: Nominee, memory: Memory, vector: Vector | None, model: str, options: Options
) -> Remembered:
    changed = merge_into(connection, best.memory, memory, options.actor, alias=True)
    return _explained(
        Remembered("near_duplicate", changed, best.memory, degraded=_kept_as_it_was(changed, memory)), best
    )


def _kept_as_it_was(known: Memory, asked: Memory) -> tuple[str, ...]:
    """Say what was asked for with a statement that is known, and did not happen to the row that stands for it."""
    given = {name: getattr(asked, name) for name in MAY_DIFFER}
    differing = [name for name, value in given.items() if value not in (None, "") and value != getattr(known, name)]
    if not differing:
        return ()
    options = ", ".join(f"--{name.replace('_', '-')}" for name in differing)
    return (f"{known.short_id} keeps what it has for {options}: `codemem memory edit {known.short_id}` changes it",)


def _stored(
    connection: Connection,
    memory: Memory,
    vector: Vector | None,
    model: str,
    options: Options,
    nominees: Sequence[Nominee] = (),
) -> Remembered:
    entered = enter_row(connection, memory, vector, model, options.actor)
    done = Remembered("stored", entered)
    if nominees:
        nearest = max(nominees, key=lambda nominee: nominee.score)
        done = _explained(done, nearest)
    return done


def _supersede(
    store: Store,
    connection: Connection,
    memory: Memory,
    old: Memory,
    vector: Vector | None,
    model: str,
    options: Options,
    nominee: Nominee,
) -> Remembered:
    """Close the old row at the start of the new one; a fact that arrives late is itself closed at the start of the newer."""
    late = memory.valid_from is not None and old.valid_from is not None and memory.valid_from < old.valid_from
    if late:
        closed = replace(memory, status="superseded", version=max(old.version - 1, 1), superseded_by=old.uuid)
        closed = replace(closed, valid_to=_earlier(memory.valid_to, old.valid_from), superseded_at=memory.created_at)
        entered = enter_row(connection, closed, vector, model, options.actor)
        return _explained(Remembered("stored", entered, old), nominee._replace(rule="an older fact that arrived late"))
    # What replaces a statement is about the same code, unless it says otherwise.
    newer = replace(memory, version=old.version + 1, key=memory.key or old.key, symbol=memory.symbol or old.symbol)
    end = memory.valid_from if memory.valid_from is not None else memory.created_at
    close_row(connection, old, newer.uuid, end, memory.created_at, options.actor)
    entered = enter_row(connection, newer, vector, model, options.actor)
    before = find(store, same_range(memory) & Condition("memory.id = ?", (old.id,)))[0]
    return _explained(Remembered("superseded_old", entered, before), nominee)


def _explained(done: Remembered, nominee: Nominee) -> Remembered:
    return replace(
        done,
        existing=done.existing or nominee.memory if done.verdict != "stored" or done.existing else None,
        score=nominee.score,
        rule=nominee.rule,
        evidence=nominee.evidence,
        rung=nominee.rung,
    )


def _earlier(one: int | None, other: int | None) -> int | None:
    given = [value for value in (one, other) if value is not None]
    return min(given) if given else None


__all__ = ["CURRENT", "embed_text", "enter", "exact_match", "remember"]
