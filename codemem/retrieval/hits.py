"""Choose the span of each file that answers, and build the hits that are shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from codemem.lexical.scoring import FIELD_NUMBER
from codemem.retrieval.candidates import Candidates
from codemem.retrieval.snippets import cut_snippet, term_weights
from codemem.retrieval.view import LexicalScores, View
from codemem.roles import is_prose
from codemem.signals.table import KIND_WEIGHT
from codemem.store import Store
from codemem.store.candidates import read_unit_rows
from codemem.store.code import read_content
from codemem.store.graph import load_resolved
from codemem.text import stem
from codemem.types import Chunk, Hit, Query

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
NAMELESS_SHARE = 0.7
"""Lines outside definitions (imports, module documentation) repeat words; a definition says what happens."""
ALSO_SHARE = 0.5
"""Other spans of a file are shown when they score at least this share of the best."""
MOST_ALSO = 5


@dataclass(frozen=True, slots=True)
class Ranked:
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


@dataclass(frozen=True, slots=True)
class Span:
    """One hit before its text is read."""

    chunk_id: int
    score: float
    why: dict[str, float]
    also: tuple[int, ...] = ()


def choose_spans(
    view: View, lexical: LexicalScores, candidates: Candidates, ranked: Ranked, query: Query
) -> list[Span]:
    """Return the spans to show, in order: one a file, or with `all_chunks` every matching one."""
    wanted = query.offset + query.limit
    spans: list[Span] = []
    for at, score in zip(ranked.order, ranked.scores, strict=True):
        if not query.all_chunks and len(spans) >= wanted:
            break
        units = _units_of(view, lexical, candidates, at)
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


def best_chunk(view: View, lexical: LexicalScores, candidates: Candidates, at: int) -> int:
    """Return the chunk that the candidate at a position would show, 0 when it has none."""
    units = _units_of(view, lexical, candidates, at)
    return units[0][1] if units else 0


def _units_of(view: View, lexical: LexicalScores, candidates: Candidates, at: int) -> list[tuple[float, int]]:
    """Return (score, chunk id) of the file's units that may be shown, best first, ties in the order of the file."""
    import numpy as np

    file = candidates.files[at]
    documents = np.flatnonzero(lexical.allowed & (view.corpus.file_rows == candidates.rows[at]))
    best = float(lexical.units.max(initial=0.0)) or 1.0
    named: dict[int, float] = {}
    for found in candidates.definitions.get(file.id, ()):
        weight = KIND_WEIGHT.get(found.kind, 0.6) + found.exact_case + SCOPED_WEIGHT * found.scoped
        if found.written or found.words > 1:
            named[found.chunk_id] = max(named.get(found.chunk_id, 0.0), weight)
    units = []
    for document in documents.tolist():
        chunk = int(view.corpus.chunk_ids[document])
        score = float(lexical.units[document]) / best
        if not view.corpus.lengths[document, FIELD_NUMBER["name"]]:
            score *= NAMELESS_SHARE
        score += DENSE_SHARE * float(candidates.dense.units[document])
        score += DEFINITION_BONUS * named.get(chunk, 0.0) + candidates.answers.get(chunk, 0.0)
        units.append((round(score, 9), chunk))
    return sorted(units, key=lambda unit: (-unit[0], unit[1]))


def build_hits(store: Store, candidates: Candidates, spans: Sequence[Span]) -> tuple[Hit, ...]:
    """Read the chunks of the spans and cut their snippets."""
    chunks = load_resolved(store.connection, sorted({span.chunk_id for span in spans}), with_text=False)
    folded = read_unit_rows(store.connection, {chunk for span in spans for chunk in span.also})
    information = {stem(part): value for part, value in candidates.evidence.idf.items()}
    weights = term_weights(information)
    file_ids = {file.path: file.id for file in candidates.files}
    hits: list[Hit] = []
    for span in spans:
        if span.chunk_id not in chunks:
            continue  # a damaged posting list names chunks that never were
        chunk = chunks[span.chunk_id]
        lines = read_content(store.connection, file_ids[chunk.path]).split("\n")
        also = {(folded[number].start_line, folded[number].end_line) for number in span.also if number in folded}
        hits.append(_hit(chunk, span, lines, weights, also))
    return tuple(hits)


def _hit(chunk: Chunk, span: Span, lines: list[str], weights: dict[str, float], also: set[tuple[int, int]]) -> Hit:
    start, end = chunk.start_line, chunk.end_line
    head = _head_line(chunk, lines, start, end)
    snippet = cut_snippet(lines, start, end, weights, head)
    spans = chunk.spans or ((start, end),)
    text = "\n".join("\n".join(lines[one - 1 : other]) for one, other in spans)
    return Hit(
        chunk=replace(chunk, text=text),
        score=span.score,
        start_line=start,
        end_line=end,
        text=snippet.text,
        why=span.why,
        also=tuple(sorted(also - {(start, end)})),
        source="docs" if is_prose(chunk.path) else "code",
        text_line=snippet.first,
        match_line=snippet.best,
    )


def _head_line(chunk: Chunk, lines: list[str], start: int, end: int) -> int:
    """Return the line that names the definition: documentation and attributes stand above it."""
    if not chunk.name or chunk.part:
        return 0
    for at in range(start, min(end, len(lines)) + 1):
        if chunk.name in lines[at - 1] and (not chunk.signature or _begins(lines[at - 1], chunk.signature)):
            return at
    return 0


def _begins(line: str, signature: str) -> bool:
    """Say whether the signature starts on this line."""
    written = line.split()
    return bool(written) and " ".join(signature.split()[:2]).startswith(written[0])
