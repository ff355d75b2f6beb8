"""Where errors are values: which calls of a chunk hand the callee's error on to the caller.

A call hands its error on when a propagation (`foo()?`, `return err` after it) belongs to it, when it is what the function
returns (`return foo()`, the last expression of a body), and not otherwise: an error that is neither is handled or dropped.
"""

from __future__ import annotations

import re

from codemem.resolve.errors import ErrorRules
from codemem.resolve.noise import is_noise
from codemem.types import Chunk, ErrorFact, Guard

STATEMENT_ENDS = ";{}"


def passing_calls(chunk: Chunk, rules: ErrorRules) -> tuple[bool, ...]:
    """Tell for each call of the chunk whether errors of its callee go on to the chunk's callers."""
    if not rules.by_value:
        return (True,) * len(chunk.calls)
    passing = [False] * len(chunk.calls)
    for fact in chunk.contract:
        if fact.role == "propagate" and (position := _call_of(fact, chunk)) is not None:
            passing[position] = True
    if chunk.text and any(fact.role == "return" for fact in chunk.contract):
        for position in _returned(chunk, rules):
            passing[position] = True
    return tuple(passing)


def value_guards(chunk: Chunk, rules: ErrorRules) -> tuple[tuple[Guard, ...], ...]:
    """Return the guards around each call, with the tests of error values (`errors.Is`) added to the call they follow."""
    guards = [call.guards for call in chunk.calls]
    if rules.by_value:
        for fact in chunk.contract:
            if fact.role == "catch" and fact.type and fact.type not in rules.recovers:
                position = _before(fact.line, chunk)
                if position is not None and not guards[position]:
                    guards[position] = (Guard((fact.type,)),)
    return tuple(guards)


def _call_of(fact: ErrorFact, chunk: Chunk) -> int | None:
    """Find the call whose error a propagation hands on: the outermost one in its text, else the nearest before it."""
    if "(" in fact.text:
        inside = [
            position
            for position, call in enumerate(chunk.calls)
            if abs(call.line - fact.line) <= fact.text.count("\n") + 3 and f"{call.callee}(" in fact.text
        ]
        return inside[-1] if inside else None
    return _before(fact.line, chunk)


def _before(line: int, chunk: Chunk) -> int | None:
    """Find the call that an error variable used on this line most likely comes from."""
    found = None
    for position, call in enumerate(chunk.calls):
        if (call.line < line and not is_noise(chunk.language, call.callee, call.receiver)) or (
            call.line == line and found is None
        ):
            found = position
    return found


def _returned(chunk: Chunk, rules: ErrorRules) -> list[int]:
    text = chunk.text
    squeezed = "".join(text.split())
    found = []
    ending = _last_expression(text) if rules.tail else ""
    for position, call in enumerate(chunk.calls):
        written = "".join(f"{call.receiver or ''}".split())
        starts = (
            [f"{written}{joint}{call.callee}(" for joint in (".", "::", "->", ":")] if written else [f"{call.callee}("]
        )
        handed = any(f"{word}{start}" in squeezed for word in rules.returns for start in starts)
        last = any(ending.startswith(start) for start in starts)
        if (handed or last) and not _converted(ending if last else "", rules):
            found.append(position)
    return found


def _last_expression(text: str) -> str:
    """Return the expression that ends a body, without blanks; empty when the body ends with a statement."""
    body = text.rstrip()
    if not body.endswith("}"):
        return ""
    body = body[:-1].rstrip()
    if body.endswith(";"):
        return ""
    depth = 0
    position = len(body)
    while position > 0:
        character = body[position - 1]
        if character in ")]":
            depth += 1
        elif character in "([":
            depth -= 1
        elif depth == 0 and character in STATEMENT_ENDS:
            break
        position -= 1
    return "".join(body[position:].split())


def _converted(expression: str, rules: ErrorRules) -> bool:
    return any(re.search(rf"\.{name}\(", expression) for name in rules.converts)
