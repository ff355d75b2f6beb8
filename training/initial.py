"""First vectors: a sentence encoder's vector of each word alone, centred and reduced (all-MiniLM-L6-v2, Apache-2.0).

    python -m training.initial --work DIR --encoder FOLDER

Words of other scripts start from nothing: that encoder reads English only.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np

DIMENSION = 256
BATCH = 512


def encode_words(words: list[str], folder: Path) -> np.ndarray:
    """Return the encoder's vector (mean of its last layer) of each word."""
    from sentence_transformers import SentenceTransformer

    encoder = SentenceTransformer(str(folder), device="cpu")
    return np.asarray(encoder.encode(words, batch_size=BATCH, show_progress_bar=False, convert_to_numpy=True))


def reduce_vectors(vectors: np.ndarray) -> np.ndarray:
    """Centre, keep the main directions, scale to unit length."""
    centred = vectors - vectors.mean(axis=0)
    _, _, directions = np.linalg.svd(centred, full_matrices=False)
    reduced = centred @ directions[:DIMENSION].T
    return (reduced / np.linalg.norm(reduced, axis=1, keepdims=True)).astype(np.float32)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--encoder", type=Path, required=True)
    arguments = parser.parse_args()
    words = json.loads((arguments.work / "vocabulary.json").read_text())["words"]
    readable = [number for number, word in enumerate(words) if word.isascii()]
    initial = np.zeros((len(words), DIMENSION), np.float32)
    initial[readable] = reduce_vectors(encode_words([words[number] for number in readable], arguments.encoder))
    np.save(arguments.work / "initial.npy", initial)
    print("initial vectors", initial.shape)


if __name__ == "__main__":
    main()
