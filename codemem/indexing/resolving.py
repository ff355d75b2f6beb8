"""Resolve what changed and carry contracts along: the store's facts through the pure engine and back, in one transaction.

A file's resolution depends on its own facts and on the definitions of the names it looked up. So after a change exactly those
files are resolved again that are new or looked up a name that is now defined otherwise, and the result equals a whole build.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

from codemem.indexing.contracts import settle_contracts
from codemem.indexing.definitions import consulting, plain_imports
from codemem.indexing.outcome import Defined, Outcome, define, define_batch, define_parsed, work_out
from codemem.indexing.transfer import Keys, Plain, plain_outcome, read_outcome, work_out_batch
from codemem.resolve import FileHead, Session
from codemem.resolve.nodes import Node, join_nodes
from codemem.resolve.records import imports_name, module_name
from codemem.roles import is_test
from codemem.store import Store, open_store, read_meta, write_meta
from codemem.store.code import read_files, read_imports
from codemem.store.connection import Connection
from codemem.store.definitions import (
    SymbolValues,
    Vanished,
    any_resolved,
    consulted_by,
    forget_files,
    mark_for_documents,
    replace_reach,
    symbols_of_file,
    unresolved_files,
    update_indegree,
    vanished_files,
    write_consulted,
    write_resolutions,
    write_symbols,
)
from codemem.store.files import count_rows
from codemem.store.graph import raw_calls, remove_calls, write_calls
from codemem.store.index_layer import forget_meta
from codemem.store.layers import filling, forget_resolution, indexed_beside
from codemem.types import ChunkKey
from codemem.universe import StoreUniverse
from codemem.workers import Crew, worker_count

WRITTEN_AT_ONCE = 20_000
"""Call rows that are gathered before they are written: one statement per chunk takes three times as long."""
PAYS_CHUNKS = 8_000
"""Chunks below which workers do not pay: a second of resolution against their start and what each works out anew."""
BATCH_FILES = 50
"""Files sent to a worker at once: a tenth of a second of work."""
HALF_RESOLVED = "half_resolved"
"""Key of `index_meta` that stands while definitions are written and calls are not."""
Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Resolved:
    """How much one run resolved."""

    files: int = 0
    chunks: int = 0
    """Chunks whose calls or contract changed."""


@dataclass(slots=True)
class Region:
    """What one run works on; filled while it goes."""

    new: dict[int, FileHead] = field(default_factory=dict)
    again: dict[int, FileHead] = field(default_factory=dict)
    nodes: dict[ChunkKey, Node] = field(default_factory=dict)
    """Chunks with facts or with calls whose targets are known: no others take part in contracts."""
    bare: list[ChunkKey] = field(default_factory=list)
    """Chunks without either, where they may have had some before."""
    chunk_ids: dict[ChunkKey, int] = field(default_factory=dict)
    file_ids: dict[str, int] = field(default_factory=dict)
    gone: set[str] = field(default_factory=set)
    """Paths of files that were resolved before and are removed or parsed again."""
    targets: set[str] = field(default_factory=set)
    """Files whose number of calling files may have changed."""
    rewritten: set[int] = field(default_factory=set)
    calls: list[tuple[object, ...]] = field(default_factory=list)
    """Rows to be written."""
    consulted: list[tuple[bytes, int]] = field(default_factory=list)
    """What files looked up, to be written."""
    whole: bool = False
    """Whether nothing was resolved before."""
    missing: dict[str, list[str]] = field(default_factory=dict)
    """Statements that make the indexes of tables which are filled without, by table."""


def resolve_changed(store: Store, jobs: int = 1, definitions: dict[str, str] | None = None) -> Resolved:
    """Resolve new files and those that depend on what changed, and settle contracts; cheap when nothing changed.

    With more than one of `jobs` (0: as many as there are processors) the first resolution of much code runs in worker
    processes. They read definitions from the store, so these are committed before the calls are; a run that is killed
    between the two leaves a mark, and the next one begins anew. `definitions` are those of files parsed in this run, by
    path; they are used up.
    """
    region = Region()
    with without_collection(), Crew(worker_count(jobs)) as crew:
        half = bool(read_meta(store, HALF_RESOLVED))
        region.whole = half or not any_resolved(store.connection)
        helped = region.whole and crew.jobs > 1 and count_rows(store)["chunks"] >= PAYS_CHUNKS
        with filling(store, "call", "fact") if region.whole and not helped else store.transaction() as connection:
            if half:
                forget_resolution(connection)
                forget_meta(connection, HALF_RESOLVED)
            changed = _take_definitions(store, region, definitions or {}, crew if helped else None)
            if not region.new and not region.gone:
                return Resolved()
            if not helped:
                return _resolve_region(store, region, changed, None)
            write_meta(connection, **{HALF_RESOLVED: "calls are missing"})
        with filling(store, "call", "fact", missing=region.missing) as connection:
            forget_meta(connection, HALF_RESOLVED)
            return _resolve_region(store, region, changed, crew)


@contextmanager
def without_collection() -> Iterator[None]:
    """Stop the search for circular garbage: indexing makes millions of records, no circles, and it took a third of the time."""
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()


def _resolve_region(store: Store, region: Region, changed: set[str], crew: Crew | None) -> Resolved:
    """Resolve the new files and those that looked up a changed name, inside the caller's transaction."""
    connection = store.connection
    _find_dependents(connection, region, changed)
    session = Session(StoreUniverse(connection))
    work = sorted((*region.new.items(), *region.again.items()), key=lambda entry: entry[1].path)
    if crew is not None:
        keys: Keys = {}
        here = partial(_work_out_here, connection, session)
        plain = crew.run(_batches(work), partial(work_out_batch, str(store.path)), here)
        outcomes = (read_outcome(outcome, keys) for outcome in plain)
    else:
        outcomes = (work_out(connection, session, *entry, not region.whole) for entry in work)
    for outcome in outcomes:
        _take(connection, region, outcome)
        if len(region.calls) > WRITTEN_AT_ONCE:
            _write_calls(connection, region)
    _write_calls(connection, region)
    session.leave_file()
    if crew is not None:
        # Definitions are committed, so that contracts can look them up while this connection makes indexes.
        with open_store(store.path) as reader:
            settle_contracts(connection, region, Session(StoreUniverse(reader.connection)))
    else:
        settle_contracts(connection, region, session)
    update_indegree(connection, region.targets)
    mark_for_documents(connection, region.rewritten)
    resolved = Resolved(len(region.new) + len(region.again), len(region.rewritten))
    with indexed_beside(connection, region.missing.pop("fact", ())):
        region.nodes.clear()  # a hundred thousand records: giving them back takes as long as an index
        region.rewritten.clear()
    return resolved


