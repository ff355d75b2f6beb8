"""BM25F over units and over files: numpy arithmetic on decoded postings, no input or output.

A unit is one document (chunk piece); a file is the sum of its documents. Everything that is counted (documents, document
frequencies, average lengths) counts live documents only, so an incremental index scores exactly like a clean rebuild.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from codemem.lexical.documents import FIELDS
from codemem.lexical.segments import FIELD_BITS, TOP_LEVEL, Arrays, decode_arrays, decode_posting

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Floats = NDArray[numpy.floating[Any]]
    Integers = NDArray[numpy.int64]

FIELD_NUMBER = {name: number for number, name in enumerate(FIELDS)}
_FIELD_MASK = (1 << FIELD_BITS) - 1


class Weighting(NamedTuple):
    """How a document is scored: weight and length normalisation of each field, saturation and power of the idf."""

    weights: dict[str, float]
    b: dict[str, float]
    k1: float = 1.5
    idf_power: float = 1.0
    top_level_name: float = 0.0
    """Added to the name weight for definitions that nothing encloses."""


class Corpus(NamedTuple):
    """The documents of all segments: one row a document, dead ones included but never counted."""

    chunk_ids: NDArray[numpy.uint32]
    file_rows: Integers
    """Row of the document's file in `file_ids`."""
    file_ids: NDArray[numpy.uint32]
    flags: NDArray[numpy.uint8]
    lengths: NDArray[numpy.uint16]
    """Shape (documents, fields): terms of each field, 0 for the dead."""
    live: NDArray[numpy.bool_]
    bases: dict[int, int]
    """Segment id -> row of its first document."""
    documents: int
    """Live documents."""
    files: int
    """Files with a live document."""


class Matches(NamedTuple):
    """Where one concept occurs: parallel arrays over (document, field) pairs; several terms may repeat a pair."""

    rows: Integers
    fields: Integers
    counts: Floats
    document_frequency: int
    file_frequency: int


def build_corpus(segments: Iterable[tuple[int, int, bytes, Sequence[int]]]) -> Corpus:
    """Join segments given as (id, documents, arrays, dead chunk ids)."""
    import numpy as np

    parts: list[Arrays] = []
    masks: list[NDArray[np.bool_]] = []
    bases: dict[int, int] = {}
    base = 0
    for segment, documents, data, dead in segments:
        arrays = decode_arrays(data, documents)
        parts.append(arrays)
        masks.append(
            ~np.isin(arrays.chunk_ids, np.array(dead, dtype=np.uint32)) if dead else np.ones(documents, dtype=bool)
        )
        bases[segment] = base
        base += documents
    if not parts:
        parts = [decode_arrays(b"", 0)]
        masks = [np.ones(0, dtype=bool)]
    live = np.concatenate(masks)
    file_ids, file_rows = _number_files(np.concatenate([arrays.file_ids for arrays in parts]))
    lengths = np.concatenate([arrays.lengths for arrays in parts])
    if not live.all():
        lengths[~live] = 0
    return Corpus(
        np.concatenate([arrays.chunk_ids for arrays in parts]),
        file_rows,
        file_ids,
        np.concatenate([arrays.flags for arrays in parts]),
        lengths,
        live,
        bases,
        int(live.sum()),
        int(np.count_nonzero(np.bincount(file_rows[live], minlength=len(file_ids)))),
    )


def _number_files(ids: NDArray[numpy.uint32]) -> tuple[NDArray[numpy.uint32], Integers]:
    """Return the distinct ids, ascending, and the row of each document's id among them."""
    import numpy as np

    present = np.zeros(int(ids.max(initial=0)) + 1, dtype=bool)
    present[ids] = True
    return np.flatnonzero(present).astype(np.uint32), (np.cumsum(present, dtype=np.int64) - 1)[ids]


def match_concept(corpus: Corpus, lists: Iterable[tuple[int, float, bytes]]) -> Matches:
    """Join the posting lists of a concept's terms, given as (segment, weight of the term, blob)."""
    import numpy as np

    codes: list[Integers] = []
    counts: list[Floats] = []
    for segment, weight, data in lists:
        if segment not in corpus.bases:
            continue
        found, times = decode_posting(data)
        codes.append(found.astype(np.int64) + (corpus.bases[segment] << FIELD_BITS))
        counts.append(times * weight)
    if not codes:
        nothing = np.zeros(0, dtype=np.int64)
        return Matches(nothing, nothing, np.zeros(0), 0, 0)
    joined = codes[0] if len(codes) == 1 else np.concatenate(codes)
    rows = joined >> FIELD_BITS
    alive = corpus.live[rows]
    if not alive.all():
        joined, rows = joined[alive], rows[alive]
    weighted = (counts[0] if len(counts) == 1 else np.concatenate(counts))[alive]
    return Matches(rows, joined & _FIELD_MASK, weighted, *_frequencies(corpus, rows))


def restrict(matches: Matches, allowed: NDArray[numpy.bool_]) -> Matches:
    """Keep the documents that a filter allows; frequencies stay those of the whole corpus."""
    kept = allowed[matches.rows]
    return Matches(
        matches.rows[kept],
        matches.fields[kept],
        matches.counts[kept],
        matches.document_frequency,
        matches.file_frequency,
    )


