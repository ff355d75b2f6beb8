"""Read rows straight from the pages of a database whose own tables of contents are gone.

SQLite keeps every row of a table in leaf pages that describe themselves, so rows survive the loss of the file header, of
the schema and of inner pages. A row is taken for one of a table when it has as many values as that table has columns and
each is of the declared kind; a shape that two tables share belongs to neither. The file format: sqlite.org/fileformat2.html.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

PAGE_BYTES = 4096
"""The page size that every store is made with."""
LEAF_TABLE, LEAF_INDEX, INNER_INDEX = 0x0D, 0x0A, 0x02
"""Pages that hold rows: of tables by row id, and of tables without one (which are kept as indexes are)."""
WAL_HEADER, FRAME_HEADER = 32, 24
LONGEST_CHAIN = 1 << 16
"""Overflow pages of one row; more is a loop."""
LONGEST_ROW = 1 << 28

Value = int | float | str | bytes | None


class Column(NamedTuple):
    """What a column accepts: its declared type, and whether NULL is among it."""

    kind: str
    nullable: bool


@dataclass(frozen=True, slots=True)
class Shape:
    """How the rows of a table look on a page, columns in the order they are kept there."""

    table: str
    columns: tuple[Column, ...]
    names: tuple[str, ...]
    by_row_id: bool
    row_id_at: int = -1
    """Place of the column that is the row id itself and stands as NULL on the page."""


def carve_rows(
    path: Path, log: Path, shapes: Sequence[Shape]
) -> Iterator[tuple[str, tuple[str, ...], tuple[Value, ...]]]:
    """Yield table, column names and values of every row that can be told from its page; newer log pages win."""
    pages = _Pages(path.read_bytes(), _logged_pages(log))
    by_width: dict[tuple[bool, int], list[Shape]] = {}
    for shape in shapes:
        by_width.setdefault((shape.by_row_id, len(shape.columns)), []).append(shape)
    for number in range(1, pages.count + 1):
        for row_id, values in _rows_of(pages, number):
            fitting = [shape for shape in by_width.get((row_id is not None, len(values)), ()) if _fits(shape, values)]
            if len(fitting) == 1:
                shape = fitting[0]
                if shape.row_id_at >= 0:
                    values = (*values[: shape.row_id_at], row_id, *values[shape.row_id_at + 1 :])
                yield shape.table, shape.names, values


class _Pages:
    """The pages of a database, each as the log has it last."""

    def __init__(self, data: bytes, logged: Mapping[int, bytes]) -> None:
        self.data = data
        self.logged = logged
        self.count = max(len(data) // PAGE_BYTES, max(logged, default=0))

    def page(self, number: int) -> bytes:
        found = self.logged.get(number)
        return found if found is not None else self.data[(number - 1) * PAGE_BYTES : number * PAGE_BYTES]


def _logged_pages(log: Path) -> dict[int, bytes]:
    """Return the last committed version of each page in a write-ahead log."""
    try:
        data = log.read_bytes()
    except OSError:
        return {}
    salt = data[16:24]
    committed: dict[int, bytes] = {}
    open_pages: dict[int, bytes] = {}
    for at in range(WAL_HEADER, len(data) - FRAME_HEADER - PAGE_BYTES + 1, FRAME_HEADER + PAGE_BYTES):
        number, size = struct.unpack(">II", data[at : at + 8])
        if data[at + 8 : at + 16] != salt:
            break
        open_pages[number] = data[at + FRAME_HEADER : at + FRAME_HEADER + PAGE_BYTES]
        if size:
            committed.update(open_pages)
            open_pages.clear()
    return committed


def _rows_of(pages: _Pages, number: int) -> Iterator[tuple[int | None, tuple[Value, ...]]]:
    """Yield row id (None for tables without) and values of the rows on one page."""
    page = pages.page(number)
    head = 100 if number == 1 else 0
    if len(page) < PAGE_BYTES or page[head] not in (LEAF_TABLE, LEAF_INDEX, INNER_INDEX):
        return
    kind = page[head]
    (cells,) = struct.unpack(">H", page[head + 3 : head + 5])
    pointers = head + (12 if kind == INNER_INDEX else 8)
    if pointers + 2 * cells > PAGE_BYTES:
        return
    for at in struct.unpack(f">{cells}H", page[pointers : pointers + 2 * cells]):
        try:
            yield _cell(pages, page, at, kind)
        except (IndexError, ValueError, struct.error):
            continue  # this cell is damaged; the next may not be


def _cell(pages: _Pages, page: bytes, at: int, kind: int) -> tuple[int | None, tuple[Value, ...]]:
    if kind == INNER_INDEX:
        at += 4
    size, at = _varint(page, at)
    row_id: int | None = None
    if kind == LEAF_TABLE:
        row_id, at = _varint(page, at)
    if size > LONGEST_ROW:
        raise ValueError
    largest = PAGE_BYTES - 35 if kind == LEAF_TABLE else (PAGE_BYTES - 12) * 64 // 255 - 23
    if size <= largest:
        return row_id, _values(page[at : at + size])
    smallest = (PAGE_BYTES - 12) * 32 // 255 - 23
    local = smallest + (size - smallest) % (PAGE_BYTES - 4)
    if local > largest:
        local = smallest
    payload = page[at : at + local]
    (following,) = struct.unpack(">I", page[at + local : at + local + 4])
    return row_id, _values(payload + _overflow(pages, following, size - local))


def _overflow(pages: _Pages, number: int, left: int) -> bytes:
    parts: list[bytes] = []
    for _ in range(LONGEST_CHAIN):
        if left <= 0:
            return b"".join(parts)
        page = pages.page(number) if 0 < number <= pages.count else b""
        (number,) = struct.unpack(">I", page[:4])
        parts.append(page[4 : 4 + left])
        left -= len(parts[-1])
    raise ValueError


def _values(payload: bytes) -> tuple[Value, ...]:
    """Decode a record."""
    size, at = _varint(payload, 0)
    kinds: list[int] = []
    while at < size:
        kind, at = _varint(payload, at)
        kinds.append(kind)
    values: list[Value] = []
    at = size
    for kind in kinds:
        value, at = _value(payload, at, kind)
        values.append(value)
    if at != len(payload):
        raise ValueError
    return tuple(values)


INTEGER_BYTES = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}


def _value(payload: bytes, at: int, kind: int) -> tuple[Value, int]:
    if kind in INTEGER_BYTES:
        end = at + INTEGER_BYTES[kind]
        return int.from_bytes(payload[at:end], "big", signed=True), end
    if kind in (0, 8, 9):
        return (None, 0, 1)[(0, 8, 9).index(kind)], at
    if kind == 7:
        return float(struct.unpack(">d", payload[at : at + 8])[0]), at + 8
    if kind < 12:
        raise ValueError
    end = at + (kind - 12) // 2
    raw = payload[at:end]
    return (raw if kind % 2 == 0 else raw.decode("utf-8")), end


def _varint(data: bytes, at: int) -> tuple[int, int]:
    number = 0
    for count in range(9):
        byte = data[at + count]
        if count == 8:
            number = number << 8 | byte
            return (number - (1 << 64) if number >> 63 else number), at + 9
        number = number << 7 | byte & 0x7F
        if not byte & 0x80:
            return number, at + count + 1
    raise ValueError


KINDS = {"INTEGER": (int,), "TEXT": (str,), "BLOB": (bytes,), "REAL": (float, int)}


def _fits(shape: Shape, values: Sequence[Value]) -> bool:
    for place, (value, column) in enumerate(zip(values, shape.columns, strict=True)):
        if value is None:
            if not column.nullable and place != shape.row_id_at:
                return False
        elif place == shape.row_id_at or not isinstance(value, KINDS.get(column.kind, (object,))):
            return False
    return True
