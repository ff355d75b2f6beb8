"""The cross-encoder's recipe without its model: what it learns from gives nothing away, and orders are scored rightly."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest

from training.rerank_blend import added, mixed, order_quality, out_of_fold, quality
from training.rerank_groups import WRONG, draw_group
from training.rerank_questions import _stem_key

CARD = {
    "path": "a.py", "language": "python", "kind": "function", "qualified_name": "pay", "name": "pay", "package": "",
    "signature": "def pay(bill)", "doc": "", "calls": ["charge"], "raises": [], "handles": [],
}  # fmt: skip


def candidate(doc: str = "", right: bool = False, fused: float = 0.0, path: str = "a.py") -> dict[str, Any]:
    return {"card": {**CARD, "doc": doc, "path": path}, "right": right, "fused": fused}


def row(rights: str, fused: list[float], repo: str = "one", wanted: int = 1) -> dict[str, Any]:
    candidates = [candidate(right=mark == "x", fused=score) for mark, score in zip(rights, fused, strict=True)]
    return {"repo": repo, "symbol": False, "wanted": wanted, "candidates": candidates}


def learned(said: str, docs: list[str]) -> dict[str, Any]:
    candidates = [candidate(doc, right=not number) for number, doc in enumerate(docs)]
    return {"query": said or "pay the bill", "said": said, "candidates": candidates}


@pytest.mark.parametrize("seed", range(12))
def test_the_sentence_that_asks_stands_on_no_card_and_no_card_keeps_its_own_first_one(seed: int) -> None:
    docs = ["Pays a bill. Later things.", *(f"Does task {number}. More of {number}." for number in range(WRONG))]
    group = draw_group(learned("Pays a bill", docs), random.Random(seed))
    assert group is not None
    assert not any("Pays a bill" in text or "Does task" in text for text in group.texts)
    assert len(group.texts) == WRONG + 1


def test_the_right_card_comes_first_and_other_questions_leave_documentation_alone() -> None:
    docs = ["The right one.", *("A wrong one." for _ in range(WRONG))]
    groups = [draw_group(learned("", docs), random.Random(seed)) for seed in range(20)]
    kept = [group for group in groups if group is not None and "doc:" in group.texts[0]]
    assert len(groups) > len(kept) > len(groups) / 2, "some lists go without any documentation"
    for group in kept:
        assert "The right one." in group.texts[0]
        assert all("A wrong one." in text for text in group.texts[1:])


def test_a_list_without_rivals_teaches_nothing() -> None:
    assert draw_group(learned("", ["right", "wrong"]), random.Random(0)) is None


@pytest.mark.parametrize(
    ("path", "key"),
    [
        ("src/retry.py", "retry"),
        ("tests/test_retry.py", "retry"),
        ("src/test/java/RetryPolicyTest.java", "retrypolicy"),
        ("pool.spec.ts", "pool"),
        ("retry_policy.rb", "retrypolicy"),
    ],
)
def test_a_test_is_found_by_the_name_of_what_it_tests(path: str, key: str) -> None:
    assert _stem_key(path) == key


@pytest.mark.parametrize(
    ("rights", "scores", "wanted", "expected"),
    [
        ("x..", [3.0, 2.0, 1.0], 1, 1.0),
        ("x..", [1.0, 3.0, 2.0], 1, 0.5),
        (".x.", [1.0, 3.0, 2.0], 1, 1.0),
        ("...", [3.0, 2.0, 1.0], 1, 0.0),
        ("xx.", [3.0, 1.0, 2.0], 2, 1.5 / (1 + 1 / math.log2(3))),
        ("..x", [1.0, 1.0], 1, 0.5),
    ],
    ids=["first", "third", "moved up", "missed", "two of two", "behind what was judged"],
)
def test_quality_is_ndcg_of_the_new_order(rights: str, scores: list[float], wanted: int, expected: float) -> None:
    assert quality(row(rights, [0.0] * len(rights), wanted=wanted), scores) == pytest.approx(expected)


def test_without_share_or_weight_the_order_is_the_rankers() -> None:
    rows = [row(".x.", [3.0, 2.0, 1.0])]
    judged = [[0.0, 9.0, 1.0]]
    before = quality(rows[0], [3.0, 2.0, 1.0])
    assert order_quality(rows, mixed(rows, judged, 0.0)) == order_quality(rows, added(rows, judged, 0.0)) == before
    assert order_quality(rows, mixed(rows, judged, 0.8)) == order_quality(rows, added(rows, judged, 1.0)) == 1.0


def test_a_bare_symbol_is_not_judged() -> None:
    rows = [{**row(".x.", [3.0, 2.0, 1.0]), "symbol": True}]
    assert mixed(rows, [[0.0, 9.0, 1.0]], 1.0) == [[3.0, 2.0, 1.0]]


def test_the_share_is_chosen_without_the_repository_that_it_is_measured_on() -> None:
    """One repository is harmed by the judge, eight are helped: it is held out once, and pays for their choice."""
    rows = [row(".x", [2.0, 1.0], repo=f"good {number}") for number in range(8)] + [row("x.", [2.0, 1.0], repo="bad")]
    judged = [[0.0, 1.0]] * len(rows)
    value, chosen = out_of_fold(rows, {share: mixed(rows, judged, share) for share in (0.0, 1.0)})
    assert chosen == [1.0] * 8
    assert value == pytest.approx((8 + 1 / math.log2(3)) / 9)
