"""The calls that a card shows: those to the repository's own symbols, without loggers and consoles."""

from __future__ import annotations

from collections.abc import Iterable

from codemem.resolve.noise import is_noisy_receiver
from codemem.types import READS, Call


def shown_calls(calls: Iterable[Call], language: str) -> tuple[Call, ...]:
    """Pick the calls whose target's name is known and that do more than read a field; overloads of one name count as known."""
    shown: list[Call] = []
    for call in calls:
        if call.module == READS or (call.receiver and is_noisy_receiver(language, call.receiver)):
            continue
        if call.target is not None:
            shown.append(call)
        elif call.candidates and len({key[:2] for key in call.candidates}) == 1:
            shown.append(call._replace(target=call.candidates[0]))
    return tuple(shown)
