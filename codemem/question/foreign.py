"""Words of other languages in a question, said in the English that code is written in."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

from codemem.text import is_spaceless, split_identifier, words

LEXICON = Path(__file__).with_name("foreign.txt")
"""importlib.resources would say the same and cost every search 4 ms."""
SHORTEST_BEGINNING = 4
"""Letters of an entry that may be continued: shorter ones stand for whole words only."""
LONGEST_ENTRY = 16
_SPEAKING = frozenset(
    "wo wie wird werden der das dem den ein eine einen einer eines beim und nicht ist sind wenn welche welcher welches zum zur "
    "dónde donde cómo cual cuál qué el los las una del para por cuando está se où comment quel quelle le les des une du dans "
    "est sont pour avec".split()
)
"""Words that no English question holds: without one, Latin letters are taken for English."""
LEAST_SPEAKING = 2
"""One such word may be a name (`der`, `del`, `est`, `se`)."""


@cache
def lexicon() -> dict[str, tuple[str, ...]]:
    """Return entry -> English words."""
    found: dict[str, tuple[str, ...]] = {}
    for line in LEXICON.read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            english, _, entries = line.partition(":")
            for entry in entries.split():
                found[entry] = tuple(dict.fromkeys((*found.get(entry, ()), *english.split())))
    return found


def in_english(text: str, known: Callable[[str], bool] = lambda word: False) -> tuple[str, ...]:
    """Return the English words for those of `text` that are not English, in order, each once; none for English text.

    `known` says whether the repository holds a word: when it holds all of them, it speaks that language itself.
    """
    spoken = words(text.lower())
    latin = sum(word in _SPEAKING for word in spoken) >= LEAST_SPEAKING
    if text.isascii() and not latin:
        return ()
    entries: dict[str, tuple[str, ...]] = {}
    for word in spoken:
        for part in split_identifier(word):
            if is_spaceless(part):
                entries.update(_inside(part))
            elif latin or not (part.isascii() or _is_latin(part)):
                entries.update(_beginning(part))
    if all(known(entry) for entry in entries):
        return ()
    return tuple(dict.fromkeys(english for found in entries.values() for english in found))


def _beginning(word: str) -> dict[str, tuple[str, ...]]:
    """Look a word up by its longest beginning; the word stands for the entry."""
    table = lexicon()
    sizes = range(min(len(word), LONGEST_ENTRY), SHORTEST_BEGINNING - 1, -1)
    found = next((word[:size] for size in (len(word), *sizes) if word[:size] in table), "")
    return {word: table[found]} if found else {}


def _inside(run: str) -> dict[str, tuple[str, ...]]:
    """Cut a run of a script without spaces into entries, the longest first, from left to right."""
    table, at = lexicon(), 0
    found: dict[str, tuple[str, ...]] = {}
    while at < len(run):
        sizes = range(min(LONGEST_ENTRY, len(run) - at), 0, -1)
        entry = next((run[at : at + size] for size in sizes if run[at : at + size] in table), "")
        if entry:
            found[entry] = table[entry]
        at += len(entry) or 1
    return found


def _is_latin(word: str) -> bool:
    return re.match(r"[a-z\u00c0-\u024f]", word) is not None
