"""Who does what to whom: passive statements, and the order their words have when the doer comes first."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from codemem.judge.words import words

if TYPE_CHECKING:
    from codemem.judge.statement import Statement, Token

BE_FORMS = frozenset(("is", "are", "was", "were", "be", "been"))
IRREGULAR_PARTICIPLES = frozenset(
    "run built kept held sent set put made done read cut led found lost met paid sold told used fed drawn".split()
)
HAN_MARKS = frozenset(("被", "由", "是由"))
"""`B 被 A 调用`, `B 由 A 调用`: what stands behind the mark is doer and verb, what stands before it the object."""
ARTICLES = frozenset(("the", "a", "an"))


def is_passive(tokens: Sequence[Token]) -> bool:
    """Say whether a form of "be" is followed by a participle ("are used", "is rendered"), or a Chinese mark stands there."""
    spoken = [token.text.lower() for token in tokens if token.kind != "negation"]
    return _han_mark(tokens) is not None or any(map(_is_pair, pairwise(spoken)))


def in_active_order(statement: Statement, light: Sequence[Token]) -> list[str]:
    """Return the content of a passive statement as its active form has it: doer, verb, object, the rest."""
    tokens = statement.tokens

    def keys(part: Sequence[Token]) -> list[str]:
        return [token.key for token in part if token in statement.frame and token not in light]

    mark = _han_mark(tokens)
    if mark is not None:
        return keys(tokens[mark + 1 :]) + keys(tokens[:mark])
    spoken = [(place, token.text.lower()) for place, token in enumerate(tokens) if token.kind != "negation"]
    pair = next((two for two in pairwise(spoken) if _is_pair((two[0][1], two[1][1]))), None)
    if pair is None:
        return keys(tokens)
    before, verb = pair[0][0], pair[1][0]
    by = next((place for place, word in spoken if word == "by" and place > verb), None)
    if by is None:
        return keys(tokens[verb : verb + 1]) + keys(tokens[:before]) + keys(tokens[verb + 1 :])
    end = _end_of_doer(tokens, by + 1)
    return keys(tokens[by + 1 : end]) + keys(tokens[verb:by]) + keys(tokens[:before]) + keys(tokens[end:])


def _is_pair(pair: tuple[str, str]) -> bool:
    return pair[0] in BE_FORMS and (pair[1].endswith(("ed", "en")) or pair[1] in IRREGULAR_PARTICIPLES)


def _han_mark(tokens: Sequence[Token]) -> int | None:
    """Return the place of a mark with something before it and a doer or a verb behind it; 由于 and 理由 are none."""
    for place, token in enumerate(tokens):
        if token.text in HAN_MARKS and 0 < place < len(tokens) - 1:
            around = (tokens[place - 1].text, tokens[place + 1].text)
            if token.text == "被" or (around[0] not in ("理", "自", "经") and around[1] not in ("于", "此", "来")):
                return place
    return None


def _end_of_doer(tokens: Sequence[Token], start: int) -> int:
    """Return where the doer ends: at the next preposition, order word or quantity."""
    table = words()
    for place in range(start, len(tokens)):
        token = tokens[place]
        low = token.text.lower()
        stops = low in table.stop and low not in ARTICLES and token.key != "A"
        if stops or low in table.scope_openers or token.kind == "value" or (token.pole and token.pole[0] == "order"):
            return place
    return len(tokens)
