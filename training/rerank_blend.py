"""How a judge's scores are joined with the ranker's, and how good the order is that results; out of fold by repository."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter
from typing import Any

from codemem.rerank import blend

RANKS = 10
FOLDS = 8
SHARES = (0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0)
"""Shares of the judge in the product's blend."""
WEIGHTS = (0.0, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.6, 1.0)
"""Weights of the judge as one more signal of the linear ranker."""

Lists = Sequence[dict[str, Any]]
Scores = list[list[float]]


def mixed(rows: Lists, scores: Scores, share: float) -> Scores:
    """Blend as the product does; a bare symbol is not judged."""
    return _join(rows, scores, lambda fused, judged: list(blend(fused, judged, share).scores))


def added(rows: Lists, scores: Scores, weight: float) -> Scores:
    """Add the judge's score, measured from the mean of the list, as a signal of this weight."""
    return _join(rows, scores, lambda fused, judged: [
        one + weight * (other - sum(judged) / len(judged)) for one, other in zip(fused, judged, strict=True)
    ])  # fmt: skip


def _join(rows: Lists, scores: Scores, join: Callable[[list[float], list[float]], list[float]]) -> Scores:
    result = []
    for row, judged in zip(rows, scores, strict=True):
        fused = [one["fused"] for one in row["candidates"][: len(judged)]]
        result.append(fused if row["symbol"] or len(fused) < 2 else join(fused, judged))
    return result


def quality(row: dict[str, Any], scores: Sequence[float]) -> float:
    """Return NDCG@10 of the list in the order of `scores`; candidates behind those keep their places."""
    order = sorted(range(len(scores)), key=lambda at: (-round(scores[at], 9), at))
    places = [*order, *range(len(scores), len(row["candidates"]))]
    gain = sum(1 / math.log2(rank + 2) for rank, at in enumerate(places[:RANKS]) if row["candidates"][at]["right"])
    return gain / sum(1 / math.log2(rank + 2) for rank in range(min(RANKS, max(1, row["wanted"]))))


def order_quality(rows: Lists, scores: Scores, key: str = "repo") -> float:
    """Return the mean over repositories of the mean NDCG@10."""
    means = by(rows, scores, itemgetter(key))
    return sum(means.values()) / len(means)


def by(rows: Lists, scores: Scores, key: Callable[[dict[str, Any]], str]) -> dict[str, float]:
    found: dict[str, list[float]] = {}
    for row, one in zip(rows, scores, strict=True):
        found.setdefault(key(row), []).append(quality(row, one))
    return {name: sum(values) / len(values) for name, values in sorted(found.items())}


def out_of_fold(rows: Lists, variants: Mapping[float, Scores]) -> tuple[float, list[float]]:
    """Choose the share on the other repositories, fold by fold; return the mean over repositories and the choices."""
    repos = sorted({row["repo"] for row in rows})
    found = {share: by(rows, scores, itemgetter("repo")) for share, scores in variants.items()}
    total, chosen = 0.0, []
    for fold in range(FOLDS):
        held = repos[fold::FOLDS]
        rest = [repo for repo in repos if repo not in held]
        best = max(found, key=lambda share: sum(found[share][repo] for repo in rest))
        chosen.append(best)
        total += sum(found[best][repo] for repo in held)
    return total / len(repos), chosen


def report(name: str, rows: Lists, scores: Scores) -> None:
    """Print what each share and each weight gives, and by category and language what the best share changes."""
    for label, numbers, join in (("share", SHARES, mixed), ("signal", WEIGHTS, added)):
        variants = {number: join(rows, scores, number) for number in numbers}
        means = {number: order_quality(rows, found) for number, found in variants.items()}
        print(f"{name}, {len(rows)} questions, {label}:", " ".join(f"{at}: {value:.4f}" for at, value in means.items()))
        value, chosen = out_of_fold(rows, variants)
        print(f"  without {means[0.0]:.4f}, chosen out of fold {value:.4f} {chosen}")
        best = max(means, key=lambda number: means[number])
        for key in ("kind", "language"):
            before, after = (by(rows, variants[at], itemgetter(key)) for at in (0.0, best))
            print(f"  {key} at {best}:", {one: f"{before[one]:.3f} {after[one]:.3f}" for one in before})
