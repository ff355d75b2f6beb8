"""`codemem export` and `codemem import`: one compressed file that CI and people share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from codemem.cli.door import Door, find_repository, print_json, print_text, say, warn
from codemem.cli.inputs import read_file
from codemem.cli.options import Wait
from codemem.errors import BadInput
from codemem.text import counted

FOREVER = float("inf")
SHOWN_PROBLEMS = 10
"""Lines that could not be taken over, told one by one."""
MEMORIES_ENDING = ".memories.jsonl"
"""Memories travel beside the index: they are user data, readable, and never part of a derived file."""
ExportFile = Annotated[Path, typer.Argument(metavar="FILE", help="Where to write it.")]
ImportFile = Annotated[Path, typer.Argument(metavar="FILE", help="What `codemem export` wrote.")]


def export(
    context: typer.Context,
    file: ExportFile,
    memories: Annotated[
        bool, typer.Option("--memories", help=f"Write the memories, too, to FILE{MEMORIES_ENDING}.")
    ] = False,
    wait: Wait = False,
) -> None:
    """Write the index to one compressed file to share."""
    from codemem.indexing.sharing import export_index
    from codemem.render.reports import count, size_text

    door: Door = context.obj
    repository = find_repository(door)
    done = export_index(repository.root, repository.settings, file, FOREVER if wait else 0.0)
    kept = _export_memories(door, memories_file(file)) if memories else None
    if door.json:
        print_json(
            {"file": str(done.path), "key": done.key, "size_bytes": done.size_bytes, "store_bytes": done.store_bytes,
             "files": done.files, "chunks": done.chunks, "memories": kept}
        )  # fmt: skip
        return
    amount = f"{count(done.files, 'file')}, {count(done.chunks, 'chunk')}"
    share = done.size_bytes / max(done.store_bytes, 1)
    print_text(f"{done.path}: {amount}, {size_text(done.size_bytes)} ({share:.0%} of the store)")
    if kept is not None:
        print_text(f"{memories_file(file)}: {counted(kept, 'memory')}")


def import_(
    context: typer.Context,
    file: ImportFile,
    memories: Annotated[bool, typer.Option("--memories", help=f"Take over FILE{MEMORIES_ENDING}, too.")] = False,
    wait: Wait = False,
) -> None:
    """Put an exported index in the place of this repository's."""
    from codemem.indexing.sharing import import_index
    from codemem.render.reports import count

    door: Door = context.obj
    repository = find_repository(door)
    if not file.is_file():
        raise BadInput(f"no such file: {file}", "name a file that `codemem export` wrote")
    done = import_index(repository.root, repository.settings, file, FOREVER if wait else 0.0)
    kept = _import_memories(door, memories_file(file)) if memories else None
    if door.json:
        print_json(
            {
                "key": done.key,
                "commit": done.commit,
                "model": done.model,
                "files": done.files,
                "chunks": done.chunks,
                "memories": kept,
            }
        )
        return
    print_text(f"{count(done.files, 'file')}, {count(done.chunks, 'chunk')} of commit {done.commit[:10] or 'none'}")
    if kept is not None:
        print_text(f"{counted(kept, 'memory')} read")
    say(door, "run `codemem index` to bring it up to this working tree")


def memories_file(file: Path) -> Path:
    """Return where the memories of an export stand."""
    return file.with_name(file.name + MEMORIES_ENDING)


def _export_memories(door: Door, file: Path) -> int:
    from codemem.cli.memory.common import opened
    from codemem.memory.exchange import export_lines

    with opened(door, "default", None) as here:
        lines = list(export_lines(here.stores, here.scope))
    file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return len(lines)


def _import_memories(door: Door, file: Path) -> int:
    from codemem.cli.memory.common import model, opened
    from codemem.memory.exchange import import_lines

    if not file.is_file():
        raise BadInput(
            f"no memories beside the index: {file} is missing", "export them with --memories, or import without it"
        )
    lines = read_file(file).split("\n")
    with opened(door, "default", None, write=True) as here:
        done = import_lines(here.stores, here.scope, lines, model(door, here.settings))
    for line, message in done.problems[:SHOWN_PROBLEMS]:
        warn(door, f"{file.name}, line {line}: {message}")
    return done.read - len(done.problems)
