"""Whole processes: what they load, and that the libraries add nothing to what they print."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = ("onnx", "onnxruntime", "sentence_transformers", "torch", "transformers")
PROGRAM = """
import json, sys
from codemem.cli import main
code = main(sys.argv[1:])
print(json.dumps([code, sorted({name.partition(".")[0] for name in sys.modules})]))
"""


def run(root: Path, *arguments: str) -> tuple[str, str, set[str]]:
    """Run a command line in a process of its own: what it printed on both streams, which libraries it loaded."""
    done = subprocess.run([sys.executable, "-c", PROGRAM, *arguments], cwd=root, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    *lines, last = done.stdout.strip().split("\n")
    code, loaded = json.loads(last)
    assert code == 0, done.stderr
    return "\n".join(lines), done.stderr, {name for name in loaded if name in HEAVY}


def test_plain_commands_load_nothing_of_the_optional_libraries(shop: Path) -> None:
    for arguments in (("index",), ("search", "pay the bill"), ("search", "pay_alpha"), ("status",)):
        assert run(shop, *arguments)[2] == set()


def test_a_graph_needs_no_torch_and_a_judge_is_loaded_for_sentences_only(
    shop: Path, models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CODEMEM_EMBEDDER", f"sentence-transformers:{models / 'encoder-onnx'}")
    monkeypatch.setenv("CODEMEM_RERANKER", f"sentence-transformers:{models / 'judge'}")
    for arguments in (("index",), ("search", "pay the bill"), ("search", "pay_alpha", "--rerank")):
        assert run(shop, *arguments)[2] == {"onnxruntime"}
    assert run(shop, "search", "pay the bill", "--rerank")[2] >= {"sentence_transformers", "torch"}


def test_the_libraries_print_nothing(shop: Path, models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEMEM_EMBEDDER", f"sentence-transformers:{models / 'encoder'}")
    monkeypatch.setenv("CODEMEM_RERANKER", f"sentence-transformers:{models / 'judge'}")
    assert run(shop, "index", "--quiet")[1] == ""
    out, err, _ = run(shop, "search", "pay the bill", "--rerank", "--quiet", "--format", "paths")
    assert sorted(out.split()) == ["alpha.py:1", "beta.py:1", "gamma.py:1"]
    assert err == ""
