"""The terms under which a memory is found."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from codemem.text import STOP_WORDS, said_terms, stem
from codemem.types import Memory

SAID_BY = "@"
"""Prefix of the terms of who said a turn and when: they concern that turn alone, not its neighbours."""


@lru_cache(maxsize=1)
def stop_terms() -> frozenset[str]:
    """Return the stop words as terms; they are left out of memories and questions alike."""
    return frozenset(map(stem, STOP_WORDS)) | STOP_WORDS


def memory_terms(memory: Memory) -> Counter[str]:
    """Count the index terms of a memory: its content, other wordings, key, symbol and context."""
    said, _, seen = memory.context.partition("\n") if memory.raw else ("", "", memory.context)
    counted = _counted(memory.content, *memory.aliases, memory.key, memory.symbol, seen)
    counted.update(SAID_BY + term for term in _counted(said))
    return counted


def question_terms(text: str) -> list[str]:
    """Return the distinct terms of a question in order, without stop words."""
    return [term for term in dict.fromkeys(said_terms(text)) if term not in stop_terms()]


def _counted(*texts: str) -> Counter[str]:
    counted = Counter(term for text in texts if text for term in said_terms(text))
    return Counter({term: number for term, number in counted.items() if term not in stop_terms()}) or counted
