"""Turn a benchmark's questions into learning cases: the signals of every candidate file, and which targets each one answers.

A case knows nothing of how weights are chosen; it can be scored with any weights in microseconds.
"""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from benchmarks.quality.judged.reading import read_judged
from codemem.question import read_question
from codemem.retrieval.candidates import gather
from codemem.retrieval.dense import closed_arm, open_arm
from codemem.retrieval.view import open_view, score_question
from codemem.signals import SIGNALS, signal_matrix
from codemem.store import open_store

NAMES = tuple(signal.name for signal in SIGNALS)
DEPTH = 10
OWN = "own"
"""`Case.source` of our own judged questions."""
DISCOUNTS = 1 / np.log2(np.arange(2, DEPTH + 2))


@dataclass(frozen=True, slots=True)
class Case:
    """One question over one repository."""

    repo: str
    language: str
    category: str
    query: str
    paths: tuple[str, ...]
    matrix: np.ndarray
    targets: np.ndarray
    """Shape (candidates, targets): which targets each candidate answers."""
    source: str = "benchmark"


def load_evaluator(bench: Path) -> ModuleType:
    """Import evaluate.py of the benchmark's folder."""
    spec = importlib.util.spec_from_file_location("bench_evaluate", bench / "evaluate.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def collect(bench: Path, stores: Path, mode: str, repos: Iterable[str] = ()) -> Iterator[Case]:
    """Yield the cases of every development repository whose store is `stores/<name>.db` or `stores/<name>/.codemem/codemem.db`."""
    evaluator = load_evaluator(bench)
    queries = evaluator.load_queries("dev")
    wanted = set(repos) or {query["repo"] for query in queries}
    roots = {
        row["name"]: row.get("benchmark_root") or "" for row in json.loads((bench / "semble/repos.json").read_text())
    }
    for name in sorted(wanted):
        path = stores / f"{name}.db"
        path = path if path.exists() else stores / name / ".codemem" / "codemem.db"
        with open_store(path) as store:
            view = open_view(store)
            arm = closed_arm() if mode == "keyword" else open_arm(store, None)
            prefix = roots[name] + "/" if roots[name] else ""
            for query in (query for query in queries if query["repo"] == name):
                question = read_question(query["query"])
                candidates = gather(store, view, question, score_question(store, view, question), arm)
                yield _case(evaluator, query, prefix, candidates)


def collect_judged(stores: Path, mode: str) -> Iterator[Case]:
    """Yield the cases of our own judged questions; `stores/NAME/.codemem/codemem.db` as lay_out.py leaves them."""
    for judged in read_judged():
        with open_store(stores / judged.name / ".codemem" / "codemem.db") as store:
            view = open_view(store)
            arm = closed_arm() if mode == "keyword" else open_arm(store, None)
            for one in judged.questions:
                question = read_question(one.query)
                candidates = gather(store, view, question, score_question(store, view, question), arm)
                paths = tuple(file.path for file in candidates.files)
                wanted = (*one.relevant, *one.secondary)
                targets = np.array([[path == right for right in wanted] for path in paths], dtype=bool)
                yield Case(
                    judged.name, judged.language, one.category, one.query, paths, signal_matrix(candidates.evidence),
                    targets.reshape(len(paths), len(wanted)), OWN,
                )  # fmt: skip


def _case(evaluator: ModuleType, query: dict[str, Any], prefix: str, candidates: Any) -> Case:
    paths = tuple(prefix + file.path for file in candidates.files)
    targets = np.array(
        [[evaluator.covers(path, None, None, target) for target in query["targets"]] for path in paths], dtype=bool
    )
    return Case(
        query["repo"], query["language"], query["category"], query["query"], paths, signal_matrix(candidates.evidence),
        targets.reshape(len(paths), len(query["targets"])),
    )  # fmt: skip


def ndcg(case: Case, scores: np.ndarray) -> float:
    """Return NDCG@10 as the evaluator computes it for one result a file; candidates come sorted by path."""
    if not case.targets.size:
        return 0.0
    top = np.argsort(-np.round(scores, 9), kind="stable")[:DEPTH]
    covered = case.targets[top]
    first = covered.argmax(axis=0)[covered.any(axis=0)]
    ideal = DISCOUNTS[: min(DEPTH, case.targets.shape[1])].sum()
    return float(DISCOUNTS[np.unique(first)].sum() / ideal)


def repo_means(cases: list[Case], weights: np.ndarray) -> dict[str, float]:
    """Return the mean NDCG@10 of each repository."""
    found: dict[str, list[float]] = {}
    for case in cases:
        found.setdefault(case.repo, []).append(ndcg(case, case.matrix @ weights))
    return {repo: sum(values) / len(values) for repo, values in found.items()}


def means(cases: list[Case], weights: np.ndarray, key: str) -> dict[str, tuple[int, float]]:
    """Return count and mean NDCG@10 by an attribute of the cases."""
    found: dict[str, list[float]] = {}
    for case in cases:
        found.setdefault(getattr(case, key), []).append(ndcg(case, case.matrix @ weights))
    return {name: (len(values), sum(values) / len(values)) for name, values in sorted(found.items())}
