"""Golden ranks: the questions of fixtures/ranking, asked of the real pipeline; a change of ranking shows as a diff.

The questions were written before any result was looked at. `just snap` rewrites golden.txt; read the diff.
"""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from codemem.evaluation import EvalQuestion, Score, read_target, score_answer, summarize
from codemem.indexing import refresh
from codemem.retrieval import Session, search
from codemem.settings import Settings
from codemem.store import open_store, store_path
from codemem.types import Query

FOLDER = Path(__file__).parents[1] / "fixtures" / "ranking"
GOLDEN = FOLDER / "golden.txt"
WRITE = os.environ.get("CODEMEM_SNAPSHOT") == "write"
LEAST_QUESTIONS = 120


def questions() -> dict[str, list[EvalQuestion]]:
    found: dict[str, list[EvalQuestion]] = {}
    for line in (FOLDER / "questions.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        targets = tuple(read_target(target) for target in row["relevant"])
        found.setdefault(row["repo"], []).append(EvalQuestion(row["question"], targets, row["category"]))
    return found


@pytest.fixture(scope="module")
def scores(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Score]]:
    found: dict[str, list[Score]] = {}
    for repo, asked in questions().items():
        root = tmp_path_factory.mktemp(repo) / repo
        shutil.copytree(FOLDER / repo, root)
        refresh(root, Settings(jobs=1))
        session = Session()
        with open_store(store_path(root)) as store:
            found[repo] = [score_answer(one, search(store, Query(one.question), session).hits) for one in asked]
    return found


def render(scores: dict[str, list[Score]]) -> str:
    lines = ["# Rank of each right answer (- = not among ten) per question; written by `just snap`.", ""]
    everything = [score for rows in scores.values() for score in rows]
    for key in ("", "category"):
        for row in summarize(everything, key):
            lines.append(
                f"{row.group:<14} {row.questions:>4}  recall@1 {row.recall_1:.3f}  recall@5 {row.recall_5:.3f}  MRR {row.mrr:.3f}"
                f"  NDCG@10 {row.ndcg:.3f}"
            )
    for repo, rows in scores.items():
        lines += ["", f"## {repo}"]
        for score in rows:
            ranks = ",".join(str(rank) if rank else "-" for rank in score.ranks)
            lines.append(f"{ranks:<6} {score.category:<14} {' '.join(score.question.split())}")
    return "\n".join(lines) + "\n"


def test_golden_ranks(scores: dict[str, list[Score]]) -> None:
    text = render(scores)
    if WRITE:
        GOLDEN.write_text(text, "utf-8")
    assert text == GOLDEN.read_text("utf-8")


def test_there_are_enough_questions_of_every_kind() -> None:
    asked = [question for rows in questions().values() for question in rows]
    kinds = {question.category for question in asked}
    assert len(asked) >= LEAST_QUESTIONS
    assert kinds >= {
        "symbol",
        "semantic",
        "raises",
        "handles",
        "configuration",
        "tests",
        "trace",
        "log",
        "path",
        "language",
    }


def test_every_right_answer_exists() -> None:
    missing = [
        (repo, target.path)
        for repo, rows in questions().items()
        for question in rows
        for target in question.relevant
        if target.path and not (FOLDER / repo / target.path).is_file()
    ]
    assert missing == []


def test_a_symbol_question_finds_its_definition_first(scores: dict[str, list[Score]]) -> None:
    missed = [
        score.question
        for rows in scores.values()
        for score in rows
        if score.category == "symbol" and 1 not in score.ranks
    ]
    assert missed == []
