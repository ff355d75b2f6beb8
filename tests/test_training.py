"""The recipe's judgement of text: first sentences, documentation taken out of code, prose, catalogues, licences, scoring."""

from __future__ import annotations

import random
import re
import tomllib
from pathlib import Path

import pytest

from training.code_pairs import without_doc
from training.evaluate import ndcg
from training.licences import PERMISSIVE
from training.prose_pairs import catalogue_language, catalogue_pairs, markdown_pairs
from training.sentences import first_sentence, is_question_like, says_something

REPOSITORIES = Path(__file__).parents[1] / "training" / "repositories.toml"


@pytest.mark.parametrize(
    ("doc", "first", "rest"),
    [
        ("Opens the file. It must exist.", "Opens the file", "It must exist."),
        ("Opens the file\nand reads it.\n\nDetails follow.", "Opens the file and reads it", "Details follow."),
        ("Opens {@link File} handles.\n@param path where", "Opens File handles", "@param path where"),
        ("创建订单。冻结库存。", "创建订单", "冻结库存。"),
        ("Returns:\n  the path", "", "Returns: the path"),
        ("", "", ""),
    ],
)
def test_the_first_sentence_says_what_something_is_for(doc: str, first: str, rest: str) -> None:
    found = first_sentence(doc)
    assert (found[0], " ".join(found[1].split())) == (first, rest)


@pytest.mark.parametrize(
    ("text", "good"),
    [
        ("Parse the command line options", True),
        ("检查用户的权限并返回结果", True),
        ("Проверяет права пользователя", True),
        ("x", False),
        ("Copyright 2020 by the authors of it", False),
        ("a = b + c; d[0] = {1, 2}; // e f g", False),
        ("word " * 60, False),
    ],
)
def test_questions_are_statements_of_some_length(text: str, good: bool) -> None:
    assert is_question_like(text) is good


@pytest.mark.parametrize(
    ("text", "good"), [("returns the value", False), ("returns the cached user", True), ("返回", True)]
)
def test_a_question_says_something(text: str, good: bool) -> None:
    assert says_something(text) is good


def test_documentation_is_taken_out_of_the_code_that_it_asks_for() -> None:
    text = "# Opens the file.\n# It must exist.\ndef open_file(path):\n    return open(path)  # now\n"
    assert (
        without_doc(text, "Opens the file.\nIt must exist.") == "def open_file(path):\n    return open(path)  # now\n"
    )


def test_markdown_gives_headings_examples_and_passages() -> None:
    body = (
        "Retries wait longer each time. The delay doubles up to one minute. Jitter keeps clients from waking together."
    )
    code = "client = Client(retries=5)\nclient.get('/orders')\nprint(client.stats().retried, client.stats().delay)\n"
    text = f"# Client\n\n## Retry policy\n\n{body}\n\nSet the number of retries of a client:\n\n```python\n{code}```\n"
    pairs = markdown_pairs("docs/retry.md", text, random.Random(0))
    found = {pair.kind: pair for pair in pairs}
    assert found["heading"].query == "Retry policy"
    assert found["example"].query == "Set the number of retries of a client"
    assert found["example"].code.startswith("client = Client")
    assert found["passage"].query not in found["passage"].code


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("conf/locale/locale_zh-CN.ini", "zh"),
        ("conf/locale/locale_en-US.ini", "en"),
        ("app/locale/ru/LC_MESSAGES/messages.po", "ru"),
        ("src/main/resources/Messages.properties", "en"),
        ("src/main/resources/Messages_pt_BR.properties", "pt"),
        ("app/locale/xx_XX/LC_MESSAGES/messages.po", ""),
    ],
)
def test_a_catalogue_says_its_language_by_its_path(path: str, language: str) -> None:
    assert catalogue_language(path) == language


def test_messages_are_paired_by_key_or_by_entry_and_guesses_are_left_out() -> None:
    po = (
        'msgid "Delete the project"\nmsgstr "删除项目"\n\n#, fuzzy\nmsgid "Archive the project"\nmsgstr "删除这个项目"\n\n'
        'msgid "Untranslated text"\nmsgstr ""\n'
    )
    catalogues = [
        ("locale/locale_en-US.ini", "save = Save all changes\n"),
        ("locale/locale_de-DE.ini", "save = Alle Änderungen speichern\n"),
        ("locale/zh/LC_MESSAGES/messages.po", po),
    ]
    pairs = catalogue_pairs(catalogues, random.Random(0), 10)
    assert sorted((pair.language, pair.query, pair.code) for pair in pairs) == [
        ("de", "Alle Änderungen speichern", "Save all changes"),
        ("zh", "删除项目", "Delete the project"),
    ]


def test_every_repository_has_a_commit_and_a_permissive_licence() -> None:
    rows = tomllib.loads(REPOSITORIES.read_text())["repository"]
    names = [row["name"] for row in rows]
    assert len(rows) >= 60 and len(set(names)) == len(names)
    known = {name for name, _ in PERMISSIVE}
    for row in rows:
        assert re.fullmatch(r"[0-9a-f]{40}", row["commit"]), row
        assert set(row["licence"].split(" OR ")) <= known, row
        assert row["use"] in ("code", "prose"), row


@pytest.mark.parametrize(
    ("paths", "targets", "score"),
    [
        (["a.py", "b.py"], ["a.py"], 1.0),
        (["b.py", "src/a.py"], ["a.py"], 0.6309),
        (["x.py"], ["a.py"], 0.0),
        (["a.py", "b.py"], ["b.py", "a.py"], 1.0),
    ],
)
def test_gain_falls_with_the_rank(paths: list[str], targets: list[str], score: float) -> None:
    assert ndcg(paths, targets) == pytest.approx(score, abs=1e-4)
