"""Words of other languages -> the English words of code, one file a script or language, read when a question speaks it.

A line of `foreign-NAME.txt`: English words (none for a word that says nothing), a colon, entries in lower case, without accents.
An entry of SHORTEST_BEGINNING letters may go on (`configur` stands for `configuración`), a shorter one when it ends with `*`, else
it is a whole word. `_` joins words that follow each other. Entries of Chinese, Japanese and Korean are found inside a run.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from codemem.text import is_spaceless, unaccented

FOLDER = Path(__file__).parent
"""importlib.resources would say the same and cost every search 4 ms."""
SHORTEST_BEGINNING = 4
SHORTEST_STEM = 2
LONGEST_ENTRY = 20
LONGEST_ENDING = {"tr": 14, "ko": 12}
"""Letters that a word may have beyond its entry: endings of inflection are shorter, another word begins beyond."""
USUAL_ENDING = 7
SHORTEST_COMPOUND = 9
"""Letters of a word that may be several joined ones (`Verbindungspool`), each of COMPOUND_PART letters or more."""
COMPOUND_PART = 4
COMPOUNDING = frozenset({"de", "nl"})
MIXED = frozenset({"de", "fr", "es", "pt"})
"""Languages with a second file in common, `latin`."""
_PARTICLES = {
    "de": "ab an auf aus bei durch ein fest herunter hoch los mit nach um vor weg weiter wieder zu zuruck zusammen her hin uber",
    "nl": "af aan in op uit toe terug door over bij mee samen weer na om onder neer weg",
}
"""Beginnings of verbs that leave them (`ruft … auf`) or let `ge` and `zu` in between (`aufgerufen`, `aufzurufen`)."""
_FULL_OF_MEANING = "(?:[^\u3040-\u309f的了在把被从到和与或时中里个是有将对给用向让后前上下])"

English = tuple[str, ...]


class Lexicon(NamedTuple):
    """The entries of one file."""

    name: str
    entries: dict[str, English]
    phrases: dict[str, list[tuple[tuple[str, ...], English]]]
    """First word of a phrase -> the further ones and the English words."""


@cache
def lexicon(name: str) -> Lexicon:
    """Read one file."""
    entries: dict[str, English] = {}
    phrases: dict[str, list[tuple[tuple[str, ...], English]]] = {}
    for line in (FOLDER / f"foreign-{name}.txt").read_text("utf-8").splitlines():
        english, _, listed = line.partition(":")
        meaning = tuple(english.split())
        for entry in listed.split():
            if "_" in entry:
                first, *rest = entry.split("_")
                phrases.setdefault(first, []).append((tuple(rest), meaning))
            else:
                entries[entry] = meaning
    return Lexicon(name, entries, phrases)


@cache
def lexicon_of(tongue: str) -> Lexicon:
    """Return the lexicon of a language in Latin letters; some have entries in common."""
    own = lexicon(tongue)
    return own._replace(entries=lexicon("latin").entries | own.entries) if tongue in MIXED else own


def names_of_files() -> list[str]:
    """Return the names under which lexicons are kept."""
    return sorted(path.stem.removeprefix("foreign-") for path in FOLDER.glob("foreign-*.txt"))


class Heard(NamedTuple):
    """What a word was taken for: its English words, the letters of the entry, and how many words it stands for."""

    english: English = ()
    letters: int = 0
    words: int = 1


def look_up(spoken: Sequence[str], lexicons: Sequence[Lexicon], last: str = "") -> dict[str, English]:
    """Return word -> English words for words that follow each other; the longest entry decides.

    `last` is the last word of the question, which may be the beginning of a verb.
    """
    plain = [plainly(word) for word in spoken]
    found: dict[str, English] = {}
    for at, word in enumerate(spoken):
        if word in found:
            continue
        best = max((_hear(plain, at, one, last) for one in lexicons), key=lambda heard: heard.letters)
        if best.letters:
            found.update(dict.fromkeys(spoken[at : at + best.words], ()))
            found[word] = best.english
    return found


def inside(run: str, table: dict[str, English]) -> dict[str, English]:
    """Cut a run of a script without spaces into entries, the longest first, from left to right.

    A single character counts only where its neighbours are no part of an unknown word.
    """
    pieces: list[str] = []
    at = 0
    while at < len(run):
        sizes = range(min(LONGEST_ENTRY, len(run) - at), 0, -1)
        pieces.append(next((run[at : at + size] for size in sizes if run[at : at + size] in table), ""))
        at += len(pieces[-1]) or 1
        pieces[-1] = pieces[-1] or "?" + run[at - 1]
    found: dict[str, English] = {}
    for at, piece in enumerate(pieces):
        around = pieces[max(at - 1, 0) : at] + pieces[at + 1 : at + 2]
        lone = len(piece) == 1 and any(re.fullmatch(rf"\?{_FULL_OF_MEANING}", other) for other in around)
        if not piece.startswith("?") and not lone:
            found[piece] = table[piece]
    return found


def plainly(word: str) -> str:
    """Return a word in lower case, without accents; scripts without spaces stay."""
    if word.isascii():
        return word.lower()
    if is_spaceless(word):
        return word
    bare = "".join(one for one in unicodedata.normalize("NFD", word.casefold()) if not unicodedata.combining(one))
    return unaccented(bare)


def _hear(plain: list[str], at: int, lexicon: Lexicon, last: str) -> Heard:
    return _phrase(plain, at, lexicon) or _separated(plain[at], last, lexicon) or _single(plain[at], lexicon)


def _phrase(plain: list[str], at: int, lexicon: Lexicon) -> Heard | None:
    """Return what the words from `at` on mean together."""
    for size in range(len(plain[at]), SHORTEST_STEM - 1, -1) if lexicon.phrases else ():
        for rest, english in lexicon.phrases.get(plain[at][:size], ()):
            following = plain[at + 1 : at + 1 + len(rest)]
            if len(following) == len(rest) and all(map(str.startswith, following, rest)):
                return Heard(english, size + sum(map(len, rest)), 1 + len(rest))
    return None


def _separated(word: str, last: str, lexicon: Lexicon) -> Heard | None:
    """Look a verb up together with the beginning that stands at the end of the question."""
    if word == last or last not in _PARTICLES.get(lexicon.name, "").split():
        return None
    entry = _longest(last + word, lexicon)
    return Heard(lexicon.entries[entry], len(entry)) if len(entry) > len(last) + SHORTEST_STEM else None


def _single(word: str, lexicon: Lexicon) -> Heard:
    """Look a word up by its longest beginning, and a joined one by those of its parts."""
    compounds = lexicon.name in COMPOUNDING
    entry = _longest(word, lexicon)
    for other in _unbent(word, lexicon.name) if compounds and not entry else ():
        if entry := _longest(other, lexicon):
            word = other
            break
    left = len(word) - len(entry)
    first = lexicon.entries.get(entry, ())
    further: English = ()
    if compounds and len(word) >= SHORTEST_COMPOUND and left >= COMPOUND_PART:
        further = _further(word, max(len(entry), COMPOUND_PART), lexicon)
    if further:
        return Heard(tuple(dict.fromkeys((*first, *further))), len(word))
    return Heard(first, len(entry)) if entry and left <= LONGEST_ENDING.get(lexicon.name, USUAL_ENDING) else Heard()


def _further(word: str, start: int, lexicon: Lexicon) -> English:
    """Return the meanings of the parts of a joined word behind the first."""
    # From the right: what the rest means is asked for at many places, and depends on nothing before it.
    meanings: dict[int, English] = {}
    for at in range(len(word) - COMPOUND_PART, start - 1, -1):
        entry = _longest(word[at:], lexicon)
        end = at + len(entry)
        rest = meanings.get(end, ())
        if len(entry) >= COMPOUND_PART and (rest or len(word) - end <= USUAL_ENDING):
            meanings[at] = (*lexicon.entries[entry], *rest)
        else:
            meanings[at] = meanings.get(at + 1, ())
    return meanings.get(start, ())


def _unbent(word: str, language: str) -> Iterator[str]:
    """Take `ge` and `zu` of participles and infinitives out, and the dots of umlauts that were written as `e`."""
    particles = "|".join(sorted(_PARTICLES[language].split(), key=len, reverse=True))
    if match := re.match(rf"({particles})?(?:ge|zu|te)(\w{{3,}})", word):
        yield (match[1] or "") + match[2]
    if match := re.match(rf"(?:{particles})(\w{{4,}})", word):
        yield match[1]
    if re.search("[aou]e", word):
        yield re.sub("([aou])e", r"\1", word)


def _longest(word: str, lexicon: Lexicon) -> str:
    """Return the longest entry that a word begins with, '' for none."""
    entries = lexicon.entries
    if word in entries:
        return word
    for size in range(min(len(word), LONGEST_ENTRY), SHORTEST_STEM - 1, -1):
        if size >= SHORTEST_BEGINNING and word[:size] in entries:
            return word[:size]
        if size < LONGEST_ENTRY and word[:size] + "*" in entries:
            return word[:size] + "*"
    return ""
