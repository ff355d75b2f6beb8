"""What the path of a candidate says about the question: pure functions from the evidence and one path to a number."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

from codemem.question import Question, synonym_groups
from codemem.roles import file_role
from codemem.signals.evidence import Evidence
from codemem.text import split_identifier, stem, words

RELATED = 0.8
"""What a synonym or a common beginning is worth where the word itself is worth 1."""
EVERYWHERE = 0.25
"""What a word is worth that nearly every file holds."""
LONGEST_NAME = 8
"""Words of a file's name that are counted …"""
MOST_NAME_PARTS = 2
"""… and parts before its extension."""
SHORTEST_BEGINNING = 4
"""Letters that two words must share to count as related."""
OUTER_FRAME = 0.5
"""How much less each frame further out says about where the fault lies."""
INDEX_STEMS = frozenset("mod index init __init__ lib main package".split())
"""Names of files that stand for their folder."""
PLAIN_FOLDERS = frozenset("src lib source sources main java kotlin scala python php app pkg internal include".split())
"""Folders whose names say nothing: a file that stands for such a folder stands for the one above."""


@lru_cache(maxsize=1 << 14)
def path_stems(path: str) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Return the stems of the words of the file's name, of its last folder, and of all its folders."""
    folders, _, name = path.rpartition("/")
    base = name.lstrip(".").split(".", 1)[0] or name
    last = folders.rpartition("/")[2]
    if base.lower() in INDEX_STEMS:
        telling = [folder for folder in folders.split("/") if folder.lower() not in PLAIN_FOLDERS]
        base = telling[-1] if telling and telling[-1] else base
    return _stems(base), _stems(last), _stems(folders)


def _stems(text: str) -> tuple[str, ...]:
    return tuple(
        stem(part) for word in words(text.replace("/", " ").replace("-", " ")) for part in split_identifier(word)
    )


def path_matches(
    question: Question, paths: Sequence[str], everywhere: frozenset[str] = frozenset()
) -> dict[str, float]:
    """Say once for every word of the paths how well it matches the question: 1 exactly, RELATED by relation.

    `everywhere` are stems that nearly all files hold, such as the name of the project: they match a little only.
    """
    asked = [stem(part) for part in question.parts]
    known = set(asked)
    joined = {"".join(asked[at : at + size]) for size in (2, 3) for at in range(len(asked) - size + 1)}
    groups = synonym_groups()
    related = {other for one in known for other in groups.get(one, ())}
    words_of_paths = {group for path in paths for group in path_stems(path)}
    tokens = {token for group in words_of_paths for token in group}
    found: dict[str, float] = {}
    for token in tokens:
        if token in known or token in joined:
            found[token] = EVERYWHERE if token in everywhere else 1.0
        elif token in related or any(_same_beginning(token, one) for one in known):
            found[token] = RELATED
    return found


def _same_beginning(one: str, other: str) -> bool:
    shorter, longer = sorted((one, other), key=len)
    return len(shorter) >= SHORTEST_BEGINNING and longer.startswith(shorter)


def _share(evidence: Evidence, tokens: tuple[str, ...]) -> float:
    return sum(evidence.path_matches.get(token, 0.0) for token in tokens) / len(tokens) if tokens else 0.0


def stem_words(evidence: Evidence, path: str) -> float:
    return _share(evidence, path_stems(path)[0])


def folder_words(evidence: Evidence, path: str) -> float:
    return _share(evidence, path_stems(path)[1])


def stem_joined(evidence: Evidence, path: str) -> float:
    """Score adjacent words of the question that, joined, are the file's name."""
    target = "".join(path_stems(path)[0])
    asked = [stem(part) for part in evidence.question.parts]
    if not target or not asked:
        return 0.0
    for size in range(min(4, len(asked)), 0, -1):
        for at in range(len(asked) - size + 1):
            if "".join(asked[at : at + size]) == target:
                return size / len(asked) + (0.5 if size > 1 else 0.0)
    return 0.0


def path_words(evidence: Evidence, path: str) -> float:
    """Score the share of the question's information found in the path."""
    base, _, folders = path_stems(path)
    return _found_information(evidence, {*base, *folders})


def _found_information(evidence: Evidence, tokens: set[str]) -> float:
    matching = [token for token in tokens if token in evidence.path_matches]
    total = sum(evidence.idf.values())
    if not matching or not total:
        return 0.0
    found = 0.0
    for part, value in evidence.idf.items():
        asked = stem(part)
        if asked in tokens:
            found += value
        elif any(token in evidence.related.get(asked, ()) or _same_beginning(token, asked) for token in matching):
            found += RELATED * value
    return found / total


def initials(evidence: Evidence, path: str) -> float:
    """Score a file named by the initials of adjacent words: `TH.hs` for Template Haskell."""
    name = path.rpartition("/")[2].split(".", 1)[0].lower()
    letters = "".join(part[0] for part in evidence.question.parts)
    return float(2 <= len(name) <= 4 and name in letters)


def depth(_: Evidence, path: str) -> float:
    return math.log1p(path.count("/"))


def named_path(evidence: Evidence, path: str) -> float:
    """Score a file or folder that the question writes out; of a stack trace the innermost frame counts most."""
    question = evidence.question
    framed = {frame.path for frame in question.frames}
    best = max((_names_path(asked, path) for asked in question.paths if asked not in framed), default=0.0)
    for depth_of_frame, frame in enumerate(question.frames):
        best = max(best, _names_path(frame.path, path) / (1 + OUTER_FRAME * depth_of_frame))
    return best


def _names_path(asked: str, path: str) -> float:
    """Say how well a written path fits: 1 the end of the file's path, less for a folder in it or the bare name."""
    lowered, wanted = "/" + path.lower(), "/" + asked.lower().lstrip("/")
    if lowered.endswith(wanted) or ("." not in wanted and lowered.rpartition(".")[0].endswith(wanted)):
        return 1.0
    if wanted.endswith(lowered):
        return 0.9  # an absolute path from another machine
    if wanted + "/" in lowered + "/":
        return 0.5
    return 0.3 if lowered.endswith("/" + wanted.rpartition("/")[2]) else 0.0


def example_file(evidence: Evidence, path: str) -> float:
    return float(file_role(path) == "example" and not evidence.question.wants_examples)


def example_wanted(evidence: Evidence, path: str) -> float:
    return float(file_role(path) == "example" and evidence.question.wants_examples)


def vendored_file(_: Evidence, path: str) -> float:
    return float(file_role(path) == "vendored")


def name_length(_: Evidence, path: str) -> float:
    """Count the words of the file's name: of two files that match, the plainer name is the more central."""
    return float(min(len(path_stems(path)[0]), LONGEST_NAME))


def name_parts(_: Evidence, path: str) -> float:
    """Count the parts between the file's name and its extension: `Serializer.Json.cs` is a part of `Serializer.cs`."""
    return float(min(max(path.rpartition("/")[2].count(".") - 1, 0), MOST_NAME_PARTS))
