"""Measures, saved runs and the gate of `codemem eval`."""

from __future__ import annotations

import json
import math

import pytest

from codemem.errors import BadInput
from codemem.evaluation import (
    TOKENS_WHEN_MISSED,
    EvalQuestion,
    Score,
    Target,
    bootstrap,
    compare,
    covers,
    ndcg,
    passes_gate,
    read_questions,
    read_run,
    read_target,
    recall,
    run_document,
    score_answer,
    summarize,
)
from codemem.types import Chunk, Hit


def hit(path: str, name: str = "", start: int = 1, end: int = 9, text: str = "x") -> Hit:
    return Hit(Chunk(path, "python", "function", name, name, 0, start, end), 1.0, start, end, text, {})


def score(question: str, value: float, category: str = "symbol", language: str = "python") -> Score:
    return Score(question, category, language, (1,), value, 1.0, 1.0, 1.0, 1.0, 100)


@pytest.mark.parametrize(
    ("ranks", "value"),
    [
        ((1,), 1.0),
        ((2,), 1 / math.log2(3)),
        ((0,), 0.0),
        ((1, 2), 1.0),
        ((1, 1), 1 / (1 + 1 / math.log2(3))),
        ((1, 0), 1 / (1 + 1 / math.log2(3))),
        ((), 0.0),
    ],
)
def test_ndcg_is_that_of_the_public_benchmark(ranks: tuple[int, ...], value: float) -> None:
    assert ndcg(ranks) == pytest.approx(value)


def test_recall_counts_targets_within_a_depth() -> None:
    assert [recall((1, 6, 0), depth) for depth in (1, 5, 10)] == [1 / 3, 1 / 3, 2 / 3]


@pytest.mark.parametrize(
    ("written", "target"),
    [
        ("src/a.py", Target(path="src/a.py")),
        ("src/a.py#Order#pay", Target(path="src/a.py", symbol="Order#pay")),
        ("money.py", Target(path="money.py")),
        ("Order#pay", Target(symbol="Order#pay")),
        ("createOrder", Target(symbol="createOrder")),
        ({"path": "a.py", "start_line": 3, "end_line": 9}, Target(path="a.py", start_line=3, end_line=9)),
    ],
)
def test_a_target_is_a_path_a_symbol_or_lines(written: str | dict[str, object], target: Target) -> None:
    assert read_target(written) == target


@pytest.mark.parametrize(
    ("target", "covered"),
    [
        ("pkg/a.py", True),
        ("a.py", True),
        ("root/pkg/a.py", True),
        ("b.py", False),
        ("xa.py", False),
        ("pkg/a.py#Order#pay", True),
        ("pkg/a.py#pay", True),
        ("pkg/a.py#ay", False),
        ("Order#pay", True),
        ("Order.pay", True),
        ("Order::pay", True),
        ("Other#pay", False),
        ({"path": "a.py", "start_line": 20, "end_line": 30}, True),
        ({"path": "a.py", "start_line": 31, "end_line": 40}, False),
    ],
)
def test_a_hit_covers_what_it_shows(target: str | dict[str, object], covered: bool) -> None:
    assert covers(read_target(target), "pkg/a.py", "Order#pay", 10, 30) is covered


def test_a_second_hit_of_a_covered_file_gains_nothing_and_takes_a_rank() -> None:
    question = EvalQuestion("pay", (Target("a.py"), Target("b.py")))
    assert score_answer(question, [hit("a.py"), hit("a.py"), hit("b.py")]).ranks == (1, 3)


def test_tokens_are_counted_up_to_the_first_relevant_hit() -> None:
    question = EvalQuestion("pay", (Target("b.py"),))
    found = score_answer(
        question, [hit("a.py", text="one two"), hit("b.py", text="three"), hit("c.py", text="four " * 99)]
    )
    missed = score_answer(question, [hit("a.py")])
    assert (0 < found.tokens < 20, missed.tokens) == (True, TOKENS_WHEN_MISSED)


def test_groups_are_summarized_apart() -> None:
    rows = summarize([score("a", 1.0), score("b", 0.5), score("c", 0.0, "semantic")], "category")
    assert [(row.group, row.questions, row.ndcg) for row in rows] == [("semantic", 1, 0.0), ("symbol", 2, 0.75)]


def test_the_interval_holds_the_mean_and_narrows_with_agreement() -> None:
    low, high = bootstrap([0.0, 1.0] * 20)
    assert low < 0.5 < high
    assert bootstrap([0.7] * 20) == pytest.approx((0.7, 0.7))
    assert bootstrap([]) == (0.0, 0.0)


def test_a_comparison_says_what_got_worse() -> None:
    found = compare(
        [score("a", 1.0), score("b", 0.5), score("gone", 1.0)], [score("a", 0.2), score("b", 0.9), score("new", 1.0)]
    )
    assert [(c.question, c.before, c.after) for c in found.worse] == [("a", 1.0, 0.2)]
    assert [c.question for c in found.better] == ["b"]
    assert (found.questions, found.only_before, found.only_after) == (2, 1, 1)
    assert found.after - found.before == pytest.approx(-0.2)


@pytest.mark.parametrize(("tolerated", "passes"), [(0.0, False), (0.1, False), (0.2, True)])
def test_the_gate_tolerates_a_stated_drop(tolerated: float, passes: bool) -> None:
    assert passes_gate(compare([score("a", 1.0)], [score("a", 0.8)]), tolerated) is passes


def test_a_gate_without_common_questions_fails() -> None:
    assert not passes_gate(compare([score("a", 1.0)], [score("b", 1.0)]), 1.0)


def test_a_saved_run_reads_back() -> None:
    scores = (score("a", 0.25), score("ü", 1.0))
    assert read_run(json.dumps(run_document(scores, {"commit": "abc"}))) == scores


@pytest.mark.parametrize(
    "text", ["", "{}", "[1]", '{"format": 99, "scores": []}', '{"format": 1, "scores": [{"x": 1}]}']
)
def test_anything_else_is_no_run(text: str) -> None:
    with pytest.raises(BadInput):
        read_run(text)


def test_questions_are_read_line_by_line() -> None:
    text = '{"question": "pay", "relevant": ["a.py"], "category": "x"}\n\n{"query": "go", "relevant": ["B#c"]}\n'
    assert read_questions(text) == (
        EvalQuestion("pay", (Target(path="a.py"),), "x"),
        EvalQuestion("go", (Target(symbol="B#c"),)),
    )


@pytest.mark.parametrize(
    "line",
    ["no json", "[]", '{"question": "a"}', '{"question": " ", "relevant": ["a"]}', '{"question": "a", "relevant": []}'],
)
def test_a_bad_line_is_named(line: str) -> None:
    with pytest.raises(BadInput, match="line 2"):
        read_questions('{"question": "a", "relevant": ["a.py"]}\n' + line)


def test_an_empty_file_is_refused() -> None:
    with pytest.raises(BadInput, match="no questions"):
        read_questions("\n")
