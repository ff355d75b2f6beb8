"""What every embedding model offers, and the checks on what one returns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from codemem.errors import ProviderError

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    from codemem.card import Card
    from codemem.embed.cards import FileCard

    Matrix = NDArray[numpy.float32]

SMALLEST_NORM = 1e-6
"""A shorter vector has no direction: its text held nothing that the model knows."""


class Embedder(Protocol):
    """A model: all methods return a float32 matrix, one unit row a text; a row of zeros means "no known word"."""

    @property
    def model(self) -> str:
        """Key of its vectors: the name and everything else that changes them (version, prefixes)."""

    @property
    def dimension(self) -> int: ...

    @property
    def semantic(self) -> bool:
        """False for the stand-in of tests, whose similarities mean nothing."""

    @property
    def remote(self) -> bool:
        """True when texts leave the machine."""

    def embed_cards(self, cards: Sequence[Card | FileCard]) -> Matrix:
        """Embed interface cards and file cards."""

    def embed_queries(self, texts: Sequence[str]) -> Matrix:
        """Embed questions about code."""

    def embed_texts(self, texts: Sequence[str]) -> Matrix:
        """Embed prose that is searched: memories, sentences."""

    def embed_prose_queries(self, texts: Sequence[str]) -> Matrix:
        """Embed questions about prose."""


def unit_rows(matrix: Matrix) -> Matrix:
    """Scale every row to length one; rows without a direction become zero."""
    import numpy as np

    norms = np.linalg.norm(matrix, axis=1, keepdims=True)
    directed = norms >= SMALLEST_NORM
    return np.where(directed, matrix / np.where(directed, norms, 1), 0).astype(np.float32)


def usable(matrix: Matrix) -> NDArray[numpy.bool_]:
    """Say which rows have a direction."""
    import numpy as np

    return np.asarray(matrix.any(axis=1), dtype=np.bool_)


def check_vectors(vectors: Any, count: int, dimension: int, source: str) -> Matrix:
    """Return what a foreign model sent as unit rows; `dimension` 0 accepts any.

    Raises:
        ProviderError: the count or the dimension is wrong, a number is not finite, or a row is zero.
    """
    import numpy as np

    remedy = "check the model's name, or choose another with --embedder"
    try:
        matrix = np.asarray(vectors, dtype=np.float32)
    except (TypeError, ValueError) as error:
        raise ProviderError(f"{source} returned something that is not a table of numbers", remedy) from error
    if matrix.ndim != 2 or len(matrix) != count:
        raise ProviderError(f"{source} returned an array of shape {matrix.shape} for {count} texts", remedy)
    if dimension and matrix.shape[1] != dimension:
        raise ProviderError(f"{source} returned {matrix.shape[1]} dimensions, expected {dimension}", remedy)
    if not np.isfinite(matrix).all():
        raise ProviderError(f"{source} returned numbers that are not finite", remedy)
    if (np.linalg.norm(matrix, axis=1) < SMALLEST_NORM).any():
        raise ProviderError(f"{source} returned a vector of length zero", remedy)
    return unit_rows(matrix)
