"""Times and hashes of memories: UTC milliseconds inside, ISO-8601 with offset outside."""

from __future__ import annotations

from datetime import UTC, datetime

from codemem.errors import BadInput
from codemem.identity import iso_time

SHORTEST_REFERENCE = 4
"""Characters of an id that a person must give: fewer name too many."""


def content_hash(text: str) -> str:
    """Return the SHA-256 of the whole text with white space made single blanks."""
    import hashlib  # loads OpenSSL, which a search does not need

    return hashlib.sha256(" ".join(text.split()).encode()).hexdigest()


def parse_time(text: str, option: str = "time") -> int:
    """Read an ISO-8601 date or time as UTC milliseconds; without an offset it means UTC, whatever the machine's zone."""
    try:
        moment = datetime.fromisoformat(text.strip())
        moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError) as error:  # the last hours of the year 9999 lie beyond it elsewhere
        raise BadInput(
            f"{option}: {text!r} is no date or time", "write it like 2026-05-01 or 2026-05-01T09:30+02:00"
        ) from error
    return round(moment.timestamp() * 1000)


def format_time(at: int | None) -> str | None:
    """Return UTC milliseconds as ISO-8601 with offset."""
    return None if at is None else iso_time(at)
