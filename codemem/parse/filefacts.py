"""What is known about one whole file while its definitions are described."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import TYPE_CHECKING

from codemem.languages import LanguageRow
from codemem.parse.handlers import Guards, mark_rethrows
from codemem.parse.lines import LineTable
from codemem.parse.nest import TYPE_KINDS, Definition, innermost
from codemem.parse.records import Captures, RawBinding

if TYPE_CHECKING:
    from tree_sitter import Node

BLANKS = b" \t\r\n"


class FileFacts:
    """What is known about one whole file while its definitions are described."""

    __slots__ = (
        "arguments",
        "captures",
        "comments",
        "data",
        "functions",
        "guards",
        "known",
        "lines",
        "marks",
        "rethrown",
        "row",
        "seams",
    )

    def __init__(
        self,
        row: LanguageRow,
        captures: Captures,
        data: bytes,
        lines: LineTable,
        definitions: Sequence[Definition],
        seams: Sequence[int] = (),
    ) -> None:
        self.row = row
        self.seams = seams
        self.captures = captures
        self.data = data
        self.lines = lines
        self.comments = sorted(captures.comments)
        self.functions = {each.name for each in definitions if each.kind in ("function", "method")}
        self.known = {each.name for each in definitions if each.kind in TYPE_KINDS}
        self.known.update(each.alias or each.name or each.path for each in captures.imports.values())
        self.rethrown = mark_rethrows(definitions, captures.passes)
        self.guards = Guards(captures)
        self.marks = _marks_by_list(captures)
        self.arguments = _arguments_by_list(captures)
        _hoist_fields(definitions, row)

    def text(self, start: int, end: int) -> str:
        return self.data[start:end].decode("utf-8", "replace")

    def line(self, position: int) -> int:
        return self.lines.row(position) + 1

    def part(self, line: int) -> int:
        """Return which part of the text a line stands in."""
        return bisect_left(self.seams, line)

    def last_byte(self, definition: Definition) -> int:
        """Return where a definition really ends: some grammars take in the blank lines and comments that follow."""
        start, end = definition.start, min(definition.end, len(self.data))
        while True:
            while end > start and self.data[end - 1] in BLANKS:
                end -= 1
            index = bisect_left(self.comments, (end, -1)) - 1
            if index < 0 or self.comments[index][0] <= start or self.comments[index][1] < end:
                return end - 1
            begin = self.comments[index][0]
            if not self.lines.begins(begin):
                return end - 1
            end = begin

    def children(self, node: Node) -> int:
        """Count the entries of a list, comments left out."""
        index = bisect_left(self.comments, (node.start_byte, -1))
        if index < len(self.comments) and self.comments[index][0] < node.end_byte:
            return sum(1 for child in node.named_children if not child.is_extra)
        return node.named_child_count


def _marks_by_list(captures: Captures) -> dict[int, dict[str, int]]:
    """Count the marked parameters of every parameter list, by the byte where the list starts."""
    lists = sorted(captures.parameter_lists)
    found: dict[int, dict[str, int]] = {}
    entries = [(each, "entry") for each in captures.parameters]
    for (start, _end), mark in [*captures.parameter_marks.items(), *entries]:
        around = innermost(lists, start)
        if around is not None:
            counts = found.setdefault(around[0], {})
            counts[mark] = counts.get(mark, 0) + 1
    return found


def _arguments_by_list(captures: Captures) -> dict[int, int]:
    """Count the arguments of lists whose grammar says which children are arguments."""
    if not captures.arguments:
        return {}
    nodes = [call.arguments for call in captures.calls.values() if call.arguments is not None]
    lists = sorted({(node.start_byte, node.end_byte) for node in nodes})
    found = dict.fromkeys((start for start, _ in lists), 0)
    for start, _end in captures.arguments:
        around = innermost(lists, start)
        if around is not None:
            found[around[0]] += 1
    return found


def _hoist_fields(definitions: Sequence[Definition], row: LanguageRow) -> None:
    """Move bindings that are fields to the type around them: `self.name` in a method, the variable of a field itself."""
    prefixes = tuple(f"{name}{joint}" for name in row.self_names for joint in (".", "->")) + tuple(row.field_prefixes)
    for definition in definitions:
        target = _type_around(definition) if definition.bindings else None
        if target is None:
            continue
        own = definition.names if definition.kind in ("field", "constant") else ()
        kept = []
        for binding in definition.bindings:
            if binding.name in own:
                target.bindings.append(binding)
            elif prefixes and binding.name.startswith(prefixes):
                plain = binding.name.replace("->", ".").rpartition(".")[2].lstrip("@$")
                target.bindings.append(RawBinding(binding.start, binding.end, plain, binding.type, binding.declared))
            else:
                kept.append(binding)
        definition.bindings[:] = kept


def _type_around(definition: Definition) -> Definition | None:
    found = definition.up
    while found is not None and (found.kind not in TYPE_KINDS or found.scope):
        found = found.up
    return found
