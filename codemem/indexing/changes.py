"""Find out what changed: stats are a hint, the hash of the bytes is the truth.

A hint holds when size, both times and inode are the same and the file is older than the moment it was read. As in git, a
file that changed in the same tick of the clock as it was read (a racy one) proves nothing by its times and is read again.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from codemem.settings import Settings
from codemem.store import Store
from codemem.store.files import FileHint, read_hints
from codemem.types import FileEntry, Skipped
from codemem.walk import Walk, digest, read_bytes, walk

TICK_NS = 20_000_000
"""Kernels stamp files with the time of their last tick (up to 10 ms old); doubled to be safe."""
COARSE_TICK_NS = 2_000_000_000
"""FAT keeps times to 2 s, some network file systems to 1 s: whole seconds are taken to be such."""
SECOND_NS = 1_000_000_000


class Scan(NamedTuple):
    """The tree against the store: `suspects` are new or may have changed, `removed` are indexed and gone."""

    walk: Walk
    hints: Mapping[str, FileHint]
    suspects: tuple[FileEntry, ...]
    removed: tuple[str, ...]
    held: tuple[Skipped, ...]
    """Skipped for their content the last time, and unchanged since."""


class Reading(NamedTuple):
    """What reading a suspect gave: its bytes, or None when the store has exactly these or `skipped` says why not."""

    entry: FileEntry
    checked_ns: int
    sha: str = ""
    data: bytes | None = None
    skipped: str = ""


def scan(root: Path, store: Store, settings: Settings, trust: bool = True) -> Scan:
    """Compare the tree with the store without reading files; `trust=False` suspects every file."""
    hints = read_hints(store)
    found = walk(root, settings)
    suspects: list[FileEntry] = []
    held: list[Skipped] = []
    for entry in found.files:
        hint = hints.get(entry.path)
        if hint is None or not (trust and holds(hint, entry)):
            suspects.append(entry)
        elif hint.reason:
            held.append(Skipped(entry.path, hint.reason))
    present = {entry.path for entry in found.files}
    removed = [path for path, hint in hints.items() if path not in present and not hint.reason]
    return Scan(found, hints, tuple(suspects), tuple(sorted(removed)), tuple(held))


def holds(hint: FileHint, entry: FileEntry) -> bool:
    """Say whether the stats prove that the file is what was read."""
    if not same_stats(hint, entry):
        return False
    age = hint.checked_ns - max(entry.mtime_ns, entry.ctime_ns)
    coarse = entry.mtime_ns % SECOND_NS == 0 and entry.ctime_ns % SECOND_NS == 0
    return age > (COARSE_TICK_NS if coarse else TICK_NS)


def same_stats(hint: FileHint | None, entry: FileEntry) -> bool:
    """Say whether the stats are those of the last reading, racy or not."""
    return hint is not None and (hint.size, hint.mtime_ns, hint.ctime_ns, hint.inode) == (
        entry.size,
        entry.mtime_ns,
        entry.ctime_ns,
        entry.inode,
    )


def read_suspect(root: Path, entry: FileEntry, hint: FileHint | None, max_bytes: int) -> Reading:
    """Read a suspect and compare its hash with what the store has."""
    checked_ns = time.time_ns()  # before reading: a write during it makes the file racy
    data = read_bytes(root, entry, max_bytes)
    if isinstance(data, Skipped):
        return Reading(entry, checked_ns, skipped=data.reason)
    sha = digest(data)
    same = hint is not None and hint.sha == sha
    return Reading(entry, checked_ns, sha, None if same else data)
