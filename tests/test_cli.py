"""The door: exit codes, messages, streams, the table of commands, and what start-up imports."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from codemem.cli.commands import COMMANDS
from codemem.cli.engine import SubApp, _queries_last, load_command
from codemem.errors import CodememError
from tests.command_line import codemem

HEAVY = ("faiss", "numpy", "torch", "onnxruntime", "tree_sitter", "pathspec", "rich", "pygments", "sqlite3", "click")


@pytest.mark.parametrize("row", COMMANDS, ids=lambda row: row.name)
def test_the_table_says_what_the_command_says(row) -> None:  # type: ignore[no-untyped-def]
    command = load_command(row)
    assert command.help.splitlines()[0] == row.help


@pytest.mark.parametrize("row", COMMANDS, ids=lambda row: row.name)
def test_every_command_shows_help_and_takes_the_common_options(row, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    run = codemem(row.name, "--help", folder=tmp_path)
    assert run.code == 0 and run.out.startswith(f"Usage: codemem {row.name}") and run.err == ""
    if not isinstance(getattr(sys.modules[row.module], row.attribute), SubApp):
        for option in ("--root", "--json", "--quiet", "--debug"):
            assert option in run.out


@pytest.mark.parametrize("group", ["memory", "session", "config"])
def test_groups_take_the_common_options_too(tmp_path: Path, group: str) -> None:
    command = {"memory": ["list"], "session": ["list"], "config": ["show"]}[group]
    (tmp_path / "here").mkdir()
    outside = codemem(group, "--root", tmp_path / "here", "--json", *command, folder=tmp_path)
    inside = codemem(group, *command, "--json", "--root", tmp_path / "here", folder=tmp_path)
    before = codemem("--root", tmp_path / "here", "--json", group, *command, folder=tmp_path)
    assert outside == inside == before and (group == "session" or outside.json)


@pytest.mark.parametrize("arguments", [("--help",), ("-h",), ()])
def test_help_lists_every_command(arguments: tuple[str, ...], tmp_path: Path) -> None:
    run = codemem(*arguments, folder=tmp_path)
    assert run.code == 0
    assert [row.name for row in COMMANDS if not re.search(rf"^  {row.name} ", run.out, re.M)] == []


def test_version(tmp_path: Path) -> None:
    assert re.fullmatch(r"codemem \S.*\n", codemem("--version", folder=tmp_path).out)


@pytest.mark.parametrize(
    ("arguments", "message", "remedy"),
    [
        (("serach",), "no command `serach`. Did you mean `search`?", "see `codemem --help`"),
        (("config", "shwo"), "No such command 'shwo'. Did you mean 'show'?", "see `codemem config --help`"),
        (("search", "--lnag", "py"), "No such option: --lnag", "see `codemem search --help`"),
        (("search",), "Missing argument", "see `codemem search --help`"),
        (("search", "--limit", "0", "x"), "Invalid value for '--limit'", "see `codemem search --help`"),
        (("search", "--mode", "fuzzy", "x"), "Invalid value for '--mode'", "see `codemem search --help`"),
        (("search", ""), "the query is empty", "say what you are looking for"),
        (("search", "  ", "\t"), "the query is empty", "say what you are looking for"),
        (("config", "set", "limit", "0"), "`limit` cannot be 0", "give a whole number, 1 or more"),
        (("config", "set", "embedder", "nosuch"), "unknown embedding model: nosuch", "known are fake"),
        (("config", "set", "limt", "3"), "unknown setting `limt`", "did you mean `limit`?"),
        (("search", "x", "--root", "/no/such/folder"), "/no/such/folder", ""),
    ],
)
def test_misuse_is_two_lines_and_exit_2(arguments: tuple[str, ...], message: str, remedy: str, tmp_path: Path) -> None:
    run = codemem(*arguments, folder=tmp_path)
    lines = run.err.splitlines()
    assert run.code == 2 and run.out == ""
    assert len(lines) == 2 and lines[0].startswith("codemem: ") and message in lines[0] and remedy in lines[1]


def test_debug_shows_the_traceback(tmp_path: Path) -> None:
    with pytest.raises(CodememError):
        codemem("--debug", "search", "", folder=tmp_path)


@pytest.mark.parametrize(
    ("given", "understood"),
    [
        (["-x"], ["--", "-x"]),
        (["--help me"], ["--", "--help me"]),
        (["--limit", "3", "-foo bar"], ["--limit", "3", "--", "-foo bar"]),
        (["--limit=3", "--path=a b", "x"], ["--limit=3", "--path=a b", "x"]),
        (["--path", "- odd", "x"], ["--path", "- odd", "x"]),
        (["-x", "word"], ["-x", "word"]),
        (["--lnag", "py"], ["--lnag", "py"]),
        (["-k3", "x"], ["-k3", "x"]),
        (["--", "-x"], ["--", "-x"]),
        (["--help"], ["--help"]),
    ],
)
def test_a_query_may_begin_with_a_dash(given: list[str], understood: list[str]) -> None:
    row = next(row for row in COMMANDS if row.name == "search")
    assert _queries_last(given, load_command(row).params) == understood


def python(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=False, **options)  # type: ignore[call-overload,no-any-return]


@pytest.mark.parametrize("arguments", [["--help"], ["search", "--help"], ["config", "show", "--help"]])
def test_start_up_imports_nothing_heavy(arguments: list[str]) -> None:
    code = (
        "import sys; from codemem.cli import main; main(sys.argv[1:]);"
        f"print([name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)"
    )
    assert python("-c", code, *arguments).stderr.strip() == "[]"


def test_a_closed_pipe_is_success() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    process = subprocess.run(
        [sys.executable, "-m", "codemem", "--help"], stdout=writer, stderr=subprocess.PIPE, check=False
    )
    os.close(writer)
    assert process.returncode == 0 and process.stderr == b""


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", "<&- >&- 2>&-"])
def test_closed_streams_are_no_error(closed: str, tmp_path: Path) -> None:
    """The store must not be opened as file number 1, where a print would write into it."""
    (tmp_path / "a.py").write_text("def answer():\n    return 42\n")
    command = f'"$0" -m codemem search answer --root "$1" {closed}'
    process = subprocess.run(
        ["sh", "-c", command, sys.executable, str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert process.returncode == 0
    assert ("a.py:1-2" in process.stdout) == (">&-" not in closed.replace("2>&-", ""))


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_script_is_offered(shell: str) -> None:
    process = python("-m", "codemem", env={**os.environ, "_CODEMEM_COMPLETE": f"source_{shell}"})
    assert process.returncode == 0 and "_CODEMEM_COMPLETE" in process.stdout


def test_config_set_and_show(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "xdg"))
    folder = tmp_path / "repository"
    folder.mkdir()
    assert codemem("config", "set", "limit", "7", folder=folder).code == 0
    shown = codemem("config", "show", "limit", "--json", folder=folder).json
    assert shown["settings"] == {"limit": {"value": 7, "origin": "project: .codemem.toml"}}
    assert codemem("config", "show", folder=folder).out.count("\n") > 5


def test_languages(tmp_path: Path) -> None:
    rows = codemem("languages", "--json", folder=tmp_path).json["languages"]
    assert {"python", "java"} <= {row["name"] for row in rows}
    assert codemem("languages", folder=tmp_path).out.startswith("language")


def test_progress_off_a_terminal_is_a_line_now_and_then(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from codemem.cli import progress
    from codemem.cli.door import Door

    clock = iter([0.0, 1.0, 6.0, 7.0, 12.0])
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(clock))
    with progress.shown_progress(Door()) as tell:
        assert tell is not None
        for stage, done, total in (("walk", 0, 0), ("parse", 10, 90), ("parse", 20, 90), ("resolve", 7, 0)):
            tell(stage, done, total)
    assert capsys.readouterr().err == "reading and parsing: 10 of 90 (6 s)\nresolving calls: 7 (12 s)\n"
    with progress.shown_progress(Door(quiet=True)) as tell:
        assert tell is None


def test_progress_on_a_terminal_shows_one_stage_at_a_time() -> None:
    from codemem.cli.progress import QUIET_FIRST_SECONDS, _Bar

    bar = _Bar()
    bar("walk", 0, 0)
    assert bar.bar is None, "work that may end at once shows nothing"
    bar.start -= QUIET_FIRST_SECONDS
    bar("parse", 1, 2)
    bar("resolve", 0, 0)
    shown = [(task.description, task.total) for task in bar.bar.tasks if task.visible]
    bar.close()
    assert shown == [("resolving calls", None)]


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("createOrdar", True), ("OrderService", True), ("create_order", True), ("A#b", True), ("std::vector", True), ("go()", True),
        ("os.path", True), ("order", False), ("how does it work", False), ("a createOrder", False), ("38.101", True), ("", False),
    ],
)  # fmt: skip
def test_only_names_are_missed_by_name(query: str, name: bool) -> None:
    from codemem.cli.search import looks_like_a_name

    assert looks_like_a_name(query) is name
