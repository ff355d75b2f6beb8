"""Source files: as they are read, and what parsing takes from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from codemem.types.chunk import Chunk
    from codemem.types.tree import Problem


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One decoded file: `content` has `\\n` line ends and no byte order mark, `sha` is the SHA-256 of the raw bytes."""

    path: str
    language: str
    content: str
    sha: str


class Import(NamedTuple):
    """One imported name: `from m import f as g` is path `m`, name `f`, alias `g`; `import m` has an empty name."""

    path: str
    name: str = ""
    alias: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class ParsedFile:
    """All that parsing takes from one file."""

    path: str
    language: str
    sha: str
    lines: int
    chunks: tuple[Chunk, ...]
    imports: tuple[Import, ...] = ()
    problems: tuple[Problem, ...] = ()
    package: str = ""
    doc: str = ""
    """The file's leading documentation (module docstring, head comment without the licence text)."""
    generated: bool = False
    tells_calls: bool = True
    """False where the language's grammar finds definitions only: that no calls were found says nothing."""
