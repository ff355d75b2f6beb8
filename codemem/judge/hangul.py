"""Set Korean words apart: a noun and its particle, a verb without its politeness, a denial as a word of its own."""

from __future__ import annotations

import re

from codemem.judge.words import pole_of

HANGUL_WORD = re.compile("[\uac00-\ud7a3]+")
DENIES = re.compile("(?:안|못)$|(?:않|못하|못한|말아|말고|말라|마세요|마십시오)")
"""Words that deny the verb beside them: short ones stand alone, the others after -지."""
NOTHING = re.compile("(?P<before>[\uac00-\ud7a3]*?)없[\uac00-\ud7a3]*")
"""없다, 없이, 상관없이: there is none."""
SOMETHING = re.compile("있(?:다|는|음|어|고|습|으|지)?")
VERB = re.compile(
    "(?:하|되)(?:였습니다|었습니다|였다|었다|고|며|면|지|기|는|여야|어야|다)?$"
    "|(?:합니다|한다|했다|했습니다|해요|해야|해도|됩니다|된다|됐다|됐습니다|돼요|돼야|돼도|되면|하면)$"
    "|(?<!포|제|권|기|결)(?:함|됨|한|된)$"
)
"""Endings of "do" and "become", which turn a noun into a verb; the last row are ends of nouns as well (포함, 제한)."""
SHORT_VERB_REST = 2
"""Syllables left before an ending of one syllable."""
IS = re.compile("(?:입니다|이다|이에요|예요)$")
PARTICLE = re.compile("(?:에서|에게|으로|까지|부터|보다|은|는|이|가|을|를|에|의|로|와|과|도|만)$")
ONE_PARTICLE = {"은": "는", "이": "가", "을": "를", "으로": "로", "과": "와"}
"""Forms of one particle: which one stands depends on the sound before it."""
AFTER_CONSONANT, AFTER_VOWEL = frozenset("은이을과"), frozenset("는가를와")
SYLLABLES, FINALS = 0xAC00, 28
"""The first syllable of the block, and how many finals a beginning can have; the first of them is none."""


def hangul_apart(word: str) -> str:
    """Return a Korean word as its parts with spaces between; words of the lists stay as they are."""
    if DENIES.match(word):
        return "不"
    if pole_of(word) is not None:
        return word
    if SOMETHING.match(word):
        return "있"
    if nothing := NOTHING.fullmatch(word):
        return f"{nothing['before']} 있 不"
    return _without_ending(word) or _without_particle(word)


def _without_ending(word: str) -> str:
    """Return the noun of a verb, or an empty string."""
    found = IS.search(word) or VERB.search(word)
    if found is None or not found.start():
        return ""
    return word[: found.start()] if len(found[0]) > 1 or found.start() >= SHORT_VERB_REST else ""


def _without_particle(word: str) -> str:
    found = PARTICLE.search(word)
    if found is None or not found.start():
        return word
    particle, before = found[0], word[: found.start()]
    closed = (ord(before[-1]) - SYLLABLES) % FINALS > 0
    if (particle in AFTER_CONSONANT and not closed) or (particle in AFTER_VOWEL and closed):
        return word  # 증가 (growth) is no noun with a particle
    return f"{before} {ONE_PARTICLE.get(particle, particle)}"
