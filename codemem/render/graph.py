"""Call edges as an indented tree whose lines begin with the place of the call, as Mermaid, as Graphviz, as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from codemem.render.safe import one_line
from codemem.render.style import Style
from codemem.render.table import cell_width
from codemem.types import ChunkKey

INDENT = "  "
ARROWS = {"callers": "←", "callees": "→"}
MERMAID_ENTITIES = (("#", "#35;"), ('"', "#quot;"), ("<", "#lt;"), (">", "#gt;"))
SURE = ("resolved", "")
"""Certainties that need no remark."""


class Edge(Protocol):
    """One call: who calls whom, where, and how sure that is."""

    @property
    def caller(self) -> ChunkKey: ...
    @property
    def callee(self) -> ChunkKey | str: ...
    @property
    def path(self) -> str: ...
    @property
    def line(self) -> int: ...
    @property
    def order(self) -> int: ...
    @property
    def certainty(self) -> str: ...
    @property
    def depth(self) -> int: ...


class Site(Protocol):
    """One place that raises, declares, catches or lets through an error type."""

    @property
    def qualified_name(self) -> str: ...
    @property
    def path(self) -> str: ...
    @property
    def line(self) -> int: ...
    @property
    def role(self) -> str: ...
    @property
    def via(self) -> str | None: ...


def tree_text(
    root: ChunkKey, edges: Sequence[Edge], upwards: bool, style: Style, shown_path: Callable[[str], str]
) -> str:
    """Render the edges below `root`: its callers when `upwards`, else its callees; a node unfolds once."""
    by_near: dict[object, list[Edge]] = {}
    for edge in edges:
        by_near.setdefault(edge.callee if upwards else edge.caller, []).append(edge)
    rows: list[tuple[str, str]] = []
    unfolded: set[object] = set()

    def unfold(node: object, depth: int) -> None:
        unfolded.add(node)
        for edge in by_near.get(node, ()):
            other = edge.caller if upwards else edge.callee
            again = other in unfolded and other in by_near
            text = f"{INDENT * depth}{ARROWS['callers' if upwards else 'callees']} {style.paint(style.name, node_name(other))}"
            text += "" if edge.certainty in SURE else style.paint(style.faint, f"  ({edge.certainty})")
            text += style.paint(style.faint, "  (see above)") if again else ""
            rows.append((f"{one_line(shown_path(edge.path))}:{edge.line}", text))
            if other not in unfolded:
                unfold(other, depth + 1)

    unfold(root, 0)
    width = max((cell_width(place) for place, _ in rows), default=0)
    return "\n".join(
        f"{style.paint(style.path, place)}{' ' * (width - cell_width(place))}  {text}" for place, text in rows
    )


def edge_documents(edges: Iterable[Edge]) -> list[dict[str, object]]:
    """Build the edges of `callers --json`, `callees --json` and `trace --json`."""
    return [
        {"caller": node_name(edge.caller), "callee": node_name(edge.callee), "path": edge.path, "line": edge.line,
         "order": edge.order, "certainty": edge.certainty, "depth": edge.depth}
        for edge in edges
    ]  # fmt: skip


def mermaid_text(edges: Sequence[Edge]) -> str:
    """Render a Mermaid flow chart; uncertain calls are dotted."""
    names = _numbered(edges)
    lines = ["flowchart LR"]
    lines += [f'  n{number}["{_quoted(name)}"]' for name, number in names.items()]
    for caller, callee, certainty in _distinct(edges):
        arrow = "-->" if certainty in SURE else "-.->"
        lines.append(f"  n{names[caller]} {arrow} n{names[callee]}")
    return "\n".join(lines)


def dot_text(edges: Sequence[Edge]) -> str:
    """Render a Graphviz digraph; uncertain calls are dashed."""
    names = _numbered(edges)
    lines = ["digraph calls {", "  rankdir=LR; node [shape=box, fontname=monospace];"]
    lines += [f'  n{number} [label="{_escaped(name)}"];' for name, number in names.items()]
    for caller, callee, certainty in _distinct(edges):
        dashed = "" if certainty in SURE else " [style=dashed]"
        lines.append(f"  n{names[caller]} -> n{names[callee]}{dashed};")
    return "\n".join([*lines, "}"])


def sites_text(sites: Sequence[Site], style: Style, shown_path: Callable[[str], str]) -> str:
    """List who raises, declares, catches or lets through, each line beginning with its place."""
    rows = []
    for site in sites:
        via = f"via {one_line(site.via)}" if site.via else ""
        rows.append((f"{one_line(shown_path(site.path))}:{site.line}", site.role, one_line(site.qualified_name), via))
    widths = [max((cell_width(row[column]) for row in rows), default=0) for column in range(3)]
    return "\n".join(
        f"{style.paint(style.path, place)}{' ' * (widths[0] - cell_width(place))}  {role:<{widths[1]}}  "
        f"{style.paint(style.name, name)}{' ' * (widths[2] - cell_width(name))}  {style.paint(style.faint, via)}".rstrip()
        for place, role, name, via in rows
    )


def site_documents(sites: Iterable[Site]) -> list[dict[str, object]]:
    """Build the sites of `raises --json`."""
    return [
        {
            "qualified_name": site.qualified_name,
            "path": site.path,
            "line": site.line,
            "role": site.role,
            "via": site.via,
        }
        for site in sites
    ]


def node_name(node: object) -> str:
    """Return the qualified name of a definition, or the callee as written."""
    return one_line(node.qualified_name if isinstance(node, ChunkKey) else str(node))


def _numbered(edges: Sequence[Edge]) -> dict[str, int]:
    names = (node_name(node) for edge in edges for node in (edge.caller, edge.callee))
    return {name: number for number, name in enumerate(dict.fromkeys(names))}


def _distinct(edges: Sequence[Edge]) -> list[tuple[str, str, str]]:
    return list(dict.fromkeys((node_name(edge.caller), node_name(edge.callee), edge.certainty) for edge in edges))


def _quoted(name: str) -> str:
    for character, entity in MERMAID_ENTITIES:
        name = name.replace(character, entity)
    return name


def _escaped(name: str) -> str:
    return name.replace("\\", "\\\\").replace('"', '\\"')
