"""Which handlers stand around a call or raise, what they catch and whether they let it out again."""

from __future__ import annotations

from collections.abc import Sequence

from codemem.parse.names import caught_type, split_types
from codemem.parse.nest import Context, Definition
from codemem.parse.records import Captures, Handler, RawFact
from codemem.types import Guard

EVERYTHING = "*"
"""The type of a handler that names none."""

ScopeKey = tuple[int, int]


def caught_types(handler: Handler) -> tuple[str, ...]:
    """Return the simple names of the types a handler catches, `*` when it names none."""
    names = [caught_type(each) for text in handler.types for each in split_types(text)]
    return tuple(dict.fromkeys(name for name in names if name)) or (EVERYTHING,)


def mark_rethrows(definitions: Sequence[Definition]) -> dict[int, Handler]:
    """Mark handlers that raise again; return for each such fact (by identity) the handler it comes from."""
    rethrown: dict[int, Handler] = {}
    for definition in definitions:
        for fact, context in definition.facts:
            if context.handlers and (handler := _rethrown_from(fact, context)) is not None:
                handler.rethrows = True
                rethrown[id(fact)] = handler
    return rethrown


class Guards:
    """Guard tuples by the scopes around a place, built once each."""

    def __init__(self, captures: Captures) -> None:
        self._handlers: dict[ScopeKey, list[Handler]] = {}
        for handler in sorted(captures.handlers.values(), key=lambda each: each.start):
            for scope in handler.scopes:
                self._handlers.setdefault(scope, []).append(handler)

    def around(self, scopes: tuple[ScopeKey, ...], numbers: dict[ScopeKey, int]) -> tuple[Guard, ...]:
        """Return the handlers of the given scopes, innermost first; `numbers` counts the scopes of one chunk."""
        if not scopes:
            return ()
        return tuple(
            Guard(*_caught(handler), numbers.setdefault(scope, len(numbers) + 1))
            for scope in scopes
            for handler in self._handlers[scope]
        )


def _caught(handler: Handler) -> tuple[tuple[str, ...], bool]:
    """Return what a handler keeps and whether it lets it out again.

    A handler without types that compares its variable and throws the rest again keeps the compared types.
    """
    if handler.rethrows and handler.narrowed and not handler.types:
        return tuple(dict.fromkeys(caught_type(text) for text in handler.narrowed)), False
    return caught_types(handler), handler.rethrows


def _rethrown_from(fact: RawFact, context: Context) -> Handler | None:
    """Return the handler whose caught error the fact lets out: a bare re-raise, or a throw of its variable."""
    if fact.role == "propagate" and "(" not in fact.text and "?" not in fact.text:
        return context.handlers[0]
    if fact.role == "raise":
        for handler in context.handlers:
            if handler.variable and fact.text == handler.variable:
                return handler
    return None
