"""The store: records come back as they were written, one transaction per unit of work, errors that say what to do."""

from __future__ import annotations

import sqlite3
import stat
from pathlib import Path

import pytest

from codemem.errors import NotIndexed, StoreCorrupt, StoreError, StoreNewer
from codemem.parse import parse_file
from codemem.store import create_store, drop_index, has_index, open_store, read_meta, store_path, write_meta
from codemem.store.code import (
    StoredFile,
    load_chunks,
    read_chunks,
    read_content,
    read_files,
    read_imports,
    replace_files,
)
from codemem.store.files import read_hints, read_problems, read_skipped, remove_files, write_skipped
from codemem.store.index_layer import INDEX_TABLES
from codemem.store.migrations import MEMORY_STEPS
from codemem.types import Binding, Call, Chunk, ErrorFact, FileEntry, Guard, Import, ParsedFile, Problem, Skipped
from codemem.walk import decode_source

GUARDS = (Guard(("KeyError", "OSError"), True, 1), Guard(("*",), False, 2))
CHUNK = Chunk(
    path="a.py", language="python", kind="method", name="add", names=("add", "operator +"), qualified_name="Store#add", ordinal=1,
    start_line=2, end_line=5, signature="def add(self, x)", doc="Adds.\n\nTwo lines.", text="two\nfive", spans=((2, 2), (5, 5)),
    package="shop", parent="Store", parameters=1, parameters_required=0, result="int",
    calls=(Call("get", "self.dao", 3, 1, 2, "*", 3, GUARDS), Call("f", None, 4, 2)),
    contract=(ErrorFact("raise", "OutOfStock", "raise OutOfStock(x)", 5, "code", None, GUARDS), ErrorFact("declare", "E", "E", 2, "doc")),
    extends=("Base",), bindings=(Binding("x", "List<Order>", 2),), modifiers=("async", "static"), partial=True,
    content_hash="c", interface_hash="i",
)  # fmt: skip


def stored(path: str, content: str, *chunks: Chunk, sha: str = "s") -> StoredFile:
    parsed = ParsedFile(
        path,
        "python",
        sha,
        content.count("\n"),
        chunks,
        (Import("m", "f", "g", 1),),
        (Problem(path, "parse", "p"),),
        "shop",
        "Doc.",
    )
    return StoredFile(parsed, content, FileEntry(path, len(content), 11, 22, 33), 44)


def test_records_come_back_as_they_were_written(tmp_path: Path) -> None:
    content = "one\ntwo\nthree\nfour\nfive\n"
    with create_store(store_path(tmp_path)) as store:
        with store.transaction() as connection:
            replace_files(connection, [stored("a.py", content, CHUNK)])
        (row,) = read_files(store.connection)
        assert (row.path, row.language, row.sha, row.lines, row.package, row.doc) == (
            "a.py",
            "python",
            "s",
            5,
            "shop",
            "Doc.",
        )
        assert read_chunks(store.connection, row.id, with_text=True) == [CHUNK]
        assert load_chunks(store.connection, [1]) == {1: CHUNK}
        assert read_imports(store.connection, row.id) == (Import("m", "f", "g", 1),)
        assert read_content(store.connection, row.id) == content
        assert read_problems(store) == (Problem("a.py", "parse", "p"),)
        hint = read_hints(store)["a.py"]
        assert (hint.size, hint.mtime_ns, hint.ctime_ns, hint.inode, hint.checked_ns, hint.sha) == (
            24,
            11,
            33,
            22,
            44,
            "s",
        )


@pytest.mark.parametrize(
    ("part", "spans", "text"),
    [
        (0, ((1, 3),), "one\ntwo\nthree"),
        (0, (), ""),
        (0, ((1, 1), (3, 3)), "one\nthree"),
        (1, ((2, 3),), "header\ntwo\nthree"),
        (2, ((2, 3),), "header\ntwo\nth"),
        (0, ((1, 3),), "one\ntw"),
        (0, ((1, 3),), "something else"),
    ],
)
def test_every_kind_of_text_is_rebuilt(
    tmp_path: Path, part: int, spans: tuple[tuple[int, int], ...], text: str
) -> None:
    chunk = Chunk(
        "a.py", "python", "function", "f", "f", 0, 1, 3, text=text, spans=spans, part=part, names=("f",), package="shop"
    )
    with create_store(store_path(tmp_path)) as store:
        with store.transaction() as connection:
            replace_files(connection, [stored("a.py", "one\ntwo\nthree\n", chunk)])
        assert load_chunks(store.connection, [1]) == {1: chunk}


