"""Which unit of a file is shown: rows of what each signal says, and the choice that the shipped weights make."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.quality.learn_spans import is_right
from codemem.retrieval.unit_signals import SPAN_SIGNALS, FileUnits, span_matrix
from codemem.signals import load_weights
from codemem.store.candidates import CandidateUnit


def unit(kind: str, start: int, end: int) -> CandidateUnit:
    return CandidateUnit(start, 1, kind, kind, kind, kind, "", 0, start, end)


def signal(file: FileUnits, name: str) -> list[float]:
    column: list[float] = span_matrix(file)[:, SPAN_SIGNALS.index(name)].round(6).tolist()
    return column


def units(*rows: CandidateUnit, words: list[float] | None = None, sure: list[bool] | None = None) -> FileUnits:
    none = [0.0] * len(rows)
    said = np.array(words or none)
    return FileUnits(
        rows,
        said,
        said,
        said,
        [row.kind == "lines" for row in rows],
        none,
        sure or [False] * len(rows),
        [row.qualified_name == "tests.it" for row in rows],
        none,
    )


def test_words_count_as_shares_of_the_best_unit_of_the_file() -> None:
    file = units(unit("method", 10, 20), unit("method", 30, 40), words=[0.02, 0.01])
    assert signal(file, "words") == [1.0, 0.5]
    assert signal(file, "coverage") == [1.0, 0.5]


def test_a_small_cosine_is_no_meaning_even_when_it_is_the_best() -> None:
    assert signal(units(unit("method", 10, 20), words=[0.05]), "meaning") == [0.25]


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (unit("class", 1, 11), {"container": 1, "large_container": 0, "bare": 0, "preamble": 0}),
        (unit("class", 1, 400), {"container": 1, "large_container": round(np.log(400 / 20), 6), "bare": 0, "preamble": 0}),
        (unit("method", 1, 400), {"container": 0, "large_container": 0, "bare": 0, "preamble": 0}),
        (unit("field", 3, 3), {"container": 0, "large_container": 0, "bare": 1, "preamble": 0}),
        (unit("lines", 1, 30), {"container": 0, "large_container": 0, "bare": 0, "preamble": 1}),
        (unit("lines", 40, 70), {"container": 0, "large_container": 0, "bare": 0, "preamble": 0}),
    ],
)  # fmt: skip
def test_the_shape_of_a_unit(row: CandidateUnit, expected: dict[str, float]) -> None:
    assert {name: signal(units(row), name)[0] for name in expected} == expected


def test_tests_inside_a_source_file_come_after_what_they_test() -> None:
    rows = (unit("function", 30, 40)._replace(qualified_name="tests.it"), unit("function", 10, 20))
    assert signal(units(*rows), "inner_test") == [1.0, 0.0]
    assert signal(units(*rows, sure=[True, True]), "inner_test") == [0.0, 0.0]


def test_what_the_question_names_is_not_doubted_for_its_kind() -> None:
    file = units(unit("class", 1, 400), sure=[True])
    assert [signal(file, name) for name in ("container", "large_container", "bare", "preamble")] == [[0.0]] * 4


def chosen(file: FileUnits) -> str:
    weights = load_weights("span")
    values = span_matrix(file) @ np.array([weights[name] for name in SPAN_SIGNALS])
    return file.units[int(values.argmax())].kind


@pytest.mark.parametrize(
    ("file", "kind"),
    [
        (units(unit("class", 10, 400), unit("method", 50, 70), words=[1.0, 0.9]), "method"),
        (units(unit("class", 10, 400), unit("method", 50, 70), words=[1.0, 0.1]), "class"),
        (units(unit("lines", 1, 60), unit("function", 70, 90), words=[1.0, 0.95]), "function"),
        (units(unit("field", 10, 10), unit("method", 50, 70), words=[1.0, 0.9]), "method"),
    ],
)
def test_the_weights_prefer_what_does_the_thing(file: FileUnits, kind: str) -> None:
    assert chosen(file) == kind


def test_no_units_have_no_rows() -> None:
    assert span_matrix(units()).shape == (0, len(SPAN_SIGNALS))


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=8))
def test_shares_stay_between_nothing_and_one(words: list[float]) -> None:
    file = units(*(unit("method", 10 * at + 1, 10 * at + 5) for at in range(len(words))), words=words)
    for name in ("words", "coverage", "meaning"):
        assert all(0.0 <= value <= 1.0 for value in signal(file, name))


@pytest.mark.parametrize(
    ("first", "last", "kind", "right"),
    [
        (20, 40, "method", True),  # the answer itself
        (18, 42, "method", True),  # most of it is the answer
        (25, 30, "function", True),  # inside it
        (25, 25, "field", False),  # a declaration inside it says nothing
        (1, 400, "class", False),  # a class around it, while a method is there
        (41, 60, "method", False),
    ],
)
def test_which_units_learning_takes_for_right(first: int, last: int, kind: str, right: bool) -> None:
    around = [unit("class", 1, 400), unit("method", 20, 40)]
    one = unit(kind, first, last)
    assert is_right(one, [(20, 40)], [*around, one]) is right
