"""What the parameters and the receiver of a block are: read from the definition that the block is handed to."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from codemem.resolve.expressions import Step, split_top, type_name
from codemem.resolve.generics import parameter_values, substituted
from codemem.resolve.members import owner_of
from codemem.resolve.places import Place, place_of_member
from codemem.resolve.profile import profile_of
from codemem.resolve.records import Symbol
from codemem.resolve.session import Session
from codemem.resolve.signatures import RECEIVER
from codemem.resolve.values import Instance, Outside, Static, Value, declared_value

BLOCK_MARK = "=>"
"""Begins the type of a binding that a block gets: `=>-1:0:list.each` is the first parameter of the last argument of a call."""
OWN = "this"
"""Stands for the receiver of a block in the place of a parameter's number."""
DECORATION = re.compile(r"^(?:@\w+(?:\([^()]*\))?\s+|(?:suspend|inline|noinline|crossinline|sending|rethrows)\s+)+")
RECEIVED = re.compile(r"([\w.]+(?:<[^()]*>)?)\??\.\(")
LABEL = re.compile(r"^(?:_\s+)?\w+\??\s*:\s*|^(?:inout|borrowing|consuming|sending)\s+")
DELEGATES = frozenset(
    ("Action", "Func", "Predicate", "Consumer", "BiConsumer", "Function", "BiFunction", "BiPredicate", "UnaryOperator",
     "BinaryOperator", "ToIntFunction", "ToLongFunction", "ToDoubleFunction", "Comparator", "Comparison", "Converter",
     "EventHandler", "Expression")
)  # fmt: skip
"""Types of functions of the standard libraries whose type arguments are the parameters, in order."""


def block_value(
    session: Session,
    place: Place,
    spec: str,
    steps: tuple[Step, ...],
    value: Value,
    rows: Iterable[Symbol],
    iterated: Callable[[Value], Value],
) -> Value:
    """Return what a block gets: `spec` as in BLOCK_MARK, the steps of its call, the call's receiver and its definitions."""
    argument, wanted, _ = spec.split(":", 2)
    profile = place.profile
    found = tuple(rows)
    if not found:
        return _of_library(steps[-1].name, wanted, value, profile.gives_receiver, profile.gives_each, iterated)
    kinds = {text for row in found if (text := _wanted_type(row, int(argument), wanted))}
    row = found[0]
    head = session.head(row.path)
    if len(kinds) != 1 or head is None:
        return None
    text = kinds.pop()
    owner = owner_of(session, row) if row.parent else None
    if text == row.parent or text in profile.self_types:
        return value
    if text in dict(row.generics) and row.parent.rpartition("#")[2] == text:
        return value  # the type that an extension is declared for
    given = declared_value(session, text, head, place_of_member(owner, row, head).scopes)
    if owner is not None and owner.generics and isinstance(value, Instance | Static):
        given = substituted(given, parameter_values(session, value, owner))
    unknown = isinstance(given, Outside) and given.name in dict(row.generics)
    return None if unknown else given


def _of_library(
    name: str,
    wanted: str,
    value: Value,
    receiver: frozenset[str],
    each: frozenset[str],
    iterated: Callable[[Value], Value],
) -> Value:
    """Return what a function of the standard library hands to its block: its receiver, or each element of it."""
    if f"{name}.{wanted}" in receiver:
        return value
    return iterated(value) if wanted == "0" and name in each else None


def _wanted_type(row: Symbol, argument: int, wanted: str) -> str:
    """Return the written type of the block's receiver or parameter, empty when the definition does not say."""
    types = row.types[1:] if row.types and row.types[0].startswith(RECEIVER) else row.types
    if not -len(types) <= argument < len(types):
        return ""
    text = types[argument].partition(":")[2].strip()
    if "|" in text:  # one alternative of several is the function
        text = next((part.strip() for part in split_top(text, "|") if re.search("[=-]>", part)), text)
    text = DECORATION.sub("", text)
    while text.startswith("(") and text.rstrip("?!").endswith(")"):
        text = DECORATION.sub("", text.rstrip("?!")[1:-1].strip())
    if wanted == OWN:
        received = RECEIVED.match(text)
        return received.group(1) if received else ""
    if "->" not in text and "=>" not in text:
        kind = type_name(text, profile_of(row.language).nothing)
        parts = split_top(text[text.find("<") + 1 : text.rfind(">")], ",") if kind and kind.name in DELEGATES else []
        return parts[int(wanted)].strip() if int(wanted) < len(parts) else ""
    received = RECEIVED.match(text)
    opened = received.end() - 1 if received else text.find("(")
    if opened < 0 or (not received and opened > 0):
        return ""
    depth = 0
    for position in range(opened, len(text)):
        depth += (text[position] in "([<{") - (
            text[position] in ")]}" or (text[position] == ">" and text[position - 1] not in "-=")
        )
        if depth == 0:
            parts = [part for part in split_top(text[opened + 1 : position], ",") if part.strip()]
            return LABEL.sub("", parts[int(wanted)].strip()) if int(wanted) < len(parts) else ""
    return ""
