"""Make chunks of described definitions: lines, pieces, ordinals and hashes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b

from codemem.parse.lines import LEAF_CAP, LOOSE_PIECE, PIECE, cut, runs
from codemem.parse.units import Extent, own_rows
from codemem.types import Binding, Call, Chunk, ErrorFact, Problem, SourceFile

HEADER_CAP = 300
"""Characters of the header line that every piece of a long definition begins with."""
HASH_BYTES = 16
"""128 bits: no collisions among all chunks anyone will ever index."""
WORD = re.compile(r"\w+")
INTERFACE_ROLES = frozenset(("declare", "raise", "panic", "return"))
"""Facts that callers see; what is handled or passed on inside is body."""


@dataclass(slots=True)
class Draft:
    """A chunk before its lines are known; `first`, `last` and `header` are 0-based rows."""

    kind: str
    name: str
    qualified_name: str
    first: int
    last: int
    names: tuple[str, ...] = ()
    parent: str = ""
    start: int = 0
    header: int = 0
    signature: str = ""
    doc: str = ""
    parameters: int | None = None
    parameters_required: int | None = None
    result: str = ""
    calls: tuple[Call, ...] = ()
    contract: tuple[ErrorFact, ...] = ()
    extends: tuple[str, ...] = ()
    bindings: tuple[Binding, ...] = ()
    modifiers: tuple[str, ...] = ()
    partial: bool = False
    own: str = ""
    """Its source text when it stands on one line, which it may share."""
    up: int = -1
    """Index of the draft around it, -1 for none."""
    loose: bool = False
    """True for the rest of a file: its pieces have their own ranges and no header."""


@dataclass(frozen=True, slots=True)
class Place:
    """What all chunks of one file share."""

    source: SourceFile
    package: str
    lines: Sequence[str]
    broken: frozenset[int]


def finish(module: Draft, drafts: Sequence[Draft], place: Place) -> tuple[tuple[Chunk, ...], list[Problem]]:
    """Return the chunks of a file in source order; drafts come in source order, parents first."""
    extents = [Extent(draft.first, draft.last, draft.up, draft.kind) for draft in drafts]
    owned, left = own_rows(extents, place.lines)
    chunks: list[Chunk] = []
    ordinals: dict[str, int] = {}
    for draft, rows in zip(drafts, owned, strict=True):
        ordinal = ordinals.get(draft.qualified_name, 0)
        ordinals[draft.qualified_name] = ordinal + 1
        chunks.extend(_pieces(draft, ordinal, cut(rows, place.lines, LEAF_CAP, PIECE), place))
    if left or module.calls or module.contract:
        chunks.extend(_pieces(module, 0, cut(left, place.lines, LOOSE_PIECE, LOOSE_PIECE), place))
    chunks.sort(key=lambda chunk: (chunk.start_line, -chunk.end_line, chunk.part, chunk.ordinal))
    problems = [
        Problem(place.source.path, "parse", f"line {row + 1} has {len(line):,} characters, {LEAF_CAP:,} are searchable")
        for row, line in enumerate(place.lines)
        if len(line) > LEAF_CAP
    ]
    return tuple(chunks), problems


def content_hash(lines: Sequence[str]) -> str:
    """Hash lines without common indentation, trailing blanks and blank lines, so that moving code changes nothing."""
    kept = [line.rstrip() for line in lines if line and not line.isspace()]
    if kept:
        indent = kept[0][: len(kept[0]) - len(kept[0].lstrip())]
        if indent:
            kept = [line.removeprefix(indent) for line in kept]
    return _digest("\n".join(kept))


def interface_hash(draft: Draft) -> str:
    """Hash signature and written contract without white space."""
    facts = sorted({f"{fact.role} {fact.type}" for fact in draft.contract if fact.role in INTERFACE_ROLES})
    return _digest("\n".join(["".join(draft.signature.split()), *draft.modifiers, *draft.extends, *facts]))


def _digest(text: str) -> str:
    return blake2b(text.encode("utf-8", "replace"), digest_size=HASH_BYTES).hexdigest()


def _names(draft: Draft, own: Sequence[str] | None) -> tuple[str, ...]:
    """Return the names that a piece defines: all for the first (`own` is None), else those that stand in its lines.

    A group of thousands of constants has many pieces: all names in each would be millions of words.
    """
    if own is None or len(draft.names) < 2:
        return draft.names or (draft.name,)
    words = set(WORD.findall("\n".join(own)))
    return tuple(name for name in draft.names if name in words) or (draft.name,)


def _pieces(draft: Draft, ordinal: int, pieces: list[list[int]], place: Place) -> list[Chunk]:
    """Make one chunk of each piece; the first carries what is known about the whole definition."""
    lines = place.lines
    loose = draft.loose
    header = "" if loose else lines[draft.header].strip()[:HEADER_CAP]
    interface = interface_hash(draft)
    found = []
    for part, rows in enumerate(pieces):
        own = [lines[row] for row in rows]
        text = "\n".join(own)
        if part and header:
            text = f"{header}\n{text}"
        whole = part == 0 and not loose
        first = draft.first if whole or not rows else rows[0]
        last = draft.last if whole or not rows else rows[-1]
        kind = draft.kind
        if loose and not place.broken.isdisjoint(rows):
            kind = "lines"
        found.append(
            Chunk(
                path=place.source.path,
                language=place.source.language,
                kind=kind,
                name=draft.name,
                qualified_name=draft.qualified_name,
                ordinal=ordinal,
                start_line=first + 1,
                end_line=max(first, last) + 1,
                signature=draft.signature,
                doc=draft.doc if part == 0 else "",
                text=text[:LEAF_CAP],
                spans=runs(rows),
                package=place.package,
                parent=draft.parent,
                names=_names(draft, own if part else None),
                parameters=draft.parameters,
                parameters_required=draft.parameters_required,
                result=draft.result,
                calls=draft.calls if part == 0 else (),
                contract=draft.contract if part == 0 else (),
                extends=draft.extends,
                bindings=draft.bindings if part == 0 else (),
                modifiers=draft.modifiers,
                partial=draft.partial or kind == "lines",
                part=part,
                content_hash=content_hash(own or ([draft.own] if draft.own else lines[draft.first : draft.last + 1])),
                interface_hash=interface,
            )
        )
    return found
