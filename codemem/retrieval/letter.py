"""What must stand in a file to the letter: quoted words, dotted names, constants, and fragments of a pasted message."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from codemem.question import Question
from codemem.retrieval.facts import Facts
from codemem.store import Store
from codemem.store.candidates import CandidateFile, chunk_at_line
from codemem.store.code import read_content

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Floats = NDArray[numpy.floating[Any]]

LETTER_DEPTH = 60
"""Files whose text is searched: each must be unpacked."""
LARGE_FILE = 20_000
"""Terms, half a megabyte or so: tables and generated code, as long to read as all others together."""
MOST_PLACES = 20
"""Places of one phrase in one file that are looked at."""
MESSAGE_LINES = 4
"""Lines that a message is spread over in the source."""
SURE_FRAGMENTS = 3
"""Fragments together, five words in a row, that are the message; fewer may stand together by chance …"""
SURE_PASTED = 2
"""… less so when it is surely a message."""
LIKELY_SHARE = 0.4
"""What fragments are worth when the question may as well describe something in words that stand there by chance."""
FRAMED_SHARE = 0.5
"""What the message is worth beside a stack trace: that says where it happened, the message may stand in the error's class."""
PHRASE_BONUS = 2.0
"""What the letter of the question is worth when the span is chosen."""


class Letter(NamedTuple):
    """What each file has of the question to the letter, 0 to 1: arrays, one entry a file."""

    phrases: Floats
    """Share of the phrases."""
    message: Floats
    """How surely the pasted message is written there, less where other files have as much of it."""


def find_letter(
    store: Store, question: Question, units: Floats, sizes: Floats, files: tuple[CandidateFile, ...], facts: Facts
) -> Letter:
    """Say how well each file has what must stand there to the letter, looking at the best files only.

    `sizes` are numbers of terms: very large files are read only when no other writes the message. Where a file has it, its
    chunk and line are noted in `facts`.
    """
    import numpy as np

    found = Letter(np.zeros(len(files)), np.zeros(len(files)))
    if not question.phrases and not question.fragments:
        return found
    wanted = (*question.phrases, *question.fragments)
    together = np.zeros(len(files))
    sure = max(1, min(SURE_PASTED if question.pasted else SURE_FRAGMENTS, len(question.fragments)))
    best = np.argsort(-units, kind="stable")[:LETTER_DEPTH]
    large = sizes[best] > LARGE_FILE
    for at in (*best[~large].tolist(), *best[large].tolist()):
        if sizes[at] > LARGE_FILE and question.fragments and together.max() >= sure:
            break
        text = read_content(store.connection, files[at].id)
        lowered = text.lower()
        places = {one: lines for one in wanted if (lines := _lines_of(one, text, lowered))}
        if not places:
            continue
        fragments = {one: places[one] for one in question.fragments if one in places}
        lines, most = _densest(fragments or places)
        together[at] = most if fragments else 0
        found.phrases[at] = sum(one in places for one in question.phrases) / max(len(question.phrases), 1)
        worth = max(found.phrases[at], _sureness(together[at] / sure))
        saying = {chunk_at_line(store.connection, files[at].id, line): line for line in reversed(lines)}
        for chunk, line in saying.items():
            facts.point(chunk, PHRASE_BONUS * worth, line)
    share = FRAMED_SHARE if question.frames else 1.0 if question.pasted else LIKELY_SHARE
    for at in np.flatnonzero(together).tolist():
        rivals = int((together >= together[at]).sum())
        found.message[at] = share * _sureness(together[at] / sure) * together[at] / together.max() / rivals
    return found


def _sureness(share: float) -> float:
    """Say how likely so many fragments in one place are the message: the square, since three words often meet by chance."""
    return min(1.0, share) ** 2


def _lines_of(phrase: str, text: str, lowered: str) -> list[int]:
    """Return the lines where a phrase stands, the first MOST_PLACES of them: in any case, constants in theirs and as a whole."""
    exact = phrase.isupper()
    searched, wanted = (text, phrase) if exact else (lowered, phrase.lower())
    lines: list[int] = []
    line, counted, at = 1, 0, searched.find(wanted)
    while at >= 0 and len(lines) < MOST_PLACES:
        line += searched.count("\n", counted, at)
        counted = at
        if not exact or not _continues(searched, at, at + len(wanted)):
            lines.append(line)
        at = searched.find(wanted, at + len(wanted))
    return lines


def _continues(text: str, start: int, end: int) -> bool:
    """Say whether a word goes on beyond either end of a part of the text."""
    around = text[max(start - 1, 0) : start] + text[end : end + 1]
    return any(character.isalnum() or character == "_" for character in around)


def _densest(places: Mapping[str, list[int]]) -> tuple[list[int], int]:
    """Return the lines from which on MESSAGE_LINES hold the most different phrases, and how many these are."""
    counts: Counter[int] = Counter()
    written = {line for lines in places.values() for line in lines}
    for lines in places.values():
        counts.update(written & {line - back for line in lines for back in range(MESSAGE_LINES)})
    most = max(counts.values())
    return sorted(line for line in counts if counts[line] == most), most
