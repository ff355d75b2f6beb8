"""Memories through the command line, case by case (the numbers are those of the cases from the field)."""

from __future__ import annotations

import json
import os
import random
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from codemem.cli import FOUND, MISUSE, NOTHING
from codemem.embed import load_embedder
from codemem.errors import ProviderError
from tests.command_line import Run, codemem
from tests.permissions import bound_by_permissions

FAKE = ("--embedder", "fake")
SCRIPT = """
import sys
from codemem.cli import main
from tests.permissions import bound_by_permissions
codes = {main([*sys.argv[2:], text]) for text in sys.argv[1].split("|")}
sys.exit(0 if codes == {0} else 1)
"""


@pytest.fixture
def p(tmp_path: Path) -> Path:
    return _repository(tmp_path, "p")


@pytest.fixture
def q(tmp_path: Path) -> Path:
    return _repository(tmp_path, "q")


def _repository(base: Path, name: str) -> Path:
    folder = base / name
    folder.mkdir()
    return folder


def memory(folder: Path, *arguments: str, stdin: str = "") -> Run:
    return codemem("memory", *arguments, "--json", folder=folder, stdin=stdin)


def add(folder: Path, text: str, *options: str) -> dict[str, Any]:
    run = memory(folder, "add", text, *FAKE, *options)
    assert run.code == FOUND, run.err
    return dict(run.json)


def hits(folder: Path, query: str, *options: str) -> list[str]:
    run = memory(folder, "search", query, *FAKE, *options)
    assert run.code in (FOUND, NOTHING), run.err
    return [hit["content"] for hit in run.json["hits"]]


def listed(folder: Path, *options: str) -> list[str]:
    return [row["content"] for row in memory(folder, "list", *options).json["memories"]]


def parallel(folder: Path, batches: list[list[str]], *options: str) -> list[int]:
    """Run one process a batch at the same time, each adding its texts one after the other."""
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    command = ["memory", "add", "--quiet", *FAKE, *options]
    running = [
        subprocess.Popen(
            [sys.executable, "-c", SCRIPT, "|".join(batch), *command],
            cwd=folder,
            env=environment,
            stdout=subprocess.DEVNULL,
        )
        for batch in batches
    ]
    return [process.wait(120) for process in running]


def test_m1_a_new_version_supersedes(p: Path) -> None:
    add(p, "The project uses Java 16")
    assert add(p, "The project uses Java 17")["verdict"] == "superseded_old"
    assert hits(p, "Java")[0] == "The project uses Java 17"
    assert "The project uses Java 16" not in hits(p, "Java 16")
    assert "The project uses Java 16" in hits(p, "Java 16", "--include-superseded")


def test_m2_opposites_never_leave_nothing(p: Path) -> None:
    add(p, "User loves sushi")
    assert add(p, "User hates sushi")["verdict"] == "possible_conflict"
    assert listed(p) == ["User hates sushi", "User loves sushi"]


@pytest.mark.parametrize("embedder", ["fake", "fake:8", "static"])
def test_m3_another_number_is_no_duplicate(p: Path, embedder: str) -> None:
    memory(p, "add", "Cache TTL is 300 seconds", "--embedder", embedder)
    done = memory(p, "add", "Cache TTL is 600 seconds", "--embedder", embedder).json
    assert "duplicate" not in done["verdict"]
    assert len(listed(p, "--include-superseded")) == 2


def test_m4_unrelated_sentences_are_both_stored(p: Path) -> None:
    one = "The quarterly report lists every warehouse with its opening hours, contact person and postal address."
    two = "When the network is slow the mobile client shows yesterday's prices and refreshes them in background."
    assert [add(p, text)["verdict"] for text in (one, two)] == ["stored", "stored"]


def test_m5_and_m26_many_writers_lose_nothing(p: Path) -> None:
    assert parallel(p, [["the very same words"] * 5] * 4) == [0] * 4
    assert listed(p) == ["the very same words"]
    assert memory(p, "list").json["memories"][0]["seen_count"] == 20
    batches = [
        [f"writer {writer} notes item {item} of box {writer * 31 + item}" for item in range(6)] for writer in range(5)
    ]
    assert parallel(p, batches, "--force") == [0] * 5
    assert memory(p, "list", "-k", "100").json["total"] == 31
    assert memory(p, "doctor", *FAKE).json == {"faults": []}


def test_m7_tenants_do_not_meet(p: Path) -> None:
    assert [add(p, "same text", "--tenant", tenant)["verdict"] for tenant in "ab"] == ["stored", "stored"]
    assert [len(listed(p, "--tenant", tenant)) for tenant in "abc"] == [1, 1, 0]


def test_m8_project_and_global_keep_their_own_and_show_once(p: Path, q: Path) -> None:
    verdicts = [
        add(p, "same text")["verdict"],
        add(q, "same text")["verdict"],
        add(p, "same text", "--global")["verdict"],
    ]
    assert verdicts == ["stored"] * 3
    shown = memory(p, "search", "same text", *FAKE).json["hits"]
    assert [(hit["content"], hit["visibility"]) for hit in shown] == [("same text", "project")]


def test_m9_another_project_cannot_touch_it(p: Path, q: Path) -> None:
    identity = add(p, "the secret of p")["id"]
    assert memory(q, "show", identity).code == NOTHING
    assert memory(q, "list").code == NOTHING
    assert hits(q, "the secret of p") == []
    assert codemem("memory", "export", folder=q).out == ""
    for command in ("delete", "restore", "history", "verify"):
        assert memory(q, command, identity).code == NOTHING, command
    assert memory(q, "edit", identity, "changed").code == NOTHING
    assert memory(p, "show", identity).json["content"] == "the secret of p"


def test_m10_names_are_literal_in_filters(p: Path) -> None:
    for cube in ("a_b", "axb", "agent:%"):
        add(p, f"note of {cube}", "--cube", cube)
    assert {cube: listed(p, "--cube", cube) for cube in ("a_b", "axb", "agent:%", "a%", "agent:x")} == {
        "a_b": ["note of a_b"], "axb": ["note of axb"], "agent:%": ["note of agent:%"], "a%": [], "agent:x": [],
    }  # fmt: skip


def test_m12_a_weak_hit_is_shown_or_said(p: Path) -> None:
    add(p, "the kitchen is painted in pale green")
    assert len(hits(p, "which colour has the kitchen wall")) == 1
    run = codemem("memory", "search", "colour of the wall the the", "--min-score", "0.95", *FAKE, folder=p)
    assert (run.code, run.out) == (NOTHING, "") and "1 below the minimum score" in run.err


def test_m13_an_identifier_stands_first(p: Path) -> None:
    for text in ("stock runs empty at night", "ERR_4711_X is a warning", "errors are logged as text"):
        add(p, text)
    assert hits(p, "ERR_4711_X")[0] == "ERR_4711_X is a warning"


