"""Describe definitions: signature, documentation, parameters, calls in order, exception facts, bindings."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from typing import TYPE_CHECKING

from codemem.languages import LanguageRow
from codemem.parse.capture import one_line
from codemem.parse.chunks import Draft
from codemem.parse.comments import Surroundings, clean_doc, without_markup
from codemem.parse.doctags import documented_errors
from codemem.parse.handlers import EVERYTHING, Guards, ScopeKey, caught_types, mark_rethrows
from codemem.parse.lines import LEAF_CAP, LineTable
from codemem.parse.names import (
    bound_type,
    caught_type,
    raised_type,
    returned_error,
    split_types,
    type_path,
    without_arguments,
)
from codemem.parse.nest import TYPE_KINDS, Definition, evaluation_key, innermost
from codemem.parse.records import Captures, RawBinding, RawCall, RawFact
from codemem.types import Binding, Call, ErrorFact, ErrorRole

if TYPE_CHECKING:
    from tree_sitter import Node

BLANKS = b" \t\r\n"
SIGNATURE_CAP = 400
"""Characters of a signature: the longest that people still write by hand; generated ones are cut."""
VALUE_CAP = 160
"""Characters of a declaration without body: a constant's name and the start of its value."""
TYPE_CAP = 120
"""Characters of a result or binding type."""
TRAILING = re.compile(r"(?:\s*(?:[{:=;(]|=>|->|\bdo))+$")
CALLEE_PATH = re.compile(r"^(.*?)(?:::|->|\?\.|\.|\\)([^.:\\>]+)$", re.DOTALL)


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
    )

    def __init__(
        self, row: LanguageRow, captures: Captures, data: bytes, lines: LineTable, definitions: Sequence[Definition]
    ) -> None:
        self.row = row
        self.captures = captures
        self.data = data
        self.lines = lines
        self.comments = sorted(captures.comments)
        self.functions = {each.name for each in definitions if each.kind in ("function", "method")}
        self.known = {each.name for each in definitions if each.kind in TYPE_KINDS}
        self.known.update(each.alias or each.name or each.path for each in captures.imports.values())
        self.rethrown = mark_rethrows(definitions)
        self.guards = Guards(captures)
        self.marks = _marks_by_list(captures)
        self.arguments = _arguments_by_list(captures)
        _hoist_fields(definitions, row)

    def text(self, start: int, end: int) -> str:
        return self.data[start:end].decode("utf-8", "replace")

    def line(self, position: int) -> int:
        return self.lines.row(position) + 1

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


def describe(
    definition: Definition, facts: FileFacts, surroundings: Surroundings, start: int, comments: list[tuple[int, int]]
) -> Draft:
    """Fill the draft of one definition that begins, with its documentation, at byte `start`."""
    docs = comments + sorted({*definition.docs, *(each for site in definition.sites for each in site.docs)})
    doc = clean_doc([facts.text(*each) for each in docs]) if docs else ""
    numbers: dict[ScopeKey, int] = {}
    calls = _calls(definition, facts, numbers)
    contract = _contract(definition, facts, numbers)
    if doc:
        contract = [*_documented(doc, docs, facts), *contract]
    required, count = _parameters(definition, facts)
    end = definition.end - 1 if definition.module else facts.last_byte(definition)
    first, last = facts.lines.row(start), facts.lines.row(max(start, end))
    return Draft(
        kind=definition.kind,
        name=definition.name,
        names=definition.names,
        qualified_name=definition.qualified_name,
        parent=definition.parent,
        start=start,
        first=first,
        last=last,
        own=facts.text(start, min(end + 1, start + LEAF_CAP)) if first == last and not definition.module else "",
        header=facts.lines.row(definition.sites[0].start) if definition.sites else 0,
        signature=_signature(definition, facts, surroundings),
        doc=without_markup(doc),
        parameters=count,
        parameters_required=required,
        result=_result(definition, facts),
        calls=calls,
        contract=tuple(dict.fromkeys(contract)),
        extends=_extends(definition, facts),
        bindings=_bindings(definition, facts),
        modifiers=_modifiers(definition, facts),
        loose=definition.module,
    )


def _signature(definition: Definition, facts: FileFacts, surroundings: Surroundings) -> str:
    """Return the declaration without body, comments and annotations on one line."""
    if not definition.sites:
        return ""
    site = definition.sites[0]
    start = site.start
    if 0 <= site.outer_start < start and not surroundings.within(site.outer_start, start):
        start = site.outer_start
    end = min(site.body if site.body > start else site.end, start + SIGNATURE_CAP * 4)
    pieces, at = [], start
    for hidden_start, hidden_end in surroundings.within(start, end):
        pieces.append(facts.text(at, hidden_start))
        at = hidden_end
    pieces.append(facts.text(at, max(at, end)))
    text = " ".join(" ".join(pieces).split()).replace("( ", "(")
    cap = SIGNATURE_CAP if site.body > site.start else VALUE_CAP
    return one_line(TRAILING.sub("", text), cap)


def _parameters(definition: Definition, facts: FileFacts) -> tuple[int | None, int | None]:
    """Return how many arguments a call needs and how many it may have, over all clauses; None when unknown or open."""
    found = [_parameter_list(site.parameters, definition, facts) for site in definition.sites if site.parameters]
    if not found:
        return None, None
    most = [count for _, count in found if count is not None]
    return min(required for required, _ in found), max(most) if len(most) == len(found) else None


def _parameter_list(node: Node, definition: Definition, facts: FileFacts) -> tuple[int, int | None]:
    marks = facts.marks.get(node.start_byte, {})
    count = (marks.get("entry", 0) or facts.children(node)) - marks.get("marker", 0)
    static = set(facts.row.static_modifiers).intersection(_modifiers(definition, facts))
    if marks.get("self") and definition.kind == "method" and not static:
        count -= 1
    variadic = marks.get("variadic", 0)
    required = max(0, count - marks.get("optional", 0) - variadic)
    return required, None if variadic else count


