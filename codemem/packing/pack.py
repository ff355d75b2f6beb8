"""Fill a token budget with whole entries, section by section, and say what was left out. Pure.

Every section is offered a share of the budget; what it does not use goes on to the next one after a real recount of what
was written. One entry is one unit: when it does not fit it is listed under `omitted` with its size and the next is tried.
The total is measured on the final text, frames included, so it never exceeds the budget, whatever the counter rounds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

ENTRY_CHARACTERS = 1_000
"""A memory or turn longer than this is cut on a boundary: its head says what it is about."""
PROFILE_SHARE = 0.6
"""The user's profile may take this much of the memory budget, so that it cannot crowd out what the agent learned."""
MEMORY_SHARE = 0.35
TURNS_SHARE = 0.25
"""Of the whole budget, when code wants the rest; unused shares go to code, and what code leaves goes back."""

Count = Callable[[str], int]


@dataclass(frozen=True, slots=True)
class Entry:
    """One unit: `text` as it would be written; `body` is added below it when there is room (code)."""

    id: str
    text: str
    why: str = ""
    body: str = ""
    brief: str = ""
    """What stands above the body instead of `text`, which it would repeat."""
    path: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    name: str
    """profile, agent, code or turns."""
    title: str
    entries: tuple[Entry, ...]
    cut: bool = True
    """Whether entries are cut at ENTRY_CHARACTERS (memories and turns are, code is not)."""


@dataclass(frozen=True, slots=True)
class Omitted:
    section: str
    id: str
    tokens: int
    reason: str


@dataclass(frozen=True, slots=True)
class PackedSection:
    name: str
    title: str
    entries: tuple[Entry, ...]
    tokens: int


@dataclass(frozen=True, slots=True)
class Packed:
    sections: tuple[PackedSection, ...]
    omitted: tuple[Omitted, ...]
    budget: int
    tokens: int
    complete: bool
    """True when everything offered was packed."""


def pack(
    sections: Sequence[Section], budget: int, count: Count, frame: Callable[[Sequence[PackedSection]], str]
) -> Packed:
    """Pack `sections` (in order of reading) into `budget` tokens of `frame(packed)`, the text as it will be sent."""
    offered = {section.name: section for section in sections if section.entries}
    chosen: dict[str, tuple[Entry, ...]] = {}
    refused: dict[tuple[str, str], Omitted] = {}

    def rendered() -> list[PackedSection]:
        order = [section for section in sections if chosen.get(section.name)]
        return [PackedSection(section.name, section.title, chosen[section.name], 0) for section in order]

    def cost() -> int:
        packed = rendered()
        return count(frame(packed)) if packed else 0

    def fill(name: str, allowance: int) -> None:
        """Add entries of one section while the whole text stays within `allowance` tokens."""
        for entry in offered[name].entries if name in offered else ():
            if any(entry.id == have.id for have in chosen.get(name, ())):
                continue
            # Judged by its full size: what is larger than the whole budget is listed, not mutilated.
            size = count(entry.text)
            before = chosen.get(name, ())
            if size > budget:
                refused[name, entry.id] = Omitted(name, entry.id, size, "larger than the whole budget")
                continue
            text = shorten(entry.text) if offered[name].cut else entry.text
            chosen[name] = (*before, replace(entry, text=text, body=""))
            if cost() > allowance:
                chosen[name] = before
                refused[name, entry.id] = Omitted(name, entry.id, size, "no room left")
            else:
                refused.pop((name, entry.id), None)

    memory = round(budget * MEMORY_SHARE) if "code" in offered or "turns" in offered else budget
    turns = round(budget * TURNS_SHARE) if "turns" in offered else 0
    fill("profile", int(memory * PROFILE_SHARE))
    fill("agent", memory)
    fill("turns", cost() + turns)
    fill("code", budget)
    _add_bodies(chosen, offered, budget, cost)
    fill("turns", budget)
    fill("agent", budget)
    final = rendered()
    measured = tuple(replace(section, tokens=count(frame([section]))) for section in final)
    return Packed(measured, tuple(refused.values()), budget, cost(), not refused and _all_bodies(chosen, offered))


def _add_bodies(
    chosen: dict[str, tuple[Entry, ...]], offered: dict[str, Section], budget: int, cost: Callable[[], int]
) -> None:
    """Give the most relevant code entries their bodies while they fit."""
    bodies = {entry.id: entry.body for entry in offered["code"].entries} if "code" in offered else {}
    for index, entry in enumerate(chosen.get("code", ())):
        if bodies[entry.id]:
            before = chosen["code"]
            chosen["code"] = (*before[:index], replace(entry, body=bodies[entry.id]), *before[index + 1 :])
            if cost() > budget:
                chosen["code"] = before


def _all_bodies(chosen: dict[str, tuple[Entry, ...]], offered: dict[str, Section]) -> bool:
    return "code" not in offered or chosen.get("code") == offered["code"].entries


def shorten(text: str, limit: int = ENTRY_CHARACTERS) -> str:
    """Cut `text` at the last sentence, line or word end before `limit` characters and say how much is missing."""
    if len(text) <= limit:
        return text
    head = text[:limit]
    for boundary in ("\n", "。", ". ", " "):
        at = head.rfind(boundary, limit // 2)
        if at > 0:
            head = head[: at + len(boundary)].rstrip()
            break
    return f"{head}…[+{len(text) - len(head)} characters]"
