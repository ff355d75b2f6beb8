"""Code and memories are measured by the question: one scale, each source's own order kept."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codemem.scale import common_scores, held_share, meant_share, merged_order, strength


@pytest.mark.parametrize(
    ("question", "named", "body", "share"),
    [
        ("freeze stock", "freezeStock", "", 1.0),
        ("freeze the stock", "we decided to freeze stocks in May", "", 1.0),
        ("freeze stock", "freeze", "", 0.5),
        ("freeze stock", "freeze", "stock = 1", 0.9),
        ("freeze stock", "", "stock freeze", 0.8),
        ("freeze stock", "orders", "orders", 0.0),
        ("why is it so", "why is it so", "", 1.0),
        ("冻结库存", "冻结库存的规则", "", 1.0),
        ("", "anything", "anything", 0.0),
        ("?!", "anything", "", 0.0),
    ],
)
def test_a_hit_holds_a_share_of_the_question(question: str, named: str, body: str, share: float) -> None:
    assert held_share(question, named, body) == pytest.approx(share)


@pytest.mark.parametrize(
    ("cosine", "embedder", "share"),
    [
        (0.25, "static", 0.0),
        (0.425, "static", 0.5),
        (0.6, "static", 1.0),
        (0.95, "static", 1.0),
        (-1.0, "static", 0.0),
        (1.0, "fake", 0.0),
        (0.7, "sentence-transformers:any", 0.5),
        (0.5, "openai:any", 0.0),
    ],
)
def test_a_cosine_counts_by_what_it_means_for_its_model(cosine: float, embedder: str, share: float) -> None:
    assert meant_share(cosine, embedder) == pytest.approx(share)


@pytest.mark.parametrize(
    ("held", "cosine", "exact", "expected"),
    [(0.2, 0.0, True, 1.0), (0.7, 0.25, False, 0.7), (0.1, 0.6, False, 1.0), (0.0, 0.0, False, 0.0)],
)
def test_strength_is_the_better_of_words_and_meaning(held: float, cosine: float, exact: bool, expected: float) -> None:
    assert strength(held, cosine, "static", exact) == expected


@pytest.mark.parametrize(
    ("scores", "best", "expected"),
    [
        ([4.0, 2.0, 1.0], 0.8, [0.8, 0.4, 0.2]),
        ([0.02], 1.0, [1.0]),
        ([3.0, -1.0], 1.0, [1.0, 0.0]),
        ([-1.0, -2.0], 1.0, [0.0, 0.0]),
        ([], 1.0, []),
    ],
)
def test_scores_of_a_source_keep_their_proportions(scores: list[float], best: float, expected: list[float]) -> None:
    assert common_scores(scores, best) == expected


def test_equals_go_to_the_earlier_source() -> None:
    assert merged_order([0.9, 0.5], [0.9, 0.7, 0.5]) == [(0, 0), (1, 0), (1, 1), (0, 1), (1, 2)]


@given(
    st.lists(st.floats(-5, 50), max_size=20).map(lambda values: sorted(values, reverse=True)),
    st.lists(st.floats(-5, 50), max_size=20).map(lambda values: sorted(values, reverse=True)),
    st.floats(0, 1),
    st.floats(0, 1),
)
def test_merging_keeps_each_order_and_loses_nothing(
    one: list[float], other: list[float], best: float, other_best: float
) -> None:
    scores = (common_scores(one, best), common_scores(other, other_best))
    assert all(0 <= score <= 1 for column in scores for score in column)
    merged = merged_order(*scores)
    for source, column in enumerate(scores):
        assert [place for where, place in merged if where == source] == list(range(len(column)))
