"""Faults that users of tools like this one reported, as the smallest input that shows each and the right behaviour."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.command_line import Run, codemem, write_files

JAVA = """\
package com.shop;

/** Creates orders. */
public class OrderService {
    /** Checks the risk and saves. */
    public Order createOrder(Request request) throws OutOfStock {
        risk.check(request);
        return dao.insert(request);
    }
}
"""
PLAIN = "def check_stock(item):\n    return item.count > 0\n"
AS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", "-C", str(folder), *arguments], check=True, capture_output=True)


def make_git(folder: Path) -> None:
    """Make `folder` a git repository with one commit of all that is there."""
    git(folder, "init", "-q", "-b", "main")
    commit(folder)


def commit(folder: Path) -> None:
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--allow-empty", "-m", "state")


def repository(folder: Path, files: dict[str, str | bytes], with_git: bool = False) -> Path:
    """Write the files and index them."""
    write_files(folder, files)
    if with_git:
        make_git(folder)
    run = codemem("index", folder=folder)
    assert run.code == 0, run.err
    return folder


def found(folder: Path, query: str, *options: str) -> list[str]:
    """Return the paths that a search finds, none when it finds nothing."""
    run = codemem("search", "--json", *options, "--", query, folder=folder)
    assert run.code in (0, 1), run.err
    assert run.code == (0 if run.json["count"] else 1)
    return run.paths


def holding(folder: Path, word: str, *options: str) -> list[str]:
    """Return the paths of the hits that hold the word itself: what is near in meaning does not count."""
    run = codemem("search", "--json", "--mode", "keyword", *options, "--", word, folder=folder)
    return [hit["path"] for hit in run.json["hits"] if word in hit["text"]]


def state(folder: Path) -> dict[str, object]:
    """Return what a rebuild must reproduce: counts, and every definition with its place and contract."""
    status = codemem("status", "--json", folder=folder).json
    outline = codemem("outline", "--json", "--no-refresh", folder=folder)
    return {
        "files": status["files"],
        "chunks": status["chunks"],
        "skipped": status["skipped"],
        "outline": outline.json["files"],
    }


def assert_equals_clean_build(folder: Path) -> None:
    before = state(folder)
    assert codemem("index", "--full", folder=folder).code == 0
    assert state(folder) == before


# --- parsing ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "deep",
    ["int x = " + "(" * 20_000 + "1" + ")" * 20_000 + ";\n", "int x = " + " + ".join(["1"] * 30_000) + ";\n"],
    ids=["parentheses", "sum"],
)
def test_p1_a_deep_file_does_not_end_the_run(tmp_path: Path, deep: str) -> None:
    repository(tmp_path, {"deep.c": deep, "ok.py": PLAIN})
    assert found(tmp_path, "check_stock")[0] == "ok.py"
    status = codemem("status", "--json", folder=tmp_path).json
    assert status["files"] + len(status["skipped"]) == 2


def test_p3_minified_code_does_not_hide_its_source(tmp_path: Path) -> None:
    minified = "function createOrder(a){return a};" * 12_000 + "\n"
    repository(tmp_path, {"app.min.js": minified, "app.js": "function createOrder(cart) {\n  return cart;\n}\n"})
    assert found(tmp_path, "createOrder")[0] == "app.js"
    hits = codemem("search", "createOrder", "--json", "--all-chunks", folder=tmp_path).json["hits"]
    assert max(len(hit["text"]) for hit in hits) <= 20_000


def test_p4_the_last_line_of_a_long_function_is_found_at_its_line(tmp_path: Path) -> None:
    body = "".join(f"    value_{number} = compute(value_{number}, {number})\n" for number in range(260))
    source = f"def long_one():\n{body}    return zanzibarValue\n"
    assert len(source) > 9_000
    repository(tmp_path, {"long.py": source})
    hit = codemem("search", "zanzibarValue", "--json", folder=tmp_path).json["hits"][0]
    assert hit["start_line"] <= 262 <= hit["end_line"]
    lines = hit["text"].split("\n")
    assert source.split("\n")[hit["text_line"] - 1 : hit["text_line"] - 1 + len(lines)] == lines
    assert any("zanzibarValue" in line for line in lines)


def test_p5_line_ends_and_byte_order_marks_change_nothing(tmp_path: Path) -> None:
    unix = JAVA.encode()
    outlines = []
    for name, content in {
        "lf": unix,
        "crlf": unix.replace(b"\n", b"\r\n"),
        "bom": b"\xef\xbb\xbf" + unix.replace(b"\n", b"\r\n"),
    }.items():
        folder = repository(tmp_path / name, {"OrderService.java": content})
        run = codemem("outline", "--json", folder=folder)
        assert "\\r" not in run.out and "\ufeff" not in run.out
        outlines.append(run.json["files"])
        hit = codemem("search", "createOrder", "--json", folder=folder)
        assert "\\r" not in hit.out and hit.json["hits"][0]["start_line"] <= 6 <= hit.json["hits"][0]["end_line"]
    assert outlines[0] == outlines[1] == outlines[2]


def test_p7_latin1_is_read(tmp_path: Path) -> None:
    repository(tmp_path, {"latin1.py": b"# caf\xe9\ndef pay_cafe():\n    return 1\n"})
    assert holding(tmp_path, "pay_cafe") == ["latin1.py"]


def test_p7_an_unreadable_file_is_reported_and_picked_up_later(tmp_path: Path) -> None:
    write_files(tmp_path, {"locked.py": PLAIN, "open.py": "x = 1\n"})
    (tmp_path / "locked.py").chmod(0)
    report = json.loads(as_mortal("index", "--json", folder=tmp_path).stdout)
    assert report["skipped"][0]["path"] == "locked.py" and report["files"] == 1
    (tmp_path / "locked.py").chmod(0o600)
    assert holding(tmp_path, "check_stock") == ["locked.py"]


def test_p8_no_cut_falls_inside_a_character(tmp_path: Path) -> None:
    repository(tmp_path, {"long.py": f'def documented():\n    """{"é漢🙂" * 3_000}"""\n    return 1\n'})
    for arguments in (
        ("search", "documented"),
        ("show", "documented"),
        ("outline",),
        ("search", "documented", "--json"),
    ):
        run = codemem(*arguments, folder=tmp_path)
        assert run.code == 0 and "\ufffd" not in run.out


def test_p9_the_reported_range_is_exactly_the_unit(tmp_path: Path) -> None:
    source = "def first():\n    return 1\n\n\ndef second():\n    return 2\n"
    repository(tmp_path, {"a.py": source})
    for name, expected in {"first": "def first():\n    return 1", "second": "def second():\n    return 2"}.items():
        hit = codemem("search", name, "--json", folder=tmp_path).json["hits"][0]
        match = codemem("show", name, "--json", folder=tmp_path).json["matches"][0]
        for place in (hit, match) if name == hit["name"] else (match,):
            assert "\n".join(source.split("\n")[place["start_line"] - 1 : place["end_line"]]) == expected


def test_p11_a_tokenizers_marker_is_a_text_like_any_other(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {f"f{number}.py": f"def normal_{number}():\n    pass\n" for number in range(50)}
    files["marker.py"] = 'END = "<|endoftext|>"\n\ndef uses_marker():\n    return "<s> [MASK] </s>" + END\n'
    repository(tmp_path, files)
    assert codemem("status", "--json", folder=tmp_path).json["files"] == 51
    assert found(tmp_path, "uses_marker")[0] == "marker.py"
    assert found(tmp_path, "<|endoftext|>")[0] == "marker.py"


def test_p14_odd_files_and_empty_repositories(tmp_path: Path) -> None:
    repository(
        tmp_path / "odd",
        {
            "empty.py": "",
            "no_end.py": "def last():\n    return finalWord",
            "tool": "#!/usr/bin/env python3\ndef from_shebang():\n    pass\n",
        },
    )
    assert found(tmp_path / "odd", "finalWord")[0] == "no_end.py"
    assert found(tmp_path / "odd", "from_shebang")[0] == "tool"
    empty = tmp_path / "empty"
    empty.mkdir()
    run = codemem("index", folder=empty)
    assert run.code == 0 and "0 chunks" in run.out
    assert codemem("search", "anything", folder=empty).code == 1


# --- files -----------------------------------------------------------------------------------------------------------


def listed(folder: Path) -> set[str]:
    """Return what a dry run would index."""
    return set(codemem("index", "--dry-run", "--json", folder=folder).json["files"])


def as_git_lists(folder: Path) -> set[str]:
    out = subprocess.run(
        ["git", "-C", str(folder), "ls-files", "-co", "--exclude-standard", "-z"], check=True, capture_output=True
    )
    return {name for name in out.stdout.decode().split("\0") if name}


ALLOW_LIST = "/*\n!/app\n!/packages\n!/.gitignore\nplugins/*\n!plugins/app\n"


@pytest.mark.parametrize("with_git", [True, False])
@pytest.mark.parametrize(
    "files",
    [
        {".gitignore": ALLOW_LIST, "app/a.py": "1", "packages/plugins/app/b.py": "1", "packages/plugins/other/c.py": "1", "top.py": "1"},
        {".gitignore": "*.log\n", "a/.gitignore": "!keep.log\nout/\n", "a/b/.gitignore": "*.py\n!main.py\n",
         "x.log": "1", "a/keep.log": "1", "a/out/o.py": "1", "a/b/main.py": "1", "a/b/other.py": "1"},
    ],
    ids=["allow list", "three levels"],
)  # fmt: skip
def test_f15_f16_ignore_files_mean_what_they_mean_to_git(tmp_path: Path, files: dict[str, str], with_git: bool) -> None:
    folder = write_files(tmp_path / "r", dict(files))
    git(folder, "init", "-q")
    expected = as_git_lists(folder)
    if not with_git:
        shutil.rmtree(folder / ".git")
    assert listed(folder) == expected


def test_f18_other_tools_ignore_files_are_not_ours(tmp_path: Path) -> None:
    repository(tmp_path, {".prettierignore": "*\n", ".dockerignore": "*\n", "a.py": PLAIN})
    assert holding(tmp_path, "check_stock") == ["a.py"]


def test_f18_an_index_without_files_says_so_when_asked(tmp_path: Path) -> None:
    repository(tmp_path, {".codememignore": "*\n", "a.py": PLAIN})
    asked = codemem("search", "check_stock", folder=tmp_path)
    assert asked.code == 1 and "nothing is indexed here" in asked.err and "vectors" not in asked.err


def test_f19_only_gits_own_configuration_counts(tmp_path: Path, nobodys_home: Path) -> None:
    write_files(nobodys_home, {".gitignore": "*\n"})
    folder = write_files(tmp_path / "r", {"a.py": PLAIN, "secret.py": "TOKEN = 1\n"})
    make_git(folder)
    git(folder, "rm", "-q", "--cached", "secret.py")
    write_files(folder, {".git/info/exclude": "secret.py\n"})
    assert listed(folder) == {"a.py"}


def test_f20_tracked_files_count_even_when_ignored(tmp_path: Path) -> None:
    folder = write_files(
        tmp_path,
        {".gitignore": "*.md\n", "docs.md": "# Refunds\n\nHow to refund.\n", ".github/workflows/ci.yml": "jobs: {}\n"},
    )
    git(folder, "init", "-q")
    git(folder, "add", "-f", "docs.md")
    assert {"docs.md", ".github/workflows/ci.yml"} <= listed(folder)
    assert found(folder, "refunds")[0] == "docs.md"


def test_f22_a_large_file_is_found_or_listed(tmp_path: Path) -> None:
    filler = "".join(f"    # what value {number} is for\n    value_{number} = {number}\n" for number in range(50))
    large = "".join(f"def filler_{number}():\n{filler}\n\n" for number in range(560)) + "def createOrder():\n    pass\n"
    assert len(large) > 1_200_000
    write_files(tmp_path, {"large.py": large[-1_250_000:]})
    assert found(tmp_path, "createOrder") == ["large.py"]
    write_files(tmp_path, {".codemem.toml": "max_file_bytes = 1000000\n"})
    report = codemem("index", "--json", folder=tmp_path).json
    assert [one["path"] for one in report["skipped"]] == ["large.py"] and "too large" in report["skipped"][0]["reason"]
    assert "1 too large" in codemem("index", folder=tmp_path).out  # listed when it was news, above
    assert "large.py" in codemem("index", "--full", folder=tmp_path).out
    assert "too large" in codemem("status", folder=tmp_path).out
    assert codemem("status", "--json", folder=tmp_path).json["skipped"] == report["skipped"]


def test_f23_links_lead_nowhere(tmp_path: Path) -> None:
    folder = write_files(tmp_path / "r", {"a/real.py": PLAIN})
    write_files(tmp_path, {"outside.py": "def outside_secret():\n    pass\n"})
    (folder / "a/loop").symlink_to("..")
    (folder / "dangling.py").symlink_to("nowhere.py")
    (folder / "etc").symlink_to("/etc")
    (folder / "out.py").symlink_to(tmp_path / "outside.py")
    assert holding(folder, "check_stock") == ["a/real.py"]
    assert "out.py" not in holding(folder, "outside_secret")
    skipped = {one["path"] for one in codemem("status", "--json", folder=folder).json["skipped"]}
    assert {"a/loop", "dangling.py", "etc", "out.py"} <= skipped


def test_f25_a_subfolder_uses_the_roots_index(tmp_path: Path) -> None:
    folder = repository(tmp_path, {"src/deep/a.py": PLAIN, "b.py": "def other():\n    pass\n"}, with_git=True)
    assert holding(folder / "src/deep", "check_stock") == ["src/deep/a.py"] == holding(folder, "check_stock")
    assert not (folder / "src/deep/.codemem").exists()
    assert codemem("search", "check_stock", folder=folder / "src").out.startswith("deep/a.py:1-2\n")
    assert codemem("search", "check_stock", "--format", "paths", folder=folder / "src").out.startswith("deep/a.py:1\n")
    assert holding(folder / "src", "other", "--path", ".") != ["b.py"]


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("/does/not/exist", "/does/not/exist"),
        ("file.py", "file.py"),
        ("~", "home folder"),
        ("/", "root of the file system"),
    ],
)
def test_f26_what_is_no_repository_is_refused(tmp_path: Path, nobodys_home: Path, place: str, message: str) -> None:
    write_files(tmp_path, {"file.py": PLAIN})
    for arguments in (
        ("index", place),
        ("search", "x", "--root", place),
        ("index", "--root", place),
        ("status", "--root", place),
    ):
        run = codemem(*arguments, folder=tmp_path)
        assert run.code == 2 and message in run.err and len(run.err.splitlines()) == 2, arguments
    assert not list(tmp_path.rglob(".codemem")) and not (nobodys_home / ".codemem").exists()
    assert not Path("/.codemem").exists()


# --- stale -----------------------------------------------------------------------------------------------------------


def test_s27_removed_files_and_folders_are_not_holding(tmp_path: Path) -> None:
    folder = repository(
        tmp_path,
        {"a.py": PLAIN, "d/b.py": "def gone_too():\n    pass\n", "keep.py": "def keep():\n    pass\n"},
        with_git=True,
    )
    git(folder, "rm", "-q", "a.py")
    git(folder, "rm", "-qr", "d")
    commit(folder)
    report = codemem("index", "--json", folder=folder).json
    assert (report["removed"], report["files"]) == (2, 1)
    assert holding(folder, "check_stock") == [] == holding(folder, "gone_too")
    assert_equals_clean_build(folder)


def test_s28_renames_and_swaps_leave_exactly_the_new_paths(tmp_path: Path) -> None:
    folder = repository(tmp_path, {"a.py": PLAIN, "x.py": "def ex():\n    pass\n"}, with_git=True)
    git(folder, "mv", "a.py", "b.py")
    assert holding(folder, "check_stock") == ["b.py"]
    (folder / "deep").mkdir()
    git(folder, "mv", "b.py", "deep/b.py")
    assert holding(folder, "check_stock") == ["deep/b.py"]
    (folder / "deep/b.py").rename(folder / "t")
    (folder / "x.py").rename(folder / "deep/b.py")
    (folder / "t").rename(folder / "x.py")
    assert holding(folder, "check_stock") == ["x.py"] and holding(folder, "ex")[0] == "deep/b.py"
    assert_equals_clean_build(folder)


def test_s29_a_branch_switch_is_followed(tmp_path: Path) -> None:
    folder = repository(tmp_path, {"a.py": PLAIN, "c.py": "def common():\n    pass\n"}, with_git=True)
    git(folder, "switch", "-qc", "other")
    (folder / "a.py").unlink()
    write_files(folder, {"b.py": "def only_here():\n    pass\n"})
    commit(folder)
    codemem("index", folder=folder)
    assert holding(folder, "check_stock") == [] and holding(folder, "only_here") == ["b.py"]
    git(folder, "switch", "-q", "main")
    assert holding(folder, "only_here") == [] and holding(folder, "check_stock") == ["a.py"]
    assert_equals_clean_build(folder)


def test_s30_an_edit_is_stale_until_indexed(tmp_path: Path) -> None:
    folder = repository(tmp_path, {"a.py": PLAIN}, with_git=True)
    assert codemem("status", folder=folder).code == 0
    write_files(folder, {"a.py": PLAIN + "\n\ndef fresh_word():\n    pass\n"})
    status = codemem("status", "--json", folder=folder)
    assert status.code == 1 and status.json["stale"] == ["a.py"] and status.json["fresh"] is False
    stale = codemem("search", "fresh_word", "--no-refresh", "--json", folder=folder)
    assert "stale" in stale.err and stale.json["index"]["fresh"] is False
    codemem("index", folder=folder)
    assert holding(folder, "fresh_word", "--no-refresh") == ["a.py"]


def test_s30_search_refreshes_a_small_change_and_says_so(tmp_path: Path) -> None:
    folder = repository(tmp_path, {"a.py": PLAIN})
    write_files(folder, {"a.py": "def renamed_word():\n    pass\n"})
    run = codemem("search", "renamed_word", "--json", folder=folder)
    assert run.json["index"]["fresh"] is True and run.paths == ["a.py"] and "refreshed a.py" in run.err


def test_s30_search_warns_about_a_large_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = repository(tmp_path, {"a.py": PLAIN})
    monkeypatch.setenv("CODEMEM_REFRESH_FILES", "1")
    write_files(folder, {f"n{number}.py": f"def n{number}():\n    pass\n" for number in range(3)})
    run = codemem("search", "check_stock", "--json", folder=folder)
    assert (
        run.json["index"]["fresh"] is False and "warning: the index is stale" in run.err and "codemem index" in run.err
    )


def test_s32_a_second_run_changes_nothing(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "a.py": PLAIN,
        "b.bin": b"\x00\x01\x02" * 100,
        "odd.txt": b"caf\xe9 " * 10,
        ".gitignore": "churn.log\n",
        "churn.log": "1",
    }
    folder = repository(tmp_path, files, with_git=True)
    write_files(folder, {"churn.log": "2"})
    store = folder / ".codemem/codemem.db"
    before = store.stat().st_mtime_ns, store.stat().st_size
    report = codemem("index", "--json", folder=folder).json
    assert (report["added"], report["changed"], report["removed"]) == (0, 0, 0) and report["unchanged"] == report[
        "files"
    ]
    assert (store.stat().st_mtime_ns, store.stat().st_size) == before
    assert codemem("status", folder=folder).code == 0


def test_s33_ignoring_a_folder_and_taking_it_back(tmp_path: Path) -> None:
    folder = repository(tmp_path, {"lib/a.py": PLAIN, "b.py": "def bee():\n    pass\n"})
    git(folder, "init", "-q")
    first = state(folder)["outline"]
    write_files(folder, {".gitignore": "lib/\n"})
    codemem("index", folder=folder)
    assert holding(folder, "check_stock") == []
    (folder / ".gitignore").unlink()
    codemem("index", folder=folder)
    assert state(folder)["outline"] == first


# --- concurrency and storage -----------------------------------------------------------------------------------------


def process(
    *arguments: str, folder: Path, prefix: Sequence[str] = (), **environment: str
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*prefix, sys.executable, "-m", "codemem", *arguments], cwd=folder, capture_output=True, check=False,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1]), **environment},
    )  # fmt: skip


def as_mortal(*arguments: str, folder: Path) -> subprocess.CompletedProcess[bytes]:
    """Run a command as somebody whom file permissions bind; root needs a tool for that."""
    if AS_ROOT and not shutil.which("setpriv"):
        pytest.skip("root reads and writes everything, and setpriv is not installed")
    bound = ("-dac_override", "-dac_read_search")
    prefix = ["setpriv", f"--bounding-set={','.join(bound)}", f"--inh-caps={','.join(bound)}"] if AS_ROOT else []
    return process(*arguments, folder=folder, prefix=prefix)


def test_c35_indexing_and_searching_at_once(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        f"m{number}.py": f"def task_{number}():\n    return {number}\n" for number in range(60)
    }
    folder = write_files(tmp_path, files)
    commands = [("index",)] * 2 + [("search", "task_7", "--json")] * 4
    with ThreadPoolExecutor(len(commands)) as pool:
        runs = list(pool.map(lambda command: process(*command, folder=folder), commands))
    for command, run in zip(commands, runs, strict=True):
        busy = command == ("index",) and run.returncode == 2 and b"another index run is active" in run.stderr
        assert run.returncode == 0 or busy, (command, run)
        assert b"Traceback" not in run.stderr
    assert codemem("status", folder=folder).code == 0
    assert_equals_clean_build(folder)


@pytest.mark.parametrize("edited", [False, True])
def test_c37_a_read_only_store_answers_and_says_what_it_cannot_do(tmp_path: Path, edited: bool) -> None:
    folder = repository(tmp_path / "r", {"a.py": PLAIN})
    if edited:
        write_files(folder, {"a.py": PLAIN + "\n\nlater = 1\n"})
    places = (folder / ".codemem/codemem.db", folder / ".codemem", folder)
    for place in places:
        place.chmod(0o555 if place.is_dir() else 0o444)
    try:
        run = as_mortal("search", "check_stock", "--json", folder=folder)
        answer = json.loads(run.stdout)
        assert run.returncode == 0 and answer["hits"][0]["path"] == "a.py" and answer["index"]["fresh"] is not edited
        assert (b"not refreshed: " in run.stderr) is edited
        failed = as_mortal("index", "--full", folder=folder)
        assert failed.returncode == 2 and b"cannot be written" in failed.stderr and len(failed.stderr.splitlines()) == 2
    finally:
        for place in reversed(places):
            place.chmod(0o755 if place.is_dir() else 0o644)


# --- queries ---------------------------------------------------------------------------------------------------------

LITERALS = """\
NOTES = [
    "ask-codex", "std::vector", "a/b", "38.101", '"unbalanced', "foo(bar)", "NEAR", "AND", "col:val", "^x",
]


