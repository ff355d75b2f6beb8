"""What an index run did, what a repository's index holds, what would be indexed: as text."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from codemem.render.safe import one_line
from codemem.render.table import table_text
from codemem.text import counted
from codemem.types import FileEntry, Problem, Report, Skipped

if TYPE_CHECKING:
    from codemem.store.status import IndexCounts

SHOWN_PATHS = 5
"""Paths listed per reason in a report; `--dry-run` and `--json` list them all."""
KILO = 1024


@dataclass(frozen=True, slots=True)
class StatusFacts:
    """All that `status` says; without `counts` there is no index."""

    root: str
    counts: IndexCounts | None = None
    languages: dict[str, int] = field(default_factory=dict)
    skipped: tuple[Skipped, ...] = ()
    problems: tuple[Problem, ...] = ()
    size_bytes: int = 0
    fresh: bool = False
    stale: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()


def report_text(report: Report, known: Collection[Skipped | Problem] = ()) -> str:
    """Say in a few lines what changed, how long it took, and what was left out; what was `known` before is counted."""
    skipped = [one for one in report.skipped if one not in known]
    problems = [one for one in report.problems if one not in known]
    lines = [changes_text(report), *skipped_lines(skipped, SHOWN_PATHS), *_problem_lines(problems)]
    lines += _as_before(
        [one for one in report.skipped if one in known], sum(1 for one in report.problems if one in known)
    )
    if not report.files:
        lines.append("nothing to index here: `codemem index --dry-run` lists what was found and why it was left out")
    return "\n".join(lines)


def _as_before(skipped: Sequence[Skipped], problems: int) -> list[str]:
    """Say in one line what was left out before this run, too."""
    kinds: dict[str, int] = {}
    for one in skipped:
        kind = one_line(one.reason.partition(":")[0])
        kinds[kind] = kinds.get(kind, 0) + 1
    told = []
    if skipped:
        amounts = ", ".join(f"{number:,} {kind}" for kind, number in sorted(kinds.items(), key=lambda kind: -kind[1]))
        told.append(f"{counted(len(skipped), 'skipped file')} ({amounts})")
    if problems:
        told.append(counted(problems, "problem"))
    return [f"{' and '.join(told)} as before: `codemem status` lists them"] if told else []


def changes_text(report: Report) -> str:
    """Say in one line what there is, what changed and how long it took."""
    changes = [f"{number} {word}" for number, word in _changes(report) if number]
    amount = f"{count(report.files, 'file')}, {count(report.chunks, 'chunk')}"
    line = f"{amount} in {report.seconds.get('total', 0.0):.1f} s: {', '.join(changes) or 'nothing changed'}"
    if report.embedded or report.reused:
        line += f"; {report.embedded:,} embedded, {report.reused:,} reused"
    return line


def preview_text(files: Sequence[FileEntry], skipped: Sequence[Skipped]) -> str:
    """List every file that would be indexed, then every one that would not and why."""
    size = sum(file.size for file in files)
    lines = [one_line(file.path) for file in files]
    lines += ["", f"{count(len(files), 'file')} to index, {size_text(size)}"]
    return "\n".join([*lines, *skipped_lines(skipped, None)])


def status_text(facts: StatusFacts) -> str:
    """Say what is indexed, how fresh it is, and what was left out."""
    counts = facts.counts
    if counts is None:
        return f"no index at {facts.root}"
    languages = ", ".join(f"{name} {number:,}" for name, number in facts.languages.items())
    rows = [
        ("root", one_line(facts.root)),
        ("index", f"{count(counts.files, 'file')}, {count(counts.chunks, 'chunk')}, {size_text(facts.size_bytes)}"),
        ("languages", languages),
        ("embedder", f"{counts.embedder}, {counts.dimension} dimensions" if counts.embedder else "none"),
        ("commit", counts.commit or "none"),
        ("indexed", counts.indexed_at),
        ("state", "fresh" if facts.fresh else "stale: run `codemem index`"),
    ]
    lines = table_text([row for row in rows if row[1]]).split("\n")
    lines += [f"  {one_line(reason)}" for reason in facts.reasons]
    lines += [f"  {one_line(path)}" for path in facts.stale[:SHOWN_PATHS]]
    if len(facts.stale) > SHOWN_PATHS:
        lines.append(f"  … and {len(facts.stale) - SHOWN_PATHS} more (--json lists all)")
    return "\n".join([*lines, *skipped_lines(facts.skipped, SHOWN_PATHS), *_problem_lines(facts.problems)])


def status_document(facts: StatusFacts) -> dict[str, object]:
    """Build the document of `status --json`."""
    counts = facts.counts
    return {
        "indexed": counts is not None,
        "fresh": facts.fresh,
        "root": facts.root,
        "commit": counts.commit if counts else "",
        "files": counts.files if counts else 0,
        "chunks": counts.chunks if counts else 0,
        "languages": facts.languages,
        "skipped": [{"path": one.path, "reason": one.reason} for one in facts.skipped],
        "problems": [{"path": one.path, "stage": one.stage, "message": one.message} for one in facts.problems],
        "embedder": counts.embedder if counts else "",
        "dimension": counts.dimension if counts else 0,
        "size_bytes": facts.size_bytes,
        "stale": list(facts.stale),
        "reasons": list(facts.reasons),
        "indexed_at": counts.indexed_at if counts else "",
    }


def skipped_lines(skipped: Sequence[Skipped], most: int | None) -> list[str]:
    """Group what was skipped by kind of reason, the most frequent first; `most` paths of each are listed."""
    if not skipped:
        return []
    groups: dict[str, list[Skipped]] = {}
    for one in sorted(skipped, key=lambda one: one.path):
        groups.setdefault(one.reason.partition(":")[0], []).append(one)
    lines = [f"skipped {count(len(skipped), 'file')}:"]
    for kind, members in sorted(groups.items(), key=lambda group: (-len(group[1]), group[0])):
        lines.append(f"  {one_line(kind)} ({len(members):,})")
        for one in members if most is None else members[:most]:
            detail = one.reason.partition(":")[2].strip()
            lines.append(f"    {one_line(one.path)}" + (f"  ({one_line(detail)})" if detail else ""))
        if most is not None and len(members) > most:
            lines.append(f"    … and {len(members) - most:,} more (--json lists all)")
    return lines


def count(number: int, noun: str) -> str:
    """Return `1 file`, `2 files`, `1,234 files`."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def size_text(size: float) -> str:
    """Return a size in the unit that leaves at most three digits before the point."""
    for unit in ("B", "KB", "MB"):
        if size < KILO:
            return f"{size:.0f} {unit}" if unit == "B" else f"{size:.1f} {unit}"
        size /= KILO
    return f"{size:.1f} GB"


def _changes(report: Report) -> tuple[tuple[int, str], ...]:
    return ((report.added, "added"), (report.changed, "changed"), (report.removed, "removed"))


def _problem_lines(problems: Sequence[Problem]) -> list[str]:
    if not problems:
        return []
    rows = [
        (f"  {one_line(problem.path)}", problem.stage, one_line(problem.message)) for problem in problems[:SHOWN_PATHS]
    ]
    lines = [f"{count(len(problems), 'problem')} (indexed as far as possible):", *table_text(rows).split("\n")]
    if len(problems) > SHOWN_PATHS:
        lines.append(f"  … and {len(problems) - SHOWN_PATHS} more (--json lists all)")
    return lines
