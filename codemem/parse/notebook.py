"""Chunk notebooks by cell: code cells together are one program of the kernel's language, lines are those of the file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, islice
from typing import Any

from codemem.languages import LanguageRow, language_table
from codemem.parse.blocks import renumbered
from codemem.parse.chunks import Draft
from codemem.parse.grammar import Analysis, analyse, assemble
from codemem.parse.lines import runs
from codemem.parse.nest import MODULE_NAME
from codemem.parse.plain import parse_plain
from codemem.types import Chunk, ParsedFile, Problem, SourceFile

COMMAND = re.compile(r"\s*(?:[%!]|\?{1,2}[\w.]+\s*$|[\w.]+\?{1,2}\s*$|[\w., ]+=\s*%\w)")
"""Lines that are commands to the notebook and no code of the language: magics, shell commands, questions for help."""
CELL_COMMAND = re.compile(r"%%(?!(?:capture|prun|time|timeit)\b)\w")
"""A cell that begins so holds text for another program; after the excepted words code of the language follows."""
SOURCE = re.compile(r'"source"\s*:\s*(?:\[\s*)?')
"""What stands before the first string of a cell's source."""
MOST_KEYS = 40
"""Keys of that name looked at for one cell: what its outputs may hold before it; more would make a hostile file slow."""
WINDOW = 10_000
"""Characters searched for the next line of a source: it follows at once unless one before it was escaped in an unusual way."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: its number from 1, whether it is code, its lines and the row of the file each stands on."""

    number: int
    code: bool
    lines: tuple[str, ...]
    rows: tuple[int, ...]


def parse_notebook(source: SourceFile, row: LanguageRow) -> ParsedFile:
    """Make one chunk of each cell with the definitions inside; outputs and metadata are not indexed."""
    try:
        document = json.loads(source.content)
        cells = list(_cells(document, source.content))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        problem = Problem(source.path, "parse", "not a notebook of version 4: indexed by lines")
        return parse_plain(source, row, (problem,))
    lines = [line for cell in cells for line in cell.lines]
    rows = [each for cell in cells for each in cell.rows]
    parsed = assemble(source, _analyse(cells, document), lines, rows)
    taken: set[int] = set()
    chunks = tuple(_moved(chunk, rows, taken) for chunk in parsed.chunks)
    imports = tuple(each._replace(line=rows[each.line - 1] + 1) for each in parsed.imports)
    total = source.content.count("\n") + (not source.content.endswith("\n"))
    return replace(parsed, chunks=chunks, imports=imports, lines=total)


def _analyse(cells: Sequence[Cell], document: dict[str, Any]) -> Analysis:
    """Analyse the code of all cells as one text and give each cell what stands in it."""
    row = _kernel(document)
    text = "\n".join(line for cell in cells for line in _code(cell))
    seams = tuple(accumulate(len(cell.lines) for cell in cells))
    empty = Draft("module", "", MODULE_NAME, 0, 0, loose=True)
    program = analyse(text, row, seams) if row is not None else Analysis(empty, [])
    module = program.module
    drafts: list[Draft] = []
    first = 0
    for cell in cells:
        last = first + len(cell.lines) - 1
        base = len(drafts)
        inside = range(first + 1, last + 2)
        name = f"cell {cell.number}"
        title = next((line.lstrip("# ").strip() for line in cell.lines if line.startswith("#")), "")
        drafts.append(
            Draft(
                kind="module" if cell.code else "section",
                name=name if cell.code else title or name,
                qualified_name=name,
                first=first,
                last=last,
                header=first,
                signature="" if cell.code else title,
                calls=renumbered(tuple(call for call in module.calls if call.line in inside)),
                contract=tuple(fact for fact in module.contract if fact.line in inside),
                bindings=tuple(each for each in module.bindings if each.line in inside),
            )
        )
        own = [draft for draft in program.drafts if first <= draft.first <= last]
        place = {id(draft): base + 1 + index for index, draft in enumerate(own)}
        for draft in own:
            up = place.get(id(program.drafts[draft.up])) if draft.up >= 0 else None
            draft.last = min(draft.last, last)
            drafts.append(replace(draft, up=base if up is None else up))
        first = last + 1
    doc = next((" ".join(" ".join(cell.lines).split())[:300] for cell in cells if not cell.code), "").lstrip("# ")
    return Analysis(replace(empty, doc=doc), drafts, program.imports, "", program.broken)


