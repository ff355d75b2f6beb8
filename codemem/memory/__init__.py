"""Long-term memory: what was said about the code, scoped, versioned, found like the code, tied to it."""

from codemem.memory.anchors import AnchorReport, refresh_anchors
from codemem.memory.operations import (
    Changes,
    Found,
    Listing,
    attached_memories,
    delete_memory,
    edit_memory,
    find_one,
    list_memories,
    memory_history,
    memory_stats,
    restore_memory,
    verify_memory,
    version_chain,
)
from codemem.memory.remember import add_turns, remember
from codemem.memory.requests import REFUSED, MemoryQuery, Options, Remembered, Turn
from codemem.memory.search import MemoryHit, MemoryResult, search_memories
from codemem.memory.stores import Stores, memory_root, open_memories

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
