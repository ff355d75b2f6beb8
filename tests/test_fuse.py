"""Joining rankings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codemem.fuse import RRF_K, ranking, reciprocal_ranks, weighted_scores

RANKINGS = st.lists(st.sampled_from("abcdef"), unique=True, max_size=6)


def test_contributions_are_reciprocal_ranks() -> None:
    assert reciprocal_ranks({"bm25": ["a", "b"], "dense": ["b"]}, k=10) == {
        "a": {"bm25": 1 / 11},
        "b": {"bm25": 1 / 12, "dense": 1 / 11},
    }


def test_agreement_beats_one_first_place() -> None:
    fused = ranking(reciprocal_ranks({"one": ["a", "b"], "two": ["c", "b"]}))
    assert [key for key, _ in fused] == ["b", "a", "c"]


def test_equal_sums_keep_the_order_of_keys() -> None:
    fused = ranking(reciprocal_ranks({"one": ["b", "a"], "two": ["a", "b"]}))
    assert [key for key, _ in fused] == ["a", "b"]


def test_weighted_scores_are_shares_of_the_best() -> None:
    joined = weighted_scores({"bm25": {"a": 8.0, "b": 4.0}, "dense": {"b": 0.5}}, {"bm25": 1.0, "dense": 2.0})
    assert joined == {"a": {"bm25": 1.0}, "b": {"bm25": 0.5, "dense": 2.0}}


def test_an_arm_of_zeros_contributes_nothing() -> None:
    assert weighted_scores({"bm25": {"a": 0.0}}, {}) == {"a": {"bm25": 0.0}}


@given(RANKINGS, RANKINGS)
def test_every_key_of_any_arm_is_ranked_once(one: list[str], two: list[str]) -> None:
    fused = ranking(reciprocal_ranks({"one": one, "two": two}))
    assert sorted(key for key, _ in fused) == sorted({*one, *two})
    assert [score for _, score in fused] == sorted((score for _, score in fused), reverse=True)


@given(RANKINGS)
def test_one_arm_keeps_its_order(arm: list[str]) -> None:
    assert [key for key, _ in ranking(reciprocal_ranks({"only": arm}))] == arm


@given(RANKINGS, RANKINGS)
def test_the_order_of_arms_does_not_matter(one: list[str], two: list[str]) -> None:
    forward = ranking(reciprocal_ranks({"one": one, "two": two}))
    backward = ranking(reciprocal_ranks({"two": two, "one": one}))
    assert [key for key, _ in forward] == [key for key, _ in backward]


def test_the_best_possible_score_is_known() -> None:
    assert ranking(reciprocal_ranks({"one": ["a"], "two": ["a"]}))[0][1] == pytest.approx(2 / (RRF_K + 1))
