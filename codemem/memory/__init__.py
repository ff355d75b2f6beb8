"""Long-term memory: what was said about the code, scoped, versioned, found like the code, tied to it."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from codemem.memory.anchors import AnchorReport, refresh_anchors
    from codemem.memory.operations import (
        Changes,
        delete_memory,
        edit_memory,
        restore_memory,
        verify_memory,
    )
    from codemem.memory.reading import (
        Found,
        Listing,
        attached_memories,
        find_one,
        list_memories,
        memory_history,
        memory_stats,
        version_chain,
    )
    from codemem.memory.remembering import add_turns, remember
    from codemem.memory.requests import REFUSED, MemoryQuery, Options, Remembered, Turn
    from codemem.memory.search import MemoryHit, MemoryResult, search_memories
    from codemem.memory.stores import Stores, memory_root, open_memories

MODULES = {
    "AnchorReport": "codemem.memory.anchors",
    "Changes": "codemem.memory.operations",
    "Found": "codemem.memory.reading",
    "Listing": "codemem.memory.reading",
    "MemoryHit": "codemem.memory.search",
    "MemoryQuery": "codemem.memory.requests",
    "MemoryResult": "codemem.memory.search",
    "Options": "codemem.memory.requests",
    "REFUSED": "codemem.memory.requests",
    "Remembered": "codemem.memory.requests",
    "Stores": "codemem.memory.stores",
    "Turn": "codemem.memory.requests",
    "add_turns": "codemem.memory.remembering",
    "attached_memories": "codemem.memory.reading",
    "delete_memory": "codemem.memory.operations",
    "edit_memory": "codemem.memory.operations",
    "find_one": "codemem.memory.reading",
    "list_memories": "codemem.memory.reading",
    "memory_history": "codemem.memory.reading",
    "memory_root": "codemem.memory.stores",
    "memory_stats": "codemem.memory.reading",
    "open_memories": "codemem.memory.stores",
    "refresh_anchors": "codemem.memory.anchors",
    "remember": "codemem.memory.remembering",
    "restore_memory": "codemem.memory.operations",
    "search_memories": "codemem.memory.search",
    "verify_memory": "codemem.memory.operations",
    "version_chain": "codemem.memory.reading",
}
"""Name of the face -> where it lives. A search must not pay for importing the judge."""

__all__ = [
    "REFUSED",
    "AnchorReport",
    "Changes",
    "Found",
    "Listing",
    "MemoryHit",
    "MemoryQuery",
    "MemoryResult",
    "Options",
    "Remembered",
    "Stores",
    "Turn",
    "add_turns",
    "attached_memories",
    "delete_memory",
    "edit_memory",
    "find_one",
    "list_memories",
    "memory_history",
    "memory_root",
    "memory_stats",
    "open_memories",
    "refresh_anchors",
    "remember",
    "restore_memory",
    "search_memories",
    "verify_memory",
    "version_chain",
]


def __getattr__(name: str) -> Any:
    module = MODULES.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(module), name)
