"""Quality of search on one's own questions: scores, intervals, saved runs, comparison, gate; pure functions over records.

A questions file is JSON Lines: `{"question": …, "relevant": [path | path#Symbol | Symbol | {"path", "start_line",
"end_line"}], "category": …, "language": …}`; category and language are optional. Measures are those of the public
benchmark: a target's rank is that of the first hit that covers it, a hit that covers nothing new takes up its rank.
"""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from codemem.errors import BadInput
from codemem.tokens import count_tokens
from codemem.types import Hit

DEPTH = 10
"""Hits that NDCG and recall look at: one screen."""
TOKEN_DEPTH = 50
"""Hits read until the first relevant one …"""
TOKENS_WHEN_MISSED = 32_000
"""… and what a question costs when none of them is."""
RESAMPLES = 1_000
"""Bootstrap resamples: the bounds of a 95 % interval move by about 0.001 from run to run."""
INTERVAL = 0.95
SEED = 20_240_501
"""Fixed, so that the same answers give the same report."""
FORMAT = 1
"""Version of saved runs."""


@dataclass(frozen=True, slots=True)
class Target:
    """One right answer: a file, a symbol, or lines of a file; empty fields do not restrict."""

    path: str = ""
    symbol: str = ""
    start_line: int = 0
    end_line: int = 0


@dataclass(frozen=True, slots=True)
class EvalQuestion:
    """One line of a questions file."""

    question: str
    relevant: tuple[Target, ...]
    category: str = ""
    language: str = ""


@dataclass(frozen=True, slots=True)
class Score:
    """How one question went: rank of each target (0: not within DEPTH) and the measures."""

    question: str
    category: str
    language: str
    ranks: tuple[int, ...]
    ndcg: float
    recall_1: float
    recall_5: float
    recall_10: float
    mrr: float
    tokens: int


@dataclass(frozen=True, slots=True)
class Summary:
    """The means of a group of questions; `low` and `high` bound its NDCG."""

    group: str
    questions: int
    ndcg: float
    low: float
    high: float
    recall_1: float
    recall_5: float
    recall_10: float
    mrr: float
    tokens: float


@dataclass(frozen=True, slots=True)
class Change:
    """One question whose NDCG moved."""

    question: str
    category: str
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """A run against a saved one over the questions that both have."""

    questions: int
    before: float
    after: float
    low: float
    high: float
    """Interval of the mean difference."""
    worse: tuple[Change, ...]
    better: tuple[Change, ...]
    only_before: int
    only_after: int


def read_questions(text: str) -> tuple[EvalQuestion, ...]:
    """Read a questions file; raises BadInput that names the line."""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            found.append(_read_question(number, line))
    if not found:
        raise BadInput("the file holds no questions", 'each line is {"question": …, "relevant": [paths or symbols]}')
    return tuple(found)


def _read_question(number: int, line: str) -> EvalQuestion:
    remedy = 'each line is {"question": …, "relevant": [paths or symbols], "category": …}'
    try:
        row = json.loads(line)
        question = str(row["question"] if "question" in row else row["query"]).strip()
        relevant = tuple(read_target(target) for target in row["relevant"])
    except KeyError as error:
        raise BadInput(f"line {number} is no question: {error} is missing", remedy) from error
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        raise BadInput(f"line {number} is no question: {error}", remedy) from error
    if not question or not relevant:
        raise BadInput(f"line {number} lacks {'a question' if not question else 'a relevant answer'}", remedy)
    return EvalQuestion(question, relevant, str(row.get("category", "")), str(row.get("language", "")))


def read_target(value: str | dict[str, Any]) -> Target:
    """Read `path`, `path#Symbol`, `Symbol` or an object; a text that may be either is kept as both."""
    if isinstance(value, dict):
        start = int(value.get("start_line") or 0)
        return Target(
            str(value.get("path", "")), str(value.get("symbol", "")), start, int(value.get("end_line") or start)
        )
    path, _, symbol = value.partition("#")
    if "/" in path or "." in path:
        return Target(path=path.replace("\\", "/"), symbol=symbol)
    return Target(symbol=value)


def covers(target: Target, path: str, symbol: str, start: int, end: int) -> bool:
    """Say whether a hit answers a target: the same path or one the suffix of the other, lines that overlap."""
    if target.path and not _same_path(target.path, path):
        return bool(not target.symbol and "/" not in target.path and _same_symbol(target.path, symbol))
    if target.symbol and not _same_symbol(target.symbol, symbol):
        return False
    return not target.start_line or (start <= target.end_line and target.start_line <= end)


def _same_path(wanted: str, path: str) -> bool:
    return path == wanted or path.endswith("/" + wanted) or wanted.endswith("/" + path)


def _same_symbol(wanted: str, symbol: str) -> bool:
    one, other = (name.replace("::", "#").replace(".", "#") for name in (wanted, symbol))
    return one == other or other.endswith("#" + one)


