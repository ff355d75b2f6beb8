"""The dense arm over memories: exact cosines over all vectors of one model, kept in memory between searches of a process."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from codemem.store.memories import visible
from codemem.store.memory_vectors import coverage, vectors_after
from codemem.types import Scope

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from codemem.embed import Embedder
    from codemem.store import Store

DEPTH = 400
GROWTH = 1.5


class _Cache:
    """The vectors of one store and model read so far; new rows are appended, rows that died are found by the final look-up."""

    def __init__(self, dimension: int) -> None:
        import numpy as np

        self.last_row = 0
        self.size = 0
        self.numbers = np.zeros(0, np.int64)
        self.matrix = np.zeros((0, dimension), np.float32)

    def refresh(self, store: Store, model: str, dimension: int) -> None:
        import numpy as np

        added = vectors_after(store, self.last_row, model, dimension)
        if not len(added.rows):
            return
        needed = self.size + len(added.rows)
        if needed > len(self.numbers):
            room = max(needed, int(len(self.numbers) * GROWTH))
            matrix = np.zeros((room, dimension), np.float32)
            matrix[: self.size] = self.matrix[: self.size]
            numbers = np.zeros(room, np.int64)
            numbers[: self.size] = self.numbers[: self.size]
            self.matrix, self.numbers = matrix, numbers
        self.matrix[self.size : needed] = added.matrix
        self.numbers[self.size : needed] = added.numbers
        self.size = needed
        self.last_row = int(added.rows[-1])


_caches: dict[tuple[str, str, int], _Cache] = {}


def dense_scores(
    store: Store, scope: Scope, readable: Sequence[int], vector: npt.NDArray[np.float32], embedder: Embedder
) -> tuple[list[tuple[int, float]], int, int]:
    """Return (number, cosine) best first, how many memories have only vectors of other models, and how many have none."""
    import numpy as np

    counted = coverage(store, visible(scope), embedder.model, embedder.dimension)
    key = (str(store.path), embedder.model, embedder.dimension)
    cache = _caches.setdefault(key, _Cache(embedder.dimension))
    cache.refresh(store, embedder.model, embedder.dimension)
    if not cache.size:
        return [], counted.other_model, counted.missing + counted.stale
    allowed = _allowed(store, readable, int(cache.numbers[: cache.size].max()) + 1)
    cosines = cache.matrix[: cache.size] @ vector
    cosines[~allowed[cache.numbers[: cache.size]]] = -2.0
    count = min(DEPTH, cache.size)
    best = np.argpartition(-cosines, count - 1)[:count]
    order = best[np.lexsort((-cache.numbers[best], -cosines[best]))]
    scored: dict[int, float] = {}
    for place in order:
        if cosines[place] > -1.5:
            scored.setdefault(int(cache.numbers[place]), float(cosines[place]))
    return list(scored.items()), counted.other_model, counted.missing + counted.stale


def _allowed(store: Store, readable: Sequence[int], size: int) -> npt.NDArray[np.bool_]:
    """Return which document numbers stand in the readable partitions."""
    import numpy as np

    from codemem.store.terms import read_documents

    lengths = read_documents(store, readable).lengths[:size]
    allowed = np.zeros(size, np.bool_)
    allowed[: len(lengths)] = lengths > 0
    return allowed
