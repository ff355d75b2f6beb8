"""A search refreshes unasked what takes little, by files and by expected time; it says what it did, or why it did not."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from codemem.cli.fresh import too_much
from codemem.settings import Settings
from tests.command_line import codemem
from tests.test_cli_cases import repository

STATIC, OTHER = "static", "sentence-transformers:any"


@pytest.mark.parametrize(
    ("embedder", "files", "size", "refusal"),
    [
        (STATIC, 1, 10_000, ""),
        (STATIC, 200, 1_000_000, ""),
        (STATIC, 201, 0, "201 files are more than refresh_files = 200"),
        (STATIC, 3, 6_000_000, "about 12.0 s of work is more than refresh_seconds = 2"),
        (OTHER, 3, 60_000, ""),
        (OTHER, 3, 90_000, "about 3.0 s of work is more than refresh_seconds = 2"),
        (STATIC, 0, 0, ""),
    ],
)
def test_what_is_too_much_to_do_unasked(embedder: str, files: int, size: int, refusal: str) -> None:
    assert too_much(files, size, Settings(embedder=embedder)) == refusal


@pytest.mark.parametrize("files", [0, 5])
def test_nothing_is_done_unasked_when_the_settings_say_so(files: int) -> None:
    assert too_much(files, 1, Settings(refresh_seconds=0.0)).startswith("about 0.0 s")
    assert bool(too_much(files, 0, Settings(refresh_files=0))) is (files > 0)


def test_a_search_refreshes_what_is_small_and_says_so(tmp_path: Path) -> None:
    folder = repository(tmp_path, {"a.py": "def first():\n    return 1\n", "b.py": "def second():\n    return 2\n"})
    (folder / "a.py").write_text("def renamed_one():\n    return 1\n")
    run = codemem("search", "renamed_one", "--json", folder=folder)
    assert run.paths[0] == "a.py" and re.search(r"refreshed a\.py in \d+\.\d s", run.err)


def test_a_search_warns_of_what_would_take_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = repository(tmp_path, {"a.py": "def first():\n    return 1\n"})
    (folder / "big.py").write_text("def late_one():\n    return 1\n" + "x = 1\n" * 20_000)
    monkeypatch.setenv("CODEMEM_REFRESH_SECONDS", "0.1")
    run = codemem("search", "first", "--json", folder=folder)
    assert run.json["index"]["fresh"] is False
    assert (
        "warning: the index is stale: big.py changed since the index was built; about 0.2 s of work is more than "
        in run.err
    )
    assert "refresh_seconds = 0.1: run `codemem index`" in run.err
    monkeypatch.delenv("CODEMEM_REFRESH_SECONDS")
    assert codemem("search", "late_one", "--json", folder=folder).json["index"]["fresh"] is True


def test_a_cold_keyword_search_imports_only_what_it_needs(tmp_path: Path) -> None:
    folder = repository(tmp_path, {"a.py": "def first():\n    return 1\n"})
    run = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "codemem", "search", "first", "--mode", "keyword", "--no-refresh"],
        cwd=folder, capture_output=True, text=True, check=True, env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])},
    )  # fmt: skip
    imported = {line.rsplit("|", 1)[1].strip() for line in run.stderr.splitlines() if line.startswith("import time:")}
    unneeded = {
        "codemem.embed", "codemem.memory", "codemem.vectors", "faiss", "httpx", "numpy.ma", "pathspec", "platformdirs", "pydantic",
        "pygments", "rich", "tomllib", "tree_sitter",
    }  # fmt: skip
    assert "numpy" in imported and imported & unneeded == set()


def test_the_first_search_says_why_it_builds(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def first():\n    return 1\n")
    assert codemem("memory", "add", "first is the first", folder=tmp_path).code == 0
    run = codemem("search", "first", folder=tmp_path)
    assert run.code == 0 and f"no index yet: building it for {tmp_path}" in run.err
