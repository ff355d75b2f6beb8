"""Providers against a local server that misbehaves in every way a provider can."""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np
import pytest

from codemem.embed import exchange, load_embedder
from codemem.errors import BadInput, ModelMissing, ProviderError

DIMENSION = 4
Behaviour = Callable[["Request"], None]


class Request:
    """One request as the stub's behaviours see it."""

    def __init__(self, handler: BaseHTTPRequestHandler, body: dict[str, Any], number: int) -> None:
        self.handler, self.body, self.number = handler, body, number

    @property
    def texts(self) -> list[str]:
        return list(self.body["input"])

    def reply(
        self, status: int, document: object, headers: dict[str, str] | None = None, cut: int | None = None
    ) -> None:
        content = document if isinstance(document, bytes) else json.dumps(document).encode()
        self.handler.send_response(status)
        for name, value in (headers or {}).items():
            self.handler.send_header(name, value)
        self.handler.send_header("Content-Length", str(len(content) if cut is None else cut))
        self.handler.end_headers()
        self.handler.wfile.write(content if cut is None else content[:cut])

    def vectors(self) -> list[list[float]]:
        return [[float(len(text)), 1.0, 2.0, 3.0] for text in self.texts]

    def good(self) -> None:
        if self.handler.path.endswith("/api/embed"):
            self.reply(200, {"model": self.body["model"], "embeddings": self.vectors()})
        else:
            rows = [
                {"object": "embedding", "index": place, "embedding": row} for place, row in enumerate(self.vectors())
            ]
            self.reply(200, {"object": "list", "data": rows[::-1], "model": self.body["model"]})


class Stub:
    """A server whose behaviour the test sets; it keeps what it was sent."""

    def __init__(self) -> None:
        self.behaviour: Behaviour = Request.good
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        stub = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                stub.bodies.append(body)
                stub.headers.append(dict(self.headers))
                with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                    stub.behaviour(Request(self, body, len(stub.bodies)))

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        self.thread.start()
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


@pytest.fixture
def stub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Stub]:
    server = Stub()
    monkeypatch.setenv("OLLAMA_BASE_URL", server.url)
    monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "key-of-the-test")
    monkeypatch.delenv("OLLAMA_EMBEDDING_MODEL", raising=False)
    monkeypatch.setattr(exchange, "FIRST_WAIT_SECONDS", 0.01)
    yield server
    server.close()


@pytest.fixture(params=["ollama:plain", "openai:plain"])
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_vectors_come_back_in_order_and_of_unit_length(stub: Stub, name: str) -> None:
    embedder = load_embedder(name)
    matrix = embedder.embed_texts(["a", "bbbb", "cc"])
    assert matrix.shape == (3, DIMENSION) and matrix.dtype == np.float32
    assert np.allclose(np.linalg.norm(matrix, axis=1), 1)
    assert matrix[1, 0] > matrix[2, 0] > matrix[0, 0]
    assert embedder.dimension == DIMENSION and embedder.remote and embedder.semantic


def test_the_wire_format_is_the_documented_one(stub: Stub) -> None:
    load_embedder("ollama:plain").embed_texts(["x"])
    load_embedder("openai:plain").embed_texts(["x"])
    assert stub.bodies == [
        {"model": "plain", "input": ["x"], "truncate": True},
        {"model": "plain", "input": ["x"], "encoding_format": "float"},
    ]
    assert "Authorization" not in stub.headers[0]
    assert stub.headers[1]["Authorization"] == "Bearer key-of-the-test"


def test_prefixes_belong_to_the_model_and_to_its_key(stub: Stub) -> None:
    embedder = load_embedder("ollama")
    embedder.embed_texts(["d"])
    embedder.embed_prose_queries(["q"])
    assert [body["input"] for body in stub.bodies] == [["search_document: d"], ["search_query: q"]]
    assert embedder.model == "ollama:nomic-embed-text+prefixes"
    assert load_embedder("ollama:plain").model == "ollama:plain"


def test_many_texts_go_in_batches(stub: Stub) -> None:
    matrix = load_embedder("ollama:plain").embed_texts([f"text {number}" for number in range(70)])
    assert len(matrix) == 70
    assert [len(body["input"]) for body in stub.bodies] == [32, 32, 6]


