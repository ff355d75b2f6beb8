"""What leaves a chunk: the rules of propagation, each stated once.

`propagate` follows changes from chunk to chunk, `whole` settles a repository at once; both ask here. Errors go by themselves or
by numbers: a function that takes `leaving` is told what a name stands for.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from codemem.resolve.errors import TYPE_PARAMETER, is_caught, kinds_of, rules_of
from codemem.resolve.nodes import Edge, Node
from codemem.resolve.session import Session
from codemem.types import ErrorFact

MAXIMUM_DISTANCE = 64
"""Calls an error is followed through: far beyond any readable chain, and the bound that ends circles."""
MAXIMUM_ERRORS = 32
"""Error types that leave one chunk, nearest first: an entry point that can fail in more ways says so by its number."""
TOO_FAR = MAXIMUM_DISTANCE + 1
ERROR, PANIC = "error", "panic"
ANY_PANIC = "panic"
"""Type of a panic that names none."""
ABSENT = "None"
"""The error type of an optional result."""


class Leaving(NamedTuple):
    """One way a chunk fails towards its callers."""

    channel: str
    """error or panic"""
    type: str


Name = TypeVar("Name", bound=Hashable)
"""An error: itself or its number."""
Callee = TypeVar("Callee")


def own_outflow(node: Node, session: Session) -> dict[Leaving, int]:
    """Return what leaves a chunk by its written facts alone."""
    found: dict[Leaving, int] = {}
    rules = rules_of(node.language)
    speaks = node.has_calls or any(fact.source == "code" and fact.role != "return" for fact in node.facts)
    for fact in node.facts:
        if fact.role == "panic":
            if not node.recovers and not (fact.type and is_caught(session, fact.type, fact.guards, node.language)):
                found[Leaving(PANIC, fact.type or ANY_PANIC)] = 0
        elif (
            fact.type
            and (rules.by_value or fact.role != "return")  # where errors are thrown, one that is returned is a value
            and _leaves(fact, speaks, rules.generic, node.unknown)
            and not is_caught(session, fact.type, fact.guards, node.language)
        ):
            found[Leaving(ERROR, fact.type)] = 0
    return found


def _leaves(fact: ErrorFact, speaks: bool, generic: frozenset[str], unknown: frozenset[str]) -> bool:
    if fact.role == "propagate":
        return fact.type in unknown
    if TYPE_PARAMETER.match(fact.type):
        return False
    if fact.role == "declare":
        return fact.source == "code" or not speaks
    return fact.role in ("raise", "return") and fact.type not in generic


def let_out(
    node: Node,
    edge: Edge,
    flows: Sequence[tuple[Callee, Mapping[Name, int]]],
    missing: bool,
    passes: Callable[[Name], bool],
) -> Sequence[tuple[Callee, Mapping[Name, int]]]:
    """Return what a call of `node` lets out, by the callee that it comes from.

    `flows` are what leaves its targets, without the chunk itself; `missing` says that of some target nothing leaves.
    """
    if edge.common and missing:
        return ()
    if edge.common and len(flows) > 1:
        shared = set(flows[0][1]).intersection(*(flow for _, flow in flows[1:]))
        flows = [(flows[0][0], {error: max(flow[error] for _, flow in flows) for error in shared})]
    if edge.passes and not edge.guards and not node.recovers:
        return flows
    return [(callee, {error: distance for error, distance in flow.items() if passes(error)}) for callee, flow in flows]


def passes_call(error: Leaving, edge: Edge, node: Node) -> bool | None:
    """Tell whether a call of `node` hands an error on, None where the handlers around it decide."""
    if error.channel == PANIC and (node.by_value or error.type == ANY_PANIC):
        return not node.recovers
    if not edge.passes:
        return False
    return None if edge.guards else True


def checked_kinds(session: Session, error: Leaving, language: str) -> frozenset[str] | None:
    """Return the kinds of an error that the compiler asks a declaration for, None for any other."""
    rules = rules_of(language)
    if error.channel == PANIC or not (error.type in rules.parents or error.type in rules.roots):
        return None
    kinds = kinds_of(session, error.type, language)
    return kinds if kinds.isdisjoint(rules.unchecked) else None


def limited(
    node: Node,
    found: dict[Name, int],
    leaving: Callable[[Name], Leaving],
    checked: Callable[[Name], frozenset[str] | None],
) -> dict[Name, int]:
    """Take out what the language, the declarations and the limit do not let leave; `checked` as `checked_kinds`."""
    if node.by_value and (returned := {fact.type for fact in node.facts if fact.role == "return"}):
        # An optional gives nothing else than absence, a result never does.
        found = {error: distance for error, distance in found.items() if is_returned(leaving(error), returned)}
    if rules_of(node.language).checked:
        held = _held(node, found, leaving, checked)
        found = {error: distance for error, distance in found.items() if error not in held} if held else found
    if node.silent:
        found = {error: distance for error, distance in found.items() if leaving(error).channel == PANIC}
    if len(found) > MAXIMUM_ERRORS:
        nearest = sorted(found, key=lambda error: (found[error], leaving(error)))[:MAXIMUM_ERRORS]
        found = {error: found[error] for error in nearest}
    return found


def _held(
    node: Node,
    found: Mapping[Name, int],
    leaving: Callable[[Name], Leaving],
    checked: Callable[[Name], frozenset[str] | None],
) -> set[Name]:
    """Return the errors that the compiler proves not to leave: checked, not thrown here by name and not declared.

    They came into a lambda, or are what a handler of everything throws again.
    """
    held: set[Name] = set()
    for error, distance in found.items():
        kinds = checked(error)
        if kinds is None:
            continue
        kind = leaving(error).type
        if distance == 0 and any(fact.role == "raise" and fact.type == kind for fact in node.facts):
            continue
        if kinds.isdisjoint({fact.type for fact in node.facts if fact.role == "declare"}):
            held.add(error)
    return held


def is_returned(error: Leaving, returned: set[str]) -> bool:
    """Tell whether a function with these result types can let an error out."""
    if error.channel == PANIC:
        return True
    return error.type == ABSENT if returned == {ABSENT} else error.type != ABSENT or ABSENT in returned


def written_facts(node: Node, session: Session) -> list[ErrorFact]:
    """Return the facts of a node as they are written, those that it deals with itself marked."""
    return [_written(fact, node, session) if fact.guards or node.recovers else fact for fact in node.facts]


def _written(fact: ErrorFact, node: Node, session: Session) -> ErrorFact:
    """Mark a raise that the chunk itself catches, and a panic that it recovers from."""
    recovered = fact.role == "panic" and node.recovers
    caught = fact.role == "raise" and fact.guards and is_caught(session, fact.type, fact.guards, node.language)
    if not recovered and not caught:
        return fact
    return ErrorFact(fact.role, fact.type, fact.text, fact.line, fact.source, fact.via, fact.guards, handled=True)
