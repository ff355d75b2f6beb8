"""What a change does to interfaces, as Markdown for a job summary, as text, and as JSON."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from difflib import SequenceMatcher
from itertools import groupby
from typing import TYPE_CHECKING
from urllib.parse import quote

from codemem.render.safe import one_line
from codemem.text import counted

if TYPE_CHECKING:
    from codemem.indexing.ci import CiReport
    from codemem.indexing.comparison import Caller, ContractChange, InterfaceChange

SHOWN = 50
"""Rows of one section: a summary that nobody scrolls through says more."""
SHOWN_CALLERS = 5
SHOWN_MEMBERS = 8
"""Names told of what moved from one file to another."""
SHOWN_TEXT = 100
"""Characters of a memory: enough to know it again."""
SHORT_COMMIT = 10
LONG_SIGNATURES = 100
"""Characters of two signatures beyond which only what differs is shown."""
LONGEST_SIGNATURE = 240
"""Characters of a signature that are shown: more than any that is read."""
EQUAL_TOKENS = 14
"""A longer equal run between two differences is left out; some words of it stay on both sides."""
KEPT_TOKENS = 5
TOKEN = re.compile(r"\w+|\s+|[^\w\s]")
Place = Callable[[str, int], str]
"""Path and line as they are written; line 0 stands for the whole file."""


@dataclass(frozen=True, slots=True)
class Form:
    """How a kind of output writes headings, rows, names and places, in the head and in the base."""

    head: str
    part: str
    item: str
    name: Callable[[str], str]
    place: Place
    place_before: Place
    near: Place
    """Beside a longer text: the file's name alone, where a link says the rest."""
    by_file: bool = False
    """Rows stand below their file, so that its path is written once."""


def ci_markdown(report: CiReport, failed: Sequence[str] = (), address: str = "") -> str:
    """Write the summary of a job; `address` is a web address with `{commit}` and `{path}`, and makes places clickable."""

    def place_at(commit: str, short: bool = False) -> Place:
        def place(path: str, line: int) -> str:
            name = path.rpartition("/")[2] if short and address else path
            shown = _code(f"{name}:{line}" if line else name)
            if not address:
                return shown
            target = address.format(commit=quote(commit), path=quote(path))
            return f"[{shown}]({target}{f'#L{line}' if line else ''})"

        return place

    places = place_at(report.head), place_at(report.base), place_at(report.head, short=True)
    form = Form("## ", "### ", "- ", _code, *places, by_file=True)
    return "\n".join(_lines(report, failed, form)) + "\n"


def ci_text(report: CiReport, failed: Sequence[str] = ()) -> str:
    """Write the same for a terminal."""

    def place(path: str, line: int) -> str:
        return one_line(f"{path}:{line}" if line else path)

    return "\n".join(_lines(report, failed, Form("", "", "  ", one_line, place, place, place)))


def ci_document(report: CiReport, failed: Sequence[str] = ()) -> dict[str, object]:
    """Build what `ci --json` prints: everything, nothing cut or grouped."""
    done = report.report
    kinds = ("added", "changed", "moved", "removed")
    return {
        "base": report.base,
        "head": report.head,
        "stale": list(report.stale),
        "interfaces": {kind: [asdict(change) for change in report.interfaces if change.kind == kind] for kind in kinds},
        "contracts": [asdict(change) for change in report.contracts],
        "memories": [asdict(memory) for memory in report.memories],
        "index": {
            "files": done.files, "added": done.added, "changed": done.changed, "removed": done.removed, "chunks": done.chunks,
            "embedded": done.embedded, "reused": done.reused, "seconds": dict(done.seconds), "notes": list(done.notes),
        },
        "failed": list(failed),
    }  # fmt: skip