def score_answer(question: EvalQuestion, hits: Sequence[Hit]) -> Score:
    """Score one question by its hits, best first."""
    covered = [
        [
            covers(target, hit.chunk.path, hit.chunk.qualified_name, hit.start_line, hit.end_line)
            for target in question.relevant
        ]
        for hit in hits[:TOKEN_DEPTH]
    ]
    ranks = tuple(
        next((rank for rank, row in enumerate(covered[:DEPTH], 1) if row[at]), 0)
        for at in range(len(question.relevant))
    )
    used, tokens = 0, TOKENS_WHEN_MISSED
    for hit, row in zip(hits, covered, strict=False):
        used += count_tokens(hit.text)
        if any(row):
            tokens = used
            break
    return Score(
        question.question, question.category, question.language, ranks, ndcg(ranks),
        recall(ranks, 1), recall(ranks, 5), recall(ranks, DEPTH), max((1 / rank for rank in ranks if rank), default=0.0), tokens,
    )  # fmt: skip


def ndcg(ranks: Sequence[int]) -> float:
    """Return NDCG@10; targets first covered at one rank count once, all targets count in the ideal."""
    if not ranks:
        return 0.0
    gained = sum(1 / math.log2(rank + 1) for rank in {rank for rank in ranks if 0 < rank <= DEPTH})
    return gained / sum(1 / math.log2(rank + 1) for rank in range(1, min(DEPTH, len(ranks)) + 1))


def recall(ranks: Sequence[int], depth: int) -> float:
    """Return the share of targets that were covered within `depth`."""
    return sum(0 < rank <= depth for rank in ranks) / len(ranks) if ranks else 0.0


def summarize(scores: Sequence[Score], key: str = "") -> tuple[Summary, ...]:
    """Return one summary, or one a value of `key` (`category`, `language`), sorted by that value."""
    groups: dict[str, list[Score]] = {}
    for score in scores:
        groups.setdefault(str(getattr(score, key)) if key else "all", []).append(score)
    return tuple(_summary(name, groups[name]) for name in sorted(groups))


def _summary(name: str, scores: Sequence[Score]) -> Summary:
    def mean(value: Callable[[Score], float]) -> float:
        return sum(map(value, scores)) / len(scores)

    low, high = bootstrap([score.ndcg for score in scores])
    return Summary(
        name, len(scores), mean(lambda s: s.ndcg), low, high, mean(lambda s: s.recall_1), mean(lambda s: s.recall_5),
        mean(lambda s: s.recall_10), mean(lambda s: s.mrr), mean(lambda s: s.tokens),
    )  # fmt: skip


def bootstrap(values: Sequence[float]) -> tuple[float, float]:
    """Return the bounds of the 95 % interval of the mean, by resampling."""
    if len(values) < 2:
        return (values[0], values[0]) if values else (0.0, 0.0)
    source = random.Random(SEED)
    means = sorted(sum(source.choices(values, k=len(values))) / len(values) for _ in range(RESAMPLES))
    cut = int(RESAMPLES * (1 - INTERVAL) / 2)
    return means[cut], means[RESAMPLES - 1 - cut]


def compare(before: Iterable[Score], after: Iterable[Score]) -> Comparison:
    """Compare two runs question by question."""
    old = {score.question: score for score in before}
    new = {score.question: score for score in after}
    both = [question for question in new if question in old]
    changes = [Change(question, new[question].category, old[question].ndcg, new[question].ndcg) for question in both]
    differences = [change.after - change.before for change in changes]
    low, high = bootstrap(differences)
    number = len(both) or 1
    return Comparison(
        questions=len(both),
        before=sum(change.before for change in changes) / number,
        after=sum(change.after for change in changes) / number,
        low=low,
        high=high,
        worse=tuple(sorted((c for c in changes if c.after < c.before), key=lambda c: (c.after - c.before, c.question))),
        better=tuple(
            sorted((c for c in changes if c.after > c.before), key=lambda c: (c.before - c.after, c.question))
        ),
        only_before=len(old) - len(both),
        only_after=len(new) - len(both),
    )


def passes_gate(comparison: Comparison, tolerated: float) -> bool:
    """Say whether the mean NDCG fell by no more than `tolerated` and there was something to compare."""
    return comparison.questions > 0 and comparison.before - comparison.after <= tolerated + 1e-9


def run_document(scores: Sequence[Score], facts: dict[str, object]) -> dict[str, object]:
    """Return what is saved of a run: the facts about it (commit, mode, version) and every score."""
    return {"format": FORMAT, **facts, "scores": [asdict(score) for score in scores]}


def read_run(text: str) -> tuple[Score, ...]:
    """Read a saved run; raises BadInput."""
    remedy = "save one with `codemem eval FILE --save RUN`"
    try:
        document = json.loads(text)
        if document["format"] != FORMAT:
            raise BadInput(f"the saved run has format {document['format']}, this version reads {FORMAT}", remedy)
        return tuple(Score(**{**row, "ranks": tuple(row["ranks"])}) for row in document["scores"])
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise BadInput(f"this is no saved run: {error}", remedy) from error