def test_an_empty_list_has_no_rows(stub: Stub) -> None:
    assert load_embedder("ollama:plain").embed_texts([]).shape == (0, DIMENSION)


def test_429_waits_as_long_as_it_is_told(stub: Stub, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr(exchange.time, "sleep", slept.append)
    stub.behaviour = lambda request: (
        request.reply(429, {}, {"Retry-After": "7"}) if request.number == 1 else request.good()
    )
    assert len(load_embedder(name).embed_texts(["a"])) == 1
    assert slept == [7.0]


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504])
def test_passing_failures_are_tried_again(stub: Stub, status: int) -> None:
    stub.behaviour = lambda request: request.reply(status, {"error": "busy"}) if request.number < 3 else request.good()
    assert len(load_embedder("ollama:plain").embed_texts(["a"])) == 1
    assert len(stub.bodies) == 3


def test_lasting_failures_end_after_a_few_tries(stub: Stub, name: str) -> None:
    stub.behaviour = lambda request: request.reply(500, {"error": "on fire"})
    with pytest.raises(ProviderError, match=r"HTTP 500.*on fire"):
        load_embedder(name).embed_texts(["a"])
    assert len(stub.bodies) == exchange.MOST_TRIES


def test_a_long_pause_is_reported_not_waited_for(stub: Stub) -> None:
    stub.behaviour = lambda request: request.reply(429, {}, {"Retry-After": "3600"})
    with pytest.raises(ProviderError, match="wait 3600 seconds"):
        load_embedder("ollama:plain").embed_texts(["a"])


def test_413_splits_batches_and_then_texts(stub: Stub, name: str) -> None:
    def limited(request: Request) -> None:
        request.reply(413, {}) if sum(map(len, request.texts)) > 10 else request.good()

    stub.behaviour = limited
    matrix = load_embedder(name).embed_texts(["a" * 8, "b" * 8, "c" * 40, "d"])
    assert len(matrix) == 4
    assert max(len(body["input"]) for body in stub.bodies[1:]) < 4


def test_a_provider_that_refuses_everything_as_too_large_ends(stub: Stub) -> None:
    stub.behaviour = lambda request: request.reply(413, {})
    with pytest.raises(ProviderError, match="shortest text"):
        load_embedder("ollama:plain").embed_texts(["abcdef"])


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ({"embeddings": [[1.0, 2.0]]}, "shape"),
        ({"embeddings": [[1.0, 2.0], [3.0]]}, "table of numbers|shape"),
        ({"embeddings": [[1.0, float("nan")], [1.0, 1.0]]}, "not finite"),
        ({"embeddings": [[1.0, float("inf")], [1.0, 1.0]]}, "not finite"),
        ({"embeddings": [[0.0, 0.0], [1.0, 1.0]]}, "length zero"),
        ({"embeddings": [["a", "b"], [1.0, 1.0]]}, "table of numbers"),
        ({"embeddings": []}, "shape"),
        ({"vectors": []}, "no `embeddings`"),
        ([], "no `embeddings`"),
        (b"{\"embeddings\": [[1.0, 2", "no JSON"),
        (b"<html>gateway</html>", "no JSON"),
        (b"", "no JSON"),
    ],
)  # fmt: skip
def test_unusable_replies_are_errors(stub: Stub, document: object, message: str) -> None:
    stub.behaviour = lambda request: request.reply(200, document)
    with pytest.raises(ProviderError, match=message):
        load_embedder("ollama:plain").embed_texts(["a", "b"])


@pytest.mark.parametrize(
    "data",
    [
        [],
        [{"index": 0}],
        [{"index": 0, "embedding": [1]}, {"index": 0, "embedding": [1]}],
        [{"index": 5, "embedding": [1]}],
        "x",
    ],
)
def test_openai_replies_must_name_every_text(stub: Stub, data: object) -> None:
    stub.behaviour = lambda request: request.reply(200, {"data": data})
    with pytest.raises(ProviderError):
        load_embedder("openai:plain").embed_texts(["a"])


