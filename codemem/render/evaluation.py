"""Measures of search quality as tables and JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from codemem.evaluation import Change, Comparison, Score, Summary
from codemem.render.safe import one_line
from codemem.render.table import table_text

SHOWN_CHANGES = 10
HEADER = ("", "questions", "NDCG@10", "95 % interval", "R@1", "R@5", "R@10", "MRR", "tokens")


def summaries_text(groups: Sequence[Summary]) -> str:
    """Render one row per group of questions."""
    rows = [
        (
            one_line(one.group), str(one.questions), f"{one.ndcg:.3f}", f"{one.low:.3f} to {one.high:.3f}", f"{one.recall_1:.2f}",
            f"{one.recall_5:.2f}", f"{one.recall_10:.2f}", f"{one.mrr:.3f}", f"{one.tokens:.0f}",
        )
        for one in groups
    ]  # fmt: skip
    return table_text(rows, header=HEADER)


def comparison_text(comparison: Comparison) -> str:
    """Say how this run differs from a kept one, the questions that moved most first."""
    difference = comparison.after - comparison.before
    lines = [
        f"{comparison.questions} questions of both runs: {comparison.before:.3f} -> {comparison.after:.3f} "
        f"({difference:+.3f}, 95 % interval {comparison.low:+.3f} to {comparison.high:+.3f})"
    ]
    lines += _changes("worse", comparison.worse) + _changes("better", comparison.better)
    if comparison.only_before or comparison.only_after:
        lines.append(f"only in the kept run: {comparison.only_before}; only in this one: {comparison.only_after}")
    return "\n".join(lines)


def evaluation_document(
    groups: Sequence[Summary], scores: Sequence[Score], comparison: Comparison | None
) -> dict[str, object]:
    """Build the document of `eval --json`."""
    return {
        "summaries": [asdict(group) for group in groups],
        "scores": [asdict(score) for score in scores],
        "comparison": asdict(comparison) if comparison else None,
    }


def _changes(title: str, changes: Sequence[Change]) -> list[str]:
    if not changes:
        return []
    rows = [(f"  {one.before:.2f} -> {one.after:.2f}", one_line(one.question)) for one in changes[:SHOWN_CHANGES]]
    more = [f"  … and {len(changes) - SHOWN_CHANGES} more"] if len(changes) > SHOWN_CHANGES else []
    return [f"{title}: {len(changes)}", *table_text(rows).split("\n"), *more]