def literals():
    return NOTES
"""


@pytest.fixture(scope="module")
def literal_repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    files: dict[str, str | bytes] = {f"pad{number}.py": f"def unrelated_{number}():\n    pass\n" for number in range(5)}
    return repository(tmp_path_factory.mktemp("literals"), {**files, "notes.py": LITERALS})


@pytest.mark.parametrize(
    "query", ["ask-codex", "std::vector", "a/b", "38.101", '"unbalanced', "foo(bar)", "NEAR", "AND", "col:val", "^x"]
)
def test_q38_syntax_of_other_tools_is_text(literal_repository: Path, query: str) -> None:
    assert found(literal_repository, query)[:1] == ["notes.py"]


@pytest.mark.parametrize(
    "query",
    [
        "-x",
        "--help me",
        "*",
        "^x",
        "x" * 10_000,
        "word " * 2_000,
        "a\x00b",
        "\ud800",
        "'; DROP TABLE chunk; --",
        "%",
        "_",
        "\\",
        "(",
        "🙂",
        "\u202e",
    ],
)
def test_q38_no_query_breaks_anything(literal_repository: Path, query: str) -> None:
    for arguments in (
        ("search", "--", query),
        ("search", "--json", "--mode", "keyword", "--", query),
        ("search", query),
    ):
        run = codemem(*arguments, folder=literal_repository)
        assert run.code in (0, 1) or (run.code == 2 and "the query is empty" in run.err), run.err
        assert "Traceback" not in run.err


@pytest.mark.parametrize("query", ["", " ", "\t\n"])
def test_q38_an_empty_query_is_an_error(literal_repository: Path, query: str) -> None:
    run = codemem("search", query, folder=literal_repository)
    assert run.code == 2 and "empty" in run.err and run.out == ""


@pytest.mark.parametrize(
    ("query", "path"), [("注文", "a.py"), ("заказ", "b.py"), ("createOrder", "c.py"), ("注文を作成", "a.py")]
)
def test_q39_scripts_are_searchable(tmp_path_factory: pytest.TempPathFactory, query: str, path: str) -> None:
    folder = tmp_path_factory.getbasetemp() / "scripts"
    if not folder.exists():
        repository(
            folder,
            {
                "a.py": 'def make():\n    """注文を作成する"""\n',
                "b.py": "# создать заказ\ndef produce():\n    pass\n",
                "c.py": "# 注文createOrder処理\nx = 1\n",
                "d.py": "def unrelated():\n    pass\n",
            },
        )
    assert path in found(folder, query)[: 2 if query == "注文" else 1]


# --- ranking ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`createOrder` defined once, used in 40 tests, told of in the README, and a local name elsewhere."""
    files: dict[str, str | bytes] = {
        "README.md": "# Shop\n\nCall `createOrder` to create an order; createOrder checks the risk first.\n",
        "src/main/java/com/shop/OrderService.java": JAVA,
        "src/web/cart.js": "export function submit(cart) {\n  const createOrder = cart.ready;\n  return createOrder;\n}\n",
        "src/web/form.js": "function createOrderForm() {\n  return document.forms.order;\n}\n",
    }
    for number in range(40):
        files[f"src/test/java/com/shop/OrderService{number}Test.java"] = (
            f"package com.shop;\n\nclass OrderService{number}Test {{\n    @Test\n    void createsOrder{number}() {{\n"
            "        service.createOrder(request);\n        assertNotNull(service.createOrder(other));\n    }\n}\n"
        )
    return repository(tmp_path_factory.mktemp("shop"), files)


