"""The checks that the grammar folder carries, over the whole table."""

from __future__ import annotations

import ast
import os
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from outline import EXPECTED, FIXTURES, fixture_files, outline, parse_fixture

from codemem import languages
from codemem.languages import LanguageRow, detect_language, language_table, load_grammar, query_text
from codemem.parse.file import CHUNKERS
from codemem.parse.records import PREDICATES, VOCABULARY

ROOT = Path(__file__).parent.parent
GRAMMARS = ROOT / "grammars"
TABLE = language_table()
PARSED = [name for name, row in TABLE.items() if row.chunker == "grammar"]
WRITE = os.environ.get("CODEMEM_SNAPSHOT") == "write"


def normalised(requirement: str) -> str:
    return re.split(r"[<>=!~ \[;]", requirement)[0].lower().replace("_", "-")


@pytest.mark.parametrize("name", PARSED)
def test_every_query_compiles_and_uses_the_closed_vocabulary(name: str) -> None:
    query = load_grammar(name).query
    captures = {query.capture_name(index) for index in range(query.capture_count)}
    assert {each for each in captures if not each.startswith("_")} <= VOCABULARY


@pytest.mark.parametrize("name", PARSED)
def test_every_predicate_is_one_that_is_evaluated(name: str) -> None:
    assert set(re.findall(r"#([\w-]+[?!])", query_text(TABLE[name]))) <= PREDICATES


@pytest.mark.parametrize("name", PARSED)
def test_settings_stand_before_predicates(name: str) -> None:
    """py-tree-sitter 0.26 corrupts memory when `#set!` follows another predicate of its pattern."""
    for text in (text for _, _, text in _patterns(TABLE[name])):
        found = re.findall(r"#([\w-]+[?!])", text)
        assert "set!" not in found[1:]


def test_rows_are_sorted_and_claim_names_once() -> None:
    rows = list(tomllib.loads((GRAMMARS / "languages.toml").read_text(encoding="utf-8")))
    assert rows == sorted(rows)
    for field in ("extensions", "names", "shebangs", "modes"):
        claimed = [key for row in TABLE.values() for key in getattr(row, field)]
        assert sorted(claimed) == sorted(set(claimed)), field
    assert all(key == key.lower() and key.startswith(".") for row in TABLE.values() for key in row.extensions)


def test_every_query_file_has_a_row_and_every_row_its_files() -> None:
    rows = languages._all_rows()
    queries = {path.stem for path in GRAMMARS.glob("*.scm")}
    assert queries == {name for name, row in rows.items() if row.chunker == "grammar"}
    dependencies = {
        normalised(each)
        for each in tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    }
    for name, row in TABLE.items():
        assert row.chunker in CHUNKERS
        assert (FIXTURES / name).is_dir() and fixture_files(name), f"no fixture for {name}"
        assert all(alternative.language in TABLE for alternative in row.alternatives)
        if row.module:
            assert row.distribution in dependencies


@pytest.mark.parametrize("name", TABLE)
def test_fixtures_are_detected_as_their_language(name: str) -> None:
    for path in fixture_files(name):
        assert detect_language(path.name, path.read_text(encoding="utf-8")) == name


@pytest.mark.parametrize("name", TABLE)
def test_outline_of_the_fixture_equals_expected(name: str) -> None:
    found = outline(name)
    expected = FIXTURES / name / EXPECTED
    if WRITE:
        expected.write_text(found, encoding="utf-8")
    assert found == expected.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", [name for name in TABLE if TABLE[name].contract])
def test_samples_show_what_the_language_is_said_to_support(name: str) -> None:
    chunks = [chunk for path in fixture_files(name) for chunk in parse_fixture(path, name).chunks]
    roles = {fact.role for chunk in chunks for fact in chunk.contract}
    assert any(chunk.doc for chunk in chunks)
    assert max(len(chunk.calls) for chunk in chunks) >= 3
    assert roles & {"raise", "return", "panic"}


def test_every_pattern_matches_in_a_fixture() -> None:
    """Inherited files count when any of the languages that use them exercises the pattern."""
    silent: dict[tuple[str, int], str] = {}
    heard: set[tuple[str, int]] = set()
    for name in PARSED:
        patterns = list(_patterns(TABLE[name]))
        matched = _matched(name)
        for index, (file, start, text) in enumerate(patterns):
            if index in matched:
                heard.add((file, start))
            else:
                silent[(file, start)] = text
    missing = {key: text for key, text in silent.items() if key not in heard}
    assert not missing, "\n".join(f"{file}.scm: {' '.join(text.split())[:150]}" for (file, _), text in missing.items())


ALSO_WORDS = {"bash", "json", "make", "markdown", "text", "toml"}
"""Names that are output formats, shells or field names too: the code may spell them in that sense."""


def test_no_language_is_named_in_the_code() -> None:
    named = [
        f"{path.relative_to(ROOT)}:{node.lineno} {node.value}"
        for path in sorted((ROOT / "codemem").rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and node.value in set(TABLE) - ALSO_WORDS
    ]
    assert not named


def _patterns(row: LanguageRow) -> Iterator[tuple[str, int, str]]:
    """Yield file, byte offset in that file and text of each pattern of the row's query."""
    query = load_grammar(row.name).query
    data = query_text(row).encode()
    starts: list[tuple[int, str]] = []
    offset = 0
    for name in (*row.inherits, row.name):
        starts.append((offset, name))
        offset += len((GRAMMARS / f"{name}.scm").read_bytes()) + 1
    for index in range(query.pattern_count):
        begin, end = query.start_byte_for_pattern(index), query.end_byte_for_pattern(index)
        base, name = max(each for each in starts if each[0] <= begin)
        yield name, begin - base, data[begin:end].decode()


def _matched(name: str) -> set[int]:
    from tree_sitter import Parser, QueryCursor

    grammar = load_grammar(name)
    return {
        pattern
        for path in fixture_files(name)
        for pattern, _ in QueryCursor(grammar.query).matches(
            Parser(grammar.language).parse(path.read_bytes()).root_node
        )
    }
