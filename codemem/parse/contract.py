"""State error captures and documentation tags as facts with normalised types."""

from __future__ import annotations

import re

from codemem.parse.doctags import documented_errors
from codemem.parse.filefacts import FileFacts
from codemem.parse.handlers import EVERYTHING, ScopeKey, caught_types
from codemem.parse.names import (
    bound_type,
    caught_type,
    raised_type,
    returned_errors,
    split_types,
)
from codemem.parse.nest import Definition
from codemem.parse.nodes import FACT_CAP, one_line
from codemem.parse.records import RawFact
from codemem.types import ErrorFact, ErrorRole

TYPE_PARAMETER = re.compile(r"[A-Z]{1,2}\d?$")
"""How type parameters are written: `throw (E) error` names no type."""


def contract_of(definition: Definition, facts: FileFacts, numbers: dict[ScopeKey, int]) -> list[ErrorFact]:
    """State the error captures as facts with normalised types, in source order."""
    found: list[ErrorFact] = []
    for raw, context in definition.facts:
        guards = facts.guards.around(context.guards, numbers)
        line = facts.line(raw.start)
        handler = facts.rethrown.get(id(raw))
        role: ErrorRole
        if handler is not None:
            role = "propagate"
            some = facts.captures.passes.get((raw.start, raw.end), ()) if handler.passed else ()
            names = [name for text in some for name in split_types(text)] or caught_types(handler)
            types = tuple("" if name == EVERYTHING else caught_type(name) for name in names)
        else:
            role = raw.role  # type: ignore[assignment]
            types = _fact_types(raw, definition, facts)
        found.extend(ErrorFact(role, name, raw.text, line, "code", None, guards) for name in types)
    return found


def _fact_types(raw: RawFact, definition: Definition, facts: FileFacts) -> tuple[str, ...]:
    aliases = facts.row.error_types
    if raw.role == "catch" and raw.start == raw.end:
        return ("",)
    if raw.role in ("catch", "declare"):
        return tuple(aliases.get(each) or caught_type(each) for each in split_types(raw.text)) or ("",)
    if raw.role == "return":
        return returned_errors(raw.text, aliases)
    if raw.role == "raise":
        name = raised_type(raw.text, aliases, facts.functions, facts.known)
        name = name or _variable_type(raw, definition)
        parameter = TYPE_PARAMETER.match(name) and name not in facts.known
        return ("" if parameter and not raw.text[:1].isupper() and f"{name}(" not in raw.text else name,)
    return (aliases.get(raw.text, ""),)


def _variable_type(raw: RawFact, definition: Definition) -> str:
    """Return the type of a raised variable that was assigned before in the same definition."""
    before = [
        each
        for each in definition.bindings
        if each.name == raw.text and each.start < raw.start and each.type[:1] != "="
    ]
    return bound_type(max(before, key=lambda each: each.start).type).rpartition(".")[2] if before else ""


def documented(doc: str, docs: list[tuple[int, int]], facts: FileFacts) -> list[ErrorFact]:
    """State what the documentation says about failing; lines are found again in the source text."""
    found = []
    text = facts.text(docs[0][0], docs[-1][1])
    first = facts.line(docs[0][0])
    for tag in documented_errors(doc):
        at = text.find(tag.text.split("  ")[0][:40])
        line = first + (text.count("\n", 0, at) if at >= 0 else 0)
        found.append(ErrorFact("declare", tag.type, one_line(tag.text, FACT_CAP), line, "doc"))
    return found
