"""Rows of sessions and their messages."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple


class SessionKey(NamedTuple):
    tenant: str
    project: str
    id: str


@dataclass(frozen=True, slots=True)
class SessionRow:
    key: SessionKey
    created_at: int
    updated_at: int
    summary: str
    summary_upto: int
    compacted_upto: int
    messages: int
    tokens: int


@dataclass(frozen=True, slots=True)
class MessageRow:
    """One stored message; `seq` is 0 until it is stored."""

    id: str
    role: str
    kind: str
    text: str
    tokens: int
    created_at: int
    source_id: str = ""
    seq: int = 0


def append_messages(
    connection: sqlite3.Connection, key: SessionKey, rows: Sequence[MessageRow], terms: Sequence[str], now: int
) -> list[MessageRow | None]:
    """Store `rows` at the end of the session, making it when needed; None for one whose source id is there already."""
    connection.execute(
        "INSERT INTO session (tenant, project, id, created_at, updated_at) VALUES (?, ?, ?, ?, ?)"
        " ON CONFLICT DO UPDATE SET updated_at = max(updated_at, excluded.updated_at)",
        (*key, now, now),
    )
    seq = next_seq(connection, key)
    stored: list[MessageRow | None] = []
    for row, words in zip(rows, terms, strict=True):
        cursor = connection.execute(
            "INSERT OR IGNORE INTO message (tenant, project, session, seq, id, role, kind, text, tokens, created_at, source_id)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (*key, seq, row.id, row.role, row.kind, row.text, row.tokens, row.created_at, row.source_id),
        )
        if cursor.rowcount == 0:
            stored.append(None)
            continue
        connection.execute("INSERT INTO message_terms (rowid, terms) VALUES (?, ?)", (cursor.lastrowid, words))
        stored.append(_numbered(row, seq))
        seq += 1
    return stored


def next_seq(connection: sqlite3.Connection, key: SessionKey) -> int:
    """Return the next number of the session; numbers of pruned messages are not given again."""
    row = connection.execute(
        "SELECT max((SELECT coalesce(max(seq), 0) FROM message WHERE tenant = ? AND project = ? AND session = ?),"
        " (SELECT max(summary_upto, compacted_upto) FROM session WHERE tenant = ? AND project = ? AND id = ?))",
        (*key, *key),
    ).fetchone()
    return int(row[0] or 0) + 1


def read_messages(connection: sqlite3.Connection, key: SessionKey, newest: int, after: int = 0) -> list[MessageRow]:
    """Return at most the `newest` messages with a higher seq than `after`, oldest first."""
    rows = connection.execute(
        "SELECT id, role, kind, text, tokens, created_at, source_id, seq FROM message"
        " WHERE tenant = ? AND project = ? AND session = ? AND seq > ? ORDER BY seq DESC LIMIT ?",
        (*key, after, newest),
    ).fetchall()
    return [MessageRow(*row) for row in reversed(rows)]


def read_session(connection: sqlite3.Connection, key: SessionKey) -> SessionRow | None:
    found = _sessions(connection, "tenant = ? AND project = ? AND id = ?", key)
    return found[0] if found else None


def list_sessions(connection: sqlite3.Connection, tenant: str, project: str) -> list[SessionRow]:
    """Return the sessions of one tenant in one project, the most recently used first."""
    return _sessions(connection, "tenant = ? AND project = ?", (tenant, project))


def set_summary(connection: sqlite3.Connection, key: SessionKey, summary: str, upto: int, now: int) -> bool:
    """Store the summary that covers the messages up to `upto`; False when there is no such session."""
    cursor = connection.execute(
        "UPDATE session SET summary = ?, summary_upto = ?, updated_at = ? WHERE tenant = ? AND project = ? AND id = ?",
        (summary, upto, now, *key),
    )
    return cursor.rowcount > 0


def set_compacted(connection: sqlite3.Connection, key: SessionKey, upto: int) -> None:
    connection.execute(
        "UPDATE session SET compacted_upto = max(compacted_upto, ?) WHERE tenant = ? AND project = ? AND id = ?",
        (upto, *key),
    )


def prune_messages(connection: sqlite3.Connection, key: SessionKey, keep: int) -> int:
    """Remove all but the newest `keep` messages; returns how many went."""
    cursor = connection.execute(
        "DELETE FROM message WHERE tenant = ? AND project = ? AND session = ? AND seq <= coalesce((SELECT seq FROM message"
        " WHERE tenant = ? AND project = ? AND session = ? ORDER BY seq DESC LIMIT 1 OFFSET ?), 0)",
        (*key, *key, max(0, keep)),
    )
    return cursor.rowcount


def delete_session(connection: sqlite3.Connection, key: SessionKey) -> int:
    """Remove the session with its messages; returns how many messages went, -1 when there is no such session."""
    gone = connection.execute("DELETE FROM message WHERE tenant = ? AND project = ? AND session = ?", key).rowcount
    found = connection.execute("DELETE FROM session WHERE tenant = ? AND project = ? AND id = ?", key).rowcount
    return gone if found else -1


def search_messages(
    connection: sqlite3.Connection, tenant: str, project: str, terms: Sequence[str], limit: int, session: str = ""
) -> list[tuple[str, MessageRow, float]]:
    """Return (session, message, BM25 score) of messages that hold any of `terms`, best first."""
    if not terms:
        return []
    # Terms come from the analyser, and are quoted all the same: nothing of a query is ever FTS syntax.
    expression = " OR ".join('"' + term.replace('"', '""') + '"' for term in dict.fromkeys(terms))
    rows = connection.execute(
        "SELECT m.session, m.id, m.role, m.kind, m.text, m.tokens, m.created_at, m.source_id, m.seq, -bm25(message_terms)"
        " FROM message_terms JOIN message m ON m.number = message_terms.rowid"
        " WHERE message_terms MATCH ? AND m.tenant = ? AND m.project = ? AND (? = '' OR m.session = ?)"
        " ORDER BY bm25(message_terms), m.number LIMIT ?",
        (expression, tenant, project, session, session, limit),
    ).fetchall()
    return [(str(row[0]), MessageRow(*row[1:9]), float(row[9])) for row in rows]


def _sessions(connection: sqlite3.Connection, where: str, values: Sequence[str]) -> list[SessionRow]:
    rows = connection.execute(
        "SELECT tenant, project, id, created_at, updated_at, summary, summary_upto, compacted_upto,"
        " (SELECT count(*) FROM message m WHERE m.tenant = s.tenant AND m.project = s.project AND m.session = s.id),"
        " (SELECT coalesce(sum(tokens), 0) FROM message m WHERE m.tenant = s.tenant AND m.project = s.project AND m.session = s.id)"
        f" FROM session s WHERE {where} ORDER BY updated_at DESC, id",
        tuple(values),
    ).fetchall()
    return [SessionRow(SessionKey(*row[:3]), *row[3:]) for row in rows]


def _numbered(row: MessageRow, seq: int) -> MessageRow:
    return MessageRow(row.id, row.role, row.kind, row.text, row.tokens, row.created_at, row.source_id, seq)
