"""Models behind an HTTP endpoint: Ollama, and everything that speaks OpenAI's `/embeddings` (OpenAI, DashScope, Jina).

Wire formats, from the providers' documentation:

    Ollama   POST {base}/api/embed   {"model", "input": [text…], "truncate": true} -> {"model", "embeddings": [[…]…]}
             404 {"error": "model … not found"} when the model has not been pulled
    OpenAI   POST {base}/embeddings  {"model", "input": [text…], "encoding_format": "float"}
             -> {"data": [{"index", "embedding": […]}…], "model", "usage"}; order is given by `index`
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from codemem.embed.cards import FileCard, document_text
from codemem.embed.exchange import REMEDY, open_client, post, shown_url
from codemem.embed.protocol import check_vectors
from codemem.errors import BadInput, ModelMissing, ProviderError

if TYPE_CHECKING:
    import httpx

    from codemem.card import Card
    from codemem.embed.protocol import Matrix

LONGEST_TEXT = 8_000
"""Characters sent of one text: about 2,000 tokens, what small embedding models read."""


@dataclass(frozen=True, slots=True)
class Prefixes:
    """What a model wants before questions and documents; part of its vectors' key."""

    match: str
    query: str
    document: str


PREFIXES = (
    Prefixes("e5-", "query: ", "passage: "),
    Prefixes("mxbai-embed-large", "Represent this sentence for searching relevant passages: ", ""),
    Prefixes("nomic-embed-text", "search_query: ", "search_document: "),
    Prefixes("snowflake-arctic-embed", "Represent this sentence for searching relevant passages: ", ""),
)
"""By what the model's name contains, sorted; from the models' own cards."""
NO_PREFIXES = Prefixes("", "", "")


@dataclass(frozen=True, slots=True)
class Service:
    """One family of OpenAI-compatible endpoints: where it is by default and which variables say otherwise."""

    name: str
    base: str
    base_variable: str
    key_variable: str
    batch: int
    """Texts of one request that it accepts."""


SERVICES = (
    Service(
        "dashscope", "https://dashscope.aliyuncs.com/compatible-mode/v1", "DASHSCOPE_BASE_URL", "DASHSCOPE_API_KEY", 10
    ),
    Service("jina", "https://api.jina.ai/v1", "JINA_BASE_URL", "JINA_API_KEY", 64),
    Service("openai", "https://api.openai.com/v1", "OPENAI_BASE_URL", "OPENAI_API_KEY", 128),
)
SERVICE_MODELS = (("jina-", "jina"), ("text-embedding-v", "dashscope"))
"""Model names that say whose they are; everything else goes to OPENAI_BASE_URL."""
OPENAI_MODEL_VARIABLE = "OPENAI_EMBEDDING_MODEL"
OPENAI_DEFAULT_MODEL = "text-embedding-3-small"
OLLAMA_BASE_VARIABLE = "OLLAMA_BASE_URL"
OLLAMA_BASE = "http://localhost:11434"
OLLAMA_MODEL_VARIABLE = "OLLAMA_EMBEDDING_MODEL"
OLLAMA_DEFAULT_MODEL = "nomic-embed-text"
OLLAMA_BATCH = 32


@dataclass(slots=True)
class RemoteEmbedder:
    """A model of a provider; its dimension is learned from its first answer."""

    kind: str
    name: str
    url: str
    batch: int
    read: Callable[[Any], list[Any]]
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    fetch_command: str = ""
    prefixes: Prefixes = NO_PREFIXES
    semantic: bool = True
    remote: bool = True
    _dimension: int = 0

    @property
    def model(self) -> str:
        mark = "+prefixes" if self.prefixes is not NO_PREFIXES else ""
        return f"{self.kind}:{self.name}{mark}"

    @property
    def dimension(self) -> int:
        if not self._dimension:
            self._embed(["dimension"])
        return self._dimension

    def embed_cards(self, cards: Sequence[Card | FileCard]) -> Matrix:
        return self.embed_texts([document_text(card) for card in cards])

    def embed_queries(self, texts: Sequence[str]) -> Matrix:
        return self._embed([self.prefixes.query + text for text in texts])

    def embed_texts(self, texts: Sequence[str]) -> Matrix:
        return self._embed([self.prefixes.document + text for text in texts])

    def embed_prose_queries(self, texts: Sequence[str]) -> Matrix:
        return self.embed_queries(texts)

    def _embed(self, texts: Sequence[str]) -> Matrix:
        """Embed in batches; raises ProviderError or ModelMissing, never returns part of what was asked."""
        import numpy as np

        rows = []
        with open_client(self.headers) as client:
            for start in range(0, len(texts), self.batch):
                part = [text[:LONGEST_TEXT] for text in texts[start : start + self.batch]]
                rows.append(self._checked(_embed_split(client, self, part), len(part)))
        return np.concatenate(rows) if rows else np.zeros((0, self.dimension), np.float32)

    def _checked(self, vectors: list[Any], count: int) -> Matrix:
        matrix = check_vectors(vectors, count, self._dimension, self.model)
        self._dimension = int(matrix.shape[1])
        return matrix


