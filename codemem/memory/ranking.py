"""BM25 over the postings of memories: of the memory itself with its neighbours in a conversation, and of whole conversations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from codemem.memory.words import SAID_BY
from codemem.store.terms import Documents, count_entries, read_documents, read_postings

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from codemem.store import Store

    Floats = npt.NDArray[np.float64]
    Ints = npt.NDArray[np.int64]

K1 = 1.2
B = 0.75
"""Saturation and length normalisation of BM25, the usual values; changing them moved LoCoMo by less than 0.01."""
NEIGHBOUR = 0.5
"""Weight of the words of the turn before and after: an answer rarely repeats the words of its question."""
SAID_BY_WEIGHT = 2.0
"""Weight of a question word that names who spoke, or when: LoCoMo recall@10 0.746 -> 0.761."""
CONVERSATION_K1 = 1.2
CONVERSATION_B = 0.75


class Lexical(NamedTuple):
    """Scores by document number; `share` is the part of the question's weight that the document matches, 0 to 1."""

    own: Floats
    conversation: Floats | None
    share: Floats
    documents: Documents


def score(store: Store, partitions: Sequence[int], terms: Sequence[str]) -> Lexical | None:
    """Score every document of these partitions; None when they hold nothing."""
    import numpy as np

    documents = read_documents(store, partitions) if partitions else None
    if documents is None or not documents.lengths.any():
        return None
    total = int((documents.lengths > 0).sum())
    around = _neighbours(documents)
    lengths = (
        documents.lengths if around is None else documents.lengths + NEIGHBOUR * _spread(documents.lengths, around)
    )
    average = float(lengths[documents.lengths > 0].mean())
    norm = (K1 * (1 - B + B / average * lengths)).astype(np.float32)
    own = np.zeros(len(lengths))
    share = np.zeros(len(lengths))
    conversations = _Conversations(documents) if around is not None else None
    weight_sum = 0.0
    for term in terms:
        numbers, counts = read_postings(store, partitions, term)
        idf = np.log(1 + (total - len(numbers) + 0.5) / (len(numbers) + 0.5))
        weight_sum += float(idf)
        share[numbers] += idf
        if around is None:
            own[numbers] += idf * (K1 + 1) * counts / (counts + norm[numbers])
            continue
        frequency = np.zeros(len(lengths))
        frequency[numbers] = counts
        if conversations is not None:
            conversations.add(frequency)
        frequency += NEIGHBOUR * _spread(frequency, around)
        own += idf * frequency * (K1 + 1) / (frequency + norm)
        speakers, _ = read_postings(store, partitions, SAID_BY + term)
        own[speakers] += SAID_BY_WEIGHT * np.log(1 + (total - len(speakers) + 0.5) / (len(speakers) + 0.5))
    own[documents.lengths == 0] = 0
    return Lexical(own, conversations.scores() if conversations else None, share / max(weight_sum, 1e-9), documents)


def rarest_terms(store: Store, partitions: Sequence[int], terms: Sequence[str], entries: int) -> list[str]:
    """Return the rarest of `terms` whose postings hold at most `entries` together (always one)."""
    counted = sorted((number, term) for term in terms if (number := count_entries(store, partitions, term)))
    chosen: list[str] = []
    read = 0
    for number, term in counted:
        if chosen and read + number > entries:
            break
        chosen.append(term)
        read += number
    return chosen


class _Conversations:
    """BM25 with whole conversations as documents, from the same term frequencies."""

    def __init__(self, documents: Documents) -> None:
        import numpy as np

        self.parents = documents.parents
        size = int(self.parents.max()) + 1
        self.lengths = np.bincount(self.parents, weights=documents.lengths, minlength=size)
        self.lengths[0] = 0
        self.total = int((self.lengths > 0).sum())
        average = self.lengths.sum() / max(self.total, 1)
        self.norm = CONVERSATION_K1 * (1 - CONVERSATION_B + CONVERSATION_B * self.lengths / max(average, 1))
        self.scored = np.zeros(size)

    def add(self, frequency: Floats) -> None:
        import numpy as np

        counts = np.bincount(self.parents, weights=frequency, minlength=len(self.lengths))
        counts[0] = 0
        holding = int((counts > 0).sum())
        idf = np.log(1 + (self.total - holding + 0.5) / (holding + 0.5))
        self.scored += idf * counts * (CONVERSATION_K1 + 1) / (counts + self.norm + 1e-9)

    def scores(self) -> Floats:
        return self.scored[self.parents]


def _neighbours(documents: Documents) -> tuple[Ints, Ints] | None:
    """Return for every turn the one before and after it in its conversation (itself at the ends is document 0: none)."""
    import numpy as np

    turns = np.flatnonzero(documents.parents)
    if not len(turns):
        return None
    order = turns[np.argsort(documents.parents[turns], kind="stable")]
    same = documents.parents[order[1:]] == documents.parents[order[:-1]]
    before = np.zeros(len(documents.parents), np.int64)
    after = np.zeros(len(documents.parents), np.int64)
    before[order[1:]] = np.where(same, order[:-1], 0)
    after[order[:-1]] = np.where(same, order[1:], 0)
    return before, after


def _spread(values: Floats | Ints, around: tuple[Ints, Ints]) -> Floats | Ints:
    """Sum a value over the two neighbours; document 0 does not exist and holds nothing."""
    return values[around[0]] + values[around[1]]
