"""`codemem memory rebuild|calibrate|doctor|export|import`: care for the whole and carry it over."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from codemem.cli import NOTHING
from codemem.cli.door import Door, print_json, print_text, say, warn
from codemem.cli.inputs import read_file, read_stdin
from codemem.cli.memory.common import Cubes, EmbedderChoice, Tenant, app, model, opened
from codemem.errors import BadInput, ModelMissing
from codemem.text import counted

Format = Literal["jsonl", "smilecli"]
SHOWN_PROBLEMS = 10


@app.command("rebuild")
def rebuild(
    context: typer.Context,
    missing: Annotated[bool, typer.Option("--missing", help="Memories without a usable vector (the default).")] = False,
    stale: Annotated[bool, typer.Option("--stale", help="Only those whose vector is of an older text.")] = False,
    all: Annotated[bool, typer.Option("--all", help="Every memory anew.")] = False,
    tenant: Tenant = "default",
    cube: Cubes = None,
    embedder: EmbedderChoice = None,
) -> None:
    """Embed the memories that lack a vector of this model; exit 1 when one failed."""
    from codemem.memory.upkeep import rebuild as rebuild_vectors

    door: Door = context.obj
    if missing + stale + all > 1:
        raise BadInput("--missing, --stale and --all exclude each other", "choose one")
    which = "all" if all else "stale" if stale else "missing"
    with opened(door, tenant, cube, write=True, embedder=embedder) as here:
        chosen = model(door, here.settings)
        if chosen is None:
            raise ModelMissing(
                "there is no model to rebuild with", "choose one with --embedder, see `codemem embedders`"
            )
        done = rebuild_vectors(here.stores, here.scope, chosen, which)
    if door.json:
        failed = [{"id": identity, "message": message} for identity, message in done.failed]
        print_json({"model": chosen.model, "wanted": done.wanted, "done": done.done, "failed": failed})
    else:
        print_text(f"{done.done} of {done.wanted} embedded with {chosen.model}")
    for identity, message in done.failed[:SHOWN_PROBLEMS]:
        warn(door, f"{identity}: {message}")
    if done.failed:
        raise typer.Exit(NOTHING)


@app.command("calibrate")
def calibrate(
    context: typer.Context, tenant: Tenant = "default", cube: Cubes = None, embedder: EmbedderChoice = None
) -> None:
    """Show how similar random and nearest memories are to this model, and propose a minimum score."""
    from codemem.memory.upkeep import calibrate as measure

    door: Door = context.obj
    with opened(door, tenant, cube, embedder=embedder) as here:
        chosen = model(door, here.settings)
        if chosen is None:
            raise ModelMissing("there is no model to calibrate", "choose one with --embedder, see `codemem embedders`")
        measured = measure(here.stores, here.scope, chosen)
    if door.json:
        print_json(measured)
    else:
        print_text(
            "\n".join(f"{name}: {_told(value)}" for name, value in measured.items() if value not in (None, {}, ""))
        )


@app.command("doctor")
def doctor(
    context: typer.Context,
    fix: Annotated[
        bool,
        typer.Option("--fix", help="Write the word index anew, drop what refers to nothing, embed what has no vector."),
    ] = False,
    embedder: EmbedderChoice = None,
) -> None:
    """Look for memories that are half-written, orphaned or without a vector; exit 1 when there is something."""
    from codemem.memory.upkeep import find_faults, mend

    door: Door = context.obj
    with opened(door, "default", None, write=fix, embedder=embedder) as here:
        chosen = model(door, here.settings)
        if fix:
            say(door, f"{counted(mend(here.stores, chosen), 'memory')} indexed anew")
        faults = find_faults(here.stores, chosen)
    if door.json:
        print_json(
            {
                "faults": [
                    {"where": fault.where, "message": fault.message, "mendable": fault.mendable} for fault in faults
                ]
            }
        )
    else:
        print_text("\n".join(f"{fault.where}: {fault.message}" for fault in faults) or "nothing wrong")
    if faults:
        raise typer.Exit(NOTHING)


@app.command("export")
def export(
    context: typer.Context,
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="Where to; `-` is stdout. With --format smilecli a folder.")
    ] = "-",
    format: Annotated[Format, typer.Option("--format", help="JSON Lines, or SmileCli's two JSON files.")] = "jsonl",
    tenant: Tenant = "default",
    cube: Cubes = None,
    embedder: EmbedderChoice = None,
) -> None:
    """Write the memories as JSON Lines, one a line, history included."""
    from codemem.memory.exchange import export_lines
    from codemem.memory.smilecli import export_smilecli

    door: Door = context.obj
    with opened(door, tenant, cube, embedder=embedder) as here:
        if format == "smilecli":
            number = export_smilecli(here.stores, here.scope, Path(file), model(door, here.settings))
        else:
            lines = list(export_lines(here.stores, here.scope))
            number = len(lines)
            content = "".join(f"{line}\n" for line in lines).encode()
            if file == "-":
                sys.stdout.flush()
                sys.stdout.buffer.write(content)
            else:
                Path(file).write_bytes(content)
    if file != "-" and door.json:
        print_json({"file": file, "memories": number})
    elif file != "-":
        say(door, f"{counted(number, 'memory')} written to {file}")


@app.command("import")
def import_(
    context: typer.Context,
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="Where from; `-` is stdin. With --format smilecli a folder.")
    ],
    format: Annotated[Format, typer.Option("--format", help="JSON Lines, or SmileCli's two JSON files.")] = "jsonl",
    tenant: Tenant = "default",
    cube: Cubes = None,
    embedder: EmbedderChoice = None,
) -> None:
    """Read memories; what is known adds nothing, every line is checked like a new memory.

    Of two texts with one id the one with the later updated_at stays.
    """
    from codemem.memory.exchange import import_lines
    from codemem.memory.smilecli import import_smilecli

    door: Door = context.obj
    with opened(door, tenant, cube, write=True, embedder=embedder, make=("project", "global")) as here:
        chosen = model(door, here.settings)
        if format == "smilecli":
            done = import_smilecli(here.stores, here.scope, Path(file), chosen)
        else:
            text = read_stdin() if file == "-" else read_file(Path(file))
            done = import_lines(here.stores, here.scope, text.split("\n"), chosen)
    if door.json:
        problems = [{"line": line, "message": message} for line, message in done.problems]
        print_json({"read": done.read, "new": done.new, "verdicts": done.verdicts, "problems": problems})
    else:
        print_text(
            f"{done.new} new of {done.read}; "
            + ", ".join(f"{number} {name}" for name, number in sorted(done.verdicts.items()))
        )
    for line, message in done.problems[:SHOWN_PROBLEMS]:
        warn(door, f"line {line}: {message}")
    if done.problems:
        raise typer.Exit(NOTHING)


def _told(value: object) -> object:
    """Write percentiles as `p50 0.059, p90 0.449`."""
    return ", ".join(f"{name} {number}" for name, number in value.items()) if isinstance(value, dict) else value
