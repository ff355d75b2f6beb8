"""Search results as text for a person, as Markdown for a document, as paths for a pipe."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from codemem.render.facts import also_phrase, chain_phrase, contract_phrases, explain_lines, reason_phrase
from codemem.render.highlight import Span, best_line, highlighted
from codemem.render.safe import one_line, safe_text
from codemem.render.style import PLAIN, Style
from codemem.render.table import cell_width, cut_width, take_width
from codemem.render.wrap import hanging
from codemem.types import Hit, SearchResult

if TYPE_CHECKING:
    from codemem.memory import MemoryHit

DEFAULT_WIDTH = 0
"""0: do not cut lines, as a pipe wants them."""
FACT_LINES = 3
"""Lines of one fact of a hit: what a person takes in beside other hits; `show` has the rest."""
FRAME = 7
"""Cells of a snippet line beside its number and its code: indent, mark, rule and blanks."""
MARK, NO_MARK, RULE = "▶", " ", "│"


class Look(NamedTuple):
    """How a person wants the result: styles, the terminal's width (0 = never cut), and what each signal is called."""

    style: Style = PLAIN
    width: int = DEFAULT_WIDTH
    explain: bool = False
    phrases: Mapping[str, str] = MappingProxyType({})
    shown_path: Callable[[str], str] = str


def search_text(result: SearchResult, look: Look, entries: Sequence[Hit | MemoryHit] | None = None) -> str:
    """Render the hits as blocks with a blank line between; each begins with `path:start-end`, or `memory:id`.

    `entries` is the list to show when it holds memories as well.
    """
    shown = result.hits if entries is None else entries
    return "\n\n".join("\n".join(_entry(hit, result.query.text, look)) for hit in shown)


def search_paths(result: SearchResult, shown_path: Callable[[str], str] = str) -> str:
    """Render one `path:line` per hit."""
    return "\n".join(f"{one_line(shown_path(hit.chunk.path))}:{hit.start_line}" for hit in result.hits)


def search_markdown(result: SearchResult, entries: Sequence[Hit | MemoryHit] | None = None) -> str:
    """Render the hits as a document with fenced code; memories are quoted."""
    parts = [f"# {_markdown(result.query.text)}", ""]
    for rank, hit in enumerate(result.hits if entries is None else entries, 1):
        if not isinstance(hit, Hit):
            quoted = [f"> {_markdown(line)}" for line in hit.memory.content.split("\n")]
            parts += [f"## {rank}. memory {hit.memory.short_id}", "", *quoted, ""]
            continue
        chunk = hit.chunk
        fence = _fence(hit.text)
        parts += [f"## {rank}. `{one_line(chunk.path)}:{hit.start_line}-{hit.end_line}`", ""]
        parts += [f"{chunk.kind} **{_markdown(chunk.qualified_name)}**", ""] if chunk.qualified_name else []
        parts += [f"- {label}: {_markdown(text)}" for label, text in _facts(hit)]
        parts += [f"- shown: {hit.excerpt}"] if hit.excerpt else []
        parts += ["", f"{fence}{chunk.language}", safe_text(hit.text.rstrip("\n")), fence, ""]
    return "\n".join(parts)


def _entry(hit: Hit | MemoryHit, query: str, look: Look) -> list[str]:
    if isinstance(hit, Hit):
        return _block(hit, query, look)
    from codemem.identity import now_ms
    from codemem.render.memories import memory_block

    return memory_block(hit, now_ms(), look.style, look.width, look.explain)


def _block(hit: Hit, query: str, look: Look) -> list[str]:
    style, chunk = look.style, hit.chunk
    lines = [style.paint(style.path, f"{one_line(look.shown_path(chunk.path))}:{hit.start_line}-{hit.end_line}")]
    lines += _title(hit, look)
    lines += _snippet(hit, query, look)
    lines += [line for label, text in _facts(hit) for line in _fact_lines(label, text, look)]
    lines += [f"  memory: {one_line(str(memory.get('content', '')))}" for memory in hit.memories]
    if look.explain:
        lines += [style.paint(style.faint, f"    {line}") for line in [f"score {hit.score:.3f}", *explain_lines(hit)]]
    return lines


def _facts(hit: Hit) -> list[tuple[str, str]]:
    """Return the labelled phrases that are not empty."""
    raises, handles = contract_phrases(hit.chunk)
    rows = [("calls", chain_phrase(hit.chunk)), ("raises", raises), ("handles", handles), ("also", also_phrase(hit))]
    return [(label, text) for label, text in rows if text]


def _title(hit: Hit, look: Look) -> list[str]:
    """Name what was found and why, on two lines where one is too narrow."""
    style, kind, name = look.style, hit.chunk.kind, one_line(hit.chunk.qualified_name)
    title = "  " + "  ".join(part for part in (kind, style.paint(style.name, name)) if part)
    why = f"  ({reason})" if (reason := reason_phrase(hit, look.phrases)) else ""
    plain = "  " + "  ".join(part for part in (kind, name) if part)
    if look.width and cell_width(plain + why) > look.width:
        return [title, style.paint(style.faint, cut_width(f"  {why}", look.width))]
    return [title + style.paint(style.faint, why)]


def _fact_lines(label: str, text: str, look: Look) -> list[str]:
    head = f"  {label}: "
    first, *others = hanging(head, one_line(text), look.width, FACT_LINES)
    return [look.style.paint(look.style.faint, head) + first[len(head) :], *others]


def _snippet(hit: Hit, query: str, look: Look) -> list[str]:
    """Number the snippet's lines, mark the one that answers best, cut at the terminal's width."""
    source = safe_text(hit.text.rstrip("\n")).split("\n")
    first = hit.text_line or hit.start_line
    marked = hit.match_line or best_line(source, query, first)
    digits = len(str(first + len(source) - 1))
    room = look.width - digits - FRAME if look.width else 0
    lines = []
    for number, spans in enumerate(highlighted(source, hit.chunk.language, look.style), first):
        mark, gutter = (MARK, look.style.match) if number == marked else (NO_MARK, look.style.faint)
        head = look.style.paint(gutter, f"{mark} {number:>{digits}} {RULE}")
        lines.append(f"  {head} {_painted(spans, room, look.style)}".rstrip())
    if first + len(source) - 1 < hit.end_line:
        lines.append(look.style.paint(look.style.faint, f"    {'':>{digits}} … to line {hit.end_line}"))
    return lines


def _painted(spans: list[Span], room: int, style: Style) -> str:
    """Join the styled pieces of a line; one that is wider than `room` cells ends in an ellipsis."""
    if not room or sum(cell_width(text) for _, text in spans) <= room:
        return "".join(style.paint(code, text) for code, text in spans)
    parts = []
    left = max(room - 1, 0)
    for code, text in spans:
        piece = take_width(text, left)
        parts.append(style.paint(code, piece))
        left -= cell_width(piece)
        if piece != text:
            break
    return "".join(parts) + "…"


def _markdown(text: str) -> str:
    """Keep text from files and people from being read as Markdown or HTML."""
    line = one_line(text)
    for character in "\\`*_[]<>|#":
        line = line.replace(character, "\\" + character)
    return line


def _fence(text: str) -> str:
    """Return a fence longer than any run of backticks in the text."""
    longest = run = 0
    for character in text:
        run = run + 1 if character == "`" else 0
        longest = max(longest, run)
    return "`" * max(3, longest + 1)
