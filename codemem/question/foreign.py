"""Words of other languages in a question, said in the English that code is written in.

What counts as foreign: every word outside ASCII; a plain ASCII word only in a question that speaks another language, that
is, holds LEAST_SPEAKING different function words of such languages and more of them than English ones, or begins with a
question word and holds no English function word. Identifiers (`_`, capitals inside) are never translated.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from codemem.text import STOP_WORDS, is_spaceless, words, written_parts

LEXICON = Path(__file__).with_name("foreign.txt")
"""importlib.resources would say the same and cost every search 4 ms."""
SHORTEST_BEGINNING = 4
"""Letters of an entry that may be continued: shorter ones stand for whole words only."""
LONGEST_ENTRY = 16
LONGEST_ENDING = 7
"""Letters that a word may have beyond its entry: endings of inflection are shorter, another word begins beyond."""
SHORTEST_COMPOUND = 11
"""Letters of a word that may be two joined ones (`Verbindungspool`), each of COMPOUND_PART letters or more."""
COMPOUND_PART = 4
_SPEAKING = frozenset(
    "wo wie wird werden der das dem den ein eine einen einer eines beim und nicht ist sind wenn welche welcher welches zum zur "
    "auf für von bei nach wurde wurden wer wann warum über durch sich aus wieso gibt "
    "dónde donde cómo cual cuál qué quién quien el los las una del para por cuando está están se con "
    "où comment quel quelle quels quelles le les des une du dans est sont pour avec qui cette sur lors pourquoi quand "
    "onde como uma são quando não é à dos das pelo pela qual quais quem feito feita".split()
)
"""Words that no English question holds: without them, Latin letters are taken for English."""
LEAST_SPEAKING = 2
"""One such word may be a name (`der`, `del`, `est`, `se`)."""
_OPENING = frozenset(
    "wo wer wie warum wann welche welcher welches où qui quel quelle quels quelles donde dónde quien quién como cómo onde quem "
    "pruebas testes".split()
)
"""Words that open a question in one of these languages and never in English."""
_SILENT = frozenset(
    "die im in am an als zu es einem mit oder auch nur was so vom ins la lo un en a y o e al su sus de que no si es son hay "
    "et ou au aux par il elle on ne pas ce ces sa ses d l n s qu um os as do da na nos nas ao à às é ser foi "
    "и в во на с со к ко о об от до из за по у при для не ни же ли бы что как где кто чем это его её их или а но если когда "
    "какой какая какое какие почему откуда куда после перед через между".split()
)
"""Further function words: they say nothing about the answer once the language is known."""
_FUNCTION_WORDS = _SPEAKING | _SILENT
_ASKING = (
    r"^\W*(?:где|как|кто|что|почему|когда|какой|какая|какое|какие|откуда|куда|зачем|wo|wie|wer|was|warum|welche[rsn]?|wann|où|"
    r"comment|qui|quel(?:le)?s?|pourquoi|quand|d[óo]nde|c[óo]mo|qui[ée]n(?:es)?|qu[ée]|cu[áa](?:l|les|ndo)|onde|como|quem|quais?)\b"
    r"|哪|谁|如何|怎|什么|何[がをでも]|どこ|どの|どう|誰|なぜ|어디|어떻게|누가|무엇|왜"
    r"|(?:場所|箇所|ところ|곳|的地方)\W*$"
)
"""How questions of these languages begin, what stands in them, or the place they end with: no pasted message does."""
_ASKS_TESTS = (
    r"(?:测试|テスト|테스트)\W*$|(?:哪些|哪个|どの|어떤)\s?(?:测试|テスト|테스트)|(?:测试用例|テストケース)"
    r"|\b(?:тест(?:ы|ов|а)?\s+(?:для|на)|tests?\s+(?:für|zu|zum|zur|von|de|des|du|d|pour|para)|(?:pruebas?|testes?)\s+(?:de|del|do|da|para))\b"
    r"|\b(?:как(?:ие|ой)\s+тест|welche[rs]?\s+tests?|quels?\s+tests?|qué\s+(?:pruebas?|tests?)|quais?\s+testes?)"
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


@cache
def lexicon() -> dict[str, tuple[str, ...]]:
    """Return entry (without accents) -> English words."""
    found: dict[str, tuple[str, ...]] = {}

    def add(entry: str, english: list[str]) -> None:
        entry = _plain(entry)
        found[entry] = tuple(dict.fromkeys((*found.get(entry, ()), *english)))

    for line in LEXICON.read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            english, _, entries = line.partition(":")
            for entry in entries.split():
                add(entry, english.split())
    return found


def in_english(text: str, known: Callable[[str], bool] = lambda word: False) -> tuple[str, ...]:
    """Return the English words for those of `text` that are not English, in order, each once; none for English text."""
    return read_foreign(text, known).english


def read_foreign(text: str, known: Callable[[str], bool] = lambda word: False) -> Foreign:
    """Find the words of `text` that are not English.

    `known` says whether the repository holds a word: when it holds all of them, it speaks that language itself.
    """
    written = words(text)
    lowered = [word.lower() for word in written]
    latin = _speaks_latin(lowered)
    if not latin and text.isascii():
        return ENGLISH
    silent = frozenset(one for one in lowered if one in _FUNCTION_WORDS and (latin or not one.isascii()))
    entries: dict[str, tuple[str, ...]] = {}
    for word in written:
        if word.lower() in silent or "_" in word or (word.isascii() and not (latin and word[1:].islower())):
            continue
        for part in written_parts(word):
            if is_spaceless(part):
                entries.update(_inside(part))
            elif latin or not part.isascii():
                entries.update(_beginning(part))
    if not (latin or entries or silent):
        return ENGLISH  # typographic quotes, a name with an accent
    spoken_here = all(known(entry) for entry in entries)
    english = () if spoken_here else tuple(dict.fromkeys(one for found in entries.values() for one in found))
    return Foreign(english, silent, _holds(_ASKING, text), _holds(_ASKS_TESTS, text))


def _holds(pattern: str, text: str) -> bool:
    """Search for a pattern that is compiled when the first foreign question comes."""
    return re.search(pattern, text, re.IGNORECASE) is not None


def _speaks_latin(lowered: list[str]) -> bool:
    """Say whether words are those of another language in Latin letters."""
    speaking = len(_SPEAKING.intersection(lowered))
    english = len(STOP_WORDS.intersection(lowered) - _FUNCTION_WORDS)
    opens = len(lowered) > 1 and lowered[0] in _OPENING and not english
    return opens or (speaking >= LEAST_SPEAKING and speaking > english)


def _beginning(word: str) -> dict[str, tuple[str, ...]]:
    """Look a word up by its longest beginning, and a joined one by those of its halves; the word stands for the entry."""
    plain = _plain(word)
    entry = _longest(plain)
    found = list(lexicon().get(entry, ()))
    if len(plain) >= SHORTEST_COMPOUND and _is_latin(plain):
        second = next(_second_halves(plain, max(len(entry), COMPOUND_PART)), "")
        found += lexicon().get(second, ())
        if not second and len(plain) - len(entry) > LONGEST_ENDING:
            found = []
    elif len(plain) - len(entry) > LONGEST_ENDING:
        found = []
    return {word: tuple(found)} if found else {}


def _longest(plain: str) -> str:
    table = lexicon()
    if plain in table:
        return plain
    sizes = range(min(len(plain), LONGEST_ENTRY), SHORTEST_BEGINNING - 1, -1)
    return next((plain[:size] for size in sizes if plain[:size] in table), "")


def _second_halves(plain: str, start: int) -> Iterator[str]:
    for at in range(start, len(plain) - COMPOUND_PART + 1):
        entry = _longest(plain[at:])
        if len(entry) >= COMPOUND_PART and len(plain) - at - len(entry) <= LONGEST_ENDING:
            yield entry


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


def _plain(word: str) -> str:
    """Take the accents off a word of an alphabet; other scripts stay."""
    if word.isascii() or is_spaceless(word):
        return word
    return "".join(one for one in unicodedata.normalize("NFD", word.casefold()) if not unicodedata.combining(one))


def _is_latin(word: str) -> bool:
    return re.match(r"[a-z\u00c0-\u024f]", word) is not None
