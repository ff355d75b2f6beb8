"""Conversations in the store: append, read, window, summarise, compact. Joins the pure session functions with the rows.

Every text is cleaned and redacted before it is stored; what `codemem context` produced is taken out; an id that begins
with `agent:` names the main session of that agent and takes chat only, so that tool traffic of a sub-agent cannot
pollute it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from codemem.errors import BadInput
from codemem.fence import is_context, without_context
from codemem.identity import now_ms, uuid7
from codemem.memory.requests import check_name
from codemem.redact import is_empty, redact, safe
from codemem.sessions.importers import CHAT, OPAQUE, TOOL_RESULT, Imported
from codemem.sessions.summary import Embed, summarize
from codemem.sessions.window import Count, Message, Window, window
from codemem.store import sessions as rows
from codemem.store.sessions import MessageRow, SessionKey, SessionRow
from codemem.text import said_terms

if TYPE_CHECKING:
    from codemem.store import Store

AGENT_PREFIX = "agent:"
MAX_READ = 200
"""The newest messages that a read returns, on every path."""
KINDS = (CHAT, "tool_call", "tool_result", "event", OPAQUE)
ROLES = ("system", "user", "assistant", "tool")
MAX_ID = 200
"""Characters of a session id; longer ones are pastes."""
MAX_MESSAGE = 1_000_000
"""Characters of one message; a longer one is a file and belongs into the repository."""
KEPT_END = 100_000
"""Characters kept of each end of a tool's answer that is longer."""
BATCH = 500
"""Messages per transaction of a bulk append."""


@dataclass(frozen=True, slots=True)
class Appended:
    """What became of one message: stored, ignored (with the reason) or known (imported before)."""

    verdict: str
    seq: int = 0
    id: str = ""
    reason: str = ""
    redacted: tuple[str, ...] = ()


def session_key(tenant: str, project: str, identity: str) -> tuple[SessionKey, bool]:
    """Return the key of a session id and whether it is an agent's virtual one; the prefix is removed once."""
    virtual = identity.startswith(AGENT_PREFIX)
    name = identity.removeprefix(AGENT_PREFIX)
    if not name.strip() or len(name) > MAX_ID or any(ord(character) < 32 for character in name):
        raise BadInput("a session id must have 1 to 200 visible characters", "give an id such as `main`")
    return SessionKey(tenant, project, name), virtual


def append(
    store: Store, tenant: str, project: str, identity: str, messages: Sequence[Imported], count: Count
) -> list[Appended]:
    """Append `messages` in order; one transaction per batch, acknowledged only when it is on the disk."""
    key, virtual = session_key(check_name("tenant", tenant), project, identity)
    kinds = redact(key.id).kinds
    if kinds:
        raise BadInput(
            f"the session id holds a secret ({', '.join(kinds)})", "give an id that may be read by everybody"
        )
    outcomes: list[Appended] = []
    for start in range(0, len(messages), BATCH):
        outcomes += _append_batch(store, key, virtual, messages[start : start + BATCH], count)
    return outcomes


def _append_batch(
    store: Store, key: SessionKey, virtual: bool, messages: Sequence[Imported], count: Count
) -> list[Appended]:
    now = now_ms()
    outcomes: list[Appended] = []
    pending: list[tuple[int, MessageRow]] = []
    for given in messages:
        message = _shortened(given)
        reason = _refusal(message, virtual)
        text = safe(without_context(message.text)) if not reason else None
        if not reason and text is not None and is_empty(text.text):
            reason = "produced by `codemem context`" if is_context(message.text) else "empty"
        if reason or text is None:
            outcomes.append(Appended("ignored", reason=reason))
            continue
        row = MessageRow(uuid7(now), message.role, message.kind, text.text, count(text.text), now, message.source_id)
        pending.append((len(outcomes), row))
        outcomes.append(Appended("stored", id=row.id, redacted=text.kinds))
    if pending:
        with store.transaction(durable=True) as connection:
            terms = [" ".join(said_terms(row.text)) for _, row in pending]
            stored = rows.append_messages(connection, key, [row for _, row in pending], terms, now)
        for (position, _), saved in zip(pending, stored, strict=True):
            found = outcomes[position]
            outcomes[position] = replace(found, seq=saved.seq) if saved else Appended("known", reason="imported before")
    return outcomes


