"""Draw calls as text for other programs: Mermaid for Markdown, DOT for Graphviz."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from codemem.graph.walking import Edge, nodes_of
from codemem.types import ChunkKey

SURE = ("resolved",)
"""Certainties drawn with a solid line; all others are dashed."""
MARKDOWN = re.compile(r"(?<![^\W_])_|_(?![^\W_])|(?<=^)-|(?<=\d)\.(?=\s)")
"""Mermaid reads labels as Markdown: `__init__` would be bold, `- a` and `1. a` lists that it refuses to draw."""


def draw_graph(edges: Sequence[Edge], start: Iterable[ChunkKey], form: str) -> str:
    """Return the graph of `edges` as `mermaid` or `dot`; calls that lead outside are left out."""
    return FORMS[form](merged([edge for edge in edges if edge.callee is not None]), set(start))


def merged(edges: Sequence[Edge]) -> list[Edge]:
    """Keep one edge per pair of definitions, the surest one."""
    best: dict[tuple[ChunkKey, ChunkKey | None], Edge] = {}
    for edge in edges:
        pair = (edge.caller, edge.callee)
        old = best.get(pair)
        if old is None or (old.certainty not in SURE and edge.certainty in SURE):
            best[pair] = edge
    return list(best.values())


def _mermaid(edges: Sequence[Edge], start: set[ChunkKey]) -> str:
    numbers = {key: f"n{number}" for number, key in enumerate(nodes_of(edges) or sorted(start))}
    lines = ["flowchart LR"]
    names = _names(numbers)
    for key, number in numbers.items():
        lines.append(f'  {number}["{_mermaid_text(names[key])}"]')
    for edge in edges:
        if edge.callee is not None:
            arrow = "-->" if edge.certainty in SURE else "-.->"
            lines.append(f"  {numbers[edge.caller]} {arrow} {numbers[edge.callee]}")
    lines.extend(f"  style {numbers[key]} stroke-width:3px" for key in numbers if key in start)
    return "\n".join(lines) + "\n"


def _names(keys: Iterable[ChunkKey]) -> dict[ChunkKey, str]:
    """Name each definition, with its file where another one in the drawing has the same name."""
    keys = list(keys)
    often = Counter(key.qualified_name for key in keys)
    return {
        key: key.qualified_name if often[key.qualified_name] == 1 else f"{key.qualified_name} ({key.path})"
        for key in keys
    }


def _one_line(text: str) -> str:
    """Leave out what would steer a terminal or break the line."""
    return "".join(character for character in " ".join(text.split()) if character.isprintable())


def _mermaid_text(text: str) -> str:
    """Write what Mermaid would read as markup by character number."""
    text = _one_line(text)
    marks = {found.start() for found in MARKDOWN.finditer(text)}
    return "".join(
        character if at not in marks and (character.isalnum() or character in " ._-:") else f"#{ord(character)};"
        for at, character in enumerate(text)
    )


def _dot(edges: Sequence[Edge], start: set[ChunkKey]) -> str:
    numbers = {key: f"n{number}" for number, key in enumerate(nodes_of(edges) or sorted(start))}
    lines = ["digraph calls {", "  rankdir=LR;", '  node [shape=box, fontname="Helvetica"];']
    names = _names(numbers)
    for key, number in numbers.items():
        bold = ", penwidth=3" if key in start else ""
        lines.append(f'  {number} [label="{_dot_text(names[key])}", tooltip="{_dot_text(key.path)}"{bold}];')
    for edge in edges:
        if edge.callee is not None:
            style = "" if edge.certainty in SURE else " [style=dashed]"
            lines.append(f"  {numbers[edge.caller]} -> {numbers[edge.callee]}{style};")
    return "\n".join([*lines, "}"]) + "\n"


def _dot_text(text: str) -> str:
    return _one_line(text).replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"')


FORMS: dict[str, Callable[[Sequence[Edge], set[ChunkKey]], str]] = {"dot": _dot, "mermaid": _mermaid}
