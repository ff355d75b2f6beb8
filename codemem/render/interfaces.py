"""What a change does to interfaces, as Markdown for a job summary, as text, and as JSON."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from codemem.render.safe import one_line

if TYPE_CHECKING:
    from codemem.indexing.ci import CiReport, ContractChange, InterfaceChange

SHOWN = 50
"""Rows of one section: a summary that nobody scrolls through says more."""
SHORT_COMMIT = 10
TITLES = {"removed": "Removed", "changed": "Changed", "added": "Added", "moved": "Moved"}
"""Kinds of change in the order of what they break."""


def ci_markdown(report: CiReport, failed: Sequence[str] = ()) -> str:
    """Write the summary of a job."""
    return "\n".join(_lines(report, failed, shown=_code, head="## ", part="### ", item="- ")) + "\n"


def ci_text(report: CiReport, failed: Sequence[str] = ()) -> str:
    """Write the same for a terminal."""
    return "\n".join(_lines(report, failed, shown=one_line, head="", part="", item="  "))


def ci_document(report: CiReport, failed: Sequence[str] = ()) -> dict[str, object]:
    """Build what `ci --json` prints."""
    done = report.report
    return {
        "base": report.base,
        "head": report.head,
        "stale": list(report.stale),
        "interfaces": {
            kind: [asdict(change) for change in report.interfaces if change.kind == kind] for kind in sorted(TITLES)
        },
        "contracts": [asdict(change) for change in report.contracts],
        "memories": [asdict(memory) for memory in report.memories],
        "index": {
            "files": done.files, "added": done.added, "changed": done.changed, "removed": done.removed, "chunks": done.chunks,
            "embedded": done.embedded, "reused": done.reused, "seconds": dict(done.seconds), "notes": list(done.notes),
        },
        "failed": list(failed),
    }  # fmt: skip


def contract_sentence(change: ContractChange) -> str:
    """Say what a contract change means for callers."""
    return _sentence(change, one_line)


def _lines(
    report: CiReport, failed: Sequence[str], shown: Callable[[str], str], head: str, part: str, item: str
) -> Iterator[str]:
    counts = {kind: len(report.of_kind(kind)) for kind in ("added", "changed", "removed", "moved")}
    summary = ", ".join(f"{number} {kind}" for kind, number in counts.items() if number) or "no interface changed"
    yield f"{head}codemem: {summary} since {report.base[:SHORT_COMMIT]}"
    for reason in failed:
        yield f"{item}failed: {reason}"
    if report.contracts:
        yield ""
        yield f"{part}Contracts"
        ordered = sorted(report.contracts, key=lambda change: (not change.unhandled, not change.gained))
        yield from _cut([f"{item}{_sentence(change, shown)}" for change in ordered], item)
    for kind, title in TITLES.items():
        changes = [change for change in report.interfaces if change.kind == kind]
        if changes:
            yield ""
            yield f"{part}{title}"
            yield from _cut([f"{item}{_change(change, shown)}" for change in changes], item)
    if report.memories:
        yield ""
        yield f"{part}Memories to look at"
        rows = [f"{item}{shown(memory.symbol)}: {memory.state} ({shown(memory.id)})" for memory in report.memories]
        yield from _cut(rows, item)


def _cut(rows: list[str], item: str) -> Iterator[str]:
    yield from rows[:SHOWN]
    if len(rows) > SHOWN:
        yield f"{item}… and {len(rows) - SHOWN} more"


def _sentence(change: ContractChange, shown: Callable[[str], str]) -> str:
    through = f" through {shown(change.via)}" if change.via else ""
    if not change.gained:
        return (
            f"{shown(change.qualified_name)} no longer raises {shown(change.type)}{through}, {_number(change.callers)}"
        )
    said = f"{shown(change.qualified_name)} may now raise {shown(change.type)}{through}, "
    if not change.unhandled:
        return said + f"{_number(change.callers)}, handled or declared by all"
    verb = "does" if len(change.unhandled) == 1 else "do"
    return (
        said
        + f"{_number(change.unhandled)} {verb} not handle it: "
        + ", ".join(shown(name) for name in change.unhandled[:5])
    )


def _number(names: Sequence[str]) -> str:
    return f"{len(names)} caller" + ("" if len(names) == 1 else "s")


def _change(change: InterfaceChange, shown: Callable[[str], str]) -> str:
    place = f"{change.path}:{change.line}"
    text = f"{change.definition} {shown(change.qualified_name)} ({shown(place)})"
    if change.kind == "changed":
        return f"{text}: {shown(change.before)} → {shown(change.signature)}"
    if change.kind == "moved":
        return f"{text}, from {shown(change.before)}"
    return f"{text}: {shown(change.signature)}" if change.kind == "added" and change.signature else text


def _code(text: str) -> str:
    """Quote text of the repository so that no Markdown in it takes effect."""
    plain = one_line(text)
    longest = max(map(len, re.findall("`+", plain)), default=0)
    fence = "`" * (longest + 1)
    return f"{fence}{plain}{fence}" if not longest else f"{fence} {plain} {fence}"
