"""Cut what is shown of a hit: whole lines without gaps around the line that matches best."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from codemem.text import WHOLE, code_terms

SNIPPET_LINES = 18
"""Lines shown: 15 to 20 cut the tokens to the first relevant hit from 441 to 359 at no loss worth naming."""
WHOLE_LINES = 22
"""A unit of so many lines is shown whole: cutting the last few saves nothing."""
LINES_BEFORE = 5
"""Lines above the best line when the unit's head is too far away to be shown with it."""
HEAD_BONUS = 0.5
"""Advantage of the first lines (share of the question): a definition's head says more than a line of its body."""
HEAD_LINES = 2
WINDOW = 3
"""Lines whose words count together: a statement spans that many."""


class Snippet(NamedTuple):
    """Lines `first` to `last` of the file and the line among them that matches best."""

    first: int
    last: int
    best: int
    text: str


def cut_snippet(
    lines: Sequence[str], start: int, end: int, weights: dict[str, float], head: int = 0, answer: int = 0
) -> Snippet:
    """Cut a snippet out of lines `start` to `end` (1-based) of a file.

    `weights` gives the value of each index term; `head` is the line of the definition's name, `answer` the line that is known to
    answer, both 0 when there is none.
    """
    end = min(end, len(lines))
    start = max(1, min(start, end))
    best = answer if start <= answer <= end else best_line(lines, start, end, weights, head or start)
    if end - start < WHOLE_LINES:
        first, last = start, end
    elif best - start < SNIPPET_LINES - LINES_BEFORE:
        # The head and the best line fit into one window: keep the head.
        first, last = start, start + SNIPPET_LINES - 1
    else:
        first = min(best - LINES_BEFORE, end - SNIPPET_LINES + 1)
        last = first + SNIPPET_LINES - 1
    while last > first and not lines[last - 1].strip():
        last -= 1
    return Snippet(first, last, best, "\n".join(lines[first - 1 : last]))


def best_line(lines: Sequence[str], start: int, end: int, weights: dict[str, float], head: int) -> int:
    """Return the line with the most of the question in it and in the lines after it; the head wins when in doubt."""
    if not weights:
        return head
    total = sum(weights.values())
    found = [{term for term in code_terms(lines[at - 1]) if term in weights} for at in range(start, end + 1)]
    best, best_score = head, 0.0
    for at in range(start, end + 1):
        own = sum(weights[term] for term in found[at - start])
        if not own:
            continue
        near = set().union(*found[at - start : at - start + WINDOW])
        score = own + 0.5 * sum(weights[term] for term in near)
        if head <= at < head + HEAD_LINES:
            score += HEAD_BONUS * total
        if score > best_score + 1e-9:
            best, best_score = at, score
    return best


def term_weights(information: dict[str, float]) -> dict[str, float]:
    """Turn the information of the question's words (stems) into weights of terms; whole identifiers count too."""
    weights = dict(information)
    for term, value in information.items():
        weights.setdefault(WHOLE + term, value)
    return weights
