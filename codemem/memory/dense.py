"""The dense arm over memories: exact cosines over all vectors of one model, kept in memory between searches of a process."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from codemem.store.memories import visible
from codemem.store.memory_vectors import VectorRows, change_mark, count_vectors, coverage, vectors_after
from codemem.types import Scope

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from codemem.embed import Embedder
    from codemem.store import Store

DEPTH = 400
GROWTH = 1.5
HIDDEN = -2.0
"""Below any cosine."""


class _Cache:
    """The vectors of one store and model read so far; what was written since is appended, a smaller count reads all again."""

    def __init__(self, dimension: int) -> None:
        self.dimension = dimension
        self.mark: tuple[object, ...] = ()
        self.clear()

    def clear(self) -> None:
        import numpy as np

        self.last_row = 0
        self.size = 0
        self.numbers = np.zeros(0, np.int64)
        self.matrix = np.zeros((0, self.dimension), np.float32)

    def refresh(self, store: Store, model: str) -> None:
        import numpy as np

        mark = (id(store.connection), *change_mark(store))
        if mark == self.mark:
            return
        self._append(vectors_after(store, self.last_row, model, self.dimension))
        if np.count_nonzero(self.numbers[: self.size]) != count_vectors(store, model, self.dimension):
            self.clear()
            self._append(vectors_after(store, 0, model, self.dimension))
        self.mark = mark

    def _append(self, added: VectorRows) -> None:
        import numpy as np

        if not len(added.rows):
            return
        # An edited memory has a new vector; its old one is struck out (document 0 does not exist).
        self.numbers[: self.size][np.isin(self.numbers[: self.size], added.numbers)] = 0
        needed = self.size + len(added.rows)
        if needed > len(self.numbers):
            room = max(needed, int(len(self.numbers) * GROWTH))
            self.numbers = np.concatenate([self.numbers[: self.size], np.zeros(room - self.size, np.int64)])
            grown = np.zeros((room, self.dimension), np.float32)
            grown[: self.size] = self.matrix[: self.size]
            self.matrix = grown
        self.matrix[self.size : needed] = added.matrix
        self.numbers[self.size : needed] = added.numbers
        self.size = needed
        self.last_row = int(added.rows[-1])


class Dense(NamedTuple):
    """Cosines best first, and how many readable memories have no vector of this model (of these: vectors of others only)."""

    scored: list[tuple[int, float]]
    pending: int
    other_model: int


_caches: dict[tuple[str, str, int], _Cache] = {}


def dense_scores(
    store: Store,
    scope: Scope,
    lengths: npt.NDArray[np.int64],
    vector: npt.NDArray[np.float32],
    embedder: Embedder,
) -> Dense:
    """Compare the question's vector with those of the memories whose length in `lengths` is not 0: the readable ones."""
    import numpy as np

    cache = _caches.setdefault((str(store.path), embedder.model, embedder.dimension), _Cache(embedder.dimension))
    cache.refresh(store, embedder.model)
    allowed = np.zeros(max(len(lengths), int(cache.numbers.max(initial=0)) + 1), np.bool_)
    allowed[: len(lengths)] = lengths > 0
    numbers = cache.numbers[: cache.size]
    usable = allowed[numbers]
    pending = other = 0
    if int(usable.sum()) < int(allowed.sum()):
        counted = coverage(store, visible(scope), embedder.model, embedder.dimension)
        pending, other = counted.missing + counted.stale, counted.other_model
    if not usable.any():
        return Dense([], pending, other)
    cosines = np.where(usable, cache.matrix[: cache.size] @ vector, HIDDEN)
    count = min(DEPTH, cache.size)
    best = np.argpartition(-cosines, count - 1)[:count]
    # Zero is a vector of zeros: the model knows no word of that text.
    best = best[(cosines[best] > HIDDEN) & (cosines[best] != 0)]
    order = best[np.lexsort((-numbers[best], -cosines[best]))]
    return Dense([(int(numbers[place]), float(cosines[place])) for place in order], pending, other)
