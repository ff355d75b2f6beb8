"""`codemem status`: what is indexed, how fresh it is, what was left out; `codemem clear`."""

from __future__ import annotations

import typer

from codemem.cli import NOTHING
from codemem.cli.door import Door, confirm, find_repository, open_index, print_json, print_text, say
from codemem.cli.options import Yes


def status(context: typer.Context) -> None:
    """Say what is indexed and how fresh it is; exit 1 when stale."""
    from codemem.errors import NotIndexed
    from codemem.indexing.freshness import check_freshness
    from codemem.render.reports import StatusFacts, status_document, status_text
    from codemem.store.files import count_languages, read_problems, read_skipped
    from codemem.store.status import count_index, size_bytes

    door: Door = context.obj
    repository = find_repository(door)
    try:
        store = open_index(repository)
    except NotIndexed as error:
        if door.json:
            print_json(status_document(StatusFacts(str(repository.root))))
        else:
            say(door, f"{error.message}: {error.remedy}")
        raise typer.Exit(NOTHING) from None
    with store:
        freshness = check_freshness(repository.root, repository.settings, store, thorough=True)
        facts = StatusFacts(
            str(repository.root),
            counts=count_index(store),
            languages=count_languages(store),
            skipped=read_skipped(store),
            problems=read_problems(store),
            size_bytes=size_bytes(store),
            fresh=freshness.fresh,
            stale=freshness.stale,
            reasons=freshness.reasons,
        )
    if door.json:
        print_json(status_document(facts))
    else:
        print_text(status_text(facts))
    if not facts.fresh:
        raise typer.Exit(NOTHING)


def clear(context: typer.Context, yes: Yes = False) -> None:
    """Remove the index of a repository; memories and settings stay."""
    from codemem.indexing import clear_index
    from codemem.store import store_path

    door: Door = context.obj
    repository = find_repository(door)
    if not store_path(repository.root).exists():
        say(door, f"nothing to clear: no index at {repository.root}")
        if door.json:
            print_json({"root": str(repository.root), "cleared": False})
        return
    if not confirm(door, f"Remove the index of {repository.root}? Memories stay.", yes):
        say(door, "nothing was removed")
        raise typer.Exit(NOTHING)
    clear_index(repository.root, repository.settings)
    if door.json:
        print_json({"root": str(repository.root), "cleared": True})
    else:
        say(door, f"the index of {repository.root} is gone; memories are untouched")
