"""Resolve what changed and carry contracts along: the store's facts through the pure engine and back, in one transaction.

A file's resolution depends on its own facts and on the definitions of the names it looked up. So after a change exactly those
files are resolved again that are new or looked up a name that is now defined otherwise, and the result equals a whole build.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from codemem.indexing.contracts import settle_contracts
from codemem.indexing.definitions import (
    StoreUniverse,
    consulting,
    pack_names,
    plain_imports,
    stored_symbols,
    whole_universe,
)
from codemem.resolve import FileFacts, FileHead, ResolvedChunk, Session, resolve_file
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
    consulted_by,
    forget_files,
    head_text,
    mark_for_documents,
    replace_reach,
    symbols_at,
    unresolved_files,
    update_indegree,
    vanished_files,
    write_consulted,
    write_resolution,
    write_symbols,
)
from codemem.store.graph import CallRow, call_values, raw_calls, replace_calls
from codemem.types import ChunkKey

MANY_FILES = 150
"""From so many files on it is cheaper to load all definitions than to look them up one by one."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """How much one run resolved."""

    files: int = 0
    chunks: int = 0
    """Chunks whose calls or contract changed."""


@dataclass(slots=True)
class Region:
    """What one run works on, by file id; filled while it goes."""

    new: dict[int, FileHead] = field(default_factory=dict)
    again: dict[int, FileHead] = field(default_factory=dict)
    nodes: dict[ChunkKey, Node] = field(default_factory=dict)
    chunk_ids: dict[ChunkKey, int] = field(default_factory=dict)
    file_ids: dict[str, int] = field(default_factory=dict)
    consulted: dict[int, set[str]] = field(default_factory=dict)
    gone: set[str] = field(default_factory=set)
    """Paths of files that were resolved before and are removed or parsed again."""
    targets: set[str] = field(default_factory=set)
    """Files whose number of calling files may have changed."""
    rewritten: set[int] = field(default_factory=set)
    whole: bool = False
    """Whether nothing was resolved before."""


def resolve_changed(store: Store) -> Resolved:
    """Resolve new files and those that depend on what changed, and settle contracts; cheap when nothing changed."""
    with store.transaction() as connection:
        region = Region()
        changed = _take_definitions(connection, region)
        if not region.new and not region.gone:
            return Resolved()
        _find_dependents(connection, region, changed)
        many = len(region.new) + len(region.again) > MANY_FILES
        session = Session(whole_universe(connection) if many else StoreUniverse(connection))
        for file_id, head in sorted((*region.new.items(), *region.again.items()), key=lambda entry: entry[1].path):
            _resolve_one(connection, region, session, file_id, head)
        settle_contracts(connection, region, session)
        write_consulted(connection, ((pack_names(names), file_id) for file_id, names in region.consulted.items()))
        update_indegree(connection, region.targets)
        mark_for_documents(connection, region.rewritten)
        return Resolved(len(region.new) + len(region.again), len(region.rewritten))


def _take_definitions(connection: Connection, region: Region) -> set[str]:
    """Bring definitions up to date; return the names whose definitions changed, and note new files."""
    gone = vanished_files(connection)
    before: dict[str, tuple[str, str, set[SymbolValues]]] = {
        path: (stem, head, set(symbols_at(connection, path))) for _, path, stem, head in gone
    }
    region.gone.update(before)
    region.targets.update(forget_files(connection, [(file_id, path) for file_id, path, _, _ in gone]))
    region.whole = next(consulted_by(connection), None) is None and not before
    changed: set[str] = set()
    for file_id, path, language, package in unresolved_files(connection):
        head = FileHead(path, language, package, plain_imports(read_imports(connection, file_id)))
        stem = module_stem(path, profile_of(language).index)
        text = head_text(language, package, head.imports)
        rows = stored_symbols(connection, file_id, head)
        write_symbols(connection, rows)
        write_resolution(connection, file_id, path, stem, text)
        region.new[file_id] = head
        region.targets.add(path)
        if not region.whole:
            changed |= _differences(path, before.pop(path, None), (stem, text, set(rows)))
    for path, old in before.items():
        changed |= _differences(path, old, None)
    return changed


def _differences(
    path: str, old: tuple[str, str, set[SymbolValues]] | None, new: tuple[str, str, set[SymbolValues]] | None
) -> set[str]:
    """Name everything that resolution sees differently in one file."""
    names = {values[0] for values in (old[2] if old else set()) ^ (new[2] if new else set())}
    if (old and old[1]) != (new and new[1]):
        names.add(imports_name(path))
    for one, other in ((old, new), (new, old)):
        if one and (other is None or one[0] != other[0]):
            names.add(module_name(one[0]))
    return names


def _find_dependents(connection: Connection, region: Region, changed: set[str]) -> None:
    hits = set(consulting(changed, consulted_by(connection))) - set(region.new)
    for row in read_files(connection, hits) if hits else ():
        imports = plain_imports(read_imports(connection, row.id))
        region.again[row.id] = FileHead(row.path, row.language, row.package, imports)


def _resolve_one(connection: Connection, region: Region, session: Session, file_id: int, head: FileHead) -> None:
    """Resolve one file, write the calls that differ, keep its nodes for the contracts."""
    chunks = chunks_by_id(connection, file_id, with_text=rules_of(head.language).by_value)
    whole = {chunk_id: chunk for chunk_id, chunk in chunks.items() if not chunk.part or chunk.calls}
    resolved = resolve_file(FileFacts(head, tuple(whole.values())), session)
    region.file_ids[head.path] = file_id
    region.consulted[file_id] = session.consulted = set(resolved.consulted)
    written = raw_calls(connection, file_id) if file_id in region.again else {}
    reached: set[str] = set()
    for (chunk_id, chunk), result in zip(whole.items(), resolved.chunks, strict=True):
        rows = call_rows(result)
        old = written.get(chunk_id, [])
        if rows and (not old or old != [call_values(chunk_id, row) for row in rows]):
            replace_calls(connection, chunk_id, rows, bool(old))
            region.rewritten.add(chunk_id)
        reached.update(
            call.target.path for call in result.calls if call.target is not None and call.certainty == "resolved"
        )
        node = node_of_chunk(chunk, result, session)
        known = region.nodes.get(chunk.key)
        region.nodes[chunk.key] = node if known is None else join_nodes(known, node)
        region.chunk_ids.setdefault(chunk.key, chunk_id)
    reached.discard(head.path)
    region.targets |= replace_reach(connection, file_id, () if is_test(head.path) else reached)
    if file_id in region.new:
        region.rewritten.update(chunks)


def call_rows(result: ResolvedChunk) -> list[CallRow]:
    """Join calls, passing and handlers as they are written."""
    return [CallRow(*row) for row in zip(result.calls, result.passes, result.guards, strict=True)]
