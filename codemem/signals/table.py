"""The named signals: one row each, a pure function from the evidence to a number a candidate, with range and reason.

A signal says something about a file that a person would say too. How much it counts is data: weights.json.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from codemem.question import Question, synonym_groups
from codemem.roles import file_role
from codemem.signals.evidence import Definition, Evidence
from codemem.text import split_identifier, stem, words

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Column = NDArray[numpy.floating[Any]]

RELATED = 0.8
"""What a synonym or a common beginning is worth where the word itself is worth 1."""
EVERYWHERE = 0.25
"""What a word is worth that nearly every file holds."""
NEIGHBOURS = 3
LONGEST_NAME = 8
MOST_NAME_PARTS = 2
LEAST_MEANING = 0.2
"""Cosine of the best candidate below which nothing means the same."""
SHORTEST_BEGINNING = 4
"""Letters that two words must share to count as related."""
OUTER_FRAME = 0.3
"""How much less each frame further out says about where the fault lies."""
KIND_WEIGHT = {
    "class": 1.0, "interface": 1.0, "enum": 0.9, "type": 0.9, "function": 0.8, "method": 0.6, "macro": 0.6,
    "constant": 0.6, "field": 0.35, "module": 0.9,
}  # fmt: skip
"""How likely the definition of that kind is meant when its name is asked for."""
NESTED = 0.75
"""A definition inside another one is meant less often than one at the top level."""


class Signal(NamedTuple):
    """One row: `phrase` completes "ranks here because …", `low` and `high` bound its values."""

    name: str
    phrase: str
    low: float
    high: float
    reason: str
    column: Callable[[Evidence], Column]


def _per_path(value: Callable[[Evidence, str], float]) -> Callable[[Evidence], Column]:
    def column(evidence: Evidence) -> Column:
        import numpy as np

        return np.array([value(evidence, path) for path in evidence.paths], dtype=np.float64)

    return column


def _per_definition(value: Callable[[Definition], float]) -> Callable[[Evidence], Column]:
    def column(evidence: Evidence) -> Column:
        import numpy as np

        return np.array([max(map(value, found), default=0.0) for found in evidence.definitions], dtype=np.float64)

    return column


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


def test_file(evidence: Evidence, path: str) -> float:
    return float(file_role(path) == "test" and not evidence.question.mentions_tests)


def test_wanted(evidence: Evidence, path: str) -> float:
    return float(file_role(path) == "test" and evidence.question.wants_tests)


def example_file(evidence: Evidence, path: str) -> float:
    return float(file_role(path) == "example" and not evidence.question.wants_examples)


def example_wanted(evidence: Evidence, path: str) -> float:
    return float(file_role(path) == "example" and evidence.question.wants_examples)


def vendored_file(_: Evidence, path: str) -> float:
    return float(file_role(path) == "vendored")


def prose_file(evidence: Evidence) -> Column:
    return evidence.prose * (0.0 if evidence.question.wants_prose else 1.0)


def prose_wanted(evidence: Evidence) -> Column:
    return evidence.prose * (1.0 if evidence.question.wants_prose else 0.0)


def kind_standing(kind: str, nested: bool) -> float:
    """Say how likely a definition of that kind is meant when its name is asked for."""
    return KIND_WEIGHT.get(kind, 0.6) * (NESTED if nested else 1.0)


def definition(found: Definition) -> float:
    """Score a definition whose name the question writes: its kind, discounted by nesting and by how many share it."""
    if not found.written:
        return 0.0
    return kind_standing(found.kind, found.nested) / math.sqrt(found.files)


def definition_case(found: Definition) -> float:
    return definition(found) if found.exact_case else 0.0


def definition_scope(found: Definition) -> float:
    return KIND_WEIGHT.get(found.kind, 0.6) if found.scoped else 0.0


def definition_joined(found: Definition) -> float:
    """Score a definition whose name is several plain words of the question written as one."""
    if found.written or found.words < 2:
        return 0.0
    return kind_standing(found.kind, found.nested) / math.sqrt(found.files)


def definition_word(found: Definition) -> float:
    """Score a definition whose name is one plain word of the question."""
    if found.written or found.words > 1:
        return 0.0
    return kind_standing(found.kind, found.nested) / math.sqrt(found.files)


def definition_asked(evidence: Evidence) -> Column:
    """Score the definitions of a bare symbol: exact ones come first, always."""
    import numpy as np

    if not evidence.question.symbol:
        return np.zeros(len(evidence.paths))
    return np.array(
        [
            max((kind_standing(one.kind, one.nested) for one in found if one.written and one.exact_case), default=0.0)
            for found in evidence.definitions
        ],
        dtype=np.float64,
    )


def data_file(evidence: Evidence) -> Column:
    """Mark data, but not where settings are asked for: a bare name, a dotted key or a constant may be one."""
    question = evidence.question
    settings = question.wants_data or question.symbol or bool(question.phrases)
    return evidence.data * float(not settings)


def facade_asked(evidence: Evidence) -> Column:
    return facade(evidence) * float(evidence.question.symbol)


def facade(evidence: Evidence) -> Column:
    """Score a file that stands for its folder and mentions the name that the question writes."""
    import numpy as np

    stands = [path.rpartition("/")[2].split(".", 1)[0].lower() in INDEX_STEMS for path in evidence.paths]
    return evidence.mentions * np.array(stands, dtype=np.float64)


def neighbours(evidence: Evidence) -> Column:
    """Score a file by what the best other candidates of its folder score: a folder that answers is about the question."""
    import numpy as np

    values = (evidence.units + evidence.file_cosine).tolist()
    folders: dict[str, list[float]] = {}
    for path, value in zip(evidence.paths, values, strict=True):
        folders.setdefault(path.rpartition("/")[0], []).append(value)
    best = {folder: sorted(found, reverse=True)[: NEIGHBOURS + 1] for folder, found in folders.items()}
    means: list[float] = []
    for path, value in zip(evidence.paths, values, strict=True):
        others = best[path.rpartition("/")[0]].copy()
        if value in others:
            others.remove(value)
        means.append(sum(others[:NEIGHBOURS]) / len(others[:NEIGHBOURS]) if others else 0.0)
    return np.array(means, dtype=np.float64)


def name_length(_: Evidence, path: str) -> float:
    """Count the words of the file's name: of two files that match, the plainer name is the more central."""
    return float(min(len(path_stems(path)[0]), LONGEST_NAME))


