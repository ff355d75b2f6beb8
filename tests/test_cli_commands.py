"""The other commands, end to end: graph, proof, sharing, change reports, evaluation, watching."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.command_line import codemem, write_files
from tests.test_cli_cases import PLAIN, commit, git, holding, make_git, repository

SERVICE = """\
class OutOfStock(Exception):
    pass


class Stock:
    def freeze(self, item):
        if not item:
            raise OutOfStock(item)
        return item


class Orders:
    def __init__(self):
        self.stock = Stock()

    def create(self, item):
        return self.stock.freeze(item)


def submit(item):
    orders = Orders()
    return orders.create(item)
"""


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Path:
    files: dict[str, str | bytes] = {
        "service.py": SERVICE,
        "other.py": "def create(x):\n    return x\n",
        "tests/test_service.py": "from service import submit\n\n\ndef test_submit():\n    submit(1)\n",
    }
    return repository(tmp_path_factory.mktemp("service"), files)


def test_callers_and_callees_by_any_spelling(service: Path) -> None:
    run = codemem("callers", "Stock.freeze", "--json", folder=service)
    edge = {"caller": "Orders#create", "callee": "Stock#freeze", "path": "service.py", "line": 17, "order": 1}
    assert run.json["symbol"] == "Stock.freeze"
    assert [{**found, **edge} for found in run.json["edges"]] == run.json["edges"] and len(run.json["edges"]) == 1
    assert codemem("callers", "freeze()", folder=service).out.startswith("service.py:17  ← Orders#create")
    deep = codemem("callers", "freeze", "--depth", "3", "--json", folder=service).json["edges"]
    assert ("submit", 2) in {(found["caller"], found["depth"]) for found in deep}
    callees = codemem("callees", "submit", "--json", folder=service).json["edges"]
    assert "Orders#create" in {found["callee"] for found in callees}


def test_a_name_in_a_file_is_meant_from_the_folder_one_stands_in(tmp_path: Path) -> None:
    code = "def run():\n    return 1\n"
    folder = write_files(tmp_path, {"a/tool.py": code, "b/tool.py": code.replace("1", "2")})
    codemem("index", folder=folder)
    assert "return 2" in codemem("show", "tool.py::run", folder=folder / "b").out
    assert "return 1" in codemem("show", "a/tool.py:run", folder=folder).out


@pytest.mark.parametrize("command", ["callers", "callees", "trace", "show"])
def test_p13_an_unknown_symbol_is_an_error_with_near_names(service: Path, command: str) -> None:
    run = codemem(command, "freze", folder=service)
    assert run.code == 2 and run.out == "" and "did you mean freeze?" in run.err


def test_an_ambiguous_symbol_lists_its_candidates(service: Path) -> None:
    run = codemem("callers", "create", folder=service)
    assert run.code == 2 and "names 2 definitions" in run.err
    assert "Orders#create (service.py:16)" in run.err and "create (other.py:1)" in run.err
    shown = codemem("show", "create", folder=service)
    assert shown.code == 0 and "service.py:16-17" in shown.out and "other.py:1-2" in shown.out


def test_a_definition_that_nobody_calls_is_exit_1(service: Path) -> None:
    run = codemem("callers", "other.create", folder=service)
    assert run.code == 1 and run.out == "" and "nothing calls" in run.err


def test_trace_shows_the_way(service: Path) -> None:
    run = codemem("trace", "submit", "freeze", "--json", folder=service)
    assert [edge["callee"] for edge in run.json["paths"][0]] == ["Orders#create", "Stock#freeze"]
    assert "Orders#create → Stock#freeze" in codemem("trace", "submit", "freeze", folder=service).out
    assert codemem("trace", "freeze", "submit", folder=service).code == 1


@pytest.mark.parametrize(("format", "words"), [("mermaid", "flowchart LR"), ("dot", "digraph")])
def test_graphs_are_drawn(service: Path, format: str, words: str) -> None:
    assert words in codemem("callees", "submit", "--format", format, folder=service).out


def test_raises_follows_calls(service: Path) -> None:
    sites = codemem("raises", "OutOfStock", "--json", folder=service).json["sites"]
    roles = {(site["qualified_name"], site["role"]) for site in sites}
    assert {("Stock#freeze", "raise"), ("Orders#create", "propagate"), ("submit", "propagate")} <= roles
    assert codemem("raises", "OutOfStok", folder=service).code == 2


@pytest.mark.parametrize(
    ("type", "code", "said"),
    [
        ("ValueError", 1, "nothing raises, declares or catches ValueError"),  # a class of the repository, never raised
        ("outofstock", 2, "did you mean `OutOfStock`?"),
        ("valueerror", 2, "did you mean `ValueError`?"),
        ("OutOfStok", 2, "did you mean `OutOfStock`?"),
        ("", 2, "the error type is empty"),
        ("  ", 2, "the error type is empty"),
    ],
)
def test_raises_knows_classes_that_nothing_raises(tmp_path: Path, type: str, code: int, said: str) -> None:
    files = {"service.py": SERVICE, "errors.py": "class ValueError(Exception):\n    pass\n"}
    run = codemem("raises", type, folder=repository(tmp_path, files))
    assert run.code == code and said in run.err and run.out == ""


FILTERS = {
    ("search", "stock"): ("lang", "kind", "path", "source", "raises", "calls"),
    ("context", "stock"): ("lang", "kind"),
    ("outline", "."): ("lang", "kind"),
}


@pytest.mark.parametrize(("command", "option"), [(row, name) for row, names in FILTERS.items() for name in names])
@pytest.mark.parametrize("value", ["", "  ", ","])
def test_a_filter_without_a_value_is_no_filter_for_everything(
    service: Path, command: tuple[str, str], option: str, value: str
) -> None:
    run = codemem(*command, f"--{option}", value, folder=service)
    assert run.code == 2 and run.out == "" and f"--{option} has no value" in run.err


def test_kinds_are_known_by_every_command_and_index(service: Path) -> None:
    for command in (("search", "stock"), ("outline", ".")):
        assert codemem(*command, "--kind", "Macro", folder=service).code == 1  # known, but none stands here
        wrong = codemem(*command, "--kind", "functoin", folder=service)
        assert wrong.code == 2 and "did you mean `function`?" in wrong.err
    assert codemem("outline", "", folder=service).code == 2
    from codemem.parse.records import DEFINITION_KINDS
    from codemem.store.status import CHUNK_KINDS

    assert {*DEFINITION_KINDS, "module", "section"} == CHUNK_KINDS


def test_show_prints_card_and_code(service: Path) -> None:
    out = codemem("show", "Orders#create", folder=service).out
    assert "calls: Stock#freeze" in out and "raises: OutOfStock (via Stock#freeze)" in out
    assert "    17 │         return self.stock.freeze(item)" in out


def test_an_error_that_is_raised_here_and_let_through_is_told_as_both(tmp_path: Path) -> None:
    text = "def a(n):\n    if n:\n        raise ValueError(n)\n    b()\n\n\ndef b():\n    raise ValueError(1)\n"
    folder = write_files(tmp_path, {"a.py": text})
    assert "raises: ValueError (raised; via b)" in codemem("show", "a", folder=folder).out
    assert "raises: ValueError (raised; via b)" in codemem("search", "a", folder=folder).out
    assert codemem("verify", folder=folder).code == 0


def test_outline_has_interfaces_without_bodies(service: Path) -> None:
    out = codemem("outline", "service.py", folder=service).out
    assert "def create(self, item)   raises OutOfStock" in out and "return" not in out
    assert codemem("outline", "nowhere", folder=service).code == 1


def test_search_by_contract_and_by_call(service: Path) -> None:
    hits = codemem("search", "order", "--raises", "OutOfStock", "--all-chunks", "--json", folder=service).json["hits"]
    assert hits and all(any(fact["type"] == "OutOfStock" for fact in hit["contract"]) for hit in hits)
    hits = codemem("search", "order", "--calls", "Stock#freeze", "--all-chunks", "--json", folder=service).json["hits"]
    assert {hit["qualified_name"] for hit in hits} == {"Orders#create"}


@pytest.mark.parametrize(
    ("filters", "said"),
    [
        (("--raises", "OutOfStok"), "no error type `OutOfStok` in the index; did you mean `OutOfStock`?"),
        (
            ("--calls", "Stock#freez"),
            "no definition is called `Stock#freez`, and nothing calls it; did you mean freeze?",
        ),
        (("--path", "nowhere"), "no indexed file is `nowhere` or lies below it"),
        (("--path", "service.py", "--kind", "module"), "the filters may exclude it"),
    ],
)
def test_an_empty_answer_names_the_filter_that_nothing_can_meet(
    service: Path, filters: tuple[str, ...], said: str
) -> None:
    run = codemem("search", "zebra", *filters, folder=service)
    assert run.code == 1 and said in run.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("search", "x", "--source", "memory", "--raises", "OutOfStock"), "--raises narrows code"),
        (("search", "x", "--source", "memory", "--lang", "py"), "--lang narrows code"),
        (("search", "x", "--json", "--format", "paths"), "--json and --format paths"),
        (("callers", "freeze", "--json", "--format", "dot"), "--json and --format dot"),
        (("context", "freeze", "--json", "--format", "markdown"), "--json and --format markdown"),
        (("context", "freeze", "--system", "Be brief."), "--system belongs to --format messages"),
    ],
)
def test_arguments_that_contradict_each_other_are_misuse(service: Path, arguments: tuple[str, ...], said: str) -> None:
    run = codemem(*arguments, folder=service)
    assert run.code == 2 and said in run.err and not run.out


def test_explain_and_context(service: Path) -> None:
    assert "score " in codemem("search", "freeze", "--explain", folder=service).out
    hit = codemem("search", "freeze", "--context", "1", "--json", folder=service).json["hits"][0]
    assert len(hit["text"].split("\n")) <= 3


LEFT_OUT = {"a.py": "def alpha():\n    pass\n", "odd.bin": b"\0\1", "broken.py": "def (:\n"}


def test_what_was_left_out_is_listed_when_it_is_news(tmp_path: Path) -> None:
    folder = write_files(tmp_path, LEFT_OUT)
    first = codemem("index", folder=folder).out
    assert "odd.bin" in first and "broken.py" in first and "as before" not in first
    again = codemem("index", folder=folder).out
    assert (
        "odd.bin" not in again
        and "1 skipped file (1 binary) and 1 problem as before: `codemem status` lists them" in again
    )
    write_files(folder, {"new.bin": b"\0"})
    changed = codemem("index", folder=folder).out
    assert "skipped 1 file:" in changed and "new.bin" in changed and "odd.bin" not in changed
    assert "odd.bin" in codemem("index", "--full", folder=folder).out
    told = codemem("status", folder=folder).out
    assert "odd.bin" in told and "broken.py" in told
    assert [one["path"] for one in codemem("status", "--json", folder=folder).json["problems"]] == ["broken.py"]


@pytest.mark.parametrize("more", [(), ("--full",)])
def test_quiet_says_nothing_when_all_is_well(tmp_path: Path, more: tuple[str, ...]) -> None:
    folder = write_files(tmp_path, LEFT_OUT)
    for _ in range(2):
        run = codemem("index", "-q", *more, folder=folder)
        assert (run.code, run.out, run.err) == (0, "", "")
    assert codemem("index", "-q", "--json", folder=folder).json["files"] == 2
    (tmp_path / "empty").mkdir()
    nothing = codemem("index", "-q", "--root", tmp_path / "empty", folder=tmp_path)
    assert (nothing.code, nothing.out) == (0, "") and "nothing to index" in nothing.err


def test_verify_counts_in_words(tmp_path: Path) -> None:
    folder = write_files(tmp_path, {"a.py": "def alpha():\n    pass\n", "b.bin": b"\0"})
    codemem("index", folder=folder)
    told = codemem("verify", folder=folder).out
    assert "compared 1 file, 1 skipped file, 0 problems, 0 imports, " in told and "1 resolved file" in told


def test_verify_says_equal(tmp_path: Path) -> None:
    folder = repository(tmp_path, {"service.py": SERVICE, "a.py": PLAIN})
    write_files(folder, {"a.py": "def changed():\n    pass\n"})
    codemem("index", folder=folder)
    run = codemem("verify", "--json", folder=folder)
    assert run.code == 0 and run.json["equal"] is True and run.json["differences"] == []
    assert "equal to a clean rebuild" in codemem("verify", folder=folder).out


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({}, ""),
        ({"a.py": "def changed():\n    pass\n"}, "1 file differs"),
        ({"a.py": "def changed():\n    pass\n", "b.py": "def added():\n    changed()\n"}, "2 files differ"),
    ],
)
def test_verify_refreshes_a_stale_index_first_and_says_so(tmp_path: Path, changed: dict[str, str], why: str) -> None:
    folder = repository(tmp_path, {"service.py": SERVICE, "a.py": PLAIN})
    write_files(folder, changed)
    run = codemem("verify", "--json", folder=folder)
    assert run.code == 0 and run.json["equal"] is True and run.json["refreshed"] == why
    assert (f"the index was stale ({why}): refreshed it before comparing" in run.err) == bool(why)
    assert codemem("verify", "--json", folder=folder).json["refreshed"] == ""


def test_verify_shows_what_differs(tmp_path: Path) -> None:
    import sqlite3

    folder = repository(tmp_path, {"a.py": PLAIN})
    connection = sqlite3.connect(folder / ".codemem/codemem.db")
    connection.execute("UPDATE chunk SET signature = 'def wrong()' WHERE name = 'check_stock'")
    connection.commit()
    connection.close()
    run = codemem("verify", folder=folder)
    assert run.code == 1 and "wrong" in run.out


def test_o50_doctor_is_not_zero_on_a_broken_store(tmp_path: Path) -> None:
    folder = repository(tmp_path, {"a.py": PLAIN})
    assert codemem("doctor", folder=folder).code == 0
    store = folder / ".codemem/codemem.db"
    content = bytearray(store.read_bytes())
    content[100:20_000] = b"\xff" * 19_900
    for ending in ("-wal", "-shm"):
        (folder / f".codemem/codemem.db{ending}").unlink(missing_ok=True)
    store.write_bytes(content)
    broken = codemem("doctor", "--json", folder=folder)
    assert broken.code == 1 and any(one["severity"] == "error" for one in broken.json["findings"])
    codemem("doctor", "--fix", folder=folder)
    assert holding(folder, "check_stock") == ["a.py"]


def test_export_and_import(tmp_path: Path) -> None:
    folder = repository(tmp_path / "one", {"a.py": PLAIN, "service.py": SERVICE})
    file = tmp_path / "index.cmx"
    run = codemem("export", file, "--json", folder=folder)
    assert run.code == 0 and file.stat().st_size == run.json["size_bytes"]
    first = file.read_bytes()
    codemem("export", file, folder=folder)
    assert file.read_bytes() == first
    other = write_files(tmp_path / "two", {"a.py": PLAIN, "service.py": SERVICE})
    assert codemem("import", file, folder=other).code == 0
    report = codemem("index", "--json", folder=other).json
    assert report["embedded"] == 0 and holding(other, "check_stock") == ["a.py"]
    file.write_bytes(first[:-10])
    assert codemem("import", file, folder=other).code == 2
    assert codemem("import", tmp_path / "missing", folder=other).code == 2


def test_ci_reports_what_callers_meet(tmp_path: Path) -> None:
    folder = repository(tmp_path / "r", {"service.py": SERVICE}, with_git=True)
    write_files(folder, {"service.py": SERVICE.replace("def submit(item):", "def submit(item, retry):")})
    commit(folder)
    summary = tmp_path / "summary.md"
    run = codemem("ci", "--base", "HEAD~1", "--summary", summary, "--json", folder=folder)
    assert run.code == 0 and [change["qualified_name"] for change in run.json["interfaces"]["changed"]] == ["submit"]
    assert "submit" in summary.read_text()
    write_files(folder, {"service.py": SERVICE.split("def submit")[0]})
    commit(folder)
    assert codemem("ci", "--base", "HEAD~1", "--fail-on", "removed", folder=folder).code == 1
    wrong = codemem("ci", "--fail-on", "everything", folder=folder)
    assert wrong.code == 2 and "known values: stale, contract, removed, memory" in wrong.err


def test_eval_measures_and_compares(service: Path, tmp_path: Path) -> None:
    lines = [
        {"question": "who freezes the stock", "relevant": ["service.py"], "category": "a"},
        {"question": "createOrder", "relevant": ["nowhere.py"], "category": "b"},
    ]
    file, run_file = tmp_path / "questions.jsonl", tmp_path / "run.json"
    file.write_text("\n".join(map(json.dumps, lines)))
    run = codemem("eval", file, "--json", "--save", run_file, folder=service)
    assert [group["group"] for group in run.json["summaries"]] == ["all", "a", "b"]
    assert run.json["summaries"][1]["ndcg"] == 1.0 and run.json["summaries"][2]["ndcg"] == 0.0
    again = codemem("eval", file, "--compare", run_file, folder=service)
    assert again.code == 0 and "NDCG@10" in again.out and "+0.000" in again.out
    for text, says in (("no json", "line 1 is no question"), ('{"question": "x"}', "'relevant' is missing")):
        file.write_text(text)
        refused = codemem("eval", file, folder=service)
        assert refused.code == 2 and says in refused.err
    missing = codemem("eval", tmp_path / "none.jsonl", folder=service)
    assert missing.code == 2 and "[Errno" not in missing.err


def test_watch_refreshes_and_ends_politely(tmp_path: Path) -> None:
    folder = write_files(tmp_path, {"a.py": PLAIN})
    process = subprocess.Popen(
        [sys.executable, "-m", "codemem", "watch", "--debounce", "50", "--json"],
        cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])},
    )  # fmt: skip
    assert process.stdout is not None and process.stderr is not None
    with process:
        assert json.loads(process.stdout.readline())["added"] == 1
        while "watching" not in process.stderr.readline():
            pass
        for attempt in range(20):  # the watcher may not be listening at the first change
            write_files(folder, {f"b{attempt}.py": "def later():\n    pass\n"})
            time.sleep(0.3)
            if holding(folder, "later", "--no-refresh"):
                break
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=30) == 0
    assert holding(folder, "later", "--no-refresh")


def test_watch_does_not_answer_its_own_log_and_sees_what_git_alone_changes(tmp_path: Path) -> None:
    """The log stands in the repository; a file becomes tracked, and then committed, without being written."""
    root = tmp_path / "node_modules" / "own"  # where the repository itself stands says nothing about its folders
    folder = repository(root, {"a.py": PLAIN}, with_git=True)
    write_files(folder, {".git/info/exclude": "notes.md\n", "notes.md": "# Unheard of\n"})
    log = folder / "watch.log"
    with log.open("w") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "codemem", "watch", "--debounce", "50"], cwd=folder, stdout=out, stderr=out,
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])},
        )  # fmt: skip
    with process:
        wait_until(lambda: "watching" in log.read_text())
        for attempt in range(20):  # the watcher may not be listening at the first change
            write_files(folder, {f"b{attempt}.py": "def later():\n    pass\n"})
            time.sleep(0.3)
            if holding(folder, "later", "--no-refresh"):
                break
        git(folder, "add", "--force", "notes.md")
        wait_until(lambda: holding(folder, "Unheard of", "--no-refresh", "--source", "docs") == ["notes.md"])
        before = codemem("status", "--json", folder=folder).json["commit"]
        git(folder, "commit", "--quiet", "--message", "notes")
        wait_until(lambda: codemem("status", "--json", folder=folder).json["commit"] != before)
        time.sleep(0.5)
        told = log.read_text().count("\n")
        time.sleep(1.0)
        assert log.read_text().count("\n") == told
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=30) == 0


def wait_until(true: Callable[[], bool]) -> None:
    """Wait for what another process does; a minute is longer than it ever takes."""
    end = time.monotonic() + 60
    while not true():
        assert time.monotonic() < end
        time.sleep(0.1)


@pytest.mark.parametrize("variable", ["CODEMEM_LIMIT", "CODEMEM_REFRESH_SECONDS"])
def test_a_wrong_environment_variable_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str) -> None:
    monkeypatch.setenv(variable, "many")
    run = codemem("search", "x", folder=write_files(tmp_path, {"a.py": PLAIN}))
    assert run.code == 2 and variable in run.err


def test_git_is_not_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write_files(tmp_path, {"a.py": PLAIN})
    make_git(folder)
    monkeypatch.setenv("PATH", "")
    run = codemem("search", "check_stock", "--json", folder=folder)
    assert run.code == 0 and run.paths[0] == "a.py"


def test_paths_are_meant_from_the_folder_one_stands_in(tmp_path: Path) -> None:
    folder = repository(tmp_path, {"src/deep/a.py": PLAIN, "b.py": "def bee():\n    pass\n"})
    below = folder / "src"
    for place in ("deep/a.py:2", "./deep/a.py:1-2", "src/deep/a.py:1"):
        assert codemem("show", place, folder=below).out.startswith("deep/a.py:1-2\n")
    for path in ("deep", "src/deep", "deep/a.py", "."):
        assert codemem("outline", path, "--json", folder=below).json["files"][0]["path"] == "src/deep/a.py"
    assert (
        holding(below, "check_stock", "--path", "deep")
        == ["src/deep/a.py"]
        == holding(below, "check_stock", "--path", "src")
    )
    assert codemem("outline", "../..", folder=below).code == 2


def test_paths_from_a_folder_outside_of_the_root_are_meant_from_the_root(tmp_path: Path) -> None:
    folder = repository(tmp_path / "one", {"src/a.py": PLAIN})
    other = tmp_path / "other"
    (other / "src").mkdir(parents=True)  # a folder of the same name where one stands must not hide the root's
    for path in ("src", "./src", ".", "src/"):
        run = codemem("outline", path, "--json", "--root", str(folder), folder=other)
        assert (run.code, [file["path"] for file in run.json["files"]]) == (0, ["src/a.py"]), path
    found = codemem("search", "check_stock", "--path", "src", "--json", "--root", str(folder), folder=other)
    assert found.paths == ["src/a.py"]
    for path in ("../other", str(other)):
        assert codemem("outline", path, "--root", str(folder), folder=other).code == 2


def test_another_run_is_named_and_waited_for(tmp_path: Path) -> None:
    from threading import Timer

    from codemem.lock import writer_lock

    folder = write_files(tmp_path, {"a.py": PLAIN})
    with writer_lock(folder / ".codemem", "index of somebody"):
        run = codemem("index", folder=folder)
        assert run.code == 2 and "another index run is active" in run.err and "index of somebody" in run.err
    lock = writer_lock(folder / ".codemem")
    lock.__enter__()
    Timer(0.3, lambda: lock.__exit__(None, None, None)).start()
    assert codemem("index", "--wait", folder=folder).code == 0


def test_search_answers_while_another_run_writes(tmp_path: Path) -> None:
    from codemem.lock import writer_lock

    folder = repository(tmp_path, {"a.py": PLAIN})
    write_files(folder, {"b.py": "def later():\n    pass\n"})
    with writer_lock(folder / ".codemem", "another"):
        run = codemem("search", "check_stock", "--json", folder=folder)
    assert run.code == 0 and run.json["index"]["fresh"] is False and "not refreshed: another index run" in run.err


def test_rerank_without_a_model_says_how_to_get_one(service: Path) -> None:
    run = codemem("search", "keep the order", "--rerank", folder=service)
    assert run.code == 2 and "no cross-encoder is chosen" in run.err and "config set reranker" in run.err


JAVA_CONTRACT = """\
class Stock {
    void freeze() throws java.io.IOException { throw new java.io.IOException("full"); }
    void idle() throws java.io.IOException { this.rest(); }
    private void rest() { int a = 1; }
}
"""


def test_contracts_that_are_not_kept_are_said(tmp_path: Path) -> None:
    folder = repository(tmp_path, {"Stock.java": JAVA_CONTRACT})
    assert "mismatch: IOException is declared but never raised" in codemem("show", "Stock#idle", folder=folder).out
    assert "mismatch" not in codemem("show", "Stock#freeze", folder=folder).out
    run = codemem("doctor", "--contracts", "--json", folder=folder)
    assert run.code == 1 and [row["qualified_name"] for row in run.json["mismatches"]] == ["Stock#idle"]
    assert "Stock.java:3" in codemem("doctor", "--contracts", folder=folder).out


def test_raises_folds_what_is_in_tests(tmp_path: Path) -> None:
    code = "def check(x):\n    raise KeyError(x)\n"
    folder = write_files(tmp_path, {"shop.py": code, "tests/test_shop.py": code.replace("check", "test_check")})
    few = codemem("raises", "KeyError", folder=folder)
    assert few.out.splitlines() == ["shop.py:2  raise     check", "… and 1 place in tests (--all lists them)"]
    assert len(codemem("raises", "KeyError", "--all", folder=folder).out.splitlines()) == 2
    assert len(codemem("raises", "KeyError", "--json", folder=folder).json["sites"]) == 2


def test_raises_says_where_contracts_keep_the_nearest_errors_only(tmp_path: Path) -> None:
    kinds = [f"class Fault{number}(Exception):\n    pass\n" for number in range(32)]
    raising = "".join(f"    if n == {number}:\n        raise Fault{number}()\n" for number in range(32))
    code = (
        "class Late(Exception):\n    pass\n"
        + "".join(kinds)
        + f"def near(n):\n{raising}"
        + "def farther():\n    raise Late()\n\n\ndef far():\n    farther()\n\n\ndef few():\n    far()\n\n\n"
        + "def crowded(n):\n    near(n)\n    far()\n\n\ndef above(n):\n    crowded(n)\n\n\ndef beside(n):\n    near(n)\n"
    )
    folder = write_files(tmp_path, {"a.py": code})
    late = codemem("raises", "Late", folder=folder)
    assert [line.split()[1:3] for line in late.out.splitlines()] == [
        ["raise", "farther"], ["propagate", "far"], ["propagate", "few"],
    ]  # fmt: skip
    assert "2 more definitions may let it through: so many errors leave them" in late.err
    assert codemem("raises", "Late", "--json", folder=folder).json["untold"] == 2
    searched = codemem("search", "far", "--raises", "Late", "--all-chunks", "--json", folder=folder)
    assert {hit["qualified_name"] for hit in searched.json["hits"]} == {"farther", "far", "few"}
    assert searched.json["untold"] == 2 and "2 more definitions may let it through" in searched.err
    assert codemem("search", "far", "--raises", "Fault7", "--json", folder=folder).json["untold"] == 0
    assert "untold" not in codemem("search", "far", "--json", folder=folder).json
    near = codemem("raises", "Fault7", folder=folder)
    assert "may let it through" not in near.err and "propagate above" in near.out


def test_an_index_keeps_the_model_it_was_built_with(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def create_order():\n    return 1\n", encoding="utf-8")
    assert codemem("index", "--embedder", "fake:64", folder=tmp_path).code == 0
    run = codemem("search", "create_order", folder=tmp_path)
    assert run.code == 0 and "embedder" not in run.err
    assert codemem("status", "--json", folder=tmp_path).json["embedder"] == "fake:64"
    assert codemem("index", folder=tmp_path).code == 0
    assert codemem("status", "--json", folder=tmp_path).json["dimension"] == 64
    assert codemem("index", "--embedder", "fake:96", folder=tmp_path).code == 0
    assert codemem("status", "--json", folder=tmp_path).json["dimension"] == 96
