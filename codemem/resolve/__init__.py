"""Resolution of calls and propagation of contracts: pure functions over parsed facts and a universe of symbols."""

from codemem.resolve.calls import resolve_file
from codemem.resolve.leaving import MAXIMUM_ERRORS
from codemem.resolve.nodes import node_of_chunk
from codemem.resolve.propagate import effective_contract, outflow, settle
from codemem.resolve.records import FileFacts, FileHead, ResolvedChunk, ResolvedFile, Symbol, Universe, symbols_of
from codemem.resolve.session import Session
from codemem.resolve.shown import shown_calls
from codemem.resolve.universe import MemoryUniverse, facts_of, universe_of

VERSION = "23"
"""Part of the index fingerprint: raise it when the same facts resolve to something else."""

__all__ = [
    "MAXIMUM_ERRORS",
    "VERSION",
    "FileFacts",
    "FileHead",
    "MemoryUniverse",
    "ResolvedChunk",
    "ResolvedFile",
    "Session",
    "Symbol",
    "Universe",
    "data_fingerprint",
    "effective_contract",
    "facts_of",
    "node_of_chunk",
    "outflow",
    "resolve_file",
    "settle",
    "shown_calls",
    "symbols_of",
    "universe_of",
]


def data_fingerprint() -> str:
    """Hash the tables that resolution reads: part of the index fingerprint."""
    from hashlib import sha256

    from codemem.languages import grammar_folder

    digest = sha256(VERSION.encode())
    for name in ("calls.toml", "errors.toml", "noise.toml"):
        digest.update((grammar_folder() / name).read_bytes())
    return digest.hexdigest()
