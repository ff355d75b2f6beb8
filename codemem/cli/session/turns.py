"""`codemem session append|show|list|window|search`: what was said, kept, shown, fitted into a prompt and found."""

from __future__ import annotations

from typing import Annotated

import typer

from codemem.cli import NOTHING
from codemem.cli.door import Door, print_json, print_text, say
from codemem.cli.engine import QueryCommand
from codemem.cli.inputs import read_stdin
from codemem.cli.options import Offset
from codemem.cli.session.common import Session, Tenant, TokenizerFile, app, fields_of, open_sessions, session_fields
from codemem.errors import BadInput
from codemem.text import counted

MOST_TURNS = 1 << 40
"""More turns than fit into any store; the store itself counts to 1 << 63."""


@app.command("append", cls=QueryCommand)
def append(
    context: typer.Context,
    session: Session,
    text: Annotated[str | None, typer.Argument(metavar="TEXT", help="What was said; `-` reads it from stdin.")] = None,
    role: Annotated[str, typer.Option("--role", help="system, user, assistant or tool.")] = "user",
    kind: Annotated[str, typer.Option("--kind", help="chat, tool_call, tool_result or event.")] = "chat",
    jsonl: Annotated[
        bool, typer.Option("--jsonl", help="Read messages from stdin: chat messages, Claude Code or Codex transcripts.")
    ] = False,
    tenant: Tenant = "default",
    tokenizer: TokenizerFile = "",
) -> None:
    """Add one message, or with --jsonl many."""
    from codemem.sessions.conversation import append as append_messages
    from codemem.sessions.importers import Imported, read_messages
    from codemem.tokens import load_counter

    door: Door = context.obj
    if jsonl == (text is not None):
        raise BadInput(
            "give a TEXT or --jsonl with messages on stdin, not both",
            'for example: codemem session append main "hello"',
        )
    content = read_stdin(needed=True) if jsonl or text == "-" else str(text)
    messages = list(read_messages(content)) if jsonl else [Imported(role, content, kind)]
    counter = load_counter(tokenizer)
    with open_sessions(door, tenant, write=True) as (store, stores, _):
        outcomes = append_messages(store, tenant, stores.project_id, session, messages, counter.count)
    if not jsonl and outcomes[0].reason == "empty":
        raise BadInput("the message is empty", "say what was said, or `-` to read it from stdin")
    counts = {verdict: sum(item.verdict == verdict for item in outcomes) for verdict in ("stored", "known", "ignored")}
    opaque = sum(message.kind == "opaque" for message in messages)
    if door.json:
        print_json({"session": session, **counts, "opaque": opaque, "messages": [fields_of(item) for item in outcomes]})
    elif len(outcomes) == 1:
        only = outcomes[0]
        print_text(f"{only.verdict} {only.seq}" if only.verdict == "stored" else f"{only.verdict}: {only.reason}")
    else:
        print_text(
            f"{counts['stored']} stored, {counts['known']} known, {counts['ignored']} ignored, {opaque} not understood"
        )


@app.command("show")
def show(
    context: typer.Context,
    session: Session,
    limit: Annotated[
        int, typer.Option("--limit", "-k", min=1, metavar="N", help="The newest N messages, at most 200.")
    ] = 200,
    tenant: Tenant = "default",
) -> None:
    """Show the newest messages, oldest first."""
    from codemem.identity import iso_time
    from codemem.render.safe import one_line, safe_text
    from codemem.sessions.conversation import read, require

    door: Door = context.obj
    with open_sessions(door, tenant) as (store, _, key_of):
        found = require(store, key_of(session))
        messages = read(store, found.key, limit)
    if door.json:
        rows = [
            {
                "seq": item.seq,
                "id": item.id,
                "role": item.role,
                "kind": item.kind,
                "text": item.text,
                "created_at": iso_time(item.created_at),
            }
            for item in messages
        ]
        print_json({**session_fields(found), "shown": rows})
        return
    for item in messages:
        print_text(f"{item.seq} {item.role}{'' if item.kind == 'chat' else f' ({one_line(item.kind)})'}")
        print_text("\n".join(f"    {line}" for line in safe_text(item.text).split("\n")))


