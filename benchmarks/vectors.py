"""Choose between scanning and FAISS's 8-bit codes: time and recall@10 of both on real card vectors, and the cold costs.

    python benchmarks/vectors.py CARDS... [--rows N]

CARDS are JSON files of cards as training/evaluate.py keeps them (WORK/cards/*.json). More rows than there are cards are made by
mixing pairs of card vectors, which keeps them as clustered as cards are.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the command line does

import numpy as np

from codemem import vectors
from codemem.card import Card
from codemem.embed import load_embedder

LIMIT = 10
QUERIES = 200
QUESTION_WORDS = 8
COLD_RUNS = 5
SIZES = (10_000, 50_000, 100_000, 200_000, 400_000)


def card_vectors(paths: list[Path], rows: int) -> tuple[Any, Any]:
    """Return unit rows (all cards, then mixtures of them up to `rows`) and questions (first words of documentations)."""
    embedder = load_embedder("static")
    found = []
    docs = []
    for path in paths:
        units = json.loads(path.read_text())["units"]
        cards = [Card(**{key: tuple(v) if isinstance(v, list) else v for key, v in unit.items()}) for unit in units]
        found.append(embedder.embed_cards(cards))
        docs += [
            " ".join(card.doc.split()[:QUESTION_WORDS]) for card in cards if len(card.doc.split()) >= QUESTION_WORDS
        ]
    matrix = np.concatenate(found)
    generator = np.random.default_rng(0)
    missing = max(0, rows - len(matrix))
    mixed = (
        matrix[generator.integers(0, len(matrix), missing)] + 0.7 * matrix[generator.integers(0, len(matrix), missing)]
    )
    everything = np.concatenate((matrix, mixed))
    everything /= np.maximum(np.linalg.norm(everything, axis=1, keepdims=True), 1e-9)
    asked = generator.choice(np.array(docs), QUERIES, replace=False).tolist()
    return everything[generator.permutation(len(everything))], embedder.embed_queries(asked)


def median_ms(run: Callable[[Any], object], queries: Any) -> float:
    times = []
    for query in queries:
        begun = time.perf_counter()
        run(query)
        times.append(1e3 * (time.perf_counter() - begun))
    return statistics.median(times)


def recall(found: list[set[int]], exact: list[set[int]]) -> float:
    return sum(len(a & b) for a, b in zip(found, exact, strict=True)) / sum(map(len, exact))


def measure(matrix: Any, queries: Any) -> str:
    """Return one line of the table: scan and FAISS at this size, against exact float32."""
    index = vectors.build_index(np.arange(len(matrix)), matrix)
    exact = [set(np.argpartition(-(matrix @ query), LIMIT)[:LIMIT].tolist()) for query in queries]
    vectors.FAST_ROWS = len(matrix) + 1
    scanned = [set(index.search(query, LIMIT)[0].tolist()) for query in queries]
    scan_ms = median_ms(lambda query: index.search(query, LIMIT), queries)
    vectors.FAST_ROWS = 1
    begun = time.perf_counter()
    index.search(queries[0], LIMIT)
    built = time.perf_counter() - begun
    probed = [set(index.search(query, LIMIT)[0].tolist()) for query in queries]
    probe_ms = median_ms(lambda query: index.search(query, LIMIT), queries)
    return (
        f"{len(matrix):>8,}  scan {scan_ms:6.2f} ms recall {recall(scanned, exact):.3f}   "
        f"faiss {probe_ms:6.2f} ms recall {recall(probed, exact):.3f} built in {built:.1f} s"
    )


def cold_ms(code: str) -> float:
    """Return the median wall time of a fresh process that runs `code`."""
    times = []
    for _ in range(COLD_RUNS):
        begun = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True)
        times.append(1e3 * (time.perf_counter() - begun))
    return statistics.median(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cards", nargs="+", type=Path)
    parser.add_argument("--rows", type=int, default=max(SIZES))
    arguments = parser.parse_args()
    matrix, queries = card_vectors(arguments.cards, arguments.rows)
    for size in SIZES:
        if size <= len(matrix):
            print(measure(matrix[:size], queries), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        vectors.FAST_ROWS = len(matrix) + 1
        vectors.build_index(np.arange(50_000), matrix[:50_000]).save(Path(folder), "units", 1)
        place = f"pathlib.Path({folder!r}), 'units', 1, 256"
        opened = f"import pathlib; from codemem.vectors import open_index; i = open_index({place})"
        print(
            f"cold: numpy {cold_ms('import numpy'):.0f} ms, with faiss {cold_ms('import numpy, faiss'):.0f} ms",
            end=", ",
        )
        print(f"open and search 50,000 rows {cold_ms(f'import numpy; {opened}; i.search(numpy.ones(256), 10)'):.0f} ms")


if __name__ == "__main__":
    main()
