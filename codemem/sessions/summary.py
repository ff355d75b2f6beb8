"""Summarise a conversation by its own sentences: decisions first, then the most central ones in order. Deterministic.

Centrality is the mean cosine of a sentence to all others, by the vectors of the store's own embedder; the first user turn
and the newest turns weigh a little more, because they say what was asked for and where it stands.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from codemem.sessions.extract import extract, sentences
from codemem.sessions.window import Message

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CONSIDERED = 400
"""Sentences looked at, the newest first: centrality costs their square."""
FIRST_TURN_BONUS = 0.15
RECENCY_BONUS = 0.10
"""Added to a cosine that is at most one."""
MIN_CHARACTERS = 20
"""Shorter sentences ("ok, thanks") say nothing in a summary."""

Count = Callable[[str], int]
Embed = Callable[[Sequence[str]], "NDArray[np.float32]"]


def summarize(messages: Sequence[Message], max_tokens: int, count: Count, embed: Embed) -> str:
    """Return a Markdown summary of at most `max_tokens` tokens, empty when nothing fits or nothing was said."""
    talk = [message for message in messages if message.role in ("user", "assistant") and message.kind == "chat"]
    decisions = [item.text for item in extract(talk)]
    rows = [(message, sentence) for message in talk for sentence in sentences(message.text)]
    taken = {text.casefold() for text in decisions}
    rows = [row for row in rows if len(row[1]) >= MIN_CHARACTERS and row[1].casefold() not in taken][-CONSIDERED:]
    ranked = _by_weight(rows, talk, embed)
    summary = ""
    chosen_decisions: list[str] = []
    chosen: list[int] = []
    for text in decisions:
        attempt = _render([*chosen_decisions, text], [])
        if count(attempt) <= max_tokens:
            chosen_decisions.append(text)
            summary = attempt
    for index in ranked:
        attempt = _render(chosen_decisions, [rows[at] for at in sorted([*chosen, index])])
        if count(attempt) <= max_tokens:
            chosen.append(index)
            summary = attempt
    return summary


def _by_weight(rows: Sequence[tuple[Message, str]], talk: Sequence[Message], embed: Embed) -> list[int]:
    """Return the indexes of `rows`, most central first; ties by position."""
    if not rows:
        return []
    vectors = embed([sentence for _, sentence in rows])
    centrality = vectors @ vectors.mean(axis=0)
    first_user = next((message.seq for message in talk if message.role == "user"), None)
    weights = []
    for index, (message, _) in enumerate(rows):
        weight = float(centrality[index]) + RECENCY_BONUS * (index + 1) / len(rows)
        weights.append(weight + (FIRST_TURN_BONUS if message.seq == first_user else 0.0))
    return sorted(range(len(rows)), key=lambda index: (-round(weights[index], 6), index))


def _render(decisions: Sequence[str], rows: Sequence[tuple[Message, str]]) -> str:
    parts: list[str] = []
    if decisions:
        parts += ["## Decisions and wishes", *(f"- {text}" for text in decisions)]
    if rows:
        parts += ["## What was said", *(f"- {message.role}: {text}" for message, text in rows)]
    return "\n".join(parts)
