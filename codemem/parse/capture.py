"""Turn the query matches of one tree into plain facts: definitions, scopes, calls, errors, regions, comments."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from codemem.parse.failures import add_bare_handlers, take_catch, take_comparison, take_fact, take_handler
from codemem.parse.names import joined_before
from codemem.parse.nodes import FACT_CAP, Captured, one_line, source_text, unquoted
from codemem.parse.records import DEFINITION, ERROR, ERROR_ROLES, Captures, RawCall, RawImport, Site
from codemem.parse.variables import take_binding

if TYPE_CHECKING:
    from tree_sitter import Node

    from codemem.languages import Grammar

FEW_STATES, MORE_STATES = 256, 4
"""Open possibilities of a query (of 1,120 large files 14 need more, two more than 1,024), and the factor by which they grow.
Time grows with their square: ten kilobytes of `a.a.a.a` took 18 seconds (found by fuzzing)."""
PATIENCE_SECONDS = 4.0
"""CPU seconds that the next attempt may be expected to take; a large file takes 0.1."""
NAME_CAP = 250
"""Characters of a name: test methods that are sentences reach 150."""
DOTTED = re.compile(r"(?:[^\W\d]\w*\.)+[^\W\d]\w*$")
"""A name that is a path (`defmodule Shop.Orders`): all but its last part is the owner."""
DEEPEST = 1_000
"""Depth of the tree below which nothing is captured: without a bound, a query takes quadratic time on
a 30,000-term sum, and hand-written code stays under 200 levels."""
CALLEE_CAP = 80
RECEIVER_CAP = 200
"""Characters kept of a callee and a receiver: enough to read, bounded for generated code."""
SIGN = re.compile(r"^(?:[!~?*-]|\[[^\]\w]*\]|const\s)+\s*(?=[^\W\d])")
"""What stands before a whole expression, where a grammar reads it as part of the first name (`!order.isEmpty()`)."""
HALVES = ("(", "[", "!", "?", ".")
"""First characters of a receiver that is the end of one, where a grammar puts a chain's links side by side."""


def capture(grammar: Grammar, root: Node, data: bytes) -> Captures:
    """Run the grammar's query once over the tree and sort what it captures."""
    found = Captures()
    simple = {
        "comment": found.comments,
        "flow.branch": found.branches,
        "flow.loop": found.loops,
        "attribute": found.attributes,
        "contract": found.contracts,
        "call.name": found.names,
        "local": found.locals,
    }
    for pattern, captures in _matches(grammar, root, found):
        if "call" in captures:
            _take_call(found, pattern, captures, data)
            if "argument" in captures:
                found.arguments.update((node.start_byte, node.end_byte) for node in captures["argument"])
            if len(captures) <= 4 and not any(key.startswith(ERROR) for key in captures):
                continue
        if "name" in captures or "scope.type" in captures or "scope.module" in captures:
            _take_site(found, pattern, captures, data)
            continue
        for key, nodes in captures.items():
            ranges = simple.get(key)
            if ranges is not None:
                for node in nodes:
                    ranges.add((node.start_byte, node.end_byte))
            elif key == "binding":
                take_binding(found, captures, data, grammar.query.pattern_settings(pattern).get("name") or "")
            elif key in _IMPORTS:
                _take_import(found, captures, data, grammar.query.pattern_settings(pattern))
            elif (take := _TAKERS.get(key)) is not None:
                take(found, captures, data)
    add_bare_handlers(found, data)
    for start, end, _role in [key for key in found.facts if key[2] == "passes"]:
        found.facts.pop((start, end, "catch"), None)  # a type that is thrown again is not handled
    return found


def _matches(grammar: Grammar, root: Node, found: Captures) -> list[tuple[int, dict[str, list[Node]]]]:
    """Run the query with as many open possibilities as it needs, or as it can have in bounded time."""
    from tree_sitter import QueryCursor

    limit = FEW_STATES
    while True:
        cursor = QueryCursor(grammar.query, match_limit=limit)
        cursor.set_max_start_depth(DEEPEST)
        began = time.process_time()
        matches = cursor.matches(root)
        if not cursor.did_exceed_match_limit:
            return matches
        if (time.process_time() - began) * MORE_STATES**2 > PATIENCE_SECONDS:
            found.gave_up = True
            return matches
        limit *= MORE_STATES


