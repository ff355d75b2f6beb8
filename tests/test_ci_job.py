"""The steps of the CI job, run as the CI runs them: a clean clone, cold, then with what the first run saved."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
JOB = ROOT / ".ci" / "codemem-job"

BEFORE = '''def load(path):
    """Load a file."""
    return open(path).read()


def start(path):
    return load(path)
'''
AFTER = BEFORE.replace("    return open", "    if not path:\n        raise ValueError(path)\n    return open")


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True)


def job(clone: Path, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run the script with a `codemem` on the PATH that is this checkout's."""
    tools = clone.parent / "tools"
    tools.mkdir(exist_ok=True)
    command = tools / "codemem"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m codemem "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    path = f"{tools}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT), **settings}
    return subprocess.run(["bash", str(JOB)], cwd=clone, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    origin = tmp_path / "origin"
    origin.mkdir()
    git(origin, "init", "-q", "-b", "main")
    (origin / "files.py").write_text(BEFORE, encoding="utf-8")
    git(origin, "add", ".")
    git(origin, "commit", "-qm", "before")
    (origin / "files.py").write_text(AFTER, encoding="utf-8")
    git(origin, "commit", "-qam", "after")
    git(tmp_path, "clone", "-q", str(origin), "clone")
    return tmp_path / "clone"


def test_cold_then_with_the_cache(clone: Path) -> None:
    cold = job(clone, CODEMEM_BASE="HEAD~1", CODEMEM_SUMMARY="report.md")
    assert cold.returncode == 0, cold.stderr
    report = (clone / "report.md").read_text("utf-8")
    assert "load" in report and "ValueError" in report
    cache = clone / ".codemem-cache" / "index.codemem"
    saved = cache.read_bytes()
    shutil.rmtree(clone / ".codemem")
    (clone / "report.md").unlink()
    warm = job(clone, CODEMEM_BASE="HEAD~1", CODEMEM_SUMMARY="report.md")
    assert warm.returncode == 0, warm.stderr
    assert (clone / "report.md").read_text("utf-8") == report
    assert cache.read_bytes() == saved, "the same input gives the same file"


def test_a_contract_that_callers_do_not_handle_fails_the_job(clone: Path) -> None:
    gated = job(clone, CODEMEM_BASE="HEAD~1", CODEMEM_FAIL_ON="contract")
    assert gated.returncode == 1, gated.stderr
    assert (clone / ".codemem-cache" / "index.codemem").exists(), "the index is kept all the same"


def test_an_unusable_cache_is_built_anew(clone: Path) -> None:
    cache = clone / ".codemem-cache" / "index.codemem"
    cache.parent.mkdir()
    cache.write_bytes(b"not an index")
    run = job(clone, CODEMEM_BASE="HEAD~1")
    assert run.returncode == 0 and "building a new one" in run.stderr
