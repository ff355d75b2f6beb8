"""Chunk prose by its headings: no grammar, because those for prose crash or hang on hostile nesting."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from codemem.languages import LanguageRow
from codemem.parse.chunks import Draft
from codemem.parse.grammar import Analysis, assemble
from codemem.parse.lines import block_ends, split_lines
from codemem.parse.nest import MODULE_NAME
from codemem.types import ParsedFile, SourceFile

JOINT = " > "
"""Between the headings of a section's path: dots and hashes stand in headings themselves."""
DEEPEST = 6
"""Levels of headings; more marks are no heading."""
SUMMARY_CAP = 400
"""Characters of a section's first paragraph that stand for its documentation."""
HEADING_CAP = 120

MARKUP = re.compile(r"!?\[([^\]\[]{0,200})\]\([^)]{0,300}\)|<[^<>]{1,200}>|[`*]|\{#[^}]{0,80}\}")
VERBATIM = ("```", "~~~")
NO_PROSE = ("[!", "[![", *VERBATIM)
"""Badges and the ends of code say nothing about a section."""
PROSE = re.compile(r"\s*[\w(\"'`*_\[]")


class Heading(NamedTuple):
    """A heading: its first row, the row where its section's text begins, its level from 1 and its text."""

    row: int
    text_row: int
    level: int
    title: str


def parse_headings(source: SourceFile, row: LanguageRow) -> ParsedFile:
    """Make one section of each heading, nested by level."""
    lines = split_lines(source.content)
    return assemble(source, analyse_headings(lines, row), lines)


def analyse_headings(lines: Sequence[str], row: LanguageRow) -> Analysis:
    """Find the sections of a text."""
    headings = list(_headings(lines, row))
    ends = block_ends([(heading.row, heading.level) for heading in headings], len(lines))
    drafts: list[Draft] = []
    stack: list[tuple[int, int]] = []
    for index, heading in enumerate(headings):
        while stack and stack[-1][0] >= heading.level:
            stack.pop()
        up = stack[-1][1] if stack else -1
        parent = drafts[up].qualified_name if up >= 0 else ""
        following = headings[index + 1].row if index + 1 < len(headings) else len(lines)
        drafts.append(
            Draft(
                kind="section",
                name=heading.title,
                qualified_name=parent + JOINT + heading.title if parent else heading.title,
                parent=parent,
                first=heading.row,
                last=_last_written(lines, heading.row, ends[index]),
                header=heading.row,
                signature=heading.title,
                doc=_first_paragraph(lines[heading.text_row : following]),
                up=up,
            )
        )
        stack.append((heading.level, len(drafts) - 1))
    first = headings[0].row if headings else len(lines)
    doc = _first_paragraph(lines[_after_front_matter(lines) : first])
    if drafts and not doc:
        doc = f"{drafts[0].name}: {drafts[0].doc}" if drafts[0].doc else drafts[0].name
    return Analysis(Draft("module", "", MODULE_NAME, 0, max(0, len(lines) - 1), doc=doc, loose=True), drafts)


def _headings(lines: Sequence[str], row: LanguageRow) -> Iterator[Heading]:
    """Yield the headings outside verbatim blocks and front matter."""
    ranks: dict[str, int] = {}
    fence = ""
    marked = re.compile(rf"({re.escape(row.heading_marks)}{{1,{DEEPEST}}})\s+(\S.*)") if row.heading_marks else None
    at = _after_front_matter(lines)
    while at < len(lines):
        line = lines[at]
        stripped = line.strip()
        if fence:
            if stripped.startswith(fence) and not stripped.strip(fence[0]):
                fence = ""
        elif opening := next((each for each in row.fences if stripped.startswith(each)), ""):
            fence = opening[0] * (len(stripped) - len(stripped.lstrip(opening[0])))
        elif marked and (found := marked.match(line)):
            title = _title(found.group(2).rstrip(row.heading_marks + " "))
            yield Heading(at, at + 1, len(found.group(1)), title or found.group(2).strip()[:HEADING_CAP])
        elif row.underlines and at + 1 < len(lines) and _underlines(line, lines[at + 1], row):
            mark = lines[at + 1].strip()[0]
            before = lines[at - 1].strip() if at else ""
            overlined = not row.heading_marks and before and before == before[0] * len(before) and before[0] == mark
            if overlined or not before:
                rank = ranks.setdefault(mark + ("^" if overlined else ""), len(ranks) + 1)
                level = row.underlines.index(mark) + 1 if row.heading_marks else min(rank, DEEPEST)
                yield Heading(at - 1 if overlined else at, at + 2, level, _title(line))
            at += 1
        at += 1


def _last_written(lines: Sequence[str], first: int, end: int) -> int:
    """Return the last row before `end` that is not blank."""
    last = end - 1
    while last > first and not lines[last].strip():
        last -= 1
    return last


def _underlines(line: str, following: str, row: LanguageRow) -> bool:
    """Tell whether `following` underlines `line` as a heading."""
    mark = following.strip()
    if len(mark) < 2 or mark[0] not in row.underlines or mark != mark[0] * len(mark) or following[:1].isspace():
        return False
    if not PROSE.match(line) or line[:1].isspace() or line.startswith(("- ", "* ", "> ", "|")):
        return False
    return bool(row.heading_marks) or len(mark) >= len(line.rstrip()) - 1


def _after_front_matter(lines: Sequence[str]) -> int:
    if lines and lines[0].rstrip() in ("---", "+++"):
        for at in range(1, len(lines)):
            if lines[at].rstrip() == lines[0].rstrip():
                return at + 1
    return 0


def _title(text: str) -> str:
    return " ".join(MARKUP.sub(r"\1", text[: 4 * HEADING_CAP]).split())[:HEADING_CAP].strip()


def _first_paragraph(lines: Sequence[str]) -> str:
    """Return the first paragraph of prose: no badges, tables, code or directives."""
    kept: list[str] = []
    verbatim = False
    for line in lines:
        stripped = line.strip()
        verbatim ^= stripped.startswith(VERBATIM)
        plain = not verbatim and bool(stripped) and PROSE.match(line) is not None and not stripped.startswith(NO_PROSE)
        if plain:
            kept.append(stripped)
        elif kept:
            break
    return " ".join(MARKUP.sub(r"\1", " ".join(kept)[: 4 * SUMMARY_CAP]).split())[:SUMMARY_CAP]
