"""Compare two states of an index: which interfaces came, went or changed, and which errors callers now meet."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from codemem.resolve import MAXIMUM_ERRORS
from codemem.roles import is_test
from codemem.store import Store
from codemem.store.definitions import read_outflow
from codemem.store.interfaces import (
    InterfaceRow,
    callers_by_handling,
    contract_types,
    differing_files,
    differing_outflows,
    read_interfaces,
    read_marks,
)
from codemem.types import ChunkKey

Kind = Literal["added", "removed", "changed", "moved"]
Pairs = Mapping[ChunkKey, ChunkKey]
"""Definition of the head -> the definition of the base that it was."""


@dataclass(frozen=True, slots=True)
class InterfaceChange:
    """One interface that came, went, changed or moved; `before` is its other signature, `origin` its other path."""

    kind: Kind
    path: str
    line: int
    qualified_name: str
    definition: str
    signature: str
    before: str = ""
    origin: str = ""
    marks: tuple[str, ...] = ()
    """What changed beside an equal signature: `now marked X`, `no longer extends Y`."""


@dataclass(frozen=True, slots=True)
class Caller:
    """A definition that calls another, and the line of its first such call."""

    qualified_name: str
    path: str
    line: int


@dataclass(frozen=True, slots=True)
class ContractChange:
    """An error that an interface may now fail with, or no longer; `via` names the callee it comes through."""

    path: str
    line: int
    qualified_name: str
    type: str
    gained: bool
    via: str = ""
    callers: tuple[Caller, ...] = ()
    unhandled: tuple[Caller, ...] = ()


def compare_indexes(head: Store, base: Store) -> tuple[tuple[InterfaceChange, ...], tuple[ContractChange, ...]]:
    """Compare two states of an index; tests have no interfaces that anybody depends on."""
    outflows = {key for key in differing_outflows(head, base) if not is_test(key.path)}
    files = {path for path in differing_files(head, base) if not is_test(path)}
    paths = files | {key.path for key in outflows}
    before, after = read_interfaces(base, paths), read_interfaces(head, paths)
    pairs = pair_interfaces(before, after)
    changes = interface_changes(before, after, pairs)
    explained = [
        replace(change, marks=_marks(head, base, key, pairs[key])) if change.before == change.signature else change
        for key, change in changes
    ]
    shown = tuple(change for change in explained if change.before != change.signature or change.marks)
    hashes = {key for key, old in pairs.items() if after[key].interface_hash != before[old].interface_hash}
    candidates = {key: pairs[key] for key in sorted(outflows | hashes) if key in pairs}
    kept = set(pairs.values())
    passing = {key.qualified_name for key in after if key not in pairs}
    passing |= {key.qualified_name for key in before if key not in kept}
    return shown, contract_changes(head, base, candidates, {key: row.start_line for key, row in after.items()}, passing)


def pair_interfaces(before: Mapping[ChunkKey, InterfaceRow], after: Mapping[ChunkKey, InterfaceRow]) -> Pairs:
    """Find for each definition the one that it was: in its file by what it says, then in order, then in other files."""
    pairs: dict[ChunkKey, ChunkKey] = {}
    rules: tuple[Callable[[InterfaceRow], Hashable], ...] = (
        lambda row: (row.key.path, row.key.qualified_name, row.kind, row.interface_hash),
        lambda row: (row.key.path, row.key.qualified_name, row.kind, row.signature),
        lambda row: (row.key.path, row.key.qualified_name),
        lambda row: (row.key.qualified_name, row.kind, row.interface_hash),
        lambda row: (row.key.qualified_name, row.kind, row.signature),
    )
    gone, came = dict(before), dict(after)
    for rule in rules:
        waiting: dict[Hashable, list[ChunkKey]] = {}
        for key, row in gone.items():
            waiting.setdefault(rule(row), []).append(key)
        for key, row in list(came.items()):
            partners = waiting.get(rule(row))
            if partners:
                pairs[key] = partners.pop(0)
                del came[key], gone[pairs[key]]
    return pairs


def interface_changes(
    before: Mapping[ChunkKey, InterfaceRow], after: Mapping[ChunkKey, InterfaceRow], pairs: Pairs
) -> list[tuple[ChunkKey, InterfaceChange]]:
    """List what came, went, moved, or is written differently, in the order of the files; the last with both signatures."""
    found: list[tuple[ChunkKey, InterfaceChange]] = []
    for key, row in after.items():
        if key not in pairs:
            found.append((key, _change("added", row)))
            continue
        old = before[pairs[key]]
        origin = old.key.path if old.key.path != key.path else ""
        if old.interface_hash != row.interface_hash:
            found.append((key, replace(_change("changed", row), before=old.signature, origin=origin)))
        elif origin:
            found.append((key, replace(_change("moved", row), origin=origin)))
    kept = set(pairs.values())
    found.extend((key, _change("removed", row)) for key, row in before.items() if key not in kept)
    return sorted(found, key=lambda one: (one[1].path, one[1].line, one[1].qualified_name, one[1].kind))


def contract_changes(
    head: Store, base: Store, candidates: Pairs, lines: Mapping[ChunkKey, int], passing: Collection[str]
) -> tuple[ContractChange, ...]:
    """Compare what reaches callers; an error that a changed callee brings is told at that callee.

    `passing` names what only one state has: it has no callers of before, so its errors are told where it is called.
    A contract holds the nearest errors only: where it is full, one that goes or comes by itself was only pushed out or let in.
    """
    types = {key: (contract_types(base, old), contract_types(head, key)) for key, old in candidates.items()}
    gains = {(key.qualified_name, kind) for key, (old, new) in types.items() for kind in new if kind not in old}
    losses = {(key.qualified_name, kind) for key, (old, new) in types.items() for kind in old if kind not in new}
    found: list[ContractChange] = []
    for key, (old, new) in types.items():
        full_before, full_now = is_full(base, candidates[key]), is_full(head, key)
        for kind in sorted(old.keys() ^ new.keys()):
            gained = kind in new
            via = new[kind] if gained else old[kind]
            if via and ((via, kind) in (gains if gained else losses) or (full_before if gained else full_now)):
                continue
            rows = [row for row in callers_by_handling(head, key, kind) if not is_test(row.key.path)]
            if not rows and via and via not in passing:
                continue  # nobody calls it, and the error is none of its own
            callers = tuple(Caller(row.key.qualified_name, row.key.path, row.line) for row in rows)
            meets = (gained and (row.passes or (not row.guarded and is_full(head, row.key))) for row in rows)
            unhandled = tuple(caller for caller, met in zip(callers, meets, strict=True) if met)
            change = ContractChange(key.path, lines[key], key.qualified_name, kind, gained, via, callers, unhandled)
            found.append(change)
    return tuple(found)


def is_full(store: Store, key: ChunkKey) -> bool:
    """Say whether as many errors leave a definition as are kept: then there may be more."""
    return len(read_outflow(store.connection, key)) >= MAXIMUM_ERRORS


def _marks(head: Store, base: Store, key: ChunkKey, old: ChunkKey) -> tuple[str, ...]:
    """Say what differs in modifiers and bases; what differs in errors is told among the contracts."""
    return tuple(
        f"{verb} {name}"
        for mark, then, now in zip(("marked", "extending"), read_marks(base, old), read_marks(head, key), strict=True)
        for verb, names in ((f"now {mark}", _less(now, then)), (f"no longer {mark}", _less(then, now)))
        for name in names
    )


def _less(names: Collection[str], others: Collection[str]) -> list[str]:
    return [name for name in names if name not in others]


def _change(kind: Kind, row: InterfaceRow) -> InterfaceChange:
    return InterfaceChange(kind, row.key.path, row.start_line, row.key.qualified_name, row.kind, row.signature)
