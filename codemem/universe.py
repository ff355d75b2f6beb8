"""Definitions as the store knows them: where `store` and `resolve` meet, below every pipeline."""

from __future__ import annotations

import json
from collections.abc import Sequence
from operator import attrgetter
from sys import intern
from typing import Any

from codemem.resolve import FileHead, Symbol
from codemem.store import Connection
from codemem.store.definitions import (
    SymbolRow,
    SymbolValues,
    all_symbols,
    count_symbols,
    head_at,
    paths_with_stem,
    symbols_named,
)
from codemem.store.records import read_json
from codemem.types import ChunkKey

LOADED_SYMBOLS = 400_000
"""Definitions read at once: 200 MB."""
KEY = attrgetter("key")
ABSENT: list[Any] = ["", "", None, None, "", (), (), (), (), (), (), ()]
"""What fields are that the store leaves out."""


class StoreUniverse:
    """Definitions looked up in the store name by name; a session keeps what it was given."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def symbols(self, name: str) -> Sequence[Symbol]:
        return [read_symbol(row) for row in symbols_named(self._connection, name)]

    def head(self, path: str) -> FileHead | None:
        kept = head_at(self._connection, path)
        return None if kept is None else FileHead(path, *kept)

    def modules(self, stem: str) -> Sequence[str]:
        return paths_with_stem(self._connection, stem)


class LoadedUniverse(StoreUniverse):
    """All definitions, read when the first is asked for, by a process that will look up most; each is decoded on demand."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection)
        self._files: dict[int, tuple[str, str, str]] = {}
        self._rows: dict[str, list[tuple[int, str, int, str]]] | None = None

    def symbols(self, name: str) -> Sequence[Symbol]:
        if self._rows is None:
            self._load()
        if not self._rows:
            return super().symbols(name)
        found = [
            read_symbol((*self._files[file_id], name, qualified_name, ordinal, data))
            for file_id, qualified_name, ordinal, data in self._rows.get(name, ())
        ]
        return sorted(found, key=KEY) if len(found) > 1 else found

    def _load(self) -> None:
        self._rows = {}
        if count_symbols(self._connection) > LOADED_SYMBOLS:
            return
        self._files, rows = all_symbols(self._connection)
        for name, file_id, qualified_name, ordinal, data in rows:
            self._rows.setdefault(name, []).append((file_id, qualified_name, ordinal, data))


def symbol_values(symbol: Symbol) -> SymbolValues:
    """Split a symbol into the columns it is looked up by and the JSON of what its file does not say."""
    rest: list[object] = [
        symbol.kind, symbol.parent, symbol.parameters, symbol.required, symbol.result, symbol.extends, symbol.modifiers,
        symbol.bindings, symbol.members, symbol.generics, symbol.above if symbol.above != symbol.extends else (), symbol.types,
    ]  # fmt: skip
    while rest and rest[-1] in (None, "", ()):
        rest.pop()
    data = json.dumps(rest, ensure_ascii=False, separators=(",", ":"))
    return symbol.name, symbol.qualified_name, symbol.ordinal, data


def read_symbol(row: SymbolRow) -> Symbol:
    """Undo `symbol_values`, with path, language and package of the file."""
    path, language, package, name, qualified_name, ordinal, data = row
    rest = read_json(data)
    rest += ABSENT[len(rest) :]
    kind, parent, parameters, required, result, extends, modifiers, bindings, members, generics, above, types = rest
    key = ChunkKey(intern(path), qualified_name, ordinal)
    return Symbol(
        name, key.path, qualified_name, ordinal, intern(kind), intern(language), parent, intern(package), parameters, required,
        result, tuple(extends), tuple(modifiers), _pairs(bindings), tuple(members), _pairs(generics), tuple(above or extends),
        tuple(types), key,
    )  # fmt: skip


def _pairs(rows: list[list[str]]) -> tuple[tuple[str, str], ...]:
    return tuple((first, second) for first, second in rows)
