"""What the signals need to know of the candidate files, gathered from the arms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from codemem.lexical.scoring import FIELD_NUMBER, Corpus, Matches, idf
from codemem.question import Question, synonym_groups
from codemem.retrieval.dense import DenseScores
from codemem.retrieval.facts import Facts, answering
from codemem.retrieval.imported import find_imports
from codemem.retrieval.letter import find_letter
from codemem.retrieval.view import LexicalScores, View
from codemem.roles import is_data, is_prose, is_test, may_be_test
from codemem.signals import Definition, Evidence, path_matches
from codemem.store import Store
from codemem.store.candidates import CandidateFile, testing_files
from codemem.text import split_identifier, stem

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Floats = NDArray[numpy.floating[Any]]
    Integers = NDArray[numpy.int64]

MOST_FILES = 0.6
"""Share of the files that hold a word which says nothing about where to look."""
FEW_FILES = 10


def build_evidence(
    store: Store,
    view: View,
    question: Question,
    lexical: LexicalScores,
    dense: DenseScores,
    rows: Integers,
    files: tuple[CandidateFile, ...],
    definitions: dict[int, tuple[Definition, ...]],
    facts: Facts,
    holding: Integers,
) -> Evidence:
    import numpy as np

    units = _by_best(lexical.files_by_units[rows])
    letter = find_letter(store, question, units, view.file_sizes[rows], np.isin(rows, holding), files, facts)
    importing, handing_on = find_imports(store, question, files, definitions)
    return Evidence(
        question=question,
        path_matches=path_matches(
            question, [file.path for file in files], _everywhere(view, question, lexical.matches)
        ),
        related={stem(part): frozenset(synonym_groups().get(stem(part), ())) for part in question.parts},
        paths=tuple(file.path for file in files),
        prose=np.array([float(is_prose(file.path)) for file in files]),
        data=np.array([float(is_data(file.path)) for file in files]),
        tests=_tests(store, files),
        generated=np.array([float(file.generated) for file in files]),
        indegree=np.array([float(file.indegree) for file in files]),
        calls=_calls(files),
        units=units,
        files=_by_best(lexical.files[rows]),
        coverage=np.zeros(len(files)),
        documented=np.zeros(len(files)),
        delegated=np.zeros(len(files)),
        using=np.zeros(len(files)),
        mentions=lexical.mentioned[rows].astype(np.float64),
        importing=importing,
        handing_on=handing_on,
        size=np.log1p(view.file_sizes[rows]),
        idf={},
        unit_cosine=_of_twins(dense.units_by_file[rows], files),
        file_cosine=_of_twins(dense.files[rows], files),
        definitions=tuple(definitions.get(file.id, ()) for file in files),
        raising=answering(question, files, facts.raising),
        handling=answering(question, files, facts.handling),
        calling=answering(question, files, facts.calling),
        phrases=letter.phrases,
        letter=letter.letter,
    )


def _tests(store: Store, files: tuple[CandidateFile, ...]) -> Floats:
    """Mark tests; where the name may as well be that of what a library offers to tests, its content and callers tell."""
    import numpy as np

    doubtful = {file.id for file in files if may_be_test(file.path)}
    testing = testing_files(store.connection, sorted(doubtful)) if doubtful else set()
    return np.array(
        [
            float(is_test(one.path) and (one.id not in doubtful or (one.id in testing and not one.indegree)))
            for one in files
        ]
    )


def _calls(files: tuple[CandidateFile, ...]) -> Floats:
    """Return the calls of each file; one whose language tells none stands in the middle: that says nothing against it."""
    import numpy as np

    told = [file.calls for file in files if file.calls is not None]
    middle = float(np.median(told)) if told else 0.0
    untold = [file.calls is None and not is_data(file.path) for file in files]
    return np.where(untold, middle, np.array([float(file.calls or 0) for file in files]))


def _everywhere(view: View, question: Question, matches: tuple[Matches, ...]) -> frozenset[str]:
    """Return the stems of the question that most files hold: they name the project, not a place in it."""
    if question.symbol or view.corpus.files < FEW_FILES:
        return frozenset()
    limit = MOST_FILES * view.corpus.files
    common = {
        stem(concept.word)
        for concept, found in zip(question.concepts, matches, strict=True)
        if concept.word and found.file_frequency > limit
    }
    return frozenset() if common >= {stem(part) for part in question.parts} else frozenset(common)


def _of_twins(cosines: Floats, files: tuple[CandidateFile, ...]) -> Floats:
    """Give files of equal content the best of their cosines: their cards differ by the path alone."""
    import numpy as np

    best: dict[str, float] = {}
    for file, cosine in zip(files, cosines.tolist(), strict=True):
        best[file.sha] = max(best.get(file.sha, -1.0), cosine)
    return np.array([best[file.sha] for file in files])


def _by_best(scores: Floats) -> Floats:
    best = scores.max(initial=0.0)
    return scores / best if best > 0 else scores


def information_of(view: View, question: Question, matches: tuple[Matches, ...]) -> dict[str, float]:
    """Return the idf of each word that was asked for, by lower-case part."""
    return {
        concept.word: idf(view.corpus.documents, found.document_frequency)
        for concept, found in zip(question.concepts, matches, strict=True)
        if concept.word and len(split_identifier(concept.word)) <= 1
    }


def coverage_of(
    view: View, question: Question, matches: tuple[Matches, ...], shares: dict[str, float]
) -> tuple[Floats, Floats]:
    """Return the share of the question's information in every document, and in the documentation of every file."""
    import numpy as np

    corpus = view.corpus
    total = sum(shares.values()) or 1.0
    in_unit = np.zeros(len(corpus.chunk_ids))
    documented = np.zeros(len(corpus.file_ids))

    def add(target: Floats, rows: Integers, share: float) -> None:
        present = np.zeros(len(target), dtype=bool)
        present[rows] = True
        target += share * present

    for concept, found in zip(question.concepts, matches, strict=True):
        share = shares.get(concept.word, 0.0) / total
        if share and len(found.rows):
            told = (found.fields == FIELD_NUMBER["doc"]) | (found.fields == FIELD_NUMBER["head"])
            add(in_unit, found.rows, share)
            add(documented, corpus.file_rows[found.rows[told]], share)
    return in_unit, documented


def best_of_files(corpus: Corpus, of_units: Floats) -> Floats:
    """Return the largest value of each file's units."""
    import numpy as np

    best = np.zeros(len(corpus.file_ids))
    hit = np.flatnonzero(of_units)
    np.maximum.at(best, corpus.file_rows[hit], of_units[hit])
    return best
