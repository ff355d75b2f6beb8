"""Learn which unit of a file answers, and say how well it carries over: `codemem/signals/weights.json`, model `span`.

    python -m benchmarks.quality.learn_spans --judged DIR --packages DIR [--write]

Questions whose answer is a place: judged/spans over the repositories that judged/lay_out.py indexes, and those of `own` that
name lines or a definition, over the packages that own/run.py indexes. A softmax over the units
of the right file, the mass of the right ones as likelihood. A unit is right when it covers half of what it and the answer cover
together, lies in the answer, or is the smallest one around it: a class around the method that was asked for is wrong. What a
question names, what facts point to and the top of a file are not learned here, few of these questions have them: FIXED
holds their weights.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from benchmarks.quality.own.fetch import fetch, read_packages
from codemem.evaluation import Target, read_questions
from codemem.question import read_question
from codemem.retrieval.candidates import gather
from codemem.retrieval.dense import open_arm
from codemem.retrieval.spans import read_units
from codemem.retrieval.unit_signals import BARE_KINDS, SPAN_SIGNALS, span_matrix
from codemem.retrieval.view import holds_word, open_view, score_question
from codemem.signals import load_weights
from codemem.signals.model import WEIGHTS
from codemem.store import open_store, store_path
from codemem.store.candidates import CandidateUnit

DATA = Path(__file__).parent / "judged" / "spans"
FIXED = {"named": 0.5, "answer": 1.25, "preamble": -0.3, "inner_test": -1.0}
SHARPNESS = 3.0
"""Inverse temperature: the words of the best unit count about 1, as in the file's score."""
PULL = 0.01
HALF = 0.5
FOLDS = 8
STEPS = 200
RATE = 0.1
DIGITS = 2


@dataclass(frozen=True, slots=True)
class Case:
    """The units of one right file: their signals, and which are right."""

    source: str
    repo: str
    matrix: np.ndarray
    right: np.ndarray


def asked(path: Path) -> list[tuple[str, list[Target]]]:
    """Read the questions of one repository."""
    rows = json.loads(path.read_text("utf-8"))
    return [
        (row["query"], [Target(one["path"], one["symbol"], one["start"], one["end"]) for one in row["answers"]])
        for row in rows
    ]


def collect(source: str, repo: str, store_file: Path, questions: list[tuple[str, list[Target]]]) -> Iterator[Case]:
    """Yield the cases of one store; an answer without lines stands for the definitions of its name."""
    with open_store(store_file) as store:
        view, arm = open_view(store), open_arm(store, None)
        for text, targets in questions:
            question = read_question(text, lambda word: holds_word(store, view, word))
            lexical = score_question(store, view, question)
            candidates = gather(store, view, question, lexical, arm)
            for path in sorted({target.path for target in targets if target.path}):
                at = next((at for at, file in enumerate(candidates.files) if file.path == path), None)
                if at is None:
                    continue
                units = read_units(store, view, lexical, candidates, at)
                answers = [span for target in targets if target.path == path for span in _lines(target, units.units)]
                right = np.array([is_right(unit, answers, units.units) for unit in units.units])
                if right.any():
                    yield Case(source, repo, span_matrix(units), right)


def _lines(target: Target, units: Sequence[CandidateUnit]) -> list[tuple[int, int]]:
    if target.start_line:
        return [(target.start_line, target.end_line)]
    name = target.symbol
    return [(unit.start_line, unit.end_line) for unit in units if name and name in (unit.name, unit.qualified_name)]


def is_right(unit: CandidateUnit, answers: list[tuple[int, int]], units: Sequence[CandidateUnit]) -> bool:
    """Say whether the unit is one of the answers (first and last line)."""
    first, last = unit.start_line, unit.end_line
    for start, end in answers:
        common = min(last, end) - max(first, start) + 1
        if common <= 0:
            continue
        inside = start <= first and last <= end and unit.kind not in BARE_KINDS
        around = [one.end_line - one.start_line for one in units if one.start_line <= start and end <= one.end_line]
        smallest = first <= start and end <= last and last - first == min(around)
        if inside or smallest or common / (max(last, end) - min(first, start) + 1) >= HALF:
            return True
    return False


