"""What one `index` run did."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from codemem.types.tree import Problem, Skipped


@dataclass(frozen=True, slots=True)
class Report:
    """What one `index` run did."""

    root: str
    files: int = 0
    added: int = 0
    changed: int = 0
    removed: int = 0
    unchanged: int = 0
    skipped: tuple[Skipped, ...] = ()
    chunks: int = 0
    embedded: int = 0
    reused: int = 0
    problems: tuple[Problem, ...] = ()
    seconds: dict[str, float] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    differing: tuple[str, ...] = ()
    """Paths that the index knew otherwise or not at all; none in the first run."""