def _lines(report: CiReport, failed: Sequence[str], form: Form) -> Iterator[str]:
    counts = {kind: len(report.of_kind(kind)) for kind in ("added", "changed", "removed", "moved")}
    summary = ", ".join(f"{number} {kind}" for kind, number in counts.items() if number)
    noun = "interface" if sum(counts.values()) == 1 else "interfaces"
    yield f"{form.head}codemem: {f'{noun} {summary}' if summary else 'no interface changed'} since {report.base[:SHORT_COMMIT]}"
    for reason in failed:
        yield f"{form.item}failed: {reason}"
    sections = (
        ("Contracts", [("", _sentence(changes, form)) for changes in _by_definition(report.contracts)]),
        ("Removed", [_row(change, inside, form) for change, inside in _without_members(report.of_kind("removed"))]),
        ("Changed", [_row(change, 0, form) for change in report.of_kind("changed")]),
        ("Added", [_row(change, inside, form) for change, inside in _without_members(report.of_kind("added"))]),
        ("Moved", [("", row) for row in _moves(report.of_kind("moved"), form)]),
        ("Memories to look at", [
            ("", f"{form.name(memory.symbol)} is {memory.state}: {form.name(_short(memory.text))} ({form.name(memory.id)})")
            for memory in report.memories
        ]),
    )  # fmt: skip
    for title, rows in sections:
        if rows:
            yield ""
            yield f"{form.part}{title}"
            yield from _items(rows, form)


def _items(rows: Sequence[tuple[str, str]], form: Form) -> Iterator[str]:
    """Write (file, text) rows, no more than are read; rows of one file below it where the form has it so."""
    for file, group in groupby(rows[:SHOWN], key=lambda row: row[0]):
        if file:
            yield f"{form.item}{file}"
        for _, text in group:
            yield f"{'  ' if file else ''}{form.item}{text}"
    if len(rows) > SHOWN:
        yield f"{form.item}… and {len(rows) - SHOWN:,} more (`codemem ci --json` lists all)"


def _by_definition(changes: Iterable[ContractChange]) -> list[list[ContractChange]]:
    """Join what one sentence can say: equal definition, direction and callers; what callers do not handle comes first."""
    groups: dict[tuple[object, ...], list[ContractChange]] = {}
    for change in changes:
        key = (change.path, change.line, change.qualified_name, change.gained, change.callers, change.unhandled)
        groups.setdefault(key, []).append(change)
    return sorted(
        groups.values(), key=lambda group: (not group[0].unhandled, not group[0].gained, not group[0].callers)
    )


def _sentence(changes: Sequence[ContractChange], form: Form) -> str:
    """Say what errors of one definition mean for its callers."""
    first = changes[0]
    verb = "may now raise" if first.gained else "no longer raises"
    said = f"{form.place(first.path, first.line)} {form.name(first.qualified_name)} {verb} {_types(changes, form)}"
    them = "it" if len(changes) == 1 else "them"
    if not first.callers:
        return f"{said}; nothing here calls it"
    if not first.gained:
        return f"{said}; {counted(len(first.callers), 'caller')}"
    if not first.unhandled:
        return f"{said}; {counted(len(first.callers), 'caller')}, handled or declared by all"
    does = "does" if len(first.unhandled) == 1 else "do"
    return (
        f"{said}; {counted(len(first.unhandled), 'caller')} {does} not handle {them}: {_callers(first.unhandled, form)}"
    )


def _types(changes: Sequence[ContractChange], form: Form) -> str:
    """List the types, those that come through the same callee together."""
    by_callee: dict[str, list[str]] = {}
    for change in changes:
        by_callee.setdefault(change.via, []).append(form.name(change.type))
    return ", ".join(
        ", ".join(types) + (f" through {form.name(via)}" if via else "") for via, types in sorted(by_callee.items())
    )


def _callers(callers: Sequence[Caller], form: Form) -> str:
    shown = [f"{form.name(one.qualified_name)} ({form.near(one.path, one.line)})" for one in callers[:SHOWN_CALLERS]]
    more = f" and {len(callers) - SHOWN_CALLERS} more" if len(callers) > SHOWN_CALLERS else ""
    return ", ".join(shown) + more


