"""A universe in memory, for whole builds and for tests."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from codemem.resolve.profile import profile_of
from codemem.resolve.records import FileFacts, FileHead, Symbol, module_stem, symbols_of
from codemem.types import ParsedFile


class MemoryUniverse:
    """All symbols, heads and modules of a repository, held in dictionaries."""

    def __init__(self) -> None:
        self._symbols: dict[str, list[Symbol]] = defaultdict(list)
        self._heads: dict[str, FileHead] = {}
        self._modules: dict[str, list[str]] = defaultdict(list)

    def add(self, head: FileHead, symbols: Iterable[Symbol]) -> None:
        """Take one file in; files come in order of path, so that answers are ordered."""
        self._heads[head.path] = head
        self._modules[module_stem(head.path, profile_of(head.language).index)].append(head.path)
        for symbol in symbols:
            self._symbols[symbol.name].append(symbol)

    def fill(self, symbols: Mapping[str, list[Symbol]]) -> None:
        """Take definitions in that are grouped by name and ordered already."""
        self._symbols.update(symbols)

    def symbols(self, name: str) -> Sequence[Symbol]:
        return self._symbols.get(name, ())

    def head(self, path: str) -> FileHead | None:
        return self._heads.get(path)

    def modules(self, stem: str) -> Sequence[str]:
        return self._modules.get(stem, ())


def universe_of(files: Iterable[FileFacts]) -> MemoryUniverse:
    """Build the universe of a few files."""
    universe = MemoryUniverse()
    for facts in sorted(files, key=lambda facts: facts.head.path):
        universe.add(facts.head, sorted(symbols_of(facts), key=lambda symbol: (symbol.qualified_name, symbol.ordinal)))
    return universe


def facts_of(parsed: ParsedFile) -> FileFacts:
    """Take from a parsed file what resolution needs."""
    head = FileHead(parsed.path, parsed.language, parsed.package, parsed.imports)
    return FileFacts(head, parsed.chunks, lambda: _lines_of(parsed))


def _lines_of(parsed: ParsedFile) -> list[str]:
    """Put the lines together that the chunks of a file own; blank lines between them belong to none."""
    lines = [""] * parsed.lines
    for chunk in parsed.chunks:
        rows = [row for first, last in chunk.spans for row in range(first, last + 1)]
        texts = chunk.text.split("\n")
        for row, text in zip(rows, texts[len(texts) - len(rows) :], strict=False):
            lines[row - 1] = text
    return lines