def test_a_parsed_source_comes_back_whole(tmp_path: Path) -> None:
    data = Path(__file__).read_bytes()
    source = decode_source("tests/test_store.py", data)
    parsed = parse_file(source)
    with create_store(store_path(tmp_path)) as store:
        with store.transaction() as connection:
            replace_files(connection, [StoredFile(parsed, source.content, FileEntry(parsed.path, len(data), 1, 1), 1)])
        (row,) = read_files(store.connection)
        assert tuple(read_chunks(store.connection, row.id, with_text=True)) == parsed.chunks


def test_replacing_and_removing_leave_nothing_behind(tmp_path: Path) -> None:
    with create_store(store_path(tmp_path)) as store:
        with store.transaction() as connection:
            replace_files(connection, [stored("a.py", "1\n2\n3\n4\n5\n", CHUNK), stored("b.py", "x\n")])
        with store.transaction() as connection:
            replace_files(connection, [stored("a.py", "new\n", sha="t")])
            remove_files(connection, ["b.py"])
        counts = {
            table: store.connection.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0] for table in INDEX_TABLES
        }
        assert {table: count for table, count in counts.items() if count and table != "index_meta"} == {
            "file": 1,
            "import": 1,
            "problem": 1,
        }
        assert read_files(store.connection)[0].id == 3  # ids are never used again


def test_a_removed_chunk_buries_its_document(tmp_path: Path) -> None:
    with create_store(store_path(tmp_path)) as store:
        with store.transaction() as connection:
            replace_files(connection, [stored("a.py", "1\n2\n3\n4\n5\n", CHUNK)])
            connection.execute("INSERT INTO segment (id, documents, arrays) VALUES (7, 1, x'')")
            connection.execute("UPDATE chunk SET segment = 7")
        with store.transaction() as connection:
            remove_files(connection, ["a.py"])
        assert list(store.connection.execute("SELECT * FROM dead")) == [(7, 1)]


def test_an_indexed_file_is_not_listed_as_skipped(tmp_path: Path) -> None:
    with create_store(store_path(tmp_path)) as store:
        with store.transaction() as connection:
            write_skipped(
                connection,
                [(Skipped("a.py", "binary"), FileEntry("a.py", 1, 2, 3), 4), (Skipped("p", "pipe"), None, 0)],
                [],
            )
        assert read_hints(store)["a.py"].reason == "binary" and "p" not in read_hints(store)
        with store.transaction() as connection:
            replace_files(connection, [stored("a.py", "x\n")])
        assert read_skipped(store) == (Skipped("p", "pipe"),)


def test_a_failed_unit_of_work_changes_nothing(tmp_path: Path) -> None:
    with create_store(store_path(tmp_path)) as store:
        with pytest.raises(KeyError), store.transaction() as connection:
            replace_files(connection, [stored("a.py", "x\n")])
            raise KeyError
        assert read_files(store.connection) == []


def test_dropping_the_index_knows_every_table_and_moves_the_generation_on(tmp_path: Path) -> None:
    with create_store(store_path(tmp_path)) as store:
        with store.transaction() as connection:
            connection.execute("CREATE TABLE memory_like (text TEXT)")
            connection.execute("INSERT INTO memory_like VALUES ('kept')")
            connection.execute("INSERT INTO vector VALUES (x'01', 'm', 1, x'00')")
            replace_files(connection, [stored("a.py", "x\n")])
            write_meta(connection, vectors_generation="5")
        tables = {
            row[0]
            for row in store.connection.execute("SELECT tbl_name FROM sqlite_master WHERE sql LIKE 'CREATE TABLE%'")
        }
        drop_index(store, keep_vectors=True)
        assert store.connection.execute("SELECT count(*) FROM vector").fetchone() == (1,)
        drop_index(store)
        assert {"memory_like", *INDEX_TABLES} <= tables
        assert store.connection.execute("SELECT text FROM memory_like").fetchone() == ("kept",)
        assert store.connection.execute("SELECT count(*) FROM vector").fetchone() == (0,)
        assert (read_files(store.connection), read_meta(store, "vectors_generation")) == ([], "7")


def test_every_table_of_the_schema_is_dropped_with_it() -> None:
    schema = (Path(__file__).parents[1] / "codemem/store/index_schema.sql").read_text("utf-8")
    created = {line.split()[2].strip("(") for line in schema.splitlines() if line.startswith("CREATE TABLE ")}
    assert created == set(INDEX_TABLES)


