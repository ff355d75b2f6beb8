"""The concepts of a question: each word that says something, with the index terms that mean it."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

from codemem.text import WHOLE, is_spaceless, joined_term, spaceless_terms, spelled_out, split_identifier, stem

SYNONYMS = Path(__file__).with_name("synonyms.txt")
"""importlib.resources would say the same and cost every search 4 ms."""
LEAST_CAPITALS = 4
"""Capitals that make a name; shorter ones are abbreviations of words."""
WHOLE_WEIGHT = 1.5
"""Importance of a whole identifier against a single word: it is rarer than its document frequency says."""
SYNONYM_WEIGHT = 0.25
"""Share of a synonym's count: enough to bring it in, too little to beat the word that was asked for."""


class Concept(NamedTuple):
    """One thing asked for: the index terms that mean it, the first one exactly, the others by relation."""

    terms: tuple[tuple[str, float], ...]
    weight: float
    word: str
    """The part or whole identifier as asked, lower-case; empty for pairs that were only guessed to be one name."""
    exact: bool = False
    """Written in capitals (`COLORTERM`, `JSON`): a name, to which beginnings of it are not related."""


def find_concepts(content: list[str]) -> tuple[Concept, ...]:
    """Turn content words into concepts, each distinct term once."""
    groups = synonym_groups()
    concepts: dict[str, Concept] = {}
    for word in content:
        parts = split_identifier(word)
        # Code in ASCII has `löschen` as `loeschen` as well as without its dots.
        others = split_identifier(spelled_out(word))
        if len(others) != len(parts):
            others = parts
        for part, other_part in zip(parts, others, strict=True):
            for term in spaceless_terms(part)[len(part) :] or [part] if is_spaceless(part) else [stem(part)]:
                exact = len(word) >= LEAST_CAPITALS and word.isupper()
                related = tuple((other, SYNONYM_WEIGHT) for other in groups.get(term, ()) if not exact)
                if other_part != part:
                    related = ((stem(other_part), 1.0), *related)
                # A word may be the lower-case spelling of a whole identifier.
                concepts.setdefault(term, Concept(((term, 1.0), (WHOLE + term, 1.0), *related), 1.0, part, exact))
        if len(parts) > 1 and not any(is_spaceless(part) for part in parts):
            whole = joined_term(parts)
            terms = tuple((one, 1.0) for one in dict.fromkeys((whole, whole.removeprefix(WHOLE), joined_term(others))))
            concepts.setdefault(whole, Concept(terms, WHOLE_WEIGHT, "".join(parts)))
    for at in range(len(content) - 1):
        pair = [part for word in content[at : at + 2] for part in split_identifier(word)]
        whole = joined_term(pair)
        concepts.setdefault(whole, Concept(((whole, 1.0),), 1.0, ""))
    return tuple(concepts.values())


@cache
def synonym_groups() -> dict[str, tuple[str, ...]]:
    """Return stem -> stems of the words that code uses for the same thing (synonyms.txt: one group a line)."""
    related: dict[str, dict[str, None]] = {}
    for line in SYNONYMS.read_text("utf-8").splitlines():
        group = [] if line.startswith("#") else [stem(word) for word in line.split()]
        for word in group:
            related.setdefault(word, {}).update(dict.fromkeys(other for other in group if other != word))
    return {word: tuple(others) for word, others in related.items()}
