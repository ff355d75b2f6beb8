"""Save what people wrote out of a damaged database: a new file with every readable row of the memory layer.

Nothing is thrown away: the damaged file stays beside the new one under another name. Each step can be interrupted; the
next run goes on where it stopped.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from codemem.store.carving import Column, Shape, Value, carve_rows
from codemem.store.database import SIDE_FILES, create_store
from codemem.store.index_layer import INDEX_TABLES
from codemem.text import said_terms

RESCUE_ENDING = ".rescue"
DAMAGED_ENDING = ".damaged"
UNREADABLE = (sqlite3.DatabaseError, UnicodeDecodeError)
"""What reading a damaged page, or a name that is no text, raises."""
DONE_MARK = 0x5AFE
"""`user_version` of a rescue file that holds all that could be read."""
WRITTEN_ANEW = (
    "memory_block",
    "memory_migration",
    "memory_parent",
    "memory_partition",
    "memory_posting",
    "sqlite_sequence",
)
"""Tables that follow from others, or that the new store has already."""
SHADOW_ENDINGS = ("_config", "_content", "_data", "_docsize", "_idx")
"""Tables behind a full-text table: written through it, never by themselves."""


@dataclass(frozen=True, slots=True)
class Salvage:
    """Rows saved by table, tables that could not be read to the end, and where the damaged file is kept."""

    rows: dict[str, int]
    incomplete: tuple[str, ...]
    kept: Path
    carved: int = 0
    """Rows that were read straight from the pages, because the tables could not be."""


def salvage_store(path: Path) -> Salvage:
    """Replace the damaged database at `path` by a new one with its memories; the writer lock must be held."""
    rescue = rescue_path(path)
    _remove_database(rescue)
    create_store(rescue).close()
    new = sqlite3.connect(rescue, isolation_level=None)
    try:
        new.execute("PRAGMA synchronous = FULL")
        new.execute("BEGIN IMMEDIATE")
        rows, incomplete = _copy_memories(path, new)
        carved = _carve(path, new, rows, incomplete) if incomplete else 0
        _index_messages(new)
        new.execute("COMMIT")
        new.execute(f"PRAGMA user_version = {DONE_MARK}")
        new.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        new.execute("PRAGMA journal_mode = DELETE")
    finally:
        new.close()
    return Salvage(rows, tuple(incomplete), _swap(path), carved)


def finish_salvage(path: Path) -> bool:
    """Finish a rescue that was killed between saving and renaming; say whether there was one."""
    rescue = rescue_path(path)
    if not rescue.exists():
        return False
    if _user_version(rescue) != DONE_MARK:
        _remove_database(rescue)
        return False
    _swap(path)
    return True


def rescue_path(path: Path) -> Path:
    """Return where the new database is written before it takes the place of the damaged one."""
    return path.with_name(path.name + RESCUE_ENDING)


def damaged_files(path: Path) -> list[Path]:
    """Return the damaged databases that earlier rescues have kept."""
    found = path.parent.glob(f"{path.name}{DAMAGED_ENDING}-*")
    return sorted(file for file in found if not file.name.endswith(SIDE_FILES))


def _swap(path: Path) -> Path:
    """Put the rescue file in the place of the damaged one, which keeps its side files under its new name."""
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%f")
    kept = path.with_name(f"{path.name}{DAMAGED_ENDING}-{stamp}")
    if path.exists():
        os.link(path, kept)
    # A log of the old file would be applied to the new one: it goes first.
    for ending in SIDE_FILES:
        side = path.with_name(path.name + ending)
        if side.exists():
            side.rename(kept.with_name(kept.name + ending))
    rescue_path(path).replace(path)
    with sqlite3.connect(path, isolation_level=None) as done:
        done.execute("PRAGMA user_version = 0")
    done.close()
    return kept


def _copy_memories(path: Path, new: sqlite3.Connection) -> tuple[dict[str, int], list[str]]:
    """Copy every table that is not the index layer's and that the new schema knows too."""
    rows: dict[str, int] = {}
    incomplete: list[str] = []
    try:
        old = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)
    except sqlite3.Error:
        return {}, ["everything"]
    try:
        tables = _tables(old)
        known = _tables(new)
        full_text = _full_text_tables(known)
        for name, sql in tables.items():
            if name in known and name not in (*INDEX_TABLES, *full_text, "sqlite_sequence"):
                rows[name], whole = _copy_table(old, new, name, plain="WITHOUT ROWID" not in sql)
                if not whole:
                    incomplete.append(name)
        _keep_sequences(old, new, known)
    except UNREADABLE:
        incomplete.append("everything" if not rows else "the rest")
    finally:
        old.close()
    return rows, incomplete


