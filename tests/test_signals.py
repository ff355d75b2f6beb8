"""The table of signals and its weights: every row in range, every demotion a demotion, every number reviewed."""

from __future__ import annotations

import json
import math
from importlib.resources import files

import numpy as np
import pytest

from codemem.question import read_question, synonym_groups
from codemem.roles import is_test
from codemem.signals import PHRASES, SIGNALS, Definition, Evidence, load_weights, path_matches, signal_matrix, weigh
from codemem.text import stem

NAMES = tuple(signal.name for signal in SIGNALS)
DEMOTIONS = {
    "beside",
    "data",
    "depth",
    "example",
    "generated",
    "name_length",
    "name_parts",
    "prose",
    "test",
    "vendored",
}
MODELS = ("hybrid", "keyword")


def evidence(query: str, *paths: str, **columns: object) -> Evidence:
    """Describe candidates by their paths alone; every column that is not given is zero."""
    question = read_question(query)
    zeros = np.zeros(len(paths))
    plain = dict.fromkeys(("prose", "data", "generated", "indegree", "calls", "units", "files", "coverage", "documented", "mentions", "importing", "handing_on", "delegated", "using", "size", "unit_cosine", "file_cosine", "raising", "handling", "calling", "phrases", "letter"), zeros)  # fmt: skip
    known = Evidence(
        question=question,
        related={stem(part): frozenset(synonym_groups().get(stem(part), ())) for part in question.parts},
        path_matches=path_matches(question, paths),
        paths=paths,
        idf=dict.fromkeys(question.parts, 1.0),
        definitions=tuple(() for _ in paths),
        tests=np.array([float(is_test(path)) for path in paths]),
        **plain,
    )
    return known._replace(**columns)  # type: ignore[arg-type]


def value(signal: str, query: str, path: str, **columns: object) -> float:
    row = next(row for row in SIGNALS if row.name == signal)
    return float(row.column(evidence(query, path, **columns))[0])


def found(**changes: object) -> Definition:
    plain = Definition(1, "class", 1, written=True, nested=False, exact_case=True, scoped=False, files=1)
    return plain._replace(**changes)  # type: ignore[arg-type]


def test_names_are_unique_and_every_signal_has_a_phrase_and_a_reason() -> None:
    assert len(set(NAMES)) == len(NAMES)
    assert all(PHRASES[row.name] and row.reason and row.low < row.high for row in SIGNALS)


@pytest.mark.parametrize("model", MODELS)
def test_every_signal_is_weighed_and_nothing_else(model: str) -> None:
    assert set(load_weights(model)) == set(NAMES)


@pytest.mark.parametrize("model", MODELS)
def test_a_demotion_demotes_and_nothing_else_does(model: str) -> None:
    for name, weight in load_weights(model).items():
        assert weight <= 0 if name in DEMOTIONS else weight >= 0, name


def test_without_vectors_their_signals_do_not_count() -> None:
    assert load_weights("keyword")["meaning"] == load_weights("keyword")["file_meaning"] == 0


def test_the_file_of_weights_has_these_models_only() -> None:
    table = json.loads(files("codemem.signals").joinpath("weights.json").read_text("utf-8"))
    assert tuple(sorted(table)) == (*MODELS, "span")


@pytest.mark.parametrize(
    ("signal", "query", "path", "expected"),
    [
        ("file_name", "rate limit", "src/rate_limit.go", 1.0),
        ("file_name", "rate", "src/rate_limit.go", 0.5),
        ("file_name", "configuration", "src/config.go", 0.8),
        ("file_name", "delete", "src/remove.go", 0.8),
        ("file_name", "order", "src/mux.go", 0.0),
        ("file_name", "extract", "axum/src/extract/mod.rs", 1.0),
        ("file_name", "serde derive", "serde_derive/src/lib.rs", 1.0),
        ("file_name", "URL-encoded form", "src/urlencoded.ex", 1.0),
        ("file_name_joined", "rate limit", "src/rate_limit.go", 1.5),
        ("file_name_joined", "rate", "src/rate.go", 1.0),
        ("file_name_joined", "limit the rate", "src/rate_limit.go", 0.0),
        ("folder", "middleware order", "src/middleware/log.go", 1.0),
        ("path", "order log", "order/log.py", 1.0),
        ("path", "order log", "order/mux.py", 0.5),
        ("initials", "template haskell", "src/TH.hs", 1.0),
        ("initials", "template haskell", "src/T.hs", 0.0),
        ("named_path", "order/log.py", "src/order/log.py", 1.0),
        ("named_path", "order/log", "src/order/log.py", 1.0),
        ("named_path", "src/order", "src/order/log.py", 0.5),
        ("named_path", "at Log.java:12", "src/Log.java", 1.0),
        ("named_path", "a/b/log.py:3", "src/order/log.py", 0.3),
        ("depth", "x", "a.py", 0.0),
        ("depth", "x", "a/b/c.py", math.log(3)),
        ("test", "order", "tests/test_order.py", 1.0),
        ("test", "testing order", "tests/test_order.py", 0.0),
        ("test_wanted", "tests for order", "tests/test_order.py", 1.0),
        ("test_wanted", "order", "tests/test_order.py", 0.0),
        ("example", "order", "examples/order.py", 1.0),
        ("example_wanted", "example of an order", "examples/order.py", 1.0),
        ("vendored", "order", "vendor/order.py", 1.0),
        ("name_length", "x", "src/rate_limit_window.go", 3.0),
        ("name_length", "x", "src/rate.go", 1.0),
        ("name_parts", "x", "src/Serializer.Json.cs", 1.0),
        ("name_parts", "x", "src/Serializer.cs", 0.0),
        ("name_parts", "x", "Makefile", 0.0),
    ],
)
def test_a_path_gives(signal: str, query: str, path: str, expected: float) -> None:
    assert value(signal, query, path) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("signal", "definition", "expected"),
    [
        ("definition", found(), 1.0),
        ("definition", found(kind="method"), 0.6),
        ("definition", found(nested=True), 0.75),
        ("definition", found(files=4), 0.5),
        ("definition", found(written=False), 0.0),
        ("definition_case", found(exact_case=False), 0.0),
        ("definition_case", found(), 1.0),
        ("definition_scope", found(scoped=True), 1.0),
        ("definition_scope", found(), 0.0),
        ("definition_joined", found(written=False, words=2), 1.0),
        ("definition_joined", found(written=False, words=1), 0.0),
        ("definition_word", found(written=False, words=1), 1.0),
    ],
)
def test_a_definition_gives(signal: str, definition: Definition, expected: float) -> None:
    assert value(signal, "x", "a.py", definitions=((definition,),)) == pytest.approx(expected)


