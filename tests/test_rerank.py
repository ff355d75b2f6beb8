"""The second judge: blending, odd scores, endpoints. Models that need torch are tested in tests/with_models."""

from __future__ import annotations

import json
import math
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codemem.errors import BadInput, ModelMissing, ProviderError
from codemem.rerank import RERANKERS, blend, load_reranker
from codemem.rerank.remote import read_answer

FUSED = (3.0, 2.0, 1.0)


def test_the_judge_moves_what_it_prefers() -> None:
    mixed = blend(FUSED, [0.1, 0.9, 0.2], share=0.6)
    assert mixed.warning == ""
    assert max(range(3), key=lambda at: mixed.scores[at]) == 1


def test_without_a_share_the_order_stays() -> None:
    assert blend(FUSED, [0.0, 0.5, 1.0], share=0.0).scores == (1.0, 0.5, 0.0)


@pytest.mark.parametrize(
    ("judged", "reason"),
    [
        ([math.nan, 1.0, 2.0], "no numbers"),
        ([math.inf, 1.0, 2.0], "no numbers"),
        ([0.5, 0.5, 0.5], "same score"),
        (0.7, "no scores"),
        ("high", "no scores"),
        (None, "no scores"),
        (["a", "b", "c"], "no scores"),
        ([[1.0, 2.0], [1.0, 2.0], [1.0, 2.0]], "no scores"),
    ],
)
def test_m44_odd_scores_keep_the_fused_order_and_say_so(judged: Any, reason: str) -> None:
    mixed = blend(FUSED, judged)
    assert mixed.scores == FUSED
    assert reason in mixed.warning


@pytest.mark.parametrize("judged", [[], [1.0], [1.0, 2.0, 3.0, 4.0]])
def test_m44_the_wrong_number_of_scores_is_an_error(judged: list[float]) -> None:
    with pytest.raises(ProviderError, match="scores for 3 texts"):
        blend(FUSED, judged)


def test_rows_of_one_score_are_scores() -> None:
    assert blend(FUSED, [[0.0], [1.0], [0.5]]).warning == ""


@given(st.lists(st.floats(-50, 50), min_size=1, max_size=8), st.floats(0, 1))
def test_blended_scores_stay_between_0_and_1(fused: list[float], share: float) -> None:
    mixed = blend(fused, [float(at) for at in range(len(fused))], share)
    assert all(-1e-9 <= score <= 1 + 1e-9 for score in mixed.scores)


# The table.


def test_the_table_is_sorted_and_speaks() -> None:
    assert [row.prefix for row in RERANKERS] == sorted(row.prefix for row in RERANKERS)
    assert all(row.summary for row in RERANKERS)


@pytest.mark.parametrize("name", ["", "nonsense", "bert:x", "sentence-transformers:", "http:", "http://"])
def test_an_unknown_reranker_names_the_known(name: str) -> None:
    with pytest.raises(BadInput) as caught:
        load_reranker(name)
    assert caught.value.remedy


def test_a_missing_folder_is_said_to_be_missing() -> None:
    with pytest.raises(ModelMissing, match="no model folder"):
        load_reranker("sentence-transformers:/nowhere/model")


# Endpoints.


