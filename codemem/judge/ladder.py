"""The similarity ladder: cheap measures that nominate a pair of texts for the judge. None of them decides anything."""

from __future__ import annotations

import re
from typing import NamedTuple

from codemem.judge.statement import read_statement
from codemem.judge.words import is_han

JACCARD_LEAST = 0.7
"""On 3-grams (2-grams for ideographs); on sets of characters 0.7 would call two of three unrelated sentences similar."""
LEVENSHTEIN_LEAST = 0.8
LEVENSHTEIN_LONGEST = 50
"""Characters; edit distance says nothing about long texts and costs their product."""
CONTAINS_TOKENS = 3
CONTAINS_SHARE = 0.5
"""The shorter text needs this many content tokens, and this share of the longer one's."""


class Similarity(NamedTuple):
    """The highest rung two texts reach, and the measures."""

    rung: str
    """exact, contains, ngrams, edits, or an empty string."""
    score: float
    jaccard: float
    edits: float


def similarity(first: str, second: str) -> Similarity:
    """Measure two texts from the top of the ladder down."""
    one, two = _folded(first), _folded(second)
    jaccard = ngram_jaccard(one, two)
    edits = edit_similarity(one, two) if max(len(one), len(two)) < LEVENSHTEIN_LONGEST else 0.0
    if one == two:
        return Similarity("exact", 1.0, 1.0, 1.0)
    if contains(first, second):
        return Similarity("contains", max(jaccard, CONTAINS_SHARE), jaccard, edits)
    if jaccard >= JACCARD_LEAST:
        return Similarity("ngrams", jaccard, jaccard, edits)
    if edits >= LEVENSHTEIN_LEAST:
        return Similarity("edits", edits, jaccard, edits)
    return Similarity("", max(jaccard, edits), jaccard, edits)


def contains(first: str, second: str) -> bool:
    """Say whether the shorter text stands in the longer one, on token boundaries, and makes up enough of it."""
    short, long = sorted((read_statement(first).keys, read_statement(second).keys), key=len)
    if len(short) < CONTAINS_TOKENS or len(short) < CONTAINS_SHARE * len(long):
        return False
    return any(long[start : start + len(short)] == short for start in range(len(long) - len(short) + 1))


def ngram_jaccard(first: str, second: str) -> float:
    """Return shared over all character n-grams."""
    one, two = _ngrams(first), _ngrams(second)
    return len(one & two) / len(one | two) if one or two else 0.0


def edit_similarity(first: str, second: str) -> float:
    """Return 1 minus the Levenshtein distance over the longer length."""
    if not first or not second:
        return float(first == second)
    previous = list(range(len(second) + 1))
    for row, left in enumerate(first, 1):
        current = [row]
        for column, right in enumerate(second, 1):
            current.append(min(previous[column] + 1, current[-1] + 1, previous[column - 1] + (left != right)))
        previous = current
    return 1 - previous[-1] / max(len(first), len(second))


def _folded(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip().casefold()


def _ngrams(text: str) -> set[str]:
    size = 2 if any(map(is_han, text)) else 3
    return {text[start : start + size] for start in range(max(1, len(text) - size + 1))}
