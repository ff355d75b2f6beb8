"""The text of nodes, as captured facts keep it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

Captured = Mapping[str, "list[Node]"]
FACT_CAP = 120
"""Characters kept of an error fact or a type: enough to read, bounded for generated code."""


def source_text(data: bytes, node: Node) -> str:
    """Return the node's text."""
    return data[node.start_byte : node.end_byte].decode("utf-8", "replace")


def one_line(text: str, cap: int) -> str:
    """Collapse white space and shorten."""
    if len(text) > cap * 4:
        text = text[: cap * 4]
    line = " ".join(text.split())
    return line if len(line) <= cap else line[: cap - 1] + "…"


def unquoted(text: str) -> str:
    """Return a string literal's text without its quotes."""
    return text[1:-1] if text[:1] in "\"'" and len(text) > 2 and text[0] == text[-1] else text
