"""The bundled model at run time: one int8 vector a word, weights by use, fields for path and names; numpy only.

A document is the unit vector of sum(weight(word) * (count^power + field weights) * vector(word)); questions, prose and
questions about prose have word weights of their own. The tables are memory-mapped: one question reads a few pages.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from codemem.embed.cards import CardFields, FileCard, card_fields
from codemem.embed.protocol import unit_rows
from codemem.embed.words import Vocabulary
from codemem.errors import BadInput, ModelMissing

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    from codemem.card import Card
    from codemem.embed.protocol import Matrix

    Bag = tuple[list[int], list[float]]

MODEL_FOLDER = Path(__file__).parent / "static_model"
USES = ("document", "query", "prose", "prose_query")
"""Rows of weights.npy."""
Use = Literal["document", "query", "prose", "prose_query"]
BLOCK_ROWS = 256
"""Texts summed at once: their word vectors (about 10 MB) stay near the processor."""


@dataclass(frozen=True, slots=True)
class StaticEmbedder:
    """The bundled model, or one in the same format."""

    name: str
    vocabulary: Vocabulary
    table: NDArray[numpy.int8]
    """(words, dimension)"""
    weights: NDArray[numpy.float32]
    """(uses, words): the weight of each word by use, times the scale of its row in `table`."""
    count_power: float
    field_weights: tuple[float, float, float]
    """Of a word in the path, in the name, in the enclosing names."""
    semantic: bool = True
    remote: bool = False

    @property
    def model(self) -> str:
        return self.name

    @property
    def dimension(self) -> int:
        return int(self.table.shape[1])

    def embed_cards(self, cards: Sequence[Card | FileCard]) -> Matrix:
        return self._embed((self._card_bag(card_fields(card)) for card in cards), "document", len(cards))

    def embed_queries(self, texts: Sequence[str]) -> Matrix:
        return self._embed((self._question_bag(text) for text in texts), "query", len(texts))

    def embed_texts(self, texts: Sequence[str]) -> Matrix:
        return self._embed((self._text_bag(text) for text in texts), "prose", len(texts))

    def embed_prose_queries(self, texts: Sequence[str]) -> Matrix:
        return self._embed((self._question_bag(text) for text in texts), "prose_query", len(texts))

    def _card_bag(self, fields: CardFields) -> Bag:
        """Give the body's words their damped counts, and the words of the other fields the field's weight each."""
        ids, values = self._text_bag(fields.body)
        for text, weight in zip((fields.path, fields.names, fields.scope), self.field_weights, strict=True):
            added = self.vocabulary.text_ids(text)
            ids += added
            values += [weight] * len(added)
        return ids, values

    def _text_bag(self, text: str) -> Bag:
        counts: dict[int, int] = {}
        for number in self.vocabulary.text_ids(text):
            counts[number] = counts.get(number, 0) + 1
        return list(counts), [_damped(count, self.count_power) for count in counts.values()]

    def _question_bag(self, text: str) -> Bag:
        ids = self.vocabulary.text_ids(text)
        return ids, [1.0] * len(ids)

    def _embed(self, bags: Iterable[Bag], use: Use, count: int) -> Matrix:
        """Sum the weighted vectors of each bag, in blocks."""
        import numpy as np

        weights = self.weights[USES.index(use)]
        matrix = np.zeros((count, self.dimension), dtype=np.float32)
        for row, (numbers, values) in enumerate(bags):
            if numbers:
                ids = np.array(numbers, dtype=np.intp)
                scales = np.array(values, dtype=np.float32) * weights[ids]
                matrix[row] = scales @ self.table[ids].astype(np.float32)
        return unit_rows(matrix)


def load_static(argument: str = "") -> StaticEmbedder:
    """Load the bundled model."""
    if argument:
        raise BadInput(f"the static model takes no argument: static:{argument}", "write --embedder static")
    return read_model(MODEL_FOLDER)


def read_model(folder: Path) -> StaticEmbedder:
    """Read a model in the bundled format; raises `ModelMissing` when a file is not there."""
    import numpy as np

    try:
        facts = json.loads((folder / "model.json").read_text("utf-8"))
        words = (folder / "words.txt").read_text("utf-8").split("\n")
        pieces = np.load(folder / "pieces.npy").astype(np.float32).tolist()
        weights = np.load(folder / "weights.npy").astype(np.float32)
        table = np.load(folder / "table.npy", mmap_mode="r")
    except FileNotFoundError as error:
        raise ModelMissing(f"the bundled model is incomplete: {error.filename}", "reinstall codemem-cli") from error
    path, names, scope = (float(facts["fields"][field]) for field in ("path", "names", "scope"))
    return StaticEmbedder(
        facts["name"], Vocabulary(words, pieces), table, weights, float(facts["count_power"]), (path, names, scope)
    )


@lru_cache(maxsize=1024)
def _damped(count: int, power: float) -> float:
    return float(count**power)
