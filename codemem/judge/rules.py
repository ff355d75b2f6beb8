"""Decide what a newer statement means for an older one: the same fact, an update, a conflict, or nothing.

Similar texts are not equal facts: "Java 16" and "Java 17" are closer by cosine than most paraphrases. So the
difference itself is inspected, and two statements are called the same only when nothing that could matter differs.
"""

from __future__ import annotations

from collections import Counter
from typing import Literal, NamedTuple

from codemem.judge.affixes import opposite_by_affix
from codemem.judge.change import ALSO, read_change
from codemem.judge.difference import (
    Difference,
    compare,
    overlap_without_values,
    predicate_before,
    same_dimensions,
    shown_difference,
)
from codemem.judge.distinct import (
    distinguishes,
    identifiers_differ,
    labels_differ,
    names_another_thing,
    only_in_parentheses,
    same_hard_order,
    says_more,
    scopes_differ,
    subjects_differ,
)
from codemem.judge.enumerations import grown_list, same_lists
from codemem.judge.opposite import hidden_difference, polarity_difference
from codemem.judge.replacing import (
    declared_value,
    has_other_object,
    is_other_event,
    narrows,
    narrows_subject,
    told_replaced,
)
from codemem.judge.roles import (
    are_qualities,
    are_states_of_parts,
    have_other_verbs,
    holds_one_role,
    is_about_other_things,
    is_exception,
    is_placed_value,
    speaks_of_nobody,
)
from codemem.judge.shape import content_keys, is_soft, kinds_of
from codemem.judge.small import moved_small_words
from codemem.judge.statement import Token, read_statement
from codemem.judge.tongues import is_well_known
from codemem.judge.turned import is_other_voice, is_turned_round
from codemem.judge.words import is_han

Verdict = Literal["same_fact", "update_old", "conflict", "unrelated"]

LEAST_OVERLAP = 0.3
"""Share of the shorter frame below which no rule could find anything."""
CONFLICT_OVERLAP = 0.6
"""Share of the shorter frame that must be common before opposite polarity is called a conflict."""
HAN_CONFLICT_SHARE = 0.45
"""… and of all characters of two Chinese statements: a short one shares most of its few with many."""
UPDATE_OVERLAP = 0.6
"""… and before a different number is called a new value of the same thing."""
COSINE_SAME = 0.9
"""… and of two Chinese ones, which are short and share most characters with their neighbours."""
HAN_COSINE_SAME = 0.93
"""Below this, different wordings are not called one fact whatever else agrees."""
OVERLAP_SAME = 0.5
LENGTH_SAME = 0.5
"""Least shared content and least ratio of lengths for a paraphrase by cosine."""
LONGEST_VALUE = 4
"""Tokens (Han characters count one each) in a replaced span that still reads as one value."""


class Judgement(NamedTuple):
    """A verdict with the rule that gave it and the words it rests on."""

    verdict: Verdict
    rule: str
    evidence: str


def judge(older: str, newer: str, cosine: float | None = None) -> Judgement:
    """Compare two statements; `cosine` only ever supports a paraphrase, it never merges by itself."""
    change = read_change(newer)
    if change.lead and not change.rejected and change.core != newer.strip():
        judgement = judge(older, change.core, cosine)
        if judgement.verdict == "update_old" or (judgement.verdict == "conflict" and change.lead == "corrected"):
            return Judgement("update_old", f"{judgement.rule}, declared {change.lead}", judgement.evidence)
    old, new = read_statement(older), read_statement(newer)
    if change.rejected and judge(older, change.core, cosine).verdict == "same_fact" and not told_replaced(old, new):
        return Judgement("unrelated", "says more", ", ".join(change.rejected))
    if not old.frame or not new.frame:
        same = [token.key for token in old.tokens] == [token.key for token in new.tokens] and old.tokens
        return Judgement("same_fact", "same words", "") if same else Judgement("unrelated", "nothing to compare", "")
    difference = compare(old, new)
    gone = told_replaced(old, new)
    if gone:
        return Judgement("update_old", "says what it replaces", gone)
    if difference.overlap < LEAST_OVERLAP:
        return _apart(difference)
    if grown_list(old, new):
        return Judgement("update_old", "the list has changed", shown_difference(difference))
    declared = declared_value(old, new)
    if declared:
        return Judgement("update_old", f"another value, declared {declared}", shown_difference(difference))
    polarity = polarity_difference(old, new) or opposite_by_affix(difference)
    for rule in RULES:
        found = rule(difference, polarity, cosine)
        if found is not None:
            return found
    return Judgement(
        "unrelated", "too little in common", f"{difference.overlap:.2f} of the shorter statement is shared"
    )