@pytest.mark.parametrize("mode", ["hybrid", "keyword"])
@pytest.mark.parametrize(
    "query",
    [
        "createOrder",
        "where is createOrder defined",
        "OrderService#createOrder",
        "create order",
        "create_order",
        "createOrder()",
    ],
)
def test_r40_the_definition_leads(shop: Path, query: str, mode: str) -> None:
    run = codemem("search", query, "--json", "--mode", mode, folder=shop)
    first = run.json["hits"][0]
    assert (first["path"], first["qualified_name"]) == (
        "src/main/java/com/shop/OrderService.java",
        "OrderService#createOrder",
    )
    assert run.json["exact_match"] is True or query == "create order"


def test_r40_no_exact_match_is_said(shop: Path) -> None:
    run = codemem("search", "createOrdar", folder=shop)
    assert run.code in (0, 1)
    if run.code == 0:
        assert "exact match" in run.err
    assert codemem("search", "createOrdar", "--json", folder=shop).json["exact_match"] is False


def test_r40_a_query_with_test_may_lead_with_tests(shop: Path) -> None:
    assert codemem("search", "createOrder test", "--json", folder=shop).code == 0


# --- output ----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def wide(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return repository(
        tmp_path_factory.mktemp("wide"),
        {"a.py": '# 🙂 注文\ndef create_wide():\n    return "漢🙂"\n', "é.py": "def accent():\n    pass\n"},
    )


