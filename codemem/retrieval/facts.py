"""Answers that stand in the store as facts: who raises, who handles, who calls, which chunk a stack frame points at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from codemem.question import Name, Question
from codemem.roles import is_test
from codemem.store import Store
from codemem.store.candidates import CandidateFile, calling_chunks, chunk_at_line, error_facts, error_types
from codemem.text import split_identifier, stem

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Floats = NDArray[numpy.floating[Any]]

RAISING = {"raise": 1.0, "panic": 1.0, "return": 1.0, "propagate": 0.5, "declare": 0.5}
"""How much a statement of that role answers "who raises": throwing it here counts, passing it on counts half."""
INDIRECT = 0.5
"""Share of a fact that comes through a callee or stands in documentation only."""
DESCRIBED = 0.4
"""Strength of an error type that the question describes without naming it."""
ERROR_WORDS = frozenset({"err", "error", "exception", "exc", "failure", "fault"})
FRAME_BONUS = 4.0
"""A stack frame names the line: nothing outweighs it when the span is chosen."""
FACT_BONUS = 3.0
"""More than a definition of the name gets: asked who raises it, the raise is shown."""
TEST_SHARE = 0.6
"""What a fact in a test is worth as an answer: tests do what is asked for, too, and are meant less often."""
MOST_FACTS = 200
"""Statements about one error type that are looked at: a type that everybody raises says nothing about where to look."""
MOST_CALLERS = 200
"""Callers of one name that are looked at: a name called more often is no answer."""


@dataclass(slots=True)
class Facts:
    """Strength of each kind of answer by file id, and by chunk id for the choice of the span."""

    raising: dict[int, float] = field(default_factory=dict)
    handling: dict[int, float] = field(default_factory=dict)
    calling: dict[int, float] = field(default_factory=dict)
    chunks: dict[int, float] = field(default_factory=dict)
    lines: dict[int, int] = field(default_factory=dict)
    """Chunk id -> the line of it that answers."""

    @property
    def files(self) -> set[int]:
        return {*self.raising, *self.handling, *self.calling}

    @property
    def certain(self) -> bool:
        """Say whether some fact answers a name that the question writes."""
        return any(1.0 in found.values() for found in (self.raising, self.handling, self.calling))

    def keep(self, answering: dict[int, float], file_id: int, chunk: int, value: float, line: int) -> None:
        """Note in one of the tables above that a line answers."""
        answering[file_id] = max(answering.get(file_id, 0.0), value)
        if FACT_BONUS * value > self.chunks.get(chunk, 0.0):
            self.chunks[chunk] = FACT_BONUS * value
            self.lines[chunk] = line

    def point(self, chunk: int, bonus: float, line: int) -> None:
        """Let something else speak for a chunk, too: its line is the one to show."""
        if chunk:
            self.chunks[chunk] = self.chunks.get(chunk, 0.0) + bonus
            self.lines[chunk] = line


def find_facts(store: Store, question: Question, addressed: list[int]) -> Facts:
    """Look up what the question asks for by its verbs; `addressed` are the files that its paths name."""
    facts = Facts()
    asked = not question.fragments  # a message that says "raised" asks nothing
    if asked and (question.wants_raisers or question.wants_handlers):
        _add_errors(store, question, facts)
    if asked and question.wants_callers:
        _add_callers(store, question, facts)
    for frame in question.frames:
        for file_id in addressed:
            chunk = chunk_at_line(store.connection, file_id, frame.line)
            if chunk and chunk not in facts.chunks:  # of several frames in it the innermost
                facts.chunks[chunk] = FRAME_BONUS
                facts.lines[chunk] = frame.line
    return facts


def answering(question: Question, files: Sequence[CandidateFile], strengths: dict[int, float]) -> Floats:
    """Return how well each file answers by one kind of fact, 0 to 1."""
    import numpy as np

    tests = 1.0 if question.mentions_tests else TEST_SHARE
    return np.array([strengths.get(file.id, 0.0) * (tests if is_test(file.path) else 1.0) for file in files])


def described_types(types: list[str], question: Question) -> list[str]:
    """Return the error types that the question describes in words: `declined card` means CardDeclined."""
    asked = {stem(part) for part in question.parts}
    found: list[str] = []
    for one in types:
        parts = [part for part in split_identifier(one) if part not in ERROR_WORDS]
        if parts and all(stem(part) in asked for part in parts):
            found.append(one)
    return found


def type_spellings(name: Name) -> tuple[str, ...]:
    """Return how an error type of that name may be written: as asked, and in Pascal case."""
    pascal = "".join(part.capitalize() for part in split_identifier(name.text))
    return tuple(dict.fromkeys((name.text, pascal)))


def _add_errors(store: Store, question: Question, facts: Facts) -> None:
    names = [name for name in question.names if name.written or question.asks_errors]
    shares = dict.fromkeys((spelling for name in names for spelling in type_spellings(name)), 1.0)
    if question.asks_errors:
        for described in described_types(error_types(store.connection), question):
            shares.setdefault(described, DESCRIBED)
    for type_name, share in shares.items():
        rows = error_facts(store.connection, type_name, MOST_FACTS + 1)
        if len(rows) > MOST_FACTS:
            # What everybody lets through says nothing; where it is raised or caught is still the answer.
            written = [row for row in rows if row[3]]
            rows = written if len(written) <= MOST_FACTS else []
        for chunk, file_id, role, direct, line in rows:
            if role == "catch" and question.wants_handlers:
                facts.keep(facts.handling, file_id, chunk, share, line)
            elif role != "catch" and question.wants_raisers:
                strength = RAISING.get(role, INDIRECT) * (1.0 if direct else INDIRECT)
                facts.keep(facts.raising, file_id, chunk, share * strength, line)


def _add_callers(store: Store, question: Question, facts: Facts) -> None:
    written = [name for name in question.names if name.written]
    rows = calling_chunks(store.connection, [name.text for name in written])
    scopes = {name.scope[-1] for name in written if name.scope}
    if len(rows) > MOST_CALLERS:
        return
    for chunk, file_id, target, line in rows:
        fits = not scopes or not target or any(scope in target for scope in scopes)
        facts.keep(facts.calling, file_id, chunk, 1.0 if fits else INDIRECT, line)
