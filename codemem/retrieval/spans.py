"""Choose the span of each file that answers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from codemem.lexical.scoring import FIELD_NUMBER
from codemem.lexical.segments import INNER
from codemem.retrieval.candidates import Candidates
from codemem.retrieval.snippets import best_line, term_weights
from codemem.retrieval.unit_signals import BARE_KINDS, CONTAINER_KINDS, SPAN_SIGNALS, FileUnits, span_matrix
from codemem.retrieval.view import LexicalScores, View
from codemem.signals import load_weights
from codemem.signals.table import KIND_WEIGHT
from codemem.store import Store
from codemem.store.candidates import CandidateUnit, read_unit_rows
from codemem.store.code import read_content
from codemem.text import stem
from codemem.types import Query

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

WHY_DIGITS = 6
"""Digits of a contribution that are shown."""
SCORE_DIGITS = 9
"""Digits of a unit's score that count: below them only the order of summation speaks."""
SCOPED_WEIGHT = 3.0
"""`A#b` names b; A is named as well, but only to say which b."""
ALSO_GAP = 1.0
"""Other spans of a file are shown when they score at most so much less than the best: e to the third less likely."""
MOST_ALSO = 5
TEST_MODULES = frozenset({"test", "tests"})
"""Modules of tests inside a source file, as Rust has them."""


class Ranked(NamedTuple):
    """The candidates in order (positions in `candidates`), their scores, and what each signal contributed to each."""

    order: tuple[int, ...]
    scores: tuple[float, ...]
    contributions: NDArray[numpy.floating[Any]]
    """Shape (candidates, signals)."""
    names: tuple[str, ...]

    def why(self, at: int) -> dict[str, float]:
        """Return what counted for the candidate at a position."""
        parts = zip(self.names, self.contributions[at].tolist(), strict=True)
        return {name: round(value, WHY_DIGITS) for name, value in parts if value}


class Span(NamedTuple):
    """One hit before its text is read."""

    chunk_id: int
    score: float
    why: dict[str, float]
    also: tuple[int, ...] = ()


def choose_spans(
    store: Store, view: View, lexical: LexicalScores, candidates: Candidates, ranked: Ranked, query: Query
) -> list[Span]:
    """Return the spans to show, in order: one a file, or with `all_chunks` every matching one."""
    wanted = query.offset + query.limit
    spans: list[Span] = []
    for at, score in zip(ranked.order, ranked.scores, strict=True):
        if not query.all_chunks and len(spans) >= wanted:
            break
        units = units_of(store, view, lexical, candidates, at)
        if not units:
            continue
        best, why = units[0][0], ranked.why(at)
        matching = [chunk for value, chunk in units[1:] if value >= best - ALSO_GAP]
        if query.all_chunks:
            # A filter has said what counts: all that it lets through is shown.
            least = -math.inf if lexical.restricted is not None else best - ALSO_GAP
            spans += [Span(chunk, score - (best - value), why) for value, chunk in units if value >= least]
        else:
            spans.append(Span(units[0][1], score, why, tuple(matching[:MOST_ALSO])))
    return sorted(spans, key=lambda span: -span.score) if query.all_chunks else spans


def units_of(
    store: Store, view: View, lexical: LexicalScores, candidates: Candidates, at: int
) -> list[tuple[float, int]]:
    """Return (score, chunk id) of the file's units that may be shown, best first, ties in the order of the file."""
    import numpy as np

    found = read_units(store, view, lexical, candidates, at)
    weights = load_weights("span")
    values = np.round(span_matrix(found) @ np.array([weights[name] for name in SPAN_SIGNALS]), SCORE_DIGITS)
    rows = {unit.id: unit for unit in found.units}
    units = sorted(zip(values.tolist(), rows, strict=True), key=lambda unit: (-unit[0], unit[1]))
    sure = {unit.id for unit, *clear in zip(found.units, found.named, found.sure, strict=True) if any(clear)}
    if units and units[0][1] not in sure:
        member = _member(store, candidates, at, rows, units[0][1], _inner_units(view, candidates, at))
        if member:
            units = [(units[0][0], member), *(unit for unit in units if unit[1] != member)]
    return units


def read_units(store: Store, view: View, lexical: LexicalScores, candidates: Candidates, at: int) -> FileUnits:
    """Return the units of a candidate file that may be shown, with what the arms say of each."""
    import numpy as np

    corpus = view.corpus
    documents = np.flatnonzero(lexical.allowed & (corpus.file_rows == candidates.rows[at]))
    rows = read_unit_rows(store.connection, corpus.chunk_ids[documents].tolist())
    # A damaged posting list names chunks that never were.
    documents = documents[[chunk in rows for chunk in corpus.chunk_ids[documents].tolist()]]
    chunks: list[int] = corpus.chunk_ids[documents].tolist()
    named, written = _named_units(candidates, candidates.files[at].id)
    source = not (candidates.evidence.tests[at] or candidates.evidence.question.mentions_tests)
    return FileUnits(
        [rows[chunk] for chunk in chunks],
        lexical.units[documents],
        candidates.unit_coverage[documents],
        candidates.dense.units[documents],
        (corpus.lengths[documents, FIELD_NUMBER["name"]] == 0).tolist(),
        [named.get(chunk, 0.0) for chunk in chunks],
        [chunk in written or chunk in candidates.answers for chunk in chunks],
        [source and rows[chunk].qualified_name.partition(".")[0] in TEST_MODULES for chunk in chunks],
        [candidates.answers.get(chunk, 0.0) for chunk in chunks],
    )


def _inner_units(view: View, candidates: Candidates, at: int) -> set[int]:
    """Return the chunks of a file that stand inside the text of another one."""
    corpus = view.corpus
    inner = (corpus.file_rows == candidates.rows[at]) & (corpus.flags & INNER > 0)
    return set(corpus.chunk_ids[inner].tolist())


def _named_units(candidates: Candidates, file_id: int) -> tuple[dict[int, float], set[int]]:
    """Return how clearly the question names each definition of a file, and which ones it writes as a name."""
    named: dict[int, float] = {}
    written: set[int] = set()
    for found in candidates.definitions.get(file_id, ()):
        weight = KIND_WEIGHT.get(found.kind, 0.6) + found.exact_case + SCOPED_WEIGHT * found.scoped
        if found.written or found.words > 1:
            named[found.chunk_id] = max(named.get(found.chunk_id, 0.0), weight)
        if found.written:
            written.add(found.chunk_id)
    return named, written


def _member(
    store: Store, candidates: Candidates, at: int, rows: Mapping[int, CandidateUnit], chunk: int, inner: set[int]
) -> int:
    """Return the member of a small container (its text holds theirs) in which the best line stands, 0 when none does."""
    around = rows[chunk]
    members = [
        row
        for row in rows.values()
        if row.id in inner and row.id != chunk and row.kind not in BARE_KINDS
        and around.start_line <= row.start_line and row.end_line <= around.end_line
    ]  # fmt: skip
    if around.kind not in CONTAINER_KINDS or not members:
        return 0
    answering = [row for row in members if row.id in candidates.answers]
    if answering:
        return max(answering, key=lambda row: (candidates.answers[row.id], -row.start_line)).id
    lines = read_content(store.connection, candidates.files[at].id).split("\n")
    weights = term_weights({stem(part): value for part, value in candidates.evidence.idf.items()})
    line = best_line(lines, around.start_line, min(around.end_line, len(lines)), weights, around.start_line)
    holding = [row for row in members if row.start_line <= line <= row.end_line]
    return min(holding, key=lambda row: (row.end_line - row.start_line, row.id)).id if holding else 0
