"""The lexical index as one query sees it: corpus and scorers, kept between queries of a long-lived process."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from codemem.lexical.scoring import (
    FIELD_NUMBER,
    Corpus,
    FileScorer,
    Matches,
    UnitScorer,
    Weighting,
    best_units,
    build_corpus,
    match_concept,
    restrict,
)
from codemem.lexical.segments import INNER
from codemem.question import Concept, Name, Question
from codemem.store import Store
from codemem.store.candidates import files_ending_with
from codemem.store.postings import lexical_state, read_postings, read_segments, terms_with_prefix
from codemem.text import is_spaceless, joined_term, spaceless_terms, split_identifier, stem, unaccented

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Floats = NDArray[numpy.floating[Any]]
    Integers = NDArray[numpy.int64]

UNIT_WEIGHTING = Weighting(
    weights={"name": 4.0, "scope": 2.0, "signature": 1.0, "doc": 1.0, "relations": 1.0, "body": 1.0},
    b={"name": 0.3, "scope": 0.3, "signature": 0.5, "doc": 0.5, "relations": 0.5, "body": 0.4},
    k1=1.5,
    idf_power=0.75,
)
FILE_WEIGHTING = Weighting(
    weights={"name": 1.0, "doc": 1.0, "body": 0.5, "stem": 8.0, "directory": 2.0, "head": 2.0},
    b={"name": 0.5, "doc": 0.6, "body": 0.7, "stem": 0.0, "directory": 0.0, "head": 0.5},
    k1=2.5,
    top_level_name=1.0,
)
"""Both measured on the development half of the benchmark; changes below 0.004 NDCG@10 are noise."""
UNIT_SHARES = (1.0, 0.2, 0.1, 0.05)
"""A file's score from its units: the best one counts, three more confirm it."""
INNER_SHARE = 0.6
"""What the words of a symbol inside another unit count: its few words make every match look complete."""
PREFIX_WEIGHT = 0.4
"""Share of the count of a term that is a beginning or a continuation of the word asked for."""
SHORTEST_PREFIX = 4
LONGEST_CONTINUATION = 6
LONGEST_CUT = 4
"""Letters a related term may have more or less: `config`, `configurat`; beyond it relations are chance."""
MOST_CONTINUATIONS = 40
"""Continuations looked at per word and segment."""


class View(NamedTuple):
    """A corpus with its scorers; valid while `state` is that of the store."""

    state: tuple[object, ...]
    corpus: Corpus
    segments: tuple[int, ...]
    units: UnitScorer
    files: FileScorer
    file_sizes: Floats
    """Terms of each file."""


class LexicalScores(NamedTuple):
    """What the lexical arms say: a score for every unit and every file, and where each concept stands."""

    units: Floats
    files_by_units: Floats
    files: Floats
    matches: tuple[Matches, ...]
    named: dict[Name, Integers]
    """For every name of the question, the documents whose own names include it."""
    mentioned: NDArray[numpy.bool_]
    """Files (rows) that mention a name which the question writes."""
    addressed: Integers
    """Files (rows) whose path the question gives."""
    allowed: NDArray[numpy.bool_]
    """Documents that exist for this question."""
    restricted: NDArray[numpy.bool_] | None
    """The same, None when there is no filter."""


def open_view(store: Store, known: View | None = None) -> View:
    """Load the corpus, or return `known` when the index has not changed since."""
    import numpy as np

    state = lexical_state(store)
    if known is not None and known.state == state:
        return known
    rows = read_segments(store.connection)
    corpus = build_corpus((row.id, row.documents, row.arrays, row.dead) for row in rows)
    units, files = UnitScorer(corpus, UNIT_WEIGHTING), FileScorer(corpus, FILE_WEIGHTING)
    sizes: Floats = np.bincount(corpus.file_rows, corpus.lengths.sum(axis=1), len(corpus.file_ids)).astype(np.float64)
    return View(state, corpus, tuple(row.id for row in rows), units, files, sizes)