@pytest.mark.parametrize(
    "environment",
    [{"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C"}, {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}],
)
def test_o44_any_encoding_gets_complete_output(wide: Path, environment: dict[str, str]) -> None:
    run = process("search", "create_wide", "--json", folder=wide, **environment)
    assert run.returncode == 0 and json.loads(run.stdout.decode("utf-8"))["hits"][0]["text"].count("🙂") == 2
    run = process("search", "create_wide", folder=wide, **environment)
    assert run.returncode == 0 and b"return" in run.stdout and b"Traceback" not in run.stderr
    assert process("search", "accent", "--format", "paths", folder=wide, **environment).returncode == 0


def test_o44_ascii_in_process(wide: Path) -> None:
    run = codemem("search", "create_wide", folder=wide, encoding="ascii")
    assert run.code == 0 and "\\U0001f642" in run.out and " | " in run.out and run.out.isascii()


def test_o46_json_is_alone_on_stdout_even_on_a_first_run(tmp_path: Path) -> None:
    write_files(tmp_path, {"a.py": PLAIN})
    run = codemem("search", "check_stock", "--json", folder=tmp_path)
    assert run.paths == ["a.py"] and "building" in run.err
    assert codemem("index", "--json", folder=tmp_path).json["files"] == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--lnag", "py"), ["--lnag", "--lang"]),
        (("--lang", "klingon"), ["klingon", "python", "java"]),
        (("--lang", "pyhton"), ["did you mean `python`"]),
        (("--kind", "methud"), ["methud", "method"]),
        (("--source", "web"), ["web", "code, docs, memory"]),
        (("--path", "../.."), ["outside"]),
    ],
)
def test_o48_wrong_values_are_answered_with_the_right_ones(
    shop: Path, arguments: tuple[str, ...], words: list[str]
) -> None:
    run = codemem("search", "createOrder", *arguments, folder=shop)
    assert run.code == 2 and run.out == "" and len(run.err.splitlines()) == 2
    assert [word for word in words if word not in run.err] == []