@contextmanager
def served(answer: Any, status: int = 200) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Serve one answer to every request; yields the address and the requests seen."""
    seen: list[dict[str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            seen.append({"path": self.path, "key": self.headers.get("Authorization"), **body})
            texts = body.get("texts") or body.get("documents")
            data = json.dumps(answer(texts) if callable(answer) else answer).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: Any) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", seen
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def by_length(key: str) -> Any:
    def answer(texts: list[str]) -> list[dict[str, Any]]:
        rows = [{"index": at, key: float(len(text))} for at, text in enumerate(texts)]
        return sorted(rows, key=lambda row: -row[key])

    return answer


def test_a_tei_endpoint_is_asked_and_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEMEM_RERANK_KEY", "secret")
    with served(by_length("score")) as (address, seen):
        judge = load_reranker(f"{address}/rerank")
        assert judge.judge("q", ["aa", "a", "aaa"]) == [2.0, 1.0, 3.0]
    assert seen == [
        {"path": "/rerank", "key": "Bearer secret", "query": "q", "texts": ["aa", "a", "aaa"], "truncate": True}
    ]
    assert "secret" not in repr(judge)


def test_a_jina_or_cohere_endpoint_is_asked_and_read() -> None:
    with served(lambda texts: {"results": by_length("relevance_score")(texts)}) as (address, seen):
        judge = load_reranker(f"{address}/v1/rerank#rerank-small")
        assert judge.judge("q", ["a", "aa"]) == [1.0, 2.0]
    assert (seen[0]["model"], seen[0]["documents"]) == ("rerank-small", ["a", "aa"])


def test_many_texts_are_asked_in_batches() -> None:
    with served(by_length("score")) as (address, seen):
        scores = load_reranker(f"{address}/rerank").judge("q", ["a" * at for at in range(1, 71)])
    assert scores == [float(at) for at in range(1, 71)]
    assert [len(request["texts"]) for request in seen] == [32, 32, 6]


@pytest.mark.parametrize(
    "answer",
    [
        {"error": "x"},
        [],
        [{"index": 0, "score": 1.0}],
        [{"index": 0, "score": 1.0}, {"index": 0, "score": 2.0}],
        [{"index": 0}, {"index": 1}],
        [{"index": 7, "score": 1.0}, {"index": 1, "score": 2.0}],
        "text",
    ],
)
def test_an_answer_that_does_not_fit_is_an_error(answer: Any) -> None:
    with pytest.raises(ProviderError):
        read_answer(answer, 2)


def test_a_score_of_null_is_no_number() -> None:
    assert math.isnan(read_answer([{"index": 0, "score": None}], 1)[0])


def test_a_refusal_is_told() -> None:
    with (
        served({"error": "no such model"}, status=404) as (address, _),
        pytest.raises(ProviderError, match=r"404.*no such model"),
    ):
        load_reranker(f"{address}/rerank").judge("q", ["a"])


def test_an_endpoint_that_is_not_there_is_told() -> None:
    with pytest.raises(ProviderError, match="cannot be used"):
        load_reranker("http://127.0.0.1:9/rerank").judge("q", ["a"])


# In the search.


def test_the_judge_reorders_a_search_but_not_a_bare_symbol(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from codemem.indexing import refresh
    from codemem.retrieval import search
    from codemem.settings import Settings
    from codemem.store import open_store, store_path
    from codemem.types import Query

    for name in ("alpha", "beta", "gamma"):
        (tmp_path / f"{name}.py").write_text(f'def pay_{name}():\n    """Pay the bill."""\n', "utf-8")
    refresh(tmp_path, Settings(jobs=1))

    monkeypatch.setattr(blend, "__defaults__", (0.9,))  # whatever share is tuned, here the judge's wish decides
    liked: list[str] = []

    def prefers_the_last(texts: list[str]) -> list[dict[str, Any]]:
        return [{"index": at, "score": float(liked[0] in text)} for at, text in enumerate(texts)]

    with open_store(store_path(tmp_path)) as store, served(prefers_the_last) as (address, seen):
        plain = search(store, Query("pay the bill"))
        liked.append(plain.hits[-1].chunk.name)
        judged = search(store, Query("pay the bill", rerank=f"{address}/rerank"))
        asked = len(seen)
        search(store, Query("pay_alpha", rerank=f"{address}/rerank"))
        assert len(seen) == asked == 1
    assert judged.hits[0].chunk.path == plain.hits[-1].chunk.path
    assert {hit.chunk.path for hit in judged.hits} == {hit.chunk.path for hit in plain.hits}
    assert judged.hits[0].score == pytest.approx(sum(judged.hits[0].why.values()), abs=1e-4)


def test_m44_equal_scores_leave_a_search_as_it_was(tmp_path: Path) -> None:
    from codemem.indexing import refresh
    from codemem.retrieval import search
    from codemem.settings import Settings
    from codemem.store import open_store, store_path
    from codemem.types import Query

    for name in ("alpha", "beta"):
        (tmp_path / f"{name}.py").write_text(f'def pay_{name}():\n    """Pay the bill."""\n', "utf-8")
    refresh(tmp_path, Settings(jobs=1))
    with (
        open_store(store_path(tmp_path)) as store,
        served(lambda texts: [{"index": at, "score": 1} for at in range(len(texts))]) as (address, _),
    ):
        plain = search(store, Query("pay the bill"))
        judged = search(store, Query("pay the bill", rerank=f"{address}/rerank"))
    assert [hit.score for hit in judged.hits] == [hit.score for hit in plain.hits]
    assert any("same score" in remark for remark in judged.degraded)
