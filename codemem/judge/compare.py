"""How two statements differ: alignment, polarity, subjects, scopes, kinds: what the judge's rules look at."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from difflib import SequenceMatcher

from codemem.judge.shape import (
    content_keys,
    is_light,
    is_soft,
    is_soft_span,
    is_stated_value,
    kinds_of,
    labels_at_beginning,
    opens_clause,
    predicate_index,
    puts_in_order,
    subject_keys,
    word_before,
)
from codemem.judge.small import small_difference
from codemem.judge.statement import Statement, Token, read_statement, without_parentheses
from codemem.judge.voice import in_active_order
from codemem.judge.words import words

SAME_WAY = {"on": "in", "at": "in", "within": "in", "into": "to"}
"""Prepositions that may stand for each other."""
NARROWING_KINDS = frozenset(("branch", "cloud", "language", "system", "tongue"))
"""Kinds that tell where a claim holds when they stand in a parenthesis."""
GROUP = re.compile("[a-z]{3,}s")
"""An English plural in a parenthesis tells for whom."""
SHORTEST_ROTATION = 3
"""A turned-round sentence needs three tokens: with two, turning round is swapping."""


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


def is_other_voice(old: Statement, new: Statement) -> bool:
    """Say whether one statement is the other in the passive, with doer and object in their places."""
    if old.passive == new.passive or puts_in_order(old):
        return False
    passive, active = (old, new) if old.passive else (new, old)
    light = [token for token in passive.frame if is_light(token)]
    return in_active_order(passive, light) == content_keys(active)


def names_another_thing(difference: Difference) -> bool:
    """Say whether the only opposites name what is spoken of: the read timeout and the write timeout are two things."""
    table = words()
    ends = []
    for statement in (difference.old, difference.new):
        stated = (place for place, token in enumerate(statement.tokens) if token.text.lower() in table.functional)
        before = statement.tokens[: next(stated, 0)]
        poles = {token.pole for token in statement.tokens if token.pole}
        named = {token.pole for token in before if token.pole and token.pole[0] in table.naming}
        if not named or poles != named or statement.negations:
            return False
        ends.append(named)
    return ends[0] != ends[1]


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
    extents = {word for word, pole in table.poles.items() if pole[0] == "extent"}
    whose = [side & (table.persons | extents) for side in sides]
    if whose[0] != whose[1] and whose[0] and whose[1] and (whose[0] | whose[1]) & table.persons:
        return f"{' '.join(sorted(whose[0]))} / {' '.join(sorted(whose[1]))}"
    if voice and (old.passive != new.passive or old.agent != new.agent):
        return "active / passive"
    return small_difference(old, new)


def only_in_parentheses(difference: Difference) -> bool:
    """Say whether one side only adds a parenthesis of plain words (no scope, quantity, identifier or negation)."""
    table = words()
    bare = [read_statement(without_parentheses(statement.text)) for statement in (difference.old, difference.new)]
    if not bare[0].frame or content_keys(bare[0]) != content_keys(bare[1]) or (difference.removed and difference.added):
        return False
    if any(
        full.negations != short.negations for full, short in zip((difference.old, difference.new), bare, strict=True)
    ):
        return False
    extra = (*difference.removed, *difference.added)
    lowered = {token.text.lower() for token in extra}
    if lowered & (table.quantifiers | table.scopes.keys()):
        return False
    if kinds_of(extra) & NARROWING_KINDS or any(GROUP.fullmatch(low) and low not in table.unstemmed for low in lowered):
        return False  # "(Linux)", "(admins)": there, or for them
    return all(token.kind == "word" and token.pole is None for token in extra)


def same_hard_order(difference: Difference) -> bool:
    """Refuse when the hard words stand in another order: then the order may be the claim."""
    left = [token.key for token in difference.old.frame if not is_soft(token)]
    right = [token.key for token in difference.new.frame if not is_soft(token)]
    return left == right and bool(left)


def distinguishes(difference: Difference) -> bool:
    """Say whether the difference holds something that makes claims distinct by itself."""
    table = words()
    sides = [{token.text.lower() for token in statement.tokens} for statement in (difference.old, difference.new)]
    if (sides[0] ^ sides[1]) & (table.quantifiers | table.scopes.keys()):
        return True
    if difference.old.identifiers != difference.new.identifiers or difference.old.negations != difference.new.negations:
        return True
    if difference.old.modality != difference.new.modality and "possibility" in (
        difference.old.modality,
        difference.new.modality,
    ):
        return True
    changed = (*difference.removed, *difference.added)
    return any(
        (token.pole is not None and not is_light(token)) or token.kind == "value" or kinds_of((token,))
        for token in changed
    )


def identifiers_differ(difference: Difference) -> bool:
    old, new = difference.old.identifiers, difference.new.identifiers
    return bool(old - new) and bool(new - old)


def scopes_differ(difference: Difference) -> bool:
    """Say whether the claims hold for different places, unless the place is what is said."""
    table = words()
    for removed, added, start, _ in difference.spans:
        old = {table.scopes[token.text.lower()] for token in removed if token.text.lower() in table.scopes}
        new = {table.scopes[token.text.lower()] for token in added if token.text.lower() in table.scopes}
        if old & new and not is_stated_value(difference.old, start):
            return True
        opener = word_before(difference.old, removed)
        if opener in table.scope_openers and start > 0 and removed and added:
            earlier = [token for token in difference.old.frame[:start] if token.text.lower() not in table.scope_openers]
            values = all(token.kind == "value" for token in (*removed, *added))
            if not values and not (earlier and earlier[-1].text.lower() in table.functional):
                return True
    return False


def subjects_differ(difference: Difference) -> bool:
    """Say whether a hard token differs before the predicate."""
    old, new = (subject_keys(statement) for statement in (difference.old, difference.new))
    if old is None or new is None:
        value = next((place for place, token in enumerate(difference.old.frame) if token.kind == "value"), 0)
        return any(
            ((start == 0 and other == 0) or start < value) and removed and added and not is_soft_span(removed, added)
            for removed, added, start, other in difference.spans
        )
    return bool(old - new) and bool(new - old)


def says_more(token: Token) -> bool:
    """Say whether a token beside a value narrows the claim: it is of no kind itself, and no article."""
    low = token.text.lower()
    return not kinds_of((token,)) and not is_soft(token) and low not in words().articles and len(low) > 1


def labels_differ(difference: Difference) -> bool:
    """Say whether a bare number names the subject ("step 1 is …", "step 2 is …")."""
    labels = []
    for statement in (difference.old, difference.new):
        index = predicate_index(statement)
        if index is None:
            labels.append(labels_at_beginning(statement))
        else:
            labels.append([token.value for token in statement.tokens[:index] if token.key == "#"])
    return labels[0] != labels[1]


def predicate_before(difference: Difference, removed: tuple[Token, ...]) -> str:
    """Return whether the nearest predicate before the replaced span takes one value or several."""
    table = words()
    index = difference.old.tokens.index(removed[0])
    spoken = [token.text.lower() for token in difference.old.tokens[:index]]
    for place in range(len(spoken) - 1, -1, -1):
        low = spoken[place]
        if low in table.plural or (
            low in table.copular and table.companions.intersection(spoken[place + 1 : place + 2])
        ):
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


def is_turned_round(old: Statement, new: Statement) -> bool:
    """Say whether one statement is the other with a clause moved to the front, the clause opened by a function word."""
    left, right = list(old.keys), list(new.keys)
    if len(left) < SHORTEST_ROTATION:
        return False
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


def shown_difference(difference: Difference) -> str:
    removed = " ".join(token.text for token in difference.removed)
    added = " ".join(token.text for token in difference.added)
    return f"{removed or '-'} -> {added or '-'}"
