"""The named signals: one row each, a pure function from the evidence to a number a candidate, with range and reason.

A signal says something about a file that a person would say too. How much it counts is data: weights.json.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from codemem.signals.evidence import Definition, Evidence
from codemem.signals.paths import (
    INDEX_STEMS,
    LONGEST_NAME,
    MOST_NAME_PARTS,
    depth,
    example_file,
    example_wanted,
    folder_words,
    initials,
    name_length,
    name_parts,
    named_path,
    path_words,
    stem_joined,
    stem_words,
    vendored_file,
)

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Column = NDArray[numpy.floating[Any]]

NEIGHBOURS = 3
"""Best other files of a folder that vouch for one: more would make every file of a large folder equal."""
MOST_CALLS = 3000
"""Calls of a busy file: more say no more."""
LEAST_MEANING = 0.2
"""Cosine of the best candidate below which nothing means the same."""
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


def prose_file(evidence: Evidence) -> Column:
    return evidence.prose * (0.0 if evidence.question.wants_prose else 1.0)


def prose_wanted(evidence: Evidence) -> Column:
    return evidence.prose * (1.0 if evidence.question.wants_prose else 0.0)


def test_file(evidence: Evidence) -> Column:
    return evidence.tests * (0.0 if evidence.question.mentions_tests else 1.0)


def test_wanted(evidence: Evidence) -> Column:
    return evidence.tests * (1.0 if evidence.question.wants_tests else 0.0)


def beside(evidence: Evidence) -> Column:
    """Mark what is not source where source defines the name that is asked for: what is called like it comes after it."""
    import numpy as np

    question = evidence.question
    data = evidence.data * (not question.wants_data)
    lesser = test_file(evidence) + np.array([example_file(evidence, path) for path in evidence.paths])
    other = np.minimum(1.0, evidence.prose * (not question.wants_prose) + data + lesser)
    source = (evidence.prose + evidence.data + lesser == 0).tolist()
    names = [one for found, here in zip(evidence.definitions, source, strict=True) if here for one in found]
    defined = any(one.written or one.words == len(question.parts) for one in names)
    return np.asarray(other * float(defined), dtype=np.float64)


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


def facade(evidence: Evidence) -> Column:
    """Score a file that stands for its folder and mentions the name that the question writes."""
    return evidence.mentions * _stands_for_folder(evidence)


def facade_asked(evidence: Evidence) -> Column:
    """Score a file that re-exports a symbol defined elsewhere: it imports it and stands for its folder, or does no more."""
    import numpy as np

    return np.maximum(evidence.importing * _stands_for_folder(evidence), evidence.handing_on)


def _stands_for_folder(evidence: Evidence) -> Column:
    import numpy as np

    stems = [path.rpartition("/")[2].split(".", 1)[0].lower() for path in evidence.paths]
    return np.array([stem in INDEX_STEMS for stem in stems], dtype=np.float64)


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


def relative_meaning(cosines: Column) -> Column:
    """Return cosines as shares of the best candidate's: what 0.4 is worth depends on whether another has 0.8."""
    return cosines / max(float(cosines.max(initial=0.0)), LEAST_MEANING)


def called(evidence: Evidence) -> Column:
    import numpy as np

    return np.log1p(evidence.indegree)


def works(evidence: Evidence) -> Column:
    """Score what the file does, 1 for the busiest: calls grow with its length, so their logarithm counts."""
    import numpy as np

    return np.minimum(np.log1p(evidence.calls) / math.log1p(MOST_CALLS), 1.0)


SIGNALS: tuple[Signal, ...] = (
    Signal("units", "its best definition has the words", 0, 1, "BM25 of the best definitions", lambda e: e.units),
    Signal("file", "the file as a whole has the words", 0, 1, "BM25 of the whole file, its path and head", lambda e: e.files),
    Signal("coverage", "one definition has all the words", 0, 1, "a unit with all words beats one with a frequent word",
           lambda e: e.coverage),
    Signal("file_name", "the file is named so", 0, 1, "people name files for what they hold", _per_path(stem_words)),
    Signal("file_name_joined", "words of the query make the file's name", 0, 1.5, "`rate limit` means rate_limit.go",
           _per_path(stem_joined)),
    Signal("facade", "it re-exports the name", 0, 1, "packages show their names in their index file", facade),
    Signal("facade_asked", "it re-exports the symbol", 0, 1, "what is defined elsewhere is shown there", facade_asked),
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
    Signal("letter", "it says just that", 0, 1, "a message, an option, a route asks for the line that says it", lambda e: e.letter),
    Signal("test", "it is a test", 0, 1, "tests use what is asked for", test_file),
    Signal("test_wanted", "it is a test, as asked", 0, 1, "the query asks for tests", test_wanted),
    Signal("example", "it is an example", 0, 1, "examples use what is asked for", _per_path(example_file)),
    Signal("example_wanted", "it is an example, as asked", 0, 1, "the query asks for examples", _per_path(example_wanted)),
    Signal("vendored", "it is vendored", 0, 1, "copied code is somebody else's", _per_path(vendored_file)),
    Signal("generated", "it is generated", 0, 1, "the generator's input is the source", lambda e: e.generated),
    Signal("prose", "it is documentation", 0, 1, "documentation mentions, code does", prose_file),
    Signal("beside", "it only speaks of the name", 0, 1, "a definition comes before pages, data, tests and examples", beside),
    Signal("prose_wanted", "it is documentation, as asked", 0, 1, "the query asks for documentation", prose_wanted),
    Signal("called", "other files call it", 0, math.log1p(1e6), "what others use is the implementation", called),
    Signal("works", "its code calls much", 0, 1, "questions ask for mechanisms; declarations and tables call nothing", works),
    Signal("delegated", "what answers calls it", 0, 5, "a documented entry hands on to what does it", lambda e: e.delegated),
    Signal("using", "it calls what answers", 0, 5, "a mechanism uses the parts that are named so", lambda e: e.using),
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
