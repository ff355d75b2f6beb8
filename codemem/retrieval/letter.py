"""What must stand in a file to the letter: quoted words, dotted names, constants, and fragments of a pasted message."""

from __future__ import annotations

import re
from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, Any

from codemem.question import Question
from codemem.store import Store
from codemem.store.candidates import CandidateFile, chunk_at_line
from codemem.store.code import read_content

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Floats = NDArray[numpy.floating[Any]]

PHRASE_DEPTH = 60
"""Files whose text is searched for quoted phrases: each must be unpacked."""
FRAGMENT_DEPTH = 25
"""The same for fragments of a message."""
MOST_PLACES = 20
"""Places of one phrase in one file that are looked at."""
MESSAGE_LINES = 4
"""Lines that a message is spread over in the source."""
PHRASE_BONUS = 2.0
"""What the letter of the question is worth when the span is chosen."""


def find_letter(
    store: Store, question: Question, units: Floats, files: tuple[CandidateFile, ...], answers: dict[int, float]
) -> Floats:
    """Say how well each file has what must stand there to the letter, looking at the best files only.

    Where a file has it, the chunk that has it is noted in `answers`.
    """
    import numpy as np

    found = np.zeros(len(files))
    if not question.phrases and not question.fragments:
        return found
    patterns = {one: _anywhere(one) for one in (*question.phrases, *question.fragments)}
    depth = PHRASE_DEPTH if question.phrases else FRAGMENT_DEPTH
    for at in np.argsort(-units, kind="stable")[:depth].tolist():
        text = read_content(store.connection, files[at].id)
        places = {one: _lines_of(pattern, text) for one, pattern in patterns.items()}
        places = {one: lines for one, lines in places.items() if lines}
        if not places:
            continue
        fragments = sum(one in places for one in question.fragments) / max(len(question.fragments), 1)
        phrases = sum(one in places for one in question.phrases) / max(len(question.phrases), 1)
        # A log line is a template filled in: one fragment of it is nearly proof.
        found[at] = max(phrases, (1 + fragments) / 2 if fragments else 0.0)
        chunk = chunk_at_line(store.connection, files[at].id, _densest_line(list(places.values())))
        answers[chunk] = max(answers.get(chunk, 0.0), PHRASE_BONUS * found[at])
    return found


def _lines_of(pattern: re.Pattern[str], text: str) -> list[int]:
    """Return the lines where a pattern stands, the first MOST_PLACES of them."""
    return [text.count("\n", 0, match.start()) + 1 for match in islice(pattern.finditer(text), MOST_PLACES)]


def _densest_line(places: list[list[int]]) -> int:
    """Return the line with the most different phrases on it and on the lines after it."""
    counts: Counter[int] = Counter()
    for lines in places:
        counts.update({line - back for line in lines for back in range(MESSAGE_LINES)})
    return max(counts, key=lambda line: (counts[line], -line)) + (MESSAGE_LINES - 1)


def _anywhere(phrase: str) -> re.Pattern[str]:
    """Match a phrase in any case (constants in theirs), whatever blanks its words stand apart by."""
    return re.compile(r"\s+".join(map(re.escape, phrase.split())), 0 if phrase.isupper() else re.IGNORECASE)
