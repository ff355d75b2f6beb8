"""Chunk indented key files by key path: no grammar, because that of YAML crashes on hostile nesting."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from codemem.languages import LanguageRow
from codemem.parse.chunks import Draft
from codemem.parse.comments import clean_doc
from codemem.parse.grammar import Analysis, assemble
from codemem.parse.lines import block_ends, split_lines
from codemem.parse.nest import MODULE_NAME
from codemem.types import Binding, ParsedFile, SourceFile

DEEPEST = 3
"""Levels of keys that are symbols: deeper ones are values of theirs."""
KEY_CAP = 80
KEY = re.compile(r"(\s*)(\"[^\"]{1,200}\"|'[^']{1,200}'|[\w.$/@*-][^:#\n]{0,200}?)\s*:(?=\s|$)(.*)")
STRING = re.compile(r"\"([^\"\n]*)\"")
MAXIMUM_PLACES = 12
"""Places kept of an alias or package: conditional exports name a few, more are variants."""
BLOCK_SCALAR = re.compile(r"\s*(?:[&!]\S+\s+)*[|>][-+0-9]*\s*(?:#.*)?$")


class Key(NamedTuple):
    """A key: its row, indentation and name; the boundary of a document has indentation -1."""

    row: int
    indent: int
    name: str


def parse_keys(source: SourceFile, row: LanguageRow) -> ParsedFile:
    """Make one field of each key down to the third level."""
    lines = split_lines(source.content)
    keys = list(_keys(lines))
    ends = block_ends([(key.row, key.indent) for key in keys], len(lines))
    drafts: list[Draft] = []
    stack: list[tuple[int, int]] = []
    for index, key in enumerate(keys):
        while stack and stack[-1][0] >= key.indent:
            stack.pop()
        if key.indent < 0:
            continue
        if len(stack) < DEEPEST:
            up = stack[-1][1] if stack else -1
            end = ends[index]
            drafts.append(_draft(key, lines, end, drafts[up].qualified_name if up >= 0 else "", up))
            stack.append((key.indent, len(drafts) - 1))
        else:
            stack.append((key.indent, stack[-1][1]))
    if row.links:
        _link(drafts, lines, row.links, source.path.rpartition("/")[2])
    module = Draft("module", "", MODULE_NAME, 0, max(0, len(lines) - 1), doc=_head(lines), loose=True)
    return assemble(source, Analysis(module, drafts), lines)


def _draft(key: Key, lines: Sequence[str], end: int, parent: str, up: int) -> Draft:
    """Describe one key with the comment above it."""
    first = key.row
    while first > 0 and lines[first - 1].lstrip().startswith("#"):
        first -= 1
    last = end - 1
    while last > key.row and (not lines[last].strip() or lines[last].lstrip().startswith(("#", "---"))):
        last -= 1
    return Draft(
        kind="field",
        name=key.name,
        qualified_name=f"{parent}.{key.name}" if parent else key.name,
        parent=parent,
        first=first,
        last=last,
        header=key.row,
        signature=lines[key.row].strip()[:KEY_CAP],
        doc=clean_doc([line.strip() for line in lines[first : key.row]]) if first < key.row else "",
        up=up,
    )


def _link(drafts: Sequence[Draft], lines: Sequence[str], links: Mapping[str, Any], base: str) -> None:
    """Bind package names and path aliases to the places that they stand for."""
    entries: list[str] = []
    package: Draft | None = None
    for draft in drafts:
        if draft.parent == links["aliases"] or draft.qualified_name == links["base"]:
            draft.bindings = (Binding(draft.name, "=" + " ".join(_strings(draft, lines)[:MAXIMUM_PLACES])),)
        elif base == links["file"] and draft.qualified_name == links["package"]:
            package = draft
        elif base == links["file"] and draft.qualified_name in links["entries"]:
            entries.extend(text for text in _strings(draft, lines) if "/" in text or "." in text)
    if package is not None and (name := next(iter(_strings(package, lines)), "")):
        package.names = (package.name, name)
        package.bindings = (Binding(name, "=" + " ".join(dict.fromkeys(entries[:MAXIMUM_PLACES]))),)


def _strings(draft: Draft, lines: Sequence[str]) -> list[str]:
    """Return the strings of a key's value."""
    text = "\n".join(lines[draft.header : draft.last + 1])
    found = KEY.match(text)
    return STRING.findall(text[found.end(2) :]) if found else []


def _keys(lines: Sequence[str]) -> Iterator[Key]:
    """Yield the keys of mappings, not those inside lists and block scalars."""
    skipped = -1
    for row, line in enumerate(lines):
        stripped = line.lstrip()
        if not stripped or stripped[0] == "#":
            continue
        indent = len(line) - len(stripped)
        if line.startswith(("---", "...")):
            skipped = -1
            yield Key(row, -1, "")
            continue
        if skipped >= 0 and indent > skipped:
            continue
        skipped = -1
        if stripped.startswith("- ") or stripped == "-":
            skipped = indent
            continue
        found = KEY.match(line)
        if found:
            yield Key(row, indent, found.group(2).strip("\"'")[:KEY_CAP])
            if BLOCK_SCALAR.match(found.group(3)):
                skipped = indent


def _head(lines: Sequence[str]) -> str:
    head = []
    for line in lines:
        if not line.startswith("#"):
            break
        head.append(line)
    return clean_doc(head) if head else ""
