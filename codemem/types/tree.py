"""The files of a repository, those that are left out, and what went wrong with some."""

from __future__ import annotations

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
