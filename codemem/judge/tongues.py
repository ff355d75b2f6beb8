"""Bring French, Russian, Japanese and Korean prose into a shape in which words stand apart and negations are words."""

from __future__ import annotations

import re
from collections.abc import Iterable

from codemem.judge.hangul import HANGUL_WORD, hangul_apart
from codemem.judge.words import words

ELISION = re.compile(r"\b([cdjlmnst]|qu)'(?=\w\w)", re.I)
"""`n'aime`, `l'ordre`; two letters must follow, so that "C's" stays."""
PORTUGUESE_THE = re.compile(r"^O (?=[^\W\d_A-Z]{2})")
"""At the beginning of a sentence; elsewhere a capital is a name."""
HIRAGANA = re.compile("[\u3041-\u3096]+")
PARTICLE = re.compile("(?:には|では|とは|への|からの|から|まで|より|は|が|を|に|で|と|の|も|へ)(?=.)")
POLITE = re.compile("(?:ました|ます|でした|です|である|だ)$")
DENIED = re.compile("(?:ませんでした|ません|なかった|ないで|なくて|なく|ない|ずに)$")
SEEMING_DENIALS = "少危"
"""少ない (few) and 危ない (dangerous) end like a negation and are none."""
SPOKEN_DUTIES = (
    (re.compile("(?:なければ|なくては)(?:なりません|ならない|いけません|いけない)|必ず"), " 必须 "),
    (re.compile("ては(?:いけません|いけない|なりません|ならない)|禁じられてい(?:ます|る)"), " 禁止 "),
    (re.compile("ても(?:よい|良い|いい)(?:です)?"), " 可以 "),
)  # fmt: skip
KANA_MINUTES = re.compile(r"(?<=\d)\s*分(?!钟|鐘)")

OTHER_LETTER = re.compile(r"[^\W\d_\x00-\x7f\u3400-\u9fff\uf900-\ufaff]")
"""A letter that neither English nor Chinese is written with."""


def is_well_known(lowered: Iterable[str]) -> bool:
    """Say whether lower-case words are English or Chinese, whose opposites the lists hold well enough to trust a cosine."""
    strangers = words().strangers
    return not any(word in strangers or OTHER_LETTER.search(word) for word in lowered)


def words_apart(text: str) -> str:
    """Return `text` with elided and kana words apart, Japanese negations as a word of their own, and е for ё."""
    text = ELISION.sub(lambda match: f"{match[1]}e " if match[1].lower() == "n" else f"{match[1]} ", text)
    text = PORTUGUESE_THE.sub("o ", text)
    text = HANGUL_WORD.sub(lambda match: hangul_apart(match[0]), text.replace("ё", "е").replace("Ё", "Е"))
    if not HIRAGANA.search(text):
        return text
    for spoken, duty in SPOKEN_DUTIES:
        text = spoken.sub(duty, text)
    text = KANA_MINUTES.sub("分钟", text)
    return HIRAGANA.sub(_hiragana, text)


def _hiragana(match: re.Match[str]) -> str:
    """Set a run of hiragana apart: its particle first, its negation last, its politeness left out."""
    run = match[0]
    before = match.string[match.start() - 1 : match.start()]
    denied = None if before in SEEMING_DENIALS and before else DENIED.search(run)
    run = run[: denied.start()] if denied else POLITE.sub("", run)
    particle = PARTICLE.match(run)
    if particle:
        run = f"{particle[0]} {run[particle.end() :]}"
    return f" {run} {'不 ' if denied else ''}"
