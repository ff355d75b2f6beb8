"""The shape of one statement: light and soft words, subject and predicate, clauses, order."""

from __future__ import annotations

from codemem.judge.statement import Statement, Token
from codemem.judge.words import stem, words

TOPIC = "は"
LATEST_LABEL = 4
"""Tokens from the beginning among which a label's number stands: "fact number 12", "l'étape 12"."""
ORDER_WORDS = frozenset(("then", "over", "先", "再", "后", "前", "than", "比"))


def content_keys(statement: Statement) -> list[str]:
    """The content of a statement without soft words, unless nothing else is left."""
    hard = [token.key for token in statement.frame if not is_light(token)]
    return hard or [token.key for token in statement.frame]


def puts_in_order(statement: Statement) -> bool:
    """Say whether the statement puts things in an order, so that turning it round changes it."""
    return any(
        (token.pole and token.pole[0] in ("order", "rank")) or token.text.lower() in ORDER_WORDS
        for token in statement.tokens
    )


def is_light(token: Token) -> bool:
    """Say whether a token says little by itself."""
    if token.key == "±allow":
        return True
    if token.pole == ("frequency", 0):
        return True  # against "never" it counts as an opposite all the same
    if token.pole is not None and token.pole != ("extent", 0):
        return False
    return token.kind == "word" and (token.text.lower() in words().light or stem(token.text.lower()) in words().light)


def is_soft(token: Token) -> bool:
    """Say whether a token may differ without the fact differing."""
    return is_light(token) or (token.kind == "word" and stem(token.text.lower()) in words().copular)


def is_soft_span(removed: tuple[Token, ...], added: tuple[Token, ...]) -> bool:
    """Say whether a replaced span holds soft words and values only."""
    return all(is_soft(token) or token.kind == "value" for token in (*removed, *added))


def kinds_of(tokens: tuple[Token, ...]) -> frozenset[str]:
    """Return the kinds of things that the tokens, alone or joined, name."""
    table = words()
    found = frozenset(kind for token in tokens for kind in table.kinds.get(token.text.lower(), ()))
    joined = "".join(token.text for token in tokens)
    return found | table.kinds.get(joined.lower(), frozenset())


def predicate_index(statement: Statement) -> int | None:
    """Return where the first predicate stands among the tokens; "在 … 是" and leading verbs do not count.

    A Japanese predicate stands last: what is spoken of ends at は.
    """
    table = words()
    topic = next((index for index, token in enumerate(statement.tokens) if index > 0 and token.text == TOPIC), None)
    if topic is not None:
        return topic
    for index, token in enumerate(statement.tokens):
        low = token.text.lower()
        if index > 0 and (low in table.functional or low in table.plural) and low != "在":
            return index
    return None


def labels_at_beginning(statement: Statement) -> list[str]:
    """Return the numbers that name what a statement without a known predicate begins with: "ticket 12 blocks …", 3 号…."""
    table = words()
    found = []
    for place, token in enumerate(statement.tokens[:LATEST_LABEL]):
        around = [
            one.text.lower() for one in (*statement.tokens[place - 1 : place], *statement.tokens[place + 1 : place + 2])
        ]
        if token.key == "#" and place + 1 < len(statement.tokens):
            before = around[0] if place else ""
            if before in table.labels or around[-1] == "号":
                found.append(token.value)
    return found


def subject_keys(statement: Statement) -> frozenset[str] | None:
    """Return the hard tokens before the predicate, None when there is none."""
    index = predicate_index(statement)
    if index is None:
        return None
    before = statement.tokens[:index]
    return frozenset(
        token.key for token in before if token in statement.frame and not is_soft(token) and token.kind != "value"
    )


def is_stated_value(statement: Statement, start: int) -> bool:
    """Say whether the frame token at `start` directly follows "is", "=", "default" or their like."""
    if start >= len(statement.frame):
        return False
    index = statement.tokens.index(statement.frame[start])
    return index > 0 and statement.tokens[index - 1].text.lower() in words().functional


def word_before(statement: Statement, span: tuple[Token, ...]) -> str:
    """Return the word before a span, articles passed over."""
    if not span:
        return ""
    index = statement.tokens.index(span[0])
    while index > 0 and statement.tokens[index - 1].text.lower() in words().articles:
        index -= 1
    return statement.tokens[index - 1].text.lower() if index else ""


def opens_clause(statement: Statement, frame_index: int) -> bool:
    """Say whether the frame token there is, or follows, a preposition or a Chinese coverb."""
    openers = {"before", "after", "for", "in", "on", "when", "if", "with", "during", "用", "在", "对", "当", "环境变量"}
    token = statement.frame[frame_index]
    if token.text.lower() in openers:
        return True
    index = statement.tokens.index(token)
    return any(previous.text.lower() in openers for previous in statement.tokens[max(0, index - 2) : index])