def _batches(files: Sequence[Item]) -> Iterator[Sequence[Item]]:
    return (files[start : start + BATCH_FILES] for start in range(0, len(files), BATCH_FILES))


def _define_here(connection: Connection, files: Sequence[tuple[int, str, str, str]]) -> list[Defined]:
    return [define(connection, *file) for file in files]


def _work_out_here(connection: Connection, session: Session, files: Sequence[tuple[int, FileHead]]) -> list[Plain]:
    return [plain_outcome(work_out(connection, session, file_id, head, False)) for file_id, head in files]


def _take_definitions(store: Store, region: Region, parsed: dict[str, str], crew: Crew | None) -> set[str]:
    """Bring definitions up to date; return the names whose definitions changed, and note new files."""
    connection = store.connection
    gone = vanished_files(connection)
    before = {old.path: (old, symbols_of_file(connection, old.file_id)) for old in gone}
    region.gone.update(before)
    region.targets.update(forget_files(connection, [old.file_id for old in gone]))
    changed: set[str] = set()
    symbols: list[tuple[object, ...]] = []
    resolved: list[Vanished] = []
    for head, kept, rows in _defined(store, parsed, crew):
        symbols.extend((kept.file_id, *row) for row in rows)
        resolved.append(kept)
        if len(symbols) > WRITTEN_AT_ONCE:
            _write_definitions(connection, symbols, resolved)
        region.new[kept.file_id] = head
        region.targets.add(kept.path)
        if not region.whole:
            changed |= _differences(before.pop(kept.path, None), (kept, rows))
    _write_definitions(connection, symbols, resolved)
    for old in before.values():
        changed |= _differences(old, None)
    return changed


