"""Which handlers stand around a call or raise, what they catch and whether they let it out again."""

from __future__ import annotations

from collections.abc import Collection, Sequence

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


def mark_rethrows(definitions: Sequence[Definition], passes: Collection[ScopeKey]) -> dict[int, Handler]:
    """Mark handlers that raise again; return for each such fact (by identity) the handler it comes from.

    What stands in `passes` is raised again for some types only, which the handler knows.
    """
    rethrown: dict[int, Handler] = {}
    for definition in definitions:
        for fact, context in definition.facts:
            if context.handlers and (handler := _rethrown_from(fact, context)) is not None:
                handler.rethrows = handler.rethrows or not (handler.passed and (fact.start, fact.end) in passes)
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
            Guard(*caught, numbers.setdefault(scope, len(numbers) + 1))
            for scope in scopes
            for handler in self._handlers[scope]
            for caught in _caught(handler)
        )


def _caught(handler: Handler) -> list[tuple[tuple[str, ...], bool]]:
    """Return what a handler catches and whether it lets it out again, the types that it tells apart first."""
    found = []
    if handler.passed:
        found.append((_simple(handler.passed), True))
    if handler.rethrows and handler.narrowed:
        found.append((_simple(handler.narrowed), False))
    if handler.rethrows and not handler.types and handler.narrowed:
        return found  # what is not told apart leaves without being caught
    return [*found, (caught_types(handler), handler.rethrows)]


def _simple(texts: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(caught_type(each) for text in texts for each in split_types(text)))


def _rethrown_from(fact: RawFact, context: Context) -> Handler | None:
    """Return the handler whose caught error the fact lets out: a bare re-raise, or a throw of its variable."""
    if fact.role == "propagate" and "(" not in fact.text and "?" not in fact.text:
        return context.handlers[0]
    if fact.role == "raise":
        for handler in context.handlers:
            if handler.variable and fact.text == handler.variable:
                return handler
    return None
