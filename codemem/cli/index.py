"""`codemem index`: build or refresh, and say what was done and what was left out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from codemem.cli.door import Door, Repository, find_repository, open_index, print_json, print_text, say, warn
from codemem.cli.options import EmbedderName, Jobs, Wait

if TYPE_CHECKING:
    from codemem.types import Problem, Skipped


def index(
    context: typer.Context,
    path: Annotated[
        Path | None, typer.Argument(metavar="PATH", help="A folder of the repository; by default the current one.")
    ] = None,
    full: Annotated[bool, typer.Option("--full", help="Build from nothing instead of refreshing.")] = False,
    jobs: Jobs = None,
    embedder: EmbedderName = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="List what would be indexed, and what not and why.")
    ] = False,
    wait: Wait = False,
) -> None:
    """Build or refresh the index of a repository."""
    door: Door = context.obj
    repository = find_repository(door, path, {"jobs": jobs, "embedder": embedder})
    if path is not None and path.resolve() != repository.root and door.root is None:
        say(door, f"{path} belongs to the repository {repository.root}: indexing that (--root makes {path} its own)")
    if dry_run:
        _preview(door, repository)
        return
    from codemem.cli.progress import shown_progress
    from codemem.indexing import refresh
    from codemem.render.documents import report_document
    from codemem.render.reports import report_text

    known = frozenset() if full or door.json or door.quiet else _known(repository)
    with shown_progress(door) as progress:
        report = refresh(
            repository.root,
            repository.settings,
            full=full,
            wait_seconds=float("inf") if wait else 0.0,
            progress=progress,
        )
    for note in report.notes:
        say(door, f"note: {note}")
    if door.json:
        print_json(report_document(report))
    elif not door.quiet:
        print_text(report_text(report, known))
    elif not report.files:
        warn(door, f"nothing to index in {repository.root}: `codemem index --dry-run` says why")


def _known(repository: Repository) -> frozenset[Skipped | Problem]:
    """Return what the index before this run had left out: it is no news."""
    from codemem.errors import CodememError
    from codemem.store.files import read_problems, read_skipped

    try:
        with open_index(repository) as store:
            return frozenset((*read_skipped(store), *read_problems(store)))
    except CodememError:  # none yet, or one that the run will mend
        return frozenset()


def _preview(door: Door, repository: Repository) -> None:
    """List the files of a dry run; nothing is written."""
    from codemem.render.reports import preview_text
    from codemem.walk import preview

    found = preview(repository.root, repository.settings)
    if door.json:
        skipped = [{"path": one.path, "reason": one.reason} for one in found.skipped]
        print_json({"root": str(repository.root), "files": [one.path for one in found.files], "skipped": skipped})
    else:
        print_text(preview_text(found.files, found.skipped))
