"""One claim with its clauses or its voice turned round."""

from __future__ import annotations

import re

from codemem.judge.shape import content_keys, is_light, opens_clause, puts_in_order
from codemem.judge.statement import Statement
from codemem.judge.voice import in_active_order

SHORTEST_ROTATION = 3
"""A turned-round sentence needs three tokens: with two, turning round is swapping."""
PURPOSE = re.compile(r"(?:in order )?to ([a-z]+)\b[^,]*, ", re.I)


def is_other_voice(old: Statement, new: Statement) -> bool:
    """Say whether one statement is the other in the passive, with doer and object in their places."""
    if old.passive == new.passive or puts_in_order(old):
        return False
    passive, active = (old, new) if old.passive else (new, old)
    light = [token for token in passive.frame if is_light(token)]
    return in_active_order(passive, light) == content_keys(active)


def is_turned_round(old: Statement, new: Statement) -> bool:
    """Say whether one statement is the other with a clause moved to the front, the clause opened by a function word."""
    left, right = list(old.keys), list(new.keys)
    if len(left) < SHORTEST_ROTATION:
        return False
    if _purpose_moved(old.text, new.text) or _purpose_moved(new.text, old.text):
        return any(left[cut:] + left[:cut] == right for cut in range(1, len(left)))
    for cut in range(1, len(left)):
        if left[cut:] + left[:cut] == right:
            moved = (
                opens_clause(old, cut),
                opens_clause(new, len(left) - cut),
                opens_clause(old, 0),
                opens_clause(new, 0),
            )
            return any(moved)
    return False


def _purpose_moved(first: str, second: str) -> bool:
    """Say whether `first` begins with what for ("To start it, run …") and `second` says so later ("Run … to start it")."""
    begun = PURPOSE.match(first.strip())
    return (
        begun is not None and re.search(rf"\w\s*(?:to|in order to) {re.escape(begun[1])}\b", second, re.I) is not None
    )