def _carve(path: Path, new: sqlite3.Connection, rows: dict[str, int], incomplete: list[str]) -> int:
    """Add what can be told from the pages themselves to the tables that were not read to the end; return how many."""
    shapes = _shapes(new)
    others = (*INDEX_TABLES, *WRITTEN_ANEW, *_full_text_tables(_tables(new)))
    wanted = {shape.table for shape in shapes if shape.table not in others}
    wanted -= {table for table in rows if table not in incomplete}
    found: dict[str, list[tuple[tuple[str, ...], tuple[Value, ...]]]] = {}
    for table, names, values in carve_rows(path, path.with_name(path.name + SIDE_FILES[0]), shapes):
        if table in wanted:
            found.setdefault(table, []).append((names, values))
    carved = 0
    for table, entries in found.items():
        # A page that is out of use may keep an older state of a row: the newer one is written last, and stays.
        entries.sort(key=lambda entry: str(dict(zip(*entry, strict=True)).get("updated_at", "")).zfill(20))
        verb = "IGNORE" if rows.get(table) else "REPLACE"
        before = new.total_changes
        for names, values in entries:
            columns = ", ".join(f'"{name}"' for name in names)
            marks = ", ".join("?" * len(names))
            with suppress(sqlite3.Error):  # a row that the schema refuses was damaged
                new.execute(f'INSERT OR {verb} INTO "{table}" ({columns}) VALUES ({marks})', values)
        rows[table] = int(new.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0])
        carved += new.total_changes - before
    new.execute("UPDATE memory SET partition = NULL")  # the index of words is written anew
    return carved


def _index_messages(new: sqlite3.Connection) -> None:
    """Write the full-text table of conversations anew: it follows from their texts."""
    for number, text in new.execute("SELECT number, text FROM message").fetchall():
        new.execute("INSERT INTO message_terms (rowid, terms) VALUES (?, ?)", (number, " ".join(said_terms(text))))


def _keep_sequences(old: sqlite3.Connection, new: sqlite3.Connection, known: Mapping[str, str]) -> None:
    """Go on counting where the old store stopped: ids are never given twice."""
    for table, number in old.execute("SELECT name, seq FROM sqlite_sequence").fetchall():
        if table in known and table not in INDEX_TABLES:
            new.execute("DELETE FROM sqlite_sequence WHERE name = ?", (table,))
            new.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", (table, number))


def _full_text_tables(tables: Mapping[str, str]) -> set[str]:
    """Name the full-text tables and those behind them, as the new store has them."""
    virtual = [name for name, sql in tables.items() if sql.upper().startswith("CREATE VIRTUAL")]
    return {name + ending for name in virtual for ending in ("", *SHADOW_ENDINGS)}


def _shapes(new: sqlite3.Connection) -> list[Shape]:
    """Describe every table as its rows stand on pages."""
    shapes: list[Shape] = []
    for table, sql in _tables(new).items():
        if sql.upper().startswith("CREATE VIRTUAL"):
            continue
        info = new.execute(f'PRAGMA table_info("{table}")').fetchall()
        by_row_id = "WITHOUT ROWID" not in sql
        if not by_row_id:  # the key comes first, in its own order
            info = sorted((row for row in info if row[5]), key=lambda row: row[5]) + [row for row in info if not row[5]]
        keys = [row for row in info if row[5]]
        alias = keys[0] if by_row_id and len(keys) == 1 and keys[0][2].upper() == "INTEGER" else None
        columns = tuple(Column(row[2].upper(), not row[3] and not (row[5] and not by_row_id)) for row in info)
        place = -1 if alias is None else info.index(alias)
        shapes.append(Shape(table, columns, tuple(row[1] for row in info), by_row_id, place))
    return shapes


def _tables(connection: sqlite3.Connection) -> dict[str, str]:
    found = connection.execute(
        "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND sql IS NOT NULL ORDER BY name"
    )
    return {str(name): str(sql) for name, sql in found if not name.startswith("sqlite_stat")}


def _copy_table(old: sqlite3.Connection, new: sqlite3.Connection, table: str, plain: bool) -> tuple[int, bool]:
    """Copy what can be read of a table; return the rows and whether that was all."""
    new_columns = _columns(new, table)
    columns = [name for name in _columns(old, table) if name in new_columns]
    names = ", ".join(f'"{name}"' for name in columns)
    marks = ", ".join("?" * len(columns))
    copied, whole = 0, True
    for row in _rows(old, table, names, "rowid" if plain else ""):
        if row is None:
            whole = False
            continue
        try:
            new.execute(f'INSERT OR REPLACE INTO "{table}" ({names}) VALUES ({marks})', row)
            copied += 1
        except sqlite3.Error:
            whole = False  # a row that the schema refuses was damaged
    return copied, whole


def _columns(connection: sqlite3.Connection, table: str) -> list[str]:
    return [str(row[1]) for row in connection.execute(f'PRAGMA table_info("{table}")')]


def _rows(old: sqlite3.Connection, table: str, names: str, order: str) -> Iterator[tuple[object, ...] | None]:
    """Yield rows from the front up to a damaged page, then from the back up to it; None once where pages are lost."""
    by = f' ORDER BY "{order}"' if order else ""
    seen = 0
    try:
        for row in old.execute(f'SELECT {names} FROM "{table}" NOT INDEXED{by}'):
            seen += 1
            yield row
        return
    except UNREADABLE:
        yield None
    if not order:
        return
    try:
        # Rows met twice are the same rows: they are written with REPLACE.
        yield from old.execute(f'SELECT {names} FROM "{table}" NOT INDEXED ORDER BY "{order}" DESC')
    except UNREADABLE:
        return


def _user_version(path: Path) -> int:
    try:
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
        try:
            return int(connection.execute("PRAGMA user_version").fetchone()[0])
        finally:
            connection.close()
    except sqlite3.Error:
        return 0


def _remove_database(path: Path) -> None:
    for ending in ("", *SIDE_FILES):
        path.with_name(path.name + ending).unlink(missing_ok=True)
