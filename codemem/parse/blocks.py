"""Parse the script blocks of a markup file as their language; line numbers stay those of the file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from codemem.languages import LanguageRow, language_table
from codemem.parse.chunks import Draft
from codemem.parse.grammar import Analysis, analyse, assemble
from codemem.parse.lines import split_lines
from codemem.parse.nest import MODULE_NAME
from codemem.types import Call, ParsedFile, SourceFile

OPENING = re.compile(r"^[ \t]*<script\b([^>]{0,300})>", re.MULTILINE | re.IGNORECASE)
CLOSING = re.compile(r"</script\s{0,20}>", re.IGNORECASE)
LANG = re.compile(r"\blang\s*=\s*[\"']?([\w/-]+)")
HEAD_COMMENT = re.compile(r"\s*<!--(.*?)-->", re.DOTALL)


def parse_blocks(source: SourceFile, row: LanguageRow) -> ParsedFile:
    """Merge the analyses of all script blocks; template and styles are the rest of the file."""
    lines = split_lines(source.content)
    comment = HEAD_COMMENT.match(source.content)
    doc = " ".join(comment.group(1).split()) if comment else ""
    module = Draft("module", "", MODULE_NAME, 0, max(0, len(lines) - 1), doc=doc, loose=True)
    whole = Analysis(module, [])
    for block in _blocks(source.content, row):
        whole = _merge(whole, block)
    return assemble(source, whole, lines)


def _blocks(content: str, row: LanguageRow) -> Iterator[Analysis]:
    """Analyse each block with everything before it blanked line by line."""
    table = language_table()
    position = 0
    while (opening := OPENING.search(content, position)) and (closing := CLOSING.search(content, opening.end())):
        lang = LANG.search(opening.group(1))
        name = row.blocks.get(lang.group(1).lower() if lang else "", row.blocks[""])
        above = content.count("\n", 0, opening.end())
        yield analyse("\n" * above + content[opening.end() : closing.start()], table[name])
        position = closing.end()


def _merge(whole: Analysis, block: Analysis) -> Analysis:
    base = len(whole.drafts)
    for draft in block.drafts:
        draft.up = draft.up + base if draft.up >= 0 else -1
    module = whole.module
    module.doc = module.doc or block.module.doc
    module.calls = renumbered((*module.calls, *block.module.calls))
    module.contract = (*module.contract, *block.module.contract)
    module.bindings = (*module.bindings, *block.module.bindings)
    return replace(
        whole,
        drafts=[*whole.drafts, *block.drafts],
        imports=(*whole.imports, *block.imports),
        broken=(*whole.broken, *block.broken),
    )


def renumbered(calls: tuple[Call, ...]) -> tuple[Call, ...]:
    """Count the calls of joined blocks from 1."""
    return tuple(call._replace(order=index) for index, call in enumerate(calls, 1))
