"""Whether a newer statement says outright that it takes an older one's place, and whether it only narrows it."""

from __future__ import annotations

import re
from collections import Counter

from codemem.judge.change import CHANGED, read_change
from codemem.judge.difference import Difference, compare, predicate_before
from codemem.judge.distinct import subjects_differ
from codemem.judge.oneform import in_one_form
from codemem.judge.opposite import polarity_difference
from codemem.judge.roles import have_other_verbs
from codemem.judge.shape import is_soft, subject_keys
from codemem.judge.statement import Statement, Token, read_statement
from codemem.judge.words import is_han, words

LONGEST_REPLACED = 5
"""Tokens (Han characters count one each) in a span that a word like "now" or "correction" still declares to be one value."""
TOLD_SHARE = 3
"""One hard word in so many of the older statement may be missing from what replaces it: mostly its verb."""
JOINING = frozenset("and or und oder et ou y o e и или 和 与 及 以及 或 , 、".split())
OPENERS = frozenset(
    "for in on at of when if during under within inside while only für bei im pour dans chez para en при для в на"
    " 对 对于 当 仅 只".split()
)
APPROXIMATE = frozenset(
    "early late mid about around roughly approximately nearly circa etwa ungefähr rund environ unos cerca около"
    " 约 大约 大概".split()
)
DATED = re.compile(r"^[^:]{0,40}\d{4}-\d\d-\d\d\s*[:,]")
"""What is told of a day: "Incident on March 2: …"."""
PAST_VERBS = frozenset(
    "went met bought came took gave told said saw left began broke fell ran wrote made got flew drove won lost became held"
    " spoke 了 过".split()
)
REASONS = frozenset("because due thanks since wegen weil grâce puisque porque debido 因为 由于 因".split())
"""What follows tells why, not where."""


def told_replaced(old: Statement, new: Statement) -> str:
    """Return what `new` says is no longer so although `old` says it ("X instead of Y", "from Y to X"), or an empty string."""
    change = read_change(new.text)
    core = read_statement(change.core)
    if old.negations or not (change.rejected or change.succeeded):
        return ""
    ends = [token for token in old.frame if not is_soft(token)]
    for gone in (*change.rejected, *((change.succeeded,) if change.succeeded else ())):
        tokens = [token for token in read_statement(gone).frame if not is_soft(token)]
        keys = Counter(_with_unit(token, old) for token in tokens)
        if not keys or keys - Counter(map(_sameness, old.frame)):
            continue
        if gone == change.succeeded and gone not in change.rejected and not _ends_with(ends, tokens):
            continue
        if (
            gone == change.succeeded
            and gone not in change.rejected
            and gone.islower()
            and gone.isascii()
            and gone.isalpha()
        ):
            continue  # "the feature branch was renamed": a word, no name
        if _covers(old, core, keys) and not _of_opposite_things(old, core, tokens):
            return str(gone)
    return ""


def _of_opposite_things(old: Statement, core: Statement, gone: list[Token]) -> bool:
    """Say whether opposites name what the two are about: the write timeout does not replace the read timeout."""
    said = {token.key for token in gone}
    named = [
        dict(
            token.pole
            for token in statement.frame
            if token.pole and token.pole[0] in words().naming and token.key not in said
        )
        for statement in (old, core)
    ]
    return named[0] != named[1]


def _with_unit(token: Token, old: Statement) -> str:
    """Return the value of `old` that a bare number repeats: "from 5 to 30 seconds" has the unit only once."""
    if token.key != "#":
        return _sameness(token)
    same = [one for one in old.frame if one.kind == "value" and one.text.split(" ")[0] == token.text]
    return _sameness(same[0] if same else token)


def _ends_with(ends: list[Token], tokens: list[Token]) -> bool:
    return [_sameness(token) for token in ends[-len(tokens) :]] == [_sameness(token) for token in tokens]


