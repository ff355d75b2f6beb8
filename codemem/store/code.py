"""Write parsed files and read them back as records; texts are slices of the one stored copy of each file."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from codemem.errors import StoreCorrupt
from codemem.store.files import remove_files, write_problems
from codemem.store.records import CHUNK_COLUMNS, chunk_record, chunk_row

if TYPE_CHECKING:
    from codemem.types import Chunk, FileEntry, Import, ParsedFile, Problem, SourceFile

COMPRESSION = 1
"""zlib level: a third of the text at 100 MB/s; higher levels gain a tenth and take five times as long."""
ROW_BATCH = 10_000
"""Chunk ids looked up by one statement."""


class StoredFile(NamedTuple):
    """One file on its way into the store: what parsing found, the text it found it in, the hints of its reading."""

    parsed: ParsedFile
    content: str
    entry: FileEntry
    checked_ns: int


class EncodedFile(NamedTuple):
    """A parsed file as the values of its rows: small to send between processes, ready to be written."""

    path: str
    language: str
    sha: str
    lines: int
    package: str
    doc: str
    generated: bool
    calls: int | None
    content: bytes
    chunks: tuple[tuple[object, ...], ...]
    imports: tuple[tuple[object, ...], ...]
    problems: tuple[Problem, ...]
    definitions: str = ""
    """What resolution sees of the file, for the same run (indexing/definitions.py); no row of the store."""


class FileRow(NamedTuple):
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
    replace_encoded(
        connection, [(encode_parsed(file.parsed, file.content), file.entry, file.checked_ns) for file in batch]
    )


def replace_encoded(connection: sqlite3.Connection, batch: Sequence[tuple[EncodedFile, FileEntry, int]]) -> None:
    """Replace each file of the batch; triples of the file, its stats and when it was read."""
    paths = [(file.path,) for file, _, _ in batch]
    remove_files(connection, [path for (path,) in paths])
    connection.executemany("DELETE FROM skipped WHERE path = ?", paths)
    chunks: list[tuple[object, ...]] = []
    imports: list[tuple[object, ...]] = []
    for file, entry, checked_ns in batch:
        file_id = _insert_file(connection, file, entry, checked_ns)
        chunks.extend((file_id, *row) for row in file.chunks)
        imports.extend((file_id, *row) for row in file.imports)
    connection.executemany(
        "INSERT INTO chunk (file_id, kind, name, names, qualified_name, ordinal, part, start_line, end_line, spans, signature, "
        "doc, parent, facts, partial, content_hash, interface_hash) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
        chunks,
    )
    connection.executemany("INSERT INTO import VALUES (?, ?, ?, ?, ?)", imports)
    write_problems(connection, [problem for file, _, _ in batch for problem in file.problems])


def encode_file(source: SourceFile, parsed: ParsedFile) -> EncodedFile:
    """Turn a parsed source into the values of its rows; what `parse_into` runs where the file was parsed."""
    return encode_parsed(parsed, source.content)


def encode_parsed(parsed: ParsedFile, content: str) -> EncodedFile:
    """Turn what parsing found in `content` into the values of its rows."""
    lines = content.split("\n")
    return EncodedFile(
        parsed.path,
        parsed.language,
        parsed.sha,
        parsed.lines,
        parsed.package,
        parsed.doc,
        parsed.generated,
        sum(len(chunk.calls) for chunk in parsed.chunks) if parsed.tells_calls else None,
        zlib.compress(content.encode("utf-8"), COMPRESSION),
        tuple(chunk_row(chunk, lines) for chunk in parsed.chunks),
        tuple((found.path, found.name, found.alias, found.line) for found in parsed.imports),
        parsed.problems,
    )


def read_files(connection: sqlite3.Connection, file_ids: Collection[int] | None = None) -> list[FileRow]:
    """Return file rows by id, or all of them, in order of path."""
    query = "SELECT id, path, language, sha, lines, package, doc, generated, indegree FROM file"
    if file_ids is None:
        rows = connection.execute(query + " ORDER BY path")
    else:
        rows = connection.execute(
            query + " WHERE id IN (SELECT value FROM json_each(?)) ORDER BY path", (_ids(file_ids),)
        )
    return [FileRow(*(*row[:7], bool(row[7]), row[8])) for row in rows]


def read_content(connection: sqlite3.Connection, file_id: int) -> str:
    """Return the decoded text of a file, as it was indexed."""
    row = connection.execute("SELECT content FROM file WHERE id = ?", (file_id,)).fetchone()
    return "" if row is None else expand(row[0])


def read_imports(connection: sqlite3.Connection, file_id: int) -> tuple[Import, ...]:
    from codemem.types import Import

    rows = connection.execute("SELECT path, name, alias, line FROM import WHERE file_id = ? ORDER BY rowid", (file_id,))
    return tuple(Import(*row) for row in rows)


def read_chunks(connection: sqlite3.Connection, file_id: int, with_text: bool = False) -> list[Chunk]:
    """Return the chunks of one file in the order of parsing, calls and contract as written."""
    return list(chunks_by_id(connection, file_id, with_text).values())


def chunks_by_id(
    connection: sqlite3.Connection, file_id: int, with_text: bool = False, with_doc: bool = True
) -> dict[int, Chunk]:
    """Return the chunks of one file by id, calls and contract as written; `with_doc=False` leaves documentation out."""
    columns = CHUNK_COLUMNS if with_doc else CHUNK_COLUMNS.replace("chunk.doc", "''")
    rows = connection.execute(
        f"SELECT {columns} FROM chunk JOIN file ON file.id = file_id WHERE file_id = ? ORDER BY chunk.id",
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


def expand(data: bytes) -> str:
    """Decompress a stored text; raises StoreCorrupt when it is damaged (zlib keeps a checksum)."""
    try:
        return zlib.decompress(data).decode("utf-8")
    except (zlib.error, UnicodeDecodeError) as error:
        raise StoreCorrupt(f"a stored text is damaged: {error}", "run `codemem doctor --fix`") from error


def _insert_file(connection: sqlite3.Connection, file: EncodedFile, entry: FileEntry, checked_ns: int) -> int:
    cursor = connection.execute(
        "INSERT INTO file (path, language, sha, size, mtime_ns, ctime_ns, inode, checked_ns, lines, package, doc, "
        "generated, calls, content) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
        (
            file.path, file.language, file.sha, entry.size, entry.mtime_ns, entry.ctime_ns, entry.inode, checked_ns,
            file.lines, file.package, file.doc, file.generated, file.calls, file.content,
        ),
    )  # fmt: skip
    return int(cursor.lastrowid or 0)


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
