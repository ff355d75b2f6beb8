"""What one step learns from: a question, its right card and some wrong ones, changed so that no card gives itself away."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from typing import Any

from training.rerank_lists import text_of

WRONG = 7
"""Wrong cards in a list beside the right one."""
HARD = 14
"""Wrong cards are drawn from the first so many candidates."""
OPENINGS = ("", "", "", "", "how ", "where is ", "how does it ", "code that ", "what ", "implementation of ")
"""What people put before what they look for."""
NO_DOC_SHARE = 0.2
"""Cards of a list without any documentation: many repositories have none."""


@dataclass(frozen=True, slots=True)
class Group:
    """One list to learn from; the right card comes first."""

    query: str
    texts: tuple[str, ...]


def draw_group(row: dict[str, Any], chooser: random.Random) -> Group | None:
    """Draw one right and some wrong cards; what the question was taken from is cut out of all of them alike."""
    right = [one for one in row["candidates"] if one["right"]]
    wrong = [one for one in row["candidates"] if not one["right"]][:HARD]
    if not right or len(wrong) < WRONG:
        return None
    chosen = [right[0], *chooser.sample(wrong, WRONG)]
    bare = chooser.random() < NO_DOC_SHARE
    texts = tuple(_text(one, row["said"], bare) for one in chosen)
    opening = chooser.choice(OPENINGS)
    query = row["query"]
    return Group(opening + (query[0].lower() + query[1:] if opening else query), texts)


def _text(candidate: dict[str, Any], said: str, bare: bool) -> str:
    """Return the card's text; when the question is a sentence of documentation, every card loses its first one."""
    card = candidate["card"]
    doc = "" if bare else card["doc"]
    if said and doc:
        flat = " ".join(doc.split())
        doc = flat.replace(said, " ") if said in flat else re.sub(r"^.*?[.!?](\s|$)", "", flat, count=1)
        doc = "" if doc == flat else doc
    return text_of({"card": {**card, "doc": doc}})
