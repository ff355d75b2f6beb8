"""Answer every development question in this process and write a run file for the benchmark's evaluate.py.

    python -m benchmarks.quality.run --bench DIR --stores DIR --out RUN.jsonl [--mode hybrid|keyword|vector] [--fusion ranked|rrf]
        [--rerank NAME|FOLDER]

The same answers as `codemem search --json --limit 50` gives, without starting a process for each (run_cli.py does that).
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import get_args

from benchmarks.quality.cases import load_evaluator
from codemem.rerank import load_reranker
from codemem.retrieval import Session, search
from codemem.store import open_store
from codemem.types import Fusion, Mode, Query

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
    queries = load_evaluator(options.bench).load_queries("dev")
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
                    out.write(json.dumps({"repo": name, "query": query["query"], "results": results}) + "\n")


if __name__ == "__main__":
    main()
