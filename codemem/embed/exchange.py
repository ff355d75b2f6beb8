"""One request to a provider of models, repeated until it is answered for good.

What is embedded leaves the machine only through this module, and it follows no redirect.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, Protocol

from codemem.errors import BadInput, CodememError, ModelMissing, ProviderError

if TYPE_CHECKING:
    import httpx

CONNECT_SECONDS = 3.0
READ_SECONDS = 60.0
"""A local model may load for half a minute before its first answer."""
READ_VARIABLE = "CODEMEM_PROVIDER_TIMEOUT"
MOST_TRIES = 4
FIRST_WAIT_SECONDS = 0.5
LONGEST_WAIT_SECONDS = 20.0
"""A provider that asks for a longer pause is reported instead of waited for."""
RETRIED = frozenset((408, 425, 429, 500, 502, 503, 504))
MOST_REPLY_BYTES = 64_000_000
SHOWN_ERROR = 200
"""Characters of a provider's error message that are shown."""
REMEDY = "check the service, or choose another model with --embedder"


class Endpoint(Protocol):
    """Where a model is asked, and what messages say of it."""

    name: str
    url: str
    fetch_command: str
    """How to get the model when the provider does not have it."""

    @property
    def model(self) -> str: ...


def open_client(headers: Mapping[str, str]) -> httpx.Client:
    """Return a client for the requests of one call; raises BadInput when the time limit is no number."""
    import httpx

    try:
        seconds = float(os.environ.get(READ_VARIABLE) or READ_SECONDS)
    except ValueError as error:
        raise BadInput(f"{READ_VARIABLE} is no number", "give seconds, like 30") from error
    # Redirects are not followed: they would carry texts, and the key, to a host nobody named.
    return httpx.Client(
        headers=dict(headers), timeout=httpx.Timeout(seconds, connect=CONNECT_SECONDS), follow_redirects=False
    )


def post(client: httpx.Client, endpoint: Endpoint, body: dict[str, Any]) -> tuple[int, Any]:
    """Send a request until it is answered for good; return (413, None) or (200, the decoded reply)."""
    import httpx

    wait = FIRST_WAIT_SECONDS
    for attempt in range(1, MOST_TRIES + 1):
        last = attempt == MOST_TRIES
        try:
            status, headers, content = _exchange(client, endpoint, body)
        except httpx.ConnectError as error:
            raise ProviderError(
                f"{endpoint.model} cannot be reached at {shown_url(endpoint.url)}: {error}", REMEDY
            ) from error
        except httpx.TimeoutException as error:
            raise ProviderError(
                f"{endpoint.model} did not answer in time", f"{REMEDY}; {READ_VARIABLE} sets the seconds"
            ) from error
        except httpx.HTTPError as error:
            if last:
                raise ProviderError(f"{endpoint.model} broke off: {error}", REMEDY) from error
        else:
            if status == 413:
                return status, None
            if status == 200:
                return status, _decoded(content, endpoint)
            if status not in RETRIED or last:
                raise _refusal(status, content, endpoint)
            wait = _asked_pause(headers) or wait
            if wait > LONGEST_WAIT_SECONDS:
                raise ProviderError(f"{endpoint.model} asks to wait {wait:.0f} seconds", "try again later")
        time.sleep(wait)
        wait = min(wait * 2, LONGEST_WAIT_SECONDS)
    raise ProviderError(f"{endpoint.model} gave no answer", REMEDY)


def _exchange(client: httpx.Client, endpoint: Endpoint, body: dict[str, Any]) -> tuple[int, Mapping[str, str], bytes]:
    with client.stream("POST", endpoint.url, json=body) as response:
        pieces: list[bytes] = []
        size = 0
        for piece in response.iter_bytes():
            size += len(piece)
            if size > MOST_REPLY_BYTES:
                raise ProviderError(
                    f"{endpoint.model} sent more than {MOST_REPLY_BYTES // 1_000_000} MB for one batch", REMEDY
                )
            pieces.append(piece)
        return response.status_code, response.headers, b"".join(pieces)


def _decoded(content: bytes, endpoint: Endpoint) -> Any:
    import json

    try:
        return json.loads(content)
    except (ValueError, RecursionError) as error:
        raise ProviderError(f"{endpoint.model} sent a reply that is no JSON ({len(content)} bytes)", REMEDY) from error


def _refusal(status: int, content: bytes, endpoint: Endpoint) -> CodememError:
    text = " ".join(content.decode("utf-8", "replace").split())[:SHOWN_ERROR]
    if status == 404 and endpoint.fetch_command:
        return ModelMissing(f"{endpoint.name} is not there: {text}", f"fetch it with `{endpoint.fetch_command}`")
    if status in (401, 403):
        return ProviderError(
            f"{endpoint.model} refuses the key (HTTP {status})", "check the key's environment variable"
        )
    return ProviderError(f"{endpoint.model} answered HTTP {status}: {text}", REMEDY)


def _asked_pause(headers: Mapping[str, str]) -> float:
    """Read Retry-After: seconds or a date (RFC 9110)."""
    value = headers.get("retry-after", "").strip()
    if value.isascii() and value.replace(".", "", 1).isdigit():
        return float(value)
    try:
        return max(parsedate_to_datetime(value).timestamp() - time.time(), 0.0) if value else 0.0
    except ValueError:
        return 0.0


def shown_url(url: str) -> str:
    """Return a URL without user and password."""
    scheme, separator, rest = url.partition("://")
    return f"{scheme}{separator}{rest.rpartition('@')[2]}"
