"""Modules that files are without saying so (OCaml): `message.ml` is the module Message, whatever library wraps it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from codemem.resolve.profile import profile_of
from codemem.resolve.records import FileHead, Symbol, file_stem
from codemem.resolve.session import Session
from codemem.roles import is_test

MODULE_PATH = re.compile(r"[A-Z][\w']*(?:\.[A-Z][\w']*)*$")


def in_file_module(session: Session, head: FileHead, path: str, name: str) -> tuple[Symbol, ...]:
    """Return the definition of `Path.To.name`: in the file, or the module inside a file, that the end of the path names."""
    if not MODULE_PATH.match(path):
        return ()
    names = path.split(".")
    for entry in session.bound(head).get(names[0], ()):
        names = [*entry.path.split("."), *names[1:]]
        break
    profile = profile_of(head.language)
    rows = [row for row in session.symbols(name, profile.family) if _is_named(row, names, head)]
    if not is_test(head.path):
        rows = [row for row in rows if not is_test(row.path)]
    return _nearest(rows, head, names)


def _is_named(row: Symbol, names: Sequence[str], head: FileHead) -> bool:
    """Tell whether the last names of a path are the nested modules of a definition, then its file (no file names itself)."""
    inner = row.parent.split(".") if row.parent and "#" not in row.parent else []
    if "#" in row.qualified_name or len(inner) > len(names) or list(names[len(names) - len(inner) :]) != inner:
        return False
    rest = names[: len(names) - len(inner)]
    if not rest or row.path == head.path:
        return bool(inner) and not rest
    stem = file_stem(row.path.rpartition("/")[2])
    return stem[:1].upper() + stem[1:] == rest[-1]


def _nearest(rows: Sequence[Symbol], head: FileHead, names: Sequence[str]) -> tuple[Symbol, ...]:
    """Choose the file itself, then its folder, then the only one there is, or the only one whose folder the path names."""
    folder = head.path.rpartition("/")[0]
    libraries = {part.lower() for name in names for part in name.split("_") if part}
    choices = (
        [row for row in rows if row.path == head.path],
        [row for row in rows if row.path.rpartition("/")[0] == folder],
        list(rows),
        [row for row in rows if not libraries.isdisjoint(row.path.lower().split("/")[:-1])],
    )
    for chosen in choices:
        if chosen and len({row.path for row in chosen}) == 1:
            return tuple(chosen[-1:])  # what is bound last is what others see
    return ()