def load_ollama(argument: str) -> RemoteEmbedder:
    """Use a model that Ollama serves (`OLLAMA_BASE_URL`, `OLLAMA_EMBEDDING_MODEL`); nothing is asked yet."""
    name = argument or os.environ.get(OLLAMA_MODEL_VARIABLE) or OLLAMA_DEFAULT_MODEL
    base = _base(os.environ.get(OLLAMA_BASE_VARIABLE) or OLLAMA_BASE, OLLAMA_BASE_VARIABLE)
    _require_httpx()
    return RemoteEmbedder(
        "ollama", name, f"{base}/api/embed", OLLAMA_BATCH, _read_ollama,
        fetch_command=f"ollama pull {name}", prefixes=_prefixes(name),
    )  # fmt: skip


def load_openai(argument: str) -> RemoteEmbedder:
    """Use a model behind an OpenAI-compatible endpoint; base URL and key come from the environment."""
    name = argument or os.environ.get(OPENAI_MODEL_VARIABLE) or OPENAI_DEFAULT_MODEL
    family = next((service for start, service in SERVICE_MODELS if name.startswith(start)), "openai")
    service = next(row for row in SERVICES if row.name == family)
    if family != "openai" and not os.environ.get(service.key_variable) and os.environ.get("OPENAI_BASE_URL"):
        service = next(row for row in SERVICES if row.name == "openai")  # a gateway that serves this model
    base = _base(os.environ.get(service.base_variable) or service.base, service.base_variable)
    key = os.environ.get(service.key_variable, "")
    if not key and base == service.base:
        raise ModelMissing(
            f"{service.key_variable} is not set",
            f"set it to your key, or {service.base_variable} to an endpoint of your own",
        )
    _require_httpx()
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    return RemoteEmbedder(
        "openai", name, f"{base}/embeddings", service.batch, _read_openai, headers, prefixes=_prefixes(name)
    )


def _embed_split(client: httpx.Client, embedder: RemoteEmbedder, texts: list[str]) -> list[Any]:
    """Send one batch; halve it, and at last its only text, while the provider says that it is too large."""
    body: dict[str, Any] = {"model": embedder.name, "input": texts}
    body |= {"truncate": True} if embedder.kind == "ollama" else {"encoding_format": "float"}
    status, reply = post(client, embedder, body)
    if status == 413:
        if len(texts) > 1:
            middle = len(texts) // 2
            return [*_embed_split(client, embedder, texts[:middle]), *_embed_split(client, embedder, texts[middle:])]
        if len(texts[0]) < 2:
            raise ProviderError(f"{embedder.model} refuses even the shortest text as too large", REMEDY)
        return _embed_split(client, embedder, [texts[0][: len(texts[0]) // 2]])
    return embedder.read(reply)


def _read_ollama(reply: Any) -> list[Any]:
    rows = reply.get("embeddings") if isinstance(reply, dict) else None
    if not isinstance(rows, list):
        raise ProviderError("the reply has no `embeddings`", REMEDY)
    return rows


def _read_openai(reply: Any) -> list[Any]:
    rows = reply.get("data") if isinstance(reply, dict) else None
    if not isinstance(rows, list) or not all(isinstance(row, dict) and "embedding" in row for row in rows):
        raise ProviderError("the reply has no `data` with an `embedding` each", REMEDY)
    places = [row.get("index", place) for place, row in enumerate(rows)]
    if sorted(places, key=str) != sorted(range(len(rows)), key=str):
        raise ProviderError("the reply's `index` values do not name every text once", REMEDY)
    return [row["embedding"] for _, row in sorted(zip(places, rows, strict=True), key=lambda pair: pair[0])]


def _base(url: str, variable: str) -> str:
    if not url.startswith(("http://", "https://")):
        raise BadInput(f"{variable} is no URL: {shown_url(url)!r}", "write it like http://localhost:11434")
    return url.rstrip("/")


def _prefixes(name: str) -> Prefixes:
    return next((row for row in PREFIXES if row.match in name), NO_PREFIXES)


def _require_httpx() -> None:
    try:
        import httpx  # noqa: F401
    except ImportError as error:
        raise ModelMissing("httpx is not installed", "run `pip install 'codemem-cli[remote]'`") from error
