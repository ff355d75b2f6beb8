"""What the filters of a question do to its answer: names that nothing bears, and errors that contracts no longer tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemem.errors import BadQuery
from codemem.text import counted, writable
from codemem.types import Filters

if TYPE_CHECKING:
    from codemem.graph import Site
    from codemem.store import Store


def untold_by(store: Store, filters: Filters) -> int:
    """Count the definitions that let through an error of `--raises` and may be missing, since their contracts are full."""
    if not filters.raises:
        return 0
    from codemem.graph import count_untold, find_raises

    sites: list[Site] = []
    for name in filters.raises:
        try:
            sites += find_raises(store, writable(name))
        except BadQuery:  # no such type: nothing is told of it, and nothing untold
            continue
    return count_untold(store, sites) if sites else 0


def untold_remark(untold: int) -> str:
    """Say that so many definitions may belong to the answer."""
    from codemem.resolve import MAXIMUM_ERRORS

    others = f"{counted(untold, 'more definition')} may let it through"
    return f"{others}: so many errors leave them that only the nearest {MAXIMUM_ERRORS} of each are kept"


def unknown_names(store: Store, filters: Filters) -> list[str]:
    """Say which of the filters can never hold, with near names: called for an empty answer only."""
    from codemem.graph import find_raises
    from codemem.retrieval.filters import path_matches
    from codemem.store.candidates import chunks_calling, file_paths
    from codemem.store.symbols import find_symbols

    said: list[str] = []
    for name in map(writable, filters.raises):
        try:
            find_raises(store, name)
        except BadQuery as unknown:
            said.append(f"{unknown.message}; {unknown.remedy}")
    for name in map(writable, filters.calls):
        if chunks_calling(store.connection, (name.removesuffix("()"),)):
            continue
        try:
            find_symbols(store, name)
        except BadQuery as unknown:
            said.append(f"{unknown.message}, and nothing calls it; {unknown.remedy}")
    for pattern in filters.paths:
        if not any(path_matches(path, (pattern,)) for _, path in file_paths(store.connection)):
            said.append(
                f"no indexed file is `{writable(pattern)}` or lies below it; `codemem status` says what was skipped"
            )
    return said
