"""`codemem callers`, `callees`, `trace`, `raises`: walk along calls and contracts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from codemem.cli import NOTHING
from codemem.cli.door import Door, find_repository, print_json, print_text, say, terminal_style
from codemem.cli.fresh import answer
from codemem.cli.narrowed import untold_remark
from codemem.cli.options import NoRefresh, chosen_format
from codemem.cli.places import path_from_here, symbol_to_root
from codemem.errors import BadQuery
from codemem.text import counted
from codemem.types import ChunkKey

if TYPE_CHECKING:
    from codemem.graph import Edge, Site, Trace
    from codemem.store import Store

Symbol = Annotated[str, typer.Argument(metavar="SYMBOL", help="A name, a qualified name, or path:line.")]
Depth = Annotated[int, typer.Option("--depth", min=1, metavar="N", help="How many calls away.")]
SHOWN_CANDIDATES = 6
"""Definitions listed for an ambiguous name."""
Shape = Annotated[Literal["text", "json", "mermaid", "dot"], typer.Option("--format", help="How to print the calls.")]


def callers(
    context: typer.Context, symbol: Symbol, depth: Depth = 1, format: Shape = "text", no_refresh: NoRefresh = False
) -> None:
    """Say who calls a definition."""
    _neighbours(context.obj, symbol, depth, format, not no_refresh, upwards=True)


def callees(
    context: typer.Context, symbol: Symbol, depth: Depth = 1, format: Shape = "text", no_refresh: NoRefresh = False
) -> None:
    """Say what a definition calls, in order."""
    _neighbours(context.obj, symbol, depth, format, not no_refresh, upwards=False)


def trace(
    context: typer.Context,
    start: Annotated[str, typer.Argument(metavar="FROM", help="Where the calls begin.")],
    goal: Annotated[
        str, typer.Argument(metavar="TO", help="Where they shall lead; without it, all that is called.")
    ] = "",
    depth: Annotated[int, typer.Option("--depth", min=0, metavar="N", help="How many calls at most; 0 chooses.")] = 0,
    format: Shape = "text",
    no_refresh: NoRefresh = False,
) -> None:
    """Show the ways along calls from one definition to another."""
    from codemem.graph import trace as traced
    from codemem.render.graph import edge_documents, tree_text, ways_text

    door: Door = context.obj
    shape = chosen_format(door.json, format)
    repository = find_repository(door)

    def ask(store: Store) -> Trace:
        return traced(
            store,
            one_symbol(store, repository.root, start),
            one_symbol(store, repository.root, goal) if goal else (),
            depth,
        )

    found, _ = answer(door, repository, not no_refresh, ask)
    shown_path = path_from_here(repository.root, Path.cwd())
    if shape == "json":
        ways = [edge_documents(path) for path in found.paths]
        print_json(
            {
                "from": start,
                "to": goal or None,
                "paths": ways,
                "edges": edge_documents(found.edges),
                "truncated": found.truncated,
            }
        )
    elif shape != "text":
        _draw(found.edges, found.start, shape)
    elif goal:
        print_text(ways_text(found.paths, terminal_style(), shown_path))
    else:
        print_text(tree_text(found.start, found.edges, False, terminal_style(), shown_path))
    if not found.edges:
        say(door, f"no way from {start} to {goal}" if goal else f"{start} calls nothing of this repository")
        raise typer.Exit(NOTHING)
    if found.truncated:
        say(door, "there are more: narrow it with TO or --depth")


def raises(
    context: typer.Context,
    type: Annotated[str, typer.Argument(metavar="TYPE", help="An error type; its subtypes count.")],
    everything: Annotated[bool, typer.Option("--all", help="List the places in tests one by one, too.")] = False,
    no_refresh: NoRefresh = False,
) -> None:
    """Say who raises, declares, catches or lets through an error type."""
    from codemem.graph import count_untold, find_raises
    from codemem.render.graph import site_documents, sites_text

    door: Door = context.obj
    repository = find_repository(door)

    def ask(store: Store) -> tuple[tuple[Site, ...], int]:
        sites = find_raises(store, type)
        return sites, count_untold(store, sites)

    (sites, untold), _ = answer(door, repository, not no_refresh, ask)
    if door.json:
        print_json({"type": type, "sites": site_documents(sites), "untold": untold})
    else:
        shown = sites if everything else outside_tests(sites)
        print_text(sites_text(shown, type, terminal_style(), path_from_here(repository.root, Path.cwd())))
        if folded := len(sites) - len(shown):
            print_text(f"… and {counted(folded, 'place')} in tests (--all lists them)")
    if untold:
        say(door, untold_remark(untold))
    if not sites:
        say(door, f"nothing raises, declares or catches {type}")
        raise typer.Exit(NOTHING)


def outside_tests(sites: Sequence[Site]) -> Sequence[Site]:
    """Leave out the places in tests, unless there are no others."""
    from codemem.roles import is_test

    return [site for site in sites if not is_test(site.path)] or sites


def one_symbol(store: Store, root: Path, symbol: str) -> tuple[ChunkKey, ...]:
    """Find the definition that `symbol` names, with its overloads; raises BadQuery with the candidates when it is not one."""
    from codemem.roles import is_test
    from codemem.store.symbols import find_symbols

    rows = find_symbols(store, symbol_to_root(root, Path.cwd(), symbol))
    if len({row.qualified_name for row in rows}) > 1:
        rows = [row for row in rows if not is_test(row.path)] or rows
    names = list(dict.fromkeys((row.qualified_name, row.path) for row in rows))
    if len({name for name, _ in names}) > 1:
        listed = [f"{row.qualified_name} ({row.path}:{row.start_line})" for row in rows[:SHOWN_CANDIDATES]]
        more = f" and {len(rows) - SHOWN_CANDIDATES} more" if len(rows) > SHOWN_CANDIDATES else ""
        raise BadQuery(f"`{symbol}` names {len(rows)} definitions", f"name one: {', '.join(listed)}{more}")
    return tuple(ChunkKey(row.path, row.qualified_name, row.ordinal) for row in rows)


def _neighbours(door: Door, symbol: str, depth: int, format: str, may_refresh: bool, upwards: bool) -> None:
    from codemem.graph import callees, callers
    from codemem.render.graph import edge_documents, tree_text

    shape = chosen_format(door.json, format)
    repository = find_repository(door)
    walk = callers if upwards else callees
    found, _ = answer(
        door, repository, may_refresh, lambda store: walk(store, one_symbol(store, repository.root, symbol), depth)
    )
    shown_path = path_from_here(repository.root, Path.cwd())
    if shape == "json":
        edges, possible = edge_documents(found.edges), edge_documents(found.possible)
        print_json({"symbol": symbol, "edges": edges, "possible": possible, "truncated": found.truncated})
    elif shape != "text":
        _draw(found.edges, found.start, shape)
    else:
        print_text(tree_text(found.start, found.edges, upwards, terminal_style(), shown_path))
        for edge in found.possible:
            print_text(
                f"{shown_path(edge.path)}:{edge.line}  unresolved call of {edge.name} in {edge.caller.qualified_name}"
            )
    if not found.edges and not found.possible:
        say(door, f"nothing calls {symbol}" if upwards else f"{symbol} calls nothing")
        raise typer.Exit(NOTHING)
    if found.truncated:
        say(door, "there are more: ask with a smaller --depth")


def _draw(edges: tuple[Edge, ...], starts: tuple[ChunkKey, ...], form: str) -> None:
    from codemem.graph import draw_graph

    print_text(draw_graph(edges, starts, form))
