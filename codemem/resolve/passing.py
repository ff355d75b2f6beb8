"""Where errors are values: which calls of a chunk hand the callee's error on to the caller.

A call hands its error on when a propagation (`foo()?`, `return err` after it) belongs to it, when it is what the function
returns (`return foo()`, the last expression of a body), and not otherwise: an error that is neither is handled or dropped.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from codemem.resolve.errors import ErrorRules
from codemem.resolve.noise import is_noise
from codemem.types import Call, Chunk, ErrorFact, Guard

Lines = Callable[[int], str]
"""The text of a line of the file by its number."""
STATEMENT_ENDS = ";{}"
LONGEST_STATEMENT = 40
"""Lines looked through for the beginning of a statement."""
TRIED = re.compile(r"\btry\b(?![!?])|\basync\s+let\b")
"""What stands before a call that may fail; an asynchronous constant is tried where it is awaited."""
CONTINUES = (".", "?", ":", ")", "]", "&&", "||")
"""How a line begins that goes on with the one above, and (CONTINUED) how one ends that goes on below."""
CONTINUED = ("(", "[", ",", "=", "?", ":", "&&", "||", " return", " await", " try")


def passing_calls(chunk: Chunk, rules: ErrorRules, line_of: Lines) -> tuple[bool, ...]:
    """Tell for each call of the chunk whether errors of its callee go on to the chunk's callers."""
    if rules.tried:
        return tuple(_is_tried(call, chunk, line_of) for call in chunk.calls)
    if not rules.by_value:
        return (True,) * len(chunk.calls)
    passing = [any(guard.rethrows for guard in call.guards) for call in chunk.calls]
    for fact in chunk.contract:
        if fact.role == "propagate":
            for position in _calls_of(fact, chunk, line_of):
                passing[position] = True
    if chunk.calls and any(fact.role == "return" for fact in chunk.contract):
        # The lines of a small member belong to its type.
        text = chunk.text or "\n".join(line_of(row) for row in range(chunk.start_line, chunk.end_line + 1))
        for position in _returned(chunk, text, rules):
            passing[position] = True
    return tuple(passing)


def value_guards(chunk: Chunk, rules: ErrorRules, line_of: Lines) -> tuple[tuple[Guard, ...], ...]:
    """Return the guards around each call, with the tests of error values (`errors.Is`) added to the call they follow."""
    guards = [call.guards for call in chunk.calls]
    if rules.by_value:
        for fact in chunk.contract:
            if fact.role == "catch" and fact.type and fact.type not in rules.recovers:
                tested = re.search(rf"(\w+)\s*(?:,|==|!=)\s*&?{re.escape(fact.text)}", line_of(fact.line))
                for position in _sources(tested.group(1) if tested else "", fact.line, chunk, line_of):
                    if not guards[position]:
                        guards[position] = (Guard((fact.type,)),)
    return tuple(guards)


def _is_tried(call: Call, chunk: Chunk, line_of: Lines) -> bool:
    """Tell whether `try` stands before a call in its statement; it does not reach into the bodies of closures."""
    head = line_of(call.line)
    start = head.find(f"{call.callee}(")
    head = head[: start if start >= 0 else max(head.find(call.callee), 0)]
    for row in range(call.line, max(call.line - LONGEST_STATEMENT, chunk.start_line - 1), -1):
        if row < call.line:
            head = f"{line_of(row)}\n{head}"
        opened = _statement_start(head)
        if opened >= 0:
            return TRIED.search(head, opened) is not None
    return TRIED.search(head) is not None


def _statement_start(head: str) -> int:
    """Return where the statement begins that the text ends in, -1 when it begins above."""
    depth = 0
    for position in range(len(head) - 1, -1, -1):
        character = head[position]
        if character in ")]}":
            depth += 1
        elif character in "([{":
            if depth == 0 and character == "{":
                return position + 1
            depth = max(0, depth - 1)
        elif depth == 0 and character == ";":
            return position + 1
        elif depth == 0 and character == "\n":
            rest, before = head[position + 1 :].lstrip(), head[:position].rstrip()
            if rest and not rest.startswith(CONTINUES) and before and not before.endswith(CONTINUED):
                return position + 1
    return -1


