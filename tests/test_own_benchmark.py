"""Our own quality benchmark is well formed: questions that `codemem eval` reads, every kind, complete pins; no network."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.quality.own.fetch import HERE, Package, read_packages
from benchmarks.quality.own.run import evaluate, without
from codemem.evaluation import EvalQuestion, read_questions

LEAST_QUESTIONS = 150
KINDS = {
    "raises", "handles", "calls", "symptom", "configuration", "documentation", "span", "non-english", "tests",
}  # fmt: skip
LEAST_OF_A_KIND = 10
LANGUAGES = {"python", "javascript", "typescript", "java", "c"}
MOST_TARGETS = 4
"""The judgement rule: a question with more right places is made narrower."""
PACKAGES = read_packages()


def asked(package: Package) -> tuple[EvalQuestion, ...]:
    return read_questions(package.questions.read_text("utf-8"))


EVERYTHING = [question for package in PACKAGES for question in asked(package)]


def test_there_are_enough_questions_of_every_kind() -> None:
    kinds = Counter(question.category for question in EVERYTHING)
    assert len(EVERYTHING) >= LEAST_QUESTIONS
    assert set(kinds) == KINDS
    assert min(kinds.values()) >= LEAST_OF_A_KIND


def test_several_languages_are_covered() -> None:
    assert {question.language for question in EVERYTHING} >= LANGUAGES


def test_every_file_of_questions_belongs_to_a_package_and_every_package_has_one() -> None:
    assert sorted(path.stem for path in (HERE / "questions").iterdir()) == sorted(package.name for package in PACKAGES)


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.name)
def test_the_pin_is_complete(package: Package) -> None:
    assert package.registry in {"pip", "npm"}
    assert re.fullmatch(r"\d+(\.\d+)+", package.version)
    assert re.fullmatch(r"[0-9a-f]{64}", package.sha256)
    assert package.package and package.licence and package.folder
    assert not Path(package.folder).is_absolute()


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.name)
def test_every_answer_names_its_file_and_no_question_is_asked_twice(package: Package) -> None:
    questions = asked(package)
    assert all(target.path and not target.path.startswith("/") for one in questions for target in one.relevant)
    assert all(len(one.relevant) <= MOST_TARGETS for one in questions)
    assert all(target.start_line <= target.end_line for one in questions for target in one.relevant)
    assert max(Counter(one.question for one in questions).values()) == 1


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.name)
def test_lines_hold_the_known_fields_only(package: Package) -> None:
    rows = [json.loads(line) for line in package.questions.read_text("utf-8").splitlines()]
    assert {tuple(sorted(row)) for row in rows} == {("category", "language", "question", "relevant")}


def test_what_is_left_out_shows_in_the_score_and_comes_back(tmp_path: Path) -> None:
    root = tmp_path / "shop"
    root.mkdir()
    (root / "sold_out.py").write_text(
        'class SoldOut(Exception):\n    """SoldOut, SoldOut: SoldOut is raised."""\n', "utf-8"
    )
    (root / "stock.py").write_text(
        "from sold_out import SoldOut\n\n\ndef take(left):\n    if not left:\n        raise SoldOut\n", "utf-8"
    )
    asked = tmp_path / "questions" / "shop.jsonl"
    asked.parent.mkdir()
    asked.write_text('{"question": "who raises SoldOut", "relevant": ["stock.py#take"]}', "utf-8")
    shop = replace(PACKAGES[0], name="shop")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("benchmarks.quality.own.fetch.HERE", tmp_path)
        whole = evaluate(shop, root, "keyword", "ranked")
        with without(("relations", "facts")):
            blind = evaluate(shop, root, "keyword", "ranked")
        again = evaluate(shop, root, "keyword", "ranked")
    assert [score.ranks for score in (*whole, *blind, *again)] == [(1,), (2,), (1,)]