# --- rules, in order; each returns a judgement or passes on --------------------------------------------------


def same_frame(difference: Difference, polarity: str, cosine: float | None) -> Judgement | None:
    """Equal content in equal order, or with the clauses or voice turned round."""
    if content_keys(difference.old) != content_keys(difference.new):
        return None
    if polarity:
        return _opposed(difference, polarity)
    if difference.old.values != difference.new.values:
        if labels_differ(difference) or is_other_event(difference):
            return Judgement("unrelated", "another subject", f"{difference.old.values} / {difference.new.values}")
        return _value_update(difference)
    hidden = hidden_difference(difference) or moved_small_words(difference.old, difference.new)
    if hidden:
        return Judgement("conflict", "differs in small words or signs", hidden)
    return Judgement("same_fact", "same content in the same order", " ".join(content_keys(difference.old)))


def other_order(difference: Difference, polarity: str, cosine: float | None) -> Judgement | None:
    """Equal content in another order: turned round is the same, otherwise the order is the claim."""
    old, new = content_keys(difference.old), content_keys(difference.new)
    if Counter(old) != Counter(new):
        return None
    if polarity:
        return Judgement("conflict", "opposite polarity", polarity)
    if Counter(difference.old.values) != Counter(difference.new.values):
        return None if is_other_event(difference) else _value_update(difference)
    hidden = hidden_difference(difference, voice=False)
    if hidden:
        return Judgement("conflict", "differs in small words or signs", hidden)
    if same_lists(difference.old, difference.new):
        return Judgement("same_fact", "the same list in another order", " ".join(old))
    if is_other_voice(difference.old, difference.new) or is_turned_round(difference.old, difference.new):
        return Judgement("same_fact", "same content, clauses or voice turned round", " ".join(old))
    return Judgement("conflict", "same content in another order", f"{' '.join(old)} / {' '.join(new)}")


def opposite(difference: Difference, polarity: str, cosine: float | None) -> Judgement | None:
    """Opposite polarity over a mostly shared frame."""
    if not polarity or difference.overlap < CONFLICT_OVERLAP:
        return None
    if difference.jaccard < HAN_CONFLICT_SHARE and is_han(difference.new.text[:1]) and not speaks_of_nobody(difference):
        return None
    if (subjects_differ(difference) and not speaks_of_nobody(difference)) or identifiers_differ(difference):
        return Judgement("unrelated", "another subject", shown_difference(difference))
    if is_exception(difference):
        return Judgement("unrelated", "an exception", shown_difference(difference))
    if is_about_other_things(difference):
        return Judgement("unrelated", "opposites of other things", shown_difference(difference))
    return _opposed(difference, polarity)


def other_value(difference: Difference, polarity: str, cosine: float | None) -> Judgement | None:
    """Numbers, versions or dates differ in the same frame."""
    old, new = difference.old.values, difference.new.values
    if not old or not new or not (Counter(old) - Counter(new)) or not (Counter(new) - Counter(old)):
        return None
    if (
        subjects_differ(difference)
        or identifiers_differ(difference)
        or scopes_differ(difference)
        or labels_differ(difference)
        or narrows(difference)
        or is_other_event(difference)
        or has_other_object(difference)
    ):
        return Judgement("unrelated", "another subject", shown_difference(difference))
    rest = [token for token in (*difference.removed, *difference.added) if token.kind != "value" and not is_soft(token)]
    if not same_dimensions(difference) or (rest and overlap_without_values(difference) < UPDATE_OVERLAP):
        return None
    return _value_update(difference)


def soft_difference(difference: Difference, polarity: str, cosine: float | None) -> Judgement | None:
    """Only words that carry no fact, or a harmless parenthesis, make the difference."""
    if Counter(difference.old.values) != Counter(difference.new.values) or polarity:
        return None
    if hidden_difference(difference):
        return None
    if only_in_parentheses(difference):
        return Judgement("same_fact", "differs only in a parenthesis", shown_difference(difference))
    if distinguishes(difference):
        return None
    if all(is_soft(token) for token in (*difference.removed, *difference.added)):
        if not same_hard_order(difference):
            return None
        return Judgement("same_fact", "differs only in words without a fact", shown_difference(difference))
    return None