def _result(definition: Definition, facts: FileFacts) -> str:
    text = next((site.result for site in definition.sites if site.result), "")
    if not text and definition.results:
        text = one_line(facts.text(*min(definition.results)), TYPE_CAP)
    return text.lstrip(":-> ").strip()


def _modifiers(definition: Definition, facts: FileFacts) -> tuple[str, ...]:
    words = [word for site in definition.sites for word in site.modifiers]
    words.extend(facts.text(*each) for each in sorted(definition.modifiers))
    return tuple(dict.fromkeys(word.strip() for word in words))


def _extends(definition: Definition, facts: FileFacts) -> tuple[str, ...]:
    texts = [text for site in definition.sites for text in site.extends]
    texts.extend(facts.text(*each) for each in sorted(definition.extends))
    return tuple(dict.fromkeys(path for text in texts if (path := type_path(text))))


def _bindings(definition: Definition, facts: FileFacts) -> tuple[Binding, ...]:
    """Return one binding per name and line; a declared type beats the callee assigned on the same line."""
    found: dict[tuple[str, int], Binding] = {}
    for raw in sorted(definition.bindings, key=lambda each: (each.start, not each.declared)):
        kind = one_line(raw.type.lstrip(":-> "), TYPE_CAP)
        if not raw.declared:
            kind = without_arguments(kind) + "()"
        line = facts.line(raw.start)
        found.setdefault((raw.name, line), Binding(raw.name, kind, line))
    return tuple(found.values())


def _calls(definition: Definition, facts: FileFacts, numbers: dict[ScopeKey, int]) -> tuple[Call, ...]:
    """Order the calls as they are evaluated; equal calls in a row collapse."""
    ordered = sorted(definition.calls, key=lambda each: evaluation_key(each[0], each[1], facts.captures))
    found: list[Call] = []
    for raw, context in ordered:
        callee, receiver = _callee(raw)
        count = None
        if raw.arguments is not None and raw.arguments.start_byte not in facts.captures.spreads:
            start = raw.arguments.start_byte
            count = facts.arguments[start] if start in facts.arguments else facts.children(raw.arguments)
        guards = facts.guards.around(context.guards, numbers)
        last = found[-1] if found else None
        if (
            last is not None
            and last.callee == callee
            and last.receiver == receiver
            and last.arguments == count
            and last.mark == context.mark
            and last.guards == guards
        ):
            found[-1] = Call(callee, receiver, last.line, last.order, count, context.mark, last.repeat + 1, guards)
        else:
            line = facts.line(raw.callee_start)
            found.append(Call(callee, receiver, line, len(found) + 1, count, context.mark, 1, guards))
    return tuple(found)


def _callee(raw: RawCall) -> tuple[str, str | None]:
    """Split a qualified callee into its simple name and what stands before it."""
    callee = raw.callee
    if callee.isidentifier():
        return callee, raw.receiver
    callee = one_line(callee, TYPE_CAP)
    bracket = callee.find("<")
    if bracket > 0:
        callee = callee[:bracket].rstrip(":. ")
    found = CALLEE_PATH.match(callee)
    if found and raw.receiver is None and not callee.startswith(("(", "[", "{")):
        return found.group(2).strip(), found.group(1).strip() or None
    return callee, raw.receiver


def _contract(definition: Definition, facts: FileFacts, numbers: dict[ScopeKey, int]) -> list[ErrorFact]:
    """State the error captures as facts with normalised types, in source order."""
    found: list[ErrorFact] = []
    for raw, context in definition.facts:
        guards = facts.guards.around(context.guards, numbers)
        line = facts.line(raw.start)
        handler = facts.rethrown.get(id(raw))
        role: ErrorRole
        if handler is not None:
            role = "propagate"
            types = tuple("" if name == EVERYTHING else name for name in caught_types(handler))
        else:
            role = raw.role  # type: ignore[assignment]
            types = _fact_types(raw, definition, facts)
        found.extend(ErrorFact(role, name, raw.text, line, "code", None, guards) for name in types)
    return found


def _fact_types(raw: RawFact, definition: Definition, facts: FileFacts) -> tuple[str, ...]:
    aliases = facts.row.error_types
    if raw.role == "catch" and raw.start == raw.end:
        return ("",)
    if raw.role in ("catch", "declare"):
        return tuple(aliases.get(each) or caught_type(each) for each in split_types(raw.text)) or ("",)
    if raw.role == "return":
        return (returned_error(raw.text, aliases),)
    if raw.role == "raise":
        name = raised_type(raw.text, aliases, facts.functions, facts.known)
        return (name or _variable_type(raw, definition),)
    return (aliases.get(raw.text, ""),)


def _variable_type(raw: RawFact, definition: Definition) -> str:
    """Return the type of a raised variable that was assigned before in the same definition."""
    before = [each for each in definition.bindings if each.name == raw.text and each.start < raw.start]
    return bound_type(max(before, key=lambda each: each.start).type).rpartition(".")[2] if before else ""


def _documented(doc: str, docs: list[tuple[int, int]], facts: FileFacts) -> list[ErrorFact]:
    """State what the documentation says about failing; lines are found again in the source text."""
    found = []
    text = facts.text(docs[0][0], docs[-1][1])
    first = facts.line(docs[0][0])
    for tag in documented_errors(doc):
        at = text.find(tag.text.split("  ")[0][:40])
        line = first + (text.count("\n", 0, at) if at >= 0 else 0)
        found.append(ErrorFact("declare", tag.type, one_line(tag.text, TYPE_CAP), line, "doc"))
    return found


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