class UnitScorer:
    """BM25F over documents; every concept costs only its own postings."""

    def __init__(self, corpus: Corpus, weighting: Weighting) -> None:
        self.corpus = corpus
        self.weighting = weighting
        self.average = _average(corpus.lengths, corpus.documents)
        self.weights, self.b = _field_arrays(weighting)

    def score(self, matches: Matches) -> Floats:
        """Return the concept's score of every document."""
        import numpy as np

        lengths = self.corpus.lengths[matches.rows, matches.fields]
        share = self.b[matches.fields]
        weighted = (
            matches.counts * self.weights[matches.fields] / (1 - share + share * lengths / self.average[matches.fields])
        )
        frequency: Floats = np.bincount(matches.rows, weighted, len(self.corpus.chunk_ids)).astype(np.float64)
        return saturate(frequency, self.weighting, self.corpus.documents, matches.document_frequency)


class FileScorer:
    """BM25F over files: the fields of a file are the sums of its documents' fields."""

    def __init__(self, corpus: Corpus, weighting: Weighting) -> None:
        import numpy as np

        self.corpus = corpus
        self.weighting = weighting
        self.weights, self.b = _field_arrays(weighting)
        files = len(corpus.file_ids)
        self.lengths: Floats = np.zeros((files, len(FIELDS)))
        for field in np.flatnonzero(self.weights * self.b):
            self.lengths[:, field] = np.bincount(corpus.file_rows, corpus.lengths[:, field], files)
        self.average = _average(self.lengths, corpus.files)
        self.name = FIELD_NUMBER["name"]
        extra = weighting.top_level_name / weighting.weights["name"] if weighting.weights.get("name") else 0.0
        self.name_factor = 1.0 + extra * (corpus.flags & TOP_LEVEL)

    def score(self, matches: Matches) -> Floats:
        """Return the concept's score of every file."""
        import numpy as np

        of_file = self.corpus.file_rows[matches.rows]
        factor = np.where(matches.fields == self.name, self.name_factor[matches.rows], self.weights[matches.fields] > 0)
        share = self.b[matches.fields]
        norm = 1 - share + share * self.lengths[of_file, matches.fields] / self.average[matches.fields]
        weighted = matches.counts * factor * self.weights[matches.fields] / norm
        frequency: Floats = np.bincount(of_file, weighted, len(self.corpus.file_ids)).astype(np.float64)
        return saturate(frequency, self.weighting, self.corpus.files, matches.file_frequency)


def saturate(frequency: Floats, weighting: Weighting, population: int, found: int) -> Floats:
    """Turn weighted frequencies into BM25 scores."""
    value: float = idf(population, found) ** weighting.idf_power
    scores: Floats = value * (weighting.k1 + 1) * frequency / (weighting.k1 + frequency)
    return scores


def idf(population: int, found: int) -> float:
    """Return ln(1 + (N - n + 0.5) / (n + 0.5)): never negative, also for words that most documents have."""
    from math import log

    return log(1 + (population - found + 0.5) / (found + 0.5))


def best_units(corpus: Corpus, scores: Floats, shares: Sequence[float]) -> Floats:
    """Return for every file the sum of `shares[i]` times its i-th best document."""
    import numpy as np

    total = np.zeros(len(corpus.file_ids))
    hit = np.flatnonzero(scores > 0)
    if not len(hit):
        return total
    order = np.lexsort((-scores[hit], corpus.file_rows[hit]))
    rows = hit[order]
    files = corpus.file_rows[rows]
    first = np.flatnonzero(np.concatenate(([True], files[1:] != files[:-1])))
    sizes = np.diff(np.concatenate((first, [len(rows)])))
    position = np.arange(len(rows)) - np.repeat(first, sizes)
    counted = position < len(shares)
    weighted = scores[rows[counted]] * np.asarray(shares)[position[counted]]
    return np.bincount(files[counted], weighted, len(corpus.file_ids)).astype(np.float64)


def _field_arrays(weighting: Weighting) -> tuple[Floats, Floats]:
    """Return weight and length normalisation by field number."""
    import numpy as np

    weights = np.array([weighting.weights.get(name, 0.0) for name in FIELDS])
    return weights, np.array([weighting.b.get(name, 0.0) for name in FIELDS])


def _average(lengths: NDArray[Any], population: int) -> Floats:
    """Return the average length of each field, 1 for fields that nothing fills."""
    import numpy as np

    average: Floats = lengths.sum(axis=0, dtype=np.float64) / max(population, 1)
    average[average == 0] = 1.0
    return average


def _frequencies(corpus: Corpus, rows: Integers) -> tuple[int, int]:
    import numpy as np

    documents = np.zeros(len(corpus.chunk_ids), dtype=bool)
    documents[rows] = True
    files = np.zeros(len(corpus.file_ids), dtype=bool)
    files[corpus.file_rows[rows]] = True
    return int(documents.sum()), int(files.sum())