def _covers(old: Statement, core: Statement, gone: Counter[str]) -> bool:
    """Say whether what is left of `old` is spoken of in `core`, and `core` is not about less."""
    left = Counter(_sameness(token) for token in old.frame if is_hard(token)) - gone
    said = Counter(map(_sameness, core.frame))
    untold = sum((left - said).values())
    shared = sum((left & said).values())
    if not shared or untold > max(1, sum(left.values()) // TOLD_SHARE) or (untold and shared == 1):
        return False
    if any(token.kind == "value" and _sameness(token) in gone for token in old.frame):
        spoken = [
            token
            for token in _before_reason(core)
            if is_hard(token) and token.kind != "value" and not CHANGED.fullmatch(token.text)
        ]
        if any(_sameness(token) not in left + gone for token in spoken):
            return False  # a number of something narrower
    if untold and any(token.text.lower() in JOINING for token in old.tokens):
        return False  # the older one says more than one thing
    place_is_value = not gone - _opened(old) and not CHANGED.search(core.text)
    return place_is_value or not _opened(core) - _opened(old)


def _before_reason(statement: Statement) -> list[Token]:
    """Return the tokens of the frame up to where the statement tells why."""
    reason = next(
        (place for place, token in enumerate(statement.tokens) if token.text.lower() in REASONS), len(statement.tokens)
    )
    return [token for token in statement.tokens[:reason] if token in statement.frame]


def _opened(statement: Statement) -> Counter[str]:
    """Return the hard words that "for", "in" or their like open."""
    found: Counter[str] = Counter()
    opened = False
    for token in statement.tokens:
        if token.text.lower() in REASONS:
            break
        if token.text.lower() in OPENERS:
            opened = True
        elif token in statement.frame and not is_soft(token):
            if opened:
                found[_sameness(token)] += 1
            opened = False
    return found


def declared_value(old: Statement, new: Statement) -> str:
    """Return how `new` declares itself newer ("corrected", "now") while it differs from `old` in one value, or an empty string."""
    change = read_change(new.text)
    if not change.lead:
        return ""
    difference = compare(old, read_statement(change.core))
    if polarity_difference(difference.old, difference.new) or _in_other_scopes(difference):
        return ""
    spans = [span for span in difference.spans if not all(is_soft(token) for token in (*span[0], *span[1]))]
    if len(spans) != 1 or not spans[0][0] or not spans[0][1] or max(map(len, spans[0][:2])) > LONGEST_REPLACED:
        return ""
    removed, added, start, _ = spans[0]
    if have_other_verbs(removed, added) or narrows(difference):
        return ""
    plural = words().plural
    if any(token.text.lower() in plural for token in removed) and any(token.text.lower() in plural for token in added):
        return ""
    kept = [
        token for place, token in enumerate(old.frame) if is_hard(token) and not start <= place < start + len(removed)
    ]
    if not kept:
        return ""
    if change.lead == "now":
        tail = any(is_hard(token) for token in old.frame[start + len(removed) :])
        if (
            start == 0
            or subjects_differ(difference)
            or (predicate_before(difference, removed) == "plural" and not tail)
        ):
            return ""
    return change.lead


def narrows_subject(difference: Difference) -> bool:
    """Say whether before their predicates one statement has hard words more: "the flag", "the flag new_checkout"."""
    old, new = (subject_keys(statement) for statement in (difference.old, difference.new))
    if not old or not new or not (old < new or new < old):
        return False
    more = [
        token
        for statement in (difference.old, difference.new)
        for token in statement.frame
        if token.key in old ^ new and is_hard(token)
    ]
    return len(more) > any(is_han(token.text[:1]) for token in more)  # one character alone is hardly a word


def has_other_object(difference: Difference) -> bool:
    """Say whether beside the value, apart from it, a word is replaced: "Postgres on port 5433", "Redis on port 6380"."""
    return any(
        any(map(is_hard, removed))
        and any(map(is_hard, added))
        and not any(token.kind == "value" for token in (*removed, *added))
        for removed, added, _, _ in difference.spans
    )


def is_other_event(difference: Difference) -> bool:
    """Say whether the dates that differ tell when something happened: each is an event of its own."""
    sides = [
        Counter((token.key, token.value) for token in side.frame if token.kind == "value")
        for side in (difference.old, difference.new)
    ]
    changed = (sides[0] - sides[1]) + (sides[1] - sides[0])
    if not changed or any(key != "#date" for key, _ in changed):
        return False
    begins = all(
        statement.frame[0].key == "#date" or DATED.search(in_one_form(statement.text))
        for statement in (difference.old, difference.new)
    )
    return begins or all(map(_is_past, (difference.old, difference.new)))


def _is_past(statement: Statement) -> bool:
    """Say whether a statement tells what happened once: a simple past, no passive, no perfect."""
    lowered = [token.text.lower() for token in statement.tokens]
    if statement.passive or {"has", "have", "had"} & set(lowered):
        return False
    return any(
        low in PAST_VERBS or (low.endswith("ed") and place > 0 and low not in words().functional)
        for place, low in enumerate(lowered)
    )


def _in_other_scopes(difference: Difference) -> bool:
    scopes = words().scopes
    sides = [
        {token.text.lower() for token in side if token.text.lower() in scopes}
        for side in (difference.removed, difference.added)
    ]
    return sides[0] != sides[1]


def narrows(difference: Difference) -> bool:
    """Say whether one side alone has words that tell for whom or where its value holds: "the timeout", "the read timeout"."""
    for removed, added, start, other in difference.spans:
        if bool(removed) == bool(added):
            continue
        statement, place, span = (difference.old, start, removed) if removed else (difference.new, other, added)
        value = next((at for at, token in enumerate(statement.frame) if token.kind == "value"), len(statement.frame))
        naming = words().naming
        near = statement.frame[value - 1] if 0 < value < len(statement.frame) else None  # "about 9 minutes"
        hard = [
            token
            for token in span
            if (is_hard(token) or (token.pole and token.pole[0] in naming))
            and token.kind != "value"
            and not (token is near and token.text.lower() in APPROXIMATE)
        ]
        if hard and (place < value or _opened(statement).keys() & {_sameness(token) for token in hard}):
            return True
    return False


def is_hard(token: Token) -> bool:
    """Say whether a token is no soft word and no verb that only introduces a value."""
    table = words()
    low = token.text.lower()
    return (
        not is_soft(token)
        and token.kind != "modal"
        and low not in table.functional | table.plural | table.stop | table.articles
    )


def _sameness(token: Token) -> str:
    return str(token.value) if token.kind == "value" else str(token.key)