def test_o48_pages_are_disjoint_and_complete(shop: Path) -> None:
    pages = [found(shop, "createOrder", "--limit", "5", "--offset", str(offset)) for offset in (0, 5, 10)]
    flat = [path for page in pages for path in page]
    assert len(flat) == 15 == len(set(flat))
    assert found(shop, "createOrder", "--limit", "15") == flat


@pytest.mark.parametrize("language", ["java", "Java", ".java"])
def test_o48_a_language_has_several_names(shop: Path, language: str) -> None:
    hits = codemem("search", "createOrder", "--lang", language, "--json", folder=shop).json["hits"]
    assert {hit["language"] for hit in hits} == {"java"}


def test_filters_apply_before_the_cut(shop: Path) -> None:
    assert found(shop, "createOrder", "--limit", "1", "--path", "README.md") == ["README.md"]
    assert found(shop, "createOrder", "--limit", "1", "--lang", "javascript", "--kind", "function")[0].endswith(".js")
    assert set(found(shop, "createOrder", "--source", "docs")) == {"README.md"}


def test_o50_twins_stand_in_the_order_of_their_paths(tmp_path: Path) -> None:
    folder = repository(tmp_path, dict.fromkeys(("c.py", "a.py", "b.py"), PLAIN))
    first = codemem("search", "check_stock", "--json", folder=folder).json["hits"]
    assert [hit["path"] for hit in first] == ["a.py", "b.py", "c.py"]
    for _ in range(2):
        assert codemem("search", "check_stock", "--json", folder=folder).json["hits"] == first


