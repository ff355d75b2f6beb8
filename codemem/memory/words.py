"""The terms under which a memory is found."""

from __future__ import annotations

import unicodedata
from collections import Counter
from functools import lru_cache

from codemem.text import STOP_WORDS, WHOLE, is_spaceless, stem, text_terms
from codemem.types import Memory

SHORTEST_ROOT = 3
"""Letters that must be left of a word when its ending is cut."""
CYRILLIC_ENDINGS = tuple(sorted(
    "иями ями ами ого его ому ему ыми ими иях иям ает яет ают яют ется ются ится ать ять ить еть ах ях ов ев еи ои ыи ии ая яя"
    " ое ее ые ие ам ям ом ем ую юю ет ит ут ют ат ят ла ло ли ия ию а я о е ы и у ю ь".split(),
    key=lambda ending: -len(ending),
))  # fmt: skip
"""Case and verb endings, the longest first; `й` is `и` once its sign is taken off."""
SAID_BY = "@"
"""Prefix of the terms of who said a turn and when: they concern that turn alone, not its neighbours."""


@lru_cache(maxsize=1)
def stop_terms() -> frozenset[str]:
    """Return the stop words as terms; they are left out of memories and questions alike."""
    return frozenset(map(stem, STOP_WORDS)) | STOP_WORDS


@lru_cache(maxsize=1 << 14)
def folded(term: str) -> str:
    """Return a word without accents, and a Cyrillic one without its ending: `café` -> `cafe`, `остатков` -> `остатк`."""
    plain = "".join(letter for letter in unicodedata.normalize("NFKD", term) if not unicodedata.combining(letter))
    if plain.isascii():
        return stem(plain)
    if "\u0400" <= plain[0] <= "\u04ff":
        ending = next((end for end in CYRILLIC_ENDINGS if plain.endswith(end)), "")
        if len(plain) - len(ending) >= SHORTEST_ROOT:
            return plain.removesuffix(ending)
    return plain


def _terms(text: str) -> list[str]:
    """Return the terms of a text; a word with accents or endings stands there as it is and folded."""
    found: list[str] = []
    for term in text_terms(text):
        found.append(term)
        if not term.isascii() and not is_spaceless(term) and term[0] != WHOLE and (plain := folded(term)) != term:
            found.append(plain)
    return found


def memory_terms(memory: Memory) -> Counter[str]:
    """Count the index terms of a memory: its content, other wordings, key, symbol and context."""
    said, _, seen = memory.context.partition("\n") if memory.raw else ("", "", memory.context)
    counted = _counted(memory.content, *memory.aliases, memory.key, memory.symbol, seen)
    counted.update(SAID_BY + term for term in _counted(said))
    return counted


def question_terms(text: str) -> list[str]:
    """Return the distinct terms of a question in order, without stop words."""
    return [term for term in dict.fromkeys(_terms(text)) if term not in stop_terms()]


def _counted(*texts: str) -> Counter[str]:
    counted = Counter(term for text in texts if text for term in _terms(text))
    return Counter({term: number for term, number in counted.items() if term not in stop_terms()}) or counted
