"""What a change does to interfaces: refresh the index, turn it back to the base in a transaction that is undone, compare."""

from __future__ import annotations

import tempfile
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from codemem.errors import BadInput
from codemem.indexing.changes import scan
from codemem.indexing.comparison import Caller, ContractChange, InterfaceChange, Kind, compare_indexes
from codemem.indexing.parsing import parse_suspects, settle_tree
from codemem.indexing.pipeline import refresh
from codemem.indexing.progress import Progress, Stages
from codemem.indexing.resolving import resolve_changed
from codemem.lock import writer_lock
from codemem.settings import Settings
from codemem.store import Store, create_store, open_store, read_meta, store_path
from codemem.store.interfaces import stale_anchors
from codemem.text import counted
from codemem.types import Report
from codemem.walk import changed_paths, find_commit, git_folders, merge_base, write_tree

__all__ = [
    "Caller", "CiReport", "ContractChange", "FailOn", "InterfaceChange", "StaleMemory", "compare_with_base", "failures",
]  # fmt: skip
DEFAULT_BASES = ("origin/HEAD", "origin/main", "origin/master", "main", "master")
"""Where a branch is compared with when nobody says: the remote's own branch first."""
FailOn = Literal["stale", "contract", "removed", "memory"]


@dataclass(frozen=True, slots=True)
class StaleMemory:
    """A memory whose code changed or went."""

    id: str
    symbol: str
    state: str
    text: str


@dataclass(frozen=True, slots=True)
class CiReport:
    """All that a job says about a change."""

    base: str
    head: str
    stale: tuple[str, ...]
    interfaces: tuple[InterfaceChange, ...]
    contracts: tuple[ContractChange, ...]
    memories: tuple[StaleMemory, ...]
    report: Report

    def of_kind(self, kind: Kind) -> tuple[InterfaceChange, ...]:
        return tuple(change for change in self.interfaces if change.kind == kind)


def compare_with_base(
    root: Path, settings: Settings, base: str = "", *, wait_seconds: float = 0.0, progress: Progress | None = None
) -> CiReport:
    """Refresh the index of `root` and say what differs from the commit `base` in interfaces, contracts and memories.

    Raises BadInput where there is no git or no such commit.
    """
    folders = git_folders(root)
    if folders is None:
        raise BadInput(f"{root} is no git work tree: there is no base to compare with", "run it in a clone")
    commit = find_commit(root, folders, base) if base else _default_base(root)
    path = store_path(root)
    known = path.exists()
    report = refresh(root, settings, wait_seconds=wait_seconds, progress=progress, command="ci")
    stale = report.differing if known else ()
    with (
        writer_lock(path.parent, "ci", wait_seconds),
        tempfile.TemporaryDirectory(prefix="base-", dir=path.parent, ignore_cleanup_errors=True) as folder,
        open_store(path) as head,
        create_store(path) as before,
        before.rehearsal(),
    ):
        tree = Path(folder) / "tree"
        equal = write_tree(root, folders, commit, tree, changed_paths(root, folders, commit))
        _follow(tree, before, settings, equal)
        interfaces, contracts = compare_indexes(head, before)
        memories = tuple(StaleMemory(*row) for row in stale_anchors(head.connection))
        return CiReport(commit, read_meta(head, "commit"), stale, interfaces, contracts, memories, report)


def failures(report: CiReport, fail_on: Collection[FailOn]) -> tuple[str, ...]:
    """Say, for each thing that may fail a job, why it does."""
    unhandled = [change for change in report.contracts if change.gained and change.unhandled]
    reasons: dict[FailOn, str] = {}
    if report.stale:
        reasons["stale"] = f"the index was stale: {counted(len(report.stale), 'file')} differed"
    if unhandled:
        reasons["contract"] = f"{counted(len(unhandled), 'new error')} not handled by callers"
    if removed := report.of_kind("removed"):
        reasons["removed"] = f"{counted(len(removed), 'interface')} removed"
    if report.memories:
        reasons["memory"] = f"code that changed or went has {counted(len(report.memories), 'memory')}"
    return tuple(reason for name, reason in reasons.items() if name in fail_on)


def _follow(tree: Path, store: Store, settings: Settings, equal: Collection[str]) -> None:
    """Bring the index to the state of the base, as far as interfaces go: nothing is analysed or embedded.

    `equal` files of the base are as the index has them and do not stand in its tree.
    """
    stages = Stages()
    found = scan(tree, store, settings)
    found = found._replace(removed=tuple(path for path in found.removed if path not in equal))
    settle_tree(store, found, parse_suspects(tree, store, found, settings, stages, trust=True))
    resolve_changed(store)


def _default_base(root: Path) -> str:
    """Return where HEAD left the main branch, or the commit before it when it is the main branch."""
    folders = git_folders(root)
    assert folders is not None
    head = find_commit(root, folders, "HEAD")
    for name in DEFAULT_BASES:
        try:
            fork = merge_base(root, folders, find_commit(root, folders, name), head)
        except BadInput:
            continue
        if fork != head:
            return fork
    return find_commit(root, folders, "HEAD~1")
