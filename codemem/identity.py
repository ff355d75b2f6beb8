"""Ids and times of user data: UUIDv7 (sorted by time, unique across processes) and UTC milliseconds."""

from __future__ import annotations

import os
import time
import uuid
from datetime import UTC, datetime

SHORT_ID = 8
"""Characters of an id that are printed: the random tail, because ids of one minute share their head."""


def now_ms() -> int:
    """Return the time in UTC milliseconds."""
    return time.time_ns() // 1_000_000


def uuid7(at: int | None = None) -> str:
    """Return a UUIDv7 (RFC 9562): 48 bits of milliseconds, then 74 random bits."""
    moment = (now_ms() if at is None else at) & ((1 << 48) - 1)
    random = int.from_bytes(os.urandom(10), "big")
    value = moment << 80 | 0x7 << 76 | (random >> 68 & 0xFFF) << 64 | 0b10 << 62 | random & ((1 << 62) - 1)
    return str(uuid.UUID(int=value))


def short_id(identity: str) -> str:
    """Return the part of an id that is printed and accepted back."""
    return identity.replace("-", "")[-SHORT_ID:]


def iso_time(milliseconds: int) -> str:
    """Return ISO-8601 with offset, in UTC."""
    return datetime.fromtimestamp(milliseconds / 1000, UTC).isoformat(timespec="milliseconds")
