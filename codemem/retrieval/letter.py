"""What must stand in a file to the letter: quoted words, dotted names, constants, and fragments of a pasted message."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from codemem.question import Literal, Question
from codemem.retrieval.facts import Facts
from codemem.store import Store
from codemem.store.candidates import CandidateFile, chunk_at_line
from codemem.store.code import read_content

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Floats = NDArray[numpy.floating[Any]]
    Flags = NDArray[numpy.bool_]

LETTER_DEPTH = 60
"""Files whose text is searched for what is quoted or pasted: each must be unpacked."""
LITERAL_TERMS = 400_000
"""Terms of files, ten megabytes or so, that are searched for what must stand there just so."""
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
_BRACKETS = frozenset("(){}[]<>;,/\"'`")
"""Characters that end a name themselves."""
PHRASE_BONUS = 2.0
"""What the letter of the question is worth when the span is chosen."""


class Letter(NamedTuple):
    """What each file has of the question to the letter, 0 to 1: arrays, one entry a file."""

    phrases: Floats
    """Share of the phrases."""
    letter: Floats
    """How surely the pasted message, or what must stand there just so, is written there; less where others have as much."""


def find_letter(
    store: Store,
    question: Question,
    units: Floats,
    sizes: Floats,
    holding: Flags,
    files: tuple[CandidateFile, ...],
    facts: Facts,
) -> Letter:
    """Say how well each file has what must stand there to the letter, looking at the best files only.

    `sizes` are numbers of terms: very large files are read only when no other writes the message. `holding` says which
    files have all words of a literal. Where a file has it, its chunk and line are noted in `facts`.
    """
    import numpy as np

    found = Letter(np.zeros(len(files)), np.zeros(len(files)))
    if not (question.phrases or question.fragments or question.literals):
        return found
    together, literal = np.zeros(len(files)), np.zeros(len(files))
    sure = max(1, min(SURE_PASTED if question.pasted else SURE_FRAGMENTS, len(question.fragments)))
    for at in _reading_order(units, sizes, holding):
        if sizes[at] > LARGE_FILE and not question.literals and together.max() >= sure:
            break
        text = read_content(store.connection, files[at].id)
        lowered = text.lower()
        fragments = _places(question.fragments, text, lowered)
        phrases = _places(question.phrases, text, lowered)
        literals = {
            one.spellings[0] + one.pattern: lines
            for one in question.literals
            if (lines := _lines_with(one, text, lowered))
        }
        if not (fragments or phrases or literals):
            continue
        literal[at] = len(literals) / max(len(question.literals), 1)
        found.phrases[at] = len(phrases) / max(len(question.phrases), 1)
        lines, together[at] = _densest(fragments) if fragments else ([], 0)
        said = _sureness(together[at] / sure)
        if literals and literal[at] >= said:
            lines, _ = _densest(literals)
        elif not fragments:
            lines, _ = _densest(phrases)
        worth = max(found.phrases[at], said, literal[at])
        saying = {chunk_at_line(store.connection, files[at].id, line): line for line in reversed(lines)}
        for chunk, line in saying.items():
            facts.point(chunk, PHRASE_BONUS * worth, line)
    share = FRAMED_SHARE if question.frames else 1.0 if question.pasted else LIKELY_SHARE
    for at in np.flatnonzero(together).tolist():
        rivals = int((together >= together[at]).sum())
        found.letter[at] = share * _sureness(together[at] / sure) * together[at] / together.max() / rivals
    for at in np.flatnonzero(literal).tolist():
        rivals = int((literal >= literal[at]).sum())
        found.letter[at] = max(found.letter[at], literal[at] / rivals**0.5)
    return found


def _reading_order(units: Floats, sizes: Floats, holding: Flags) -> list[int]:
    """Return the files to read: the best ones and those that may hold a literal, very large ones last."""
    import numpy as np

    order = np.argsort(-units, kind="stable")
    best = order[:LETTER_DEPTH]
    further = order[LETTER_DEPTH:][holding[order[LETTER_DEPTH:]]]
    further = further[np.cumsum(sizes[further]) <= LITERAL_TERMS]
    chosen = np.concatenate((best, further))
    large = sizes[chosen] > LARGE_FILE
    return [*chosen[~large].tolist(), *chosen[large].tolist()]


def _places(wanted: Sequence[str], text: str, lowered: str, whole: bool = False) -> dict[str, list[int]]:
    return {one: lines for one in wanted if (lines := _lines_of(one, text, lowered, whole))}


def _sureness(share: float) -> float:
    """Say how likely so many fragments in one place are the message: the square, since three words often meet by chance."""
    return min(1.0, share) ** 2


def _lines_with(literal: Literal, text: str, lowered: str) -> list[int]:
    """Return the lines where a literal stands, in any spelling."""
    if literal.pattern:
        if literal.spellings[0] not in text:
            return []
        matches = islice(re.finditer(literal.pattern, text), MOST_PLACES)
        return [text.count("\n", 0, match.end()) + 1 for match in matches]
    places = _places(literal.spellings, text, lowered, whole=True)
    return sorted({line for lines in places.values() for line in lines})


def _lines_of(phrase: str, text: str, lowered: str, whole: bool = False) -> list[int]:
    """Return the lines where a phrase stands, the first MOST_PLACES of them: in any case, constants in theirs and as a whole."""
    exact = phrase.isupper()
    searched, wanted = (text, phrase) if exact else (lowered, phrase.lower())
    lines: list[int] = []
    line, counted, at = 1, 0, searched.find(wanted)
    while at >= 0 and len(lines) < MOST_PLACES:
        line += searched.count("\n", counted, at)
        counted = at
        if not (exact or whole) or not _continues(searched, at, at + len(wanted)):
            lines.append(line)
        at = searched.find(wanted, at + len(wanted))
    return lines


def _continues(text: str, start: int, end: int) -> bool:
    """Say whether a name goes on beyond an end of a part of the text: `--no` in `--no-cache`, `MAX` in `MAX_SIZE`."""
    before, after = text[max(start - 1, 0) : start], text[end : end + 1]
    opens = text[start] not in _BRACKETS
    closes = text[end - 1] not in _BRACKETS
    return (opens and _in_name(before)) or (closes and _in_name(after))


def _in_name(character: str) -> bool:
    return character.isalnum() or character in ("_", "-")


def _densest(places: Mapping[str, list[int]]) -> tuple[list[int], int]:
    """Return the lines from which on MESSAGE_LINES hold the most different phrases, and how many these are."""
    counts: Counter[int] = Counter()
    written = {line for lines in places.values() for line in lines}
    for lines in places.values():
        counts.update(written & {line - back for line in lines for back in range(MESSAGE_LINES)})
    most = max(counts.values())
    return sorted(line for line in counts if counts[line] == most), most
