"""Two statements aligned: what only one of them has, and how much they share."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from difflib import SequenceMatcher

from codemem.judge.shape import is_soft
from codemem.judge.statement import Statement, Token
from codemem.judge.words import words

LIVING = frozenset(("lives", "live", "住在"))


@dataclass(frozen=True, slots=True)
class Difference:
    """How two frames differ after alignment: what only one of them has, and the replaced spans."""

    old: Statement
    new: Statement
    spans: tuple[tuple[tuple[Token, ...], tuple[Token, ...], int, int], ...]
    """(removed, added, start in old, start in new) for each place where the frames part."""
    overlap: float
    """Shared tokens over the shorter frame."""
    jaccard: float

    @property
    def removed(self) -> tuple[Token, ...]:
        return tuple(token for span in self.spans for token in span[0])

    @property
    def added(self) -> tuple[Token, ...]:
        return tuple(token for span in self.spans for token in span[1])


def compare(old: Statement, new: Statement) -> Difference:
    left, right = old.keys, new.keys
    matcher = SequenceMatcher(None, left, right, autojunk=False)
    spans = tuple(
        (old.frame[a1:a2], new.frame[b1:b2], a1, b1) for tag, a1, a2, b1, b2 in matcher.get_opcodes() if tag != "equal"
    )
    shared = sum((Counter(left) & Counter(right)).values())
    union = sum((Counter(left) | Counter(right)).values())
    return Difference(old, new, spans, shared / min(len(left), len(right)), shared / union)


def predicate_before(difference: Difference, removed: tuple[Token, ...]) -> str:
    """Return whether the nearest predicate before the replaced span takes one value or several."""
    table = words()
    index = difference.old.tokens.index(removed[0])
    spoken = [token.text.lower() for token in difference.old.tokens[:index]]
    for place in range(len(spoken) - 1, -1, -1):
        low = spoken[place]
        if low in ("work", "works"):
            return "plural" if {"on", "with"}.intersection(spoken[place + 1 : place + 2]) else "functional"
        if low in table.plural or (low in LIVING and table.companions.intersection(spoken[place + 1 : place + 2])):
            return "plural"  # "lives with a cat": there may be a dog as well
        if low in table.functional:
            return "functional"
    return ""


def same_dimensions(difference: Difference) -> bool:
    old, new = difference.old, difference.new
    changed_old = [t.key for t in old.frame if t.kind == "value" and t.value not in new.values]
    changed_new = [t.key for t in new.frame if t.kind == "value" and t.value not in old.values]
    loose = {"#", "#version", "#count", "#times"}
    return any(a == b or (a in loose and b in loose) for a in changed_old for b in changed_new)


def overlap_without_values(difference: Difference) -> float:
    sides = [
        Counter(t.key for t in s.frame if t.kind != "value" and not is_soft(t))
        for s in (difference.old, difference.new)
    ]
    smaller = min(sum(side.values()) for side in sides)
    return sum((sides[0] & sides[1]).values()) / smaller if smaller else 0.0


def shown_difference(difference: Difference) -> str:
    removed = " ".join(token.text for token in difference.removed)
    added = " ".join(token.text for token in difference.added)
    return f"{removed or '-'} -> {added or '-'}"
