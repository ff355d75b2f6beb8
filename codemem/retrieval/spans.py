"""Choose the span of each file that answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from codemem.lexical.scoring import FIELD_NUMBER
from codemem.lexical.segments import INNER
from codemem.retrieval.candidates import Candidates
from codemem.retrieval.snippets import best_line, term_weights
from codemem.retrieval.view import LexicalScores, View
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

DEFINITION_BONUS = 0.6
"""What the definition that the query names is worth beside the best unit's score (1): +0.02 on symbol questions."""
SCOPED_WEIGHT = 3.0
"""`A#b` names b; A is named as well, but only to say which b."""
DENSE_SHARE = 0.3
"""What a unit's cosine is worth beside its words when the span is chosen."""
COVERAGE_SHARE = 0.8
"""What the share of the question's information in a unit is worth: many words once beat one word often."""
CONTAINER_KINDS = frozenset({"class", "interface", "enum", "type", "module"})
CONTAINER_SHARE = 0.8
"""A container mentions what its members do."""
LARGE_CONTAINER = 150
LARGE_SHARE = 0.55
"""A container of so many lines is no answer while one of its members comes near it."""
BARE_KINDS = frozenset({"field", "constant", "prototype", "macro"})
BARE_SHARE = 0.6
"""A declaration of a line or two names a thing and does nothing with it."""
BARE_LINES = 2
NAMELESS_SHARE = 0.7
"""Lines outside definitions (imports, module documentation) repeat words; a definition says what happens."""
ALSO_SHARE = 0.5
"""Other spans of a file are shown when they score at least this share of the best."""
MOST_ALSO = 5


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
        matching = [chunk for value, chunk in units[1:] if value >= ALSO_SHARE * best > 0]
        if query.all_chunks:
            # A filter has said what counts: all that it lets through is shown.
            least = -1.0 if lexical.restricted is not None else ALSO_SHARE * best
            spans += [Span(chunk, score - (best - value), why) for value, chunk in units if value >= least]
        else:
            spans.append(Span(units[0][1], score, why, tuple(matching[:MOST_ALSO])))
    return sorted(spans, key=lambda span: -span.score) if query.all_chunks else spans


def units_of(
    store: Store, view: View, lexical: LexicalScores, candidates: Candidates, at: int
) -> list[tuple[float, int]]:
    """Return (score, chunk id) of the file's units that may be shown, best first, ties in the order of the file."""
    import numpy as np

    corpus = view.corpus
    documents = np.flatnonzero(lexical.allowed & (corpus.file_rows == candidates.rows[at]))
    rows = read_unit_rows(store.connection, corpus.chunk_ids[documents].tolist())
    named = _named_units(candidates, candidates.files[at].id)
    best = float(lexical.units.max(initial=0.0)) or 1.0
    units: list[tuple[float, int]] = []
    for document in documents.tolist():
        chunk = int(corpus.chunk_ids[document])
        if chunk not in rows:
            continue  # a damaged posting list names chunks that never were
        score = float(lexical.units[document]) / best + COVERAGE_SHARE * float(candidates.unit_coverage[document])
        if chunk not in named:
            score *= _share(rows[chunk], bool(corpus.lengths[document, FIELD_NUMBER["name"]]))
        score += DENSE_SHARE * float(candidates.dense.units[document])
        score += DEFINITION_BONUS * named.get(chunk, 0.0) + candidates.answers.get(chunk, 0.0)
        units.append((round(score, 9), chunk))
    units.sort(key=lambda unit: (-unit[0], unit[1]))
    if units and units[0][1] not in named and units[0][1] not in candidates.answers:
        inner = {int(corpus.chunk_ids[document]) for document in documents if corpus.flags[document] & INNER}
        member = _member(store, candidates, at, rows, units[0][1], inner)
        if member:
            units = [(units[0][0], member), *(unit for unit in units if unit[1] != member)]
    return units


def _named_units(candidates: Candidates, file_id: int) -> dict[int, float]:
    """Return how clearly the question names each definition of a file."""
    named: dict[int, float] = {}
    for found in candidates.definitions.get(file_id, ()):
        weight = KIND_WEIGHT.get(found.kind, 0.6) + found.exact_case + SCOPED_WEIGHT * found.scoped
        if found.written or found.words > 1:
            named[found.chunk_id] = max(named.get(found.chunk_id, 0.0), weight)
    return named


def _share(unit: CandidateUnit, has_name: bool) -> float:
    """Return what the words of a unit count by its kind."""
    if not has_name:
        return NAMELESS_SHARE
    if unit.kind in CONTAINER_KINDS:
        return LARGE_SHARE if unit.end_line - unit.start_line > LARGE_CONTAINER else CONTAINER_SHARE
    return BARE_SHARE if unit.kind in BARE_KINDS and unit.end_line - unit.start_line < BARE_LINES else 1.0


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
    lines = read_content(store.connection, candidates.files[at].id).split("\n")
    weights = term_weights({stem(part): value for part, value in candidates.evidence.idf.items()})
    line = best_line(lines, around.start_line, min(around.end_line, len(lines)), weights, around.start_line)
    holding = [row for row in members if row.start_line <= line <= row.end_line]
    return min(holding, key=lambda row: (row.end_line - row.start_line, row.id)).id if holding else 0
