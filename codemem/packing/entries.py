"""Turn hits, memories and turns into entries of a context, each with the reason why it is there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from codemem.card import interface_card, own_calls
from codemem.packing.pack import Entry
from codemem.sessions.window import WindowMessage
from codemem.signals import PHRASES
from codemem.store.graph import chunk_ids_of, load_resolved
from codemem.types import Chunk, Hit

if TYPE_CHECKING:
    from codemem.memory import MemoryHit
    from codemem.store import Store

SHOWN_REASONS = 2
DOC_CHARACTERS = 160
SIGNATURE_CHARACTERS = 200
SHOWN_CALLS = 6
SHOWN_ERRORS = 4
WEAK_SHARE = 0.35
"""A hit with less than this share of the best score says little; it is offered only among the first few."""
ALWAYS_OFFERED = 10


def code_entries(hits: Sequence[Hit]) -> list[Entry]:
    """Return one entry a hit: a compact card, the snippet as its body; a symbol stands once."""
    entries: dict[str, Entry] = {}
    for rank, hit in enumerate(hits):
        chunk = hit.chunk
        if rank >= ALWAYS_OFFERED and hit.score < WEAK_SHARE * hits[0].score:
            break
        identity = _identity(chunk)
        if identity not in entries:
            span = (hit.start_line, hit.end_line)
            entries[identity] = _entry(chunk, span, hit.text, _reasons(hit.why), hit.excerpt)
    return list(entries.values())


def neighbour_entries(store: Store, hits: Sequence[Hit], limit: int) -> list[Entry]:
    """Return cards of what the given hits call in this repository, in call order."""
    targets = [call.target for hit in hits for call in hit.chunk.calls if call.target is not None]
    entries: list[Entry] = []
    for target in dict.fromkeys(targets):
        found = chunk_ids_of(store.connection, target)
        if not found:
            continue
        chunk = load_resolved(store.connection, found[:1])[found[0]]
        reason = f"called by {hits[0].chunk.qualified_name}"
        entries.append(_entry(chunk, (chunk.start_line, chunk.end_line), chunk.text, reason))
        if len(entries) == limit:
            break
    return entries


def memory_entry(hit: MemoryHit) -> Entry:
    """Return a memory as one line, with the state of its tie to code when that is not fresh, and when it holds."""
    from codemem.memory.moments import time_marks

    memory = hit.memory
    tie = [f"{memory.anchor}: {memory.symbol}"] if memory.anchor and memory.anchor != "fresh" else []
    marks = "".join(f" [{mark}]" for mark in (*tie, *time_marks(memory)))
    return Entry(memory.uuid, f"{memory.content}{marks}", _reasons(hit.why))


def turn_entries(messages: Sequence[WindowMessage]) -> tuple[Entry, ...]:
    """Return the turns newest first: when room runs out, the oldest go; they are written oldest first."""
    return tuple(
        Entry(f"turn:{item.seqs[0] if item.seqs else 'summary'}", f"{item.role}> {item.text}")
        for item in reversed(messages)
    )


def _entry(chunk: Chunk, span: tuple[int, int], body: str, why: str, shown: str = "") -> Entry:
    """Write the card in the fewest lines that still say what it is, what it calls and how it fails.

    `shown` says which lines the body is, where it is not the whole definition.
    """
    card = interface_card(chunk, own_calls(chunk), chunk.contract, to_read=True)
    place = f"{card.path}:{span[0]}-{span[1]} {card.kind} {card.qualified_name}"
    head = []
    if card.signature:
        head.append(f"  {_one_line(card.signature, SIGNATURE_CHARACTERS)}")
    if card.doc:
        head.append(f"  doc: {_one_line(card.doc, DOC_CHARACTERS)}")
    if not head:
        head.append(f"  {_one_line(body, DOC_CHARACTERS)}")
    facts = []
    if card.calls:
        facts.append(f"  calls: {' -> '.join(_capped(card.calls, SHOWN_CALLS))}")
    if card.raises:
        facts.append(f"  raises: {', '.join(_capped(card.raises, SHOWN_ERRORS))}")
    if card.handles:
        facts.append(f"  handles: {', '.join(_capped(card.handles, SHOWN_ERRORS))}")
    # The body holds signature and documentation already.
    above = f"{place}  ({shown})" if shown else place
    return Entry(_identity(chunk), "\n".join([place, *head, *facts]), why, body, "\n".join([above, *facts]), chunk.path)


def _capped(names: Sequence[str], limit: int) -> list[str]:
    return [*names] if len(names) <= limit else [*names[:limit], f"+{len(names) - limit}"]


def _one_line(text: str, limit: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def _identity(chunk: Chunk) -> str:
    return f"{chunk.path}#{chunk.qualified_name}#{chunk.ordinal}#{chunk.part}"


def _reasons(why: dict[str, float]) -> str:
    """Say in words what counted most."""
    ordered = sorted(why.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(PHRASES.get(name, name) for name, value in ordered[:SHOWN_REASONS] if value > 0)
