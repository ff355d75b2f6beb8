"""`codemem session summarize|set-summary|compact|judge`: what a conversation comes to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import typer

from codemem.cli import NOTHING
from codemem.cli.door import Door, find_repository, print_json, print_text, say
from codemem.cli.engine import QueryCommand
from codemem.cli.inputs import read_stdin
from codemem.cli.session.common import Session, Tenant, TokenizerFile, app, fields_of, open_sessions


@app.command("summarize")
def summarize(
    context: typer.Context,
    session: Session,
    max_tokens: Annotated[int, typer.Option("--max-tokens", metavar="N", help="Length of the summary.")] = 600,
    llm_command: Annotated[
        str,
        typer.Option(
            "--llm-command",
            metavar="COMMAND",
            help="Let this program write it: conversation on stdin, summary on stdout.",
        ),
    ] = "",
    tenant: Tenant = "default",
    tokenizer: TokenizerFile = "",
) -> None:
    """Write and keep a summary of the session, from its own sentences."""
    from codemem.render.safe import safe_text
    from codemem.sessions.conversation import make_summary, read_all, require, write_summary
    from codemem.sessions.judgement import summary_prompt
    from codemem.tokens import load_counter

    door: Door = context.obj
    counter = load_counter(tokenizer)
    embedder = None if llm_command else _embedder(door)
    with open_sessions(door, tenant, write=True) as (store, _, key_of):
        key = require(store, key_of(session)).key
        if llm_command:
            from codemem.sessions.command import run_model

            reply = run_model(llm_command, summary_prompt(read_all(store, key), max_tokens))
            summary = write_summary(store, key, _cut_lines(reply, max_tokens, counter.count)).summary
        else:
            assert embedder is not None
            summary = make_summary(store, key, max_tokens, counter.count, embedder.embed_texts)
    if door.json:
        print_json({"session": session, "summary": summary, "tokens": counter.count(summary), "counter": counter.name})
    else:
        print_text(safe_text(summary))
    if not summary:
        raise typer.Exit(NOTHING)


@app.command("set-summary", cls=QueryCommand)
def set_summary(
    context: typer.Context,
    session: Session,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="The summary, Markdown; `-` reads it from stdin.")],
    tenant: Tenant = "default",
) -> None:
    """Keep a summary that was written elsewhere."""
    from codemem.sessions.conversation import write_summary

    door: Door = context.obj
    with open_sessions(door, tenant, write=True) as (store, _, key_of):
        row = write_summary(store, key_of(session), read_stdin(needed=True) if text == "-" else text)
    if door.json:
        print_json({"session": session, "summary": row.summary})
    else:
        say(door, "summary kept" if row.summary else "summary removed")


@app.command("compact")
def compact(
    context: typer.Context,
    session: Session,
    again: Annotated[bool, typer.Option("--all", help="Also look at messages that were compacted before.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be remembered and store nothing.")] = False,
    llm_command: Annotated[
        str,
        typer.Option(
            "--llm-command", metavar="COMMAND", help="Let this program choose: prompt on stdin, JSON on stdout."
        ),
    ] = "",
    tenant: Tenant = "default",
) -> None:
    """Take memories from what was said; outright requests are stored, the rest become candidates."""
    from codemem.sessions.compaction import compact_session

    door: Door = context.obj
    with open_sessions(door, tenant, write=True) as (_, stores, key_of):
        outcomes = compact_session(
            stores, key_of(session), embedder=_embedder(door), again=again, dry_run=dry_run, llm_command=llm_command
        )
    _print_kept(door, session, outcomes, dry_run)


@app.command("judge")
def judge(
    context: typer.Context,
    session: Session,
    apply: Annotated[
        bool, typer.Option("--apply", help="Read the model's JSON reply from stdin and remember what it holds.")
    ] = False,
    tenant: Tenant = "default",
) -> None:
    """Print the prompt that lets a language model choose memories, or --apply its reply."""
    from codemem.sessions.compaction import apply_judgement
    from codemem.sessions.conversation import read, require
    from codemem.sessions.judgement import judge_prompt

    door: Door = context.obj
    with open_sessions(door, tenant, write=apply) as (store, stores, key_of):
        found = require(store, key_of(session))
        if not apply:
            prompt = judge_prompt(read(store, found.key), found.compacted_upto)
            if door.json:
                print_json({"session": session, "prompt": prompt})
            else:
                print_text(prompt)
            return
        outcomes = apply_judgement(stores, found.key, read_stdin(needed=True), embedder=_embedder(door))
    _print_kept(door, session, outcomes, False)


def _print_kept(door: Door, session: str, outcomes: list[Any], dry_run: bool) -> None:
    from codemem.render.safe import one_line

    if door.json:
        print_json({"session": session, "dry_run": dry_run, "memories": [fields_of(item) for item in outcomes]})
    else:
        for item in outcomes:
            state = " as a candidate" if item.status == "candidate" else ""
            print_text(f"{item.verdict}{state}  {one_line(item.text)}  ({item.marker}, message {item.seq})")
    if not outcomes:
        raise typer.Exit(NOTHING)


def _embedder(door: Door) -> Any:
    from codemem.embed import load_embedder

    return load_embedder(find_repository(door).settings.embedder)


def _cut_lines(text: str, max_tokens: int, count: Callable[[str], int]) -> str:
    lines = text.strip().split("\n")
    while lines and count("\n".join(lines)) > max_tokens:
        lines.pop()
    return "\n".join(lines)
