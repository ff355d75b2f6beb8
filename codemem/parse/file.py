"""Parse one file by the chunker of its language; bad source gives chunks and problems, never an exception."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from codemem.languages import LanguageRow, fallback_language, language_table
from codemem.parse.blocks import parse_blocks
from codemem.parse.grammar import parse_grammar, uncommented
from codemem.parse.headings import parse_headings
from codemem.parse.keys import parse_keys
from codemem.parse.notebook import parse_notebook
from codemem.parse.plain import parse_plain
from codemem.types import ParsedFile, Problem, SourceFile

Chunker = Callable[[SourceFile, LanguageRow], ParsedFile]

CHUNKERS: Mapping[str, Chunker] = {
    "blocks": parse_blocks,
    "grammar": parse_grammar,
    "headings": parse_headings,
    "keys": parse_keys,
    "lines": parse_plain,
    "notebook": parse_notebook,
}
"""What the `chunker` of a language row names."""


def parse_file(source: SourceFile) -> ParsedFile:
    """Return the chunks, imports and problems of one file."""
    table = language_table()
    row = table.get(source.language) or table[fallback_language()]
    try:
        return CHUNKERS[row.chunker](source, row)
    except (RecursionError, MemoryError, ValueError, OverflowError) as error:
        problem = Problem(source.path, "parse", f"fell back to lines: {type(error).__name__}: {error}")
        return parse_plain(source, row, (problem,))


def code_lines(content: str, language: str) -> list[str] | None:
    """Return the lines of a text without comments and documentation; None when its grammar cannot tell them apart."""
    row = language_table().get(language)
    if row is None or row.chunker != "grammar":
        return None
    try:
        return uncommented(content, row).split("\n")
    except (RecursionError, MemoryError, ValueError, OverflowError):
        return None
