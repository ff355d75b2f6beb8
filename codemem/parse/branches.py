"""Keep one branch of conditional compilation where the branches only make sense one at a time.

`#if A / void f(int a) { / #else / void f() { / #endif` opens one body twice: no grammar can read both heads.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple

DIRECTIVE = re.compile(rb"^[ \t]*#[ \t]*(if|el|endif)[^\n]*", re.MULTILINE)
NOT_LINE_END = re.compile(rb"[^\n]")
LARGEST = 4_000
"""Bytes of a branch: what opens in it and closes after it is a head, not a page."""
OPENING, CLOSING = b"{", b"}"
LINKAGE = b"__cplusplus"
"""In a condition: what it holds is `extern "C" {` or its end, which is known elsewhere."""


class Mark(NamedTuple):
    """One directive and where it stands."""

    kind: bytes
    start: int
    end: int


def one_branch(data: bytes) -> bytes:
    """Blank the later branches of conditionals whose branches leave brackets open, close some, or are mere words."""
    if b"#" not in data:
        return data
    text = bytearray(data)
    stack: list[list[Mark]] = []
    for found in DIRECTIVE.finditer(data):
        mark = Mark(found.group(1), found.start(), found.end())
        if mark.kind == b"if":
            stack.append([mark])
        elif stack:
            stack[-1].append(mark)
            if mark.kind == b"endif":
                _settle(text, stack.pop())
    return bytes(text)


def _settle(text: bytearray, marks: list[Mark]) -> None:
    """Leave the first branch of one conditional alone when its branches are halves."""
    branches = [bytes(text[one.end : two.start]) for one, two in pairwise(marks)]
    if len(branches) == 1 and LINKAGE not in text[marks[0].start : marks[0].end] and _is_half(branches[0]):
        # `#ifdef A / if (a) { … } else { / #endif`: another conditional closes it, so both stay, without the directives.
        for mark in marks:
            text[mark.start : mark.end] = b" " * (mark.end - mark.start)
        return
    if len(branches) < 2 or max(map(len, branches)) > LARGEST:
        return
    left = {branch.count(OPENING) - branch.count(CLOSING) for branch in branches}
    if len(left) > 1 or (left == {0} and not all(map(_are_words, branches))):
        return
    start, end = marks[1].start, marks[-1].end
    for at, to in ((marks[0].start, marks[0].end), (start, end)):
        text[at:to] = NOT_LINE_END.sub(b" ", bytes(text[at:to]))


def _is_half(branch: bytes) -> bool:
    """Tell whether a branch that stands alone opens or closes more than it should."""
    return len(branch) <= LARGEST and branch.count(OPENING) != branch.count(CLOSING)


def _are_words(branch: bytes) -> bool:
    """Tell whether a branch only holds words of a declaration: `#if INTERNAL / internal / #else / public / #endif`."""
    words = branch.split()
    return bool(words) and all(word.replace(b"_", b"a").isalnum() for word in words)
