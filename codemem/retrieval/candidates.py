"""Choose the files that the ranker looks at, and gather what the signals need to know of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from codemem.lexical import enclosing_names
from codemem.lexical.scoring import FIELD_NUMBER, Corpus
from codemem.question import Name, Question, name_key
from codemem.retrieval.dense import DenseArm, DenseScores, distinct, embed_question, nominate, score_dense
from codemem.retrieval.description import best_of_files, build_evidence, coverage_of, information_of
from codemem.retrieval.facts import find_facts
from codemem.retrieval.neighbourhood import find_neighbourhood
from codemem.retrieval.view import LexicalScores, View
from codemem.signals import Definition, Evidence, kind_standing
from codemem.store import Store
from codemem.store.candidates import CandidateFile, CandidateUnit, read_file_rows, read_unit_rows
from codemem.text import split_identifier, word_terms, words

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Floats = NDArray[numpy.floating[Any]]
    Integers = NDArray[numpy.int64]

ARM_DEPTH = 100
"""Files that each arm nominates: on the development set the union holds 99.5 % of the answers at 50."""
HOLDING_DEPTH = 300
"""Files that are looked at for what must stand there just so; the texts of so many are read in a tenth of a second."""
MOST_DEFINITIONS = 300
"""Definitions of one name that are looked at; a name with more says nothing about where to look."""
SECTION = "section"
OTHER_SPELLING = 0.5
"""What a definition in another spelling of the name is worth against one in the spelling asked for."""
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
    holding = files_holding(corpus, question, lexical)
    nominated.append(holding)
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
    information = information_of(view, question, lexical.matches)
    coverage, documented = coverage_of(view, question, lexical.matches, information)
    evidence = build_evidence(store, view, question, lexical, dense, rows, ordered, definitions, facts, holding)
    paths = {file.id: file.path for file in ordered}
    around = find_neighbourhood(store, corpus, lexical.units, coverage, dense.units, paths)
    evidence = evidence._replace(
        idf=information,
        coverage=best_of_files(corpus, coverage)[rows],
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


def files_holding(corpus: Corpus, question: Question, lexical: LexicalScores) -> Integers:
    """Return the files (rows) that have all words of something that must stand there just so, the best of them."""
    import numpy as np

    chosen = np.zeros(len(corpus.file_ids), dtype=bool)
    having = {concept.word: found.rows for concept, found in zip(question.concepts, lexical.matches, strict=True)}
    for literal in question.literals:
        parts = {part for word in words(literal.spellings[-1]) for part in split_identifier(word)} & having.keys()
        held = np.full(len(chosen), bool(parts))
        for part in parts:
            here = np.zeros(len(chosen), dtype=bool)
            here[corpus.file_rows[having[part]]] = True
            held &= here
        chosen |= held
    rows = np.flatnonzero(chosen)
    return rows[np.argsort(-lexical.files_by_units[rows], kind="stable")][:HOLDING_DEPTH]


def _top(scores: Floats, count: int) -> Integers:
    import numpy as np

    if len(scores) > count:
        best = np.argpartition(-scores, count)[:count]
    else:
        best = np.arange(len(scores))
    return best[scores[best] > 0]
