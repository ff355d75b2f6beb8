"""Questions and answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from codemem.types.chunk import Chunk

Mode = Literal["hybrid", "keyword", "vector"]
Fusion = Literal["ranked", "rrf"]


@dataclass(frozen=True, slots=True)
class Filters:
    """What a hit must satisfy; applied inside the arms, before anything is cut."""

    languages: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    """Glob patterns or path prefixes."""
    kinds: tuple[str, ...] = ()
    raises: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()
    sources: tuple[str, ...] = ("code", "docs")


@dataclass(frozen=True, slots=True)
class Query:
    """A question with what it wants of its answer."""

    text: str
    limit: int = 10
    offset: int = 0
    mode: Mode = "hybrid"
    fusion: Fusion = "ranked"
    filters: Filters = Filters()
    all_chunks: bool = False
    rerank: str = ""
    """Name of the cross-encoder, empty for none."""


@dataclass(frozen=True, slots=True)
class Hit:
    """One answer: the chunk, the snippet as shown, and why it ranks where it does."""

    chunk: Chunk
    score: float
    start_line: int
    end_line: int
    text: str
    why: dict[str, float]
    also: tuple[tuple[int, int], ...] = ()
    source: str = "code"
    memories: tuple[dict[str, object], ...] = ()
    text_line: int = 0
    """Line number of the snippet's first line, 0 when it is `start_line`."""
    match_line: int = 0
    """The line that answers best, 0 when unknown."""

    @property
    def excerpt(self) -> str:
        """Say which lines the snippet is, empty when it is all of the definition."""
        first = self.text_line or self.start_line
        last = first + self.text.rstrip("\n").count("\n")
        return "" if (first, last) == (self.start_line, self.end_line) else f"lines {first}-{last}"


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The hits of a question, best first."""

    query: Query
    hits: tuple[Hit, ...]
    exact_match: bool = False
    degraded: tuple[str, ...] = ()
    untold: int = 0
    """Definitions that may let an error of `--raises` through and cannot be found: their contracts are full."""
