"""Definitions as text and JSON: the card with its code, candidates of an ambiguous name, outlines of files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from codemem.card import card_text, interface_card, own_calls
from codemem.render.documents import call_document, fact_document
from codemem.render.highlight import highlighted
from codemem.render.hits import FRAME
from codemem.render.safe import one_line, safe_text
from codemem.render.style import Style
from codemem.render.table import cell_width, cut_width, table_text
from codemem.render.wrap import hanging
from codemem.types import Chunk, ErrorFact

if TYPE_CHECKING:
    from codemem.resolve.mismatch import Mismatch
    from codemem.store.symbols import SymbolRow

INDENT = "  "
LISTS = ("calls", "raises", "handles")
"""Lines of a card that are lists; the others are prose."""


def symbol_text(
    chunk: Chunk, style: Style, width: int, shown_path: Callable[[str], str], mismatches: Sequence[Mismatch] = ()
) -> str:
    """Render the interface card in lines of `width` cells (0: never broken) and below it the code, numbered."""
    head = style.paint(style.path, f"{one_line(shown_path(chunk.path))}:{chunk.start_line}-{chunk.end_line}")
    card = safe_text(card_text(interface_card(chunk, own_calls(chunk), chunk.contract, to_read=True)))
    notes = [f"{INDENT}{style.paint(style.bad, mismatch_sentence(one))}" for one in mismatches]
    lines = [line for row in card.split("\n") for line in _card_lines(row, width)]
    return "\n".join([head, *lines, *notes, *_code(chunk, style)])


def _card_lines(row: str, width: int) -> list[str]:
    label, colon, text = row.partition(": ")
    return hanging(f"{INDENT}{label}{colon}", text, width, listed=label in LISTS)


def mismatch_sentence(mismatch: Mismatch) -> str:
    """Say how the declared contract differs from the one that was worked out."""
    via = f" (via {one_line(mismatch.via)})" if mismatch.via else ""
    how = "raised but not declared" if mismatch.kind == "undeclared" else "declared but never raised"
    return f"mismatch: {one_line(mismatch.type)} is {how}{via}"


def mismatches_text(found: Sequence[tuple[Chunk, Mismatch]], shown_path: Callable[[str], str]) -> str:
    """List contract mismatches, each line beginning with its place."""
    rows = [
        (f"{one_line(shown_path(chunk.path))}:{one.line}", one_line(chunk.qualified_name), mismatch_sentence(one))
        for chunk, one in found
    ]
    return table_text(rows)


def mismatch_document(mismatch: Mismatch) -> dict[str, object]:
    """Build one mismatch of `show --json` and `doctor --contracts --json`."""
    return {"kind": mismatch.kind, "type": mismatch.type, "line": mismatch.line, "via": mismatch.via}


def symbol_document(chunk: Chunk, mismatches: Sequence[Mismatch] = ()) -> dict[str, object]:
    """Build one match of `show --json`."""
    return {
        "path": chunk.path,
        "start_line": chunk.start_line,
        "end_line": chunk.end_line,
        "language": chunk.language,
        "kind": chunk.kind,
        "name": chunk.name,
        "qualified_name": chunk.qualified_name,
        "package": chunk.package,
        "signature": chunk.signature,
        "doc": chunk.doc,
        "calls": [call_document(call) for call in own_calls(chunk)],
        "contract": [fact_document(fact) for fact in chunk.contract],
        "mismatches": [mismatch_document(one) for one in mismatches],
        "text": chunk.text,
    }


def row_document(row: SymbolRow) -> dict[str, object]:
    """Build one candidate of `show --json`, or one definition of `outline --json`."""
    names = ("kind", "name", "qualified_name", "start_line", "end_line", "signature", "doc")
    return {name: getattr(row, name) for name in names}


def file_outlines(rows: Sequence[SymbolRow], contracts: dict[int, tuple[ErrorFact, ...]]) -> list[dict[str, object]]:
    """Build the files of `outline --json`."""
    return [
        {
            "path": path,
            "language": language,
            "symbols": [
                row_document(row) | {"contract": [fact_document(fact) for fact in contracts.get(row.chunk_id, ())]}
                for row in group
            ],
        }
        for (path, language), group in groupby(rows, key=lambda row: (row.path, row.language))
    ]


def candidates_text(rows: Sequence[SymbolRow], shown_path: Callable[[str], str]) -> str:
    """List definitions one per line, each with the place that names it alone."""
    cells = []
    for row in rows:
        place = f"{one_line(shown_path(row.path))}:{row.start_line}-{row.end_line}"
        cells.append((place, row.kind, one_line(row.qualified_name), one_line(row.signature)))
    return table_text(cells)


def outline_text(
    rows: Sequence[SymbolRow], raises: dict[int, str], style: Style, width: int, shown_path: Callable[[str], str]
) -> str:
    """Render each file's definitions in order, indented by nesting, with signature and contract but without bodies."""
    blocks = []
    for path, group in groupby(rows, key=lambda row: row.path):
        members = list(group)
        depths: dict[str, int] = {}
        digits = len(str(max(row.end_line for row in members)))
        lines = [style.paint(style.path, one_line(shown_path(path)))]
        for row in members:
            depth = depths.get(row.parent, -1) + 1
            depths[row.qualified_name] = depth
            place = f"{INDENT}{row.start_line:>{digits}}-{row.end_line:<{digits}} "
            failing = f"raises {one_line(raises[row.chunk_id])}" if raises.get(row.chunk_id) else ""
            first, *others = _outline_lines(INDENT * depth + _interface(row), failing, width and width - len(place))
            lines += [style.paint(style.faint, place) + first, *(" " * len(place) + line for line in others)]
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks)


def _outline_lines(interface: str, failing: str, width: int) -> list[str]:
    """Put an interface and how it fails on one line; where that is too wide, cut the one and hang the other below it."""
    whole = f"{interface}   {failing}" if failing else interface
    if not width or cell_width(whole) <= width:
        return [whole]
    lines = [cut_width(interface, max(width, 1))]
    if failing:
        indent = " " * (len(interface) - len(interface.lstrip())) + INDENT * 2
        lines += hanging(f"{indent}raises ", failing.removeprefix("raises "), width)
    return lines


def _interface(row: SymbolRow) -> str:
    """Return the signature, with the kind before it where the language does not write it."""
    text = one_line(row.signature) or one_line(row.name) or one_line(row.qualified_name)
    return text if row.kind in text.lower().split() else f"{row.kind} {text}"


def _code(chunk: Chunk, style: Style) -> list[str]:
    """Number the chunk's own lines; what lies between its spans (members shown on their own) is a gap."""
    source = safe_text(chunk.text).split("\n")
    numbers = [
        number
        for start, end in chunk.spans or ((chunk.start_line, chunk.end_line),)
        for number in range(start, end + 1)
    ]
    digits = len(str(numbers[-1])) if numbers else 1
    lines: list[str] = []
    previous = None
    for number, spans in zip(numbers, highlighted(source, chunk.language, style), strict=False):
        if previous is not None and number != previous + 1:
            lines.append(style.paint(style.faint, f"{'':>{FRAME - 3}}{'':>{digits}}…"))
        code = "".join(style.paint(code, text) for code, text in spans)
        lines.append(f"{INDENT}{style.paint(style.faint, f'  {number:>{digits}} │')} {code}".rstrip())
        previous = number
    return lines