@app.command("list")
def list_(
    context: typer.Context,
    limit: Annotated[
        int | None,
        typer.Option("--limit", "-k", min=1, metavar="N", help="How many to show.", show_default="all"),
    ] = None,
    offset: Offset = 0,
    tenant: Tenant = "default",
) -> None:
    """List the sessions of this project, the most recently used first."""
    from codemem.identity import iso_time
    from codemem.render.safe import one_line
    from codemem.store.sessions import list_sessions

    door: Door = context.obj
    with open_sessions(door, tenant) as (store, stores, _):
        every = list_sessions(store.connection, tenant, stores.project_id)
    found = every[offset : None if limit is None else offset + limit]
    if door.json:
        print_json({"total": len(every), "sessions": [session_fields(row) for row in found]})
    else:
        for row in found:
            print_text(
                f"{one_line(row.key.id)}  {counted(row.messages, 'message')}, {counted(row.tokens, 'token')}, "
                f"{iso_time(row.updated_at)}"
                f"{', summarised' if row.summary else ''}"
            )
    if not found:
        say(door, "nothing found on this page" if every else "no conversation is kept yet")
        raise typer.Exit(NOTHING)


@app.command("window")
def window(
    context: typer.Context,
    session: Session,
    max_tokens: Annotated[
        int, typer.Option("--max-tokens", metavar="N", help="What the messages may cost in all.")
    ] = 8_000,
    summary_tokens: Annotated[
        int | None,
        typer.Option(
            "--summary-tokens",
            metavar="N",
            help="What the summary may take of it.",
            show_default="2000, at most a quarter",
        ),
    ] = None,
    rounds: Annotated[
        int | None, typer.Option("--rounds", metavar="N", help="Only the newest N user turns and what followed.")
    ] = None,
    tenant: Tenant = "default",
    tokenizer: TokenizerFile = "",
) -> None:
    """Print the messages that fit a prompt, as chat messages."""
    from codemem.render.safe import safe_text
    from codemem.sessions.conversation import read_window
    from codemem.tokens import load_counter

    door: Door = context.obj
    counter = load_counter(tokenizer)
    with open_sessions(door, tenant) as (store, _, key_of):
        if summary_tokens is None:
            summary_tokens = min(2_000, max(0, max_tokens) // 4)
        elif summary_tokens >= max_tokens:
            raise BadInput(
                "the summary's budget must be smaller than the whole", "lower --summary-tokens or raise --max-tokens"
            )
        result = read_window(store, key_of(session), max_tokens, counter.count, summary_tokens, rounds)
    messages = [{"role": item.role, "content": item.text} for item in result.messages]
    if door.json:
        print_json(
            {
                "session": session,
                "messages": messages,
                "tokens": result.tokens,
                "max_tokens": max_tokens,
                "counter": counter.name,
                "trimmed": result.trimmed,
                "summary": {"used": result.summary_used, "stale": result.summary_stale},
            }
        )
        return
    for item in result.messages:
        print_text(f"{item.role}:\n" + "\n".join(f"    {line}" for line in safe_text(item.text).split("\n")))
    say(door, f"{result.tokens} of {max_tokens} tokens ({counter.name}), {result.trimmed} messages left out"
              f"{', the summary is stale' if result.summary_stale else ''}")  # fmt: skip


@app.command("search", cls=QueryCommand)
def search(
    context: typer.Context,
    query: Annotated[list[str], typer.Argument(metavar="QUERY", help="Words that were said.")],
    session: Annotated[str, typer.Option("--session", metavar="SESSION", help="Only in this session.")] = "",
    limit: Annotated[int, typer.Option("--limit", "-k", min=1, metavar="N", help="How many to show.")] = 10,
    offset: Offset = 0,
    tenant: Tenant = "default",
) -> None:
    """Find raw turns by their words."""
    from codemem.errors import BadQuery
    from codemem.render.safe import one_line
    from codemem.sessions.conversation import search_turns

    door: Door = context.obj
    text = " ".join(query)
    if not text.strip():
        raise BadQuery("the query is empty", "say which words you are looking for")
    with open_sessions(door, tenant) as (store, stores, key_of):
        within = key_of(session).id if session else ""
        hits = search_turns(store, tenant, stores.project_id, text, min(limit + offset, MOST_TURNS), within)[offset:]
    if door.json:
        print_json({"query": text, "count": len(hits), "hits": [
            {"rank": rank, "session": name, "seq": row.seq, "id": row.id, "role": row.role, "text": row.text, "score": score}
            for rank, (name, row, score) in enumerate(hits, start=offset + 1)]})  # fmt: skip
    else:
        for name, row, _ in hits:
            print_text(f"{one_line(name)}:{row.seq} {row.role}: {one_line(row.text)}")
    if not hits:
        say(door, "nothing found")
        raise typer.Exit(NOTHING)