def _shortened(message: Imported) -> Imported:
    """Keep the ends of what a tool gave back: without its answer a call stands alone, and its middle is in no prompt."""
    if message.kind not in (TOOL_RESULT, OPAQUE) or len(message.text) <= MAX_MESSAGE:
        return message
    left = len(message.text) - 2 * KEPT_END
    return replace(
        message, text=f"{message.text[:KEPT_END]}\n…[{left:,} characters left out]…\n{message.text[-KEPT_END:]}"
    )


def _refusal(message: Imported, virtual: bool) -> str:
    """Say why a message is not stored, or nothing."""
    if message.role not in ROLES:
        raise BadInput(f"unknown role {message.role!r}", f"use one of {', '.join(ROLES)}")
    if message.kind not in KINDS:
        raise BadInput(f"unknown kind {message.kind!r}", f"use one of {', '.join(KINDS)}")
    if len(message.text) > MAX_MESSAGE:
        return f"longer than {MAX_MESSAGE:,} characters"
    if virtual and (message.kind != CHAT or message.role not in ("user", "assistant")):
        return "a sub-agent's session takes chat messages only"
    return ""


def read(store: Store, key: SessionKey, limit: int = MAX_READ) -> list[Message]:
    """Return the newest messages, oldest first; at most `MAX_READ`, whatever was asked for."""
    found = rows.read_messages(store.connection, key, max(0, min(limit, MAX_READ)))
    return [Message(row.seq, row.role, row.text, row.kind, row.id, row.created_at) for row in found]


def read_all(store: Store, key: SessionKey, after: int = 0) -> list[Message]:
    """Return every message after seq `after`, for summaries and extraction."""
    found = rows.read_messages(store.connection, key, 1 << 40, after)
    return [Message(row.seq, row.role, row.text, row.kind, row.id, row.created_at) for row in found]


def require(store: Store, key: SessionKey) -> SessionRow:
    """Return the session or say that there is none."""
    found = rows.read_session(store.connection, key)
    if found is None:
        raise BadInput(f"no session {key.id!r} in this project", "`codemem session list` shows them")
    return found


def read_window(
    store: Store, key: SessionKey, max_tokens: int, count: Count, summary_tokens: int, rounds: int | None = None
) -> Window:
    """Return the window over the newest messages of the session."""
    session = require(store, key)
    messages = [message for message in read(store, key) if message.kind != OPAQUE]
    return window(
        messages,
        max_tokens,
        count,
        summary=session.summary,
        summary_upto=session.summary_upto,
        summary_tokens=summary_tokens,
        rounds=rounds,
    )


def write_summary(store: Store, key: SessionKey, summary: str) -> SessionRow:
    """Store a summary that covers everything said so far; it is cleaned and redacted like a message."""
    session = require(store, key)
    text = safe(without_context(summary)).text
    with store.transaction(durable=True) as connection:
        rows.set_summary(connection, key, text, rows.next_seq(connection, key) - 1, now_ms())
    return replace(session, summary=text)


def make_summary(store: Store, key: SessionKey, max_tokens: int, count: Count, embed: Embed) -> str:
    """Summarise the session extractively and store the summary; returns it."""
    require(store, key)
    summary = summarize(read_all(store, key), max_tokens, count, embed)
    write_summary(store, key, summary)
    return summary


def search_turns(
    store: Store, tenant: str, project: str, question: str, limit: int, session: str = ""
) -> list[tuple[str, MessageRow, float]]:
    """Find raw turns by their words: nothing that was said is out of reach because it was not extracted."""
    return rows.search_messages(store.connection, tenant, project, said_terms(question), limit, session)
