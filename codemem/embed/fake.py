"""A stand-in model for tests: hashed words, equal in every process, with no meaning behind them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING

from codemem.embed.cards import FileCard, document_text
from codemem.embed.protocol import unit_rows
from codemem.embed.words import text_parts
from codemem.errors import BadInput

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    from codemem.card import Card
    from codemem.embed.protocol import Matrix

DEFAULT_DIMENSION = 64
LARGEST_DIMENSION = 4096


@dataclass(frozen=True, slots=True)
class FakeEmbedder:
    """Sum of one pseudo-random vector a word: texts that share words are near each other."""

    dimension: int = DEFAULT_DIMENSION
    semantic: bool = False
    remote: bool = False

    @property
    def model(self) -> str:
        return f"fake:{self.dimension}"

    def embed_cards(self, cards: Sequence[Card | FileCard]) -> Matrix:
        return self.embed_texts([document_text(card) for card in cards])

    def embed_queries(self, texts: Sequence[str]) -> Matrix:
        return self.embed_texts(texts)

    def embed_prose_queries(self, texts: Sequence[str]) -> Matrix:
        return self.embed_texts(texts)

    def embed_texts(self, texts: Sequence[str]) -> Matrix:
        import numpy as np

        matrix = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            # A text without a word still gets a direction: this model never leaves anything out.
            for word in text_parts(text) or [text]:
                matrix[row] += _word_vector(word, self.dimension)
        return unit_rows(matrix)


def load_fake(argument: str) -> FakeEmbedder:
    """Make the stand-in with the dimension written after the colon."""
    if not argument:
        return FakeEmbedder()
    if not argument.isascii() or not argument.isdigit() or not 1 <= int(argument) <= LARGEST_DIMENSION:
        raise BadInput(f"not a dimension: fake:{argument}", f"write fake:N with N from 1 to {LARGEST_DIMENSION}")
    return FakeEmbedder(int(argument))


@lru_cache(maxsize=1 << 16)
def _word_vector(word: str, dimension: int) -> NDArray[numpy.float32]:
    """Draw a vector from the hash of a word, odd bytes so that no component is zero."""
    import numpy as np

    blocks = (
        blake2b(f"{block} {word}".encode("utf-8", "surrogatepass")).digest() for block in range(dimension // 64 + 1)
    )
    drawn = np.frombuffer(b"".join(blocks), dtype=np.uint8)[:dimension]
    return (drawn.astype(np.float32) - 127.5) / 127.5
