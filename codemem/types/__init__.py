"""The records that flow through codemem: frozen, slotted, without behaviour beyond derived properties.

Lines are 1-based and inclusive everywhere. Paths are relative to the repository root and use `/`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from codemem.types.answer import Filters, Fusion, Hit, Mode, Query, SearchResult
    from codemem.types.chunk import (
        READS,
        Binding,
        Call,
        Certainty,
        Chunk,
        ChunkKey,
        ErrorFact,
        ErrorRole,
        FactSource,
        Guard,
    )
    from codemem.types.memory import Memory, Scope
    from codemem.types.report import Report
    from codemem.types.source import Import, ParsedFile, SourceFile
    from codemem.types.tree import FileEntry, Problem, Skipped

__all__ = [
    "READS",
    "Binding",
    "Call",
    "Certainty",
    "Chunk",
    "ChunkKey",
    "ErrorFact",
    "ErrorRole",
    "FactSource",
    "FileEntry",
    "Filters",
    "Fusion",
    "Guard",
    "Hit",
    "Import",
    "Memory",
    "Mode",
    "ParsedFile",
    "Problem",
    "Query",
    "Report",
    "Scope",
    "SearchResult",
    "Skipped",
    "SourceFile",
]

_HOMES = {
    "answer": ("Filters", "Fusion", "Hit", "Mode", "Query", "SearchResult"),
    "chunk": (
        "Binding",
        "Call",
        "Certainty",
        "Chunk",
        "ChunkKey",
        "ErrorFact",
        "ErrorRole",
        "FactSource",
        "Guard",
        "READS",
    ),
    "memory": ("Memory", "Scope"),
    "report": ("Report",),
    "source": ("Import", "ParsedFile", "SourceFile"),
    "tree": ("FileEntry", "Problem", "Skipped"),
}
"""Module -> its records, made when one of them is used: each costs a quarter of a millisecond, a search needs a third."""


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{home}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
