"""Resolve what changed and carry contracts along: the store's facts through the pure engine and back, in one transaction.

A file's resolution depends on its own facts and on the definitions of the names it looked up. So after a change exactly those
files are resolved again that are new or looked up a name that is now defined otherwise, and the result equals a whole build.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from codemem.indexing.contracts import settle_contracts
from codemem.indexing.definitions import (
    StoreUniverse,
    consulting,
    pack_names,
    plain_imports,
    stored_symbols,
)
from codemem.resolve import FileFacts, FileHead, Session, resolve_file
from codemem.resolve.errors import rules_of
from codemem.resolve.profile import profile_of
from codemem.resolve.propagate import Node, join_nodes, node_of_chunk
from codemem.resolve.records import imports_name, module_name, module_stem
from codemem.roles import is_test
from codemem.store import Store
from codemem.store.code import chunks_by_id, read_files, read_imports
from codemem.store.database import Connection
from codemem.store.definitions import (
    SymbolValues,
    Vanished,
    consulted_by,
    forget_files,
    imports_text,
    mark_for_documents,
    replace_reach,
    symbols_of_file,
    unresolved_files,
    update_indegree,
    vanished_files,
    write_consulted,
    write_resolution,
    write_symbols,
)
from codemem.store.graph import CallRow, call_values, raw_calls, remove_calls, write_calls
from codemem.types import ChunkKey

WRITTEN_AT_ONCE = 20_000
"""Call rows that are gathered before they are written: one statement per chunk takes three times as long."""


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
    whole: bool = False
    """Whether nothing was resolved before."""


def resolve_changed(store: Store) -> Resolved:
    """Resolve new files and those that depend on what changed, and settle contracts; cheap when nothing changed."""
    with store.transaction() as connection, _no_collection():
        region = Region()
        changed = _take_definitions(connection, region)
        if not region.new and not region.gone:
            return Resolved()
        _find_dependents(connection, region, changed)
        session = Session(StoreUniverse(connection))
        for file_id, head in sorted((*region.new.items(), *region.again.items()), key=lambda entry: entry[1].path):
            _resolve_one(connection, region, session, file_id, head)
            if len(region.calls) > WRITTEN_AT_ONCE:
                _write_calls(connection, region)
        _write_calls(connection, region)
        session.leave_file()
        settle_contracts(connection, region, session)
        update_indegree(connection, region.targets)
        mark_for_documents(connection, region.rewritten)
        return Resolved(len(region.new) + len(region.again), len(region.rewritten))


@contextmanager
def _no_collection() -> Iterator[None]:
    """Stop the search for circular garbage: resolution makes millions of records, no circles, and it took a third of the time."""
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()


def _take_definitions(connection: Connection, region: Region) -> set[str]:
    """Bring definitions up to date; return the names whose definitions changed, and note new files."""
    gone = vanished_files(connection)
    before = {old.path: (old, symbols_of_file(connection, old.file_id)) for old in gone}
    region.gone.update(before)
    region.targets.update(forget_files(connection, [old.file_id for old in gone]))
    region.whole = next(consulted_by(connection), None) is None and not before
    changed: set[str] = set()
    symbols: list[tuple[object, ...]] = []
    for file_id, path, language, package in unresolved_files(connection):
        head = FileHead(path, language, package, plain_imports(read_imports(connection, file_id)))
        stem = module_stem(path, profile_of(language).index)
        kept = Vanished(file_id, path, stem, language, package, imports_text(head.imports))
        rows = stored_symbols(connection, file_id, head)
        symbols.extend((file_id, *row) for row in rows)
        if len(symbols) > WRITTEN_AT_ONCE:
            write_symbols(connection, symbols)
            symbols.clear()
        write_resolution(connection, kept)
        region.new[file_id] = head
        region.targets.add(path)
        if not region.whole:
            changed |= _differences(before.pop(path, None), (kept, rows))
    write_symbols(connection, symbols)
    for old in before.values():
        changed |= _differences(old, None)
    return changed


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


def _resolve_one(connection: Connection, region: Region, session: Session, file_id: int, head: FileHead) -> None:
    """Resolve one file, note the calls that differ, keep its nodes for the contracts."""
    chunks = chunks_by_id(connection, file_id, with_text=rules_of(head.language).by_value)
    whole = {chunk_id: chunk for chunk_id, chunk in chunks.items() if not chunk.part or chunk.calls}
    resolved = resolve_file(FileFacts(head, tuple(whole.values())), session)
    region.file_ids[head.path] = file_id
    session.consulted = set(resolved.consulted)
    written = raw_calls(connection, file_id) if file_id in region.again else {}
    reached: set[str] = set()
    for (chunk_id, chunk), result in zip(whole.items(), resolved.chunks, strict=True):
        rows = [
            call_values(chunk_id, CallRow(*row)) for row in zip(result.calls, result.passes, result.guards, strict=True)
        ]
        if rows and rows != written.get(chunk_id):
            if chunk_id in written:
                remove_calls(connection, chunk_id)
            region.calls.extend(rows)
            region.rewritten.add(chunk_id)
        for call in result.calls:
            if call.target is not None and call.certainty == "resolved":
                reached.add(call.target.path)
        _keep_node(region, chunk_id, chunk.key, node_of_chunk(chunk, result, session))
    write_consulted(connection, [(pack_names(session.consulted), file_id)])
    reached.discard(head.path)
    region.targets |= replace_reach(connection, file_id, () if is_test(head.path) else reached)
    if file_id in region.new:
        region.rewritten.update(chunks)


def _keep_node(region: Region, chunk_id: int, key: ChunkKey, node: Node) -> None:
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
    region.calls.clear()
