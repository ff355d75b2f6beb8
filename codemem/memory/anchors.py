"""Memories tied to code (placeholder until the states are computed)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemem.types import Memory

if TYPE_CHECKING:
    from codemem.store import Connection, Store


def anchor_memory(store: Store, connection: Connection, memory: Memory, now: int) -> Memory:
    return memory