def test_o50_clear_help_is_help_only(tmp_path: Path) -> None:
    folder = repository(tmp_path, {"a.py": PLAIN})
    assert codemem("clear", "--help", folder=folder).code == 0
    assert holding(folder, "check_stock", "--no-refresh") == ["a.py"]


def test_after_clear_there_is_no_index_and_no_interrupted_run(tmp_path: Path) -> None:
    folder = repository(tmp_path, {"ok.py": PLAIN})
    codemem("index", folder=folder)
    codemem("clear", "--yes", folder=folder)
    told = codemem("doctor", folder=folder).out
    assert "index" in told and "none" in told and "interrupted" not in told
    assert codemem("doctor", "--fix", folder=folder).code == 0 and codemem("status", folder=folder).code == 0


def test_a_settings_file_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    folder = repository(tmp_path, {"ok.py": PLAIN, ".codemem.toml": b"\xef\xbb\xbflimit = 3\r\n"})
    assert codemem("config", "show", "limit", "--json", folder=folder).json["settings"]["limit"]["value"] == 3
    codemem("config", "set", "limit", "4", folder=folder)
    assert (folder / ".codemem.toml").read_text("utf-8") == "limit = 4\n"


def test_clear_asks_or_takes_yes(tmp_path: Path) -> None:
    folder = repository(tmp_path, {"a.py": PLAIN})
    assert codemem("clear", folder=folder).code == 2
    assert holding(folder, "check_stock", "--no-refresh") == ["a.py"]
    assert codemem("clear", "--yes", folder=folder).code == 0
    assert codemem("status", folder=folder).code == 1
    assert codemem("search", "check_stock", "--no-refresh", folder=folder).code == 2


