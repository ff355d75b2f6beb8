"""Call edges as trees and ways whose lines begin with the place of the call, sites of an error type; text and JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from codemem.graph import Edge, Site
from codemem.render.safe import one_line
from codemem.render.style import Style
from codemem.render.table import cell_width
from codemem.types import ChunkKey

INDENT = "  "
UP, DOWN = "←", "→"
SURE = "resolved"
Row = tuple[str, str]
"""(place, what stands beside it)"""


def tree_text(
    starts: Sequence[ChunkKey], edges: Sequence[Edge], upwards: bool, style: Style, shown_path: Callable[[str], str]
) -> str:
    """Render the edges around `starts`: their callers when `upwards`, else their callees; a node unfolds once."""
    by_near: dict[ChunkKey, list[Edge]] = {}
    for edge in edges:
        near = edge.callee if upwards else edge.caller
        if near is not None:
            by_near.setdefault(near, []).append(edge)
    rows: list[Row] = []
    unfolded: set[ChunkKey] = set()

    def unfold(node: ChunkKey, depth: int) -> None:
        unfolded.add(node)
        for edge in by_near.get(node, ()):
            other = edge.caller if upwards else edge.callee
            text = f"{INDENT * depth}{UP if upwards else DOWN} {edge_text(edge, upwards, style)}"
            if other in unfolded and other in by_near:
                text += style.paint(style.faint, "  (see above)")
            rows.append((_place(edge, shown_path), text))
            if other is not None and other not in unfolded:
                unfold(other, depth + 1)

    for start in starts:
        unfold(start, 0)
    return _aligned(rows, style)


def ways_text(paths: Sequence[Sequence[Edge]], style: Style, shown_path: Callable[[str], str]) -> str:
    """Render each way as lines from its start to its goal, with a blank line between ways."""
    blocks = []
    for way in paths:
        rows = [(_place(edge, shown_path), f"{INDENT * depth}{edge_text(edge, True, style)} {DOWN} {edge_text(edge, False, style)}")
                for depth, edge in enumerate(way)]  # fmt: skip
        blocks.append(_aligned(rows, style))
    return "\n\n".join(blocks)


def edge_text(edge: Edge, caller: bool, style: Style) -> str:
    """Name one end of an edge, the far one with its mark and its certainty when that is not complete."""
    if caller:
        return style.paint(style.name, one_line(edge.caller.qualified_name)) + _doubt(edge, style)
    name = one_line(edge.callee.qualified_name if edge.callee else edge.name)
    shown = style.paint(style.name, name) if edge.callee else style.paint(style.faint, name)
    return shown + edge.mark + _doubt(edge, style)


def edge_documents(edges: Iterable[Edge]) -> list[dict[str, object]]:
    """Build the edges of `callers --json`, `callees --json` and `trace --json`."""
    return [
        {
            "caller": edge.caller.qualified_name,
            "callee": edge.callee.qualified_name if edge.callee else edge.name,
            "path": edge.path,
            "line": edge.line,
            "order": edge.order,
            "certainty": edge.certainty,
            "depth": edge.depth,
        }
        for edge in edges
    ]


def sites_text(sites: Sequence[Site], wanted: str, style: Style, shown_path: Callable[[str], str]) -> str:
    """List who raises, declares, catches or lets through, each line beginning with its place."""
    rows: list[Row] = []
    for site in sites:
        other = "" if site.type == wanted else f"  {one_line(site.type)}"
        via = f"  via {one_line(site.via)}" if site.via else ""
        handled = "  handled there" if site.handled else ""
        name = style.paint(style.name, one_line(site.qualified_name))
        rows.append(
            (
                f"{one_line(shown_path(site.path))}:{site.line}",
                f"{site.role:<9} {name}{style.paint(style.faint, other + via + handled)}",
            )
        )
    return _aligned(rows, style)


def site_documents(sites: Iterable[Site]) -> list[dict[str, object]]:
    """Build the sites of `raises --json`."""
    names = ("qualified_name", "path", "line", "role", "via", "type", "source", "handled")
    return [{name: getattr(site, name) for name in names} for site in sites]


def _place(edge: Edge, shown_path: Callable[[str], str]) -> str:
    return f"{one_line(shown_path(edge.path))}:{edge.line}"


def _doubt(edge: Edge, style: Style) -> str:
    return "" if edge.certainty == SURE else style.paint(style.faint, f" ({edge.certainty})")


def _aligned(rows: Sequence[Row], style: Style) -> str:
    width = max((cell_width(place) for place, _ in rows), default=0)
    return "\n".join(
        f"{style.paint(style.path, place)}{' ' * (width - cell_width(place))}  {text}" for place, text in rows
    )
