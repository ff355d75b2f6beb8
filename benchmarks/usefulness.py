"""Share of questions whose relevant file is inside a context of so many tokens, against two other ways to fill it.

    python -m benchmarks.usefulness --judgements BENCH_FOLDER --data DATA_FOLDER [--only NAME...]

BENCH_FOLDER holds `evaluate.py` and `split.json` of the public judgements, DATA_FOLDER the trees that its `prepare.py` lays
out. "context" is what `codemem context` packs, "hits" the same budget filled with the snippets of `codemem search` in order,
"grep" reads whole files in the order of how many of the question's words they hold.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import statistics
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

from codemem.embed import load_embedder
from codemem.indexing import refresh
from codemem.packing.context import Request, Sources, build_context
from codemem.question import read_question
from codemem.retrieval import Session, search
from codemem.settings import Settings
from codemem.store import Store, open_store, store_path
from codemem.tokens import count_tokens, load_counter
from codemem.types import Query

BUDGETS = (2_000, 4_000, 8_000)
MAX_FILE = 2_000_000


def load_evaluator(folder: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("evaluate", folder / "evaluate.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["evaluate"] = module
    spec.loader.exec_module(module)
    return module


def context_paths(store: Store, session: Session, question: str, budget: int) -> list[str]:
    sources = Sources(code=lambda: store, session=session)
    packed = build_context(Request(question, budget), sources, load_counter()).packed
    return [entry.path for section in packed.sections for entry in section.entries]


def hit_paths(store: Store, session: Session, question: str, budget: int) -> list[str]:
    used, paths = 0, []
    for hit in search(store, Query(question, limit=50), session).hits:
        used += count_tokens(f"{hit.chunk.path}:{hit.start_line}-{hit.end_line}\n{hit.text}\n")
        if used > budget:
            break
        paths.append(hit.chunk.path)
    return paths


def grep_paths(files: dict[str, str], question: str, budget: int) -> list[str]:
    words = [concept.word.lower() for concept in read_question(question).concepts]
    counts = {path: [text.count(word) for word in words] for path, text in files.items()}
    order = sorted(files, key=lambda path: (-sum(n > 0 for n in counts[path]), -sum(counts[path]), path))
    used, paths = 0, []
    for path in order:
        if not any(counts[path]):
            break
        used += count_tokens(files[path])
        if used > budget:
            break
        paths.append(path)
    return paths


def read_files(store: Store) -> dict[str, str]:
    import zlib

    rows = store.connection.execute("SELECT path, content FROM file")
    return {path: zlib.decompress(content).decode("utf-8", "replace").lower() for path, content in rows}


def answers(
    evaluator: ModuleType, data: Path, only: set[str], stores: Path | None
) -> Iterator[tuple[str, int, str, bool]]:
    """Yield (way, budget, repository, whether a relevant file is inside) for every question."""
    specs = {row["name"]: row for row in json.loads((evaluator.HERE / "semble/repos.json").read_text())}
    questions = [q for q in evaluator.load_queries("dev") if not only or q["repo"] in only]
    for name in dict.fromkeys(q["repo"] for q in questions):
        prefix = specs[name].get("benchmark_root") or ""
        root = data / name / prefix
        if stores is None:
            refresh(root, Settings())
        with open_store(store_path(stores / name if stores else root)) as store:
            files, session = read_files(store), Session(arm=None)
            for question in (q for q in questions if q["repo"] == name):
                for budget in BUDGETS:
                    ways = {
                        "context": context_paths(store, session, question["query"], budget),
                        "hits": hit_paths(store, session, question["query"], budget),
                        "grep": grep_paths(files, question["query"], budget),
                    }
                    for way, paths in ways.items():
                        full = [f"{prefix}/{path}" if prefix else path for path in paths]
                        found = any(evaluator.covers(p, None, None, t) for p in full for t in question["targets"])
                        yield way, budget, name, found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--judgements", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--stores", type=Path, help="take STORES/NAME/.codemem as it is instead of indexing")
    arguments = parser.parse_args()
    load_embedder("static")
    rows = list(answers(load_evaluator(arguments.judgements), arguments.data, set(arguments.only), arguments.stores))
    for way in ("context", "hits", "grep"):
        for budget in BUDGETS:
            found = [float(row[3]) for row in rows if row[:2] == (way, budget)]
            print(f"{way:<10}{budget:>6} tokens  {statistics.fmean(found):.3f} of {len(found)} questions")


if __name__ == "__main__":
    main()
