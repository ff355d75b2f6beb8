"""What the best definitions call is what does it: a documented entry and the file that it hands on to."""

from __future__ import annotations

from pathlib import Path

import pytest

from codemem.indexing import refresh
from codemem.question import read_question
from codemem.retrieval import Session, search
from codemem.retrieval.candidates import gather
from codemem.retrieval.dense import closed_arm
from codemem.retrieval.view import open_view, score_question
from codemem.settings import Settings
from codemem.store import open_store, store_path
from codemem.types import Query

FILES = {
    "streams/stream.py": (
        "from streams.internal.echo_operator import EchoOperator\nfrom streams.internal.window_operator import WindowOperator\n\n\n"
        "class Stream:\n"
        "    def echo_repeated(self, timeout):\n"
        '        """Emit the last item again while the source stays silent."""\n'
        "        return EchoOperator(self, timeout)\n\n"
        "    def windowed(self, size):\n"
        '        """Cut into pieces of one length."""\n'
        "        return WindowOperator(self, size)\n"
    ),
    "streams/internal/echo_operator.py": (
        "class EchoOperator:\n    def __init__(self, upstream, timeout):\n        self.upstream = upstream\n        self.timeout = timeout\n"
    ),
    "streams/internal/window_operator.py": (
        "class WindowOperator:\n    def __init__(self, upstream, size):\n        self.upstream = upstream\n        self.size = size\n"
    ),
    "streams/silent.py": "def mute(source):\n    return [item for item in source if not item.silent]\n",
}
QUESTION = "the last item again while the source stays silent"


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("streams")
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    refresh(folder, Settings(jobs=1))
    return folder


def delegated(root: Path, text: str, column: str = "delegated") -> dict[str, float]:
    with open_store(store_path(root)) as store:
        view, question = open_view(store), read_question(text)
        candidates = gather(store, view, question, score_question(store, view, question), closed_arm())
        return dict(zip(candidates.evidence.paths, getattr(candidates.evidence, column).tolist(), strict=True))


def test_the_file_that_the_best_definition_calls_is_told_from_its_sibling(root: Path) -> None:
    found = delegated(root, f"{QUESTION} EchoOperator WindowOperator")
    assert found["streams/internal/echo_operator.py"] > found["streams/internal/window_operator.py"]


def test_a_file_hands_nothing_on_to_itself_and_what_calls_nothing_hands_nothing_on(root: Path) -> None:
    found = delegated(root, QUESTION)
    assert found["streams/stream.py"] == 0.0
    assert found["streams/silent.py"] == 0.0


def test_the_file_that_calls_the_best_definition_is_told(root: Path) -> None:
    found = delegated(root, "keep upstream and timeout EchoOperator", "using")
    assert found["streams/stream.py"] > 0.0
    assert found["streams/internal/echo_operator.py"] == 0.0


def test_a_tool_of_all_says_nothing(tmp_path: Path) -> None:
    calls = "\n".join(f"def user_{at}():\n    count_pages()" for at in range(501))
    (tmp_path / "tool.py").write_text("def count_pages():\n    return 1\n", "utf-8")
    (tmp_path / "users.py").write_text(f"from tool import count_pages\n\n{calls}\n", "utf-8")
    refresh(tmp_path, Settings(jobs=1))
    assert delegated(tmp_path, "count_pages", "using")["users.py"] == 0.0


def test_the_reason_is_told(root: Path) -> None:
    with open_store(store_path(root)) as store:
        hits = search(store, Query(f"{QUESTION} EchoOperator"), Session()).hits
    assert "delegated" in next(hit.why for hit in hits if hit.chunk.path == "streams/internal/echo_operator.py")
