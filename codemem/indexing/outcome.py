"""What resolution makes of one file, read from the store and written nowhere: the same in this process and in a worker."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from codemem.indexing.definitions import (
    pack_names,
    plain_imports,
    stored_symbols,
    unpack_definitions,
)
from codemem.resolve import FileFacts, FileHead, Session, resolve_file
from codemem.resolve.errors import rules_of
from codemem.resolve.nodes import Node, node_of_chunk
from codemem.resolve.profile import profile_of
from codemem.resolve.records import module_stem
from codemem.store import open_store
from codemem.store.code import chunks_by_id, read_content, read_imports
from codemem.store.connection import Connection
from codemem.store.definitions import SymbolValues, Vanished, imports_text
from codemem.store.graph import call_values
from codemem.universe import LoadedUniverse


class Defined(NamedTuple):
    """What a file offers to others."""

    head: FileHead
    kept: Vanished
    symbols: list[SymbolValues]


class Outcome(NamedTuple):
    """The calls of a file, ready to be written, and what contracts need of it."""

    file_id: int
    path: str
    chunk_ids: list[int]
    calls: list[tuple[int, list[tuple[Any, ...]]]]
    """Chunk id and call rows of the chunks that call something."""
    nodes: list[tuple[int, Node]]
    """Chunk ids and nodes, pieces of one chunk apart."""
    consulted: bytes
    reached: frozenset[str]
    """Other files with a definition that a call surely means."""


def define(connection: Connection, file_id: int, path: str, language: str, package: str) -> Defined:
    """Gather the definitions of a file from its chunks."""
    head = FileHead(path, language, package, plain_imports(read_imports(connection, file_id)))
    return Defined(head, _kept(file_id, head), stored_symbols(connection, file_id, head))


def define_parsed(packed: str, file_id: int, path: str, language: str, package: str) -> Defined:
    """Take the definitions of a file that was parsed in this run."""
    imports, symbols = unpack_definitions(packed)
    head = FileHead(path, language, package, imports)
    return Defined(head, _kept(file_id, head), symbols)


def _kept(file_id: int, head: FileHead) -> Vanished:
    stem = module_stem(head.path, profile_of(head.language).index)
    return Vanished(file_id, head.path, stem, head.language, head.package, imports_text(head.imports))


def work_out(connection: Connection, session: Session, file_id: int, head: FileHead, with_bare: bool) -> Outcome:
    """Resolve one file; nodes without facts and without calls whose targets are known come only `with_bare`."""
    chunks = chunks_by_id(connection, file_id, with_text=rules_of(head.language).by_value, with_doc=False)
    whole = {chunk_id: chunk for chunk_id, chunk in chunks.items() if not chunk.part or chunk.calls}
    facts = FileFacts(head, tuple(whole.values()), lambda: read_content(connection, file_id).split("\n"))
    resolved = resolve_file(facts, session)
    calls: list[tuple[int, list[tuple[Any, ...]]]] = []
    nodes: list[tuple[int, Node]] = []
    reached: set[str] = set()
    for (chunk_id, chunk), result in zip(whole.items(), resolved.chunks, strict=True):
        if result.calls:
            rows = zip(result.calls, result.passes, result.guards, strict=True)
            calls.append((chunk_id, [call_values(chunk_id, *row) for row in rows]))
            reached.update([call.target.path for call in result.calls if call.target and call.certainty == "resolved"])
        elif not with_bare and not chunk.contract:
            continue
        node = node_of_chunk(chunk, result, session)
        if with_bare or node.facts or node.edges:
            nodes.append((chunk_id, node))
    reached.discard(head.path)
    return Outcome(file_id, head.path, list(chunks), calls, nodes, pack_names(session.consulted), frozenset(reached))


def define_batch(path: str, files: Sequence[tuple[int, str, str, str]]) -> list[Defined]:
    """Run `define` in a worker, on the store at `path`."""
    connection, _ = opened(path)
    return [define(connection, *file) for file in files]


@lru_cache(maxsize=1)
def opened(path: str) -> tuple[Connection, Session]:
    """Open the store once in the life of a worker; what its session remembers serves all its batches."""
    gc.disable()  # see `without_collection`; a worker ends with its work
    connection = open_store(Path(path)).connection
    return connection, Session(LoadedUniverse(connection))
