"""The judge's word lists, read once from `words.toml` and the two files of other tongues into look-up tables."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

SUFFIXES = ("ing", "ed", "es", "s")
SHORTEST_STEM = 3
"""A suffix is only cut when this many letters remain: "is" and "bus" stay themselves."""


SHORTEST_POLE_STEM = 4
"""Letters of the shortest entry that stands for every ending."""


@dataclass(frozen=True, slots=True)
class Words:
    """Every list as a table keyed by lower-case word."""

    stop: frozenset[str]
    roles: frozenset[str]
    directions: frozenset[str]
    persons: frozenset[str]
    unstemmed: frozenset[str]
    light: frozenset[str]
    """With the stems of its English words, as are `copular`."""
    senses: dict[str, str]
    """light word -> what it says: different ones are different claims."""
    functional: frozenset[str]
    copular: frozenset[str]
    plural: frozenset[str]
    scope_openers: frozenset[str]
    articles: frozenset[str]
    companions: frozenset[str]
    labels: frozenset[str]
    quantifiers: frozenset[str]
    negations: frozenset[str]
    necessity: frozenset[str]
    possibility: frozenset[str]
    release: frozenset[str]
    canonical: dict[str, str]
    """word -> its canonical synonym."""
    concord: frozenset[str]
    """Negations that deny nothing a second time beside another one: «никогда не», "no … nunca"."""
    poles: dict[str, tuple[str, int]]
    """word -> (scale, which end of it); `pole_of` knows the endings as well."""
    pole_stems: dict[str, tuple[str, int]]
    """Beginnings that stand for every ending: "deaktiviert…"."""
    complementary: frozenset[str]
    """Scales on which "not one end" is the other end."""
    kinds: dict[str, frozenset[str]]
    """word -> the kinds of value it belongs to."""
    scopes: dict[str, str]
    numbers: dict[str, int]
    units: dict[str, tuple[str, float]]
    weekdays: dict[str, int]
    naming: frozenset[str]
    """Scales whose ends name different things when they stand in the subject."""
    plain: frozenset[str]
    """Chinese words with a character of an opposite that do not mean it."""
    extents: frozenset[str]
    """Both ends of "all"."""
    strangers: frozenset[str]
    """Small words of languages without lists."""
    phrases: frozenset[str]
    """Entries of several English words, each with single spaces."""
    han: frozenset[str]
    """Entries of two or more Han characters, to be found longest first."""
    han_longest: int


@cache
def words() -> Words:
    """Read the lists; the same record on every call."""
    import tomllib

    table: dict[str, Any] = {}
    for name in FILES:
        _extend(table, tomllib.loads(Path(__file__).with_name(name).read_text("utf-8")))
    scales = {**table["complements"], **table["contraries"]}
    poles = {word: (scale, end) for scale, ends in scales.items() for end, listed in enumerate(ends) for word in listed}
    pole_stems = {word[:-1]: poles.pop(word) for word in list(poles) if word.endswith("*")}
    kinds: dict[str, set[str]] = {}
    for kind, listed in table["kinds"].items():
        for word in listed:
            kinds.setdefault(word.lower(), set()).add(kind)
    entries = set(poles) | set(kinds) | set(table["weekdays"]) | set(table["units"])
    for name in LISTS:
        entries |= set(table[name])
    for name in ("synonyms", "scopes"):
        for listed in table[name].values():
            entries |= set(listed)
    for name in ("light", "copular"):
        table[name] = [*table[name], *(stem(word) for word in table[name] if word.isascii())]
    han = frozenset(entry for entry in entries if len(entry) > 1 and is_han(entry[0]))
    return Words(
        **{name: frozenset(table[name]) for name in LISTS},
        canonical={word: name for name, listed in table["synonyms"].items() for word in listed},
        senses={word: sense for sense, listed in table["senses"].items() for word in listed},
        poles=poles,
        extents=frozenset(word for word, pole in poles.items() if pole[0] == "extent"),
        pole_stems=pole_stems,
        complementary=frozenset(table["complements"]),
        kinds={word: frozenset(names) for word, names in kinds.items()},
        scopes={word: name for name, listed in table["scopes"].items() for word in listed},
        numbers=table["numbers"],
        units={word: (dimension, float(factor)) for word, (dimension, factor) in table["units"].items()},
        weekdays=table["weekdays"],
        phrases=frozenset(entry for entry in entries if " " in entry),
        han=han,
        han_longest=max(map(len, han)),
    )


FILES = ("words.toml", "tongues.toml", "more_tongues.toml")
LISTS = (
    "stop", "roles", "directions", "persons", "unstemmed", "light", "functional", "copular", "plural", "scope_openers",
    "articles", "companions", "labels", "quantifiers", "negations", "concord", "necessity", "possibility", "release", "naming",
    "strangers", "plain",
)  # fmt: skip


def pole_of(word: str) -> tuple[str, int] | None:
    """Return the scale and the end of it that a lower-case word stands for."""
    table = words()
    found = table.poles.get(word)
    if found is not None:
        return found
    beginnings = (word[:size] for size in range(len(word), SHORTEST_POLE_STEM - 1, -1))
    return next((table.pole_stems[one] for one in beginnings if one in table.pole_stems), None)


def _extend(table: dict[str, Any], more: dict[str, Any]) -> None:
    """Let the lists and scales of one file go on in the other."""
    for name, value in more.items():
        if isinstance(value, dict):
            _extend(table.setdefault(name, {}), value)
        elif name in table:
            table[name] = (
                [old + new for old, new in zip(table[name], value, strict=True)]
                if value and isinstance(value[0], list)
                else table[name] + value
            )
        else:
            table[name] = value


def is_han(character: str) -> bool:
    """Say whether `character` is a CJK ideograph."""
    return "\u3400" <= character <= "\u9fff" or "\uf900" <= character <= "\ufaff"


@lru_cache(maxsize=1 << 14)
def stem(word: str) -> str:
    """Cut an English inflection: "deploys", "deployed", "deploying" -> "deploy"; "uses", "used", "using" -> "us"."""
    for suffix in SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= SHORTEST_STEM and not word.endswith("ss"):
            word = word[: -len(suffix)]
            break
    if word.endswith("i") and len(word) > SHORTEST_STEM:
        word = word[:-1] + "y"
    if len(word) > SHORTEST_STEM and word[-1] == word[-2] and word[-1] not in "aeiouls":
        word = word[:-1]
    return word[:-1] if word.endswith("e") and len(word) > SHORTEST_STEM else word
