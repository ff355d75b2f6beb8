"""Text to vocabulary ids for the static model: identifier parts, pieces of unknown words, CJK characters and pairs.

This splitter belongs to the weights (training uses it too), so it shares nothing with `codemem.text`, whose rules may
change without a new training.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from itertools import pairwise

WORD = re.compile(r"\w+")
ASCII_PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
# CJK ideographs, kana and hangul are written without spaces (or with too few): characters and pairs carry the meaning.
SPACELESS = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
OTHER_PART = re.compile(rf"[{SPACELESS}]+|[0-9]+|[^\W\d_{SPACELESS}]+")
SPACELESS_RUN = re.compile(rf"[{SPACELESS}]+")
LONGEST_WORD = 40
"""Longer runs are data, not words."""
ONE_LETTER_COST = 8.0
TWO_LETTER_COST = 4.0
"""Added cost of short pieces (natural logarithms): an unknown word should keep its longest known parts."""
CACHED_WORDS = 200_000
"""Identifiers whose ids are remembered, about 30 MB: code repeats itself."""
IMPOSSIBLE = -1e9


class Vocabulary:
    """The words and pieces that have a vector, with the log probabilities by which unknown words are cut."""

    def __init__(self, words: Sequence[str], log_probabilities: Sequence[float]) -> None:
        self.ids = {word: number for number, word in enumerate(words)}
        self._log_probabilities = log_probabilities
        self._longest = max(map(len, words), default=0)
        self._known: dict[str, tuple[int, ...]] = {}

    def text_ids(self, text: str) -> list[int]:
        """Return the ids of the words of `text` in order; unknown characters give none."""
        known = self._known
        if len(known) > CACHED_WORDS:
            known.clear()
        ids: list[int] = []
        for word in WORD.findall(text):
            found = known.get(word)
            if found is None:
                found = known[word] = self._word_ids(word)
            ids += found
        return ids

    def _word_ids(self, word: str) -> tuple[int, ...]:
        ids: list[int] = []
        for part in word_parts(word):
            number = self.ids.get(part)
            if number is not None:
                ids.append(number)
            elif SPACELESS_RUN.match(part) is None:
                ids.extend(self._pieces(part))
        return tuple(ids)

    def _pieces(self, word: str) -> list[int]:
        """Cut an unknown word into the likeliest known pieces (Viterbi); none when that cannot be done."""
        length = len(word)
        if length > LONGEST_WORD:
            return []
        best = [0.0] + [IMPOSSIBLE] * length
        start = [0] * (length + 1)
        for end in range(1, length + 1):
            for begin in range(max(0, end - self._longest), end):
                number = self.ids.get(word[begin:end])
                if number is None:
                    continue
                size = end - begin
                cost = ONE_LETTER_COST if size == 1 else TWO_LETTER_COST if size == 2 else 0.0
                score = best[begin] + self._log_probabilities[number] - cost
                if score > best[end]:
                    best[end], start[end] = score, begin
        if best[length] <= IMPOSSIBLE / 2:
            return []
        ids: list[int] = []
        while length:
            ids.append(self.ids[word[start[length] : length]])
            length = start[length]
        return ids[::-1]


def word_parts(word: str) -> list[str]:
    """Split one run of word characters: case changes, digits, scripts; spaceless runs as characters and pairs."""
    if word.isascii():
        return [part.lower() for part in ASCII_PART.findall(word)]
    parts: list[str] = []
    for run in OTHER_PART.findall(unicodedata.normalize("NFKC", word)):
        if SPACELESS_RUN.match(run):
            parts.extend(run)
            parts.extend(first + second for first, second in pairwise(run))
        else:
            parts.extend(part.lower() for part in _split_by_case(run))
    return parts


def text_parts(text: str) -> list[str]:
    """Return all parts of `text`, the candidates of a vocabulary."""
    return [part for word in WORD.findall(text) for part in word_parts(word)]


def _split_by_case(word: str) -> list[str]:
    """Split at a lower-case letter followed by an upper-case one, in any alphabet."""
    is_upper: Callable[[str], bool] = str.isupper
    cuts = [0, *(i for i in range(1, len(word)) if is_upper(word[i]) and word[i - 1].islower()), len(word)]
    return [word[begin:end] for begin, end in pairwise(cuts)]
