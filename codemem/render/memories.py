"""Memories as text and JSON; verdicts in the language of the terminal."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from codemem.identity import iso_time, short_id
from codemem.memory.moments import time_marks
from codemem.memory.requests import REFUSED
from codemem.render.safe import one_line, safe_text
from codemem.render.style import PLAIN, Style
from codemem.render.table import cut_width

if TYPE_CHECKING:
    from codemem.memory import Listing, MemoryHit, MemoryResult, Remembered
    from codemem.types import Memory

MESSAGES = Path(__file__).with_name("memory_messages.toml")
LANGUAGES = ("en", "zh")
LOCALE_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")
SHOWN_CONTENT = 120
"""Characters of a memory in a list: one line of a wide terminal."""
BLOCK_LINES = 6
"""Lines of a memory among the hits of a search: as many as a snippet has; `memory show` has the rest."""
AGES = (
    (365 * 86_400_000, "year"),
    (30 * 86_400_000, "month"),
    (86_400_000, "day"),
    (3_600_000, "hour"),
    (60_000, "minute"),
)
"""Units of an age in milliseconds, the largest first."""
TIMES = ("valid_from", "valid_to", "created_at", "updated_at", "superseded_at", "last_used_at")


@cache
def messages(language: str) -> Mapping[str, str]:
    """Return the catalogue of one language."""
    import tomllib

    table: dict[str, dict[str, str]] = tomllib.loads(MESSAGES.read_text("utf-8"))
    return table[language if language in LANGUAGES else "en"]


def interface_language(chosen: str = "") -> str:
    """Return the language of messages: as chosen, else Chinese for a Chinese locale, else English."""
    if chosen:
        return chosen
    locale = next((os.environ[name] for name in LOCALE_VARIABLES if os.environ.get(name)), "")
    return "zh" if locale.lower().startswith("zh") else "en"


def verdict_text(done: Remembered, language: str) -> str:
    """Say in one or a few lines what became of a statement."""
    catalogue = messages(language)
    late = done.verdict == "stored" and done.existing is not None
    values = {
        "id": done.memory.short_id if done.memory else "",
        "existing_id": done.existing.short_id if done.existing else "",
        "existing": _shortened(done.existing.content) if done.existing else "",
    }
    lines = [catalogue["late" if late else done.verdict].format(**values)]
    if done.redacted and done.verdict not in REFUSED:
        lines.append(catalogue["redacted"].format(kinds=", ".join(done.redacted)))
    if done.pending_vector:
        lines.append(catalogue["pending"])
    return "\n".join(lines)


def explained(done: Remembered) -> str:
    """Say why: the rule of the judge, its evidence, and how the pair was found."""
    if not done.rule:
        return "no earlier memory was close enough to compare"
    evidence = f" ({one_line(done.evidence)})" if done.evidence else ""
    return f"rule: {done.rule}{evidence}; nominated by {done.rung or 'words'}, similarity {done.score:.2f}"


def verdict_document(done: Remembered, language: str) -> dict[str, Any]:
    """Build the document of `memory add --json`."""
    return {
        "verdict": done.verdict,
        "id": done.memory.uuid if done.memory else None,
        "memory": memory_document(done.memory) if done.memory else None,
        "existing": memory_document(done.existing) if done.existing else None,
        "score": round(done.score, 4),
        "rule": done.rule,
        "evidence": done.evidence,
        "nominated_by": done.rung,
        "redacted": list(done.redacted),
        "pending_vector": done.pending_vector,
        "degraded": list(done.degraded),
        "message": verdict_text(done, language),
    }


def memory_document(memory: Memory) -> dict[str, Any]:
    """Build one memory as JSON shows it; times are ISO-8601 with offset."""
    values: dict[str, Any] = {
        "id": memory.uuid,
        "short_id": memory.short_id,
        "content": memory.content,
        "type": memory.type,
        "visibility": memory.visibility,
        "tenant": memory.tenant,
        "cube": memory.cube,
        "key": memory.key,
        "symbol": memory.symbol,
        "anchor": memory.anchor,
        "importance": memory.importance,
        "version": memory.version,
        "status": memory.status,
        "source": memory.source,
        "source_ref": {"session": memory.source_session, "message": memory.source_message}
        if memory.source_session
        else None,
        "aliases": list(memory.aliases),
        "seen_count": memory.seen_count,
        "superseded_by": memory.superseded_by,
    }
    values.update({name: iso_time(at) if (at := getattr(memory, name)) is not None else None for name in TIMES})
    return values


def hit_document(rank: int, hit: MemoryHit) -> dict[str, Any]:
    """Build one hit: the memory's own fields beside rank, score and reasons."""
    return {
        "rank": rank, "score": hit.score, "source": "memory", "similarity": hit.similarity, "why": hit.why,
        **{name: value for name, value in memory_document(hit.memory).items() if name != "source"},
        "memory_source": hit.memory.source,
    }  # fmt: skip


def result_document(result: MemoryResult, query: str, mode: str, offset: int) -> dict[str, Any]:
    """Build the document of `memory search --json`."""
    return {
        "query": query,
        "mode": mode,
        "count": len(result.hits),
        "total": result.total,
        "below_minimum": result.below_minimum,
        "skipped_model_mismatch": result.skipped_model_mismatch,
        "pending_vectors": result.pending_vectors,
        "semantic": result.semantic,
        "degraded": list(result.degraded),
        "hits": [hit_document(rank, hit) for rank, hit in enumerate(result.hits, offset + 1)],
    }