@pytest.mark.parametrize("query", ["foo:bar", '"unbalanced', "a AND", "NEAR(", "-x", "*", "C++", "it's"])
def test_m14_every_question_is_literal(p: Path, query: str) -> None:
    add(p, f"here stands {query} indeed")
    add(p, "nothing of the kind")
    assert hits(p, query, "--mode", "keyword") == [f"here stands {query} indeed"]
    assert memory(p, "search", query, *FAKE).code == FOUND


@pytest.mark.parametrize("query", ["冻结库存", "库存", "java"])
def test_m15_chinese_is_found(p: Path, query: str) -> None:
    add(p, "项目使用 Java 17，订单服务先冻结库存")
    assert hits(p, query, "--mode", "keyword") == ["项目使用 Java 17，订单服务先冻结库存"]


def test_m16_an_absent_word_does_not_hide_the_hit(p: Path) -> None:
    add(p, "deploys happen on Fridays")
    assert hits(p, "when do zebra deploys happen", "--mode", "keyword") == ["deploys happen on Fridays"]


def test_m18_another_dimension_is_said_and_words_still_find(p: Path) -> None:
    memory(p, "add", "alpha beta gamma", "--embedder", "fake:8")
    run = memory(p, "search", "gamma", "--embedder", "fake:16")
    assert (run.code, run.json["skipped_model_mismatch"], run.json["count"]) == (FOUND, 1, 1)
    assert "memory rebuild" in run.err


