"""Write parsed files and read them back as records; texts are slices of the one stored copy of each file."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from codemem.store.files import remove_files, write_problems
from codemem.types import Binding, Call, Chunk, ErrorFact, FileEntry, Guard, Import, ParsedFile

COMPRESSION = 1
"""zlib level: a third of the text at 100 MB/s; higher levels gain a tenth and take five times as long."""
ROW_BATCH = 10_000
"""Chunk ids looked up by one statement."""

CHUNK_COLUMNS = (
    "chunk.id, file.path, file.language, file.package, chunk.kind, chunk.name, chunk.names, chunk.qualified_name, "
    "chunk.ordinal, chunk.part, chunk.start_line, chunk.end_line, chunk.spans, chunk.signature, chunk.doc, chunk.parent, "
    "chunk.facts, chunk.partial, chunk.content_hash, chunk.interface_hash, chunk.file_id"
)


@dataclass(frozen=True, slots=True)
class StoredFile:
    """One file on its way into the store: what parsing found, the text it found it in, the hints of its reading."""

    parsed: ParsedFile
    content: str
    entry: FileEntry
    checked_ns: int


@dataclass(frozen=True, slots=True)
class FileRow:
    """One indexed file without its text."""

    id: int
    path: str
    language: str
    sha: str
    lines: int
    package: str
    doc: str
    generated: bool
    indegree: int


def replace_files(connection: sqlite3.Connection, batch: Sequence[StoredFile]) -> None:
    """Replace each file of the batch with all its rows, inside the caller's transaction."""
    remove_files(connection, [file.parsed.path for file in batch])
    connection.executemany("DELETE FROM skipped WHERE path = ?", [(file.parsed.path,) for file in batch])
    for file in batch:
        file_id = _insert_file(connection, file)
        connection.executemany(
            "INSERT INTO chunk (file_id, kind, name, names, qualified_name, ordinal, part, start_line, end_line, spans, signature, "
            "doc, parent, facts, partial, content_hash, interface_hash) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
            [_chunk_row(file_id, chunk) for chunk in file.parsed.chunks],
        )
        connection.executemany(
            "INSERT INTO import VALUES (?, ?, ?, ?, ?)",
            [(file_id, found.path, found.name, found.alias, found.line) for found in file.parsed.imports],
        )
        write_problems(connection, file.parsed.problems)


def read_files(connection: sqlite3.Connection, file_ids: Collection[int] | None = None) -> list[FileRow]:
    """Return file rows by id, or all of them, in order of path."""
    query = "SELECT id, path, language, sha, lines, package, doc, generated, indegree FROM file"
    if file_ids is None:
        rows = connection.execute(query + " ORDER BY path")
    else:
        rows = connection.execute(
            query + " WHERE id IN (SELECT value FROM json_each(?)) ORDER BY path", (_ids(file_ids),)
        )
    return [FileRow(*row[:7], *(bool(row[7]), row[8])) for row in rows]


def read_content(connection: sqlite3.Connection, file_id: int) -> str:
    """Return the decoded text of a file, as it was indexed."""
    row = connection.execute("SELECT content FROM file WHERE id = ?", (file_id,)).fetchone()
    return "" if row is None else expand(row[0])


def read_imports(connection: sqlite3.Connection, file_id: int) -> tuple[Import, ...]:
    rows = connection.execute("SELECT path, name, alias, line FROM import WHERE file_id = ? ORDER BY rowid", (file_id,))
    return tuple(Import(*row) for row in rows)


def read_chunks(connection: sqlite3.Connection, file_id: int, with_text: bool = False) -> list[Chunk]:
    """Return the chunks of one file in the order of parsing, calls and contract as written."""
    return list(chunks_by_id(connection, file_id, with_text).values())


def chunks_by_id(connection: sqlite3.Connection, file_id: int, with_text: bool = False) -> dict[int, Chunk]:
    """Return the chunks of one file by id, calls and contract as written."""
    rows = connection.execute(
        f"SELECT {CHUNK_COLUMNS} FROM chunk JOIN file ON file.id = file_id WHERE file_id = ? ORDER BY chunk.id",
        (file_id,),
    )
    lines = read_content(connection, file_id).split("\n") if with_text else None
    return {row[0]: chunk_record(row, lines) for row in rows}


def load_chunks(connection: sqlite3.Connection, chunk_ids: Iterable[int], with_text: bool = True) -> dict[int, Chunk]:
    """Return chunks by id, calls and contract as written (store.graph reads the resolved ones)."""
    found: dict[int, Chunk] = {}
    ids = list(chunk_ids)
    for start in range(0, len(ids), ROW_BATCH):
        rows = connection.execute(
            f"SELECT {CHUNK_COLUMNS} FROM chunk JOIN file ON file.id = file_id "
            "WHERE chunk.id IN (SELECT value FROM json_each(?)) ORDER BY file_id, chunk.id",
            (_ids(ids[start : start + ROW_BATCH]),),
        )
        for file_id, row in _by_file(rows):
            lines = file_id[1]
            if with_text and lines is None:
                lines = file_id[1] = read_content(connection, file_id[0]).split("\n")
            found[row[0]] = chunk_record(row, lines)
    return found


def pending_chunks(connection: sqlite3.Connection) -> list[tuple[int, frozenset[int]]]:
    """Return file id and chunk ids of everything without a lexical document, in order of path."""
    return _grouped(connection.execute(f"{_FILE_AND_CHUNK} WHERE segment IS NULL ORDER BY file.path"))