def replaced_value(difference: Difference, polarity: str, cosine: float | None) -> Judgement | None:
    """Exactly one replaced span: another subject, or a new value of a predicate that has one value at a time."""
    spans = [span for span in difference.spans if not all(is_soft(token) for token in (*span[0], *span[1]))]
    if len(spans) != 1 or polarity or not spans[0][0] or not spans[0][1]:
        return None
    removed, added, start, _ = spans[0]
    if max(len(removed), len(added)) > LONGEST_VALUE or len(difference.old.frame) == len(removed):
        return None
    if holds_one_role(difference, removed, added):
        return Judgement("update_old", "another holder of the role", shown_difference(difference))
    if subjects_differ(difference) or start == 0 or narrows_subject(difference):
        return Judgement("unrelated", "another subject", shown_difference(difference))
    if _without(difference.old.values, removed) != _without(difference.new.values, added):
        return None
    if scopes_differ(difference) and not is_placed_value(difference, removed, added):
        return Judgement("unrelated", "holds elsewhere", shown_difference(difference))
    if (
        are_qualities(difference, removed, added)
        or have_other_verbs(removed, added)
        or are_states_of_parts(difference, removed, added)
    ):
        return Judgement("unrelated", "another quality", shown_difference(difference))
    if ALSO.search(difference.new.text):
        return Judgement("unrelated", "says that it adds to the other", shown_difference(difference))
    if kinds_of(removed) & kinds_of(added):
        besides = [[token for token in span if says_more(token)] for span in (removed, added)]
        if len(removed) > 1 and all(besides):
            return Judgement("unrelated", "holds elsewhere", shown_difference(difference))
        return Judgement("update_old", "another value of the same kind", shown_difference(difference))
    predicate = predicate_before(difference, removed)
    if predicate == "functional" or is_placed_value(difference, removed, added):
        return Judgement("update_old", "a new value in the same frame", shown_difference(difference))
    return Judgement("unrelated", "another object", shown_difference(difference))


def paraphrase(difference: Difference, polarity: str, cosine: float | None) -> Judgement | None:
    """Different wording of one claim: close by cosine, shared content, and nothing that distinguishes."""
    han = any(is_han(character) for character in difference.new.text)
    if (
        cosine is None
        or cosine < (HAN_COSINE_SAME if han else COSINE_SAME)
        or polarity
        or difference.jaccard < OVERLAP_SAME
    ):
        return None
    lengths = sorted((len(difference.old.frame), len(difference.new.frame)))
    if lengths[0] / lengths[1] < LENGTH_SAME or Counter(difference.old.values) != Counter(difference.new.values):
        return None
    if (
        hidden_difference(difference)
        or distinguishes(difference)
        or subjects_differ(difference)
        or difference.old.passive != difference.new.passive
    ):
        return None
    if not is_well_known(token.text.lower() for side in (difference.old, difference.new) for token in side.tokens):
        return None  # Opposites are not all known there, and two opposites are as close as two synonyms.
    if not difference.removed or not difference.added:
        return None  # One says more than the other: keep both rather than lose the addition.
    return Judgement("same_fact", "paraphrase", f"cosine {cosine:.3f}, shared {difference.jaccard:.2f}")


RULES = (same_frame, other_order, soft_difference, opposite, other_value, replaced_value, paraphrase)


def _apart(difference: Difference) -> Judgement:
    return Judgement(
        "unrelated", "too little in common", f"{difference.overlap:.2f} of the shorter statement is shared"
    )


def _without(values: tuple[str, ...], span: tuple[Token, ...]) -> Counter[str]:
    """Count the values that stand outside a span: "Kong 2.8" may become "Envoy"."""
    return Counter(values) - Counter(token.value for token in span if token.kind == "value")


def _opposed(difference: Difference, polarity: str) -> Judgement:
    if names_another_thing(difference):
        return Judgement("unrelated", "another subject", polarity)
    return Judgement("conflict", "opposite polarity", polarity)


def _value_update(difference: Difference) -> Judgement:
    gone = Counter(difference.old.values) - Counter(difference.new.values)
    came = Counter(difference.new.values) - Counter(difference.old.values)
    if not gone and not came:  # the same values, each in another's place
        gone, came = Counter(difference.old.values), Counter(difference.new.values)
    return Judgement("update_old", "another number, version or date", f"{', '.join(gone)} -> {', '.join(came)}")
