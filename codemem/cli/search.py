"""`codemem search`: the question, the filters, and the answer in the form that was asked for."""

# Annotations are evaluated once, here: as texts Typer would evaluate them twice, 6 ms of every search.
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from codemem.cli import NOTHING
from codemem.cli.beside import memory_answers, one_list, whole_page, with_tied_memories
from codemem.cli.door import (
    Door,
    Repository,
    find_repository,
    print_json,
    print_text,
    say,
    terminal_style,
    terminal_width,
)
from codemem.cli.filters import checked_filters
from codemem.cli.fresh import answer
from codemem.cli.narrowed import unknown_names, untold_by, untold_remark
from codemem.cli.options import Kind, Lang, Limit, NoRefresh, Offset, PathFilter, chosen_format
from codemem.cli.places import path_from_here
from codemem.errors import BadQuery, ModelMissing
from codemem.types import Fusion, Hit, Mode, Query, SearchResult

if TYPE_CHECKING:
    from codemem.memory import MemoryHit
    from codemem.retrieval import Session
    from codemem.store import Store

NOTHING_INDEXED = "nothing is indexed here: `codemem index --dry-run` lists what was found and why it was left out"
Format = Literal["text", "json", "markdown", "paths"]
Source = Annotated[
    list[str] | None,
    typer.Option(
        "--source", metavar="NAME", help="code, docs, memory, all (repeatable, or a,b).", show_default="code,docs"
    ),
]
Raises = Annotated[
    list[str] | None,
    typer.Option("--raises", metavar="TYPE", help="Only what can fail with this error type (repeatable)."),
]
Calls = Annotated[
    list[str] | None, typer.Option("--calls", metavar="SYMBOL", help="Only what calls this symbol (repeatable).")
]


def search(
    context: typer.Context,
    query: Annotated[list[str], typer.Argument(metavar="QUERY", help="Words, a question, a name, an error message.")],
    limit: Limit = None,
    offset: Offset = 0,
    mode: Annotated[Mode, typer.Option(help="Which arms answer.")] = "hybrid",
    lang: Lang = None,
    path: PathFilter = None,
    kind: Kind = None,
    source: Source = None,
    raises: Raises = None,
    calls: Calls = None,
    rerank: Annotated[bool, typer.Option("--rerank", help="Let a cross-encoder judge the best hits again.")] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show every signal of every hit. (In calls: * loop, ? branch.)")
    ] = False,
    lines: Annotated[
        int | None, typer.Option("--context", "-C", min=0, metavar="N", help="Lines before and after the matched line.")
    ] = None,
    format: Annotated[Format, typer.Option("--format", help="How to print the hits.")] = "text",
    all_chunks: Annotated[
        bool, typer.Option("--all-chunks", help="Every matching span instead of the best one per file.")
    ] = False,
    fusion: Annotated[Fusion, typer.Option(help="How the arms are joined.")] = "ranked",
    no_refresh: NoRefresh = False,
) -> None:
    """Find code by words, names, calls or errors."""
    start = time.perf_counter()
    door: Door = context.obj
    text = " ".join(query)
    if not text.strip():
        raise BadQuery("the query is empty", "say what you are looking for: a name, some words, an error message")
    shape = chosen_format(door.json, format)
    repository = find_repository(door, None, {"limit": limit})
    asked = Query(
        text,
        limit=repository.settings.limit,
        offset=offset,
        mode=mode,
        fusion=fusion,
        all_chunks=all_chunks,
        rerank=chosen_judge(repository) if rerank else "",
    )

    def ask(store: "Store") -> tuple[SearchResult, dict[str, object], list[str]]:
        filters = checked_filters(repository.root, store, lang, path, kind, source, raises, calls)
        result = _retrieve(door, store, replace(asked, filters=filters), lines)
        unknown = [] if result.hits else unknown_names(store, filters)
        return result, index_facts(repository, store) if shape == "json" else {}, unknown

    (result, facts, unknown), fresh = answer(door, repository, not no_refresh, ask)
    result, entries = _with_memories(repository, result)
    _print(door, repository, result, entries, facts | {"fresh": fresh}, shape, explain)
    _conclude(door, result, len(entries), unknown, time.perf_counter() - start)


def chosen_judge(repository: Repository) -> str:
    """Return the cross-encoder of the settings; raises ModelMissing when none is chosen."""
    if not repository.settings.reranker:
        remedy = "`codemem config set reranker sentence-transformers:NAME`, or http://HOST/rerank"
        raise ModelMissing("no cross-encoder is chosen", remedy)
    return repository.settings.reranker


