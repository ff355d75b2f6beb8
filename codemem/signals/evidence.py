"""What is known of each candidate file when the signals are computed: parallel lists and arrays, one row a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from codemem.question import Question

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Column = NDArray[numpy.floating[Any]]


class Definition(NamedTuple):
    """A definition in the file whose name the question names."""

    chunk_id: int
    kind: str
    words: int
    """How many words of the question make up the name."""
    written: bool
    """The question writes it as a name, not as plain words."""
    nested: bool
    exact_case: bool
    scoped: bool
    """The question gives enclosing names, and they fit."""
    files: int
    """Number of files that define the name at least as well: a field does not rival a class."""


class Evidence(NamedTuple):
    """The candidates of one question."""

    question: Question
    related: dict[str, frozenset[str]]
    """Stem of a word of the question -> stems that mean the same, itself left out."""
    path_matches: dict[str, float]
    """How well each word (stem) of the candidates' paths matches the question, 0 to 1."""
    paths: tuple[str, ...]
    prose: Column
    """1 for documentation."""
    data: Column
    """1 for data and settings: JSON, YAML, TOML and their like."""
    tests: Column
    """1 for tests and what only tests use."""
    generated: Column
    indegree: Column
    """Other files that call into this one."""
    calls: Column
    """Calls that the file's code makes."""
    units: Column
    """Score of the file by its best units, best candidate 1."""
    files: Column
    """Score of the file as a whole, best candidate 1."""
    coverage: Column
    """Share of the question's information (idf) that the best unit has."""
    documented: Column
    """Share of the question's information that documentation in the file has."""
    mentions: Column
    """1 for files that mention a name which the question writes."""
    importing: Column
    """1 for files that import the bare symbol asked for, when nothing here defines it."""
    handing_on: Column
    """1 for those of them that do nothing else with it: they re-export it."""
    delegated: Column
    """How much of the best definitions calls into the file, logarithm."""
    using: Column
    """How much of the best definitions the file calls, logarithm."""
    size: Column
    """Logarithm of the number of terms in the file."""
    idf: dict[str, float]
    """Information of each word of the question, by lower-case part."""
    unit_cosine: Column
    file_cosine: Column
    definitions: tuple[tuple[Definition, ...], ...]
    raising: Column
    """1 when the file raises the error type that the question asks about, when it asks for that."""
    handling: Column
    calling: Column
    phrases: Column
    """Share of the quoted phrases that stand in the file, to the letter."""
    letter: Column
    """How surely the file says the pasted message, or what must stand there just so."""
