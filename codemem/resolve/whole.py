"""Contracts of a whole repository at once: the fixed point of propagate.py from nothing, on numbers instead of identities.

The rules are those of leaving.py; a test holds this way against that of propagate.py, which follows changes one by one. Here
chunks and errors are numbers, only chunks that some failure can reach take part, and what a handler or a declaration says
about an error is asked once per file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from codemem.resolve.errors import is_caught
from codemem.resolve.leaving import (
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
from codemem.resolve.propagate import MAXIMUM_VIA
from codemem.resolve.session import Session
from codemem.types import ChunkKey, ErrorFact, Guard

Flow = dict[int, int]
"""Numbers of the errors that leave a chunk, with the number of calls each came through."""
NOTHING: Flow = {}
Enter = Callable[[ChunkKey], object]
"""Has the names that are looked up from now on recorded for the file of a chunk."""


class Through(NamedTuple):
    """An error that comes through a call."""

    error: Leaving
    text: str
    line: int
    callee: str


class _Way(NamedTuple):
    """A call that can let something out: callees by number, and what its handlers catch when it has some."""

    edge: Edge
    targets: tuple[int, ...]
    simple: bool
    """Whether everything that leaves a target comes through."""
    caught: _Caught | None


class _Caught(dict[int, bool]):
    """Whether handlers stop an error, asked once."""

    def __init__(self, contracts: Contracts, node: Node, guards: tuple[Guard, ...]) -> None:
        super().__init__()
        self._contracts, self._key, self._language, self._guards = contracts, node.key, node.language, guards

    def __missing__(self, error: int) -> bool:
        contracts = self._contracts
        contracts.enter(self._key)
        kind = contracts.errors[error].type
        caught = self[error] = is_caught(contracts.session, kind, self._guards, self._language)
        return caught


class _Checked(dict[int, frozenset[str] | None]):
    """The kinds of an error that the compiler asks a declaration for, None for any other; asked once per file."""

    def __init__(self, contracts: Contracts, node: Node) -> None:
        super().__init__()
        self._contracts, self._key, self._language = contracts, node.key, node.language

    def __missing__(self, error: int) -> frozenset[str] | None:
        contracts = self._contracts
        contracts.enter(self._key)
        found = self[error] = checked_kinds(contracts.session, contracts.errors[error], self._language)
        return found


class Contracts:
    """The settled contracts of all nodes of a repository."""

    def __init__(self, nodes: Mapping[ChunkKey, Node], enter: Enter, session: Session) -> None:
        self.enter = enter
        self.session = session
        self.errors: list[Leaving] = []
        self._numbers: dict[Leaving, int] = {}
        self._keys = list(nodes)
        self._nodes = list(nodes.values())
        self._own = [self._own_flow(node) if node.facts else NOTHING for node in self._nodes]
        self._flows: list[Flow] = [NOTHING] * len(self._nodes)
        self._ways: list[list[_Way]] = [[] for _ in self._nodes]
        self._orders: dict[int, list[int]] = {}
        self._caught: dict[tuple[str, str, tuple[Guard, ...]], _Caught] = {}
        self._checked: dict[tuple[str, str], _Checked] = {}
        self._settle()
        self._ranks = {number: rank for rank, number in enumerate(sorted(range(len(self.errors)), key=self._leaving))}

    def outflows(self) -> Iterator[tuple[tuple[tuple[str, str, int], ...], list[ChunkKey]]]:
        """Yield what leaves chunks, sorted, as channel, type and distance, with all chunks that just this leaves."""
        groups: dict[tuple[tuple[int, int], ...], list[ChunkKey]] = {}
        for number, flow in enumerate(self._flows):
            if flow:
                shape = tuple([(error, flow[error]) for error in self._order(number)])
                groups.setdefault(shape, []).append(self._keys[number])
        for shape, keys in groups.items():
            yield tuple([(*self.errors[error], distance) for error, distance in shape]), keys

    def contract(self, number: int) -> tuple[Iterable[ErrorFact], list[Through]]:
        """Return the written facts of the node at a position, and what comes through its calls, few callees per error."""
        node = self._nodes[number]
        facts: Iterable[ErrorFact] = node.facts
        if node.recovers or any(fact.guards for fact in node.facts):
            self.enter(node.key)
            facts = written_facts(node, self.session)
        leaving = self._flows[number]
        found: list[Through] = []
        named: dict[int, list[str]] = {error: [] for error in leaving}
        for way in self._ways[number] if leaving else ():
            edge = way.edge
            for target, errors in self._through(number, way):
                callee = self._keys[target].qualified_name
                for error in errors:
                    callees = named.get(error)
                    if callees is not None and len(callees) < MAXIMUM_VIA and callee not in callees:
                        callees.append(callee)
                        found.append(Through(self.errors[error], edge.text, edge.line, callee))
        return facts, found

    def _through(self, number: int, way: _Way) -> Iterator[tuple[int, Iterable[int]]]:
        """Yield what a call lets out at the end, sorted, by the callee that it comes from."""
        if way.simple:
            for target in way.targets:
                if self._flows[target]:
                    yield target, self._order(target)
            return
        for target, flow in self._flows_of(number, way):
            yield target, sorted(flow, key=self._ranks.__getitem__)

    def _order(self, number: int) -> list[int]:
        found = self._orders.get(number)
        if found is None:
            found = self._orders[number] = sorted(self._flows[number], key=self._ranks.__getitem__)
        return found

    def _leaving(self, error: int) -> Leaving:
        return self.errors[error]

    def _own_flow(self, node: Node) -> Flow:
        self.enter(node.key)
        flow: Flow = {}
        for error, distance in own_outflow(node, self.session).items():
            number = self._numbers.get(error)
            if number is None:
                number = self._numbers[error] = len(self.errors)
                self.errors.append(error)
            flow[number] = distance
        return flow

    def _settle(self) -> None:
        places = {key: number for number, key in enumerate(self._keys)}
        targets = [
            [tuple([places.get(target, -1) for target in edge.targets]) for edge in node.edges] for node in self._nodes
        ]
        callers: list[list[int]] = [[] for _ in self._nodes]
        for number, several in enumerate(targets):
            for target in {target for each in several for target in each}:
                if target >= 0 and target != number:
                    callers[target].append(number)
        alive = _reached([number for number, flow in enumerate(self._own) if flow], callers)
        plain: dict[int, tuple[int, ...]] = {}
        special: dict[int, list[_Way]] = {}
        for number in alive:
            ways = self._ways[number] = self._ways_out(number, targets[number], alive)
            plain[number] = tuple(dict.fromkeys(target for way in ways if way.simple for target in way.targets))
            special[number] = [way for way in ways if not way.simple]
        waiting = _callees_first(alive, self._ways)
        queued = set(waiting)
        for number in waiting:  # grows on the way
            queued.discard(number)
            new = self._outflow(number, plain[number], special[number])
            if new != self._flows[number]:
                self._flows[number] = new
                for caller in callers[number]:
                    if caller not in queued:
                        queued.add(caller)
                        waiting.append(caller)

    def _ways_out(self, number: int, targets: list[tuple[int, ...]], alive: dict[int, None]) -> list[_Way]:
        """List the calls of a chunk that can ever let something out."""
        node = self._nodes[number]
        found = []
        for edge, numbers in zip(node.edges, targets, strict=True):
            others = [target for target in numbers if target != number]
            left = tuple([target for target in others if target in alive])
            if not left or (edge.common and len(left) < len(others)):
                continue
            simple = edge.passes and not edge.guards and not edge.common and not node.recovers
            found.append(_Way(edge, left, simple, self._handlers(node, edge.guards) if edge.guards else None))
        return found

    def _handlers(self, node: Node, guards: tuple[Guard, ...]) -> _Caught:
        key = (node.key.path, node.language, guards)
        known = self._caught.get(key)
        if known is None:
            known = self._caught[key] = _Caught(self, node, guards)
        return known

    def _outflow(self, number: int, plain: tuple[int, ...], special: list[_Way]) -> Flow:
        """Work out what leaves a chunk from what leaves its callees now."""
        node = self._nodes[number]
        found = dict(self._own[number])
        nearest_of = found.get
        flows = self._flows
        for target in plain:
            for error, distance in flows[target].items():
                distance += 1
                if distance < nearest_of(error, TOO_FAR):
                    found[error] = distance
        for way in special:
            for _, flow in self._flows_of(number, way):
                for error, distance in flow.items():
                    distance += 1
                    if distance < nearest_of(error, TOO_FAR):
                        found[error] = distance
        return limited(node, found, self.errors.__getitem__, self._kinds(node)) if found else found

    def _flows_of(self, number: int, way: _Way) -> Sequence[tuple[int, Mapping[int, int]]]:
        """Return what a call with handlers, or of equal overloads, lets out."""
        node, edge, errors, caught = self._nodes[number], way.edge, self.errors, way.caught

        def passes(error: int) -> bool:
            decided = passes_call(errors[error], edge, node)
            return not (caught is not None and caught[error]) if decided is None else decided

        flows = [(target, self._flows[target]) for target in way.targets if self._flows[target]]
        return let_out(node, edge, flows, len(flows) < len(way.targets), passes)

    def _kinds(self, node: Node) -> Callable[[int], frozenset[str] | None]:
        """Return what tells the kinds of errors that are checked, asked once per file."""
        place = (node.key.path, node.language)
        checked = self._checked.get(place)
        if checked is None:
            checked = self._checked[place] = _Checked(self, node)
        return checked.__getitem__


def _reached(start: list[int], callers: list[list[int]]) -> dict[int, None]:
    """Return the numbers from which callers upwards something can leave, the given ones included."""
    found = dict.fromkeys(start)
    waiting = list(start)
    while waiting:
        for caller in callers[waiting.pop()]:
            if caller not in found:
                found[caller] = None
                waiting.append(caller)
    return found


def _callees_first(numbers: Iterable[int], ways: list[list[_Way]]) -> list[int]:
    """List callees before callers, without recursion."""
    order: list[int] = []
    seen: set[int] = set()
    for root in sorted(numbers):
        stack = [root]
        while stack:
            number = stack.pop()
            if number < 0:
                order.append(~number)
            elif number not in seen:
                seen.add(number)
                stack.append(~number)
                stack.extend([target for way in ways[number] for target in way.targets if target not in seen])
    return order
