"""What a replaced span is to the rest: the one holder of a role, a place that is the value, a quality beside others."""

from __future__ import annotations

import re

from codemem.judge.difference import Difference
from codemem.judge.shape import is_soft, kinds_of, word_before
from codemem.judge.statement import Statement, Token
from codemem.judge.words import words

BE = frozenset("is are was were ist sind est sont es son é são è sono be".split())
UNIQUE = re.compile(
    r"^\s*\S+(?: [A-Z]\S*)? (?:is|was|will be) (?:now )?(?:the|our|my|its) \w|^\s*\S+(?: [A-Z]\S*)? ist (?:der|die|unser|unsere) \w"
    r"|^[^，。,]{1,6}是[^，。,]*(?:负责人|经理|主管|组长|领导|老板|接口人|联系人|值班人|所有者|维护者|管理员|架构师|owner|lead)$",
    re.I,
)
"""Of what has "the" before it there is one."""
PATH = re.compile(r"[~.]?/?[\w.@~-]+(?:/[\w.@*-]*)+|\w[\w-]*\.[a-z]{1,6}|https?://.*|[\w.-]+:\d+|[\w-]+#[\w-]+")
PLACED = frozenset("at in from to under on into 在 到 于 自".split())
PUTTING = re.compile(
    r"\b(?:is|are|was|were|lives?|sits?|located|stored?|stores|storing|saved?|saves|saving|kept|keeps?|put|puts|goes|go"
    r"|writes?|written|found|hosted|resides?|defined|"
    r"read|reads|loaded|deployed|published|pushed|logged|sent|placed|moved|answers?|reply|replies|respond\w*|speaks?|talks?"
    r"|write|comment\w*|written|liegt|steht|se trouve|está|находится)$"
    r"|(?:放|存|写|位|保存|存储|部署|发布|回复|回答|读取|取)$",
    re.I,
)
SEVERAL = re.compile(r"\b(?:are|were|live|sind|liegen|sont|son|están)$", re.I)
VALUED = re.compile(
    r"\b(?:status|state|default|profile|language|port|level|mode|name|value|theme|branch|type|format|role|owner|lead|leader"
    r"|manager|strategy|policy|target|provider|vendor|"
    r"backend|engine|driver|framework|library|tool|linter|formatter|editor|shell|database|db|queue|broker|cache|cloud|region"
    r"|zone|timezone|currency|licence|license|colour|color|"
    r"city|country|address|host|domain|prefix|suffix|separator|delimiter|encoding|algorithm|model|style|codename|goal"
    r"|priority|severity|environment|channel|repo|repository|"
    r"registry|runner|scheduler|protocol|favou?rite|preferred|nickname|title|job|profession|hobby|diet|base|root|entry|command|"
    r"orm|stack|place|home|office|seat|floor)s?\b",
    re.I,
)
"""Nouns that have one value at a time; of anything else "is" tells a quality, of which there may be several."""
NOBODY = re.compile(
    r"^\s*(?:nobody|no one|none|no \w+|niemand|personne|nadie|никто|没有人|没人|无人|没有任何人)(?![a-z])", re.I
)
SOMEBODY = re.compile(
    r"^\s*(?:everybody|everyone|all|every|each|several|some|many|most|a few|both|two|three|jeder|alle|tout le monde|todos|все"
    r"|所有|大家|每个|有些|有几|有的|几个|许多|很多|不少)",
    re.I,
)
WITHOUT = frozenset("without ohne sans sin sem senza без".split())


def holds_one_role(difference: Difference, removed: tuple[Token, ...], added: tuple[Token, ...]) -> bool:
    """Say whether each statement begins with the name of who is "the" something: Dana is the tech lead, Erik is."""
    named = all(
        tokens
        and tokens[0] is statement.frame[0]
        and tokens[0].kind == "word"
        and (tokens[0].text[:1].isupper() or not tokens[0].text.isascii())
        for statement, tokens in ((difference.old, removed), (difference.new, added))
    )
    ends = [
        (
            statement.tokens.index(tokens[-1]),
            next((at for at, token in enumerate(statement.tokens) if token.text.lower() in (*BE, "是")), 0),
        )
        for statement, tokens in ((difference.old, removed), (difference.new, added))
    ]
    if any(last >= be for last, be in ends):
        return False
    return named and all(UNIQUE.match(statement.text) for statement in (difference.old, difference.new))


def is_placed_value(difference: Difference, removed: tuple[Token, ...], added: tuple[Token, ...]) -> bool:
    """Say whether a preposition brings a value, not a scope: "is at docs/a.yaml", "stored in Redis", "reply in German"."""
    sides = ((difference.old, removed), (difference.new, added))
    if any(word_before(statement, span) not in PLACED for statement, span in sides):
        return False
    paths = all(len(span) == 1 and PATH.fullmatch(span[0].text) for _, span in sides)
    if not paths and not kinds_of(removed) & kinds_of(added) - {
        "language",
        "system",
        "branch",
        "month",
        "day_part",
        "season",
    }:
        return False
    if (
        paths
        and _parent(removed[0].text) == _parent(added[0].text)
        and SEVERAL.search(_before_preposition(difference.old, removed))
    ):
        return False  # of several things some may lie beside the others
    return all(PUTTING.search(_before_preposition(statement, span)) for statement, span in sides)


