"""Symbols between their stored form and their record, and the universe as the store knows it."""

from __future__ import annotations

import json
import marshal
from array import array
from collections.abc import Iterable, Sequence
from sys import intern
from typing import Any
from zlib import crc32

from codemem.resolve import FileFacts, FileHead, Symbol, symbols_of
from codemem.store.code import EncodedFile, encode_file
from codemem.store.database import Connection
from codemem.store.definitions import (
    Definition,
    SymbolRow,
    SymbolValues,
    definitions_of,
    head_at,
    paths_with_stem,
    symbols_named,
)
from codemem.types import Binding, Chunk, ChunkKey, Import, ParsedFile, SourceFile

DECODER = json.JSONDecoder()
HEAD_FIELDS = 6
"""Leading fields of a chunk's facts that a symbol is made of; calls and contract follow them."""
CODE_FORMAT = "I"
CODE_BYTES = array(CODE_FORMAT).itemsize
CODES_KEPT = 1 << 18
ABSENT: list[Any] = ["", "", None, None, "", (), (), (), (), (), (), ()]
"""What fields are that the store leaves out."""
FEW_NAMES = 48
"""Up to so many changed names are searched for in the packed bytes; more are worth unpacking."""


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


def encode_defined(source: SourceFile, parsed: ParsedFile) -> EncodedFile:
    """Encode a parsed file together with its definitions, while its records are at hand: reading them back costs as much."""
    return encode_file(source, parsed)._replace(definitions=_packed(parsed))


def _packed(parsed: ParsedFile) -> bytes:
    head = FileHead(parsed.path, parsed.language, parsed.package, ())
    chunks = tuple(chunk for chunk in parsed.chunks if not chunk.part)
    imports = [(entry.path, entry.name, entry.alias) for entry in parsed.imports]
    return marshal.dumps((imports, _symbol_rows(FileFacts(head, chunks))))


def unpack_definitions(packed: bytes) -> tuple[tuple[Import, ...], list[SymbolValues]]:
    """Return the imports, without lines, and the definitions that `encode_defined` packed in this run."""
    imports, rows = marshal.loads(packed)
    return tuple(Import(*entry) for entry in imports), rows


def stored_symbols(connection: Connection, file_id: int, head: FileHead) -> list[SymbolValues]:
    """Return the definitions of a file as the store keeps them, sorted."""
    chunks = tuple(_definition_chunk(definition, head) for definition in definitions_of(connection, file_id))
    return _symbol_rows(FileFacts(head, chunks))


def _symbol_rows(facts: FileFacts) -> list[SymbolValues]:
    return sorted({values[:3]: values for values in map(symbol_values, symbols_of(facts))}.values())


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
    rest = json.loads(data)
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


def pack_names(names: Iterable[str]) -> bytes:
    """Pack names into sorted codes; two names with one code cost a needless look, never a missed one."""
    return array(CODE_FORMAT, sorted({_CODES[name] for name in names})).tobytes()


def _code(name: str) -> int:
    return crc32(name.encode())


class _Codes(dict[str, int]):
    """Codes by name; most names are looked up by many files."""

    def __missing__(self, name: str) -> int:
        if len(self) >= CODES_KEPT:
            self.clear()
        code = self[name] = _code(name)
        return code


_CODES = _Codes()


def merge_codes(first: bytes, second: bytes) -> bytes:
    """Unite two packed sets."""
    if not first or not second or first == second:
        return first or second
    return array(CODE_FORMAT, sorted({*_unpacked(first), *_unpacked(second)})).tobytes()


def consulting(names: set[str], rows: Iterable[tuple[int, bytes]]) -> list[int]:
    """Return the files that looked up one of the names."""
    if not names:
        return []
    codes = set(map(_code, names))
    if len(codes) > FEW_NAMES:
        return [file_id for file_id, packed in rows if not codes.isdisjoint(_unpacked(packed))]
    needles = [array(CODE_FORMAT, [code]).tobytes() for code in codes]
    return [file_id for file_id, packed in rows if any(needle in packed for needle in needles)]


def _unpacked(packed: bytes) -> array[int]:
    codes: array[int] = array(CODE_FORMAT)
    codes.frombytes(packed)
    return codes


def _definition_chunk(definition: Definition, head: FileHead) -> Chunk:
    parameters, required, result, extends, bindings, modifiers = _leading_fields(definition.facts)
    return Chunk(
        head.path, head.language, definition.kind, definition.name, definition.qualified_name, definition.ordinal, 1, 1,
        package=head.package, parent=definition.parent, names=definition.names,
        parameters=parameters, parameters_required=required,
        result=result, extends=tuple(extends), bindings=tuple(Binding(*binding) for binding in bindings),
        modifiers=tuple(modifiers), signature=definition.signature,
    )  # fmt: skip


def _leading_fields(text: str) -> list[Any]:
    """Decode the first fields of a JSON list without reading the calls that follow them."""
    values: list[Any] = []
    position = 1
    for _ in range(HEAD_FIELDS):
        value, position = DECODER.raw_decode(text, position)
        values.append(value)
        position += 1
    return values


def plain_imports(imports: Iterable[Import]) -> tuple[Import, ...]:
    """Drop the lines of imports, which resolution must not depend on."""
    return tuple(Import(entry.path, entry.name, entry.alias) for entry in imports)
