"""Chunk text that has no structure: pieces of about one screen, cut at blank and least indented lines."""

from __future__ import annotations

import re

from codemem.languages import LanguageRow
from codemem.parse.chunks import Draft, Place, finish
from codemem.parse.lines import split_lines
from codemem.types import ParsedFile, Problem, SourceFile

LINES_NAME = "<lines>"
"""Qualified name of the pieces of a file without definitions."""


def parse_plain(source: SourceFile, row: LanguageRow, problems: tuple[Problem, ...] = ()) -> ParsedFile:
    """Cut a file into pieces of lines."""
    lines = split_lines(source.content)
    whole = Draft("lines", "", LINES_NAME, 0, max(0, len(lines) - 1), loose=True)
    found = re.search(row.package, source.content, re.MULTILINE) if row.package else None
    package = found[1] if found else ""
    chunks, long_lines = finish(whole, [], Place(source, package, lines, frozenset()))
    return ParsedFile(
        path=source.path,
        language=source.language,
        sha=source.sha,
        lines=len(lines),
        chunks=chunks,
        package=package,
        problems=(*problems, *long_lines),
    )
