"""Lines of a file by byte offset, and the cutting of long runs of lines at the least indented places."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate

LEAF_CAP = 6_000
"""Characters up to which a definition stays whole: longer ones dilute their own words (measured: RETRIEVAL.md)."""
PIECE = 3_000
"""Characters a piece of a split definition aims at: half the cap, so that no tail is a scrap."""
LOOSE_PIECE = 1_500
"""Characters a piece of module code or plain text aims at: about one screen."""
SMALLEST_SHARE = 3
"""A piece holds at least a third of the size aimed at, so that a cut at a good line does not leave scraps."""


WRITTEN = re.compile(rb"[^ \t\r\f\v]")


class LineTable:
    """Byte offset to line (row, 0-based) by binary search."""

    __slots__ = ("_data", "starts")

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.starts = [0, *accumulate(len(line) + 1 for line in data.split(b"\n"))]
        self.starts.pop()

    def row(self, position: int) -> int:
        return bisect_right(self.starts, position) - 1

    def start(self, position: int) -> int:
        """Return the byte where the line of `position` starts."""
        return self.starts[bisect_right(self.starts, position) - 1]

    def begins(self, position: int) -> bool:
        """Tell whether only white space stands before `position` on its line."""
        written = WRITTEN.search(self._data, self.start(position))
        return written is None or written.start() >= position


def split_lines(content: str) -> list[str]:
    """Return the lines of a file; a final newline ends the last line and begins none."""
    lines = content.split("\n")
    if lines and not lines[-1]:
        lines.pop()
    return lines


def block_ends(starts: Sequence[tuple[int, int]], size: int) -> list[int]:
    """Return for each (row, level) the row of the next one that is not deeper, `size` when there is none."""
    ends = [size] * len(starts)
    open_: list[int] = []
    for index, (row, level) in enumerate(starts):
        while open_ and starts[open_[-1]][1] >= level:
            ends[open_.pop()] = row
        open_.append(index)
    return ends


def runs(rows: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """Return increasing 0-based rows as 1-based inclusive line ranges."""
    found: list[tuple[int, int]] = []
    for row in rows:
        if found and found[-1][1] == row:
            found[-1] = (found[-1][0], row + 1)
        else:
            found.append((row + 1, row + 1))
    return tuple(found)


def cut(rows: Sequence[int], lines: Sequence[str], cap: int, size: int) -> list[list[int]]:
    """Cut rows into pieces of about `size` characters when they exceed `cap`, before the least indented lines."""
    total = [0, *accumulate(len(lines[row]) + 1 for row in rows)]
    if total[-1] <= cap:
        return [list(rows)]
    weight = _weights(rows, lines)
    pieces: list[list[int]] = []
    first = 0
    for index in range(len(rows)):
        if total[index + 1] - total[first] > size and index > first:
            low = bisect_left(total, total[first] + size // SMALLEST_SHARE, first + 1, index)
            at = min(range(index, low - 1, -1), key=weight.__getitem__)
            pieces.append(list(rows[first:at]))
            first = at
    pieces.append(list(rows[first:]))
    return pieces


def _weights(rows: Sequence[int], lines: Sequence[str]) -> list[int]:
    """Say how bad a cut before each row is: gaps are best, then blank lines, then little indentation."""
    found = []
    for index, row in enumerate(rows):
        line = lines[row]
        stripped = line.lstrip()
        if index and rows[index - 1] != row - 1:
            found.append(-2)
        elif not stripped or stripped[0] in ")}]":
            found.append(1_000)
        else:
            indent = len(line) - len(stripped)
            before = index == 0 or not lines[rows[index - 1]].strip()
            found.append(2 * indent - (1 if before else 0))
    return found