def are_qualities(difference: Difference, removed: tuple[Token, ...], added: tuple[Token, ...]) -> bool:
    """Say whether "is" is followed by two qualities that may both be there: "the tests are slow", "the tests are flaky"."""
    if kinds_of(removed) & kinds_of(added):
        return False
    for statement, span in ((difference.old, removed), (difference.new, added)):
        place = statement.tokens.index(span[0])
        if not place or statement.tokens[place - 1].text.lower() not in BE:
            return False
        first = span[0]
        if first.kind != "word" or not first.text.isalpha() or not first.text.islower():
            return False
        subject = " ".join(token.text for token in statement.tokens[:place])
        if VALUED.search(subject) or first.text.lower() in words().functional:
            return False
    return True


def have_other_verbs(removed: tuple[Token, ...], added: tuple[Token, ...]) -> bool:
    """Say whether two spans begin with different participles: "published weekly", "renamed to B"."""
    first = (removed[0], added[0])
    if kinds_of(removed) & kinds_of(added) or first[0].key == first[1].key:
        return False
    naming = words().functional | words().copular
    return all(
        token.kind == "word" and token.text.endswith(("ed", "en")) and token.text.islower() for token in first
    ) and not all(token.text.lower() in naming for token in first)


def are_states_of_parts(difference: Difference, removed: tuple[Token, ...], added: tuple[Token, ...]) -> bool:
    """Say whether two states only tell which things are meant: "a list of open tickets", "a list of closed tickets"."""
    if kinds_of(removed) & kinds_of(added) != {"status"}:
        return False
    return any(
        statement.frame[-1] not in span for statement, span in ((difference.old, removed), (difference.new, added))
    )


def is_about_other_things(difference: Difference) -> bool:
    """Say whether beside the opposites something else differs on both sides: the left bar shows files, the right one symbols."""
    if difference.old.negations != difference.new.negations:
        ends = [
            next((token for token in reversed(side.frame) if not is_soft(token)), None)
            for side in (difference.old, difference.new)
        ]
        return all(
            end is not None and end.pole is None and end.kind == "word" and end.text.isascii() for end in ends
        ) and (ends[0] in difference.removed and ends[1] in difference.added)
    differing = [
        [token for token in side if token.pole is None and not is_soft(token) and token.kind == "word"]
        for side in (difference.removed, difference.added)
    ]
    return all(differing)


def speaks_of_nobody(difference: Difference) -> bool:
    """Say whether one statement is about nobody and the other about some or all."""
    old, new = difference.old.text, difference.new.text
    return bool((NOBODY.match(old) and SOMEBODY.match(new)) or (NOBODY.match(new) and SOMEBODY.match(old)))


def is_exception(difference: Difference) -> bool:
    """Say whether the denying statement only adds a place or a part of which the other says nothing: both may hold."""
    old, new = difference.old, difference.new
    if old.negations == new.negations:
        return False
    denied, plain = (new, old) if new.negations > old.negations else (old, new)
    if any(token.text.lower() in WITHOUT for token in denied.tokens) and not _is_about(plain, denied):
        return True
    extra, missing = (difference.added, difference.removed) if denied is new else (difference.removed, difference.added)
    if any(not is_soft(token) for token in missing):
        return False
    return any(
        not is_soft(token) and word_before(denied, (token,)) in words().scope_openers | {"of", "在"}
        for token in extra
        if token.kind != "value" or token.key in ("#weekday", "#date")
    )


def _parent(path: str) -> str:
    return path.rstrip("/").rpartition("/")[0]


def _is_about(plain: Statement, denied: Statement) -> bool:
    """Say whether what `denied` is without stands in `plain`."""
    places = [place for place, token in enumerate(denied.tokens) if token.text.lower() in WITHOUT]
    keys = {token.key for token in plain.frame}
    following = [
        next((token for token in denied.tokens[place + 1 :] if token in denied.frame), None) for place in places
    ]
    return all(token is None or token.key in keys for token in following)


def _before_preposition(statement: Statement, span: tuple[Token, ...]) -> str:
    """Return what stands before the preposition that opens a span."""
    place = statement.tokens.index(span[0]) - 1
    while place > 0 and statement.tokens[place].text.lower() not in PLACED:
        place -= 1
    before = [token.text for token in statement.tokens[max(0, place - 3) : place]]
    return "".join(before) if before and not before[-1].isascii() else " ".join(before)
