"""Find the comments that document a definition and strip the comment markers of every family."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

from codemem.parse.lines import LineTable
from codemem.parse.records import Captures

FIRST_LINE = 200
"""Characters of a comment in which a directive to a tool shows."""
DOC_CAP = 3_000
"""Characters of documentation kept with a definition; the rest stays searchable in the chunk's own lines."""

OPENING = re.compile(r"\s*(?:/\*[*!]*<?|\(\*+|\{-\s*\|?|<!--|[rRuUbBfF]{0,2}(?:\"\"\"|''')|@?\"\"\")")
DOC_WORD = re.compile(r"@\w*doc\s+(?:~[sS])?(?=[\"'])")
"""The word before a documentation string that is an attribute."""
CLOSING = re.compile(r"(?:\*+/|\*+\)|-\}|-->|\"\"\"|''')\s*$")
LINE_MARKER = re.compile(r"\s*(?:///?/*[!<]?|#+!?|--+\s?[|^]?|;+|%+|\*(?!\*)(?=\s|$))(?: |$|(?=\S))")
BLOCK_MARKER = re.compile(r"\s*\*(?!\*)(?: |$|(?=\S))")
QUOTED = re.compile(r"^[rRuUbBfF]{0,2}([\"'])(.*)\1$", re.DOTALL)
DECORATION = re.compile(r"[\W_]*$")

XML_REFERENCE = re.compile(r"<(?:see|seealso|paramref|typeparamref)\s+\w+\s*=\s*\"(?:[A-Z]:)?([^\"]{1,200})\"\s*/>")
XML_TAG = re.compile(
    r"</?(?:summary|remarks|para|param|typeparam|returns|value|exception|example|code|c|list|item|term|description|inheritdoc)"
    r"\b[^<>]{0,200}>"
)
LICENCE = re.compile(
    r"copyright|licen[cs]e|all rights reserved|spdx-|redistribut|permission is hereby|warranty|©", re.IGNORECASE
)
NOISE = re.compile(
    r"^#!|-\*-.*-\*-|^\W*(?:vim?:|eslint|jshint|tslint|prettier|pylint|mypy:|ruff:|noqa|flake8|rubocop|frozen_string_literal|"
    r"global |coding[:=]|@ts-|@flow|go:build|\+build|clang-format|fmt:|isort:|type:)",
    re.IGNORECASE,
)
DIRECTIVE = re.compile(
    r"^#!|^\W*-\*-.*-\*-|^\W*(?:vim?: |ex: |coding[:=]|frozen_string_literal:|eslint-|stylelint-|biome-ignore|deno-lint-ignore"
    r"|tslint:|jshint \w+:|prettier-ignore|pylint:|mypy:|pyright:|ruff:|noqa\b|flake8:|isort:|type: ignore|pragma: no cover"
    r"|rubocop:|@ts-(?:ignore|expect-error|nocheck|check)|go:\w+|\+build |nolint\b|nosec\b|NOSONAR\b|NOLINT"
    r"|clang-format (?:on|off)|fmt: (?:on|off|skip)|(?:istanbul|c8|v8) ignore|swiftlint:|ktlint-|@formatter:|noinspection "
    r"|phpcs:|@?phpstan-ignore|@?psalm-suppress|shellcheck \w+=)"
)
"""What a comment tells a tool and no reader; unlike at the head of a file only what nobody writes in prose."""
GENERATED = re.compile(
    r"code generated .{0,80}do not edit|@generated\b|<auto-?generated|(?:automatically|auto-?) ?generated (?:by|from|file)|"
    r"this file (?:is|was) (?:automatically |auto-?)?generated|do not edit (?:this file|by hand|manually)",
    re.IGNORECASE,
)


