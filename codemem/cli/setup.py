"""Commands that say what this installation can do."""

from __future__ import annotations

from pathlib import Path

import typer

from codemem.cli.door import Door, print_json, print_text, say


def languages(context: typer.Context) -> None:
    """List the languages and what is understood of each."""
    from codemem.languages import language_table
    from codemem.render.table import table_text

    door: Door = context.obj
    rows = sorted(language_table().values(), key=lambda row: row.name)
    if door.json:
        print_json(
            {
                "languages": [
                    {"name": row.name, "title": row.shown, "extensions": list(row.extensions), "names": list(row.names),
                     "interfaces": bool(row.module), "contracts": row.contract}
                    for row in rows
                ]
            }
        )  # fmt: skip
        return
    cells = [
        (row.name, "yes" if row.module else "", "yes" if row.contract else "", " ".join((*row.extensions, *row.names)))
        for row in rows
    ]
    print_text(table_text(cells, header=("language", "interfaces", "contracts", "files")))


def embedders(context: typer.Context) -> None:
    """List the embedding models that --embedder takes."""
    from codemem.config import load_configuration
    from codemem.embed import EMBEDDERS
    from codemem.render.table import table_text

    door: Door = context.obj
    chosen = load_configuration(door.root or Path()).settings.embedder
    rows = sorted(EMBEDDERS, key=lambda row: row.name)
    if door.json:
        listed = [{"name": row.name, "usage": row.usage, "summary": row.summary, "remote": row.remote} for row in rows]
        print_json({"chosen": chosen, "embedders": listed})
        return
    cells = [
        (
            "*" if chosen.partition(":")[0] == row.name else " ",
            row.usage,
            "text leaves this machine" if row.remote else "local",
            row.summary,
        )
        for row in rows
    ]
    print_text(table_text(cells))
    say(door, f"chosen by the settings: {chosen}")
