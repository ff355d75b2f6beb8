"""Fill a token budget with whole entries, section by section, and say what was left out. Pure.

Every section is offered a share of the budget; what it does not use goes on to the next one after a real recount of what
was written. One entry is one unit: when it does not fit it is listed under `omitted` with its size and the next is tried.
The total is measured on the final text, frames included, so it never exceeds the budget, whatever the counter rounds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

ENTRY_CHARACTERS = 1_000
"""A memory or turn longer than this is cut on a boundary: its head says what it is about."""
PROFILE_SHARE = 0.6
"""The user's profile may take this much of the memory budget, so that it cannot crowd out what the agent learned."""
MEMORY_SHARE = 0.35
TURNS_SHARE = 0.25
"""Of the whole budget, when code wants the rest; unused shares go to code, and what code leaves goes back."""

LEADING_CARDS = 10
"""Cards that come before any body: the answer is nearly always among the first ten files; then bodies, then the rest."""

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


Frame = Callable[[Sequence[PackedSection]], str]


@dataclass(frozen=True, slots=True)
class Packed:
    sections: tuple[PackedSection, ...]
    omitted: tuple[Omitted, ...]
    budget: int
    tokens: int
    complete: bool
    """True when everything offered was packed."""


@dataclass(slots=True)
class _Packing:
    """What is chosen so far and an upper bound of its price; measured exactly only where the bound says stop."""

    offered: dict[str, Section]
    budget: int
    count: Count
    frame: Frame
    chosen: dict[str, tuple[Entry, ...]] = field(default_factory=dict)
    refused: dict[tuple[str, str], Omitted] = field(default_factory=dict)
    costs: dict[tuple[str, Entry | None], int] = field(default_factory=dict)
    price: int = 0
    exact: bool = True


def pack(sections: Sequence[Section], budget: int, count: Count, frame: Frame) -> Packed:
    """Pack `sections` (in order of reading) into `budget` tokens of `frame(packed)`, the text as it will be sent."""
    count = cache(count)  # an entry is looked at again whenever room is left, and most of the time goes into counting
    packing = _Packing({section.name: section for section in sections if section.entries}, budget, count, frame)
    memory = round(budget * MEMORY_SHARE) if {"code", "turns"} & set(packing.offered) else budget
    turns = round(budget * TURNS_SHARE) if "turns" in packing.offered else 0
    _fill(packing, "profile", int(memory * PROFILE_SHARE))
    _fill(packing, "agent", memory)
    _fill(packing, "turns", _measure(packing) + turns)
    _fill(packing, "code", budget, LEADING_CARDS)
    _add_bodies(packing)
    _fill(packing, "code", budget)
    _fill(packing, "turns", budget)
    _fill(packing, "agent", budget)
    if not {"profile", "agent"} & set(packing.chosen):
        _fill_one(packing, "profile", budget)
    _add_bodies(packing)
    while packing.chosen and _measure(packing) > budget:
        _give_back(packing)
    final = _rendered(packing)
    measured = tuple(replace(section, tokens=count(frame([section]))) for section in final)
    complete = not packing.refused and all(
        entry.body == offered.body
        for name, section in packing.offered.items()
        for entry, offered in zip(packing.chosen[name], section.entries, strict=True)
    )
    return Packed(measured, tuple(packing.refused.values()), budget, _measure(packing), complete)


def _fill(packing: _Packing, name: str, allowance: int, most: int | None = None) -> None:
    """Add entries of one section while the whole text stays within `allowance` tokens."""
    section = packing.offered.get(name)
    for entry in section.entries[:most] if section else ():
        if section is None or any(entry.id == have.id for have in packing.chosen.get(name, ())):
            continue
        # Judged by its full size: what is larger than the whole budget is listed, not mutilated.
        size = packing.count(entry.text)
        if size > packing.budget:
            packing.refused[name, entry.id] = Omitted(name, entry.id, size, "larger than the whole budget")
            continue
        text = shorten(entry.text) if section.cut else entry.text
        shown = replace(entry, text=text, body="")
        have = packing.chosen.get(name, ())
        if _afford(packing, _price(packing, name, shown, first=not have), allowance):
            packing.chosen[name] = (*have, shown)
            packing.refused.pop((name, entry.id), None)
        else:
            packing.refused[name, entry.id] = Omitted(name, entry.id, size, "no room left")


def _fill_one(packing: _Packing, name: str, allowance: int) -> None:
    """Add the first entry of a section that fits: a share too small for any single one would leave all of them out."""
    offered = packing.offered.get(name)
    for most in range(1, len(offered.entries) + 1 if offered else 1):
        _fill(packing, name, allowance, most)
        if packing.chosen.get(name):
            return


def _add_bodies(packing: _Packing) -> None:
    """Give the most relevant code entries their bodies while they fit."""
    section = packing.offered.get("code")
    bodies = {entry.id: entry.body for entry in section.entries} if section else {}
    for index, entry in enumerate(packing.chosen.get("code", ())):
        if entry.body or not bodies[entry.id]:
            continue
        full = replace(entry, body=bodies[entry.id])
        extra = _price(packing, "code", full) - _price(packing, "code", entry) + 1
        if _afford(packing, max(0, extra), packing.budget):
            have = packing.chosen["code"]
            packing.chosen["code"] = (*have[:index], full, *have[index + 1 :])


def _afford(packing: _Packing, price: int, allowance: int) -> bool:
    """Say whether `price` more tokens fit, and take them; the bound is replaced by the exact price before saying no."""
    if packing.price + price > allowance and not packing.exact:
        _measure(packing)
    if packing.price + price > allowance:
        return False
    packing.price += price
    packing.exact = False
    return True


def _price(packing: _Packing, name: str, entry: Entry, first: bool = False) -> int:
    """Return at most so many tokens as the entry adds: exact for the first of all, else one more for rounding."""
    alone = _cost(packing, name, entry)
    if not packing.chosen:
        return alone
    return alone - (packing.count(packing.frame([])) if first else _cost(packing, name, None)) + 1


def _cost(packing: _Packing, name: str, entry: Entry | None) -> int:
    """Count a text that holds one section with one entry, or its title alone; each is counted once."""
    if (name, entry) not in packing.costs:
        section = PackedSection(name, packing.offered[name].title, (entry,) if entry else (), 0)
        packing.costs[name, entry] = packing.count(packing.frame([section]))
    return packing.costs[name, entry]


def _measure(packing: _Packing) -> int:
    """Count the whole text as it would be sent."""
    if not packing.exact:
        packed = _rendered(packing)
        packing.price = packing.count(packing.frame(packed)) if packed else 0
        packing.exact = True
    return packing.price


def _give_back(packing: _Packing) -> None:
    """Take the last entry of the last section back: the sum of parts was counted lower than the whole."""
    name = _rendered(packing)[-1].name
    entry = packing.chosen[name][-1]
    packing.chosen[name] = packing.chosen[name][:-1]
    if not packing.chosen[name]:
        del packing.chosen[name]
    packing.refused[name, entry.id] = Omitted(name, entry.id, packing.count(entry.text), "no room left")
    packing.exact = False


def _rendered(packing: _Packing) -> list[PackedSection]:
    return [
        PackedSection(name, section.title, packing.chosen[name], 0)
        for name, section in packing.offered.items()
        if packing.chosen.get(name)
    ]


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