def _take_call(found: Captures, pattern: int, captures: Captured, data: bytes) -> None:
    node = captures["call"][0]
    callee_node = captures["callee"][0] if "callee" in captures else node
    start, end, callee_start = node.start_byte, node.end_byte, callee_node.start_byte
    key = (end, -start, callee_start)
    old = found.calls.get(key)
    if old is not None and old.pattern <= pattern:
        return
    callee = data[callee_start : callee_node.end_byte].decode("utf-8", "replace")
    receiver = None
    if "receiver" in captures:
        receiver = SIGN.sub("", one_line(source_text(data, captures["receiver"][0]), RECEIVER_CAP))
    elif start > callee_start and "arguments" not in captures and data[start : start + 1] == b"(":
        if start != callee_node.end_byte:
            return  # `|order| (a, b)`: brackets, but no call
        receiver = _before(callee_start, data)
    if receiver is not None and receiver[:1] in HALVES and start > callee_start:
        receiver = one_line(_before(callee_start, data) or receiver, RECEIVER_CAP)
    arguments = captures["arguments"][0] if "arguments" in captures else None
    found.calls[key] = RawCall(start, end, callee_start, callee, receiver, arguments, pattern)
    if arguments is not None and "argument.spread" in captures:
        found.spreads.add(arguments.start_byte)


def _before(position: int, data: bytes) -> str | None:
    return joined_before(data[max(0, position - RECEIVER_CAP) : position].decode("utf-8", "replace"))


def _take_site(found: Captures, pattern: int, captures: Captured, data: bytes) -> None:
    """Record a definition or scope, or add to the one with the same name node."""
    kind, node = "", None
    for key, nodes in captures.items():
        if key.startswith(DEFINITION):
            kind, node = key[len(DEFINITION) :], nodes[0]
        elif key == "scope.type" or key == "scope.module":
            kind, node = key, nodes[0]
    name_node = captures["name"][0] if "name" in captures else None
    if name_node is not None:
        key_byte = name_node.start_byte
    elif node is not None:
        key_byte = -1 - node.start_byte
    else:
        return
    site = found.sites.get(key_byte)
    if site is None:
        name = _plain_name(source_text(data, name_node)) if name_node is not None else ""
        owner, dot, last = name.rpartition(".") if DOTTED.match(name) and kind != "scope.module" else ("", "", "")
        name = last if dot else name
        site = Site("", name, -1, -1, -1, pattern, owner, name_start=key_byte, names=[name])
        found.sites[key_byte] = site
    if node is not None and (not site.kind or pattern < site.pattern):
        site.kind, site.start, site.pattern = kind, node.start_byte, pattern
        site.end = max(site.end, node.end_byte) if site.start == node.start_byte else node.end_byte
        if site.body < 0 and (body := node.child_by_field_name("body")) is not None:
            site.body = body.start_byte
    _enrich(found, site, captures, data)


def _plain_name(text: str) -> str:
    """Return a name without what makes it a symbol or a string: `:stock`, `"stock"`."""
    text = one_line(text, NAME_CAP)
    if text[:1] == ":" and text[1:2].isalpha():
        return text[1:]
    return unquoted(text)


def _enrich(found: Captures, site: Site, captures: Captured, data: bytes) -> None:
    """Add what a match says about the definition besides its kind and range."""
    for key, nodes in captures.items():
        node = nodes[0]
        if key == "body":
            site.body = node.start_byte
            site.end = max(site.end, node.end_byte)
        elif key == "outer":
            if site.outer_start < 0 or node.start_byte < site.outer_start:
                site.outer_start = node.start_byte
            site.outer_end = max(site.outer_end, node.end_byte)
        elif key == "owner":
            site.owner = site.owner or ".".join(one_line(source_text(data, each), CALLEE_CAP) for each in nodes)
        elif key == "parameters":
            site.parameters = node
            found.parameter_lists.add((node.start_byte, node.end_byte))
        elif key == "result":
            whole = data[node.start_byte : nodes[-1].end_byte].decode("utf-8", "replace")
            site.result = site.result or one_line(whole, FACT_CAP)
        elif key == "modifier":
            site.modifiers.extend(source_text(data, each) for each in nodes)
        elif key == "extends":
            site.extends.extend(source_text(data, each) for each in nodes)
        elif key == "doc":
            site.docs.extend((each.start_byte, each.end_byte) for each in nodes)
        elif key == "comment":
            found.comments.update((each.start_byte, each.end_byte) for each in nodes)
        elif key == "attribute":
            found.attributes.update((each.start_byte, each.end_byte) for each in nodes)
        elif key == "contract":
            found.contracts.update((each.start_byte, each.end_byte) for each in nodes)
        elif key in ("scope.type", "scope.module") or key.startswith(DEFINITION):
            continue
        elif (take := _TAKERS.get(key)) is not None:
            take(found, captures, data)


