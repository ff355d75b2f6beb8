"""Carry exceptions along resolved calls to a fixed point: what leaves a chunk is what it raises and what its callees let out.

Rules:
- Own facts that leave: raised and not caught around the raise; declared in code; declared in documentation when nothing else
  speaks (no call, no raise); where errors are values, returned error types with a name; a re-throw of a type when unknown
  calls stand in its `try`; panics without a recovery.
- A call lets out what leaves its target, minus what the handlers around it catch. A call of an abstract member lets out what
  leaves its implementations too; a call of equal overloads lets out what all of them let out. Guessed targets let out nothing.
- Code in lambdas, closures, generators and coroutines counts as run where it is written: it belongs to the definition around
  it, and the handlers around its text protect it.
- Where the compiler asks for declarations, a checked error of the standard library that came through a call leaves only what
  declares it: else it came into a lambda.
- Where `try` is written before what may fail, only such calls let errors out, and only of definitions that declare errors.
- Where errors are values, only calls whose error is handed on (see passing.py) let errors out.
Each error keeps the number of calls it came through. That makes the fixed point unique, so that starting from old answers
gives the same result as starting from nothing, also where functions call each other in circles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

from codemem.resolve.errors import is_caught
from codemem.resolve.leaving import (
    PANIC,
    TOO_FAR,
    Leaving,
    checked_kinds,
    let_out,
    limited,
    own_outflow,
    passes_call,
    written_facts,
)
from codemem.resolve.nodes import Edge, Node
from codemem.resolve.session import Session
from codemem.types import ChunkKey, ErrorFact, ErrorRole

_fact: Callable[[tuple[object, ...]], ErrorFact] = partial(tuple.__new__, ErrorFact)
"""A fact from all its fields: a repository has hundreds of thousands that come through callees."""
MAXIMUM_VIA = 3
"""Callees named for one error type of a chunk."""
Outflow = Mapping[Leaving, int]
"""What leaves a chunk, with the number of calls it came through."""
Known = Callable[[ChunkKey], Outflow | None]
"""What leaves a chunk as far as it is known; None is nothing."""


def outflow(node: Node, of: Known, session: Session) -> dict[Leaving, int]:
    """Work out what leaves a chunk from what leaves its callees now."""
    found = own_outflow(node, session) if node.facts else {}
    nearest_of = found.get
    for edge in node.edges:
        for _, flow in _edge_flows(node, edge, of, session):
            for error, distance in flow.items():
                distance += 1
                if distance < nearest_of(error, TOO_FAR):
                    found[error] = distance
    return limited(node, found, _itself, lambda error: checked_kinds(session, error, node.language))


def effective_contract(node: Node, of: Known, session: Session) -> tuple[ErrorFact, ...]:
    """Return the written facts and one fact per error type and callee that it comes through, few callees per type.

    `of` must be settled: what leaves the chunk itself is taken from it.
    """
    found = written_facts(node, session)
    leaving = of(node.key) or {}
    named: dict[Leaving, list[str]] = {}
    for edge in node.edges if leaving else ():
        for callee, flow in _edge_flows(node, edge, of, session):
            for error in sorted(flow):
                if error not in leaving:
                    continue
                callees = named.setdefault(error, [])
                if len(callees) < MAXIMUM_VIA and callee not in callees:
                    callees.append(callee)
                    role: ErrorRole = "panic" if error.channel == PANIC else "propagate"
                    found.append(_fact((role, error.type, edge.text, edge.line, "code", callee, (), False)))
    return tuple(found)


def settle(
    nodes: Iterable[ChunkKey],
    node_of: Callable[[ChunkKey], Node | None],
    known: dict[ChunkKey, Outflow],
    callers_of: Callable[[ChunkKey], Iterable[ChunkKey]],
    session: Session,
) -> set[ChunkKey]:
    """Bring `known` to the fixed point, beginning at `nodes`; return the chunks whose outflow changed."""
    waiting = list(dict.fromkeys(nodes))
    queued = set(waiting)
    changed: set[ChunkKey] = set()
    nothing: Outflow = {}
    position = 0
    while position < len(waiting):
        key = waiting[position]
        position += 1
        queued.discard(key)
        node = node_of(key)
        new = outflow(node, known.get, session) if node is not None and (node.facts or node.edges) else nothing
        if new == (known.get(key) or nothing):
            continue
        known[key] = new
        changed.add(key)
        for caller in callers_of(key):
            if caller not in queued:
                queued.add(caller)
                waiting.append(caller)
    return changed


def _edge_flows(node: Node, edge: Edge, of: Known, session: Session) -> Sequence[tuple[str, Outflow]]:
    """Return what a call lets out, by the callee that it comes from."""

    def passes(error: Leaving) -> bool:
        decided = passes_call(error, edge, node)
        return not is_caught(session, error.type, edge.guards, node.language) if decided is None else decided

    others = [target for target in edge.targets if target != node.key]
    flows = [(target.qualified_name, flow) for target in others if (flow := of(target))]
    return let_out(node, edge, flows, len(flows) < len(others), passes)


def _itself(error: Leaving) -> Leaving:
    return error