def score_question(
    store: Store, view: View, question: Question, allowed: NDArray[numpy.bool_] | None = None
) -> LexicalScores:
    """Score every unit and every file; with `allowed` (one flag a document) only those documents exist."""
    import numpy as np

    corpus = view.corpus
    concepts = [with_prefix_relations(store, view, concept) for concept in question.concepts]
    name_terms = {name: main_term(name) for name in question.names}
    lists = _posting_lists(
        store, view, {term for concept in concepts for term, _ in concept.terms} | {*name_terms.values()}
    )
    units = np.zeros(len(corpus.chunk_ids))
    files = np.zeros(len(corpus.file_ids))
    found: list[Matches] = []
    for concept in concepts:
        matches = _match(view, lists, concept.terms, allowed)
        found.append(matches)
        if len(matches.rows):
            units += concept.weight * view.units.score(matches)
            files += concept.weight * view.files.score(matches)
    named: dict[Name, Integers] = {}
    mentioned = np.zeros(len(corpus.file_ids), dtype=bool)
    for name, term in name_terms.items():
        matches = _match(view, lists, ((term, 1.0),), allowed)
        if name.written:
            mentioned[corpus.file_rows[matches.rows]] = True
        named[name] = matches.rows[matches.fields == FIELD_NUMBER["name"]]
    units *= np.where(corpus.flags & INNER, INNER_SHARE, 1.0)
    addressed = _addressed_files(store, view, question, allowed)
    return LexicalScores(
        units,
        best_units(corpus, units, UNIT_SHARES),
        files,
        tuple(found),
        named,
        mentioned,
        addressed,
        corpus.live if allowed is None else allowed,
        allowed,
    )


def _addressed_files(store: Store, view: View, question: Question, allowed: NDArray[numpy.bool_] | None) -> Integers:
    """Return the files whose path ends with one that the question gives, or whose name it gives."""
    import numpy as np

    wanted = dict.fromkeys((*question.paths, *(frame.path for frame in question.frames)))
    ids: set[int] = set()
    for path in wanted:
        whole = files_ending_with(store.connection, path.lstrip("/"))
        ids.update(whole or files_ending_with(store.connection, path.rpartition("/")[2]))
    rows = np.flatnonzero(np.isin(view.corpus.file_ids, np.array(sorted(ids), dtype=np.uint32)))
    if allowed is None:
        return rows
    return np.intersect1d(rows, view.corpus.file_rows[allowed])


def main_term(name: Name) -> str:
    """Return the index term that every definition of this name has."""
    parts = split_identifier(name.text)
    return joined_term(parts) if len(parts) > 1 else stem(parts[0]) if parts else name.text


def _posting_lists(store: Store, view: View, terms: set[str]) -> dict[str, list[tuple[int, bytes]]]:
    lists: dict[str, list[tuple[int, bytes]]] = {}
    for term, segment, data in read_postings(store.connection, view.segments, terms):
        lists.setdefault(term, []).append((segment, data))
    return lists


def _match(
    view: View,
    lists: dict[str, list[tuple[int, bytes]]],
    terms: tuple[tuple[str, float], ...],
    allowed: NDArray[numpy.bool_] | None,
) -> Matches:
    blobs = ((segment, weight, data) for term, weight in terms for segment, data in lists.get(term, ()))
    matches = match_concept(view.corpus, blobs)
    return matches if allowed is None else restrict(matches, allowed)


def holds_word(store: Store, view: View, word: str) -> bool:
    """Say whether some text of the repository holds the word; of a script without spaces, each of its pairs."""
    terms = set(spaceless_terms(word)[len(word) :] or [word] if is_spaceless(word) else [stem(unaccented(word))])
    return terms <= {term for term, _, _ in read_postings(store.connection, view.segments, terms)}


def with_prefix_relations(store: Store, view: View, concept: Concept) -> Concept:
    """Add the terms that begin or continue the concept's own word."""
    term = concept.terms[0][0]
    if concept.exact or len(term) < SHORTEST_PREFIX or not term.isalpha() or is_spaceless(term):
        return concept
    known = {other for other, _ in concept.terms}
    longer = (
        other
        for other, _ in terms_with_prefix(store.connection, view.segments, term, MOST_CONTINUATIONS)
        if len(other) - len(term) <= LONGEST_CONTINUATION
    )
    shorter = (term[:size] for size in range(max(SHORTEST_PREFIX, len(term) - LONGEST_CUT), len(term)))
    related = tuple((other, PREFIX_WEIGHT) for other in (*longer, *shorter) if other not in known)
    return concept._replace(terms=(*concept.terms, *related))
