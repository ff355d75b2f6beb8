"""The text of a packed context: one fenced block, escaped and marked."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from codemem.fence import CLOSE, OPEN, escape, fenced
from codemem.packing.pack import Entry, PackedSection


def block(sections: Sequence[PackedSection]) -> str:
    """Render sections as the one fenced block that goes into a prompt."""
    parts = [OPEN]
    for section in sections:
        parts.append(f"## {section.title}")
        # Turns are offered newest first, because the newest matter most, and read oldest first.
        entries = reversed(section.entries) if section.name == "turns" else section.entries
        parts += [_entry(section.name, entry) for entry in entries]
    parts.append(CLOSE)
    return "\n".join(parts)


@lru_cache(maxsize=1024)  # the whole text is measured several times while it grows
def _entry(section: str, entry: Entry) -> str:
    if section == "code":
        return f"{escape(entry.brief or entry.text)}\n{fenced(entry.body)}" if entry.body else escape(entry.text)
    lines = escape(entry.text).split("\n")
    return "\n".join([f"- {lines[0]}", *(f"  {line}" for line in lines[1:])])
