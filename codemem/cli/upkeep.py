"""`codemem verify` and `codemem doctor`: proof that the index is right, and what is wrong when it is not."""

from __future__ import annotations

from typing import Annotated

import typer

from codemem.cli import NOTHING
from codemem.cli.door import Door, find_repository, open_index, print_json, print_text, say
from codemem.cli.progress import shown_progress

SHOWN_DIFFERENCES = 50
"""Differences that a person reads; --json lists them all."""


def verify(context: typer.Context) -> None:
    """Prove that the index equals a clean rebuild; exit 1 when not."""
    from codemem.indexing import verify as verified
    from codemem.render.safe import one_line

    door: Door = context.obj
    repository = find_repository(door)
    open_index(repository).close()
    with shown_progress(door) as progress:
        found = verified(repository.root, repository.settings, progress=progress)
    if door.json:
        print_json({"equal": found.equal, "rows": dict(found.rows), "differences": list(found.differences)})
    else:
        rows = ", ".join(f"{number:,} {table}" for table, number in found.rows.items())
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