def test_a_dimension_that_changes_is_an_error(stub: Stub) -> None:
    embedder = load_embedder("ollama:plain")
    embedder.embed_texts(["a"])
    stub.behaviour = lambda request: request.reply(200, {"embeddings": [[1.0, 2.0]]})
    with pytest.raises(ProviderError, match="2 dimensions, expected 4"):
        embedder.embed_texts(["a"])


def test_a_reply_that_breaks_off_is_tried_again(stub: Stub) -> None:
    def broken(request: Request) -> None:
        if request.number == 1:
            request.handler.send_response(200)
            request.handler.send_header("Content-Length", "1000")
            request.handler.end_headers()
            request.handler.wfile.write(b'{"embed')
            request.handler.close_connection = True
        else:
            request.good()

    stub.behaviour = broken
    assert len(load_embedder("ollama:plain").embed_texts(["a"])) == 1


def test_a_huge_reply_is_cut_off(stub: Stub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exchange, "MOST_REPLY_BYTES", 1000)
    stub.behaviour = lambda request: request.reply(200, b"[" + b"0," * 5000 + b"0]")
    with pytest.raises(ProviderError, match="more than"):
        load_embedder("ollama:plain").embed_texts(["a"])


def test_a_provider_that_hangs_costs_the_timeout_once(stub: Stub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEMEM_PROVIDER_TIMEOUT", "0.2")
    stub.behaviour = lambda request: time.sleep(1)
    with pytest.raises(ProviderError, match="did not answer in time"):
        load_embedder("ollama:plain").embed_texts(["a"])
    assert len(stub.bodies) == 1


def test_nobody_listens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLLAMA_BASE_URL", "http://127.0.0.1:9")
    with pytest.raises(ProviderError, match="cannot be reached"):
        load_embedder("ollama:plain").embed_texts(["a"])


def test_a_model_that_is_not_there_names_the_command(stub: Stub) -> None:
    stub.behaviour = lambda request: request.reply(404, {"error": 'model "plain" not found, try pulling it first'})
    with pytest.raises(ModelMissing) as caught:
        load_embedder("ollama:plain").embed_texts(["a"])
    assert "ollama pull plain" in caught.value.remedy


def test_a_refused_key_is_said_and_never_shown(stub: Stub) -> None:
    stub.behaviour = lambda request: request.reply(401, {"error": {"message": "Incorrect API key: key-of-the-test"}})
    with pytest.raises(ProviderError) as caught:
        load_embedder("openai:plain").embed_texts(["a"])
    assert "key-of-the-test" not in caught.value.message + caught.value.remedy
    assert "key-of-the-test" not in repr(load_embedder("openai:plain"))


def test_redirects_are_not_followed(stub: Stub) -> None:
    stub.behaviour = lambda request: request.reply(302, {}, {"Location": f"{stub.url}/elsewhere"})
    with pytest.raises(ProviderError, match="HTTP 302"):
        load_embedder("openai:plain").embed_texts(["a"])
    assert len(stub.bodies) == 1


def test_families_have_their_own_key_and_address(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("OPENAI_BASE_URL", "OPENAI_API_KEY", "JINA_API_KEY", "DASHSCOPE_API_KEY"):
        monkeypatch.delenv(variable, raising=False)
    for name, variable in (
        ("openai", "OPENAI"),
        ("openai:jina-embeddings-v3", "JINA"),
        ("openai:text-embedding-v4", "DASHSCOPE"),
    ):
        with pytest.raises(ModelMissing, match=f"{variable}_API_KEY"):
            load_embedder(name)
    monkeypatch.setenv("DASHSCOPE_API_KEY", "k")
    assert load_embedder("openai:text-embedding-v4").url.startswith("https://dashscope.")  # type: ignore[attr-defined]


def test_an_address_that_is_none_is_misuse(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLLAMA_BASE_URL", "localhost:11434")
    with pytest.raises(BadInput, match="no URL"):
        load_embedder("ollama")


def test_retry_after_may_be_a_date() -> None:
    from email.utils import formatdate

    assert 3 < exchange._asked_pause({"retry-after": formatdate(time.time() + 5, usegmt=True)}) <= 5
    assert exchange._asked_pause({"retry-after": "soon"}) == 0
