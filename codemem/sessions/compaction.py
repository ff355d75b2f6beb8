"""Turn what was said into memories: by marker rules, by a model's reply, always through `remember()`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from codemem.fence import without_context
from codemem.memory import Options, Stores, remember
from codemem.sessions.command import run_model
from codemem.sessions.conversation import read_all, require
from codemem.sessions.extract import Extracted, extract
from codemem.sessions.judgement import judge_prompt, read_judgement
from codemem.sessions.window import Message
from codemem.store.sessions import SessionKey, set_compacted

if TYPE_CHECKING:
    from codemem.embed import Embedder

CONTEXT_MESSAGES = 20
"""Messages before the new ones that a model sees, to know what they refer to."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What became of one sentence."""

    verdict: str
    text: str
    seq: int
    message_id: str
    marker: str
    type: str
    memory: str = ""
    status: str = ""
    """Of the memory that now stands for it: active, or candidate until somebody confirms it."""


def compact_session(
    stores: Stores,
    key: SessionKey,
    *,
    embedder: Embedder | None,
    again: bool = False,
    dry_run: bool = False,
    llm_command: str = "",
) -> list[Kept]:
    """Remember what the session's new messages say; marks them as compacted unless it is a dry run."""
    store = stores.of("project")
    session = require(store, key)
    after = 0 if again else session.compacted_upto
    new = read_all(store, key, after)
    if not new:
        return []
    if llm_command:
        earlier = [message for message in read_all(store, key) if message.seq <= after][-CONTEXT_MESSAGES:]
        reply = run_model(llm_command, judge_prompt([*earlier, *new], after))
        kept = _apply(stores, key, reply, new, embedder, dry_run)
    else:
        kept = [
            _keep(stores, key, item, embedder, dry_run) for item in extract([_own_words(message) for message in new])
        ]
    if not dry_run:
        with store.transaction(durable=True) as connection:
            set_compacted(connection, key, new[-1].seq)
    return kept


def apply_judgement(stores: Stores, key: SessionKey, reply: str, *, embedder: Embedder | None) -> list[Kept]:
    """Remember what a model's reply proposes for the session, and mark its messages as compacted."""
    store = stores.of("project")
    session = require(store, key)
    new = read_all(store, key, session.compacted_upto)
    kept = _apply(stores, key, reply, new, embedder, False)
    if new:
        with store.transaction(durable=True) as connection:
            set_compacted(connection, key, new[-1].seq)
    return kept


def _own_words(message: Message) -> Message:
    return Message(
        message.seq, message.role, without_context(message.text), message.kind, message.id, message.created_at
    )


def _keep(stores: Stores, key: SessionKey, item: Extracted, embedder: Embedder | None, dry_run: bool) -> Kept:
    kept = Kept("", item.text, item.seq, item.message_id, item.marker, item.type)
    status = "active" if item.explicit else "candidate"
    return _remember(stores, key, kept, Options(importance=item.importance, status=status), embedder, dry_run)


def _apply(
    stores: Stores, key: SessionKey, reply: str, new: Sequence[Message], embedder: Embedder | None, dry_run: bool
) -> list[Kept]:
    judged, dropped = read_judgement(reply)
    last = new[-1] if new else Message(0, "user", "")
    kept: list[Kept] = []
    for item in judged:
        proposal = Kept("", item.content, last.seq, last.id, "model", item.category)
        options = Options(visibility=item.scope, importance=item.importance, status="candidate")
        kept.append(_remember(stores, key, proposal, options, embedder, dry_run))
    return [*kept, *(Kept("ignored", reason, last.seq, last.id, "model", "") for reason in dropped)]


def _remember(
    stores: Stores, key: SessionKey, kept: Kept, options: Options, embedder: Embedder | None, dry_run: bool
) -> Kept:
    """Send one sentence through `remember()` with where it was said, and note the verdict."""
    if dry_run:
        return replace(kept, verdict=f"would be {options.status}")
    options = replace(
        options,
        type=kept.type,
        source="conversation",
        source_session=key.id,
        source_message=kept.message_id,
        actor=kept.marker,
    )
    done = remember(stores, kept.text, stores.scope(key.tenant), options=options, embedder=embedder)
    return replace(
        kept,
        verdict=done.verdict,
        memory=done.memory.uuid if done.memory else "",
        status=done.memory.status if done.memory else "",
    )