def test_terminal_escapes_in_code_stay_text(tmp_path: Path) -> None:
    folder = repository(tmp_path, {"evil.py": b'def evil_name():\n    return "\x1b[2J\x1b]0;title\x07"\n'})
    for arguments in (("search", "evil_name"), ("show", "evil_name"), ("search", "evil_name", "--format", "markdown")):
        run: Run = codemem(*arguments, folder=folder)
        assert run.code == 0 and "\x1b" not in run.out and "\x07" not in run.out


def test_every_hit_begins_with_its_place(shop: Path) -> None:
    blocks = codemem("search", "createOrder", folder=shop).out.rstrip("\n").split("\n\n")
    hits = codemem("search", "createOrder", "--json", folder=shop).json["hits"]
    assert [block.split("\n")[0] for block in blocks] == [
        f"{hit['path']}:{hit['start_line']}-{hit['end_line']}" for hit in hits
    ]


# --- stores that are not as they should be ---------------------------------------------------------------------------


def test_a_store_of_a_newer_version_is_refused_and_kept(tmp_path: Path) -> None:
    import sqlite3

    folder = repository(tmp_path, {"a.py": PLAIN})
    connection = sqlite3.connect(folder / ".codemem/codemem.db")
    connection.execute("UPDATE index_meta SET value = '99999' WHERE key = 'schema'")
    connection.commit()
    connection.close()
    for arguments in (("search", "check_stock"), ("status",), ("index",)):
        run = codemem(*arguments, folder=folder)
        assert run.code == 2 and "newer" in run.err and len(run.err.splitlines()) == 2


def test_a_damaged_store_is_one_clear_line_or_repaired(tmp_path: Path) -> None:
    folder = repository(tmp_path, {"a.py": PLAIN})
    (folder / ".codemem/codemem.db").write_bytes(b"this is no database at all, but it is long enough to look at" * 50)
    for ending in ("-wal", "-shm"):
        (folder / f".codemem/codemem.db{ending}").unlink(missing_ok=True)
    run = codemem("search", "check_stock", folder=folder)
    assert run.code == 2 and "Traceback" not in run.err and len(run.err.splitlines()) == 2
