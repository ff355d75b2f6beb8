"""Blank what a grammar cannot know, byte for byte: positions stay true to the source."""

from __future__ import annotations

import re
from functools import cache

from codemem.languages import language_table
from codemem.parse.branches import one_branch

KEPT = "kept"
"""Name of a group of a row's `hidden` patterns that is only there to be referred to."""
MARKS = {"separator": (b";", b";"), "comma": (b",", b" "), "plain": (b"x", b"x")}
"""Names of groups that become something else than blanks: the first byte and the others."""
HIDDEN_ROUNDS = 4
"""How often a pattern runs: what it blanks can be what kept it from the next place (macros in a row)."""
NOT_LINE_END = re.compile(rb"[^\n]")


def without_hidden(name: str, data: bytes) -> bytes:
    """Blank what the grammar cannot know (attribute macros), byte for byte: positions stay true to the source."""
    if language_table()[name].conditionals:
        data = one_branch(data)
    for pattern in _hidden(name):
        for _ in range(HIDDEN_ROUNDS):
            before, data = data, pattern.sub(_blank, data)
            if data == before:
                break
    return data


@cache
def _hidden(name: str) -> tuple[re.Pattern[bytes], ...]:
    return tuple(re.compile(each.encode(), re.MULTILINE) for each in language_table()[name].hidden)


def _blank(found: re.Match[bytes]) -> bytes:
    """Put blanks, or separators for a group of that name, in place of what the groups found; line ends stay."""
    text = bytearray(found.group())
    named = {index: name for name, index in found.re.groupindex.items()}
    for index in range(1, found.re.groups + 1):
        start, end = found.span(index)
        if start >= 0 and named.get(index) != KEPT:
            first, other = MARKS.get(named.get(index, ""), (b" ", b" "))
            at = start - found.start()
            blank = NOT_LINE_END.sub(other, bytes(text[at : at + end - start]))
            text[at : at + end - start] = first + blank[1:] if first != other else blank
    return bytes(text)
