"""Chunk records to rows and back: what is searched by has columns, the rest is one JSON list."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from codemem.types import Binding, Call, Chunk, ErrorFact, Guard

_call: Callable[[tuple[Any, ...]], Call] = partial(tuple.__new__, Call)
_fact: Callable[[tuple[Any, ...]], ErrorFact] = partial(tuple.__new__, ErrorFact)
_chunk: Callable[[tuple[Any, ...]], Chunk] = partial(tuple.__new__, Chunk)
"""Records from all their fields: there are millions, and the constructors with defaults take twice as long."""
_decode = json.JSONDecoder().raw_decode
UNRESOLVED = (None, "unresolved", (), "")
"""Target, certainty, candidates and module of a call as it was parsed."""
NO_SPANS = "-"
"""Spans of a chunk whose lines belong to the one around it; an empty text means start to end."""

CHUNK_COLUMNS = (
    "chunk.id, file.path, file.language, file.package, chunk.kind, chunk.name, chunk.names, chunk.qualified_name, "
    "chunk.ordinal, chunk.part, chunk.start_line, chunk.end_line, chunk.spans, chunk.signature, chunk.doc, chunk.parent, "
    "chunk.facts, chunk.partial, chunk.content_hash, chunk.interface_hash, chunk.file_id"
)


def read_json(text: str) -> Any:
    """Decode JSON as it is written here, without blanks around: three quarters of the time that `loads` takes."""
    try:
        value, end = _decode(text)
    except json.JSONDecodeError:
        end = -1
    return value if end == len(text) else json.loads(text)


def chunk_record(row: Sequence[Any], lines: Sequence[str] | None) -> Chunk:
    """Build a Chunk from a row of CHUNK_COLUMNS; `lines` are those of its file, None leaves the text out."""
    spans = _read_spans(row[12]) if row[12] else ((row[10], row[11]),)
    parameters, required, result, extends, bindings, modifiers, calls, facts, text_rule = read_json(row[16])
    return _chunk(
        (
            row[1], row[2], row[4], row[5], row[7], row[8], row[10], row[11], row[13], row[14],
            "" if lines is None else _text(spans, lines, text_rule),
            spans, row[3], row[15],
            tuple(row[6].split("\n")) if row[6] else (row[5],),
            parameters, required, result,
            tuple([_call((*call[:7], _read_guards(call[7]), *UNRESOLVED)) for call in calls]) if calls else (),
            tuple([_fact((*fact[:5], None, _read_guards(fact[5]), False)) for fact in facts]) if facts else (),
            tuple(extends),
            tuple([Binding(*binding) for binding in bindings]) if bindings else (),
            tuple(modifiers),
            bool(row[17]), row[9], row[18], row[19],
        )
    )  # fmt: skip


def chunk_row(chunk: Chunk, lines: Sequence[str]) -> tuple[object, ...]:
    """Return the values of a chunk's columns, without the file's id."""
    spans = "" if chunk.spans == ((chunk.start_line, chunk.end_line),) else _write_spans(chunk.spans)
    names = "" if chunk.names in ((), (chunk.name,)) else "\n".join(chunk.names)
    facts = (
        chunk.parameters,
        chunk.parameters_required,
        chunk.result,
        chunk.extends,
        [b if b.until else b[:3] for b in chunk.bindings],
        chunk.modifiers,
        [
            (c.callee, c.receiver, c.line, c.order, c.arguments, c.mark, c.repeat, _guard_rows(c.guards))
            for c in chunk.calls
        ],
        [(f.role, f.type, f.text, f.line, f.source, _guard_rows(f.guards)) for f in chunk.contract],
        _text_rule(chunk, lines),
    )
    return (
        chunk.kind, chunk.name, names, chunk.qualified_name, chunk.ordinal, chunk.part, chunk.start_line, chunk.end_line,
        spans, chunk.signature, chunk.doc, chunk.parent, json.dumps(facts, ensure_ascii=False, separators=(",", ":")),
        chunk.partial, chunk.content_hash, chunk.interface_hash,
    )  # fmt: skip


def _guard_rows(guards: tuple[Guard, ...]) -> list[tuple[tuple[str, ...], bool, int]]:
    return [(guard.types, guard.rethrows, guard.scope) for guard in guards]


def _read_guards(rows: list[list[Any]]) -> tuple[Guard, ...]:
    if not rows:
        return ()
    return tuple(Guard(tuple(types), rethrows, scope) for types, rethrows, scope in rows)


def _slice(spans: Iterable[tuple[int, int]], lines: Sequence[str]) -> str:
    return "\n".join("\n".join(lines[first - 1 : last]) for first, last in spans)


def _text_rule(chunk: Chunk, lines: Sequence[str]) -> tuple[str, int] | None:
    """Say how the text differs from the lines of its spans: what stands before them, and how many characters count."""
    sliced = _slice(chunk.spans, lines)
    if chunk.text == sliced:
        return None
    header, newline, rest = chunk.text.partition("\n")
    if chunk.part and sliced.startswith(rest):
        return header + newline, len(rest)
    return ("", len(chunk.text)) if sliced.startswith(chunk.text) else (chunk.text, 0)


def _text(spans: Iterable[tuple[int, int]], lines: Sequence[str], rule: list[Any] | None) -> str:
    sliced = _slice(spans, lines)
    return sliced if rule is None else rule[0] + sliced[: rule[1]]


def _write_spans(spans: tuple[tuple[int, int], ...]) -> str:
    return " ".join(f"{first}-{last}" for first, last in spans) or NO_SPANS


def _read_spans(text: str) -> tuple[tuple[int, int], ...]:
    if text == NO_SPANS:
        return ()
    return tuple((int(first), int(last)) for first, _, last in (part.partition("-") for part in text.split()))
