"""What makes two similar claims claims about different things: subjects, scopes, identifiers, labels."""

from __future__ import annotations

import re

from codemem.judge.difference import Difference
from codemem.judge.shape import (
    content_keys,
    is_light,
    is_soft,
    is_soft_span,
    is_stated_value,
    kinds_of,
    labels_at_beginning,
    predicate_index,
    subject_keys,
    word_before,
)
from codemem.judge.statement import Token, read_statement, without_parentheses
from codemem.judge.words import words

NARROWING_KINDS = frozenset(("branch", "cloud", "language", "system", "tongue"))
"""Kinds that tell where a claim holds when they stand in a parenthesis."""
GROUP = re.compile("[a-z]{3,}s")
"""An English plural in a parenthesis tells for whom."""
COUNTING = frozenset(("at least", "at most", "up to", "至少", "至多", "最多", "最少"))
"""Bounds of a number: they name no thing."""


def names_another_thing(difference: Difference) -> bool:
    """Say whether the only opposites name what is spoken of: the read timeout and the write timeout are two things."""
    table = words()
    ends = []
    for statement in (difference.old, difference.new):
        stated = (place for place, token in enumerate(statement.tokens) if token.text.lower() in table.functional)
        before = statement.tokens[: next(stated, 0)]
        poles = {token.pole for token in statement.tokens if token.pole}
        named = {
            token.pole
            for token in before
            if token.pole and token.pole[0] in table.naming and token.text.lower() not in COUNTING
        }
        if not named or poles != named or statement.negations:
            return False
        ends.append(named)
    return ends[0] != ends[1]


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
    table = words()
    old, new = (subject_keys(statement) for statement in (difference.old, difference.new))
    if old is None or new is None:
        value = next((place for place, token in enumerate(difference.old.frame) if token.kind == "value"), 0)
        return any(
            ((start == 0 and other == 0) or start < value)
            and removed
            and added
            and not is_soft_span(removed, added)
            and not all(is_soft(token) or token.text.lower() in table.quantifiers for token in (*removed, *added))
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
