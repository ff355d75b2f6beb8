"""A cross-encoder behind an HTTP endpoint; texts leave the machine only when one is configured.

TEI           POST {url}            {"query", "texts": […], "truncate": true} -> [{"index", "score"}…]
Jina, Cohere  POST {url}/v1/rerank  {"model", "query", "documents": […]} -> {"results": [{"index", "relevance_score"}…]}
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from codemem.errors import BadInput, ModelMissing, ProviderError, WrongCount

CONNECT_SECONDS = 3.0
READ_SECONDS = 60.0
"""A service may load its model before the first answer."""
BATCH_TEXTS = 32
"""Texts of one request: TEI's own limit for a client."""
LONGEST_TEXT = 4_000
"""Characters sent of one text: about 1,000 tokens, more than a card has."""
KEY_VARIABLE = "CODEMEM_RERANK_KEY"
DOCUMENTS_STYLE = re.compile(r"/v\d+/rerank/?$")
"""Paths of Jina, Cohere and those who copy them; anything else is asked as TEI."""
SHOWN_ERROR = 200
REMEDY = "check the service and the setting `reranker`, or search without --rerank"


@dataclass(frozen=True, slots=True)
class EndpointJudge:
    """One endpoint; `key` never appears in a message or a repr."""

    url: str
    model: str = ""
    key: str = field(default="", repr=False)
    remote: bool = True

    @property
    def name(self) -> str:
        return f"{self.url}#{self.model}" if self.model else self.url

    def judge(self, question: str, texts: Sequence[str]) -> list[float]:
        """Ask for all texts, a batch a request; raises ProviderError when the answer does not fit."""
        try:
            import httpx
        except ImportError as error:
            raise ModelMissing("httpx is not installed", "pip install 'codemem-cli[remote]'") from error
        headers = {"Authorization": f"Bearer {self.key}"} if self.key else {}
        scores: list[float] = []
        timeout = httpx.Timeout(READ_SECONDS, connect=CONNECT_SECONDS)
        try:
            with httpx.Client(headers=headers, timeout=timeout, follow_redirects=False) as client:
                for start in range(0, len(texts), BATCH_TEXTS):
                    part = [text[:LONGEST_TEXT] for text in texts[start : start + BATCH_TEXTS]]
                    answer = client.post(self.url, json=self._body(question, part))
                    answer.raise_for_status()
                    scores += read_answer(answer.json(), len(part))
        except httpx.HTTPStatusError as error:
            said = " ".join(error.response.text.split())[:SHOWN_ERROR]
            raise ProviderError(f"the reranker answered {error.response.status_code}: {said}", REMEDY) from error
        except (httpx.HTTPError, ValueError) as error:
            raise ProviderError(f"the reranker at {self.url} cannot be used: {error}", REMEDY) from error
        return scores

    def _body(self, question: str, texts: list[str]) -> dict[str, Any]:
        if DOCUMENTS_STYLE.search(self.url):
            body: dict[str, Any] = {"query": question, "documents": texts, "return_documents": False}
            return {"model": self.model, **body} if self.model else body
        return {"query": question, "texts": texts, "truncate": True}


def load_endpoint(url: str) -> EndpointJudge:
    """Read `http://HOST/rerank` or `http://HOST/v1/rerank#MODEL`; the key comes from CODEMEM_RERANK_KEY."""
    address, _, model = url.partition("#")
    if not re.match(r"https?://[^/\s]+", address):
        raise BadInput(
            f"{url!r} is no address of a reranker", "write http://HOST/rerank or https://HOST/v1/rerank#MODEL"
        )
    return EndpointJudge(address, model, os.environ.get(KEY_VARIABLE, ""))


def read_answer(document: Any, count: int) -> list[float]:
    """Return the scores in the order of the texts; raises ProviderError unless there is exactly one for each."""
    rows = document.get("results") if isinstance(document, dict) else document
    if not isinstance(rows, list):
        raise ProviderError("the reranker's answer holds no results", REMEDY)
    scores: dict[int, float] = {}
    for row in rows:
        try:
            value = row["score"] if "score" in row else row["relevance_score"]
            scores[int(row["index"])] = float("nan") if value is None else float(value)
        except (KeyError, TypeError, ValueError) as error:
            raise ProviderError(f"a result of the reranker cannot be read: {str(row)[:SHOWN_ERROR]}", REMEDY) from error
    if len(rows) != count or set(scores) != set(range(count)):
        own = len(scores.keys() & range(count))
        again = f", for {own} of them" if len(rows) == count else ""
        raise WrongCount(f"the reranker returned {len(rows)} scores for {count} texts{again}", REMEDY)
    return [scores[at] for at in range(count)]
