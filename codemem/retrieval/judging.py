"""Let a cross-encoder judge the best candidates again, by the card of the span that each would show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemem.card import Card, card_text, interface_card
from codemem.question import Question
from codemem.resolve import shown_calls
from codemem.retrieval.spans import Ranked, units_of
from codemem.store import Store
from codemem.store.graph import load_resolved

if TYPE_CHECKING:
    from codemem.rerank import Reranker
    from codemem.retrieval.candidates import Candidates
    from codemem.retrieval.view import LexicalScores, View

JUDGED = 100
"""Candidates that are judged: the right file is among them nearly always, and each costs a pass of the model."""


def judge_again(
    store: Store,
    view: View,
    question: Question,
    lexical: LexicalScores,
    candidates: Candidates,
    ranked: Ranked,
    judge: Reranker,
) -> tuple[Ranked, tuple[str, ...]]:
    """Return the ranking with the judge's scores blended in, and remarks; a bare symbol is not for judging.

    Raises ProviderError or ModelMissing when the judge cannot answer.
    """
    import numpy as np

    from codemem.rerank import blend

    if question.symbol or len(ranked.order) < 2:
        return ranked, ()
    judged = best_cards(store, view, lexical, candidates, ranked, JUDGED)
    texts = [card_text(card) for _, card in judged]
    fused = dict(zip(ranked.order, ranked.scores, strict=True))
    blended = blend([fused[at] for at, _ in judged], judge.judge(question.text, texts))
    if blended.warning:
        return ranked, (blended.warning,)
    # Judged candidates lead, in their new order; the contribution of the judge is what its answer changed.
    change = np.zeros(len(ranked.contributions))
    scores = {at: score for (at, _), score in zip(judged, blended.scores, strict=True)}
    least = min(scores.values())
    rest = [at for at in ranked.order if at not in scores]
    for at in rest:
        scores[at] = least + min(0.0, fused[at] - min(fused[one] for one, _ in judged))
    for at, score in scores.items():
        change[at] = score - fused[at]
    order = sorted(scores, key=lambda at: (-round(scores[at], 9), at))
    contributions = np.column_stack((ranked.contributions, change))
    return Ranked(tuple(order), tuple(scores[at] for at in order), contributions, (*ranked.names, "judge")), ()


def best_cards(
    store: Store, view: View, lexical: LexicalScores, candidates: Candidates, ranked: Ranked, count: int
) -> list[tuple[int, Card]]:
    """Return the first `count` candidates (positions) in their order, each with the card of the span it would show."""
    found = [(at, units_of(store, view, lexical, candidates, at)) for at in ranked.order[:count]]
    shown = [(at, units[0][1]) for at, units in found if units]
    chunks = load_resolved(store.connection, [chunk for _, chunk in shown], with_text=False)
    cards = []
    for at, chunk_id in shown:
        chunk = chunks[chunk_id]
        cards.append((at, interface_card(chunk, shown_calls(chunk.calls, chunk.language), chunk.contract)))
    return cards
