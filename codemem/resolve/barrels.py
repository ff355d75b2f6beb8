"""Which of the modules that a file opens as a whole (`export * from`, `from a import *`) may hold a name.

A barrel of hundreds of files mostly does not hold what is asked for, and each of those files may be a barrel again. So what
stands behind a module is gathered once, and only the way that leads to the name is walked.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from codemem.resolve.modules import Module, module_files
from codemem.resolve.packages import module_of
from codemem.resolve.profile import profile_of
from codemem.resolve.records import FileHead
from codemem.resolve.session import Session

BY_FILE = ("dotted", "relative")
"""Styles where a module is a file, and holds what stands at its top."""


class Behind(NamedTuple):
    """Where the names of a module can come from, what its files re-export followed."""

    files: frozenset[str]
    names: frozenset[str]
    """What its files bind by imports and re-exports."""


def opened(session: Session, name: str, head: FileHead, depth: int) -> Iterator[Module]:
    """Yield the modules that a file opens, without those in which a name is surely not found by `depth` re-exports."""
    for module in _opened_modules(session, head):
        if _may_hold(session, module, name, depth):
            yield module


def _opened_modules(session: Session, head: FileHead) -> tuple[Module, ...]:
    entries = session.bound(head).get("*", ())
    if not entries:
        return ()

    def work_out() -> tuple[Module, ...]:
        paths = (entry.path.removesuffix(".*").removesuffix("._") for entry in entries)
        return tuple(module_of(session, path, head) for path in paths)

    return session.remember(("opened", head.path), work_out, head.path)


def _may_hold(session: Session, module: Module, name: str, depth: int) -> bool:
    if module.style not in BY_FILE:
        return True
    behind = _behind(session, module, depth)
    rows = session.symbols(name, profile_of(module.language).family)
    return name in behind.names or any(not row.parent and row.path in behind.files for row in rows)


def _behind(session: Session, module: Module, depth: int) -> Behind:
    return session.remember(("behind", module, depth), lambda: _gather(session, module, depth))


def _gather(session: Session, module: Module, depth: int) -> Behind:
    files = set(module_files(module, session))
    names: set[str] = set()
    for path in tuple(files) if depth else ():
        head = session.head(path)
        if head is None:
            continue
        names.update(session.bound(head))
        for inner in _opened_modules(session, head) if depth > 1 else ():
            further = _behind(session, inner, depth - 1)
            files |= further.files
            names |= further.names
    return Behind(frozenset(files), frozenset(names))