def all_chunks(connection: sqlite3.Connection) -> list[tuple[int, frozenset[int]]]:
    """Return file id and chunk ids of the whole index, in order of path."""
    return _grouped(connection.execute(f"{_FILE_AND_CHUNK} ORDER BY file.path"))


def set_card_hashes(
    connection: sqlite3.Connection, units: Sequence[tuple[bytes | None, int]], files: Sequence[tuple[bytes | None, int]]
) -> None:
    """Note which vector belongs to which chunk and file; pairs of key and id."""
    connection.executemany("UPDATE chunk SET card_hash = ? WHERE id = ?", units)
    connection.executemany("UPDATE file SET card_hash = ? WHERE id = ?", files)


def chunk_record(row: Sequence[Any], lines: Sequence[str] | None) -> Chunk:
    """Build a Chunk from a row of CHUNK_COLUMNS; `lines` are those of its file, None leaves the text out."""
    spans = _read_spans(row[12]) or ((row[10], row[11]),)
    parameters, required, result, extends, bindings, modifiers, calls, facts = json.loads(row[16])
    return Chunk(
        path=row[1],
        language=row[2],
        package=row[3],
        kind=row[4],
        name=row[5],
        names=tuple(row[6].split("\n")) if row[6] else ((row[5],) if row[5] else ()),
        qualified_name=row[7],
        ordinal=row[8],
        part=row[9],
        start_line=row[10],
        end_line=row[11],
        spans=spans,
        signature=row[13],
        doc=row[14],
        parent=row[15],
        partial=bool(row[17]),
        content_hash=row[18],
        interface_hash=row[19],
        text="" if lines is None else "\n".join("\n".join(lines[first - 1 : last]) for first, last in spans),
        parameters=parameters,
        parameters_required=required,
        result=result,
        extends=tuple(extends),
        bindings=tuple(Binding(*binding) for binding in bindings),
        modifiers=tuple(modifiers),
        calls=tuple(Call(*call[:7], *[_read_guards(call[7])]) for call in calls),
        contract=tuple(ErrorFact(*fact[:5], None, _read_guards(fact[5])) for fact in facts),
    )


def expand(data: bytes) -> str:
    """Decompress a stored text."""
    return zlib.decompress(data).decode("utf-8")


def _insert_file(connection: sqlite3.Connection, file: StoredFile) -> int:
    parsed, entry = file.parsed, file.entry
    cursor = connection.execute(
        "INSERT INTO file (path, language, sha, size, mtime_ns, ctime_ns, inode, checked_ns, lines, package, doc, "
        "generated, content) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)",
        (
            parsed.path, parsed.language, parsed.sha, entry.size, entry.mtime_ns, entry.ctime_ns, entry.inode, file.checked_ns,
            parsed.lines, parsed.package, parsed.doc, parsed.generated, zlib.compress(file.content.encode("utf-8"), COMPRESSION),
        ),
    )  # fmt: skip
    return int(cursor.lastrowid or 0)


def _chunk_row(file_id: int, chunk: Chunk) -> tuple[object, ...]:
    spans = "" if chunk.spans in ((), ((chunk.start_line, chunk.end_line),)) else _write_spans(chunk.spans)
    names = "" if chunk.names in ((), (chunk.name,)) else "\n".join(chunk.names)
    facts = (
        chunk.parameters,
        chunk.parameters_required,
        chunk.result,
        chunk.extends,
        [(b.name, b.type, b.line) for b in chunk.bindings],
        chunk.modifiers,
        [
            (c.callee, c.receiver, c.line, c.order, c.arguments, c.mark, c.repeat, _guard_rows(c.guards))
            for c in chunk.calls
        ],
        [(f.role, f.type, f.text, f.line, f.source, _guard_rows(f.guards)) for f in chunk.contract],
    )
    return (
        file_id, chunk.kind, chunk.name, names, chunk.qualified_name, chunk.ordinal, chunk.part, chunk.start_line, chunk.end_line,
        spans, chunk.signature, chunk.doc, chunk.parent, json.dumps(facts, ensure_ascii=False, separators=(",", ":")),
        chunk.partial, chunk.content_hash, chunk.interface_hash,
    )  # fmt: skip


def _guard_rows(guards: tuple[Guard, ...]) -> list[tuple[tuple[str, ...], bool]]:
    return [(guard.types, guard.rethrows) for guard in guards]


def _read_guards(rows: list[list[Any]]) -> tuple[Guard, ...]:
    return tuple(Guard(tuple(types), rethrows) for types, rethrows in rows)


def _write_spans(spans: tuple[tuple[int, int], ...]) -> str:
    return " ".join(f"{first}-{last}" for first, last in spans)


def _read_spans(text: str) -> tuple[tuple[int, int], ...]:
    return tuple((int(first), int(last)) for first, _, last in (part.partition("-") for part in text.split()))


_FILE_AND_CHUNK = "SELECT file_id, chunk.id FROM chunk JOIN file ON file.id = file_id"


def _grouped(rows: Iterable[tuple[int, int]]) -> list[tuple[int, frozenset[int]]]:
    groups: dict[int, list[int]] = {}
    for file_id, chunk_id in rows:
        groups.setdefault(file_id, []).append(chunk_id)
    return [(file_id, frozenset(ids)) for file_id, ids in groups.items()]


def _ids(ids: Collection[int]) -> str:
    return json.dumps([int(number) for number in ids])


def _by_file(rows: Iterable[Sequence[Any]]) -> Iterator[tuple[list[Any], Sequence[Any]]]:
    """Pair each row with one mutable [file id, lines] per file; rows come sorted by file."""
    current: list[Any] = [None, None]
    for row in rows:
        if row[20] != current[0]:
            current = [row[20], None]
        yield current, row
