"""`codemem verify` and `codemem doctor`: proof that the index is right, and what is wrong when it is not."""

from __future__ import annotations

from typing import Annotated

import typer

from codemem.cli import NOTHING
from codemem.cli.door import Door, Repository, find_repository, open_index, print_json, print_text, say
from codemem.cli.progress import shown_progress

SHOWN_DIFFERENCES = 50
"""Differences that a person reads; --json lists them all."""
TABLE_NOUNS = {"skipped": "skipped file", "reach": "file link", "resolution": "resolved file"}
"""What the rows of a table are, where its name does not say it."""


def verify(context: typer.Context) -> None:
    """Prove that the index equals a clean rebuild; exit 1 when not.

    A stale index is refreshed first: what the refresh makes of it is what is proved.
    """
    from codemem.indexing import refresh
    from codemem.indexing import verify as verified
    from codemem.render.safe import one_line
    from codemem.text import counted

    door: Door = context.obj
    repository = find_repository(door)
    stale = _staleness(repository)
    with shown_progress(door) as progress:
        if stale:
            # Staleness is no error of the index; what the refresh makes of it is what shall be proved.
            refresh(repository.root, repository.settings, progress=progress, command="verify")
        found = verified(repository.root, repository.settings, progress=progress)
    if stale:
        say(door, f"the index was stale ({stale}): refreshed it before comparing")
    if door.json:
        print_json(
            {
                "equal": found.equal,
                "refreshed": stale,
                "rows": dict(found.rows),
                "differences": list(found.differences),
            }
        )
    else:
        rows = ", ".join(counted(number, TABLE_NOUNS.get(table, table)) for table, number in found.rows.items())
        lines = [one_line(difference) for difference in found.differences[:SHOWN_DIFFERENCES]]
        if len(found.differences) > SHOWN_DIFFERENCES:
            lines.append(f"… and {len(found.differences) - SHOWN_DIFFERENCES} more (--json lists all)")
        lines.append(
            "equal to a clean rebuild"
            if found.equal
            else "the index differs from a clean rebuild: run `codemem index --full`"
        )
        print_text("\n".join([*lines, f"compared {rows}"]))
    if not found.equal:
        raise typer.Exit(NOTHING)


def _staleness(repository: Repository) -> str:
    """Say why the index is not that of the tree as it is now, in a few words; empty when it is."""
    from codemem.indexing.freshness import check_freshness
    from codemem.text import counted

    with open_index(repository) as store:
        found = check_freshness(repository.root, repository.settings, store, thorough=True)
    files = (
        (f"{counted(len(found.stale), 'file')} differ{'s' if len(found.stale) == 1 else ''}",) if found.stale else ()
    )
    return "; ".join((*found.reasons, *files))


def doctor(
    context: typer.Context,
    fix: Annotated[
        bool, typer.Option("--fix", help="Repair what is derived from the working tree; memories are never touched.")
    ] = False,
    contracts: Annotated[
        bool, typer.Option("--contracts", help="List the definitions whose declared errors are not those they raise.")
    ] = False,
) -> None:
    """Examine environment, store and vectors; exit 1 when broken."""
    if contracts:
        _list_mismatches(context.obj)
        return
    from codemem.indexing.doctor import examine, repair
    from codemem.render.findings import findings_document, findings_text

    door: Door = context.obj
    repository = find_repository(door)
    done: tuple[str, ...] = ()
    if fix:
        done = repair(repository.root, repository.settings)
        for action in done:
            say(door, f"fixed: {action}")
    findings = examine(repository.root, repository.settings)
    if door.json:
        print_json({"findings": findings_document(findings), "fixed": list(done)})
    else:
        print_text(findings_text(findings))
    if any(finding.severity == "error" for finding in findings):
        raise typer.Exit(NOTHING)


def _list_mismatches(door: Door) -> None:
    """Print the contract mismatches of the repository; exit 1 when there are any."""
    from pathlib import Path

    from codemem.cli.fresh import answer
    from codemem.cli.places import path_from_here
    from codemem.graph import all_mismatches
    from codemem.render.symbols import mismatch_document, mismatches_text

    repository = find_repository(door)
    found, _ = answer(door, repository, True, all_mismatches)
    if door.json:
        rows = [
            {"path": chunk.path, "qualified_name": chunk.qualified_name, **mismatch_document(one)}
            for chunk, one in found
        ]
        print_json({"mismatches": rows})
    elif found:
        print_text(mismatches_text(found, path_from_here(repository.root, Path.cwd())))
    else:
        print_text("every declared contract is the one that was worked out")
    if found:
        raise typer.Exit(NOTHING)
