"""Choose the files that the ranker looks at, and gather what the signals need to know of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from codemem.lexical import enclosing_names
from codemem.lexical.scoring import FIELD_NUMBER, Corpus, Matches, idf
from codemem.question import Name, Question, name_key, synonym_groups
from codemem.retrieval.dense import DenseArm, DenseScores, distinct, embed_question, nominate, score_dense
from codemem.retrieval.facts import Facts, answering, find_facts
from codemem.retrieval.imported import find_imports
from codemem.retrieval.letter import find_letter
from codemem.retrieval.neighbourhood import find_neighbourhood
from codemem.retrieval.view import LexicalScores, View
from codemem.roles import is_data, is_prose
from codemem.signals import Definition, Evidence, kind_standing, path_matches
from codemem.store import Store
from codemem.store.candidates import CandidateFile, CandidateUnit, read_file_rows, read_unit_rows
from codemem.text import split_identifier, stem, word_terms

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Floats = NDArray[numpy.floating[Any]]
    Integers = NDArray[numpy.int64]

ARM_DEPTH = 100
"""Files that each arm nominates: on the development set the union holds 99.5 % of the answers at 50."""
MOST_DEFINITIONS = 300
"""Definitions of one name that are looked at; a name with more says nothing about where to look."""
SECTION = "section"
OTHER_SPELLING = 0.5
"""What a definition in another spelling of the name is worth against one in the spelling asked for."""
MOST_FILES = 0.6
"""Share of the files that hold a word which says nothing about where to look."""
FEW_FILES = 10
CLOSE_MEANING = 0.45
"""Cosine that is an answer without a common word; unrelated cards stay below 0.4."""
MOST_WORD_DEFINITIONS = 50
"""The same for plain words of the question: `value` defined fifty times means none of them."""


class Candidates(NamedTuple):
    """The files to rank: rows of the corpus, their records, the evidence, and the definitions that the question names."""

    rows: Integers
    """Row of each candidate in `corpus.file_ids`."""
    files: tuple[CandidateFile, ...]
    evidence: Evidence
    definitions: dict[int, tuple[Definition, ...]]
    """File id -> definitions."""
    unit_coverage: Floats
    """Share of the question's information in every document."""
    dense: DenseScores
    answers: dict[int, float]
    """Chunk id -> how much a fact or a stack frame speaks for showing it."""
    answer_lines: dict[int, int]
    """Chunk id -> the line of it that answers."""


def gather(store: Store, view: View, question: Question, lexical: LexicalScores, arm: DenseArm) -> Candidates:
    """Unite what the arms nominate and describe it."""
    import numpy as np

    definitions = find_definitions(store, view, question, lexical)
    corpus = view.corpus
    facts = find_facts(store, question, corpus.file_ids[lexical.addressed].tolist())
    vector, degraded = embed_question(arm, question.text)
    nominated = [_top(lexical.files_by_units, ARM_DEPTH), _top(lexical.files, ARM_DEPTH)]
    nominated.append(nominate(arm, corpus, vector, lexical.restricted))
    nominated.append(
        np.flatnonzero(np.isin(corpus.file_ids, np.array(sorted({*definitions, *facts.files}), dtype=np.uint32)))
    )
    nominated.append(lexical.addressed)
    rows = distinct(np.concatenate(nominated)).astype(np.int64)
    if lexical.restricted is not None:
        rows = np.intersect1d(rows, corpus.file_rows[lexical.allowed])
    known = read_file_rows(store.connection, corpus.file_ids[rows].tolist())
    kept = [row for row in rows.tolist() if int(corpus.file_ids[row]) in known]
    files = [known[int(corpus.file_ids[row])] for row in kept]
    order = sorted(range(len(files)), key=lambda at: files[at].path)
    rows = np.array([kept[at] for at in order], dtype=np.int64)
    ordered = tuple(files[at] for at in order)
    if facts.certain:
        # Asked who raises, handles or calls it, its definition is what the question is about, not the answer.
        definitions = {}
    dense = score_dense(arm, corpus, vector, rows, lexical.allowed, degraded)
    if lexical.restricted is None and not (lexical.files.any() or definitions or len(lexical.addressed)):
        # Not one word of the question stands in the repository: only a close meaning is an answer.
        near = np.maximum(dense.units_by_file[rows], dense.files[rows]) >= CLOSE_MEANING
        rows, ordered = rows[near], tuple(file for file, kept in zip(ordered, near.tolist(), strict=True) if kept)
    information = _information(view, question, lexical.matches)
    coverage, documented = _coverage(view, question, lexical.matches, information)
    evidence = _evidence(store, view, question, lexical, dense, rows, ordered, definitions, facts)
    paths = {file.id: file.path for file in ordered}
    around = find_neighbourhood(store, corpus, lexical.units, coverage, dense.units, paths)
    evidence = evidence._replace(
        idf=information,
        coverage=_best(corpus, coverage)[rows],
        documented=documented[rows],
        delegated=around.called,
        using=around.calling,
    )
    return Candidates(rows, ordered, evidence, definitions, coverage, dense, facts.chunks, facts.lines)


