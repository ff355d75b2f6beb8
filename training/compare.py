"""Measure other models on the same cards, dialogue and notes as evaluate.py.

python -m training.compare --work DIR --benchmark DIR --judgements DIR [--encoder FOLDER] [--wordllama]
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from codemem.card import Card
from codemem.embed.cards import FileCard, document_text
from codemem.embed.protocol import unit_rows
from training.evaluate import parse_arguments, report


@dataclass(frozen=True, slots=True)
class Compared:
    """A library's function from texts to vectors in the shape of an embedder."""

    model: str
    encode: Any
    dimension: int = 0
    semantic: bool = True
    remote: bool = False

    def embed_cards(self, cards: Sequence[Card | FileCard]) -> np.ndarray:
        return self.embed_texts([document_text(card) for card in cards])

    def embed_queries(self, texts: Sequence[str]) -> np.ndarray:
        return self.embed_texts(texts)

    def embed_prose_queries(self, texts: Sequence[str]) -> np.ndarray:
        return self.embed_texts(texts)

    def embed_texts(self, texts: Sequence[str]) -> np.ndarray:
        # Neither model reads identifiers well: they get the words that these are made of beside them.
        return unit_rows(np.asarray(self.encode([_spelled_out(text) for text in texts]), np.float32))


def minilm(folder: str) -> Compared:
    from sentence_transformers import SentenceTransformer

    encoder = SentenceTransformer(folder, device="cpu")
    return Compared("MiniLM-L6", lambda texts: encoder.encode(texts, batch_size=64, show_progress_bar=False))


def wordllama() -> Compared:
    import shutil
    import tempfile

    import wordllama as library

    # The wheel holds the tokenizer under another folder name than its loader looks for.
    cache = Path(tempfile.mkdtemp())
    for folder in ("tokenizer", "tokenizers"):
        shutil.copytree(Path(library.__file__).parent / "tokenizers", cache / folder)
    model = library.WordLlama.load(cache_dir=cache, disable_download=True)
    return Compared("WordLlama-256", lambda texts: model.embed(texts))


def _spelled_out(text: str) -> str:
    from codemem.embed.words import WORD, word_parts

    return WORD.sub(
        lambda match: " ".join(word_parts(match.group())) if match.group().isascii() else match.group(), text
    )


def main() -> None:
    extra = argparse.ArgumentParser(add_help=False)
    extra.add_argument("--encoder")
    extra.add_argument("--wordllama", action="store_true")
    chosen, _ = extra.parse_known_args()
    arguments = parse_arguments(__doc__, extra)
    if chosen.encoder:
        report("MiniLM-L6", minilm(chosen.encoder), arguments)
    if chosen.wordllama:
        report("WordLlama-256", wordllama(), arguments)


if __name__ == "__main__":
    main()