def _code(cell: Cell) -> Iterator[str]:
    """Yield the lines of a cell with those empty that are no code of the notebook's language."""
    begin = next((line for line in cell.lines if line.strip()), "")
    code = cell.code and not CELL_COMMAND.match(begin)
    return (line if code and not COMMAND.match(line) else "" for line in cell.lines)


def _kernel(document: dict[str, Any]) -> LanguageRow | None:
    """Return the row of the kernel's language."""
    table = language_table()
    metadata = document.get("metadata", {})
    named = [metadata.get("language_info", {}).get("name"), metadata.get("kernelspec", {}).get("language")]
    for name in (str(each).lower() for each in named if each):
        for row in table.values():
            if row.module and name in (row.name, row.shown.lower(), *row.shebangs):
                return row
    return None


def _cells(document: dict[str, Any], content: str) -> Iterator[Cell]:
    """Yield the cells, finding each source line again in the file, where notebooks keep one line per row."""
    position = 0
    for number, cell in enumerate(document["cells"], 1):
        source = cell.get("source")
        strings = [each for each in (source if isinstance(source, list) else [source]) if isinstance(each, str)]
        position = _source_at(content, strings[0] if strings else "", position)
        row = content.count("\n", 0, position)
        lines: list[str] = []
        rows: list[int] = []
        for string in strings:
            found, length = _found(content, string, position)
            if length:
                row += content.count("\n", position, found)
                position = found + length
            for line in string.removesuffix("\n").split("\n"):
                lines.append(line)
                rows.append(row)
        if any(line.strip() for line in lines):
            yield Cell(number, cell.get("cell_type") == "code", tuple(lines), tuple(rows))


def _source_at(content: str, first: str, position: int) -> int:
    """Return where the source begins that starts with the string `first`: outputs may have keys of that name too."""
    keys = list(islice(SOURCE.finditer(content, position), MOST_KEYS))
    for key in keys:
        if any(content.startswith(each, key.end()) for each in _spellings(first)):
            return key.end()
    return keys[0].end() if keys else position


def _found(content: str, string: str, position: int) -> tuple[int, int]:
    """Return where a string stands in the file, and how long it is there: 0 when it is written otherwise."""
    spellings = _spellings(string)
    written = [(content.find(each, position, position + len(each) + WINDOW), len(each)) for each in spellings]
    return min((each for each in written if each[0] >= 0), default=(position, 0))


def _spellings(string: str) -> set[str]:
    return {json.dumps(string, ensure_ascii=ascii_only) for ascii_only in (False, True)}


def _moved(chunk: Chunk, rows: Sequence[int], taken: set[int]) -> Chunk:
    """Move a chunk from the lines of the cells to those of the file; a row that holds several lines counts once."""
    own = sorted({rows[line - 1] for first, last in chunk.spans for line in range(first, last + 1)} - taken)
    taken.update(own)
    return chunk._replace(
        start_line=rows[chunk.start_line - 1] + 1,
        end_line=rows[chunk.end_line - 1] + 1,
        spans=runs(own),
        calls=tuple(call._replace(line=rows[call.line - 1] + 1) for call in chunk.calls),
        contract=tuple(fact._replace(line=rows[fact.line - 1] + 1) for fact in chunk.contract),
        bindings=tuple(each._replace(line=rows[each.line - 1] + 1) for each in chunk.bindings),
    )
