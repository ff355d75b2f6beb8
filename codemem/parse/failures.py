"""What the captures of a file say of failing: errors raised and caught, handler clauses, what they let through."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from codemem.parse.nodes import FACT_CAP, Captured, one_line, source_text
from codemem.parse.records import ERROR, Captures, Handler, RawFact

if TYPE_CHECKING:
    pass


def take_fact(role: str) -> Callable[[Captures, Captured, bytes], None]:
    """Record what is captured as `@error.ROLE`."""

    def take(found: Captures, captures: Captured, data: bytes) -> None:
        for node in captures[ERROR + role]:
            key = (node.start_byte, node.end_byte, role)
            if key not in found.facts:
                found.facts[key] = RawFact(*key[:2], role, one_line(source_text(data, node), FACT_CAP))

    return take


def take_catch(found: Captures, captures: Captured, data: bytes) -> None:
    """Record a caught type that stands in no handler clause of its own."""
    if "error.handler" in captures:
        return
    variable = source_text(data, captures["error.variable"][0]) if "error.variable" in captures else ""
    for node in captures["error.catch"]:
        key = (node.start_byte, node.end_byte, "catch")
        if key not in found.facts:
            found.facts[key] = RawFact(*key, one_line(source_text(data, node), FACT_CAP), variable)


def take_handler(found: Captures, captures: Captured, data: bytes) -> None:
    """Record a handler clause; several matches of one clause add up."""
    node = captures["error.handler"][0]
    key = (node.start_byte, node.end_byte)
    handler = found.handlers.setdefault(key, Handler(*key))
    for scope in captures.get("error.scope", ()):
        if (scope.start_byte, scope.end_byte) not in handler.scopes:
            handler.scopes.append((scope.start_byte, scope.end_byte))
    if "error.variable" in captures:
        handler.variable = source_text(data, captures["error.variable"][0])
    handler.rethrows = handler.rethrows or "error.filter" in captures
    for caught in captures.get("error.catch", ()):
        text = one_line(source_text(data, caught), FACT_CAP)
        found.facts[(caught.start_byte, caught.end_byte, "catch")] = RawFact(
            caught.start_byte, caught.end_byte, "catch", text
        )
        if text not in handler.types:
            handler.types.append(text)


def take_comparison(role: str) -> Callable[[Captures, Captured, bytes], None]:
    """Record the types that a handler's variable is compared with to decide whether it is thrown again."""

    def take(found: Captures, captures: Captured, data: bytes) -> None:
        variable = source_text(data, captures["error.variable"][0])
        for node in captures["error." + role]:
            key = (node.start_byte, node.end_byte, role)
            found.facts[key] = RawFact(*key, one_line(source_text(data, node), FACT_CAP), variable)
        for node in captures.get("error.pass", ()):
            types = found.passes.setdefault((node.start_byte, node.end_byte), [])
            types.extend(source_text(data, each) for each in captures["error." + role])

    return take


def add_bare_handlers(found: Captures, data: bytes) -> None:
    """State a handler that names no type as a fact of its own: it catches everything."""
    for handler in found.handlers.values():
        if not handler.types:
            line = data[handler.start : handler.end].split(b"\n", 1)[0].decode("utf-8", "replace")
            key = (handler.start, handler.start, "catch")
            found.facts[key] = RawFact(*key, one_line(line, FACT_CAP))