def find_definitions(
    store: Store, view: View, question: Question, lexical: LexicalScores
) -> dict[int, tuple[Definition, ...]]:
    """Return, by file id, the definitions whose name the question names, in any spelling."""

    corpus = view.corpus
    chosen: dict[Name, list[int]] = {}
    for name, documents in lexical.named.items():
        expected = len(word_terms(name.text))
        exact = documents[corpus.lengths[documents, FIELD_NUMBER["name"]] >= expected]
        alone = exact[corpus.lengths[exact, FIELD_NUMBER["name"]] == expected]
        if not name.written:
            # Plain words need not be compared with names of several parts.
            exact = alone if len(alone) <= MOST_WORD_DEFINITIONS else alone[:0]
        exact = exact if len(exact) <= MOST_DEFINITIONS else alone[:MOST_DEFINITIONS]
        if len(exact):
            chosen[name] = corpus.chunk_ids[distinct(exact)].tolist()
    units = read_unit_rows(store.connection, sorted({chunk for chunks in chosen.values() for chunk in chunks}))
    found: dict[int, dict[tuple[int, bool], Definition]] = {}
    for name, chunks in chosen.items():
        defining = [units[chunk] for chunk in chunks if chunk in units and _is_named(units[chunk], name)]
        if not question.wants_prose:
            # A section called like a symbol writes of it and defines nothing.
            defining = [unit for unit in defining if unit.kind != SECTION]
        best: dict[int, float] = {}
        for unit in defining:
            best[unit.file_id] = max(best.get(unit.file_id, 0.0), _standing(unit, name))
        for unit in defining:
            if name.scope and not _in_scope(unit, name):
                continue
            standing = _standing(unit, name)
            files = sum(other >= standing for other in best.values())
            key = (unit.id, bool(name.scope))
            found.setdefault(unit.file_id, {}).setdefault(key, _definition(unit, name, files))
    return {file_id: tuple(kept.values()) for file_id, kept in found.items()}


def _standing(unit: CandidateUnit, name: Name) -> float:
    """Say how likely this definition is meant by the name: a class `Vitest` before a field `vitest`."""
    return kind_standing(unit.kind, bool(unit.parent)) * (1.0 if name.text in _names_of(unit) else OTHER_SPELLING)


def _definition(unit: CandidateUnit, name: Name, files: int) -> Definition:
    return Definition(
        chunk_id=unit.id,
        kind=unit.kind,
        words=name.text.count("_") + 1 if not name.written else 1,
        written=name.written,
        nested=bool(unit.parent),
        exact_case=name.text in _names_of(unit),
        scoped=bool(name.scope),
        files=files,
    )


def _names_of(unit: CandidateUnit) -> tuple[str, ...]:
    return tuple(unit.names.split("\n")) if unit.names else (unit.name,)


def _is_named(unit: CandidateUnit, name: Name) -> bool:
    key = name.key
    return any(name_key(own) == key for own in _names_of(unit))


def _in_scope(unit: CandidateUnit, name: Name) -> bool:
    """Say whether the innermost scope that the question gives is among the unit's enclosing names."""
    around = {name_key(part) for part in enclosing_names(unit.parent)}
    return name_key(name.scope[-1]) in around


def _top(scores: Floats, count: int) -> Integers:
    import numpy as np

    if len(scores) > count:
        best = np.argpartition(-scores, count)[:count]
    else:
        best = np.arange(len(scores))
    return best[scores[best] > 0]


def _evidence(
    store: Store,
    view: View,
    question: Question,
    lexical: LexicalScores,
    dense: DenseScores,
    rows: Integers,
    files: tuple[CandidateFile, ...],
    definitions: dict[int, tuple[Definition, ...]],
    facts: Facts,
) -> Evidence:
    import numpy as np

    units = _by_best(lexical.files_by_units[rows])
    letter = find_letter(store, question, units, view.file_sizes[rows], files, facts)
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
        generated=np.array([float(file.generated) for file in files]),
        indegree=np.array([float(file.indegree) for file in files]),
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
        message=letter.message,
    )


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


def _information(view: View, question: Question, matches: tuple[Matches, ...]) -> dict[str, float]:
    """Return the idf of each word that was asked for, by lower-case part."""
    return {
        concept.word: idf(view.corpus.documents, found.document_frequency)
        for concept, found in zip(question.concepts, matches, strict=True)
        if concept.word and len(split_identifier(concept.word)) <= 1
    }


def _coverage(
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


def _best(corpus: Corpus, of_units: Floats) -> Floats:
    """Return the largest value of each file's units."""
    import numpy as np

    best = np.zeros(len(corpus.file_ids))
    hit = np.flatnonzero(of_units)
    np.maximum.at(best, corpus.file_rows[hit], of_units[hit])
    return best
