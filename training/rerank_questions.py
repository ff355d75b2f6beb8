"""Questions with one right file, by rule, of a repository that is indexed: what documentation, commits and tests say of it."""

from __future__ import annotations

import random
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from codemem.languages import language_table
from codemem.roles import file_role, is_prose, is_test
from codemem.store import Store
from codemem.store.code import read_content
from codemem.text import split_identifier
from training.code_pairs import TEST_TITLE, UNUSED_KINDS
from training.history_pairs import PREFIX, REFERENCE, UNTELLING
from training.sentences import first_sentence, is_question_like, says_something

COMMITS = 4_000
MOST_OF_A_KIND = {"documentation": 110, "file": 60, "commit": 110, "test": 60}
"""Questions of each kind: documentation is the plainest, commits and tests are the nearest to what people ask."""
TEST_WORDS = frozenset("test tests spec specs".split())
LEAST_SPACES = 3
"""In a test's title: names of parameters stand in quotes as well."""
QUERY_CHARACTERS = 160


class Found(NamedTuple):
    """A question, the file that answers it, and the sentence that no card may show."""

    kind: str
    query: str
    path: str
    said: str = ""


def questions_of(store: Store, git: Path, commit: str, chooser: random.Random) -> Iterator[Found]:
    """Yield what a repository asks of itself, at most so many of each kind, drawn at random."""
    rows = store.connection.execute("SELECT id, path, doc, language FROM file").fetchall()
    files = [(number, path, doc) for number, path, doc, _ in rows]
    parsed = {name for name, row in language_table().items() if row.chunker == "grammar"}
    sources = {path for _, path, _, language in rows if file_role(path) == "source" and language in parsed}
    for kind, found in (
        ("documentation", list(_of_documentation(store, sources))),
        ("file", list(_of_heads(files, sources))),
        ("commit", list(_of_commits(git, commit, sources))),
        ("test", list(_of_tests(store, files, sources))),
    ):
        distinct = list({one.query: one for one in found}.values())
        chooser.shuffle(distinct)
        yield from distinct[: MOST_OF_A_KIND[kind]]


def _of_documentation(store: Store, sources: set[str]) -> Iterator[Found]:
    query = (
        "SELECT path, kind, chunk.doc FROM chunk JOIN file ON file.id = file_id "
        "WHERE part = 0 AND chunk.doc != '' AND name != ''"
    )
    for path, kind, doc in store.connection.execute(query):
        sentence, _ = first_sentence(doc)
        if path in sources and kind not in UNUSED_KINDS and is_question_like(sentence, 4, 30):
            yield Found("documentation", sentence[:QUERY_CHARACTERS], path, sentence)


def _of_heads(files: list[tuple[int, str, str]], sources: set[str]) -> Iterator[Found]:
    for _, path, doc in files:
        sentence, _ = first_sentence(doc) if doc and path in sources else ("", "")
        if is_question_like(sentence, 4, 30):
            yield Found("file", sentence[:QUERY_CHARACTERS], path, sentence)


def _of_commits(git: Path, commit: str, sources: set[str]) -> Iterator[Found]:
    """Subjects of commits that change one source file, tests and prose beside it allowed."""
    command = ["git", "--git-dir", str(git), "-c", "core.quotepath=off", "log", "--no-merges", "--no-renames"]
    command += [f"--max-count={COMMITS}", "--name-only", "--format=%x01%s", commit]
    output = subprocess.run(command, capture_output=True, check=False).stdout.decode("utf-8", "replace")
    for block in output.split("\x01")[1:]:
        written, _, listed = block.partition("\n")
        changed = [path for path in listed.split("\n") if path]
        code = [path for path in changed if file_role(path) != "test" and not is_prose(path)]
        subject = PREFIX.sub("", REFERENCE.sub("", written).strip()).strip(" .:-")
        if len(code) != 1 or code[0] not in sources or UNTELLING.search(subject):
            continue
        if is_question_like(subject, 4, 25):
            yield Found("commit", subject[:QUERY_CHARACTERS], code[0])


def _of_tests(store: Store, files: list[tuple[int, str, str]], sources: set[str]) -> Iterator[Found]:
    """Titles of tests whose file is named after exactly one source file."""
    named: dict[str, list[str]] = {}
    for path in sources:
        named.setdefault(_stem_key(path), []).append(path)
    for number, path, _ in files:
        tested = named.get(_stem_key(path), ()) if is_test(path) else ()
        if len(tested) != 1:
            continue
        for match in TEST_TITLE.finditer(read_content(store.connection, number)):
            title = " ".join(match.group(2).split())
            if title.count(" ") >= LEAST_SPACES and is_question_like(title, 4, 25) and says_something(title):
                yield Found("test", title[:QUERY_CHARACTERS], tested[0])


def _stem_key(path: str) -> str:
    """Return the file's name in lower case without what makes it a test: `test_retry.py`, `RetryTest.java` -> `retry`."""
    stem = re.split(r"\.", path.rpartition("/")[2])[0]
    return "".join(part for part in split_identifier(stem) if part not in TEST_WORDS)
