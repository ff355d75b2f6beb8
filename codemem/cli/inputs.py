"""Read what people pipe in or name as a file: UTF-8, or another Unicode encoding by its mark."""

from __future__ import annotations

import codecs
import sys
from pathlib import Path

from codemem.errors import BadInput

MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark is its beginning
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
LOOKED_AT = 1_000
"""Bytes at the beginning that tell UTF-16 without a mark: every other one is NUL in Latin text."""
MOST_IN_PLACE = 0.4
"""Share of NULs in one half of the places from which on it is UTF-16; text in UTF-8 has none at all."""


def decoded(data: bytes) -> str:
    """Return the text of some bytes; what is no Unicode becomes U+FFFD, and nothing is an error."""
    for mark, encoding in MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace")
    head = data[:LOOKED_AT]
    for first, encoding in ((1, "utf-16-le"), (0, "utf-16-be")):
        half = head[first::2]
        if half.count(0) > MOST_IN_PLACE * max(len(half), 1):
            return data.decode(encoding, "replace")
    return data.decode("utf-8", "replace")


def read_file(path: Path) -> str:
    """Read a text file that a person names."""
    return decoded(path.read_bytes())


def read_stdin(needed: bool = False) -> str:
    """Read what is piped in, whatever the locale says; with `needed` a terminal is an error instead of a wait."""
    if needed and sys.stdin.isatty():
        raise BadInput("nothing comes in on stdin", "pipe the text in, or give it as an argument")
    binary = getattr(sys.stdin, "buffer", None)
    return sys.stdin.read() if binary is None else decoded(binary.read())
