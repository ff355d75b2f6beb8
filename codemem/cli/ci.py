"""`codemem ci`: what a job runs on a change."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast, get_args
from urllib.parse import quote

import typer

from codemem.cli import NOTHING
from codemem.cli.door import Door, find_repository, print_json, print_text, say
from codemem.cli.options import EmbedderName, Jobs, Wait, split_values
from codemem.cli.progress import shown_progress
from codemem.errors import BadInput

if TYPE_CHECKING:
    from codemem.indexing.ci import FailOn


def ci(
    context: typer.Context,
    base: Annotated[
        str, typer.Option("--base", metavar="COMMIT", help="Compare with this; by default with the main branch.")
    ] = "",
    fail_on: Annotated[
        list[str] | None,
        typer.Option(
            "--fail-on", metavar="WHAT", help="stale, contract, removed, memory (repeatable, or a,b): exit 1 for these."
        ),
    ] = None,
    summary: Annotated[
        Path | None, typer.Option("--summary", metavar="FILE", help="Append the report as Markdown to this file.")
    ] = None,
    jobs: Jobs = None,
    embedder: EmbedderName = None,
    wait: Wait = False,
) -> None:
    """Refresh, then report changed interfaces, contracts and memories."""
    from codemem.indexing.ci import FailOn, compare_with_base, failures
    from codemem.render.interfaces import ci_document, ci_markdown, ci_text

    door: Door = context.obj
    known = get_args(FailOn)
    wanted = split_values(fail_on)
    for value in wanted:
        if value not in known:
            raise BadInput(f"--fail-on: unknown value `{value}`", f"known values: {', '.join(known)}")
    repository = find_repository(door, None, {"jobs": jobs, "embedder": embedder})
    with shown_progress(door) as progress:
        report = compare_with_base(
            repository.root, repository.settings, base, wait_seconds=float("inf") if wait else 0.0, progress=progress
        )
    failed = failures(report, cast("tuple[FailOn, ...]", wanted))
    if summary is not None:
        with summary.open("a", encoding="utf-8") as file:
            file.write(ci_markdown(report, failed, _address()))
    if door.json:
        print_json(ci_document(report, failed))
    else:
        print_text(ci_text(report, failed))
    for reason in failed:
        say(door, f"failed: {reason}")
    if failed:
        raise typer.Exit(NOTHING)


def _address() -> str:
    """Return where the service that runs the job shows a file of a commit, empty elsewhere."""
    server, repository = os.environ.get("GITHUB_SERVER_URL", ""), os.environ.get("GITHUB_REPOSITORY", "")
    if server and repository:
        return f"{_plain(server)}/{_plain(repository)}/blob/{{commit}}/{{path}}"
    project = os.environ.get("CI_PROJECT_URL", "")
    return f"{_plain(project)}/-/blob/{{commit}}/{{path}}" if project else ""


def _plain(text: str) -> str:
    """Quote what would be taken for a place holder or for Markdown."""
    return quote(text, safe=":/")