def _retrieve(door: Door, store: "Store", asked: Query, lines: int | None) -> SearchResult:
    from codemem.retrieval import search as retrieve
    from codemem.store.status import count_index

    if asked.filters.sources == ("memory",):
        return SearchResult(asked, ())
    question = whole_page(asked) if "memory" in asked.filters.sources else asked
    found = retrieve(store, question, _kept_session(door, store))
    untold = untold_by(store, asked.filters)
    result = replace(with_tied_memories(store, found), query=asked, untold=untold)
    if not result.hits and not count_index(store).files:
        return replace(result, degraded=(NOTHING_INDEXED,))
    if lines is None:
        return result
    return replace(result, hits=tuple(with_context(store, hit, lines) for hit in result.hits))


def _kept_session(door: Door, store: "Store") -> "Session | None":
    """Return what a server keeps between its calls; a command line keeps nothing and imports nothing for it."""
    if door.warm is None:
        return None
    from codemem.cli.warm import session_of

    return session_of(door.warm, store)


def _with_memories(repository: Repository, result: SearchResult) -> "tuple[SearchResult, Sequence[Hit | MemoryHit]]":
    """Return the page to show: the code hits as they are, or one list of code and memories when these are asked for."""
    if "memory" not in result.query.filters.sources:
        return result, result.hits
    memories, degraded = memory_answers(repository, result.query)
    entries = one_list(result, memories, result.query, repository.settings.embedder)
    return replace(result, degraded=(*result.degraded, *degraded)), entries


def _print(
    door: Door,
    repository: Repository,
    result: SearchResult,
    entries: "Sequence[Hit | MemoryHit]",
    facts: dict[str, object],
    format: str,
    explain: bool,
) -> None:
    shown_path = path_from_here(repository.root, Path.cwd())
    if format == "json":
        from codemem.render.documents import search_document

        print_json(search_document(result, facts, entries))
    elif format == "markdown":
        from codemem.render.hits import search_markdown

        print_text(search_markdown(result, entries))
    elif format == "paths":
        from codemem.render.hits import search_paths

        code = tuple(hit for hit in entries if isinstance(hit, Hit))
        print_text(search_paths(replace(result, hits=code), shown_path))
    elif entries:
        from codemem.render.hits import Look, search_text
        from codemem.signals import PHRASES

        look = Look(terminal_style(), terminal_width(), explain, PHRASES, shown_path)
        print_text(search_text(result, look, entries))


def with_context(store: "Store", hit: Hit, lines: int) -> Hit:
    """Show the matched line with so many lines before and after it, beyond the unit's own if need be."""
    from codemem.store.symbols import read_lines

    source = read_lines(store, hit.chunk.path)
    match = hit.match_line or hit.start_line
    first, last = max(1, match - lines), min(len(source), match + lines)
    return replace(hit, text="\n".join(source[first - 1 : last]), text_line=first, match_line=match)


def index_facts(repository: Repository, store: "Store") -> dict[str, object]:
    """Say which index answered; whether it is fresh is known only after the answer."""
    from codemem.store.status import count_index

    counts = count_index(store)
    root, commit = str(repository.root), counts.commit
    return {"root": root, "commit": commit, "fresh": False, "files": counts.files, "chunks": counts.chunks}


def _conclude(door: Door, result: SearchResult, number: int, unknown: list[str], seconds: float) -> None:
    """Say on stderr how many there are, how long it took and what was missing; exit 1 when there is nothing."""
    for degraded in result.degraded:
        say(door, f"note: {degraded}")
    if result.untold:
        say(door, untold_remark(result.untold))
    if not number:
        filtered = result.query.filters != type(result.query.filters)()
        page = " on this page" if result.query.offset else ""
        why = "".join(f"; {one}" for one in unknown) or ("; the filters may exclude it" if filtered else "")
        say(door, f"nothing found{page}{why}")
        raise typer.Exit(NOTHING)
    inexact = not result.exact_match and looks_like_a_name(result.query.text)
    count = f"{number} hit{'' if number == 1 else 's'}{', no exact match' if inexact else ''}"
    say(door, f"{count}, {seconds:.2f} s")


def looks_like_a_name(query: str) -> bool:
    """Say whether the query is written like an identifier: camel case, underscores, a scope, a call's parentheses."""
    import re

    return re.fullmatch(r"\S*(?:[a-z][A-Z]|[A-Z][a-z]|\w_\w|[#(]|::|\w\.\w)\S*", query.strip()) is not None
