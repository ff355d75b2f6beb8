"""`codemem show` and `codemem outline`: interfaces by name and by place."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from codemem.cli import NOTHING
from codemem.cli.door import Door, find_repository, print_json, print_text, say, terminal_style, terminal_width
from codemem.cli.fresh import answer
from codemem.cli.options import Kind, Lang, NoRefresh
from codemem.cli.places import path_from_here, path_to_root, symbol_to_root
from codemem.errors import BadQuery
from codemem.types import Chunk, ErrorFact

if TYPE_CHECKING:
    from codemem.resolve.mismatch import Mismatch
    from codemem.store import Store
    from codemem.store.symbols import SymbolRow


def show(
    context: typer.Context,
    symbol: Annotated[str, typer.Argument(metavar="SYMBOL", help="A name, a qualified name, or path:line.")],
    no_refresh: NoRefresh = False,
) -> None:
    """Show a definition: its interface card and its code."""
    from codemem.graph import contract_mismatches
    from codemem.render.symbols import candidates_text, row_document, symbol_document, symbol_text
    from codemem.store.graph import load_resolved
    from codemem.store.symbols import find_symbols, with_code

    door: Door = context.obj
    repository = find_repository(door)

    def ask(store: Store) -> tuple[list[SymbolRow], dict[int, Chunk], dict[int, tuple[Mismatch, ...]]]:
        rows = find_symbols(store, symbol_to_root(repository.root, Path.cwd(), symbol))
        chunks = load_resolved(store.connection, [rows[0].chunk_id]) if len(rows) == 1 else {}
        shown = {chunk_id: with_code(store, rows[0], chunk) for chunk_id, chunk in chunks.items()}
        return rows, shown, contract_mismatches(store, chunks)

    (rows, chunks, mismatches), _ = answer(door, repository, not no_refresh, ask)
    shown_path = path_from_here(repository.root, Path.cwd())
    if door.json:
        matches = [symbol_document(chunk, mismatches.get(chunk_id, ())) for chunk_id, chunk in chunks.items()]
        matches = matches or [{"path": row.path, "language": row.language, **row_document(row)} for row in rows]
        print_json({"symbol": symbol, "ambiguous": len(rows) > 1, "matches": matches})
    elif chunks:
        found = rows[0].chunk_id
        card = symbol_text(chunks[found], terminal_style(), terminal_width(), shown_path, mismatches.get(found, ()))
        print_text(card)
    else:
        print_text(candidates_text(rows, shown_path))
    if len(rows) > 1:
        say(door, f"{len(rows)} definitions: name one by its scope, or by path:line")


def outline(
    context: typer.Context,
    path: Annotated[str, typer.Argument(metavar="PATH", help="A file or folder of the repository.")] = ".",
    kind: Kind = None,
    lang: Lang = None,
    no_refresh: NoRefresh = False,
) -> None:
    """List the interfaces of a file or folder, without bodies."""
    from codemem.cli.filters import kind_names, language_names
    from codemem.render.facts import raises_phrase
    from codemem.render.symbols import file_outlines, outline_text
    from codemem.store.graph import read_contract
    from codemem.store.symbols import read_outline

    door: Door = context.obj
    repository = find_repository(door)
    languages = language_names(lang)
    if not path.strip():
        raise BadQuery("the path is empty", "give a file or a folder; `.` is the whole repository")

    def ask(store: Store) -> tuple[list[SymbolRow], dict[int, tuple[ErrorFact, ...]]]:
        kinds = kind_names(store, kind)
        rows = [
            row
            for row in read_outline(store, path_to_root(repository.root, Path.cwd(), path))
            if (not languages or row.language in languages) and (not kinds or row.kind in kinds)
        ]
        return rows, read_contract(store.connection, [row.chunk_id for row in rows])

    (rows, contracts), _ = answer(door, repository, not no_refresh, ask)
    raises = {chunk_id: raises_phrase(facts) for chunk_id, facts in contracts.items()}
    if door.json:
        print_json({"path": path, "files": file_outlines(rows, contracts)})
    elif rows:
        print_text(
            outline_text(rows, raises, terminal_style(), terminal_width(), path_from_here(repository.root, Path.cwd()))
        )
    if not rows:
        say(door, f"no interfaces in {path}: is it indexed? `codemem status` says what was skipped")
        raise typer.Exit(NOTHING)