def _calls_of(fact: ErrorFact, chunk: Chunk, line_of: Lines) -> list[int]:
    """Find the calls whose error a propagation hands on: the outermost one in its text, else those its variable is from."""
    if "(" in fact.text:
        inside = [
            position
            for position, call in enumerate(chunk.calls)
            if abs(call.line - fact.line) <= fact.text.count("\n") + 3 and f"{call.callee}(" in fact.text
        ]
        return inside[-1:]
    return _sources(fact.text, fact.line, chunk, line_of)


def _sources(name: str, line: int, chunk: Chunk, line_of: Lines) -> list[int]:
    """Find the calls that an error variable used on a line comes from.

    Upwards, each assignment counts until one that stands no deeper than any line on the way: that one ran in any case. A
    variable that is given (a parameter) comes from no call; one that is never assigned was caught from the call before.
    """
    found: list[int] = []
    seen = False
    lowest = _depth(line_of(line))
    declared = {each.line for each in chunk.bindings if each.name == name and _is_type(each.type)}
    assigned = _assignment(name)
    for row in range(line, chunk.start_line - 1, -1) if lowest is not None and name.isidentifier() else ():
        text = line_of(row)
        depth = _depth(text)
        if depth is None:
            continue
        match = assigned.search(text)
        if match is not None:
            seen = True
            if (position := _assigned_call(match.group(1), row, chunk, line_of)) is not None:
                found.append(position)
        lowest = min(lowest, depth) if lowest is not None else depth
        if depth <= lowest and (match is not None or row in declared):
            return found
    if seen:
        return found
    rethrown = any(guard.rethrows for call in chunk.calls if call.line <= line for guard in call.guards)
    position = _before(line, chunk, line_of, name) if not rethrown else None
    return [] if position is None else [position]


@lru_cache(maxsize=256)
def _assignment(name: str) -> re.Pattern[str]:
    """Match `name = …`, `name, other := …`, `Err(name) = …`, and what is assigned."""
    return re.compile(rf"(?<![\w.]){re.escape(name)}\b\)*(?:\s*,\s*[\w.]+)*\s*:?=(?![=>])(.*)")


def _assigned_call(expression: str, line: int, chunk: Chunk, line_of: Lines) -> int | None:
    """Find the call whose value an assignment on the line takes: the one that its right side begins with, else its last."""
    squeezed = "".join(expression.split())
    here = [position for position, call in enumerate(chunk.calls) if call.line == line]
    for position in here:
        call = chunk.calls[position]
        written = "".join(f"{call.receiver}.{call.callee}(".split()) if call.receiver else f"{call.callee}("
        if squeezed.startswith(written):
            return position
    value = expression.partition(";")[0]
    if value.strip() and "(" not in value:
        return None
    inside = [position for position in here if f"{chunk.calls[position].callee}(" in value]
    return inside[-1] if inside else _before(line + 1, chunk, line_of, "")


def _is_type(text: str) -> bool:
    """Tell whether a binding says its type, not what it is assigned from."""
    return bool(text) and text[0] != "=" and not text.endswith(")")


def _depth(text: str) -> int | None:
    """Return how far a line is indented, None when it is blank."""
    bare = text.lstrip()
    return len(text) - len(bare) if bare else None


def _before(line: int, chunk: Chunk, line_of: Lines, name: str) -> int | None:
    """Find the call that an error variable used on this line most likely comes from: on the line before it, else above."""
    found = None
    text = line_of(line)
    end = text.rfind(name) if name else 0
    for position, call in enumerate(chunk.calls):
        if (
            (call.line < line and not is_noise(chunk.language, call.callee, call.receiver))
            or (call.line == line and found is None)
            or (call.line == line and 0 <= text.find(f"{call.callee}(") < end)
        ):
            found = position
    return found


def _returned(chunk: Chunk, text: str, rules: ErrorRules) -> list[int]:
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
