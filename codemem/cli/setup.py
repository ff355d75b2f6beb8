"""Commands that say what this installation can do."""

from __future__ import annotations

import typer

from codemem.cli.door import Door, print_json, print_text


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
