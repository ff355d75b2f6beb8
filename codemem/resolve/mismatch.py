"""Where a contract as declared and a contract as worked out differ."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

from codemem.resolve.errors import rules_of
from codemem.types import Chunk

OPEN = frozenset({"abstract", "default", "native"})
"""Modifiers of methods whose bodies are elsewhere or may be replaced: they may declare what others raise."""


class Mismatch(NamedTuple):
    """One difference: a type that leaves and is not declared, or is declared and cannot leave."""

    kind: Literal["undeclared", "never raised"]
    type: str
    line: int
    via: str | None = None


def mismatches(chunk: Chunk, kinds_of: Callable[[str], frozenset[str]]) -> tuple[Mismatch, ...]:
    """Compare the declarations of a chunk with what leaves it.

    Undeclared: a checked exception, or, where nothing is checked, one that the chunk raises itself although its documentation
    lists others. Never raised: only where the compiler asks for declarations and every call is resolved, so that it is certain.

    Args:
        chunk: With resolved calls and the effective contract.
        kinds_of: Names of all types that an error type surely is; of a foreign one nobody knows whether it is checked.
    """
    rules = rules_of(chunk.language)
    declared = {fact.type: fact for fact in chunk.contract if fact.role == "declare" and fact.type}
    found: list[Mismatch] = []
    leaving: dict[str, frozenset[str]] = {}
    for fact in chunk.contract:
        if fact.role not in ("raise", "propagate") or not fact.type or fact.handled or fact.type in leaving:
            continue
        if rules.checked and fact.role == "propagate" and fact.via is None:
            continue  # what is thrown again is no more than what came: the compiler knows better than its handler's type
        kinds = leaving[fact.type] = kinds_of(fact.type)
        if not kinds.isdisjoint(declared):
            continue
        own = fact.role == "raise"
        if (rules.checked and kinds & rules.roots and kinds.isdisjoint(rules.unchecked)) or (
            not rules.checked and own and any(other.source == "doc" for other in declared.values())
        ):
            found.append(Mismatch("undeclared", fact.type, fact.line, fact.via))
    if rules.checked and _is_closed(chunk):
        for kind, fact in declared.items():
            if fact.source == "code" and not any(kind in kinds for kinds in leaving.values()):
                found.append(Mismatch("never raised", kind, fact.line))
    return tuple(found)


def _is_closed(chunk: Chunk) -> bool:
    """Tell whether everything that a chunk runs is known."""
    if OPEN.intersection(chunk.modifiers) or not (
        chunk.calls or any(fact.role != "declare" for fact in chunk.contract)
    ):
        return False
    return all(call.certainty == "resolved" and not call.candidates for call in chunk.calls)
