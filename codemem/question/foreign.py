"""Words of other languages in a question, said in the English that code is written in.

What counts as foreign: every word outside ASCII; a plain ASCII word only in a question that speaks another language (tongues.py).
Identifiers (`_`, capitals inside) are never translated.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from codemem.question.lexicon import inside, lexicon, lexicon_of, look_up
from codemem.question.tongues import FUNCTION_WORDS, claimed, written_in
from codemem.text import is_spaceless, words, written_parts

LEAST_KNOWN = 2
"""Words with an entry that tell which language is written where no function word does; all of them, in a shorter question."""
_HANGUL = re.compile("[\uac00-\ud7af]")
_SPACELESS = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_UKRAINIAN = re.compile("[іїєґ]|\\b(?:де|хто|що|як|та)\\b", re.IGNORECASE)
_APOSTROPHE = "(?<=[а-яіїєґ])['’ʼ](?=[яюєї])"
_ASKING = (
    r"^\W*(?:(?:[вуз] |in |dans |en |em |a |w )?(?:где|как|кто|что|почему|когда|как(?:ой|ая|ое|ие|ом|их)|откуда|куда|зачем|де|хто"
    r"|що|чому|коли|як|як(?:ий|а|е|і|ому|их)|звідки|куди|wo|wie|wer|was|warum|wann|welche[rsnm]?|où|comment|qui|quel(?:le)?s?|pourquoi"
    r"|quand|d[óo]nde|c[óo]mo|qui[ée]n(?:es)?|qu[ée]|cu[áa](?:l|les|ndo)|onde|como|quem|quais?|dove|chi|come|quale|quali|perch[éè]"
    r"|cosa|gdzie|kto|jak|dlaczego|kiedy|któr\w+|jaki\w*|waar|waarom|hoe|welke?|wanneer|wat))\b"
    r"|哪|谁|如何|怎|什么|何[がをでも]|どこ|どの|どう|誰|なぜ|어디|어떻게|누가|무엇|왜|\b(?:nere\w+|nasıl|neden|hangi\w*|kim\w*)\b"
    r"|(?:場所|箇所|ところ|곳|的地方)\W*$"
)
"""How questions of these languages begin, what stands in them, or the place they end with: no pasted message does."""
_ASKS_TESTS = (
    r"(?:测试|テスト|테스트|testler\w*)\W*$|(?:哪些|哪个|どの|어떤)\s?(?:测试|テスト|테스트)|(?:测试用例|テストケース)"
    r"|\b(?:тест(?:ы|ов|а|и|ів)?\s+(?:для|на|до)|tests?\s+(?:für|zu|zum|zur|von|de|des|du|d|pour|para|per|di|del\w*|voor|van)"
    r"|(?:pruebas?|testes?)\s+(?:de|del|do|da|das|dos|para)|testy?\s+(?:dla|do))\b"
    r"|\b(?:как(?:ие|ой)\s+тест|які\s+тест|welche[rs]?\s+tests?|quels?\s+tests?|qué\s+(?:pruebas?|tests?)|quais?\s+testes?|quali\s+test|które\s+testy"
    r"|hangi\s+test|welke\s+tests?)|^\W*(?:тесты|тести|testy)\b"
)
"""`tests for …`, `… test` and `which tests …` in these languages."""


class Foreign(NamedTuple):
    """What of a question is not English."""

    english: tuple[str, ...] = ()
    """The English words for it, in order, each once."""
    silent: frozenset[str] = frozenset()
    """Lower-case words of the question that say nothing: function words."""
    asks: bool = False
    """The question asks, so that it is no pasted message."""
    asks_tests: bool = False


ENGLISH = Foreign()


def in_english(text: str, known: Callable[[str], bool] = lambda word: False) -> tuple[str, ...]:
    """Return the English words for those of `text` that are not English, in order, each once; none for English text."""
    return read_foreign(text, known).english


def read_foreign(text: str, known: Callable[[str], bool] = lambda word: False) -> Foreign:
    """Find the words of `text` that are not English.

    `known` says whether the repository holds a word: when it holds all of them, it speaks that language itself.
    """
    written = words(text if text.isascii() else re.sub(_APOSTROPHE, "", text))
    lowered = [word.lower() for word in written]
    tongues = claimed(lowered)
    if not tongues and text.isascii():
        return ENGLISH
    spoken = [word for word in written if "_" not in word and not (word.isascii() and not word[1:].islower())]
    if not tongues:
        tongues = _known_tongues(lowered, spoken)
    silent = frozenset(one for one in lowered if one in FUNCTION_WORDS and (tongues or not one.isascii()))
    entries = _translated(
        [word for word in spoken if word.lower() not in silent], tongues, text, lowered[-1] if lowered else ""
    )
    if not (tongues or entries or silent):
        return ENGLISH  # typographic quotes, a name with an accent
    spoken_here = all(known(entry) for entry, meaning in entries.items() if meaning)
    english = () if spoken_here else tuple(dict.fromkeys(one for found in entries.values() for one in found))
    return Foreign(english, silent, _holds(_ASKING, text), _holds(_ASKS_TESTS, text))


def apart(text: str) -> str:
    """Put a space between a name and the letters of another script that are written to it: `freeze를`, `调用freeze的`."""
    return re.sub(rf"(?<=[A-Za-z0-9_])(?=[{_SPACELESS}])|(?<=[{_SPACELESS}])(?=[A-Za-z_])", " ", text)


def _holds(pattern: str, text: str) -> bool:
    """Search for a pattern that is compiled when the first foreign question comes."""
    return re.search(pattern, text, re.IGNORECASE) is not None


def _known_tongues(lowered: list[str], spoken: list[str]) -> list[str]:
    """Return the language whose letters are written and whose words are known, best first."""
    latin = [word for word in spoken if _is_latin(word)]
    found = {
        name: len(look_up(latin, [lexicon_of(name)]))
        for name in written_in([word for word in lowered if _is_latin(word)])
    }
    best = max(found.values(), default=0)
    return (
        [name for name, count in found.items() if count == best] if best >= min(LEAST_KNOWN, max(len(latin), 1)) else []
    )


def _translated(spoken: list[str], tongues: list[str], text: str, last: str) -> dict[str, tuple[str, ...]]:
    """Return word or entry -> English words, in the order of the question."""
    parts = [part for word in spoken for part in written_parts(word)]
    found: dict[str, tuple[str, ...]] = {}
    if latin := [part for part in parts if _is_latin(part)] if tongues else []:
        found |= look_up(latin, list(map(lexicon_of, tongues)), last)
    if cyrillic := [part for part in parts if _is_cyrillic(part)]:
        found |= look_up(cyrillic, [lexicon(name) for name in (("uk", "ru") if _UKRAINIAN.search(text) else ("ru",))])
    hangul = [part for part in parts if _HANGUL.match(part)]
    joined = look_up(hangul, [lexicon("ko")._replace(entries={})]) if hangul else {}
    found |= {word: english for word, english in joined.items() if english}
    for part in parts:
        if is_spaceless(part) and part not in joined:
            found |= inside(part, lexicon("ko" if _HANGUL.match(part) else "han").entries)
    order = {part: at for at, part in enumerate(parts)}
    return dict(sorted(found.items(), key=lambda pair: order.get(pair[0], len(order))))


def _is_latin(word: str) -> bool:
    return re.match(r"[A-Za-z\u00c0-\u024f\u1e00-\u1eff]", word) is not None


def _is_cyrillic(word: str) -> bool:
    return re.match(r"[\u0400-\u04ff]", word) is not None
