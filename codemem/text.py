"""Words of code and prose: identifier splitting, light stemming, character n-grams for scripts without spaces.

A word is a run of letters, digits and underscores. `getHTTPResponse` gives the terms `get http respons` and, as one more
term, the whole identifier `=gethttprespons`, so every spelling of a name (camel, snake, kebab joined) meets the same term.
Terms of code bear no accents: `créer` and `creer` are one. What people said is kept as they wrote it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache

WORD = re.compile(r"\w+")
WHOLE = "="
"""Marks the term of a whole identifier of several parts: such terms take no part in prefix relations."""
LONGEST_IDENTIFIER = 80
"""Characters; longer Latin runs are encoded data, whose whole form nobody asks for."""
MOST_PARTS = 16
"""Parts kept of one identifier: names end well before, base64 does not."""
SHORTEST_STEM = 3
"""Letters a stem keeps: below it unrelated words meet."""
CACHED_WORDS = 1 << 17
"""Distinct words whose terms are remembered (about 30 MB): code repeats itself."""

_ASCII_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
# Runs of one kind inside a non-ASCII word: scripts written without spaces, or anything else that is not "_".
_SCRIPT_RUNS = (
    "(?P<spaceless>[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3100-\u312f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]+)|(?P<other>[^_\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff"
    "\u3100-\u312f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]+)"
)

_LATIN = (range(0xC0, 0x250), range(0x1E00, 0x1F00))
"""Blocks of Latin letters with accents; other scripts keep their marks, which are letters there (`й`, vowels of Hindi)."""
_COMBINING = range(0x300, 0x370)
_OWN_LETTERS = {
    "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "ħ": "h", "ı": "i", "ŋ": "n", "ŧ": "t",
}  # fmt: skip
"""Latin letters that are no others with an accent, as ASCII keyboards write them."""
_SPELLED_OUT = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "Å": "Aa", "Ø": "Oe"}
)
"""How German and Nordic names are written in ASCII; dropping the dots is the other way."""

SHORTEST_ROOT = 3
"""Letters that must be left of a word when its ending is cut."""
CYRILLIC_ENDINGS = tuple(sorted(
    "иями ями ами ого его ому ему ыми ими иях иям ает яет ают яют ется ются ится ать ять ить еть ах ях ов ев еи ои ыи ии ая яя"
    " ое ее ые ие ам ям ом ем ую юю ет ит ут ют ат ят ла ло ли ия ию а я о е ы и у ю ь".split(),
    key=lambda ending: -len(ending),
))  # fmt: skip
"""Russian case and verb endings, the longest first; `й` is `и` once its sign is taken off."""

HALF_CHARACTER = re.compile("[\ud800-\udfff]")
STOP_WORDS = frozenset(
    "a about all also an and any are as at be been being but by can could did do does doing done each for from had has have "
    "having he her here him his how i if in into is it its itself just like may me might more most much must my no nor not of "
    "off on once only or other our out over own s same shall she should so some such t than that the their them then there "
    "these they this those through to too under up us very was we were what when where whether which while who whom whose why "
    "will with within without would you your".split()
)
"""Words of a question that say nothing about its answer; dropped from queries only, unless nothing else is left."""


@cache
def _script_runs() -> re.Pattern[str]:
    """Compile what only non-ASCII words need: two milliseconds."""
    return re.compile(_SCRIPT_RUNS)


@cache
def _accents() -> dict[int, str]:
    """Return what each accented Latin letter is without its accent: half a millisecond that ASCII text never pays."""
    found = dict.fromkeys(_COMBINING, "")  # `İ` in lower case is an `i` and a dot
    for code in (code for block in _LATIN for code in block):
        plain = "".join(one for one in unicodedata.normalize("NFKD", chr(code)) if ord(one) not in _COMBINING)
        if plain.isascii():
            found[code] = plain
    return found | str.maketrans(_OWN_LETTERS)


def unaccented(part: str) -> str:
    """Return a lower-case part with its Latin letters in ASCII."""
    return part if part.isascii() else part.translate(_accents())


def spelled_out(word: str) -> str:
    """Return a word with its umlauts written as two letters."""
    return word if word.isascii() else word.translate(_SPELLED_OUT)


def is_writable(text: str) -> bool:
    """Say whether `text` holds whole characters only: broken bytes of an argument and JSON escapes make halves."""
    return text.isascii() or not HALF_CHARACTER.search(text)


def writable(text: str) -> str:
    """Put a question mark in the place of each half character."""
    return HALF_CHARACTER.sub("?", text)


def counted(number: int, noun: str) -> str:
    """Return `1 file`, `2 files`, `1,200 memories`."""
    many = noun[:-1] + "ies" if noun.endswith("ry") else noun + "s"
    return f"{number:,} {noun if number == 1 else many}"


def words(text: str) -> list[str]:
    """Return the words of `text` in order, as written; composed accents and full-width letters are made one form."""
    return WORD.findall(text if text.isascii() else unicodedata.normalize("NFKC", text))


def split_identifier(word: str) -> tuple[str, ...]:
    """Split one word at case changes, digits, underscores and script changes; lower-cased, without accents, in order.

    Scripts without spaces are returned as whole runs.
    """
    parts = written_parts(word)
    return parts if word.isascii() else tuple(map(unaccented, parts))


def written_parts(word: str) -> tuple[str, ...]:
    """Split one word the same way, its accents kept."""
    if word.isascii():
        return tuple(part.lower() for part in _ASCII_PARTS.findall(word)[:MOST_PARTS])
    parts: list[str] = []
    for run in _script_runs().finditer(word):
        text = run.group()
        if run.lastgroup == "spaceless":
            parts.append(text)
        elif text.isascii():
            parts.extend(written_parts(text))
        else:
            parts.extend(_split_by_case(text))
    return tuple(parts)


@lru_cache(maxsize=CACHED_WORDS)
def word_terms(word: str) -> tuple[str, ...]:
    """Return the index terms of one word: stems of its parts, n-grams of spaceless runs, and the whole identifier."""
    return _terms_of(word, split_identifier(word))


@lru_cache(maxsize=CACHED_WORDS)
def written_terms(word: str) -> tuple[str, ...]:
    """Return the terms of one word with its accents."""
    return _terms_of(word, written_parts(word))


def _terms_of(word: str, parts: tuple[str, ...]) -> tuple[str, ...]:
    terms: list[str] = []
    for part in parts:
        if is_spaceless(part):
            terms.extend(spaceless_terms(part))
        else:
            terms.append(stem(part))
    whole = whole_term(word, parts)
    if whole:
        terms.append(whole)
    return tuple(terms)


def whole_term(word: str, parts: tuple[str, ...] | None = None) -> str:
    """Return the term of the whole identifier, or nothing when the word has one part only or is not an identifier."""
    parts = split_identifier(word) if parts is None else parts
    if len(parts) < 2 or len(word) > LONGEST_IDENTIFIER or any(is_spaceless(part) for part in parts):
        return ""
    return joined_term(parts)


def joined_term(parts: Iterable[str]) -> str:
    """Return the whole-identifier term that these parts form when they are written as one name."""
    return WHOLE + stem("".join(parts))


def code_terms(text: str) -> list[str]:
    """Return the index terms of a text in order, as those of code are kept."""
    return [term for word in words(text) for term in word_terms(word)]


def text_terms(text: str) -> list[str]:
    """Return the terms of a text in order, accents kept."""
    return [term for word in words(text) for term in written_terms(word)]


def said_terms(text: str) -> list[str]:
    """Return the terms that memories and sessions hold: a word with accents or endings stands there as it is and folded."""
    found: list[str] = []
    for term in text_terms(text):
        found.append(term)
        if not term.isascii() and not is_spaceless(term) and term[0] != WHOLE and (plain := folded(term)) != term:
            found.append(plain)
    return found


@lru_cache(maxsize=1 << 14)
def folded(term: str) -> str:
    """Return a word in plain letters, and a Cyrillic one without its ending: `café` -> `cafe`, `остатков` -> `остатк`."""
    plain = "".join(letter for letter in unicodedata.normalize("NFKD", term) if not unicodedata.combining(letter))
    plain = unaccented(plain)
    if plain.isascii():
        return stem(plain)
    if "\u0400" <= plain[0] <= "\u04ff":
        ending = next((end for end in CYRILLIC_ENDINGS if plain.endswith(end)), "")
        if len(plain) - len(ending) >= SHORTEST_ROOT:
            return plain.removesuffix(ending)
    return plain


def is_spaceless(part: str) -> bool:
    """Say whether the part is written in a script without spaces between words."""
    found = None if part.isascii() else _script_runs().match(part)
    return found is not None and found.lastgroup == "spaceless"


def spaceless_terms(run: str) -> list[str]:
    """Return single characters and pairs of a run: a query of any length finds it, pairs give it precision."""
    return [*run, *(run[at : at + 2] for at in range(len(run) - 1))]


@lru_cache(maxsize=CACHED_WORDS)
def stem(word: str) -> str:
    """Conflate plural, `-ing`, `-ed`, `-ion` and final `e` of a lower-case English word; leave other scripts alone."""
    if len(word) <= SHORTEST_STEM or not word.isascii() or word[-1] in "0123456789":
        return word
    word = _strip_plural(word)
    for suffix, shortest in (("ing", 6), ("ed", 5), ("ion", 7)):
        if word.endswith(suffix) and len(word) >= shortest:
            base = word[: -len(suffix)]
            if suffix == "ion" and base[-1] not in "st":
                break
            if any(vowel in base for vowel in "aeiouy"):
                return _strip_final(_undouble(base))
            break
    return _strip_final(word)


def _strip_plural(word: str) -> str:
    if not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    return word[:-1]


def _undouble(base: str) -> str:
    """Turn `mapp` into `map`: English doubles a final consonant before a suffix."""
    if len(base) > SHORTEST_STEM and base[-1] == base[-2] and base[-1] not in "aeiouslz":
        return base[:-1]
    return base


def _strip_final(word: str) -> str:
    if word.endswith("e") and len(word) > SHORTEST_STEM and not word.endswith("ee"):
        return word[:-1]
    if word.endswith("y") and len(word) > SHORTEST_STEM and word[-2] not in "aeiou":
        return word[:-1] + "i"
    return word


def _split_by_case(text: str) -> list[str]:
    """Split a word with letters beyond ASCII at lower-to-upper changes and at digits; accents are kept."""
    parts: list[str] = []
    start = 0
    for at in range(1, len(text) + 1):
        if at == len(text) or _is_boundary(text, at):
            parts.append(text[start:at].casefold() if text[start:at].isupper() else text[start:at].lower())
            start = at
    return parts[:MOST_PARTS]


def _is_boundary(text: str, at: int) -> bool:
    before, here = text[at - 1], text[at]
    if before.isdigit() != here.isdigit():
        return True
    if here.isupper():
        following = text[at + 1 : at + 2]
        return before.islower() or (before.isupper() and bool(following) and following.islower())
    return False
