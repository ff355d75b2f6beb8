"""What the person typed for --lang, --path, --kind, --source …, checked against what there is."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from codemem.cli.options import split_values
from codemem.cli.places import path_to_root
from codemem.errors import BadQuery
from codemem.types import Filters

if TYPE_CHECKING:
    from codemem.store import Store

SOURCES = ("code", "docs", "memory")
DEFAULT_SOURCES = ("code", "docs")
EVERYTHING = "all"


def checked_filters(
    root: Path,
    store: Store,
    languages: list[str] | None = None,
    paths: list[str] | None = None,
    kinds: list[str] | None = None,
    sources: list[str] | None = None,
    raises: list[str] | None = None,
    calls: list[str] | None = None,
) -> Filters:
    """Build the filters; raises BadQuery with the known values for one that does not exist."""
    wanted_kinds = kind_names(store, kinds)
    wanted_sources = tuple(value.lower() for value in split_values(sources)) or DEFAULT_SOURCES
    if EVERYTHING in wanted_sources:
        wanted_sources = SOURCES
    _all_known("source", wanted_sources, (*SOURCES, EVERYTHING))
    if wanted_sources == ("memory",):
        narrowing = {"lang": languages, "path": paths, "kind": kinds, "raises": raises, "calls": calls}
        if chosen := next((option for option, values in narrowing.items() if values), None):
            raise BadQuery(f"--{chosen} narrows code, and --source memory asks for none", "leave one of them out")
    return Filters(
        languages=language_names(languages),
        paths=tuple(path_to_root(root, Path.cwd(), value) for value in paths or ()),
        kinds=wanted_kinds,
        raises=split_values(raises),
        calls=split_values(calls),
        sources=wanted_sources,
    )


def kind_names(store: Store, values: list[str] | None) -> tuple[str, ...]:
    """Check kinds of definitions against those of the index; raises BadQuery with the known ones."""
    wanted = tuple(value.lower() for value in split_values(values))
    if wanted:
        from codemem.store.status import known_kinds

        _all_known("kind", wanted, known_kinds(store))
    return wanted


def language_names(values: list[str] | None) -> tuple[str, ...]:
    """Resolve names, titles and extensions (`py`, `.py`, `Python`) to language names."""
    wanted = split_values(values)
    if not wanted:
        return ()
    from codemem.languages import language_table

    rows = language_table().values()
    known = {alias: row.name for row in rows for alias in (*row.shebangs, *(one.lstrip(".") for one in row.extensions))}
    known |= {row.shown.lower(): row.name for row in rows} | {row.name: row.name for row in rows}
    keys = [value.lower().lstrip(".") for value in wanted]
    _all_known("lang", keys, sorted(row.name for row in rows), known)
    return tuple(dict.fromkeys(known[key] for key in keys))


def _all_known(option: str, wanted: Iterable[str], names: Iterable[str], known: Iterable[str] | None = None) -> None:
    choices = list(names)
    for value in wanted:
        if value not in (known if known is not None else choices):
            near = get_close_matches(value, choices, n=1)
            hint = f"did you mean `{near[0]}`? " if near else ""
            raise BadQuery(f"--{option}: unknown value `{value}`", f"{hint}known values: {', '.join(choices)}")
