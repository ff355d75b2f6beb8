"""Judge and cut prose: the first sentence of a documentation, whether a text can serve as a question."""

from __future__ import annotations

import re

MARKUP = re.compile(r"</?[a-zA-Z][^>\n]{0,60}>|\{@\w+\s*([^}]*)\}|\[`?([^\]`]+)`?\](?:\([^)]*\))?")
DETAILS = re.compile(
    r"\n\s*(?:@\w+|:\w+[^:\n]*:|[\\]param|[\\]return|Args:|Arguments:|Parameters\b|Returns[:\n]|Raises|Examples?\b|>>>|```|#+ |"
    r"- Parameter|- Returns|Usage:|Since:|\.\. )",
    re.IGNORECASE,
)
"""Where a documentation turns from purpose to particulars."""
SENTENCE_END = re.compile(r"(?<=[a-z0-9)`'\"])[.!?](?=\s+[A-Z`(]|$)|[。！？]")
NOT_ABOUT_CODE = re.compile(
    r"copyright|licen[sc]e|SPDX|all rights reserved|permission is hereby|warranty|redistribution|@generated|auto-?generated|"
    r"do not edit|eslint-disable|noinspection|pylint:|noqa|clang-format|nolint|rubocop:|type: ignore|coding:|版权|许可证",
    re.IGNORECASE,
)
WORD = re.compile(r"[^\W\d_]{2,}")
IDEOGRAPH = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
IDEOGRAPHS_A_WORD = 1.7
"""Chinese words are between one and two characters long."""
QUERY_CHARACTERS = 300
REST_CHARACTERS = 600
TEXT_SHARE = 0.7
"""Letters, ideographs and spaces: less means a table, a rule or code."""
EMPTY_WORDS = frozenset(
    "should return returns test tests true false works correctly when with the a an is are does not error value values handle "
    "handles and or of to for in it be get set null nil undefined if on from by this that".split()
)


def without_markup(text: str) -> str:
    """Drop tags and keep what links and inline tags show."""
    return MARKUP.sub(lambda match: match.group(1) or match.group(2) or " ", text).strip()


def first_sentence(doc: str) -> tuple[str, str]:
    """Return the sentence that says what something is for, and what follows; empty when there is none."""
    doc = without_markup(doc)
    details = DETAILS.search("\n" + doc)
    head = doc[: max(0, details.start() - 1)] if details else doc
    paragraph = re.split(r"\n\s*\n", head.strip(), maxsplit=1)[0]
    flat = " ".join(paragraph.split())
    end = SENTENCE_END.search(flat)
    first = flat[: end.start()] if end else flat
    rest = f"{flat[end.end() :] if end else ''} {' '.join(doc[len(paragraph) :].split())}"
    return first[:QUERY_CHARACTERS].strip(), rest.strip()[:REST_CHARACTERS]


def count_words(text: str) -> float:
    """Count words, ideographs by their share of one."""
    ideographs = len(IDEOGRAPH.findall(text))
    return len(WORD.findall(IDEOGRAPH.sub(" ", text))) + ideographs / IDEOGRAPHS_A_WORD


def is_question_like(text: str, least: int = 3, most: int = 40) -> bool:
    """Say whether `text` reads as one statement about code: neither too short nor a licence, a table or code."""
    if not text or NOT_ABOUT_CODE.search(text) or not least <= count_words(text) <= most:
        return False
    return sum(character.isalpha() or character == " " for character in text) > TEXT_SHARE * len(text)


def says_something(text: str) -> bool:
    """Say whether at least two words remain besides those that fit everywhere."""
    if IDEOGRAPH.search(text):
        return True
    return len({word.lower() for word in WORD.findall(text)} - EMPTY_WORDS) >= 2
