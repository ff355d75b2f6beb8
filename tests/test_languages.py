"""The language table: which file is what."""

from __future__ import annotations

import pytest

from codemem.languages import detect_language, fallback_language, grammar_fingerprint, known_by_name, language_table


@pytest.mark.parametrize(
    ("path", "content", "language"),
    [
        ("a/b/order.py", "", "python"),
        ("ORDER.PY", "", "python"),
        ("types.d.ts", "", "typescript"),
        ("view.tsx", "", "tsx"),
        ("x.mjs", "", "javascript"),
        ("SConstruct", "", "python"),
        ("notes.txt", "", "text"),
        ("LICENSE", "MIT", "text"),
        ("data.unknown", "", "text"),
        (".gitignore", "*", "text"),
        ("run", "#!/usr/bin/env python3\nprint()", "python"),
        ("run", "#!/usr/bin/python3.11 -u\n", "python"),
        ("run", "#!/usr/bin/env -S node --harmony\n", "javascript"),
        ("run", "#! /usr/bin/env FOO=1 ruby\n", "ruby"),
        ("run", "#!/opt/strange\n", "text"),
        ("run", "#!", "text"),
        ("api.h", "int add(int a, int b);\n", "c"),
        ("api.h", "namespace shop {\nclass Order;\n}\n", "cpp"),
        ("guide.md", "", "markdown"),
        ("deploy.yml", "", "yaml"),
        ("orders.ipynb", "{}", "jupyter"),
        ("trailing.", "", "text"),
        ("", "", "text"),
    ],
)
def test_language_of_a_file(path: str, content: str, language: str) -> None:
    assert detect_language(path, content) == language


def test_a_name_is_known_when_the_table_claims_it() -> None:
    assert known_by_name("a.py") and known_by_name("README.md")
    assert not known_by_name("a.xyz") and not known_by_name("notes.txt")


def test_the_table_is_sorted_and_has_one_fallback() -> None:
    table = language_table()
    assert list(table) == sorted(table)
    assert [name for name, row in table.items() if row.fallback] == [fallback_language()]


def test_the_fingerprint_is_stable() -> None:
    first = grammar_fingerprint()
    grammar_fingerprint.cache_clear()
    assert grammar_fingerprint() == first
