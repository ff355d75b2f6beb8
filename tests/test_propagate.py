"""Contracts: what leaves a definition, against answers written beside the code of fixtures/contracts."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

import pytest

from codemem.languages import detect_language
from codemem.parse import parse_file
from codemem.resolve.calls import resolve_file
from codemem.resolve.leaving import Leaving
from codemem.resolve.nodes import Node, node_of_chunk
from codemem.resolve.propagate import Outflow, effective_contract, settle
from codemem.resolve.records import FileFacts
from codemem.resolve.session import Session
from codemem.resolve.universe import facts_of, universe_of
from codemem.types import ChunkKey, ErrorFact, SourceFile

CONTRACTS = Path(__file__).parents[1] / "fixtures" / "contracts"
ANSWER = re.compile(r"leaves: ([^\n]+)")
ENTRY = re.compile(r"([\w.]+!?)(?: \(([^)]*)\))?")
Answer = dict[str, frozenset[str]]


def parse_folder(folder: Path) -> list[FileFacts]:
    files = []
    for path in sorted(folder.rglob("*.*")):
        content = path.read_text("utf-8")
        name = path.relative_to(folder).as_posix()
        files.append(facts_of(parse_file(SourceFile(name, detect_language(name, content), content, ""))))
    return files


def contracts(
    files: list[FileFacts],
) -> tuple[dict[ChunkKey, tuple[ErrorFact, ...]], dict[ChunkKey, Outflow], dict[ChunkKey, Node]]:
    session = Session(universe_of(files))
    nodes: dict[ChunkKey, Node] = {}
    callers: Mapping[ChunkKey, list[ChunkKey]] = defaultdict(list)
    for facts in files:
        for chunk, resolved in zip(facts.chunks, resolve_file(facts, session).chunks, strict=True):
            node = nodes[chunk.key] = node_of_chunk(chunk, resolved, session)
            for edge in node.edges:
                for target in edge.targets:
                    callers[target].append(chunk.key)
    known: dict[ChunkKey, Outflow] = {}
    settle(nodes, nodes.get, known, lambda key: callers.get(key, ()), session)
    effective = {
        key: effective_contract(node, lambda target: known.get(target, {}), session) for key, node in nodes.items()
    }
    return effective, known, nodes


def written_answers() -> list[tuple[str, str, str]]:
    rows = []
    for folder in sorted(CONTRACTS.iterdir()):
        for facts in parse_folder(folder):
            for chunk in facts.chunks:
                found = ANSWER.findall(chunk.doc)
                if found:
                    rows.append((folder.name, chunk.qualified_name, found[0]))
    return rows


def read_answer(text: str) -> Answer:
    if text.strip() == "nothing":
        return {}
    return {
        kind: frozenset(name.strip() for name in via.split(",") if name.strip()) for kind, via in ENTRY.findall(text)
    }


@pytest.fixture(scope="module")
def given() -> dict[str, dict[str, Answer]]:
    answers: dict[str, dict[str, Answer]] = {}
    for folder in CONTRACTS.iterdir():
        effective, known, _ = contracts(parse_folder(folder))
        rows = answers[folder.name] = {}
        for key, outflow in known.items():
            row = rows[key.qualified_name] = {}
            for leaving in outflow:
                via = {fact.via for fact in effective[key] if fact.via and fact.type == leaving.type}
                row[leaving.type + ("!" if leaving.channel == "panic" else "")] = frozenset(via)
    return answers


ROWS = written_answers()


def test_there_are_cases_enough() -> None:
    assert len(ROWS) >= 40
    assert {language for language, _, _ in ROWS} >= {"go", "java", "php", "python", "rust", "swift", "typescript"}


@pytest.mark.parametrize(("language", "name", "text"), ROWS, ids=[f"{row[0]}:{row[1]}" for row in ROWS])
def test_what_leaves_a_definition(given: dict[str, dict[str, Answer]], language: str, name: str, text: str) -> None:
    assert given[language].get(name, {}) == read_answer(text)


def test_leaving_is_ordered_for_stable_output() -> None:
    assert sorted([Leaving("panic", "a"), Leaving("error", "b"), Leaving("error", "a")]) == [
        Leaving("error", "a"),
        Leaving("error", "b"),
        Leaving("panic", "a"),
    ]
