"""The kinds of rerankers: a table from prefix to loader; each loader imports its library only when it is called."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from codemem.errors import BadInput


class Reranker(Protocol):
    """Judges how well each text answers a question."""

    @property
    def name(self) -> str:
        """What it is called in reports."""

    @property
    def remote(self) -> bool:
        """Whether texts leave the machine."""

    def judge(self, question: str, texts: Sequence[str]) -> Any:
        """Return one score a text, larger is better."""


@dataclass(frozen=True, slots=True)
class RerankerRow:
    """One kind of reranker."""

    prefix: str
    summary: str
    load: Callable[[str], Reranker]


def _load_transformer(argument: str) -> Reranker:
    from codemem.rerank.transformer import load_cross_encoder

    return load_cross_encoder(argument)


def _load_http(scheme: str) -> Callable[[str], Reranker]:
    def load(argument: str) -> Reranker:
        from codemem.rerank.remote import load_endpoint

        return load_endpoint(f"{scheme}:{argument}")

    return load


RERANKERS = (
    RerankerRow("http", "a TEI, Jina or Cohere-style endpoint: http://HOST/rerank or …/v1/rerank#MODEL", _load_http("http")),
    RerankerRow("https", "the same over TLS", _load_http("https")),
    RerankerRow("sentence-transformers", "a cross-encoder by name or folder, ONNX where the folder has it", _load_transformer),
)  # fmt: skip


def load_reranker(name: str) -> Reranker:
    """Load the reranker `PREFIX:ARGUMENT`; raises BadInput for an unknown kind, ModelMissing when it is not here."""
    prefix, found, argument = name.partition(":")
    row = next((row for row in RERANKERS if row.prefix == prefix), None)
    if row is None or not found or not argument.strip("/"):
        known = ", ".join(f"{row.prefix}:…" for row in RERANKERS)
        raise BadInput(f"unknown reranker {name!r}", f"known are {known}")
    return row.load(argument)
