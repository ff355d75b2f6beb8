"""`codemem memory search|list|show|history|similarity|stats`: what only looks."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Literal

import typer

from codemem.cli import NOTHING
from codemem.cli.door import Door, print_json, print_text, say, warn
from codemem.cli.engine import QueryCommand
from codemem.cli.memory.common import (
    AsOf,
    Cubes,
    EmbedderChoice,
    LanguageOfMessages,
    OnlyGlobal,
    OnlyProject,
    Reference,
    Superseded,
    Tenant,
    Types,
    app,
    language_of,
    model,
    moment,
    opened,
    renew_ties,
    require,
    reranker_of,
    visibility_of,
)
from codemem.cli.options import Limit, Offset
from codemem.errors import BadQuery

Keys = Annotated[list[str] | None, typer.Option("--key", metavar="NAME", help="Only under this key (repeatable).")]
Symbols = Annotated[
    list[str] | None, typer.Option("--symbol", metavar="NAME", help="Only tied to this symbol (repeatable).")
]
Sources = Annotated[
    list[str] | None,
    typer.Option(
        "--source",
        metavar="NAME",
        help="manual, codebase, doc, conversation (repeatable); codebase shows the interfaces of the code as well.",
    ),
]
LISTED = 50
ListLimit = Annotated[int, typer.Option("--limit", "-k", min=1, metavar="N", help="How many to show.")]


@app.command("search", cls=QueryCommand)
def search(
    context: typer.Context,
    query: Annotated[list[str], typer.Argument(metavar="QUERY", help="Words or a question.")],
    limit: Limit = None,
    offset: Offset = 0,
    mode: Annotated[Literal["hybrid", "keyword", "vector"], typer.Option(help="Which arms answer.")] = "hybrid",
    type: Types = None,
    cube: Cubes = None,
    tenant: Tenant = "default",
    key: Annotated[
        list[str] | None, typer.Option("--key", metavar="NAME", help="Only under this key (repeatable).")
    ] = None,
    symbol: Annotated[
        list[str] | None, typer.Option("--symbol", metavar="NAME", help="Only tied to this symbol (repeatable).")
    ] = None,
    source: Sources = None,
    only_global: OnlyGlobal = False,
    only_project: OnlyProject = False,
    include_superseded: Superseded = False,
    as_of: AsOf = None,
    min_score: Annotated[
        float | None, typer.Option("--min-score", metavar="S", help="Hide what is less similar (0 to 1).")
    ] = None,
    rerank: Annotated[
        bool, typer.Option("--rerank", help="Let the configured reranker judge the best hits again.")
    ] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Show the arms' scores of every hit.")] = False,
    lang_ui: LanguageOfMessages = "",
    embedder: EmbedderChoice = None,
) -> None:
    """Find memories by words and by meaning."""
    from codemem.memory import MemoryQuery, search_memories
    from codemem.render.memories import messages, result_document, result_text

    door: Door = context.obj
    text = " ".join(query)
    if not text.strip():
        raise BadQuery("the query is empty", "give a few words, or list everything with `codemem memory list`")
    asked = MemoryQuery(
        text, 1, offset, mode, tuple(type or ()), tuple(source or ()), tuple(symbol or ()), tuple(key or ()),
        include_superseded, moment(as_of, "--as-of"), min_score, visibility_of(only_global, only_project),
    )  # fmt: skip
    language = language_of(lang_ui)
    if not only_global:
        renew_ties(door)
    with opened(door, tenant, cube, embedder=embedder, only_global=only_global, in_part=True) as here:
        asked = replace(asked, limit=limit or here.settings.limit)
        judge = reranker_of(here.settings) if rerank else None
        embedding = None if mode == "keyword" else model(door, here.settings)
        result = search_memories(here.stores, asked, here.scope, embedding, judge)
    if not result.hits and here.stores.failures:
        raise here.stores.failures[0]  # what was asked for may stand there
    for note in result.degraded:
        if note not in here.stores.degraded:  # that was said when they were opened
            warn(door, note)
    if door.json:
        print_json(result_document(result, text, mode, offset))
    elif result.hits:
        print_text(result_text(result, explain))
    if result.below_minimum:
        say(door, messages(language)["below"].format(count=result.below_minimum, minimum=min_score))
    if not result.hits:
        if not result.below_minimum:
            say(door, messages(language)["nothing"])
        raise typer.Exit(NOTHING)


@app.command("list")
def list_(
    context: typer.Context,
    limit: ListLimit = LISTED,
    offset: Offset = 0,
    type: Types = None,
    cube: Cubes = None,
    tenant: Tenant = "default",
    key: Annotated[
        list[str] | None, typer.Option("--key", metavar="NAME", help="Only under this key (repeatable).")
    ] = None,
    symbol: Annotated[
        list[str] | None, typer.Option("--symbol", metavar="NAME", help="Only tied to this symbol (repeatable).")
    ] = None,
    source: Sources = None,
    status: Annotated[
        list[str] | None,
        typer.Option("--status", metavar="NAME", help="active, candidate, superseded, deleted (repeatable)."),
    ] = None,
    only_global: OnlyGlobal = False,
    only_project: OnlyProject = False,
    include_superseded: Superseded = False,
    as_of: AsOf = None,
    lang_ui: LanguageOfMessages = "",
) -> None:
    """List memories, the newest first."""
    from codemem.memory import MemoryQuery, list_memories
    from codemem.memory.requests import check_query
    from codemem.render.memories import listing_text, memory_document, messages

    door: Door = context.obj
    asked = MemoryQuery(
        "", limit, offset, "keyword", tuple(type or ()), tuple(source or ()), tuple(symbol or ()),
        tuple(key or ()), include_superseded, moment(as_of, "--as-of"), None, visibility_of(only_global, only_project),
    )  # fmt: skip
    check_query(asked)
    language = language_of(lang_ui)
    if not only_global:
        renew_ties(door)
    with opened(door, tenant, cube, only_global=only_global) as here:
        listing = list_memories(here.stores, here.scope, asked, tuple(status or ()))
    if door.json:
        memories = [memory_document(memory) for memory in listing.memories]
        print_json(
            {"count": len(memories), "total": listing.total, "superseded": listing.superseded, "memories": memories}
        )
    elif listing.memories:
        print_text(listing_text(listing, language))
        shown = offset + len(listing.memories)
        if shown < listing.total:
            say(door, messages(language)["more"].format(count=listing.total - shown, offset=shown))
    if not listing.memories:
        say(door, messages(language)["nothing"])
        raise typer.Exit(NOTHING)


@app.command("show")
def show(context: typer.Context, reference: Reference, tenant: Tenant = "default", cube: Cubes = None) -> None:
    """Show one memory with its versions and its tie to the code."""
    from codemem.memory import version_chain
    from codemem.memory.reading import tie_of
    from codemem.render.memories import memory_document, memory_text

    door: Door = context.obj
    renew_ties(door)
    with opened(door, tenant, cube) as here:
        found = require(door, here, reference)
        chain = version_chain(found, here.scope)
        tie = tie_of(found)
    if door.json:
        versions = [memory_document(older) for older in chain]
        print_json({**memory_document(found.memory), "replaces": versions, "tie": tie})
    else:
        where = f"{tie['symbol']} in {tie['path']}; {tie['detail']}".rstrip("; ") if tie and tie["path"] else ""
        print_text(memory_text(found.memory, chain, where))


@app.command("history")
def history(context: typer.Context, reference: Reference, tenant: Tenant = "default", cube: Cubes = None) -> None:
    """Tell what happened to a memory, oldest first."""
    from codemem.identity import iso_time
    from codemem.memory import memory_history
    from codemem.render.memories import history_text

    door: Door = context.obj
    with opened(door, tenant, cube) as here:
        found = require(door, here, reference)
        entries = memory_history(found)
    if door.json:
        print_json({"id": found.memory.uuid, "history": [{**entry, "at": iso_time(entry["at"])} for entry in entries]})
    else:
        print_text(history_text(entries))


@app.command("similarity")
def similarity(
    context: typer.Context,
    first: Annotated[str, typer.Argument(metavar="OLDER", help="A statement.")],
    second: Annotated[str, typer.Argument(metavar="NEWER", help="A later statement.")],
    embedder: EmbedderChoice = None,
) -> None:
    """Compare two statements: every measure, the judge's verdict and its reason."""
    from codemem.cli.door import find_repository
    from codemem.memory.operations import compare_statements

    door: Door = context.obj
    settings = find_repository(door, None, {"embedder": embedder}).settings
    measured = compare_statements(first, second, model(door, settings))
    if door.json:
        print_json(measured)
    else:
        print_text("\n".join(f"{name}: {value}" for name, value in measured.items() if value not in (None, "")))


@app.command("stats")
def stats(context: typer.Context, tenant: Tenant = "default", cube: Cubes = None) -> None:
    """Count memories by status, type, cube and visibility."""
    from codemem.memory import memory_stats

    door: Door = context.obj
    with opened(door, tenant, cube) as here:
        counted = memory_stats(here.stores, here.scope)
    if door.json:
        print_json(counted)
        return
    lines = [f"{counted['current']} current of {counted['total']}"]
    for name, numbers in counted.items():
        if isinstance(numbers, dict) and numbers:
            lines.append(
                f"{name.replace('_', ' ')}: " + ", ".join(f"{value} {number}" for value, number in numbers.items())
            )
    print_text("\n".join(lines))
