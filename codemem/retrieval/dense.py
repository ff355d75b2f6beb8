"""What the vectors say: cosines of unit cards and file cards, for the ranker and as arms of their own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from codemem.errors import ModelMissing, ProviderError
from codemem.lexical.scoring import Corpus
from codemem.store import Store, read_meta

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    from codemem.embed import Embedder
    from codemem.vectors import VectorIndex

    Floats = NDArray[numpy.floating[Any]]
    Integers = NDArray[numpy.int64]

UNIT_DEPTH = 300
FILE_DEPTH = 100
"""Nearest units and files that the dense arms nominate: several units share a file."""
NO_VECTORS = "the index holds no vectors: keyword ranking only; run `codemem index`"


@dataclass(slots=True)
class DenseArm:
    """The opened vectors of one store; kept by long-lived processes while `state` is that of the store."""

    state: tuple[object, ...]
    embedder: Embedder | None
    units: VectorIndex | None
    files: VectorIndex | None
    degraded: tuple[str, ...] = ()


class DenseScores(NamedTuple):
    """Cosines with the question, one a document and one a file row; 0 where there is no vector or no candidate."""

    units: Floats
    units_by_file: Floats
    files: Floats
    degraded: tuple[str, ...] = ()
    available: bool = False


def distinct(values: NDArray[numpy.integer[Any]]) -> Integers:
    """Return the sorted distinct values; `numpy.unique` without options imports numpy.ma, 8 ms of a cold search."""
    import numpy as np

    ordered: Integers = np.sort(values)
    first = np.ones(len(ordered), dtype=bool)
    first[1:] = ordered[1:] != ordered[:-1]
    return ordered[first]


def closed_arm(reason: str = "") -> DenseArm:
    """Return an arm that says nothing, and why."""
    return DenseArm((), None, None, None, (reason,) if reason else ())


def open_arm(store: Store, known: DenseArm | None) -> DenseArm:
    """Open the model and the vectors that the index was built with; what is missing degrades the answer, it does not end it."""
    from codemem.store.vectors import generation, read_space

    name = read_meta(store, "embedder")
    state = (name, generation(store))
    if known is not None and known.state == state:
        return known
    if not name:
        return closed_arm(NO_VECTORS)
    from codemem.embed import load_embedder
    from codemem.vectors import build_index, open_index

    try:
        embedder = known.embedder if known and known.embedder and known.state[:1] == (name,) else load_embedder(name)
    except ModelMissing as error:
        return closed_arm(f"{error.message}: keyword ranking only; {error.remedy}")
    spaces: dict[str, VectorIndex] = {}
    for space in ("units", "files"):
        opened = open_index(store.path.parent, space, generation(store), embedder.dimension)
        spaces[space] = opened or build_index(*read_space(store, space, embedder.model, embedder.dimension))
    if not len(spaces["units"]) and not len(spaces["files"]):
        return closed_arm(NO_VECTORS)
    return DenseArm(state, embedder, spaces["units"], spaces["files"])


def embed_question(arm: DenseArm, text: str) -> tuple[Any, tuple[str, ...]]:
    """Return the question's vector, or None with the reason why there is none."""
    if arm.embedder is None:
        return None, arm.degraded
    try:
        vector = arm.embedder.embed_queries([text])[0]
    except (ModelMissing, ProviderError) as error:
        return None, (f"{error.message}: keyword ranking only",)
    return (vector, ()) if vector.any() else (None, ())


def nominate(arm: DenseArm, corpus: Corpus, vector: Any, allowed: NDArray[numpy.bool_] | None) -> Integers:
    """Return the rows of the files that are nearest by one of their units or as a whole."""
    import numpy as np

    if vector is None or arm.units is None or arm.files is None:
        return np.zeros(0, dtype=np.int64)
    chunk_ids = None if allowed is None else distinct(corpus.chunk_ids[allowed]).astype(np.int64)
    file_ids = None if allowed is None else distinct(corpus.file_ids[corpus.file_rows[allowed]]).astype(np.int64)
    near_units, _ = arm.units.search(vector, UNIT_DEPTH, chunk_ids)
    near_files, _ = arm.files.search(vector, FILE_DEPTH, file_ids)
    of_units = corpus.file_rows[corpus.live & np.isin(corpus.chunk_ids, near_units)]
    of_files = np.flatnonzero(np.isin(corpus.file_ids, near_files))
    return distinct(np.concatenate((of_units, of_files)))


def score_dense(
    arm: DenseArm,
    corpus: Corpus,
    vector: Any,
    rows: Integers,
    allowed: NDArray[numpy.bool_],
    degraded: tuple[str, ...] = (),
) -> DenseScores:
    """Return the cosines of the candidate files in `rows` and of their units."""
    import numpy as np

    units = np.zeros(len(corpus.chunk_ids))
    by_file = np.zeros(len(corpus.file_ids))
    files = np.zeros(len(corpus.file_ids))
    if vector is None or arm.units is None or arm.files is None:
        return DenseScores(units, by_file, files, degraded)
    candidate = np.zeros(len(corpus.file_ids), dtype=bool)
    candidate[rows] = True
    documents = np.flatnonzero(allowed & candidate[corpus.file_rows])
    units[documents] = arm.units.scores(vector, corpus.chunk_ids[documents].astype(np.int64))
    np.maximum.at(by_file, corpus.file_rows[documents], units[documents])
    files[rows] = arm.files.scores(vector, corpus.file_ids[rows].astype(np.int64))
    return DenseScores(units, by_file, files, degraded, available=True)
