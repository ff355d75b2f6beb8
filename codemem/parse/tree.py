"""The syntax tree of a text, and what it says of itself: how deep it is and where it is broken; lost parsers are stopped."""

from __future__ import annotations

import time
from functools import cache
from typing import TYPE_CHECKING

from codemem.languages import Grammar, load_grammar
from codemem.parse.capture import DEEPEST

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

SLICE = 256
"""Bytes handed to a parser at once. The binding (tree-sitter 0.25 and 0.26) never frees what it was handed, and a parser that
looks for a way through broken source reads the same places a thousand times (found by fuzzing: 120 MB for 30 KB of Lua). So
slices end at multiples of this and are handed out again: what is lost is the text once and the starts in between."""
CHARACTER = 3
"""Bytes that may follow the first one of a character."""
STEPS, STEPS_PER_BYTE = 500, 0.05
"""Steps a parser may report for a text. Real files need up to 0.013 a byte; a grammar that gets lost in broken source
(found by fuzzing Kotlin: 6 KB, no end) needs millions. Steps, not seconds: the same text falls back on every machine."""
READS, READS_PER_BYTE = 500_000, 2
"""Slices that a parser may ask for. Real files need a hundredth of one a byte; 60 KB of `é` in Dart asked for 14 million."""
PATIENCE_SECONDS, PATIENCE_PER_BYTE = 1.0, 10e-6
"""CPU time for a text in which single steps are slow (a scanner that reads on to the end from every blank line): twenty times
what the slowest grammar takes for real files."""
WIDEST_ERROR = 20_000
"""Children of one broken place: 140,000 take a query eight seconds, and a person's text breaks in smaller pieces."""

Broken = list[tuple[int, int]]
"""(start, end) of the places that a grammar cannot make sense of, sorted."""


def syntax_tree(name: str, data: bytes) -> Node:
    """Return the root of the text's syntax tree; raises ValueError when the parser gets lost or nothing holds together."""
    root = _parsed(name, data)
    if root.has_error:
        _refuse_rubble(root)
    return root


def depth_of(root: Node, data: bytes) -> int:
    """Probe how deep the tree is, in the middle of the text and of its longest line."""
    longest = max(data.split(b"\n"), key=len)
    depths = []
    for position in {len(data) // 2, data.find(longest) + len(longest) // 2}:
        cursor = root.walk()
        while cursor.goto_first_child_for_byte(position) is not None:
            pass
        depths.append(cursor.depth)
    return max(depths)


def broken_ranges(grammar: Grammar, root: Node) -> Broken:
    from tree_sitter import QueryCursor

    cursor = QueryCursor(grammar.errors)
    cursor.set_max_start_depth(DEEPEST)  # as for captures: without it, a deep tree takes quadratic time
    found = cursor.captures(root).get("error", [])
    return sorted({(node.start_byte, node.end_byte) for node in found})


def _parsed(name: str, data: bytes) -> Node:
    """Return the root of the syntax tree; raises ValueError when the parser gets lost in the text."""
    parser, left = _parser(name), STEPS + STEPS_PER_BYTE * len(data)
    end = time.process_time() + PATIENCE_SECONDS + PATIENCE_PER_BYTE * len(data)

    def lost(*_progress: object) -> bool:
        nonlocal left
        left -= 1
        return left < 0 or time.process_time() > end

    slices: dict[int, bytes] = {}
    reads = READS + READS_PER_BYTE * len(data)

    def read(at: int, _point: object) -> bytes:
        nonlocal reads, left
        reads -= 1
        if reads < 0:  # one step of the parser may read for minutes: to it, the text ends here
            left = 0
            return b""
        piece = slices.get(at)
        if piece is None:
            # A character that a slice cuts is asked for again from its first byte: then the slice must hold all of it.
            piece = slices[at] = data[at : (at + CHARACTER) // SLICE * SLICE + SLICE]
        return piece

    try:
        tree = parser.parse(read, progress_callback=lost)
    except ValueError:
        tree = None
    if tree is None or reads < 0:
        parser.reset()
        raise ValueError("the grammar found no end in this text")
    return tree.root_node


@cache
def _parser(name: str) -> Parser:
    from tree_sitter import Parser

    return Parser(load_grammar(name).language)


def _refuse_rubble(root: Node) -> None:
    """Raise ValueError when a broken place is so wide that walking over it takes quadratic time."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.is_error and node.child_count > WIDEST_ERROR:
            raise ValueError(f"{node.child_count:,} pieces that the grammar can make nothing of")
        waiting += [child for child in node.children if child.has_error]
