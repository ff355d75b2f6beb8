"""Read exception contracts from documentation: one parser for the tags of all languages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple


class DocTag(NamedTuple):
    """One documented failure: its type, the sentence and the line inside the documentation."""

    type: str
    text: str
    row: int


TYPE = r"[A-Za-z_][\w.:$\\]*[!?]?"
INLINE = (
    re.compile(rf"[@\\](?:throws?|exception|raises?)\s+[\[{{]?\s*\.?\\?({TYPE})[\]}}]?(.*)"),
    re.compile(rf":(?:raises?|except(?:ion)?|throws?)\s+({TYPE}(?:\s*,\s*{TYPE})*)\s*:(.*)"),
    re.compile(rf"<exception\s+cref\s*=\s*\"(?:[A-Z]:)?({TYPE})\"\s*/?>(.*)"),
)
TICKED = re.compile(r"`(?:\w+(?:::|\.))*([A-Z]\w*)[^`]{0,60}`")
FIELD = re.compile(r"\s*-\s+Throws:\s*(.*)")
"""Swift: `- Throws: ...` with the type in back ticks or none."""
SECTION = re.compile(r"\s*(?:#+\s*)?\**(Raises|Throws|Exceptions|Errors)\**\s*:?\s*$")
UNDERLINE = re.compile(r"\s*[-=~]{3,}\s*$")
ENTRY = re.compile(
    rf"\s*(?:[-*+]\s+)?[`:]*(?:(?:exc|class):`)?({TYPE}(?:\s*(?:,|or|\|)\s*{TYPE})*)`?\s*(?::|$|--?\s)(.*)"
)
HEADING = re.compile(r"\s*(?:#+\s+\S|\w[\w ]*:\s*$)")
PROSE = re.compile(r"\s*#+\s+(Errors|Panics)\s*$")


def documented_errors(doc: str) -> Iterator[DocTag]:
    """Yield the failures that a cleaned documentation text declares."""
    lines = doc.split("\n")
    for row, line in enumerate(lines):
        if "@" in line or ":" in line or "\\" in line or "<" in line:
            for pattern in INLINE:
                for found in pattern.finditer(line):
                    if pattern is not INLINE[0] or _looks_like_type(found.group(1)) or not found.group(1).isalpha():
                        yield from _tags(found.group(1), found.group(0), row)
        if field := FIELD.match(line):
            ticked = TICKED.search(line)
            yield DocTag(ticked.group(1) if ticked else "", " ".join(field.group(0).split()), row)
        if PROSE.match(line):
            yield from _prose(lines, row)
        elif SECTION.match(line):
            yield from _section(lines, row)


def _prose(lines: list[str], row: int) -> Iterator[DocTag]:
    """A Rust-style section names no type by rule: keep its first sentence and the first path in back ticks."""
    for at in range(row + 1, len(lines)):
        if lines[at].strip():
            found = TICKED.search(lines[at])
            yield DocTag(found.group(1) if found else "", " ".join(lines[at].split()), at)
            return


def _section(lines: list[str], row: int) -> Iterator[DocTag]:
    """Read the entries of a Google or numpy style section: only lines at the first entry's indentation."""
    at = row + 1
    underlined = at < len(lines) and UNDERLINE.match(lines[at]) is not None
    if underlined:
        at += 1
    elif not lines[row].rstrip().endswith(":") and "#" not in lines[row]:
        return
    outer = _indent(lines[row])
    first = -1
    for position in range(at, len(lines)):
        line = lines[position]
        if not line.strip():
            continue
        indent = _indent(line)
        if first < 0:
            if indent < outer or (indent == outer and not underlined):
                return
            first = indent
        if indent < first or (indent == first and HEADING.match(line) and not ENTRY.match(line)):
            return
        if underlined and position + 1 < len(lines) and UNDERLINE.match(lines[position + 1]):
            return
        found = ENTRY.match(line) if indent == first else None
        if found and _looks_like_type(found.group(1)):
            yield from _tags(found.group(1), line, position)


def _tags(names: str, text: str, row: int) -> Iterator[DocTag]:
    for name in re.split(r"\s*(?:,|\bor\b|\|)\s*", names):
        simple = re.split(r"[.:\\]", name.rstrip(".:!?"))[-1]
        if simple:
            yield DocTag(simple, " ".join(text.split()), row)


def _looks_like_type(text: str) -> bool:
    return any(part[:1].isupper() for part in re.split(r"[.\s,|]+", text))


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
