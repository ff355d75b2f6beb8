"""Describe definitions: signature, documentation, parameters, calls in order, exception facts, bindings."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from codemem.parse.chunks import Draft
from codemem.parse.comments import Surroundings, clean_doc, without_markup
from codemem.parse.contract import contract_of, documented
from codemem.parse.filefacts import FileFacts
from codemem.parse.handlers import ScopeKey
from codemem.parse.lines import LEAF_CAP
from codemem.parse.names import (
    type_path,
    without_arguments,
)
from codemem.parse.nest import Definition, evaluation_key
from codemem.parse.nodes import one_line
from codemem.parse.records import RawBinding, RawCall
from codemem.types import Binding, Call

if TYPE_CHECKING:
    from tree_sitter import Node

SIGNATURE_CAP = 400
"""Characters of a signature: the longest that people still write by hand; generated ones are cut."""
VALUE_CAP = 160
"""Characters of a declaration without body: a constant's name and the start of its value."""
TYPE_CAP = 120
"""Characters of a result or binding type."""
DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(?:if|el|endif)[^\n]*$", re.MULTILINE)
"""A line of conditional compilation inside a declaration."""
TRAILING = re.compile(r"(?:\s*(?:[{:=;(]|=>|->|\bdo))+$")
ROOT = re.compile(r"[&*!(]*([\w$@]+)")
"""The variable that a receiver begins with."""
CALLEE_PATH = re.compile(r"^(.*?)(?:::|->|\?\.|\.|\\)([^.:\\>]+)$", re.DOTALL)


def describe(
    definition: Definition, facts: FileFacts, surroundings: Surroundings, start: int, comments: list[tuple[int, int]]
) -> Draft:
    """Fill the draft of one definition that begins, with its documentation, at byte `start`."""
    docs = comments + sorted({*definition.docs, *(each for site in definition.sites for each in site.docs)})
    doc = clean_doc([facts.text(*each) for each in docs]) if docs else ""
    numbers: dict[ScopeKey, int] = {}
    calls = _calls(definition, facts, numbers)
    contract = contract_of(definition, facts, numbers)
    if doc:
        contract = [*documented(doc, docs, facts), *contract]
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
    text = " ".join(DIRECTIVE.sub("", " ".join(pieces)).split()).replace("( ", "(")
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
    """Return one binding per name and line; a declared type beats the callee assigned on the same line.

    Of two variables of one name that both begin and end on a line nothing is known.
    """
    found: dict[tuple[str, int], tuple[int, Binding]] = {}
    for raw in sorted(definition.bindings, key=lambda each: (each.start, _doubt(each))):
        kind = one_line(raw.type.lstrip(":-> "), TYPE_CAP)
        if not raw.declared:
            kind = without_arguments(kind) + "()"
        line = facts.line(raw.start)
        until = facts.line(raw.until - 1) if raw.until else 0
        start, old = found.get((raw.name, line), (raw.start, None))
        if old is None:
            found[raw.name, line] = (raw.start, Binding(raw.name, kind, line, until))
        elif start != raw.start and old.until == line == until and old.type != kind:
            found[raw.name, line] = (start, old._replace(type=""))
    return tuple(binding for _, binding in found.values())


def _doubt(binding: RawBinding) -> int:
    """Order what is known of a variable: its type, what it is made of with type arguments, a call, another expression."""
    if binding.type[:1] != "=":
        return (0 if binding.declared else 2) if binding.type else 5
    if binding.type.startswith("=new "):
        return 1
    return 4 if binding.type.startswith("=>") else 3


def _calls(definition: Definition, facts: FileFacts, numbers: dict[ScopeKey, int]) -> tuple[Call, ...]:
    """Order the calls as they are evaluated; equal calls in a row collapse."""
    ordered = sorted(definition.calls, key=lambda each: evaluation_key(each[0], each[1], facts.captures))
    found: list[Call] = []
    bound: dict[str, list[RawBinding]] = {}
    for binding in sorted(definition.bindings, key=lambda each: each.start):
        bound.setdefault(binding.name, []).append(binding)
    started = 0
    for raw, context in ordered:
        callee, receiver = _callee(raw)
        count = None
        if raw.arguments is not None and raw.arguments.start_byte not in facts.captures.spreads:
            start = raw.arguments.start_byte
            if (start, raw.arguments.end_byte) in facts.captures.whole_arguments:
                count = 1
            else:
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
            and (not facts.seams or facts.part(last.line) == facts.part(facts.line(raw.callee_start)))
            and not _is_bound_anew(bound, receiver or callee, started, raw.callee_start)
        ):
            found[-1] = Call(callee, receiver, last.line, last.order, count, context.mark, last.repeat + 1, guards)
        else:
            line = facts.line(raw.callee_start)
            found.append(Call(callee, receiver, line, len(found) + 1, count, context.mark, 1, guards))
        started = raw.callee_start
    return tuple(found)


def _is_bound_anew(bound: Mapping[str, Sequence[RawBinding]], receiver: str, start: int, end: int) -> bool:
    """Tell whether between two places the variable that a receiver begins with comes to stand for something else."""
    root = ROOT.match(receiver)
    rows = bound.get(root[1], ()) if root else ()
    if len(rows) < 2:
        return False
    before = [row.type for row in rows if row.start <= start]
    return any(start < row.start <= end and row.type not in before[-1:] for row in rows)


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
