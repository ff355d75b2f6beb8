"""`codemem context`: one block for a prompt, within a budget."""

from __future__ import annotations

from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from codemem.cli import NOTHING
from codemem.cli.door import Door, Repository, find_repository, print_json, print_text, say
from codemem.cli.filters import checked_filters
from codemem.cli.fresh import ready_index
from codemem.cli.options import Kind, Lang, NoRefresh, PathFilter, chosen_format
from codemem.errors import BadQuery
from codemem.text import counted
from codemem.types import Mode

if TYPE_CHECKING:
    from codemem.packing.context import Context, Sources
    from codemem.store import Store

Format = Literal["text", "json", "messages", "markdown"]
MEMORY_SECTIONS = ("profile", "agent")


def context(
    context: typer.Context,
    query: Annotated[list[str], typer.Argument(metavar="QUERY", help="The task or question, in the user's own words.")],
    budget: Annotated[int, typer.Option("--budget", metavar="N", help="Tokens in all.")] = 4_000,
    session: Annotated[
        str, typer.Option("--session", metavar="SESSION", help="Add the recent turns of this session.")
    ] = "",
    around: Annotated[
        str, typer.Option("--around", metavar="TEXT", help="Text around the question; colours the memories.")
    ] = "",
    mode: Annotated[Mode, typer.Option(help="Which arms answer.")] = "hybrid",
    lang: Lang = None,
    path: PathFilter = None,
    kind: Kind = None,
    tenant: Annotated[str, typer.Option("--tenant", metavar="NAME", help="Whose memories and sessions.")] = "default",
    cube: Annotated[
        list[str] | None, typer.Option("--cube", metavar="NAME", help="Only memories of this cube (repeatable).")
    ] = None,
    system: Annotated[str, typer.Option("--system", metavar="TEXT", help="System text to put first (messages).")] = "",
    format: Annotated[Format, typer.Option("--format", help="How to print it.")] = "text",
    tokenizer: Annotated[str, typer.Option("--tokenizer", metavar="FILE", help="Count with this tokenizer.json.")] = "",
    filter_sensitive: Annotated[
        bool, typer.Option("--filter-sensitive", help="Look for secrets again on the way out.")
    ] = False,
    no_refresh: NoRefresh = False,
) -> None:
    """Pack memories, code and recent turns for a prompt."""
    from codemem.memory.requests import check_name
    from codemem.packing.context import Request, build_context
    from codemem.tokens import load_counter

    door: Door = context.obj
    text = " ".join(query)
    if not text.strip():
        raise BadQuery("the query is empty", "say what the context is for")
    shape = chosen_format(door.json, format, ("text", "json", "messages"))
    if system and shape != "messages":
        raise BadQuery("--system belongs to --format messages", "ask for messages, or leave --system out")
    check_name("tenant", tenant)
    cubes = tuple(check_name("cube", name) for name in cube or ())
    budget = max(budget, 0)  # as `session window` does: what is below nothing holds nothing
    repository = find_repository(door)
    counter = load_counter(tokenizer)
    with ExitStack() as opened:
        ready = ready_index(door, repository, not no_refresh)
        store = opened.enter_context(ready.store)
        filters = checked_filters(repository.root, store, lang, path, kind, None, None, None)
        request = Request(text, budget, filters, mode, around, tenant, cubes, filter_sensitive)
        sources = _sources(opened, repository, store, tenant, session, mode)
        if system:
            request = _less(request, counter.count(system))
        result = build_context(request, sources, counter, history=shape == "messages")
    try:
        _print(door, shape, result, budget, system)
    finally:
        _note_use(repository, result)


def _sources(opened: ExitStack, repository: Repository, store: Store, tenant: str, session: str, mode: str) -> Sources:
    from codemem.memory import Stores, open_memories
    from codemem.packing.context import Sources

    stores: Stores = opened.enter_context(open_memories(repository.root))

    def turns() -> Any:
        from codemem.sessions.conversation import read, require, session_key

        key, _ = session_key(tenant, stores.project_id, session)
        return read(stores.of("project"), require(stores.of("project"), key).key)

    def embedder() -> Any:
        from codemem.embed import load_embedder

        return None if mode == "keyword" else load_embedder(repository.settings.embedder)

    return Sources(lambda: store, lambda: stores, turns if session else None, embedder)


def _note_use(repository: Repository, result: Context) -> None:
    """Write down when the memories that were handed out were used: a step of its own after the answer, at best effort."""
    from codemem.errors import StoreError

    sections = [section for section in result.packed.sections if section.name in MEMORY_SECTIONS]
    used = [entry.id for section in sections for entry in section.entries]
    if not used:
        return
    from codemem.memory.using import note_use

    with suppress(StoreError, OSError):  # a read-only store, or another writer: nothing waits for this
        note_use(repository.root, used)


def _less(request: Any, tokens: int) -> Any:
    from dataclasses import replace

    return replace(request, budget=request.budget - tokens)


def _print(door: Door, format: str, result: Context, budget: int, system: str) -> None:
    from codemem.packing.context import chat_messages
    from codemem.render.safe import safe_text

    if format == "json":
        print_json(_document(result, budget))
    elif format == "messages":
        print_json(chat_messages(result, system))
    elif result.text:
        print_text(safe_text(result.text))
    for name in result.degraded:
        say(door, f"note: {name}")
    omitted = result.packed.omitted
    if omitted and format != "json":
        say(door, f"left out: {counted(len(omitted), 'entry')} ({sum(item.tokens for item in omitted)} tokens)")
    elif result.packed.complete:
        say(door, "everything that was found is in it")
    say(door, f"{result.tokens} of {budget} tokens ({result.counter})")
    if not result.text and not result.history:
        raise typer.Exit(NOTHING)


def _document(result: Context, budget: int) -> dict[str, object]:
    packed = result.packed
    return {
        "budget": budget,
        "tokens": result.tokens,
        "counter": result.counter,
        "complete": packed.complete,
        "degraded": list(result.degraded),
        "sections": [
            {
                "name": section.name,
                "title": section.title,
                "tokens": section.tokens,
                "entries": [
                    {"id": entry.id, "path": entry.path, "text": entry.text, "body": entry.body, "why": entry.why}
                    for entry in section.entries
                ],
            }
            for section in packed.sections
        ],
        "omitted": [
            {"section": item.section, "id": item.id, "tokens": item.tokens, "reason": item.reason}
            for item in packed.omitted
        ],
        "text": result.text,
    }
