"""Columns of text."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence


def table_text(rows: Sequence[Sequence[str]], header: Sequence[str] = (), gap: str = "  ") -> str:
    """Align rows in columns as wide as their widest cell; the last column is not padded."""
    lines = [list(header), *map(list, rows)] if header else [list(row) for row in rows]
    if not lines:
        return ""
    widths = [
        max(cell_width(row[column]) for row in lines if column < len(row)) for column in range(max(map(len, lines)))
    ]
    return "\n".join(
        gap.join(
            cell + " " * (widths[column] - cell_width(cell)) if column < len(row) - 1 else cell
            for column, cell in enumerate(row)
        ).rstrip()
        for row in lines
    )


def cell_width(text: str) -> int:
    """Return how many terminal cells `text` takes: wide characters two, combining ones none."""
    if text.isascii():
        return len(text)
    return sum(character_width(character) for character in text)


def character_width(character: str) -> int:
    """Return the cells of one character."""
    if unicodedata.combining(character) or character == "\u200d" or "\ufe00" <= character <= "\ufe0f":
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def cut_width(text: str, width: int) -> str:
    """Cut `text` to `width` cells, the last of them an ellipsis when something is left out."""
    return text if cell_width(text) <= width else take_width(text, width - 1) + "…"


def take_width(text: str, width: int) -> str:
    """Return the longest beginning of `text` that fits `width` cells."""
    if text.isascii():
        return text[: max(width, 0)]
    used = 0
    for position, character in enumerate(text):
        used += character_width(character)
        if used > width:
            return text[:position]
    return text
