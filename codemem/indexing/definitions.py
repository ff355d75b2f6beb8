"""Definitions of a file as they are stored, and the names that each file looked up, packed."""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterable
from typing import Any
from zlib import crc32

from codemem.resolve import FileFacts, FileHead, symbols_of
from codemem.store.code import EncodedFile, encode_file
from codemem.store.connection import Connection
from codemem.store.definitions import (
    Definition,
    SymbolValues,
    definitions_of,
)
from codemem.types import Binding, Chunk, Import, ParsedFile, SourceFile
from codemem.universe import symbol_values

DECODER = json.JSONDecoder()
HEAD_FIELDS = 6
"""Leading fields of a chunk's facts that a symbol is made of; calls and contract follow them."""
CODE_FORMAT = "I"
CODE_BYTES = array(CODE_FORMAT).itemsize
CODES_KEPT = 1 << 18
FEW_NAMES = 48
"""Up to so many changed names are searched for in the packed bytes; more are worth unpacking."""


def encode_defined(source: SourceFile, parsed: ParsedFile) -> EncodedFile:
    """Encode a parsed file together with its definitions, while its records are at hand: reading them back costs as much."""
    return encode_file(source, parsed)._replace(definitions=_packed(parsed))


def _packed(parsed: ParsedFile) -> str:
    head = FileHead(parsed.path, parsed.language, parsed.package, ())
    chunks = tuple(chunk for chunk in parsed.chunks if not chunk.part)
    imports = [(entry.path, entry.name, entry.alias) for entry in parsed.imports]
    return json.dumps((imports, _symbol_rows(FileFacts(head, chunks))), ensure_ascii=False, separators=(",", ":"))


def unpack_definitions(packed: str) -> tuple[tuple[Import, ...], list[SymbolValues]]:
    """Return the imports, without lines, and the definitions that `encode_defined` packed in this run."""
    imports, rows = json.loads(packed)
    return tuple(Import(*entry) for entry in imports), [tuple(row) for row in rows]


def stored_symbols(connection: Connection, file_id: int, head: FileHead) -> list[SymbolValues]:
    """Return the definitions of a file as the store keeps them, sorted."""
    chunks = tuple(_definition_chunk(definition, head) for definition in definitions_of(connection, file_id))
    return _symbol_rows(FileFacts(head, chunks))


def _symbol_rows(facts: FileFacts) -> list[SymbolValues]:
    return sorted({values[:3]: values for values in map(symbol_values, symbols_of(facts))}.values())


def pack_names(names: Iterable[str]) -> bytes:
    """Pack names into sorted codes; two names with one code cost a needless look, never a missed one."""
    return array(CODE_FORMAT, sorted(set(map(_CODES.__getitem__, names)))).tobytes()


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
