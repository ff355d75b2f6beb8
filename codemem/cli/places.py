"""How paths of the index are named for a person who stands in some folder."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

from codemem.errors import BadQuery

PLACE = re.compile(r"(?P<path>.+?)(?P<lines>:\d+(?:-\d+)?|::?[^\d:].*)")
"""`path:line` or `path:start-end`, as the output prints it, or `path::name`."""


def path_from_here(root: Path, here: Path) -> Callable[[str], str]:
    """Return how to name an indexed path so that an editor started in this folder finds it.

    From outside of the repository paths stay relative to its root, as in JSON.
    """
    here = here.resolve()
    if here == root or not here.is_relative_to(root):
        return str
    return lambda path: os.path.relpath(root / path, here)


def path_to_root(root: Path, here: Path, value: str) -> str:
    """Make a path or glob that a person typed in folder `here` relative to the root.

    `.`, `./x`, `../x`, absolute paths and what exists below `here` are meant from there; everything else from the root.
    From outside of the repository `.` and `src` cannot mean what lies there (`--root ../other --path src`): they too are
    meant from the root.
    """
    from_here = value.startswith(("/", "./", "../")) or value in (".", "..") or (here / value).exists()
    if not from_here:
        return value.replace(os.sep, "/").rstrip("/")
    relative = os.path.relpath(os.path.normpath(here.resolve() / value), root)
    if relative == os.pardir or relative.startswith(os.pardir + os.sep):
        below = os.path.normpath(value)
        if not here.resolve().is_relative_to(root) and not below.startswith(("/", os.pardir)):
            return "" if below == "." else below.replace(os.sep, "/")
        raise BadQuery(f"{value} lies outside of {root}", "give a path or a glob inside the repository")
    return "" if relative == "." else relative.replace(os.sep, "/")


def symbol_to_root(root: Path, here: Path, symbol: str) -> str:
    """Make the path of a `path:line` relative to the root; names pass unchanged."""
    place = PLACE.fullmatch(symbol)
    if place is None or not (here / place["path"]).is_file():
        return symbol
    return path_to_root(root, here, place["path"]) + place["lines"]
