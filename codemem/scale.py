"""One scale for hits of different sources: how much of the question a hit holds, 0 to 1.

Code is ranked by a sum of some thirty signals, memories by three arms: neither sum means anything beside the other. What
does is the question. The best hit of each source is measured with the same yardstick, its strength: 1 when it is what was
named or holds every word, by meaning when words are missing. The hits after it keep their order and their distance to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from codemem.text import STOP_WORDS, code_terms, stem

BODY_SHARE = 0.8
"""A word in the body of a definition, where its names and documentation do not say it: long bodies hold words by chance."""
COSINES: dict[str, tuple[float, float]] = {"static": (0.25, 0.6), "fake": (1.0, 2.0)}
"""Per embedder: the best cosine of questions that have no answer, and that of questions whose answer is certain.

Looked up for the bundled model on one library (1,000 definitions) and some memories: 0.24 at most where nothing is meant,
0.34 to 0.6 where the best hit is right. The cosines of `fake` mean nothing."""
OTHER_COSINES = (0.5, 0.9)
"""The same for a model that nobody measured: sentence transformers put unrelated short texts below 0.5."""
SCORE_DIGITS = 4


def strength(held: float, cosine: float, embedder: str, exact: bool = False) -> float:
    """Measure one hit: exactly what was asked for, else the better of its words and its meaning."""
    return 1.0 if exact else max(held, meant_share(cosine, embedder))


def held_share(question: str, named: str, body: str = "") -> float:
    """Return the share of the question's words that a hit holds; those that only its body holds count BODY_SHARE."""
    wanted = _terms(question)
    told = set(code_terms(named))
    inside = set(code_terms(body)) if body else set()
    found = sum(1.0 if term in told else BODY_SHARE if term in inside else 0.0 for term in wanted)
    return found / len(wanted) if wanted else 0.0


def meant_share(cosine: float, embedder: str) -> float:
    """Bring a cosine to 0 (chance) to 1 (certain) for the model it comes from."""
    low, high = COSINES.get(embedder.partition(":")[0], OTHER_COSINES)
    return min(max((cosine - low) / (high - low), 0.0), 1.0)


def common_scores(scores: Sequence[float], best: float) -> list[float]:
    """Bring one source's scores, highest first, to the common scale: the first weighs `best`, the others in proportion."""
    top = scores[0] if scores else 0.0
    return [round(best * max(score, 0.0) / top, SCORE_DIGITS) if top > 0 else 0.0 for score in scores]


def merged_order(*sources: Sequence[float]) -> list[tuple[int, int]]:
    """Return (source, place in it) of all hits by score; among equals the earlier source comes first."""
    places = [(-score, source, place) for source, scores in enumerate(sources) for place, score in enumerate(scores)]
    return [(source, place) for _, source, place in sorted(places)]


@lru_cache(maxsize=8)
def _terms(question: str) -> tuple[str, ...]:
    """Return the distinct terms of a question; stop words count only where there is nothing else."""
    terms = tuple(dict.fromkeys(code_terms(question)))
    stops = STOP_WORDS | {stem(word) for word in STOP_WORDS}
    return tuple(term for term in terms if term not in stops) or terms
