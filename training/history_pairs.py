"""Pairs from the history of a repository: what a commit says it does, and the lines it changed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from codemem.languages import detect_language, language_table
from codemem.roles import file_role
from training.clones import Hunk, read_hunks
from training.records import Pair
from training.sentences import is_question_like

UNTELLING = re.compile(
    r"\b(bump|merge|revert|release|version|changelog|typo|lint|format(ting)?|prettier|rubocop|clippy|dependabot|deps|upgrade|"
    r"update (copyright|year|readme|dependenc|docs?|snapshots?)|readme|ci|workflow|github actions?|travis|whitespace|gofmt|black|"
    r"isort|wip|fixup|squash|license|copyright|cleanup|clean up|refactor|rename|backport|cherry)\b|^v?\d+\.|\[skip",
    re.IGNORECASE,
)
"""Subjects that do not tell what the code does."""
REFERENCE = re.compile(r"\(?#\d+\)?|\bGH-\d+|\b[A-Z]{2,}-\d+\b|^\[[^\]]*\]\s*")
PREFIX = re.compile(
    r"^(feat|fix|perf|chore|docs?|style|tests?|build|refactor|internal|enhancement|improve|MINOR|BUG|ENH|MNT|CLN)(\([^)]*\))?!?:\s*",
    re.IGNORECASE,
)
MOST_FILES = 4
USED_FILES = 3
LEAST_ADDED = 2
LEAST_TEXT = 150
HUNK_CHARACTERS = 1_600


def commit_pairs(folder: Path, commit: str, commits: int, most: int) -> Iterator[Pair]:
    """Yield subject -> changed lines of up to `commits` commits that touch few source files."""
    found = 0
    for hunks in read_hunks(folder, commit, commits):
        sources = [hunk for hunk in hunks if _is_source(hunk)]
        if not 1 <= len(sources) <= MOST_FILES:
            continue
        subject = PREFIX.sub("", REFERENCE.sub("", sources[0].subject).strip()).strip(" .:-")
        if not is_question_like(subject, 3, 25) or UNTELLING.search(subject):
            continue
        for hunk in sources[:USED_FILES]:
            if hunk.added >= LEAST_ADDED and len(hunk.text) > LEAST_TEXT and found < most:
                found += 1
                yield Pair("commit", detect_language(hunk.path), hunk.path, subject, code=hunk.text[:HUNK_CHARACTERS])


def _is_source(hunk: Hunk) -> bool:
    row = language_table()[detect_language(hunk.path)]
    return row.chunker == "grammar" and file_role(hunk.path) == "source"
