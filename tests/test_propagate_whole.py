"""Contracts of a whole repository at once are those that following changes one by one gives."""

from __future__ import annotations

import random

import pytest

from codemem.resolve.leaving import MAXIMUM_ERRORS, Leaving
from codemem.resolve.nodes import Edge, Node
from codemem.resolve.propagate import Outflow, effective_contract, settle
from codemem.resolve.session import Session
from codemem.resolve.universe import universe_of
from codemem.resolve.whole import Contracts, Through
from codemem.types import ChunkKey, ErrorFact, Guard
from tests.test_propagate import CONTRACTS, contracts, parse_folder

LANGUAGES = ("java", "python", "go", "rust", "swift")
KINDS = ("IOException", "IllegalStateException", "SQLException", "Failure", "None", "ValueError", "OSError")


def at_once(nodes: dict[ChunkKey, Node], session: Session) -> tuple[dict[ChunkKey, Outflow], list[list[object]]]:
    whole = Contracts(nodes, lambda key: None, session)
    known: dict[ChunkKey, Outflow] = {}
    for flow, keys in whole.outflows():
        assert list(flow) == sorted(flow)
        known.update({key: {Leaving(channel, kind): distance for channel, kind, distance in flow} for key in keys})
    return known, [[*facts, *through] for facts, through in map(whole.contract, range(len(nodes)))]


def one_by_one(nodes: dict[ChunkKey, Node], session: Session) -> tuple[dict[ChunkKey, Outflow], list[list[object]]]:
    known: dict[ChunkKey, Outflow] = {}
    callers: dict[ChunkKey, list[ChunkKey]] = {}
    for node in nodes.values():
        for edge in node.edges:
            for target in edge.targets:
                callers.setdefault(target, []).append(node.key)
    settle(nodes, nodes.get, known, lambda key: callers.get(key, ()), session)
    return {key: flow for key, flow in known.items() if flow}, [
        [as_through(fact) for fact in effective_contract(node, known.get, session)] for node in nodes.values()
    ]


def as_through(fact: ErrorFact) -> object:
    if not fact.via:
        return fact
    channel = "panic" if fact.role == "panic" else "error"
    return Through(Leaving(channel, fact.type), fact.text, fact.line, fact.via)


def any_node(number: int, size: int, language: str, draw: random.Random) -> Node:
    def guards() -> tuple[Guard, ...]:
        kinds = tuple(draw.sample((*KINDS, "Exception", "*"), draw.choice((1, 1, 2))))
        return (Guard(kinds, draw.random() < 0.3, draw.choice((0, 1))),) if draw.random() < 0.3 else ()

    roles = ("raise", "raise", "declare", "return", "panic", "propagate", "catch")
    facts = tuple(
        ErrorFact(draw.choice(roles), draw.choice(KINDS), "x", line, "code", None, guards())
        for line in range(draw.choice((0, 0, 1, 2)))
    )
    edges = tuple(
        Edge(
            tuple(key_of(draw.randrange(size + 2)) for _ in range(draw.choice((1, 1, 1, 2, 3)))),
            line, f"call{line}", guards(), draw.random() < 0.9, draw.random() < 0.15,
        )
        for line in range(draw.choice((0, 1, 2, 4)))
    )  # fmt: skip
    by_value = language in ("go", "rust")
    return Node(key_of(number), language, facts, edges, bool(edges), frozenset(), by_value, draw.random() < 0.1)


def key_of(number: int) -> ChunkKey:
    return ChunkKey(f"file{number % 7}.x", f"name{number}", 0)


@pytest.mark.parametrize("folder", sorted(CONTRACTS.iterdir()), ids=lambda folder: folder.name)
def test_contracts_of_the_fixtures(folder) -> None:  # type: ignore[no-untyped-def]
    files = parse_folder(folder)
    _, _, nodes = contracts(files)
    session = Session(universe_of(files))
    assert at_once(nodes, session) == one_by_one(nodes, session)


@pytest.mark.parametrize("seed", range(60))
def test_contracts_of_any_graph_with_circles(seed: int) -> None:
    draw = random.Random(seed)
    size = draw.choice((3, 10, 40))
    language = draw.choice(LANGUAGES)
    nodes = {node.key: node for node in (any_node(number, size, language, draw) for number in range(size))}
    session = Session(universe_of([]))
    assert at_once(nodes, session) == one_by_one(nodes, session)


def test_more_errors_than_are_kept() -> None:
    raised = [
        Node(key_of(n), "python", (ErrorFact("raise", f"Error{n:02}", "x", 1, "code"),), ())
        for n in range(2 * MAXIMUM_ERRORS)
    ]
    far, near = raised[:MAXIMUM_ERRORS], raised[MAXIMUM_ERRORS:]
    between = Node(key_of(100), "python", (), tuple(Edge((node.key,), 1, "f") for node in far))
    top = Node(key_of(101), "python", (), (Edge((between.key,), 1, "g"), *(Edge((node.key,), 2, "h") for node in near)))
    nodes = {node.key: node for node in (top, between, *raised)}
    session = Session(universe_of([]))
    known, facts = at_once(nodes, session)
    assert (known, facts) == one_by_one(nodes, session)
    assert set(known[top.key]) == {Leaving("error", f"Error{n:02}") for n in range(MAXIMUM_ERRORS, 2 * MAXIMUM_ERRORS)}


def test_what_contracts_look_up_is_recorded_for_the_file_that_asks() -> None:
    session = Session(universe_of([]))
    recorded: dict[str, set[str]] = {}
    guard = (Guard(("Failure",)),)
    low = Node(key_of(0), "python", (ErrorFact("raise", "ValueError", "x", 1, "code"),), ())
    callers = [Node(key_of(n), "python", (), (Edge((low.key,), 1, "f", guard),)) for n in (1, 2, 9)]
    nodes = {node.key: node for node in (low, *callers)}
    Contracts(nodes, lambda key: session.record_in(recorded.setdefault(key.path, set())), session)
    assert "ValueError" in recorded["file1.x"] and "ValueError" in recorded["file2.x"]
