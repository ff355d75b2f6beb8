"""What a cross-encoder adds to the ranking, through the folder that `--rerank` takes.

python -m training.rerank_measure --work WORK --model FOLDER [--depth 100] [--sets judged bench]

Reads WORK/judged and WORK/bench (rerank_lists.py); keeps the scores beside the model, so that a second look costs nothing.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

from codemem.rerank import load_reranker
from training.rerank_blend import Lists, Scores, report
from training.rerank_lists import read_lists, text_of


def score_lists(model: Path, rows: Lists, depth: int) -> Scores:
    """Judge the first candidates of every list; a bare symbol is not judged."""
    judge = load_reranker(f"sentence-transformers:{model}")
    scores, pairs, begun = [], 0, time.process_time()
    for row in rows:
        texts = [text_of(one) for one in row["candidates"][:depth]]
        pairs += 0 if row["symbol"] else len(texts)
        scores.append([0.0] * len(texts) if row["symbol"] else list(judge.judge(row["query"], texts)))
    print(f"{pairs / (time.process_time() - begun):.0f} pairs a CPU second", flush=True)
    return scores


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--depth", type=int, default=100)
    parser.add_argument("--sets", nargs="+", default=["judged", "bench"])
    given = parser.parse_args()
    for name in given.sets:
        rows = list(read_lists(given.work / name))
        kept = given.model / f"scores_{name}_{given.depth}.json"
        if not kept.exists():
            kept.write_text(json.dumps(score_lists(given.model, rows, given.depth)), "utf-8")
        report(name, rows, json.loads(kept.read_text("utf-8")))


if __name__ == "__main__":
    main()