class Surroundings:
    """Comments and attributes of a file by position, to look up what stands directly above a definition."""

    __slots__ = ("_data", "_lines", "_own_line", "_ranges", "_starts", "comments")

    def __init__(self, captures: Captures, data: bytes, lines: LineTable) -> None:
        self._data = data
        self._lines = lines
        self.comments = sorted(captures.comments)
        comments = captures.comments
        self._ranges = _outermost(sorted(comments | captures.attributes, key=lambda each: (each[0], -each[1])))
        self._starts = [start for start, _ in self._ranges]
        self._own_line = comments

    def above(self, start: int, floor: int = 0) -> tuple[int, list[tuple[int, int]]]:
        """Return where the definition at `start` begins with what is attached to it from `floor` on, and its comments in order."""
        row = self._lines.row(start)
        first, found = start, []
        index = bisect_left(self._starts, start) - 1
        while index >= 0:
            begin, end = self._ranges[index]
            last_row = self._lines.row(max(begin, end - 1))
            if last_row < row - 1 or begin < floor:
                break
            line = self._lines.start(first)
            if (
                end <= first
                and self._begins_line(begin)
                and not self._data[end : line if end <= line else first].strip()
            ):
                row, first = self._lines.row(begin), begin
                if (begin, end) in self._own_line:
                    found.append((begin, end))
            elif last_row < row:
                break
            index -= 1
        return first, found[::-1]

    def within(self, start: int, end: int) -> list[tuple[int, int]]:
        """Return the outermost comments and attributes that begin inside a byte range."""
        return self._ranges[bisect_left(self._starts, start) : bisect_left(self._starts, end)]

    def _begins_line(self, begin: int) -> bool:
        return self._lines.begins(begin)


def _outermost(ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Drop ranges inside others: comments and annotations within an annotation."""
    kept: list[tuple[int, int]] = []
    for each in ranges:
        if not kept or each[0] >= kept[-1][1]:
            kept.append(each)
    return kept


def clean_comment(text: str) -> str:
    """Strip comment markers and quotes; keep the lines and their relative indentation."""
    text = DOC_WORD.sub("", text)
    quoted = QUOTED.match(text)
    if quoted and not text.lstrip("rRuUbBfF").startswith(('"""', "'''")):
        return quoted.group(2).strip()
    opening = OPENING.match(text)
    if opening:
        body = CLOSING.sub("", text[opening.end() :])
        lines = body.split("\n")
        marker = BLOCK_MARKER
        if not all(not line.strip() or marker.match(line) for line in lines[1:]):
            return _dedent(lines)
        lines = [lines[0].lstrip(), *(_unmark(marker, line) for line in lines[1:])]
        return _dedent(lines)
    return _dedent([_unmark(LINE_MARKER, line) for line in text.split("\n")])


def clean_doc(parts: Sequence[str]) -> str:
    """Join cleaned comments; directives to tools and lines of mere decoration go, except underlines of headings."""
    lines: list[str] = []
    for part in parts:
        if not DIRECTIVE.search(part[:FIRST_LINE].split("\n", 1)[0]):
            lines.extend(clean_comment(part).split("\n"))
    kept = [
        line.rstrip()
        for index, line in enumerate(lines)
        if not (line.strip() and DECORATION.match(line)) or (index > 0 and lines[index - 1].strip() and len(lines) > 2)
    ]
    return "\n".join(kept).strip("\n").strip()[:DOC_CAP]


def without_markup(doc: str) -> str:
    """Strip XML documentation tags; a reference becomes the name it refers to."""
    if "<" not in doc:
        return doc
    text = XML_TAG.sub("", XML_REFERENCE.sub(r"\1", doc))
    return "\n".join(line.rstrip() for line in text.split("\n")).strip()


def head_documentation(surroundings: Surroundings, data: bytes, lines: LineTable, limit: int) -> str:
    """Return the first comment block before byte `limit` that is neither a licence nor directives."""
    block: list[str] = []
    last_row = -2
    for start, end in [*surroundings.comments, (len(data) + 2, len(data) + 2)]:
        if start < len(data) and not lines.begins(start):
            continue  # it speaks of the code before it on its line
        row = lines.row(start) if start <= len(data) else last_row + 9
        if block and row > last_row + 1:
            if not LICENCE.search("\n".join(block)) and (found := clean_doc(block)):
                return found
            block = []
        if start >= limit:
            break
        text = data[start:end].decode("utf-8", "replace").strip()
        if not NOISE.search(text[:FIRST_LINE].split("\n", 1)[0]):
            block.append(text)
        last_row = lines.row(max(start, end - 1))
    return ""


def is_generated(head: str) -> bool:
    """Tell whether the head of a file says that a tool wrote it."""
    return GENERATED.search(head) is not None


def _unmark(marker: re.Pattern[str], line: str) -> str:
    found = marker.match(line)
    return line[found.end() :] if found else line


def _dedent(lines: list[str]) -> str:
    """Remove the common indentation of all lines but the first."""
    indents = [len(line) - len(line.lstrip()) for line in lines[1:] if line.strip()]
    indent = min(indents, default=0)
    return "\n".join([lines[0].strip(), *(line[indent:].rstrip() for line in lines[1:])]).strip("\n")
