"""Lines that fit the terminal: lists break between their items, prose between words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from codemem.render.table import cell_width, cut_width, take_width

SMALLEST_ROOM = 20
"""Cells below which breaking makes a text harder to read than the terminal does."""
BETWEEN_ITEMS = re.compile(r" (?=(?:→|->) )|(?<=,) (?![^()]*\))")
"""Before the arrow to the next call; behind a comma that stands in no parentheses."""
BETWEEN_REASONS = re.compile("(?<=;) ")


def hanging(head: str, text: str, width: int, most: int = 0, listed: bool = True) -> list[str]:
    """Write `text` behind `head` in lines of `width` cells, all but the first below its beginning; 0 never breaks.

    Of more than `most` lines the last ends in an ellipsis; 0 writes all. What is not `listed` is prose.
    """
    if not width:
        return [head + text]
    indent = cell_width(head)
    room = max(width - indent, SMALLEST_ROOM)
    lines = _lines(text, room, listed)
    if most and len(lines) > most:
        lines[most - 1 :] = [cut_width(" ".join(lines[most - 1 :]), room)]
    return [head + lines[0].rstrip(), *(" " * indent + line.rstrip() for line in lines[1:])]


def _lines(text: str, room: int, listed: bool) -> list[str]:
    lines = [""]
    for piece in _pieces(text, room, listed):
        joined = f"{lines[-1]} {piece}" if lines[-1] else piece
        if cell_width(joined) <= room:
            lines[-1] = joined
        else:
            lines.append(piece)
    return lines


def _pieces(text: str, room: int, listed: bool) -> Iterator[str]:
    """Yield what stays together: items that fit a line, reasons or words of those that do not, parts of longer words."""
    for breaks in (BETWEEN_ITEMS, BETWEEN_REASONS) if listed else ():
        parts = breaks.split(text)
        if len(parts) > 1:
            for part in parts:
                yield from _pieces(part, room, listed)
            return
        if cell_width(text) <= room:
            yield text
            return
    for word in text.split(" "):
        while cell_width(word) > room:
            part = take_width(word, room)
            yield part
            word = word[len(part) :]
        yield word