def name_parts(_: Evidence, path: str) -> float:
    """Count the parts between the file's name and its extension: `Serializer.Json.cs` is a part of `Serializer.cs`."""
    return float(min(max(path.rpartition("/")[2].count(".") - 1, 0), MOST_NAME_PARTS))


def relative_meaning(cosines: Column) -> Column:
    """Return cosines as shares of the best candidate's: what 0.4 is worth depends on whether another has 0.8."""
    return cosines / max(float(cosines.max(initial=0.0)), LEAST_MEANING)


def called(evidence: Evidence) -> Column:
    import numpy as np

    return np.log1p(evidence.indegree)


SIGNALS: tuple[Signal, ...] = (
    Signal("units", "its best definition has the words", 0, 1, "BM25 of the best definitions", lambda e: e.units),
    Signal("file", "the file as a whole has the words", 0, 1, "BM25 of the whole file, its path and head", lambda e: e.files),
    Signal("coverage", "one definition has all the words", 0, 1, "a unit with all words beats one with a frequent word",
           lambda e: e.coverage),
    Signal("file_name", "the file is named so", 0, 1, "people name files for what they hold", _per_path(stem_words)),
    Signal("file_name_joined", "words of the query make the file's name", 0, 1.5, "`rate limit` means rate_limit.go",
           _per_path(stem_joined)),
    Signal("facade", "it re-exports the name", 0, 1, "packages show their names in their index file", facade),
    Signal("facade_asked", "it re-exports the symbol", 0, 1, "the same, asked for the bare symbol", facade_asked),
    Signal("data", "it is data", 0, 1, "tables and settings repeat the names of code", data_file),
    Signal("initials", "the words' initials are its name", 0, 1, "TH.hs holds Template Haskell", _per_path(initials)),
    Signal("documented", "its documentation has the words", 0, 1, "documentation speaks the language of questions",
           lambda e: e.documented),
    Signal("size", "it is large", 0, 20, "large files hold the mechanism, small ones the parts", lambda e: e.size),
    Signal("folder", "its folder is named so", 0, 1, "folders name subsystems", _per_path(folder_words)),
    Signal("path", "its path has the words", 0, 1, "rare words of the query in the path", _per_path(path_words)),
    Signal("named_path", "the query gives this path", 0, 1, "a pasted path or stack frame is no hint but an address",
           _per_path(named_path)),
    Signal("depth", "it lies deep in the tree", 0, 6, "central files lie near the root", _per_path(depth)),
    Signal("definition", "it defines the name", 0, 1, "who asks for a name wants its definition", _per_definition(definition)),
    Signal("definition_case", "it defines exactly that spelling", 0, 1, "case tells a type from a variable",
           _per_definition(definition_case)),
    Signal("definition_asked", "it is the definition asked for", 0, 1, "a bare symbol asks for its definition and nothing else",
           definition_asked),
    Signal("definition_scope", "it defines the name in that scope", 0, 1, "`A#b` excludes the other b",
           _per_definition(definition_scope)),
    Signal("definition_joined", "words of the query make a name it defines", 0, 1, "`create order` means createOrder",
           _per_definition(definition_joined)),
    Signal("definition_word", "it defines a word of the query", 0, 1, "a plain word may be a type's name",
           _per_definition(definition_word)),
    Signal("raises", "it raises that error", 0, 1, "asked who raises, the raise is the answer", lambda e: e.raising),
    Signal("handles", "it handles that error", 0, 1, "asked who handles, the handler is the answer", lambda e: e.handling),
    Signal("calls", "it calls that", 0, 1, "asked who calls, the call is the answer", lambda e: e.calling),
    Signal("phrase", "it has the quoted words", 0, 1, "quotes ask for the letter", lambda e: e.phrases),
    Signal("test", "it is a test", 0, 1, "tests use what is asked for", _per_path(test_file)),
    Signal("test_wanted", "it is a test, as asked", 0, 1, "the query asks for tests", _per_path(test_wanted)),
    Signal("example", "it is an example", 0, 1, "examples use what is asked for", _per_path(example_file)),
    Signal("example_wanted", "it is an example, as asked", 0, 1, "the query asks for examples", _per_path(example_wanted)),
    Signal("vendored", "it is vendored", 0, 1, "copied code is somebody else's", _per_path(vendored_file)),
    Signal("generated", "it is generated", 0, 1, "the generator's input is the source", lambda e: e.generated),
    Signal("prose", "it is documentation", 0, 1, "documentation mentions, code does", prose_file),
    Signal("prose_wanted", "it is documentation, as asked", 0, 1, "the query asks for documentation", prose_wanted),
    Signal("called", "other files call it", 0, math.log1p(1e6), "what others use is the implementation", called),
    Signal("neighbours", "its neighbours match too", -1, 2, "folders hold what belongs together", neighbours),
    Signal("name_length", "its name is long", 0, LONGEST_NAME, "the plainer name is the more central", _per_path(name_length)),
    Signal("name_parts", "it is a part of another", 0, MOST_NAME_PARTS, "a.b.ts completes a.ts", _per_path(name_parts)),
    Signal("file_meaning_share", "no file means it better", -5, 1, "cosines compare within one question only",
           lambda e: relative_meaning(e.file_cosine)),
    Signal("meaning", "a definition means the same", -1, 1, "cosine of the nearest interface card", lambda e: e.unit_cosine),
    Signal("file_meaning", "the file means the same", -1, 1, "cosine of the file's card", lambda e: e.file_cosine),
)  # fmt: skip

PHRASES = {signal.name: signal.phrase for signal in SIGNALS} | {"judge": "the cross-encoder moved it"}


def signal_matrix(evidence: Evidence) -> Column:
    """Return the signals of all candidates, shape (candidates, signals)."""
    import numpy as np

    return np.stack([signal.column(evidence) for signal in SIGNALS], axis=1)
