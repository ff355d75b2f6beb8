"""The files of a repository, and what one `index` run did with them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple


class FileEntry(NamedTuple):
    """One file that belongs to the index, with the hints that change detection uses."""

    path: str
    size: int
    mtime_ns: int
    inode: int
    ctime_ns: int = 0
    """Change time of the inode: what no program can set back, so a replaced file with a reset mtime shows."""


class Skipped(NamedTuple):
    """One file that is not indexed and why."""

    path: str
    reason: str


class Problem(NamedTuple):
    """Something skipped or degraded: recorded, never raised."""

    path: str
    stage: str
    message: str


@dataclass(frozen=True, slots=True)
class Report:
    """What one `index` run did."""

    root: str
    files: int = 0
    added: int = 0
    changed: int = 0
    removed: int = 0
    unchanged: int = 0
    skipped: tuple[Skipped, ...] = ()
    chunks: int = 0
    embedded: int = 0
    reused: int = 0
    problems: tuple[Problem, ...] = ()
    seconds: dict[str, float] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
