"""What fuzzing found (`python -m benchmarks.fuzz`), kept: each row once broke a bound or a promise."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from codemem.parse import parse_file
from codemem.types import SourceFile
from tests.command_line import codemem, write_files

SLOW_TEXTS = {
    "a type of four thousand parts": (
        "kotlin",
        "class A {\n    fun f(): A" + ".a" * 4_400 + "\n}\n",
        "too many ways to read this text",
    ),
    "one step of the parser reads all that is left": ("dart", "é" * 60_000, "the grammar found no end"),
    "a broken place of a hundred thousand pieces": ("bash", "(" * 140_000, "139,999 pieces"),
}
"""Each took 15 to 60 seconds, and none is parsed to the end now."""


@pytest.mark.parametrize(("language", "content", "why"), SLOW_TEXTS.values(), ids=SLOW_TEXTS.keys())
def test_a_text_that_takes_for_ever_is_given_up_and_says_so(language: str, content: str, why: str) -> None:
    parsed = parse_file(SourceFile("x", language, content, ""))
    assert any(why in problem.message for problem in parsed.problems)
    assert parsed.chunks


def test_broken_source_does_not_stay_in_memory() -> None:
    source = SourceFile("x.lua", "lua", "local x = 1\n" * 20 + "=> " * 1_500, "")
    parse_file(source)
    before = sys.getallocatedblocks()
    for _ in range(5):
        parse_file(source)
    assert sys.getallocatedblocks() - before < 20_000  # the slices alone were 8,000 a time


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_files(tmp_path, {"a.py": "def alpha():\n    return beta()\n"})
    assert codemem("index", folder=tmp_path).code == 0
    return tmp_path


@pytest.mark.parametrize("arguments", [("--calls",), ("--path",), ("--raises",), ()])
def test_half_characters_of_an_argument_are_looked_up_as_what_they_are(
    folder: Path, arguments: tuple[str, ...]
) -> None:
    half = b"b\xff".decode("utf-8", "surrogateescape")
    run = codemem("search", "--json", *arguments, *([half] if arguments else []), "--", f"alpha {half}", folder=folder)
    assert run.code in (0, 1) and "internal error" not in run.err
    assert [hit["path"] for hit in run.json["hits"]] == ([] if arguments else ["a.py"])


@pytest.mark.parametrize("command", ["callers", "show", "trace", "raises", "outline"])
def test_half_characters_are_an_unknown_symbol(folder: Path, command: str) -> None:
    run = codemem(command, b"\xff".decode("utf-8", "surrogateescape"), folder=folder)
    assert run.code in (1, 2) and "internal error" not in run.err


@pytest.mark.parametrize(
    "row",
    [
        {"content": "a", "scope": "GLOBAL", "createdTime": float("nan")},
        {"content": "a", "scope": "GLOBAL", "createdTime": 10**30},
        {"content": "a", "scope": "GLOBAL", "id": ["a"]},
        {"content": "\ud800", "scope": "GLOBAL"},
    ],
)
def test_a_smilecli_row_of_another_kind_is_reported_or_taken(folder: Path, row: dict[str, object]) -> None:
    files = {
        "in/long_term_memories.json": json.dumps([row]),
        "in/memory_embeddings.json": json.dumps([{"memoryId": [1]}]),
    }
    write_files(folder, dict(files))
    run = codemem("memory", "import", "in", "--format", "smilecli", "--json", folder=folder)
    assert "internal error" not in run.err and run.code in (0, 1, 2)


@pytest.mark.parametrize(
    ("pattern", "found"),
    [("[z-a].py", False), ("[a--].py", False), ("[--a].py", True), ("[[a&&].py", True), ("[a||b].py", True), ("[\\a].py", True),
     ("[!a].py", False), ("[!z-a].py", True), ("[a-z].py", True), ("[", False)],
)  # fmt: skip
def test_a_class_in_a_path_pattern_is_read_as_it_stands(folder: Path, pattern: str, found: bool) -> None:
    run = codemem("search", "--json", "--path", pattern, "--", "alpha", folder=folder)
    assert [hit["path"] for hit in run.json["hits"]] == (["a.py"] if found else [])
