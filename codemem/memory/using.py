"""When a memory was last used: handed out in a context. Searching and listing are no use, and queries never write."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from codemem.identity import now_ms
from codemem.memory.stores import open_memories
from codemem.store.memories import mark_used

RESOLUTION_MS = 3_600_000
"""Uses within an hour are one: a session that asks again and again writes once."""


def note_use(root: Path, uuids: Sequence[str]) -> None:
    """Write the time of use of these memories, in stores that exist; raises StoreBusy at once when one is being written."""
    now = now_ms()
    with open_memories(root) as stores:
        for store in stores:
            mark_used(store.path, uuids, now, now - RESOLUTION_MS)
