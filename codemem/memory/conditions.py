"""What a question asks of the rows: the part of the WHERE clause beside visibility."""

from __future__ import annotations

from codemem.identity import now_ms
from codemem.memory.requests import MemoryQuery
from codemem.store.memories import Condition


def filters(query: MemoryQuery, life: Condition | None = None) -> Condition:
    """Return the part of the WHERE clause that the question asks for (visibility comes from `visible`)."""
    parts = [life or lifetime(query)]
    for column, values in (("type", query.types), ("source", query.sources), ("key", query.keys)):
        if values:
            parts.append(Condition(f"memory.{column} IN ({', '.join('?' * len(values))})", tuple(values)))
    if query.symbols:
        # As it was named when it was remembered, or with the qualified name that the index gave it.
        marks = ", ".join("?" * len(query.symbols))
        tied = f"memory.id IN (SELECT memory_id FROM memory_anchor WHERE memory_anchor.symbol IN ({marks}))"
        parts.append(Condition(f"(memory.symbol IN ({marks}) OR {tied})", (*query.symbols, *query.symbols)))
    condition = parts[0]
    for part in parts[1:]:
        condition = condition & part
    return condition


def lifetime(query: MemoryQuery) -> Condition:
    """Select what holds now, or at `as_of`; a fact without a given start holds since it was recorded."""
    if query.as_of is not None:
        return Condition(
            "memory.status <> 'deleted' AND COALESCE(memory.valid_from, memory.created_at) <= ?"
            " AND COALESCE(memory.valid_to, memory.superseded_at, ?) > ?",
            (query.as_of, query.as_of + 1, query.as_of),
        )
    if query.include_superseded:
        return Condition("memory.status <> 'deleted'")
    return Condition(
        "memory.status IN ('active', 'candidate') AND (memory.valid_to IS NULL OR memory.valid_to > ?)", (now_ms(),)
    )
