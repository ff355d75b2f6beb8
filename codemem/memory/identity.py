"""Names and times of memories: UUIDv7, UTC milliseconds inside, ISO-8601 with offset outside, hashes of content."""

from __future__ import annotations

import hashlib
import os
import re
import time
import uuid
from datetime import UTC, datetime

from codemem.errors import BadInput

DATE_ONLY = re.compile(r"\d{4}-\d\d-\d\d")
SHORTEST_REFERENCE = 4
"""Characters of an id that a person must give: fewer name too many."""


def now_ms() -> int:
    """Return the time in UTC milliseconds."""
    return time.time_ns() // 1_000_000


def new_uuid(at: int) -> str:
    """Return a UUIDv7 (RFC 9562): 48 bits of milliseconds, then random bits."""
    random_bits = int.from_bytes(os.urandom(10))
    value = (at & (1 << 48) - 1) << 80 | 7 << 76 | (random_bits >> 68 & 0xFFF) << 64 | 2 << 62 | random_bits & (1 << 62) - 1
    return str(uuid.UUID(int=value))


def content_hash(text: str) -> str:
    """Return the SHA-256 of the whole text with white space made single blanks."""
    return hashlib.sha256(" ".join(text.split()).encode()).hexdigest()


def parse_time(text: str, option: str = "time") -> int:
    """Read an ISO-8601 date or time as UTC milliseconds; without an offset it means UTC, whatever the machine's zone."""
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError as error:
        raise BadInput(f"{option}: {text!r} is no date or time", "write it like 2026-05-01 or 2026-05-01T09:30+02:00") from error
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return round(moment.timestamp() * 1000)


def format_time(at: int | None) -> str | None:
    """Return UTC milliseconds as ISO-8601 with offset."""
    if at is None:
        return None
    return datetime.fromtimestamp(at / 1000, UTC).isoformat(timespec="milliseconds")