def test_m20_rebuild_goes_on_and_finishes_later(p: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Failing:
        model, dimension, semantic, remote = "fake:64", 64, False, False

        def embed_texts(self, texts: list[str]) -> Any:
            if any("item3" in text for text in texts):
                raise ProviderError("no answer", "")
            return load_embedder("fake").embed_texts(texts)

    for number in range(1, 6):
        memory(p, "add", f"item{number} of the list", "--force", "--embedder", "fake:8")
    monkeypatch.setattr("codemem.embed.load_embedder", lambda name: Failing())
    run = memory(p, "rebuild")
    assert (run.code, run.json["done"], len(run.json["failed"])) == (NOTHING, 4, 1) and "no answer" in run.err
    monkeypatch.undo()
    run = memory(p, "rebuild", *FAKE)
    assert (run.code, run.json["wanted"], run.json["done"]) == (FOUND, 1, 1)


def test_what_a_test_undoes_is_not_its_empty_home(p: Path, nobodys_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEMEM_EMBEDDER", "fake")
    monkeypatch.undo()
    add(p, "seen from everywhere", "--global")
    assert [file.name for file in nobodys_home.rglob("global.db")] == ["global.db"]


def test_m21_an_edit_leaves_no_old_meaning(p: Path) -> None:
    identity = add(p, "cats purr in the sun")["id"]
    add(p, "the sun sets at noon")
    assert memory(p, "edit", identity, "dogs bark", *FAKE).code == FOUND
    assert memory(p, "doctor", *FAKE).json == {"faults": []}
    assert hits(p, "cats purr in the sun")[0] != "dogs bark"
    assert [entry["action"] for entry in memory(p, "history", identity).json["history"]] == ["add", "edit"]


def test_m22_a_provider_that_is_not_there(p: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLLAMA_BASE_URL", "http://127.0.0.1:9")
    run = memory(p, "add", "ports are closed at night", "--embedder", "ollama")
    assert (run.code, run.json["verdict"], run.json["pending_vector"]) == (FOUND, "stored", True)
    assert "cannot be reached" in run.json["degraded"][0]
    run = memory(p, "search", "ports", "--embedder", "ollama")
    assert (run.code, run.json["count"]) == (FOUND, 1) and run.json["degraded"]


def test_m23_what_is_deleted_never_comes_back_by_itself(p: Path) -> None:
    identity = add(p, "we ship on Fridays")["id"]
    add(p, "we meet on Mondays")
    assert memory(p, "delete", identity).code == FOUND
    for _ in range(2):
        assert "we ship on Fridays" not in hits(p, "ship on Fridays")
        assert memory(p, "stats").json["current"] == len(codemem("memory", "export", folder=p).out.splitlines()) == 1
        assert memory(p, "rebuild", "--all", *FAKE).json["done"] == 1
    assert memory(p, "doctor", *FAKE).json == {"faults": []}
    assert memory(p, "restore", identity, *FAKE).code == FOUND
    assert "we ship on Fridays" in hits(p, "ship on Fridays")


def test_m25_a_failed_update_leaves_the_old_one(p: Path) -> None:
    add(p, "The limit is 5 MB", "--key", "limit")
    assert memory(p, "add", "x" * 200_000, "--key", "limit").code == MISUSE
    assert listed(p) == ["The limit is 5 MB"]
    (p / ".codemem").chmod(0o500)
    (p / ".codemem" / "codemem.db").chmod(0o400)
    with bound_by_permissions():
        assert memory(p, "add", "The limit is 6 MB", "--key", "limit").code == MISUSE
        assert listed(p) == ["The limit is 5 MB"]
    (p / ".codemem").chmod(0o700)
    (p / ".codemem" / "codemem.db").chmod(0o600)
    assert listed(p) == ["The limit is 5 MB"]


def test_m28_and_m29_export_import_export(p: Path, q: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for text in (
        "The project uses Java 16",
        "The project uses Java 17",
        "日志保留三十天",
        "日志保留 30 天",
        "one\ntwo é",
    ):
        add(p, text)
    add(p, "for all", "--global", "--valid-from", "2026-05-01", "--importance", "9")
    codemem("memory", "export", str(tmp_path / "one.jsonl"), folder=p)
    monkeypatch.setenv("CODEMEM_HOME", str(tmp_path / "another home"))
    first = memory(q, "import", str(tmp_path / "one.jsonl"), *FAKE)
    assert (first.code, first.json["new"]) == (FOUND, 5)
    codemem("memory", "export", str(tmp_path / "two.jsonl"), folder=q)
    assert (tmp_path / "two.jsonl").read_bytes() == (tmp_path / "one.jsonl").read_bytes()
    assert memory(q, "import", str(tmp_path / "one.jsonl"), *FAKE).json["new"] == 0


def test_m31_an_end_before_the_start_is_misuse(p: Path) -> None:
    run = codemem("memory", "add", "x y z", "--valid-from", "2026-05-01", "--valid-to", "2026-04-01", folder=p)
    assert run.code == MISUSE and "--valid-to" in run.err
    assert codemem("memory", "add", "x y z", "--valid-from", "soon", folder=p).code == MISUSE


def test_m32_dates_mean_utc_in_every_zone(p: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import time

    answers = []
    for zone in ("Asia/Tokyo", "America/New_York"):
        monkeypatch.setenv("TZ", zone)
        time.tzset()
        if not answers:
            created = add(p, "port is 80", "--key", "port", "--valid-from", "2026-05-01")["memory"]
        answers.append(
            [hits(p, "port", "--as-of", moment) for moment in ("2026-04-30T23:59", "2026-05-01", "2026-05-02")]
        )
    monkeypatch.undo()
    time.tzset()
    assert answers[0] == answers[1] == [[], ["port is 80"], ["port is 80"]]
    assert created["valid_from"] == "2026-05-01T00:00:00.000+00:00"


def test_m33_a_late_fact_is_closed_at_the_newer_start(p: Path) -> None:
    add(p, "The leader is Bob", "--valid-from", "2026-06-01")
    late = add(p, "The leader is Amy", "--valid-from", "2026-05-01")
    assert late["memory"]["valid_to"] == "2026-06-01T00:00:00.000+00:00"
    assert hits(p, "leader") == ["The leader is Bob"]
    assert hits(p, "leader", "--as-of", "2026-05-15") == ["The leader is Amy"]


def test_m34_secrets_are_hidden_on_every_way_in(p: Path) -> None:
    token, pem = "ghp_" + "a1B2" * 9, "-----BEGIN RSA " + "PRIVATE KEY-----\nMIIEow\n-----END RSA " + "PRIVATE KEY-----"
    identity = add(p, f"deploy with {token} now")["id"]
    add(p, f"the key {pem} opens the door")
    memory(p, "edit", identity, "login with password=hunter2 here", *FAKE)
    memory(p, "import", "-", *FAKE, stdin=json.dumps({"content": f"imported {token} too"}))
    codemem("session", "append", "main", f"use {token} please", folder=p)
    everything = b"".join(file.read_bytes() for file in (p / ".codemem").iterdir() if file.is_file())
    everything += codemem("memory", "export", folder=p).out.encode() + memory(p, "history", identity).out.encode()
    for secret in (token, "MIIEow", "hunter2"):
        assert secret.encode() not in everything
    assert add(p, "the password policy asks for 12 characters")["redacted"] == []
    refused = memory(p, "add", "password=hunter2", *FAKE)
    assert refused.code == 2 and refused.json["message"].endswith("was not stored")


@pytest.mark.parametrize("option", ["--key", "--symbol", "--cube", "--tenant"])
def test_m34_no_name_is_a_secret(p: Path, option: str) -> None:
    token = "ghp_" + "a1B2" * 9
    name = f"agent:{token}" if option == "--cube" else token
    run = codemem("memory", "add", "the build uses JDK 21", option, name, *FAKE, folder=p)
    assert run.code == MISUSE and token not in run.err and "holds a secret (github-token)" in run.err
    assert token.encode() not in b"".join(file.read_bytes() for file in p.rglob("*") if file.is_file())


def test_m34_imported_lines_hold_no_secret_anywhere(p: Path) -> None:
    token = "ghp_" + "a1B2" * 9
    names = ("context", "symbol", "source_session", "source_message")
    line: dict[str, Any] = {"content": "the build uses JDK 21", "aliases": [f"JDK 21, says {token}"]}
    line |= dict.fromkeys(names, f"of {token}")
    line["history"] = [{"action": "add", "actor": token, "at": "2026-05-01", "before": "", "after": {"content": token}}]
    memory(p, "import", "-", *FAKE, stdin=json.dumps(line))
    memory(p, "import", "-", *FAKE, stdin=json.dumps({"content": "the other", "key": token}))
    everything = b"".join(file.read_bytes() for file in (p / ".codemem").iterdir() if file.is_file())
    assert token.encode() not in everything and listed(p) == ["the build uses JDK 21"]


def test_m47_a_clock_a_year_ahead_still_finds(p: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add(p, "the exact text")
    monkeypatch.setattr("codemem.memory.search.now_ms", lambda: 1_900_000_000_000)
    assert hits(p, "the exact text") == ["the exact text"]


@pytest.mark.parametrize(
    "arguments", [["search", ""], ["search", "   "], ["search", "x", "--type", ""], ["list", "--type", ""]]
)
def test_m49_nothing_asked_is_misuse(p: Path, arguments: list[str]) -> None:
    run = codemem("memory", *arguments, folder=p)
    assert run.code == MISUSE and len(run.err.strip().splitlines()) == 2


CODE = '''class OrderFacade:
    def create_order(self, request):
        """Create an order."""
        stock = self.freeze(request)
        if not stock:
            raise ValueError("out of stock")
        return stock

    def freeze(self, request):
        total = sum(item.count for item in request)
        return total > 0
'''
ABOUT = {"create": "OrderFacade.create_order", "freeze": "freeze"}


@pytest.mark.parametrize(
    ("before", "after", "states"),
    [
        ("", "", {"create": "fresh", "freeze": "fresh"}),
        ("stock = self.freeze(request)", "stock = self.freeze( request )", {"create": "fresh", "freeze": "fresh"}),
        ("\n    def freeze", "\n\n\n    def freeze", {"create": "fresh", "freeze": "fresh"}),
        ("        stock =", "        # first the stock\n        stock =", {"create": "fresh", "freeze": "fresh"}),
        ("Create an order.", "Places an order.", {"create": "fresh", "freeze": "fresh"}),
        ("return total > 0", 'return total > 0  # "0" is nothing', {"create": "fresh", "freeze": "fresh"}),
        ("out of stock", "# no stock", {"create": "stale:body", "freeze": "fresh"}),
        ("ValueError", "KeyError", {"create": "stale:contract", "freeze": "fresh"}),
        (
            "def freeze(self, request)",
            "def freeze(self, request, now)",
            {"create": "fresh", "freeze": "stale:contract"},
        ),
        ("def create_order", "def place_order", {"create": "fresh", "freeze": "fresh"}),
        (CODE[CODE.index("    def freeze") :], "", {"create": "fresh", "freeze": "orphaned"}),
    ],
)
def test_m50_memories_follow_their_code(p: Path, before: str, after: str, states: dict[str, str]) -> None:
    shop = p / "shop.py"
    shop.write_text(CODE, encoding="utf-8")
    index(p)
    ids = {name: add(p, f"about {name}", "--symbol", symbol)["id"] for name, symbol in ABOUT.items()}
    shop.write_text(CODE.replace(before, after) if before else CODE, encoding="utf-8")
    index(p)
    assert anchors(p, ids) == states
    assert {hit["anchor"] for hit in memory(p, "search", "about", *FAKE).json["hits"]} == set(states.values())
    stale = next((name for name, state in states.items() if state.startswith("stale")), None)
    if stale:
        assert memory(p, "verify", ids[stale]).json["anchor"] == "fresh"
    shop.write_text(CODE, encoding="utf-8")
    index(p)
    healed = anchors(p, ids)
    assert {state for name, state in healed.items() if name != stale} == {"fresh"}


@pytest.mark.parametrize(
    ("name", "code", "comment", "body"),
    [
        ("Shop.java", "class Shop {\n  int pay() {\n    return 41;\n  }\n}\n", "// why\n", "42"),
        ("shop.go", "package shop\n\nfunc pay() int {\n\treturn 41\n}\n", "/* why */\n", "42"),
        ("shop.ts", "export function pay() {\n  return 41\n}\n", "// why\n", "42"),
        ("shop.rb", "def pay\n  return 41\nend\n", "# why\n", "42"),
        ("shop.rs", "fn pay() -> u8 {\n    return 41;\n}\n", "/// why\n", "42"),
        ("shop.php", "<?php\nfunction pay() {\n  return 41;\n}\n", "# why\n", "42"),
    ],
)
def test_what_comments_say_is_not_what_the_code_does(p: Path, name: str, code: str, comment: str, body: str) -> None:
    (p / name).write_text(code, encoding="utf-8")
    index(p)
    ids = {"pay": add(p, "about paying", "--symbol", "pay")["id"]}
    for text, state in (
        (code.replace("return", f"{comment}return"), "fresh"),
        (code.replace("41", body), "stale:body"),
        (code.replace("41", body).replace("return", f"{comment}return"), "stale:body"),
        (code, "fresh"),
    ):
        (p / name).write_text(text, encoding="utf-8")
        index(p)
        assert anchors(p, ids) == {"pay": state}, text


def test_a_tie_of_an_older_version_knows_no_hash_without_comments(p: Path) -> None:
    (p / "shop.py").write_text(CODE, encoding="utf-8")
    index(p)
    ids = {"freeze": add(p, "about freeze", "--symbol", "freeze")["id"]}
    with closing(sqlite3.connect(p / ".codemem" / "codemem.db")) as connection, connection:
        connection.execute(
            "UPDATE memory_anchor SET content_hash = substr(content_hash, 1, instr(content_hash, ':') - 1)"
        )
    (p / "other.py").write_text("x = 1\n", encoding="utf-8")
    index(p)
    assert anchors(p, ids) == {"freeze": "fresh"}
    (p / "shop.py").write_text(CODE.replace("> 0", "> 1"), encoding="utf-8")
    index(p)
    assert anchors(p, ids) == {"freeze": "stale:body"}


@pytest.mark.parametrize(
    ("named", "after", "listed", "mark"),
    [
        ("OrderFacade.create_order", CODE, "OrderFacade.create_order", "symbol=OrderFacade.create_order"),
        ("freeze", CODE.replace("freeze", "reserve_all"), "OrderFacade#reserve_all", "symbol=OrderFacade#reserve_all"),
        (
            "OrderFacade.create_order",
            CODE.replace("create_order", "place_order"),
            "OrderFacade#place_order",
            "symbol=OrderFacade#place_order",
        ),
        (
            "freeze",
            CODE.replace("sum(item.count for item in request)", "len(request)"),
            "freeze",
            "[stale:body: freeze]",
        ),
    ],
)
def test_lists_name_the_symbol_as_it_is_now(p: Path, named: str, after: str, listed: str, mark: str) -> None:
    (p / "shop.py").write_text(CODE, encoding="utf-8")
    index(p)
    identity = add(p, "needs a stock check", "--symbol", named)["id"]
    (p / "shop.py").write_text(after, encoding="utf-8")
    index(p)
    current = memory(p, "show", identity).json["tie"]["symbol"]
    for command in (["search", "stock check", *FAKE], ["list"]):
        assert mark in codemem("memory", *command, folder=p).out
        for name in (listed, current):
            run = memory(p, *command, "--symbol", name).json
            assert [one["symbol"] for one in run.get("hits") or run["memories"]] == [listed]
    words = memory(p, "search", listed.replace("#", ".").split(".")[-1].replace("_", " "), "--mode", "keyword").json
    assert [hit["id"] for hit in words["hits"]] == [identity]  # the words of the new name are indexed
    actions = [entry["action"] for entry in memory(p, "history", identity).json["history"]]
    assert actions == (["add"] if listed == named else ["add", "edit"])


def test_what_replaces_a_memory_keeps_its_tie(p: Path) -> None:
    (p / "order.py").write_text(CODE)
    codemem("index", folder=p)
    add(p, "an order holds at most 20 lines", "--symbol", "freeze", "--key", "order.lines")
    newer = add(p, "an order holds at most 30 lines", "--key", "order.lines")
    assert newer["verdict"] == "superseded_old"
    assert memory(p, "show", newer["id"]).json["tie"]["state"] == "fresh"
    other = add(p, "an order holds at most 40 lines", "--key", "order.lines", "--symbol", "create_order")
    assert memory(p, "show", other["id"]).json["tie"]["symbol"].endswith("create_order")
    found = hits(p, "how many lines does an order hold", "--include-superseded")
    assert found[0] == "an order holds at most 40 lines" and len(found) == 3


@pytest.mark.parametrize(
    ("after", "state", "symbol"),
    [
        (CODE.replace("freeze", "reserve_all"), "fresh", "OrderFacade#reserve_all"),
        (CODE.replace("> 0", "> 1"), "stale:body", "freeze"),
        (None, "orphaned", "freeze"),
    ],
)
@pytest.mark.parametrize("command", [("search", "stock check", *FAKE), ("list",)], ids=["search", "list"])
def test_no_memory_looks_fresh_whose_code_changed_since_the_index(
    p: Path, command: tuple[str, ...], after: str | None, state: str, symbol: str
) -> None:
    (p / "shop.py").write_text(CODE, encoding="utf-8")
    index(p)
    add(p, "needs a stock check", "--symbol", "freeze")
    if after is None:
        (p / "shop.py").unlink()
    else:
        (p / "shop.py").write_text(after, encoding="utf-8")
    run = memory(p, *command)
    assert "refreshed shop.py" in run.err
    for again in (run, memory(p, *command)):
        assert [(one["anchor"], one["symbol"]) for one in again.json.get("hits") or again.json["memories"]] == [
            (state, symbol)
        ]
    assert memory(p, *command).err == ""


def index(folder: Path) -> None:
    assert codemem("index", *FAKE, folder=folder).code == FOUND


def anchors(folder: Path, ids: dict[str, str]) -> dict[str, str]:
    return {name: memory(folder, "show", identity).json["anchor"] for name, identity in ids.items()}


def test_a_symbol_that_is_not_there_yet_is_tied_by_the_next_index(p: Path) -> None:
    identity = add(p, "about freeze", "--symbol", "freeze")["id"]
    assert anchors(p, {"x": identity}) == {"x": "unresolved"}
    (p / "shop.py").write_text(CODE, encoding="utf-8")
    index(p)
    assert anchors(p, {"x": identity}) == {"x": "fresh"}


def test_code_search_shows_memories_tied_to_a_hit_and_memories_as_hits(p: Path) -> None:
    (p / "shop.py").write_text(CODE, encoding="utf-8")
    index(p)
    add(p, "freeze must stay idempotent", "--symbol", "freeze")
    add(p, "how stock is frozen was decided in May")
    found = codemem("search", "freeze", "--json", folder=p).json["hits"]
    assert ["freeze must stay idempotent"] in [[tied["content"] for tied in hit["memories"]] for hit in found]
    both = codemem("search", "frozen stock decided", "--json", "--source", "code,memory", folder=p).json
    assert {hit["source"] for hit in both["hits"]} == {"code", "memory"}
    assert both["count"] == len(both["hits"]) and [hit["rank"] for hit in both["hits"]] == list(
        range(1, both["count"] + 1)
    )
    assert both["hits"][0]["content"] == "how stock is frozen was decided in May"
    text = codemem("search", "frozen stock decided", "--source", "memory", folder=p)
    assert text.code == FOUND and text.out.startswith("memory:") and "shop.py" not in text.out


def test_memories_and_code_stand_in_one_list(p: Path) -> None:
    (p / "shop.py").write_text(CODE, encoding="utf-8")
    index(p)
    tied = add(p, "stock is frozen until the order is paid", "--symbol", "freeze", "--key", "stock.rule")["id"]
    add(p, "the office is in Lisbon")
    named = codemem("search", "freeze", "--json", "--source", "all", folder=p).json["hits"]
    assert named[0]["source"] == "code" and named[0]["score"] == 1.0, "the definition that was named"
    said = codemem("search", "stock frozen until order paid", "--json", "--source", "all", folder=p).json["hits"]
    assert (said[0]["source"], said[0]["id"]) == ("memory", tied)
    assert [hit["score"] for hit in said] == sorted((hit["score"] for hit in said), reverse=True)
    assert all(0 <= hit["score"] <= 1 for hit in (*named, *said))
    text = codemem("search", "stock frozen until order paid", "--source", "all", folder=p)
    blocks = text.out.rstrip().split("\n\n")
    assert blocks[0].split("\n") == [
        f"memory:{tied[-8:]}  just now, key=stock.rule",
        "  stock is frozen until the order is paid",
        "  about: freeze (fresh)",
    ]
    assert any(block.startswith("shop.py:") for block in blocks[1:]) and f"{len(blocks)} hits" in text.err
    pages = [
        codemem(
            "search",
            "stock frozen until order paid",
            "--json",
            "--source",
            "all",
            "-k",
            "1",
            "--offset",
            str(at),
            folder=p,
        ).json
        for at in range(2)
    ]
    assert [(page["hits"][0]["rank"], page["hits"][0]["score"]) for page in pages] == [
        (hit["rank"], hit["score"]) for hit in said[:2]
    ]
    paths = codemem("search", "stock frozen until order paid", "--format", "paths", "--source", "all", folder=p).out
    assert paths.startswith("shop.py:") and "memory" not in paths
    markdown = codemem("search", "stock frozen until order paid", "--format", "markdown", "--source", "all", folder=p)
    assert "> stock is frozen until the order is paid" in markdown.out


def test_a_store_is_made_only_where_something_is_kept(p: Path, nobodys_home: Path) -> None:
    for command in (
        ["list"],
        ["list", "--global"],
        ["search", "x", "--global"],
        ["show", "abcdef"],
        ["delete", "abcdef"],
        ["search", "x"],
        ["rebuild"],
        ["stats"],
    ):
        assert memory(p, *command).code in (FOUND, NOTHING), command
    add(p, "for every project", "--global")
    assert listed(nobodys_home, "--global") == ["for every project"]
    assert list(p.iterdir()) == []
    add(p, "for this one")
    assert [file.name for file in p.iterdir()] == [".codemem"]


def test_verdicts_speak_the_language_of_the_terminal(p: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    assert "已记住" in codemem("memory", "add", "用户喜欢茶", *FAKE, folder=p).out
    assert "remembered" in codemem("memory", "add", "User likes tea at noon", *FAKE, "--lang-ui", "en", folder=p).out
    assert codemem("memory", "add", "x y", "--lang-ui", "fr", folder=p).code == MISUSE


def test_people_can_read_it(p: Path) -> None:
    add(p, "The project uses Java 16")
    run = codemem("memory", "add", "The project uses Java 17", "--explain", *FAKE, folder=p)
    assert "it replaces" in run.out and "rule: another number" in run.out
    assert "1 superseded" in codemem("memory", "list", folder=p).out
    assert (
        "superseded by"
        in codemem(
            "memory", "show", memory(p, "list", "--status", "superseded").json["memories"][0]["id"], folder=p
        ).out
    )
    assert "verdict: update_old" in codemem("memory", "similarity", "TTL is 5 s", "TTL is 6 s", *FAKE, folder=p).out
    assert "1 current of 2" in codemem("memory", "stats", folder=p).out


def test_terminal_escapes_in_a_memory_are_harmless(p: Path) -> None:
    add(p, "before \x1b]0;evil\x07 after")
    assert "\x1b" not in codemem("memory", "list", folder=p).out


KILLS = int(os.environ.get("CODEMEM_KILLS", "6"))
"""Read here: the tests themselves see no settings of the person who runs them."""
KILLED = """
import contextlib, io, json, os, signal, sys
from codemem.store import database

kill_at, ticks = int(sys.argv[1]), 0
connect = database._connect

def tick():
    global ticks
    ticks += 1
    if ticks == kill_at:
        os.kill(os.getpid(), signal.SIGKILL)
    return 0

def watched(*arguments):
    connection = connect(*arguments)
    connection.set_progress_handler(tick, 30)
    return connection

database._connect = watched
from codemem.cli import main
for text in ("The port is 80", "The port is 81", "The port is 82", "Tea is served at noon", "Tea is not served at noon"):
    assert main(["memory", "add", text, "--quiet", "--embedder", "fake"]) == 0
    os.write(3, (text + "\\n").encode())
said = io.StringIO()
with contextlib.redirect_stdout(said):
    assert main(["memory", "add", "The draft is blue", "--json", "--embedder", "fake"]) == 0
    assert main(["memory", "edit", json.loads(said.getvalue())["id"], "The draft was edited", "--embedder", "fake"]) == 0
os.write(3, b"The draft was edited\\n")
print("ticks", ticks)
"""


def run_killed(folder: Path, tick: int) -> tuple[bool, list[str], int]:
    """Run the adds, killed at a tick; return whether it was killed, what was acknowledged, and the ticks."""
    acknowledged = folder / f"acknowledged-{tick}"
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    command = f'exec 3> "{acknowledged}"; exec "$0" -c "$1" {tick}'
    done = subprocess.run(
        ["bash", "-c", command, sys.executable, KILLED],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (0, -9), done.stderr
    ticks = int(done.stdout.split("ticks ")[1]) if done.returncode == 0 else 0
    return done.returncode == -9, acknowledged.read_text("utf-8").splitlines(), ticks


def test_kill_nine_anywhere_leaves_nothing_half_written(tmp_path: Path) -> None:
    _, _, ticks = run_killed(_repository(tmp_path, "whole"), 0)
    # The count differs a little from run to run, so the last tenth is left out.
    points = random.Random(7).sample(range(1, ticks * 9 // 10), KILLS)
    for point in points:
        folder = _repository(tmp_path, f"killed{point}")
        killed, said, _ = run_killed(folder, point)
        assert killed
        assert memory(folder, "doctor", *FAKE).json == {"faults": []}
        kept = listed(folder, "--include-superseded") if said else []
        assert set(said) <= set(kept)
        assert sum(text.startswith("The port") for text in listed(folder)) <= 1


@pytest.mark.parametrize(
    "line",
    [
        '{"content": "deep", "aliases": ' + "[" * 100_000,
        '{"content": "odd", "symbol": {"a": 1}}',
        '{"content": "odd", "id": "\\u001b[2J"}',
        '{"content": "odd", "aliases": 5}',
        '{"content": "odd", "format": "codemem-memory-1", "history": [{}]}',
        '{"content": "odd", "format": "codemem-memory-1", "history": "x"}',
        '{"content": "odd", "superseded_by": 7, "cube": null}',
        '{"content": "odd", "valid_from": {}}',
        '{"content": "odd", "importance": true, "version": [1]}',
    ],
)
def test_a_line_that_cannot_be_a_memory_costs_only_itself(p: Path, line: str) -> None:
    done = memory(p, "import", "-", *FAKE, stdin=f"{line}\n" + json.dumps({"content": "a good one"}))
    assert done.json["new"] == 1 and [each["line"] for each in done.json["problems"]] == [1]


def rows_of(folder: Path) -> list[tuple[Any, ...]]:
    """Return everything the memory tables hold."""
    import sqlite3

    connection = sqlite3.connect(folder / ".codemem" / "codemem.db")
    tables = [
        row[0]
        for row in connection.execute("SELECT name FROM sqlite_master WHERE name LIKE 'memory%' AND type = 'table'")
    ]
    found = [(table, *row) for table in sorted(tables) for row in connection.execute(f"SELECT * FROM {table}")]
    connection.close()
    return found


def test_interfaces_are_seen_as_tools_of_the_codebase_and_never_copied(p: Path, q: Path) -> None:
    (p / "shop.py").write_text(CODE, encoding="utf-8")
    index(p)
    add(p, "stock is frozen before the coupon is redeemed")
    before = rows_of(p)
    asked = ("--type", "tool_mem", "--source", "codebase")
    rows = memory(p, "list", *asked).json["memories"]
    assert {(row["type"], row["source"]) for row in rows} == {("tool_mem", "codebase")}
    tool = next(row for row in rows if row["symbol"].endswith("freeze"))
    name = tool["symbol"]
    assert tool["content"].startswith(f"[interface] {name}\npath: shop.py")
    assert memory(p, "search", "freeze", *asked, *FAKE).json["hits"][0]["symbol"] == name
    for reference in (name, tool["id"], tool["short_id"]):
        assert memory(p, "show", reference).json["id"] == tool["id"]
    for refused in (("edit", name, "new text"), ("delete", name, "--yes"), ("restore", name), ("verify", name)):
        run = codemem("memory", *refused, folder=p)
        assert run.code == MISUSE and "projected from the index" in run.err, refused
    # Without the source nothing of the code is mixed in, and nobody else sees it.
    assert listed(p) == ["stock is frozen before the coupon is redeemed"]
    assert listed(p, "--cube", "agent:x", *asked) == listed(p, "--global", *asked) == listed(q, *asked) == []
    assert listed(p, "--source", "codebase", "--type", "text_mem") == listed(p, "--key", "a", *asked) == []
    assert len(listed(p, "--limit", "1", *asked)) == 1 and listed(p, "--offset", "1", *asked) == listed(p, *asked)[1:]
    assert rows_of(p) == before


@pytest.mark.parametrize("step", ["add", "index", "doctor"])
def test_after_a_change_of_model_vectors_are_filled_in(p: Path, step: str) -> None:
    (p / ".codemem.toml").write_text('embedder = "fake:16"\n', encoding="utf-8")
    for text in ("alpha beta gamma", "delta epsilon zeta"):
        memory(p, "add", text, "--embedder", "fake:8")
    run = memory(p, "search", "gamma")
    assert any("2 memories have no vector of fake" in note for note in run.json["degraded"]) and "rebuild" in run.err
    if step == "add":
        memory(p, "add", "eta theta iota")
    elif step == "index":
        (p / "a.py").write_text("x = 1\n", encoding="utf-8")
        assert "2 memories embedded" in codemem("index", folder=p).err
    else:
        assert "2 memories have no usable fake" in codemem("doctor", folder=p).out
        assert codemem("doctor", "--fix", folder=p).code == FOUND
    run = memory(p, "search", "gamma")
    assert (run.json["degraded"], run.json["skipped_model_mismatch"], run.json["pending_vectors"]) == ([], 0, 0)


def test_a_global_memory_is_not_tied_to_a_symbol_of_one_project(p: Path) -> None:
    run = memory(p, "add", "freeze is idempotent", "--global", "--symbol", "freeze", *FAKE)
    assert run.code == MISUSE and "belongs to one project" in run.err
    identity = add(p, "freeze is idempotent", "--global")["id"]
    assert memory(p, "edit", identity, "--symbol", "freeze", *FAKE).code == MISUSE


def test_both_doctors_say_the_same_of_memories_and_mend_it(p: Path) -> None:
    import sqlite3

    (p / "shop.py").write_text(CODE, encoding="utf-8")
    (p / ".codemem.toml").write_text('embedder = "fake"\n', encoding="utf-8")
    index(p)
    add(p, "stock is frozen first")
    assert codemem("doctor", folder=p).code == memory(p, "doctor").code == FOUND
    connection = sqlite3.connect(p / ".codemem" / "codemem.db")
    connection.execute("DELETE FROM memory_posting WHERE term = (SELECT min(term) FROM memory_posting)")
    connection.commit()
    connection.close()
    fault = memory(p, "doctor").json["faults"][0]["message"]
    whole = codemem("doctor", folder=p)
    assert whole.code == NOTHING and fault in whole.out
    assert codemem("doctor", "--fix", folder=p).code == FOUND
    assert codemem("doctor", folder=p).code == memory(p, "doctor").code == FOUND
    assert hits(p, "stock frozen") == ["stock is frozen first"]


def test_a_memory_is_used_when_a_context_hands_it_out(p: Path) -> None:
    (p / "shop.py").write_text(CODE, encoding="utf-8")
    index(p)
    used = add(p, "stock is frozen before the coupon is redeemed")["id"]
    other = add(p, "tea is served at noon")["id"]
    codemem("memory", "search", "stock", "--json", folder=p)
    memory(p, "list")
    assert memory(p, "show", used).json["last_used_at"] is None
    assert "frozen" in codemem("context", "stock frozen", "--mode", "keyword", folder=p).out
    at = memory(p, "show", used).json["last_used_at"]
    assert at is not None
    assert memory(p, "show", other).json["last_used_at"] is None
    assert [entry["action"] for entry in memory(p, "history", used).json["history"]] == ["add"]
    codemem("context", "stock frozen", "--mode", "keyword", folder=p)
    assert memory(p, "show", used).json["last_used_at"] == at  # within the hour one use is noted


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("注文サービスは在庫を先に凍結する", "在庫"),
        ("주문 서비스는 재고를 먼저 동결한다", "동결한다"),
        ("Сервис заказов сначала замораживает остатки", "остатки"),
        ("Сервис заказов сначала замораживает остатки", "нет остатков"),
        ("El café réplica está en línea", "cafe replica"),
        ("Replica cafe is online", "réplica"),
        ("订单服务OrderFacade先冻结库存再核销coupon_id", "coupon_id"),
        ("订单服务OrderFacade先冻结库存再核销coupon_id", "OrderFacade"),
        ("خدمة الطلبات تجمد المخزون أولا", "المخزون"),
        ("ระบบสั่งซื้อล็อกสต็อกก่อน", "สต็อก"),
        ("🚀 deploys go out on Tuesdays 🎉", "🚀"),
    ],
)
def test_every_script_is_found_by_its_words(p: Path, text: str, query: str) -> None:
    add(p, "The queue is drained every hour")
    add(p, text)
    assert hits(p, query, "--mode", "keyword") == [text]


@pytest.mark.parametrize(
    "at", ["9999-12-31T23:59-12:00", "0001-01-01T00:00+14:00", "2026-02-30", "tomorrow", "2026-05-01T09:30+25:00"]
)
def test_a_time_that_is_none_is_misuse(p: Path, at: str) -> None:
    assert memory(p, "add", "a fact", "--valid-from", at, *FAKE).code == MISUSE
    assert memory(p, "search", "fact", "--as-of", at, *FAKE).code == MISUSE


@pytest.mark.parametrize("command", [("list",), ("search", "alpha", *FAKE)])
@pytest.mark.parametrize(
    "option", [("--limit", "0"), ("--limit", "-1"), ("--limit", "9" * 20), ("--offset", "-1"), ("--offset", "9" * 20)]
)
def test_a_number_that_counts_nothing_is_misuse(p: Path, command: tuple[str, ...], option: tuple[str, str]) -> None:
    add(p, "alpha beta")
    run = memory(p, *command, *option)
    assert run.code == MISUSE and "internal" not in run.err


def test_a_chain_in_a_file_that_lacks_its_end_is_whole_after_import(p: Path, tmp_path: Path) -> None:
    lines = [
        {
            "format": "codemem-memory-1",
            "content": "JDK is 17",
            "status": "superseded",
            "superseded_by": "01a22e68-82f5-7160-b0aa-e8553a5addd6",
        },
        {"format": "codemem-memory-1", "content": "JDK is 21", "superseded_by": "nobody"},
    ]
    file = tmp_path / "lines.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    assert memory(p, "import", str(file), *FAKE).json["new"] == 2
    assert memory(p, "doctor", *FAKE).json == {"faults": []}
    assert listed(p) == ["JDK is 21"]


def test_a_chain_of_versions_survives_deletes_and_restores(p: Path) -> None:
    ids = [add(p, f"JDK is {number}", "--key", "build.jdk")["id"] for number in (17, 21, 25)]
    assert listed(p) == ["JDK is 25"]
    memory(p, "delete", ids[2], "--yes")
    assert listed(p) == []
    assert memory(p, "restore", ids[0], *FAKE).code == FOUND
    assert [memory(p, "restore", other, *FAKE).code for other in ids[1:]] == [MISUSE, MISUSE]
    newest = add(p, "JDK is 26", "--key", "build.jdk")
    assert newest["verdict"] == "superseded_old" and listed(p) == ["JDK is 26"]
    memory(p, "delete", ids[0], "--purge", "--yes")
    assert memory(p, "doctor", *FAKE).json == {"faults": []} and listed(p) == ["JDK is 26"]


def ruin(path: Path) -> None:
    path.write_bytes(b"rubble" * 1000)
    for ending in ("-wal", "-shm"):
        path.with_name(path.name + ending).unlink(missing_ok=True)


def test_a_store_that_cannot_be_read_is_no_empty_one(p: Path) -> None:
    add(p, "The build uses JDK 21")
    ruin(p / ".codemem" / "codemem.db")
    backup = p / "backup.jsonl"
    backup.write_text("the whole one\n")
    exported = codemem("memory", "export", backup, folder=p)
    assert exported.code == MISUSE and "damaged" in exported.err and backup.read_text() == "the whole one\n"
    listed = codemem("session", "list", folder=p)
    assert listed.code == MISUSE and "damaged" in listed.err and "doctor --fix" in listed.err
    searched = codemem("memory", "search", "jdk", "--mode", "keyword", folder=p)
    assert searched.code == MISUSE and searched.err.count("damaged") == 1 and "doctor --fix" in searched.err


@pytest.mark.parametrize(
    "command", ["list", "stats", "calibrate", "doctor", "rebuild", "show abcdef", "history abcdef", "verify abcdef"]
)
@pytest.mark.parametrize("other", [False, True], ids=["alone", "beside a sound one"])
def test_half_of_the_memories_are_not_all(p: Path, command: str, other: bool) -> None:
    add(p, "The build uses JDK 21")
    if other:
        add(p, "The user drinks tea", "--global")
    ruin(p / ".codemem" / "codemem.db")
    run = codemem(
        "memory", *command.split(), *(FAKE if command in ("calibrate", "doctor", "rebuild") else ()), folder=p
    )
    lines = run.err.strip().splitlines()
    assert (run.code, run.out, len(lines)) == (MISUSE, "", 2)
    assert "codemem.db is damaged" in lines[0] and "doctor --fix" in lines[1]


def test_a_search_serves_the_store_that_can_be_read(p: Path) -> None:
    add(p, "The build uses JDK 21")
    add(p, "The user drinks tea", "--global")
    ruin(p / ".codemem" / "codemem.db")
    found = memory(p, "search", "tea", *FAKE)
    assert found.code == FOUND and [hit["content"] for hit in found.json["hits"]] == ["The user drinks tea"]
    assert "damaged" in found.err and "damaged" in found.json["degraded"][0]
    assert codemem("memory", "search", "jdk", "--mode", "keyword", folder=p).code == MISUSE
    assert [one["content"] for one in memory(p, "list", "--global").json["memories"]] == ["The user drinks tea"]


def test_doctor_looks_after_the_users_own_store(p: Path) -> None:
    add(p, "The build uses JDK 21")
    add(p, "The user drinks tea", "--global")
    index(p)
    home = next(Path(os.environ["HOME"]).rglob("global.db"))
    ruin(home)
    told = codemem("doctor", folder=p)
    assert told.code == NOTHING and "global.db is damaged" in told.out
    fixed = codemem("doctor", "--fix", folder=p)
    assert fixed.code == FOUND and "global.db" in fixed.err
    assert len(list(home.parent.glob("global.db.damaged-*"))) == 1
    assert [one["content"] for one in memory(p, "list").json["memories"]] == ["The build uses JDK 21"]


def test_a_lost_history_begins_again(p: Path) -> None:
    identity = add(p, "The build uses JDK 21")["id"]
    with closing(sqlite3.connect(p / ".codemem" / "codemem.db")) as connection, connection:
        connection.execute("DELETE FROM memory_history")
    assert codemem("memory", "doctor", *FAKE, folder=p).code == NOTHING
    assert codemem("memory", "doctor", "--fix", *FAKE, folder=p).code == FOUND
    entries = memory(p, "history", identity).json["history"]
    assert [(entry["action"], entry["actor"]) for entry in entries] == [("add", "doctor")]
    assert "JDK 21" in str(entries[0]["after"])


def test_a_list_says_that_there_are_more(p: Path) -> None:
    for place in ("Oslo", "Rome", "Kyoto"):
        add(p, f"{place} has an office")
    page = codemem("memory", "list", "-k", "2", folder=p)
    assert len(page.out.splitlines()) == 2 and "1 more: --offset 2" in page.err
    assert codemem("memory", "list", "-k", "2", "--offset", "2", folder=p).err == ""


def test_the_setting_limit_counts_for_memories_too(p: Path) -> None:
    for place in ("Oslo", "Rome", "Kyoto"):
        add(p, f"{place} has an office")
    codemem("config", "set", "limit", "2", folder=p)
    assert len(hits(p, "office")) == 2 and len(hits(p, "office", "-k", "3")) == 3


def test_calibrate_writes_percentiles_for_people(p: Path) -> None:
    for text in (
        "The build uses JDK 21",
        "Coupons come after the stock",
        "Deploys run on Mondays",
        "Logs are kept a week",
    ):
        add(p, text)
    out = codemem("memory", "calibrate", *FAKE, folder=p).out
    assert "memories: 4" in out and "nearest: p50 " in out and "{" not in out


@pytest.mark.parametrize(
    "arguments",
    [
        ("memory", "list", "--key", ""),
        ("memory", "list", "--symbol", ""),
        ("memory", "list", "--as-of", ""),
        ("memory", "search", "port", "--key", ""),
        ("memory", "search", "port", "--symbol", ""),
        ("memory", "search", "port", "--as-of", ""),
        ("memory", "add", "The port is 80", "--valid-from", ""),
        ("session", "list", "--tenant", ""),
        ("session", "append", "s", "hi", "--tenant", ""),
        ("memory", "add", "The port is 80", "--symbol="),
        ("memory", "add", "The port is 80", "--key", " "),
        ("context", "port", "--session", ""),
        ("context", "port", "--tenant", ""),
        ("context", "port", "--cube", ""),
        ("session", "search", "port", "--session", ""),
        ("search", "port", "--root", ""),
        ("--root", "", "search", "port"),
        ("memory", "--root", "", "list"),
        ("clear", "--root", "", "--yes"),
        ("search", "port", "-k", ""),
    ],
)
def test_an_option_that_an_unset_variable_left_empty_is_misuse(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    codemem("memory", "add", "The port is 8080", folder=tmp_path)
    run = codemem(*arguments, folder=tmp_path)
    assert run.code == 2 and not run.out and len(run.err.strip().splitlines()) == 2


@pytest.mark.parametrize(
    "arguments",
    [
        ("memory", "edit", "@", "--key", "", "--symbol", ""),
        ("context", "port", "--around", "", "--system", "", "--format", "messages"),
        ("memory", "search", "--", "--key", ""),
    ],
)
def test_an_empty_value_that_means_something_is_taken(p: Path, arguments: tuple[str, ...]) -> None:
    identity = add(p, "The port is 8080", "--key", "port")["id"]
    assert codemem(*(identity if one == "@" else one for one in arguments), folder=p).code in (FOUND, NOTHING)


def test_m50_a_twin_that_stood_there_before_is_no_new_name(tmp_path: Path) -> None:
    table = "CREATE TABLE {} (\n  id INT,\n  total INT\n);\n"
    for name in ("orders", "bills"):
        (tmp_path / f"{name}.sql").write_text(table.format(name), "utf-8")
    codemem("index", folder=tmp_path)
    codemem("memory", "add", "Totals are cents", "--symbol", "orders", folder=tmp_path)
    (tmp_path / "orders.sql").unlink()
    codemem("index", folder=tmp_path)
    assert "orphaned" in codemem("memory", "search", "totals", folder=tmp_path).out
    (tmp_path / "claims.sql").write_text(table.format("claims"), "utf-8")
    codemem("index", folder=tmp_path)
    hit = codemem("memory", "search", "totals", "--json", folder=tmp_path).json["hits"][0]
    assert (hit["symbol"], hit["anchor"]) == ("claims", "fresh")


@pytest.mark.parametrize(
    ("options", "marks"),
    [
        (("--valid-from", "2999-12-20", "--valid-to", "3000-01-05"), ["[from 2999-12-20]", "[until 3000-01-05]"]),
        (("--valid-from", "2001-12-20"), []),
    ],
)
def test_when_a_memory_holds_is_shown_wherever_it_is_shown(
    tmp_path: Path, options: tuple[str, ...], marks: list[str]
) -> None:
    codemem("memory", "add", "Holiday freeze: no deploys", *options, folder=tmp_path)
    (tmp_path / "a.py").write_text("def deploy():\n    pass\n", "utf-8")
    for command in (("memory", "search", "deploys"), ("memory", "list"), ("context", "deploys", "--budget", "200")):
        out = codemem(*command, folder=tmp_path).out
        assert "Holiday freeze: no deploys" in out
        assert [mark for mark in ("from", "until", "ended") if f"[{mark} " in out] == [
            mark[1:].split()[0] for mark in marks
        ]
        assert all(mark in out for mark in marks)
    joined = codemem("search", "--source", "memory", "deploys", folder=tmp_path).out
    assert all(mark[1:-1] in joined for mark in marks)


def test_a_memory_that_ended_says_so_where_it_is_asked_for(tmp_path: Path) -> None:
    ended = ("--valid-from", "2001-12-20", "--valid-to", "2002-01-05")
    codemem("memory", "add", "Holiday freeze: no deploys", *ended, folder=tmp_path)
    assert "Holiday" not in codemem("memory", "search", "deploys", folder=tmp_path).out
    for command in (("list", "--include-superseded"), ("search", "deploys", "--as-of", "2002-01-01")):
        assert "[ended 2002-01-05]" in codemem("memory", *command, folder=tmp_path).out


@pytest.mark.parametrize(
    ("text", "dated"),
    [
        ("We decided yesterday to drop MySQL", True),
        ("The table was renamed last week", True),
        ("Releases went out 3 days ago", True),
        ("我们昨天决定不再支持 MySQL", True),
        ("下周开始迁移", True),
        ("Deploys happen on the last day of the month", False),
        ("The job runs this function", False),
        ("每周五部署", False),
    ],
)
def test_a_word_like_yesterday_has_its_day_beside_it(tmp_path: Path, text: str, dated: bool) -> None:
    codemem("memory", "add", text, folder=tmp_path)
    assert ("[said 2" in codemem("memory", "list", folder=tmp_path).out) == dated


def test_what_a_known_statement_does_not_take_over_is_said(tmp_path: Path) -> None:
    known = ("memory", "add", "Holiday freeze: no deploys")
    codemem(*known, "--valid-from", "2030-12-20", "--key", "freeze", folder=tmp_path)
    again = codemem(
        *known, "--valid-from", "2031-12-20", "--valid-to", "2032-01-05", "--key", "freeze", folder=tmp_path
    )
    assert again.code == 0 and "already known" in again.out
    assert "keeps what it has for --valid-from, --valid-to: `codemem memory edit" in again.err
    assert "keeps" not in codemem(*known, "--valid-from", "2030-12-20", folder=tmp_path).err