def fit(cases: list[Case]) -> np.ndarray:
    """Return the weights that give the right units the most mass; Adam."""
    longest = max(len(case.right) for case in cases)
    matrix = np.zeros((len(cases), longest, len(SPAN_SIGNALS)))
    mask, right = np.zeros((len(cases), longest), dtype=bool), np.zeros((len(cases), longest), dtype=bool)
    for at, case in enumerate(cases):
        size = len(case.right)
        matrix[at, :size], mask[at, :size], right[at, :size] = case.matrix, True, case.right
    start = np.array([FIXED.get(name, 0.0) for name in SPAN_SIGNALS])
    free = np.array([name not in FIXED for name in SPAN_SIGNALS])
    weights, first, second = start.copy(), np.zeros_like(start), np.zeros_like(start)
    for step in range(1, STEPS + 1):
        scores = np.where(mask, SHARPNESS * (matrix @ weights), -np.inf)
        mass = np.exp(scores - scores.max(axis=1, keepdims=True))
        mass /= mass.sum(axis=1, keepdims=True)
        wanted = mass * right
        wanted /= wanted.sum(axis=1, keepdims=True) + 1e-12
        slope = SHARPNESS * np.einsum("qu,qus->s", mass - wanted, matrix) / len(cases)
        gradient = np.where(free, slope + SHARPNESS**2 * PULL * (weights - start), 0.0)
        first = 0.9 * first + 0.1 * gradient
        second = 0.999 * second + 0.001 * gradient**2
        move = first / (1 - 0.9**step) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
        weights = weights - RATE / SHARPNESS * (1 - 0.9 * step / STEPS) * move
    return np.round(weights, DIGITS)


def hits(cases: list[Case], weights: np.ndarray) -> list[bool]:
    """Return for each case whether the unit with the best score is right."""
    return [bool(case.right[np.argmax(np.round(case.matrix @ weights, 9))]) for case in cases]


def cross_validate(cases: list[Case]) -> dict[str, float]:
    """Return, by source, the share of right units under weights learned without the repository."""
    repos = sorted({case.repo for case in cases})
    found: dict[str, list[bool]] = {}
    for fold in range(FOLDS):
        held = set(repos[fold::FOLDS])
        weights = fit([case for case in cases if case.repo not in held])
        tested = [case for case in cases if case.repo in held]
        for case, hit in zip(tested, hits(tested, weights), strict=True):
            found.setdefault(case.source, []).append(hit)
    return {source: round(float(np.mean(values)), 3) for source, values in found.items()}


def _blinded(matrix: np.ndarray, column: int) -> np.ndarray:
    without = matrix.copy()
    without[:, column] = 0.0
    return without


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--judged", type=Path, required=True, help="NAME/.codemem/codemem.db of benchmarks/quality/judged"
    )
    parser.add_argument("--packages", type=Path, required=True, help="where own/fetch.py put the sources, indexed")
    parser.add_argument("--write", action="store_true", help="replace the model `span` of weights.json")
    options = parser.parse_args()
    cases: list[Case] = []
    for path in sorted(DATA.glob("*.json")):
        cases += collect("spans", path.stem, store_path(options.judged / path.stem), asked(path))
    for package in read_packages():
        questions = [(one.question, list(one.relevant)) for one in read_questions(package.questions.read_text("utf-8"))]
        cases += collect("own", package.name, store_path(fetch(package, options.packages)), questions)
    learned = fit(cases)
    whole = cross_validate(cases)
    for source in whole:
        of_source = [case for case in cases if case.source == source]
        shipped = np.array([load_weights("span")[name] for name in SPAN_SIGNALS])
        shares = [f"{np.mean(hits(of_source, weights)):.3f}" for weights in (shipped, learned)]
        print(
            f"{source}: {len(of_source)} questions, shipped {shares[0]}, learned {shares[1]}, out of fold {whole[source]}"
        )
    for at, name in enumerate(SPAN_SIGNALS):
        blind = [replace(case, matrix=_blinded(case.matrix, at)) for case in cases]
        print(f"without {name:<16} {cross_validate(blind)}")
    print(json.dumps(dict(zip(SPAN_SIGNALS, learned.tolist(), strict=True))))
    if options.write:
        table = json.loads(WEIGHTS.read_text("utf-8"))
        table["span"] = dict(zip(SPAN_SIGNALS, learned.tolist(), strict=True))
        WEIGHTS.write_text(json.dumps(table, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