def _defined(store: Store, parsed: dict[str, str], crew: Crew | None) -> Iterator[Defined]:
    """Yield the definitions of the files that were never resolved: those of files parsed just now are at hand."""
    unread = []
    for file in unresolved_files(store.connection):
        packed = parsed.pop(file[1], None)
        if packed is None:
            unread.append(file)
        else:
            yield define_parsed(packed, *file)
    here = partial(_define_here, store.connection)
    if crew is None or not unread:
        yield from here(unread)
    else:
        yield from crew.run(_batches(unread), partial(define_batch, str(store.path)), here)


def _write_definitions(connection: Connection, symbols: list[tuple[object, ...]], resolved: list[Vanished]) -> None:
    write_symbols(connection, symbols)
    write_resolutions(connection, resolved)
    symbols.clear()
    resolved.clear()


Known = tuple[Vanished, list[SymbolValues]]


def _differences(old: Known | None, new: Known | None) -> set[str]:
    """Name everything that resolution sees differently in one file."""
    names: set[str] = set()
    if old and new and old[0][3:5] == new[0][3:5]:
        names.update(values[0] for values in set(old[1]) ^ set(new[1]))
    else:
        # Language and package are part of every definition.
        names.update(values[0] for known in (old, new) if known for values in known[1])
    if old is None or new is None or old[0][3:] != new[0][3:]:
        names.update(imports_name(known[0].path) for known in (old, new) if known)
    if old is None or new is None or old[0].stem != new[0].stem:
        names.update(module_name(known[0].stem) for known in (old, new) if known)
    return names


def _find_dependents(connection: Connection, region: Region, changed: set[str]) -> None:
    hits = set(consulting(changed, consulted_by(connection))) - set(region.new)
    for row in read_files(connection, hits) if hits else ():
        imports = plain_imports(read_imports(connection, row.id))
        region.again[row.id] = FileHead(row.path, row.language, row.package, imports)


def _take(connection: Connection, region: Region, outcome: Outcome) -> None:
    """Note the calls of a file that differ from those written, and keep its nodes for the contracts."""
    file_id, path = outcome.file_id, outcome.path
    region.file_ids[path] = file_id
    written = raw_calls(connection, file_id) if file_id in region.again else {}
    for chunk_id, rows in outcome.calls:
        if rows != written.get(chunk_id):
            if chunk_id in written:
                remove_calls(connection, chunk_id)
            region.calls.extend(rows)
            region.rewritten.add(chunk_id)
    for chunk_id, node in outcome.nodes:
        _keep_node(region, chunk_id, node)
    region.consulted.append((outcome.consulted, file_id))
    region.targets |= replace_reach(connection, file_id, () if is_test(path) else outcome.reached)
    if file_id in region.new:
        region.rewritten.update(outcome.chunk_ids)


def _keep_node(region: Region, chunk_id: int, node: Node) -> None:
    key = node.key
    if node.facts or node.edges:
        known = region.nodes.get(key)
        region.nodes[key] = node if known is None else join_nodes(known, node)
    elif region.whole:
        return
    elif key not in region.chunk_ids:
        region.bare.append(key)
    region.chunk_ids.setdefault(key, chunk_id)


def _write_calls(connection: Connection, region: Region) -> None:
    write_calls(connection, region.calls)
    write_consulted(connection, region.consulted)
    region.calls.clear()
    region.consulted.clear()
