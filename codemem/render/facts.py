"""The compact phrases about a chunk: its call chain, its exception contract, its folded spans, its reasons."""

from __future__ import annotations

from collections.abc import Mapping

from codemem.card import interface_card, own_calls
from codemem.types import Chunk, ErrorFact, Hit

SHOWN_REASONS = 2
SMALLEST_REASON = 0.005
"""Contributions below this did not decide anything."""


def chain_phrase(chunk: Chunk) -> str:
    """Return `A → B* → C?`, the calls in order; `*` is in a loop, `?` in a branch."""
    return " → ".join(interface_card(chunk, own_calls(chunk), ()).calls)


def contract_phrases(chunk: Chunk) -> tuple[str, str]:
    """Return what it raises and what it handles, each as one phrase."""
    card = interface_card(chunk, (), chunk.contract, to_read=True)
    return ", ".join(card.raises), ", ".join(card.handles)


def raises_phrase(contract: tuple[ErrorFact, ...]) -> str:
    """Name the error types that leave a definition, without the reasons."""
    return ", ".join(dict.fromkeys(fact.type for fact in contract if fact.role != "catch" and fact.type))


def also_phrase(hit: Hit) -> str:
    """Return the file's other matching spans: `88-102, 140`."""
    return ", ".join(f"{start}-{end}" if end != start else str(start) for start, end in hit.also)


def reason_phrase(hit: Hit, phrases: Mapping[str, str]) -> str:
    """Name the signals that lifted the hit most, in words."""
    lifted = sorted(
        (item for item in hit.why.items() if item[1] > SMALLEST_REASON and item[0] in phrases),
        key=lambda item: -item[1],
    )
    return ", ".join(dict.fromkeys(phrases[name] for name, _ in lifted[:SHOWN_REASONS]))


def explain_lines(hit: Hit) -> list[str]:
    """List every signal of the hit and its share of the score, the largest first."""
    rows = sorted(hit.why.items(), key=lambda item: (-abs(item[1]), item[0]))
    widest = max((len(name) for name, _ in rows), default=0)
    return [f"{name:<{widest}}  {value:+.3f}" for name, value in rows if value]
