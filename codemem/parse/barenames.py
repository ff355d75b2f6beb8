"""Calls that are written like variables (`refresh` in Ruby): a bare name is one when no variable around it has the name."""

from __future__ import annotations

from collections.abc import Sequence

from codemem.parse.nest import TYPE_KINDS, Definition
from codemem.parse.records import Captures, RawCall

LAST_PATTERN = 1 << 30
"""Number of a pattern behind all others: what the query itself takes for a call stays as it is."""


def add_bare_calls(found: Captures, data: bytes) -> None:
    """Make a call of each bare name that is no callee, no defined name and no variable where it is set."""
    taken = {call.callee_start for call in found.calls.values()}
    taken.update(found.sites, (start for start, _ in found.locals))
    for start, end in found.names:
        if start not in taken:
            callee = data[start:end].decode("utf-8", "replace")
            found.calls[(end, -start, start)] = RawCall(start, end, start, callee, None, None, LAST_PATTERN)


def drop_variables(definitions: Sequence[Definition], data: bytes) -> None:
    """Take bare names out of the calls of each definition that it, or a function around it, has a variable of."""
    variables: dict[int, set[str]] = {}
    for definition in definitions:
        own = variables.setdefault(id(definition), set())
        own.update(data[start:end].rstrip(b":").decode("utf-8", "replace") for start, end in definition.locals)
        if definition.name in own and (up := _function_around(definition)) is not None:
            variables.setdefault(id(up), set()).add(definition.name)  # a function that is the value of a variable
    for definition in definitions:  # what encloses comes first
        own = variables[id(definition)]
        if (up := _function_around(definition)) is not None and not up.module:
            own |= variables.get(id(up), set())
        definition.calls[:] = [
            (call, context)
            for call, context in definition.calls
            if call.pattern != LAST_PATTERN or call.callee not in own
        ]


def _function_around(definition: Definition) -> Definition | None:
    """Return the function, or the module, whose variables a definition sees."""
    up = definition.up
    while up is not None and up.scope:
        up = up.up
    return None if up is None or up.kind in TYPE_KINDS or definition.kind in TYPE_KINDS else up
