"""What a change does to interfaces: refresh the index, build that of the base beside it, compare."""

from __future__ import annotations

import tempfile
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from codemem.errors import BadInput, NotIndexed
from codemem.indexing.changes import scan
from codemem.indexing.freshness import check_freshness
from codemem.indexing.parsing import parse_suspects, settle_tree
from codemem.indexing.pipeline import refresh
from codemem.indexing.progress import Progress, Stages
from codemem.indexing.resolving import resolve_changed
from codemem.roles import is_test
from codemem.settings import Settings
from codemem.store import Store, create_store, open_store, read_meta, store_path
from codemem.store.database import copy_database
from codemem.store.interfaces import (
    InterfaceRow,
    callers_by_handling,
    contract_types,
    differing_files,
    differing_outflows,
    read_interfaces,
    stale_anchors,
)
from codemem.text import counted
from codemem.types import ChunkKey, Report
from codemem.walk import find_commit, git_folders, merge_base, write_tree

DEFAULT_BASES = ("origin/HEAD", "origin/main", "origin/master", "main", "master")
"""Where a branch is compared with when nobody says: the remote's own branch first."""
Kind = Literal["added", "removed", "changed", "moved"]
FailOn = Literal["stale", "contract", "removed", "memory"]


@dataclass(frozen=True, slots=True)
class InterfaceChange:
    """One interface that came, went, got another signature or moved; `before` is where or what it was."""

    kind: Kind
    path: str
    line: int
    qualified_name: str
    definition: str
    signature: str
    before: str = ""


@dataclass(frozen=True, slots=True)
class ContractChange:
    """An error that callers of an interface now meet, or no longer meet; `via` names the callee it comes through."""

    path: str
    qualified_name: str
    type: str
    gained: bool
    via: str
    callers: tuple[str, ...]
    unhandled: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StaleMemory:
    """A memory whose code changed or went."""

    id: str
    symbol: str
    state: str


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
    stale = _stale_before(root, settings)
    report = refresh(root, settings, wait_seconds=wait_seconds, progress=progress, command="ci")
    path = store_path(root)
    with (
        open_store(path) as head,
        tempfile.TemporaryDirectory(prefix="base-", dir=path.parent, ignore_cleanup_errors=True) as folder,
    ):
        tree = Path(folder) / "tree"
        write_tree(root, folders, commit, tree)
        copy_database(head, store_path(tree))
        with create_store(store_path(tree)) as before:
            _follow(tree, before, settings)
            interfaces, contracts = compare_indexes(head, before)
        memories = tuple(StaleMemory(*row) for row in stale_anchors(head.connection))
        return CiReport(commit, read_meta(head, "commit"), stale, interfaces, contracts, memories, report)


def compare_indexes(head: Store, base: Store) -> tuple[tuple[InterfaceChange, ...], tuple[ContractChange, ...]]:
    """Compare two states of an index; tests have no interfaces that anybody depends on."""
    paths = [path for path in differing_files(head, base) if not is_test(path)]
    after, before = read_interfaces(head, paths), read_interfaces(base, paths)
    changes = interface_changes(before, after)
    candidates = {key for key in differing_outflows(head, base) if not is_test(key.path)}
    candidates |= {key for key in after if key in before and after[key].interface_hash != before[key].interface_hash}
    return changes, _contract_changes(head, base, candidates)


def interface_changes(
    before: dict[ChunkKey, InterfaceRow], after: dict[ChunkKey, InterfaceRow]
) -> tuple[InterfaceChange, ...]:
    """Pair what went with what came: equal names and interfaces moved, the rest was added or removed."""
    gone = {key: row for key, row in before.items() if key not in after}
    came = {key: row for key, row in after.items() if key not in before}
    found = [
        _change("changed", row, before[key].signature)
        for key, row in after.items()
        if key in before and row.interface_hash != before[key].interface_hash
    ]
    waiting: dict[tuple[str, str, str], list[ChunkKey]] = {}
    for key, row in sorted(gone.items()):
        waiting.setdefault((row.kind, key.qualified_name, row.interface_hash), []).append(key)
    for key, row in sorted(came.items()):
        partners = waiting.get((row.kind, key.qualified_name, row.interface_hash))
        if partners:
            origin = partners.pop(0)
            del gone[origin]
            if origin.path != key.path:
                found.append(_change("moved", row, origin.path))
        else:
            found.append(_change("added", row))
    found.extend(_change("removed", row) for row in gone.values())
    return tuple(sorted(found, key=lambda change: (change.path, change.line, change.qualified_name, change.kind)))


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


def _follow(tree: Path, store: Store, settings: Settings) -> None:
    """Bring the copy of the index to the state of the base, as far as interfaces go: nothing is analysed or embedded."""
    stages = Stages()
    found = scan(tree, store, settings)
    settle_tree(store, found, parse_suspects(tree, store, found, settings, stages, trust=True))
    resolve_changed(store)


def _contract_changes(head: Store, base: Store, candidates: Collection[ChunkKey]) -> tuple[ContractChange, ...]:
    """Compare what reaches callers; an error that a changed callee brings is told at that callee."""
    types = {key: (contract_types(base, key), contract_types(head, key)) for key in sorted(candidates)}
    gains = {(key.qualified_name, kind) for key, (old, new) in types.items() for kind in new if kind not in old}
    losses = {(key.qualified_name, kind) for key, (old, new) in types.items() for kind in old if kind not in new}
    found: list[ContractChange] = []
    for key, (old, new) in types.items():
        for kind in sorted({*old, *new}):
            if (kind in old) == (kind in new):
                continue
            gained = kind in new
            via = new[kind] if gained else old[kind]
            if via and (via, kind) in (gains if gained else losses):
                continue
            callers, unhandled = callers_by_handling(head, key, kind)
            if callers:
                names = tuple(caller.qualified_name for caller in callers)
                passing = tuple(caller.qualified_name for caller in unhandled) if gained else ()
                found.append(ContractChange(key.path, key.qualified_name, kind, gained, via, names, passing))
    return tuple(found)


def _change(kind: Kind, row: InterfaceRow, before: str = "") -> InterfaceChange:
    return InterfaceChange(kind, row.key.path, row.start_line, row.key.qualified_name, row.kind, row.signature, before)


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


def _stale_before(root: Path, settings: Settings) -> tuple[str, ...]:
    try:
        with open_store(store_path(root)) as store:
            return check_freshness(root, settings, store).stale
    except NotIndexed:
        return ()