def _take_order(found: Captures, captures: Captured, _data: bytes) -> None:
    scope = captures["order.scope"][0]
    firsts = found.orders.setdefault((scope.start_byte, scope.end_byte), set())
    firsts.update((node.start_byte, node.end_byte) for node in captures.get("order.first", ()))


def _take_import(found: Captures, captures: Captured, data: bytes, settings: Mapping[str, str | None]) -> None:
    """Record one imported name; an `@export` without a path renames a name of this file."""
    path = captures.get("import")
    name = captures.get("import.name") or captures.get("export")
    alias = captures.get("import.alias")
    first = path or name
    if first is None:
        return
    key = (first[0].start_byte, name[0].start_byte if name else -1)
    old = found.imports.get(key)
    longer = old is not None and path is not None and path[-1].end_byte - path[0].start_byte > len(old.path)
    if old is None or longer or (alias and not old.alias):
        spans = [data[nodes[0].start_byte : nodes[-1].end_byte] if nodes else b"" for nodes in (path, name, alias)]
        texts = [unquoted(text.decode("utf-8", "replace").strip("`<>: \n")) for text in spans]
        start = (name or first)[0].start_byte
        named, renamed = texts[1] or settings.get("name") or "", texts[2] or settings.get("alias") or ""
        found.imports[key] = RawImport(start, texts[0] or settings.get("path") or "", named, renamed)


def _take_parameter(mark: str) -> Callable[[Captures, Captured, bytes], None]:
    def take(found: Captures, captures: Captured, _data: bytes) -> None:
        for node in captures["parameter." + mark]:
            found.parameter_marks[(node.start_byte, node.end_byte)] = mark

    return take


def _take_ranges(name: str, key: str) -> Callable[[Captures, Captured, bytes], None]:
    def take(found: Captures, captures: Captured, _data: bytes) -> None:
        ranges: set[tuple[int, int]] = getattr(found, name)
        ranges.update((node.start_byte, node.end_byte) for node in captures[key])

    return take


def _take_spread(found: Captures, captures: Captured, _data: bytes) -> None:
    if "arguments" in captures:
        found.spreads.add(captures["arguments"][0].start_byte)


def _take_package(found: Captures, captures: Captured, data: bytes) -> None:
    nodes = captures["package"]  # several in a match: one stands in the other
    text = ".".join(one_line(source_text(data, node), FACT_CAP) for node in nodes)
    if len(text) > len(found.packages.get(nodes[0].start_byte, "")):
        found.packages[nodes[0].start_byte] = text


_IMPORTS = frozenset(("import", "export"))
_TAKERS: Mapping[str, Callable[[Captures, Captured, bytes], None]] = {
    **{ERROR + role: take_fact(role) for role in ERROR_ROLES if role != "catch"},
    **{"parameter." + mark: _take_parameter(mark) for mark in ("optional", "variadic", "self", "marker")},
    "argument": _take_ranges("arguments", "argument"),
    "argument.spread": _take_spread,
    "argument.whole": _take_ranges("whole_arguments", "argument.whole"),
    "binding": take_binding,
    "doc": _take_ranges("docs", "doc"),
    "error.catch": take_catch,
    "error.handler": take_handler,
    "error.kept": take_comparison("kept"),
    "error.passes": take_comparison("passes"),
    "extends": _take_ranges("extends", "extends"),
    "modifier": _take_ranges("modifiers", "modifier"),
    "order.scope": _take_order,
    "package": _take_package,
    "parameter": _take_ranges("parameters", "parameter"),
    "parameters": _take_ranges("parameter_lists", "parameters"),
    "result": _take_ranges("results", "result"),
}