def _without_members(changes: Sequence[InterfaceChange]) -> Iterator[tuple[InterfaceChange, int]]:
    """Yield what stands in no other of the changes, with the number of those that stand in it."""
    names = {(change.path, change.qualified_name) for change in changes}
    inside: dict[tuple[str, str], int] = {}
    outer: list[InterfaceChange] = []
    for change in changes:
        name = change.qualified_name
        holders = [name[:at] for at, character in enumerate(name) if character in ".#" and at]
        holder = next((one for one in holders if (change.path, one) in names), None)
        if holder is None:
            outer.append(change)
        else:
            inside[change.path, holder] = inside.get((change.path, holder), 0) + 1
    for change in outer:
        yield change, inside.get((change.path, change.qualified_name), 0)


def _row(change: InterfaceChange, members: int, form: Form) -> tuple[str, str]:
    """Return the file of a change, empty when the row names it itself, and what is said of it."""
    place = form.place_before if change.kind == "removed" else form.place
    name = f"{change.definition} {form.name(change.qualified_name)}"
    file = place(change.path, 0) if form.by_file else ""
    text = f"{name} (line {change.line})" if form.by_file else f"{place(change.path, change.line)} {name}"
    if members:
        text += f" with {counted(members, 'member')}"
    if change.kind == "changed":
        text += f": {', '.join(_differences(change, form))}"
    elif change.kind == "added" and change.signature:
        text += f": {form.name(_short(change.signature, LONGEST_SIGNATURE))}"
    return file, text


def _differences(change: InterfaceChange, form: Form) -> Iterator[str]:
    if change.origin:
        yield f"was in {form.name(change.origin)}"
    if change.before != change.signature:
        before, after = narrowed(change.before, change.signature)
        yield f"{form.name(_short(before, LONGEST_SIGNATURE))} → {form.name(_short(after, LONGEST_SIGNATURE))}"
    for mark in change.marks:
        verb, _, name = mark.rpartition(" ")
        yield f"{verb} {form.name(name)}"


def _moves(changes: Iterable[InterfaceChange], form: Form) -> Iterator[str]:
    """Say once for two files what moved between them."""
    ordered = sorted(changes, key=lambda change: (change.origin, change.path, change.line))
    for (origin, path), group in groupby(ordered, key=lambda change: (change.origin, change.path)):
        outer = [change for change, _ in _without_members(list(group))]
        names = ", ".join(form.name(change.qualified_name) for change in outer[:SHOWN_MEMBERS])
        more = f" and {len(outer) - SHOWN_MEMBERS} more" if len(outer) > SHOWN_MEMBERS else ""
        yield f"{form.name(origin)} → {form.place(path, outer[0].line)}: {names}{more}"


def narrowed(before: str, after: str) -> tuple[str, str]:
    """Leave out of two long signatures what they have in common, but for the words around each difference."""
    if len(before) + len(after) <= LONG_SIGNATURES:
        return before, after
    ours, theirs = TOKEN.findall(before), TOKEN.findall(after)
    parts: tuple[list[str], list[str]] = ([], [])
    blocks = SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes()
    for number, (kind, start, end, other_start, other_end) in enumerate(blocks):
        if kind != "equal":
            parts[0].extend(ours[start:end])
            parts[1].extend(theirs[other_start:other_end])
            continue
        run = ours[start:end]
        if len(run) > EQUAL_TOKENS:
            last = number == len(blocks) - 1
            run = [*run[:KEPT_TOKENS], "…", *([] if last else run[-KEPT_TOKENS:])]
        for part in parts:
            part.extend(run)
    return "".join(parts[0]), "".join(parts[1])


def _short(text: str, limit: int = SHOWN_TEXT) -> str:
    return text if len(text) <= limit else text[:limit].rstrip() + "…"


def _code(text: str) -> str:
    """Quote text of the repository so that no Markdown in it takes effect."""
    plain = one_line(text)
    longest = max(map(len, re.findall("`+", plain)), default=0)
    fence = "`" * (longest + 1)
    return f"{fence}{plain}{fence}" if not longest else f"{fence} {plain} {fence}"
