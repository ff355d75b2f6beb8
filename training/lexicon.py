"""Pairs of general English from WordNet's data files: what a word means, examples, and words of the same meaning.

Documentation holds few words of daily life; memories and dialogue do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from training.records import Pair

PARTS_OF_SPEECH = ("adj", "adv", "noun", "verb")
EXAMPLE = re.compile(r'"([^"]{12,200})"')
NAMED_THING = re.compile(r"\(\d{3,4}|[a-z]\. \d")
"""Birth years and the like: entries of an encyclopedia, not of a language."""
MOST_WORDS = 6


def lexicon_pairs(folder: Path) -> Iterator[Pair]:
    """Yield pairs of every meaning: definition -> words, example -> words and definition."""
    meanings = {part: dict(_meanings(folder / f"data.{part}")) for part in PARTS_OF_SPEECH}
    kinds = {"n": "noun", "v": "verb", "a": "adj", "s": "adj", "r": "adv"}
    for part, entries in meanings.items():
        for words, broader, gloss in entries.values():
            definition = gloss.split('"')[0].strip(" ;")
            if NAMED_THING.search(definition) or not definition:
                continue
            wider = [w for kind, offset in broader for w in meanings[kinds[kind]].get(offset, ((), (), ""))[0][:2]]
            names = " ".join((*words, *wider))
            yield Pair("meaning", part, f"{part}/{words[0]}", definition, code=names)
            for example in EXAMPLE.findall(gloss):
                yield Pair("meaning", part, f"{part}/{words[0]}", example, code=f"{names} {definition}")


def _meanings(path: Path) -> Iterator[tuple[str, tuple[list[str], list[tuple[str, str]], str]]]:
    """Read one data file: offset -> words, broader meanings (kind, offset), gloss."""
    for line in path.read_text("utf-8").split("\n"):
        if not line or line.startswith("  "):
            continue
        facts, _, gloss = line.partition("|")
        columns = facts.split()
        count = int(columns[3], 16)
        words = [re.sub(r"\(.*?\)", "", word).replace("_", " ") for word in columns[4 : 4 + 2 * count : 2]]
        pointers = columns[5 + 2 * count :]
        broader = [
            (pointers[i + 2], pointers[i + 1])
            for i in range(0, len(pointers) - 3, 4)
            if pointers[i] in ("@", "@i", "&")
        ]
        yield columns[0], (words[:MOST_WORDS], broader[:2], gloss.strip())