def test_the_store_is_private_and_ignored_by_git(tmp_path: Path) -> None:
    create_store(store_path(tmp_path)).close()
    assert stat.S_IMODE(store_path(tmp_path).stat().st_mode) == 0o600
    assert (tmp_path / ".codemem/.gitignore").read_text() == "*\n"


def test_a_missing_store_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(NotIndexed, match="no index at") as caught:
        open_store(store_path(tmp_path))
    assert "codemem index" in caught.value.remedy and not store_path(tmp_path).parent.exists()


def test_a_reader_cannot_write(tmp_path: Path) -> None:
    create_store(store_path(tmp_path)).close()
    with open_store(store_path(tmp_path)) as store, pytest.raises(StoreError), store.transaction() as connection:
        write_meta(connection, state="x")


def test_a_store_of_a_newer_version_is_refused_and_an_older_index_rebuilt(tmp_path: Path) -> None:
    path = store_path(tmp_path)
    with create_store(path) as store, store.transaction() as connection:
        replace_files(connection, [stored("a.py", "x\n")])
        write_meta(connection, schema="0")
    with open_store(path) as store:
        assert not has_index(store)
    with create_store(path) as store:
        assert has_index(store) and read_files(store.connection) == []
        with store.transaction() as connection:
            write_meta(connection, schema="999")
    for opened in (open_store, create_store):
        with pytest.raises(StoreNewer) as caught:
            opened(path)
        assert "pip install" in caught.value.remedy


def test_a_damaged_file_is_named_as_such(tmp_path: Path) -> None:
    path = store_path(tmp_path)
    path.parent.mkdir()
    path.write_bytes(b"no database at all, but long enough to be looked at" * 100)
    with pytest.raises(StoreCorrupt) as caught:
        open_store(path)
    assert "doctor" in caught.value.remedy


def test_readers_see_a_whole_state_while_a_writer_works(tmp_path: Path) -> None:
    path = store_path(tmp_path)
    with create_store(path) as writer:
        with writer.transaction() as connection:
            replace_files(connection, [stored("a.py", "x\n")])
        with open_store(path) as reader, writer.transaction() as connection:
            replace_files(connection, [stored("b.py", "x\n")])
            assert [row.path for row in read_files(reader.connection)] == ["a.py"]
        with open_store(path) as reader:
            assert [row.path for row in read_files(reader.connection)] == ["a.py", "b.py"]


def test_errors_of_the_database_are_translated(tmp_path: Path) -> None:
    with create_store(store_path(tmp_path)) as store:
        with pytest.raises(StoreCorrupt), store.transaction() as connection:
            connection.execute("SELECT * FROM no_such_table")
        with pytest.raises(StoreCorrupt), store.transaction():
            raise sqlite3.DatabaseError("database disk image is malformed")


STORES = Path(__file__).parent / "stores"


def stored_file(name: str, target: Path) -> Path:
    """Make the database of a stored dump."""
    target.parent.mkdir(parents=True)
    connection = sqlite3.connect(target)
    connection.executescript((STORES / name).read_text("utf-8"))
    connection.close()
    return target


def test_a_stored_older_store_keeps_its_memories_and_is_brought_up_to_date(tmp_path: Path) -> None:
    path = stored_file("older.sql", store_path(tmp_path))
    with open_store(path) as store:
        assert not has_index(store)
    with create_store(path) as store:
        assert has_index(store) and read_files(store.connection) == []
        assert store.connection.execute("SELECT content FROM memory").fetchall() == [
            ("Releases are cut on Thursdays.",)
        ]
        steps = [row[0] for row in store.connection.execute("SELECT version FROM memory_migration ORDER BY 1")]
        assert steps == [step.version for step in MEMORY_STEPS]
        store.connection.execute("SELECT * FROM session, message")


def test_a_stored_newer_store_is_refused_and_not_touched(tmp_path: Path) -> None:
    path = stored_file("newer.sql", store_path(tmp_path))
    before = path.read_bytes()
    for opened in (open_store, create_store):
        with pytest.raises(StoreNewer):
            opened(path)
    assert path.read_bytes()[100:] == before[100:]
    connection = sqlite3.connect(path)
    connection.execute("UPDATE index_meta SET value = '1' WHERE key = 'schema'")
    connection.commit()
    connection.close()
    with pytest.raises(StoreNewer, match="memories"):
        create_store(path)
