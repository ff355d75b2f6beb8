"""Options that several commands take: the same word and the same help everywhere."""

from __future__ import annotations

from typing import Annotated

import typer

from codemem.errors import BadQuery

Limit = Annotated[
    int | None,
    typer.Option("--limit", "-k", min=1, metavar="N", help="How many to show.", show_default="setting `limit`, 10"),
]
Offset = Annotated[int, typer.Option("--offset", min=0, metavar="N", help="Skip this many first: the next page.")]
Lang = Annotated[
    list[str] | None, typer.Option("--lang", metavar="NAME", help="Only this language (repeatable, or a,b).")
]
PathFilter = Annotated[
    list[str] | None,
    typer.Option("--path", metavar="PATH", help="Only below this folder or matching this glob (repeatable)."),
]
Kind = Annotated[
    list[str] | None,
    typer.Option("--kind", metavar="KIND", help="Only this kind: function, method, class, … (repeatable, or a,b)."),
]
Depth = Annotated[int, typer.Option("--depth", min=1, metavar="N", help="How many calls away.")]
Jobs = Annotated[
    int | None, typer.Option("--jobs", "-j", min=0, metavar="N", help="Worker processes for parsing; 0 chooses.")
]
EmbedderName = Annotated[
    str | None, typer.Option("--embedder", metavar="NAME", help="Embedding model, see `codemem embedders`.")
]
NoRefresh = Annotated[bool, typer.Option("--no-refresh", help="Answer from the index as it is.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]
Wait = Annotated[bool, typer.Option("--wait", help="Wait for another index run instead of failing.")]


def chosen_format(json: bool, format: str, beside: tuple[str, ...] = ("text", "json")) -> str:
    """Return the form to print in; raises BadQuery when `--json` stands beside a form that is no JSON."""
    if not json:
        return format
    if format not in beside:
        raise BadQuery(f"--json and --format {format} exclude each other", "leave one of them out")
    return "json" if format == "text" else format


def split_values(values: list[str] | None) -> tuple[str, ...]:
    """Flatten repeated and comma-separated values: ["py,go", "java"] -> ("py", "go", "java")."""
    return tuple(part.strip() for value in values or () for part in value.split(",") if part.strip())
