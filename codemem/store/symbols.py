"""Find definitions by the names people write: `A#b`, `A.b`, `A::b`, `b()`, `create_order` for `createOrder`, `path:line`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

from codemem.errors import BadQuery
from codemem.store.code import expand
from codemem.store.connection import Store
from codemem.store.faults import translated
from codemem.types import Chunk, ChunkKey

SEPARATORS = re.compile(r"::|->|[#./\\]|:(?=[^\W\d])")
PLACE = re.compile(r"(?P<path>.+?):(?P<line>\d+)(?:-\d+)?")
INSIDE = re.compile(r"(?P<path>[^:\s]+\.\w+)::?(?P<name>[^\d:].*)")
"""A name in a file, as test runners and grep-like tools write it: `tools.py::other`."""
CALL = re.compile(r"\(.*\)\s*$", re.DOTALL)
NOT_A_SYMBOL = ("lines", "section", "module")
"""Kinds of chunks that no code refers to by name."""
NOT_IN_OUTLINE = ("lines", "module")
NEAR_NAMES = 5
COLUMNS = (
    "SELECT chunk.id, file.path, file.language, chunk.kind, chunk.name, chunk.qualified_name, chunk.ordinal, "
    "chunk.start_line, chunk.end_line, chunk.signature, chunk.doc, chunk.parent "
    "FROM chunk JOIN file ON file.id = chunk.file_id WHERE chunk.part = 0 AND "
)
ORDER = " ORDER BY file.path, chunk.start_line, chunk.ordinal"


class SymbolRow(NamedTuple):
    """One definition, without its text."""

    chunk_id: int
    path: str
    language: str
    kind: str
    name: str
    qualified_name: str
    ordinal: int
    start_line: int
    end_line: int
    signature: str
    doc: str
    parent: str

    @property
    def key(self) -> ChunkKey:
        return ChunkKey(self.path, self.qualified_name, self.ordinal)


def find_symbols(store: Store, text: str) -> list[SymbolRow]:
    """Return the definitions that `text` names, on the first level that has any: exact, by scope, by spelling.

    Raises BadQuery with near names when nothing is called so.
    """
    wanted = CALL.sub("", text.strip())
    if not wanted:
        raise BadQuery("the symbol is empty", "give a name: createOrder, OrderFacade#createOrder, path/file.py:12")
    with translated(store.path):
        place = PLACE.fullmatch(wanted)
        found = _at_place(store, place["path"], int(place["line"])) if place else []
        inside = INSIDE.fullmatch(wanted)
        found = found or (_inside(store, inside["path"], inside["name"]) if inside else [])
        found = found or _exact(store, wanted) or _by_spelling(store, wanted)
        if not found:
            near = near_names(store, wanted)
            remedy = f"did you mean {', '.join(near)}?" if near else "`codemem search` finds code by words"
            raise BadQuery(f"no definition is called `{text.strip()}`", remedy)
    return found


def read_outline(store: Store, path: str) -> list[SymbolRow]:
    """Return all definitions and sections of a file, or of every file below a folder (empty = the whole repository)."""
    prefix = path.rstrip("/") + "/" if path else ""
    with translated(store.path):
        return _rows(
            store, "(file.path = ? OR substr(file.path, 1, ?) = ?)", (path, len(prefix), prefix), NOT_IN_OUTLINE
        )


def with_code(store: Store, row: SymbolRow, chunk: Chunk) -> Chunk:
    """Give a definition the text to show: its own lines around members that stand for themselves, else all of its lines."""
    with translated(store.path):
        member = store.connection.execute(
            "SELECT 1 FROM chunk WHERE file_id = (SELECT file_id FROM chunk WHERE id = ?) AND parent = ? LIMIT 1",
            (row.chunk_id, row.qualified_name),
        ).fetchone()
    if member and chunk.spans:
        return chunk
    text = "\n".join(read_lines(store, row.path)[row.start_line - 1 : row.end_line])
    return chunk._replace(text=text, spans=((row.start_line, row.end_line),))


def read_lines(store: Store, path: str) -> list[str]:
    """Return the lines of a file as they were indexed, none for a path that is not in the index."""
    with translated(store.path):
        row = store.connection.execute("SELECT content FROM file WHERE path = ?", (path,)).fetchone()
    return expand(row[0]).split("\n") if row else []


def near_names(store: Store, text: str) -> list[str]:
    """Return a few existing names that look like `text`."""
    from difflib import get_close_matches

    last = _segments(text)[-1] if _segments(text) else text
    rows = store.connection.execute(
        f"SELECT DISTINCT name FROM chunk WHERE kind NOT IN ({', '.join('?' * len(NOT_A_SYMBOL))}) "
        "AND length(name) BETWEEN ? AND ? AND (lower(substr(name, 1, 1)) = lower(?) OR instr(lower(name), lower(?)))",
        (*NOT_A_SYMBOL, len(last) // 2, len(last) * 2 + 1, last[:1], last),
    )
    return get_close_matches(last, [row[0] for row in rows], n=NEAR_NAMES)


def _exact(store: Store, wanted: str) -> list[SymbolRow]:
    """Look up the qualified name as written, else the simple name with its scope as written."""
    segments = _segments(wanted)
    found = _rows(store, "chunk.qualified_name = ?", (wanted,)) if len(segments) > 1 else []
    if found or not segments:
        return found
    named = _rows(
        store,
        "(chunk.name = ? OR instr(char(10) || chunk.names || char(10), char(10) || ? || char(10)))",
        (segments[-1], segments[-1]),
    )
    return _without_constructors([row for row in named if _in_scope(row, segments, str)])


def _by_spelling(store: Store, wanted: str) -> list[SymbolRow]:
    """Look up names that differ in case and underscores only."""
    segments = _segments(wanted)
    if not segments:
        return []
    named = _rows(store, "lower(replace(chunk.name, '_', '')) = ?", (_plain(segments[-1]),))
    return _without_constructors([row for row in named if _in_scope(row, segments, _plain)])


def _without_constructors(rows: list[SymbolRow]) -> list[SymbolRow]:
    """Leave out members that bear the name of the type around them: the name alone means the type."""
    types = {(row.path, row.qualified_name) for row in rows}
    return [row for row in rows if (row.path, row.parent) not in types]


def _at_place(store: Store, path: str, line: int) -> list[SymbolRow]:
    """Return the innermost definition around a line."""
    rows = _rows(
        store, "file.path = ? AND ? BETWEEN chunk.start_line AND chunk.end_line", (path.removeprefix("./"), line)
    )
    return sorted(rows, key=lambda row: row.end_line - row.start_line)[:1]


def _inside(store: Store, path: str, name: str) -> list[SymbolRow]:
    """Return what a name means in one file, given by its whole path or by the end of it."""
    place = "/" + path.removeprefix("./")
    every = (look(store, name) for look in (_exact, _by_spelling))
    return next((here for rows in every if (here := [row for row in rows if f"/{row.path}".endswith(place)])), [])


def _in_scope(row: SymbolRow, segments: list[str], spelled: Callable[[str], str]) -> bool:
    """Say whether the scope that was asked for ends the scope that the definition has (its file counts as one)."""
    stem = row.path.rpartition("/")[2].partition(".")[0]
    folders = row.path.split("/")[:-1]
    have = [spelled(part) for part in (*folders, stem, *_segments(row.qualified_name))]
    rest = iter(reversed(have[:-1] if row.qualified_name.endswith(row.name) else have))
    return all(any(part == other for other in rest) for part in reversed([spelled(part) for part in segments[:-1]]))


def _rows(
    store: Store, where: str, values: Iterable[object], without: tuple[str, ...] = NOT_A_SYMBOL
) -> list[SymbolRow]:
    kinds = ", ".join(f"'{kind}'" for kind in without)
    query = f"{COLUMNS} chunk.kind NOT IN ({kinds}) AND {where} {ORDER}"
    return [SymbolRow(*row) for row in store.connection.execute(query, tuple(values))]


def _segments(text: str) -> list[str]:
    return [part for part in SEPARATORS.split(text) if part]


def _plain(name: str) -> str:
    return name.replace("_", "").lower()
