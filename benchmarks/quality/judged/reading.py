"""The judged questions as records."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

DATA = Path(__file__).parent / "data"


class JudgedQuestion(NamedTuple):
    """One question: `relevant` files answer it, `secondary` ones a careful reader accepts too."""

    query: str
    relevant: tuple[str, ...]
    secondary: tuple[str, ...]
    category: str


class Judged(NamedTuple):
    """One repository: its address, commit, and the sub-tree that is indexed ('' for all)."""

    name: str
    language: str
    url: str
    commit: str
    root: str
    questions: tuple[JudgedQuestion, ...]


def read_judged() -> list[Judged]:
    """Read every file of data/, by name."""
    found = []
    for path in sorted(DATA.glob("*.json")):
        row = json.loads(path.read_text("utf-8"))
        questions = tuple(
            JudgedQuestion(one["query"], tuple(one["relevant"]), tuple(one["secondary"]), one["category"])
            for one in row.pop("questions")
        )
        found.append(Judged(**row, questions=questions))
    return found
