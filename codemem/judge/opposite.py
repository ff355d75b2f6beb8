"""What makes two claims with equal content opposite or different: poles, negations, duties, signs, directions."""

from __future__ import annotations

from codemem.judge.difference import Difference
from codemem.judge.small import small_difference
from codemem.judge.statement import Statement, Token
from codemem.judge.words import words

SAME_WAY = {"on": "in", "at": "in", "within": "in", "into": "to"}
"""Prepositions that may stand for each other."""


def polarity_difference(old: Statement, new: Statement) -> str:
    """Return what makes the two statements opposite, or an empty string."""
    table = words()
    flips: list[str] = []
    folded = 0
    left, right = _by_scale(old), _by_scale(new)
    for scale in sorted(left.keys() & right.keys()):
        mine, theirs = left[scale], right[scale]
        # Both ends may stand in one statement ("on in dev, off in prod"): each is compared with its own counterpart.
        pairs = zip(mine, theirs, strict=True) if len(mine) == len(theirs) else [(mine[-1], theirs[-1])]
        differing = [(one, other) for one, other in pairs if one.pole != other.pole]
        flips += [f"{one.text} / {other.text}" for one, other in differing]
        folded += len(differing) * (scale in table.complementary)
    # One-sided ends of an exhaustive scale ("forbidden" against "do not") count as a negation of their own.
    negative = [old.negations, new.negations]
    for side, (own, other) in enumerate(((left, right), (right, left))):
        if "allow" in own and "allow" not in other and (pole := own["allow"][-1].pole) is not None:
            negative[side] += pole[1]
    parity = negative[0] % 2 != negative[1] % 2
    if len(flips) == 1 and folded == 1 and parity:
        return ""
    if flips:
        return ", ".join(flips)
    if parity:
        return "one side is negated"
    if old.modality != new.modality and "release" in (old.modality, new.modality):
        return "one side only lifts the duty"
    if {old.modality, new.modality} == {"necessity", "possibility"}:
        return "duty against permission"
    return ""


def _by_scale(statement: Statement) -> dict[str, list[Token]]:
    found: dict[str, list[Token]] = {}
    for token in statement.tokens:
        if token.pole:
            found.setdefault(token.pole[0], []).append(token)
    return found


def hidden_difference(difference: Difference, voice: bool = True) -> str:
    """Return what differs although the content is equal: signs, directions, persons, doer and object; else nothing."""
    table = words()
    old, new = difference.old, difference.new
    if old.symbols != new.symbols:
        return f"{' '.join(old.symbols) or 'no sign'} / {' '.join(new.symbols) or 'no sign'}"
    sides = [{token.text.lower() for token in statement.tokens} for statement in (old, new)]
    ways = [{SAME_WAY.get(word, word) for word in side} & table.directions for side in sides]
    if ways[0] - ways[1] and ways[1] - ways[0]:
        return f"{' '.join(sorted(ways[0]))} / {' '.join(sorted(ways[1]))}"
    extents = table.extents
    whose = [side & (table.persons | extents) for side in sides]
    if whose[0] != whose[1] and whose[0] and whose[1] and (whose[0] | whose[1]) & table.persons:
        return f"{' '.join(sorted(whose[0]))} / {' '.join(sorted(whose[1]))}"
    if voice and (old.passive != new.passive or old.agent != new.agent):
        return "active / passive"
    return small_difference(old, new)
