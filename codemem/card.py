"""The interface card: the one text that is embedded, ranked by BM25 and shown, built from a chunk's fields."""

from __future__ import annotations

import re
from typing import NamedTuple

from codemem.types import READS, Call, Chunk, ErrorFact

SHOWN_CALLS = 10
"""Calls on a card: chains beyond ten steps are orchestration, the rest is said as a count."""
PANIC = "panic"
"""The name of what ends the program without an error type."""
PLAIN_PANIC = re.compile(r"^@?panic!?(?=\W|$)")
SHOWN_PANICS, PANIC_CAP = 3, 60
"""Messages of panics on a card, and characters of each."""
EMBEDDED_DOC = 260
EMBEDDED_SIGNATURE = 120
"""Characters of documentation and signature that help a vector (measured: body words and longer texts lose)."""


class Card(NamedTuple):
    """What a chunk promises: its name, place, signature, documentation, call chain and exception contract."""

    path: str
    language: str
    kind: str
    qualified_name: str
    name: str
    package: str
    signature: str
    doc: str
    calls: tuple[str, ...]
    raises: tuple[str, ...]
    handles: tuple[str, ...]

    @property
    def scope(self) -> str:
        """The qualified name without its last part."""
        return self.qualified_name[: -len(self.name)].rstrip("#.") if self.qualified_name.endswith(self.name) else ""


def interface_card(
    chunk: Chunk, shown_calls: tuple[Call, ...], contract: tuple[ErrorFact, ...], to_read: bool = False
) -> Card:
    """Build the card of `chunk` from its resolved own calls and its effective contract.

    A card `to_read` also says of a type that comes through a callee that it is raised here too, and how the definition ends
    the program by itself; indexed cards stay short.
    """
    return Card(
        path=chunk.path,
        language=chunk.language,
        kind=chunk.kind,
        qualified_name=chunk.qualified_name,
        name=chunk.name,
        package=chunk.package,
        signature=chunk.signature,
        doc=chunk.doc,
        calls=_call_chain(shown_calls),
        raises=_merge_facts(contract, ("declare", "raise", "panic", "propagate", "return"), to_read),
        handles=tuple(dict.fromkeys(fact.type for fact in contract if fact.role == "catch" and fact.type)),
    )


def own_calls(chunk: Chunk) -> tuple[Call, ...]:
    """Keep the calls that lead into this repository; overloads of one name count as known.

    The rule of `codemem.resolve.shown_calls` without its table of loggers, which costs an answer 30 ms to load.
    """
    known = []
    for call in chunk.calls:
        if call.module == READS:
            continue
        if call.target is not None:
            known.append(call)
        elif call.candidates and len({key[:2] for key in call.candidates}) == 1:
            known.append(call._replace(target=call.candidates[0]))
    return tuple(known)


def card_text(card: Card) -> str:
    """Render the card as the lines that `show` prints and that a text model embeds."""
    lines = [f"[interface] {card.qualified_name}"]
    place = f"path: {card.path}"
    if card.package:
        place += f"   package: {card.package}"
    lines.append(f"{place}   language: {card.language}")
    if card.signature:
        lines.append(f"signature: {card.signature}")
    if card.doc:
        lines.append(f"doc: {' '.join(card.doc.split())}")
    if card.calls:
        lines.append("calls: " + " -> ".join(card.calls))
    if card.raises:
        lines.append("raises: " + ", ".join(card.raises))
    if card.handles:
        lines.append("handles: " + ", ".join(card.handles))
    return "\n".join(lines)


def _call_chain(calls: tuple[Call, ...]) -> tuple[str, ...]:
    """Name the calls in order; repeats in a row collapse, the tail becomes a count."""
    names: list[str] = []
    for call in calls:
        name = (call.target.qualified_name if call.target else call.callee) + call.mark
        if call.repeat > 1:
            name += f" ×{call.repeat}"
        if not names or names[-1] != name:
            names.append(name)
    if len(names) > SHOWN_CALLS:
        names = [*names[:SHOWN_CALLS], f"… +{len(names) - SHOWN_CALLS}"]
    return tuple(names)


def _panic_text(text: str) -> str:
    """Say how the program ends: the message of a `panic`, else what is called (`unwrap`, `log.Fatal("no")`)."""
    message = PLAIN_PANIC.sub("", text)
    inner = message[1:-1].strip() if message != text and message[:1] == "(" and message[-1:] == ")" else message
    return inner if len(inner) <= PANIC_CAP else f"{inner[: PANIC_CAP - 1].rstrip()}…"


def _merge_facts(contract: tuple[ErrorFact, ...], roles: tuple[str, ...], to_read: bool) -> tuple[str, ...]:
    """Group facts by type: `OutOfStock (declared; via StockService#freeze)`."""
    reasons: dict[str, list[str]] = {}
    for fact in contract:
        if to_read and fact.role == "panic" and not fact.type and not fact.handled:
            found = reasons.setdefault(PANIC, [])
            if (word := _panic_text(fact.text)) and len(found) < SHOWN_PANICS and word not in found:
                found.append(word)
        elif fact.role in roles and fact.type and not fact.handled:
            found = reasons.setdefault(fact.type, [])
            reason = (
                f"via {fact.via}"
                if fact.via
                else {"declare": "declared", "return": "returned", "panic": "panics"}.get(fact.role, "")
            )
            if reason and reason not in found:
                found.append(reason)
    if to_read:
        for kind in {fact.type for fact in contract if fact.role == "raise" and not fact.via and not fact.handled}:
            if any(reason.startswith("via ") for reason in reasons.get(kind, ())):
                reasons[kind].insert(0, "raised")
    return tuple(f"{kind} ({'; '.join(why)})" if why else kind for kind, why in reasons.items())