def test_of_several_definitions_the_best_counts() -> None:
    assert value("definition", "x", "a.py", definitions=((found(kind="field"), found()),)) == 1.0


@pytest.mark.parametrize(
    ("query", "definition", "expected"),
    [
        ("Order", found(), 1.0),
        ("Order", found(kind="field", nested=True), 0.35 * 0.75),
        ("Order", found(exact_case=False), 0.0),
        ("where is Order defined", found(), 0.0),
    ],
)
def test_a_bare_symbol_asks_for_its_definition(query: str, definition: Definition, expected: float) -> None:
    assert value("definition_asked", query, "a.py", definitions=((definition,),)) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("query", "expected"),
    [("retry limit", 1.0), ("where is the retry limit configured", 0.0), ("mail.host", 0.0), ("max_attempts", 0.0)],
)
def test_data_is_demoted_unless_settings_are_asked_for(query: str, expected: float) -> None:
    assert value("data", query, "limits.json", data=np.ones(1)) == expected


def test_a_file_is_vouched_for_by_the_best_of_its_folder() -> None:
    row = next(row for row in SIGNALS if row.name == "neighbours")
    known = evidence("x", "a/1.py", "a/2.py", "a/3.py", "b/4.py", units=np.array([0.2, 0.6, 1.0, 0.9]))
    assert row.column(known).tolist() == pytest.approx([0.8, 0.6, 0.4, 0.0])


def test_cosines_are_compared_with_the_best() -> None:
    row = next(row for row in SIGNALS if row.name == "file_meaning_share")
    known = evidence("x", "1.py", "2.py", file_cosine=np.array([0.8, 0.4]))
    assert row.column(known).tolist() == pytest.approx([1.0, 0.5])
    assert row.column(evidence("x", "1.py", file_cosine=np.array([0.05])))[0] == pytest.approx(0.25)


def test_a_word_that_every_file_holds_matches_a_little() -> None:
    question = read_question("how chi composes middleware")
    matches = path_matches(question, ["chi.go", "middleware/log.go"], frozenset({"chi"}))
    assert (matches["chi"], matches["middlewar"]) == (0.25, 1.0)


def test_an_index_file_that_mentions_the_name_is_a_facade() -> None:
    assert value("facade", "x", "src/index.ts", mentions=np.ones(1)) == 1.0
    assert value("facade", "x", "src/other.ts", mentions=np.ones(1)) == 0.0
    assert value("facade_asked", "x", "src/index.ts", importing=np.ones(1)) == 1.0
    assert value("facade_asked", "x", "src/other.ts", importing=np.ones(1)) == 0.0
    assert value("facade_asked", "x", "src/other.ts", importing=np.ones(1), handing_on=np.ones(1)) == 1.0


def test_prose_is_demoted_unless_it_is_asked_for() -> None:
    assert value("prose", "order", "a.md", prose=np.ones(1)) == 1.0
    assert value("prose", "order documentation", "a.md", prose=np.ones(1)) == 0.0
    assert value("prose_wanted", "order documentation", "a.md", prose=np.ones(1)) == 1.0


def test_values_stay_in_their_ranges() -> None:
    known = evidence(
        "how does createOrder in src/order.py rate limit tests",
        "src/order.py", "rate_limit.go", "tests/a.py", "a/b/c/d/e/mod.rs",
        definitions=((found(),), (found(written=False, words=2),), (), (found(scoped=True),)),
        indegree=np.array([0.0, 1.0, 10.0, 1e6]),
    )  # fmt: skip
    matrix = signal_matrix(known)
    assert matrix.shape == (4, len(SIGNALS))
    for at, row in enumerate(SIGNALS):
        assert row.low <= matrix[:, at].min() <= matrix[:, at].max() <= row.high, row.name


def test_contributions_are_weight_times_value() -> None:
    matrix = np.array([[1.0, 0.5], [0.0, 2.0]])
    assert weigh(matrix, ("a", "b"), {"a": 2.0, "b": -1.0}).tolist() == [[2.0, -0.5], [0.0, -2.0]]


def test_what_works_stands_before_what_declares() -> None:
    files = evidence("retries", "a.ts", "b.ts", "c.ts", calls=np.array([0.0, 40.0, 1e7]))
    row = next(row for row in SIGNALS if row.name == "works")
    none, some, most = row.column(files)
    assert none == 0.0 and 0.4 < some < 0.6 and most == 1.0
