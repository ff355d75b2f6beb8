"""Answer every development question in this process and write a run file for the benchmark's evaluate.py.

    python -m benchmarks.quality.run --bench DIR --stores DIR --out RUN.jsonl [--mode hybrid|keyword|vector] [--fusion ranked|rrf]
        [--rerank NAME|FOLDER]

The same answers as `codemem search --json --limit 50` gives, without starting a process for each (run_cli.py does that).
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from types import ModuleType
from typing import Any, get_args

from benchmarks.quality.cases import load_evaluator
from codemem.rerank import load_reranker
from codemem.retrieval import Session, search
from codemem.store import open_store
from codemem.types import Fusion, Mode, Query

READ_TOKENS = 2_000
LIMIT = 50
"""The evaluator counts tokens over so many results."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bench", type=Path, required=True)
    parser.add_argument("--stores", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--mode", choices=get_args(Mode), default="hybrid")
    parser.add_argument("--fusion", choices=get_args(Fusion), default="ranked")
    parser.add_argument(
        "--rerank", default="", help="a reranker as the setting names it, or the folder of a cross-encoder"
    )
    options = parser.parse_args()
    reranker = options.rerank
    if reranker and Path(reranker).is_dir():
        reranker = f"sentence-transformers:{reranker}"
    evaluator = load_evaluator(options.bench)
    queries = evaluator.load_queries("dev")
    run: dict[tuple[str, str], list[dict[str, Any]]] = {}
    roots = {
        row["name"]: row.get("benchmark_root") or ""
        for row in json.loads((options.bench / "semble/repos.json").read_text())
    }
    judge = load_reranker(reranker) if reranker else None
    with options.out.open("w", encoding="utf-8") as out:
        for name in sorted({query["repo"] for query in queries}):
            prefix = roots[name] + "/" if roots[name] else ""
            session = Session(judge=judge)
            with open_store(options.stores / name / ".codemem" / "codemem.db") as store:
                for query in (query for query in queries if query["repo"] == name):
                    asked = Query(
                        query["query"], limit=LIMIT, mode=options.mode, fusion=options.fusion, rerank=reranker
                    )
                    results = [
                        {
                            "path": prefix + hit.chunk.path,
                            "start_line": hit.start_line,
                            "end_line": hit.end_line,
                            "text": hit.text,
                        }
                        for hit in search(store, asked, session).hits
                    ]
                    run[name, query["query"]] = results
                    out.write(json.dumps({"repo": name, "query": query["query"], "results": results}) + "\n")
    print(depths(evaluator, queries, run))


def depths(
    evaluator: ModuleType, queries: list[dict[str, Any]], run: dict[tuple[str, str], list[dict[str, Any]]]
) -> str:
    """Say how deep the targets lie: recall@50, and whether a right file stands in the first 2,000 tokens."""
    found = wanted = within = 0
    for query in queries:
        results = run[query["repo"], query["query"]]
        ranks = evaluator.ranks(results, query["targets"])
        found += sum(rank is not None for rank in ranks)
        wanted += len(ranks)
        read = sum(
            evaluator.count_tokens(hit["text"]) for hit in results[: min((r for r in ranks if r), default=LIMIT)]
        )
        within += any(ranks) and read <= READ_TOKENS
    return (
        f"recall@{LIMIT} {found / wanted:.4f}, a right file within {READ_TOKENS:,} tokens {within / len(queries):.4f}"
    )


if __name__ == "__main__":
    main()