def result_text(result: MemoryResult, explain: bool) -> str:
    """Show hits one a line, their state when it is not the plain one, and with `explain` the arms."""
    lines = []
    for hit in result.hits:
        lines.append(f"{hit.score:.2f}  {memory_line(hit.memory)}")
        if explain:
            lines.append("      " + "  ".join(f"{name} {value:g}" for name, value in hit.why.items()))
    return "\n".join(lines)


def memory_line(memory: Memory) -> str:
    """Return id, content on one line, and the marks that matter."""
    marks = [mark for mark in (
        f"[{memory.status}]" if memory.status != "active" else "",
        *(f"[{mark}]" for mark in time_marks(memory)),
        _tie_mark(memory),
        "(global)" if memory.visibility == "global" else "",
        f"({memory.cube})" if memory.cube != "user_profile" else "",
        f"key={memory.key}" if memory.key else "",
    ) if mark]  # fmt: skip
    return one_line("  ".join((memory.short_id, _shortened(memory.content), *marks)))


def _tie_mark(memory: Memory) -> str:
    if not memory.symbol:
        return ""
    return f"symbol={memory.symbol}" if memory.anchor in ("", "fresh") else f"[{memory.anchor}: {memory.symbol}]"


def memory_block(hit: MemoryHit, now: int, style: Style = PLAIN, width: int = 0, explain: bool = False) -> list[str]:
    """Show a memory as one of the hits of a search: id, age and marks, its text, the state of its tie to code."""
    memory = hit.memory
    marks = (
        age_phrase(now - memory.updated_at),
        f"key={memory.key}" if memory.key else "",
        "global" if memory.visibility == "global" else "",
        memory.status if memory.status != "active" else "",
        *time_marks(memory),
    )
    head = style.paint(style.path, f"memory:{memory.short_id}")
    lines = [f"{head}  {one_line(', '.join(mark for mark in marks if mark))}"]
    content = safe_text(memory.content.strip()).split("\n")
    shown = [f"  {line}" for line in content[:BLOCK_LINES]]
    lines += [cut_width(line, width) if width else line for line in shown]
    if len(content) > BLOCK_LINES:
        lines.append(style.paint(style.faint, f"  … {len(content) - BLOCK_LINES} more lines"))
    if memory.symbol:
        lines.append(
            f"  {style.paint(style.faint, 'about: ')}{one_line(memory.symbol)} ({memory.anchor or 'unresolved'})"
        )
    if explain:
        reasons = [f"score {hit.score:.3f}", *(f"{name}  {value:+.3f}" for name, value in hit.why.items())]
        lines += [style.paint(style.faint, f"    {line}") for line in reasons]
    return lines


def age_phrase(milliseconds: int) -> str:
    """Return `3 days ago`, in the largest unit that fits; `just now` below a minute."""
    for size, unit in AGES:
        if milliseconds >= size:
            number = milliseconds // size
            return f"{number} {unit}{'' if number == 1 else 's'} ago"
    return "just now"


def listing_text(listing: Listing, language: str) -> str:
    """Show a page of memories and what it leaves out."""
    lines = [memory_line(memory) for memory in listing.memories]
    hidden = listing.superseded - sum(memory.status == "superseded" for memory in listing.memories)
    if hidden > 0:
        lines.append(messages(language)["superseded"].format(count=hidden))
    return "\n".join(lines)


def memory_text(memory: Memory, chain: Sequence[Memory] = (), tie: str = "") -> str:
    """Show one memory with all that is known about it."""
    document = memory_document(memory)
    lines = [safe_text(memory.content), ""]
    shown = (
        "id",
        "type",
        "visibility",
        "cube",
        "key",
        "status",
        "importance",
        "version",
        "source",
        "seen_count",
        *TIMES,
    )
    lines += [f"{name.replace('_', ' ')}: {document[name]}" for name in shown if document[name] not in (None, "")]
    if memory.symbol:
        lines.append(one_line(f"symbol: {memory.symbol} ({memory.anchor or 'unresolved'}{'; ' + tie if tie else ''})"))
    lines += [one_line(f"also said: {alias}") for alias in memory.aliases]
    if memory.superseded_by:
        lines.append(f"superseded by: {short_id(memory.superseded_by)}")
    lines += [f"replaces: {memory_line(older)}" for older in chain]
    return "\n".join(lines)


def history_text(entries: Sequence[dict[str, Any]]) -> str:
    """Show what happened to a memory, oldest first."""
    return "\n".join(
        one_line(f"{iso_time(entry['at'])}  {entry['action']:9s} by {entry['actor']}  {_change(entry)}".rstrip())
        for entry in entries
    )


def _change(entry: dict[str, Any]) -> str:
    return (
        f"{_shortened(entry['before'])} -> {_shortened(entry['after'])}"
        if entry["before"]
        else _shortened(entry["after"])
    )


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= SHOWN_CONTENT else line[: SHOWN_CONTENT - 1] + "…"
