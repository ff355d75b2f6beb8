"""Chunk notebooks by cell: code cells together are one program of the kernel's language, lines are those of the file."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from codemem.languages import LanguageRow, language_table
from codemem.parse.blocks import renumbered
from codemem.parse.chunks import Draft
from codemem.parse.grammar import Analysis, analyse, assemble
from codemem.parse.lines import runs
from codemem.parse.nest import MODULE_NAME
from codemem.parse.plain import parse_plain
from codemem.types import Chunk, ParsedFile, Problem, SourceFile

MAGIC = ("%", "!")
"""Lines that begin so are commands to the notebook and no code of the language."""


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
    parsed = assemble(source, _analyse(cells, document), lines)
    taken: set[int] = set()
    chunks = tuple(_moved(chunk, rows, taken) for chunk in parsed.chunks)
    imports = tuple(each._replace(line=rows[each.line - 1] + 1) for each in parsed.imports)
    total = source.content.count("\n") + (not source.content.endswith("\n"))
    return replace(parsed, chunks=chunks, imports=imports, lines=total)


def _analyse(cells: Sequence[Cell], document: dict[str, Any]) -> Analysis:
    """Analyse the code of all cells as one text and give each cell what stands in it."""
    row = _kernel(document)
    text = "\n".join(_code(line, cell) for cell in cells for line in cell.lines)
    empty = Draft("module", "", MODULE_NAME, 0, 0, loose=True)
    program = analyse(text, row) if row is not None else Analysis(empty, [])
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


def _code(line: str, cell: Cell) -> str:
    return line if cell.code and not line.lstrip().startswith(MAGIC) else ""


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
        source = cell["source"]
        strings = source.splitlines(keepends=True) if isinstance(source, str) else list(source)
        key = content.find('"source"', position)
        position = key if key >= 0 else position
        row = content.count("\n", 0, position)
        lines: list[str] = []
        rows: list[int] = []
        for string in strings:
            found = max(content.find(_quoted(string, ascii), position) for ascii in (False, True))
            if found >= 0:
                row += content.count("\n", position, found)
                position = found
            for line in string.removesuffix("\n").split("\n"):
                lines.append(line)
                rows.append(row)
        if any(line.strip() for line in lines):
            yield Cell(number, cell["cell_type"] == "code", tuple(lines), tuple(rows))


def _quoted(text: str, ascii_only: bool) -> str:
    return json.dumps(text, ensure_ascii=ascii_only)


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
