"""Give every line of a file to exactly one chunk: definitions own their lines, small ones stay in what is around them.

Rules, in order (rows are 0-based):

- A definition owns its lines, documentation and decorators included, minus those of definitions inside it that own theirs.
- Inside a container of at most `SMALL_CONTAINER` characters nothing owns lines: the container is one unit.
- Fields and constants of at most `SMALL_SYMBOL` characters own none: they stay with what is around them.
- A definition that begins on the first line of its container, or whose lines an earlier neighbour owns, owns what is left.
- Whatever is left belongs to the module. Blank lines at the edge of a run belong to nobody.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

SMALL_CONTAINER = 1_500
"""Characters up to which a container and its members are one unit (measured: RETRIEVAL.md)."""
SMALL_SYMBOL = 400
"""Characters below which a field or constant is no unit of its own: a line or two says nothing without its neighbours."""
SYMBOL_KINDS = frozenset(("block", "constant", "field", "macro"))


@dataclass(frozen=True, slots=True)
class Extent:
    """The rows of one definition, the index of the definition around it (-1 for the module), and its kind."""

    first: int
    last: int
    up: int
    kind: str


def own_rows(extents: Sequence[Extent], lines: Sequence[str]) -> tuple[list[list[int]], list[int]]:
    """Return the rows that each extent owns and those that are left; extents come in source order, parents first."""
    total = [0, *accumulate(len(line) + 1 for line in lines)]
    owner = [-1] * len(lines)
    units: list[int] = []
    """For each extent the index of the unit that holds it: itself when it owns lines."""
    for index, extent in enumerate(extents):
        around = units[extent.up] if extent.up >= 0 else -1
        first, last = extent.first, min(extent.last, len(lines) - 1)
        size = total[last + 1] - total[first] if first <= last else 0
        inside_small = extent.up >= 0 and _size(extents[extent.up], total) <= SMALL_CONTAINER
        tiny = extent.kind in SYMBOL_KINDS and size <= SMALL_SYMBOL
        header = around >= 0 and extents[around].first == first
        while first <= last and owner[first] != around:
            first += 1
        if inside_small or tiny or header or first > last:
            units.append(around)
            continue
        units.append(index)
        owner[first : last + 1] = [index] * (last + 1 - first)
    rows: list[list[int]] = [[] for _ in extents]
    left: list[int] = []
    for row, index in enumerate(owner):
        (rows[index] if index >= 0 else left).append(row)
    return [_without_blank_edges(each, lines) for each in rows], _without_blank_edges(left, lines)


def _size(extent: Extent, total: Sequence[int]) -> int:
    return total[min(extent.last + 1, len(total) - 1)] - total[extent.first]


def _without_blank_edges(rows: list[int], lines: Sequence[str]) -> list[int]:
    """Drop blank lines at the edges of every run of rows."""
    kept: list[int] = []
    blank: list[int] = []
    last = -2
    for row in rows:
        if row != last + 1:
            blank = []
        if lines[row].strip():
            if kept and blank and kept[-1] == blank[0] - 1:
                kept.extend(blank)
            blank = []
            kept.append(row)
        else:
            blank.append(row)
        last = row
    return kept
