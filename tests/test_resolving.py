"""Resolution over the store: after any edit, resolving what changed equals resolving everything."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from codemem import workers
from codemem.indexing import resolving
from codemem.indexing.definitions import (
    encode_defined,
    plain_imports,
    stored_symbols,
    unpack_definitions,
)
from codemem.indexing.resolving import HALF_RESOLVED, resolve_changed
from codemem.languages import detect_language
from codemem.parse import parse_file
from codemem.resolve import FileHead
from codemem.store import Store, create_store, read_meta
from codemem.store.code import StoredFile, replace_files
from codemem.store.definitions import unresolved_files
from codemem.store.files import remove_files
from codemem.store.logical import logical_rows
from codemem.types import FileEntry, SourceFile
from codemem.universe import LoadedUniverse, StoreUniverse

TABLES = ("call", "fact", "file")
KEPT = {
    "symbol": "SELECT path, name, qualified_name, ordinal, data FROM symbol JOIN resolution USING (file_id)",
    "outflow": "SELECT * FROM outflow",
    "reach": "SELECT target, path FROM reach JOIN file ON file.id = reach.file_id",
}
FIXTURES = Path(__file__).parents[1] / "fixtures" / "contracts"
SAMPLES = sorted(
    path
    for path in FIXTURES.parent.rglob("*")
    if path.is_file() and path.parent.parent == FIXTURES.parent and path.name not in ("expected.txt", "README.md")
)

BASE = {
    "errors.py": "class ShopError(Exception):\n    pass\n\nclass NoStock(ShopError):\n    pass\n",
    "store.py": "from errors import NoStock\n\nclass Store:\n    def take(self):\n        raise NoStock('x')\n",
    "shop.py": (
        "from store import Store\n\nclass Shop:\n    def __init__(self, store: Store):\n        self.store = store\n\n"
        "    def sell(self):\n        self.store.take()\n\n    def quiet(self):\n        try:\n            self.sell()\n"
        "        except ShopError:\n            pass\n"
    ),
    "main.py": "from shop import Shop\nfrom helpers import run\n\ndef main():\n    shop = Shop(None)\n    run(shop.sell())\n",
    "helpers.py": "def run(value):\n    return back(value)\n\ndef back(value):\n    return run(value)\n",
    "lib.ts": "function fn() { throw new RangeError('x'); }\nexport { fn as take };\n",
    "use.ts": "import { take as t } from './lib';\nexport function use() { t(); }\n",
    "barrel.ts": "export * from './shelf';\nexport * from './inner';\n",
    "shelf.ts": "export function shelve() {}\n",
    "inner.ts": "export * from './leaf';\n",
    "leaf.ts": "export function deep() { throw new RangeError('x'); }\n",
    "reach.ts": "import { deep, late } from './barrel';\nexport function reach() { deep(); late(); }\n",
}
EDITS = {
    "a body without a word about errors": {
        "store.py": "from errors import NoStock\n\nclass Store:\n    def take(self):\n        return 1\n"
    },
    "another error": {
        "store.py": "from errors import ShopError\n\nclass Store:\n    def take(self):\n        raise ShopError('x')\n"
    },
    "the hierarchy": {"errors.py": "class ShopError(Exception):\n    pass\n\nclass NoStock(Exception):\n    pass\n"},
    "a method renamed": {
        "store.py": "from errors import NoStock\n\nclass Store:\n    def grab(self):\n        raise NoStock('x')\n"
    },
    "a file removed": {"store.py": None},
    "a file added that defines a looked-up name": {"other.py": "def run(value):\n    raise KeyError(value)\n"},
    "a circle that loses its error": {
        "helpers.py": "def run(value):\n    return back(value)\n\ndef back(value):\n    return run(value)\n\ndef third():\n    return back(1)\n"
    },
    "a circle that gains one": {
        "helpers.py": "def run(value):\n    return back(value)\n\ndef back(value):\n    if value:\n        raise ValueError(value)\n    return run(value)\n"
    },
    "a base class moved into another file": {
        "store.py": "from base import Base\n\nclass Store(Base):\n    pass\n",
        "base.py": "from errors import NoStock\n\nclass Base:\n    def take(self):\n        raise NoStock('x')\n",
    },
    "an export renamed": {"lib.ts": "function fn() { throw new RangeError('x'); }\nexport { fn as grab };\n"},
    "what is exported renamed": {
        "lib.ts": "function other() { throw new TypeError('x'); }\nexport { other as take };\n"
    },
    "a module behind barrels that loses a name": {"leaf.ts": "export function other() {}\n"},
    "a module behind barrels that gains a name": {
        "leaf.ts": BASE["leaf.ts"] + "export function late() { throw new TypeError('x'); }\n"
    },
    "a barrel that opens a nearer module": {
        "shelf.ts": "export * from './near';\n",
        "near.ts": "export function deep() { throw new TypeError('x'); }\n",
    },
    "a barrel that names what another module holds": {
        "inner.ts": "export { run as deep, run as late } from './runner';\n",
        "runner.ts": "export function run() { throw new TypeError('x'); }\n",
    },
    "a module behind barrels removed": {"leaf.ts": None},
    "only imports": {"shop.py": BASE["shop.py"].replace("from store import Store", "from elsewhere import Store")},
}


def put(store: Store, files: dict[str, str | None]) -> None:
    with store.transaction() as connection:
        remove_files(connection, [path for path, content in files.items() if content is None])
        replace_files(connection, [stored(path, content) for path, content in files.items() if content is not None])
    resolve_changed(store)


def stored(path: str, content: str) -> StoredFile:
    source = SourceFile(path, detect_language(path, content), content, str(hash(content)))
    return StoredFile(parse_file(source), content, FileEntry(path, len(content), 1, 1), 1)


OPENED: list[Store] = []


@pytest.fixture(autouse=True)
def close_stores() -> Iterator[None]:
    """Close what a test opened: a connection that is collected unclosed is a warning from Python 3.13 on."""
    yield
    while OPENED:
        OPENED.pop().close()


def opened(folder: Path) -> Store:
    OPENED.append(create_store(folder / "codemem.db"))
    return OPENED[-1]


def fresh(folder: Path, files: dict[str, str | None]) -> Store:
    store = opened(folder)
    put(store, files)
    return store


def rows(store: Store) -> dict[str, list[tuple[object, ...]]]:
    found: dict[str, list[tuple[object, ...]]] = {}
    for table in TABLES:
        found[table] = list(logical_rows(store, table))
    found["file"] = [(row[0], row[7]) for row in found["file"]]
    for table in KEPT:
        found[table] = sorted(tuple(row) for row in store.connection.execute(KEPT[table]))
    return found


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.parent.name + "/" + path.name)
def test_definitions_are_the_same_from_records_and_from_rows(tmp_path: Path, path: Path) -> None:
    content = path.read_text("utf-8")
    source = SourceFile(path.name, detect_language(path.name, content), content, "sha")
    parsed = parse_file(source)
    with create_store(tmp_path / "codemem.db") as store:
        with store.transaction() as connection:
            replace_files(connection, [StoredFile(parsed, content, FileEntry(path.name, 1, 1, 1), 1)])
        ((number, *_),) = unresolved_files(store.connection)
        head = FileHead(parsed.path, parsed.language, parsed.package, plain_imports(parsed.imports))
        expected = head.imports, stored_symbols(store.connection, number, head)
    assert unpack_definitions(encode_defined(source, parsed).definitions) == expected


def test_definitions_that_parsing_kept_give_the_same_rows(tmp_path: Path) -> None:
    whole = rows(fresh(tmp_path, {**BASE}))
    (tmp_path / "kept").mkdir()
    store = opened(tmp_path / "kept")
    kept = {}
    for path, content in BASE.items():
        source = SourceFile(path, detect_language(path, content), content, str(hash(content)))
        kept[path] = encode_defined(source, parse_file(source)).definitions
    del kept["shop.py"]  # parsed in a run that was killed
    with store.transaction() as connection:
        replace_files(connection, [stored(path, content) for path, content in BASE.items()])
    resolve_changed(store, definitions=kept)
    assert rows(store) == whole
    assert not kept


def test_definitions_read_at_once_are_those_read_by_name(tmp_path: Path) -> None:
    late = {"a/shop.py": BASE["shop.py"]}  # comes first by path, last by id
    store = fresh(tmp_path, {**BASE})
    put(store, {**late})
    by_name, loaded = StoreUniverse(store.connection), LoadedUniverse(store.connection)
    names = {row[1] for row in rows(store)["symbol"]}
    assert {"Shop", "sell", "deep"} <= names
    for name in (*names, "nobody"):
        assert list(loaded.symbols(name)) == list(by_name.symbols(name))
    assert [symbol.path for symbol in loaded.symbols("Shop")] == ["a/shop.py", "shop.py"]


def test_a_whole_build_leaves_indexes_and_sound_references(tmp_path: Path) -> None:
    store = opened(tmp_path)
    indexes = "SELECT name, sql FROM sqlite_master WHERE type = 'index' ORDER BY name"
    before = store.connection.execute(indexes).fetchall()
    put(store, {**BASE})
    assert store.connection.execute(indexes).fetchall() == before
    assert store.connection.execute("PRAGMA foreign_keys").fetchone() == (1,)
    assert store.connection.execute("PRAGMA foreign_key_check").fetchall() == []
    with store.transaction() as connection:
        remove_files(connection, ["store.py"])
    assert not any(row[0] == "store.py" for row in rows(store)["call"])


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS.keys())
def test_incremental_equals_whole(tmp_path: Path, edit: dict[str, str | None]) -> None:
    with (
        fresh(tmp_path / "incremental", dict(BASE)) as incremental,
        fresh(tmp_path / "whole", {**BASE, **edit}) as whole,
    ):
        put(incremental, edit)
        assert rows(incremental) == rows(whole)
        put(incremental, {path: BASE.get(path) for path in edit})
        with fresh(tmp_path / "base", dict(BASE)) as base:
            assert rows(incremental) == rows(base)


@pytest.mark.parametrize("seed", range(6))
def test_random_edits_of_the_contract_fixtures_equal_a_whole_build(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    files = contract_fixtures()
    with fresh(tmp_path / "incremental", dict(files)) as incremental:
        for _ in range(4):
            path = chance.choice(sorted(files))
            text = files[path]
            if text is None:
                continue
            lines = text.split("\n")
            place = chance.randrange(len(lines))
            lines[place : place + chance.randrange(1, 6)] = []
            files[path] = "\n".join(lines) if chance.random() < 0.8 else None
            put(incremental, {path: files[path]})
        with fresh(tmp_path / "whole", {path: text for path, text in files.items() if text is not None}) as whole:
            assert rows(incremental) == rows(whole)


def test_nothing_changed_costs_nothing_and_writes_nothing(tmp_path: Path) -> None:
    with fresh(tmp_path, dict(BASE)) as store:
        before = store.connection.total_changes
        assert resolve_changed(store).files == 0
        assert store.connection.total_changes == before


def test_a_body_edit_resolves_one_file_again(tmp_path: Path) -> None:
    with fresh(tmp_path, dict(BASE)) as store:
        content = BASE["helpers.py"].replace("return back(value)", "value = back(value)\n    return value")
        with store.transaction() as connection:
            replace_files(connection, [stored("helpers.py", content)])
        assert resolve_changed(store).files == 1


def contract_fixtures() -> dict[str, str | None]:
    return {path.relative_to(FIXTURES).as_posix(): path.read_text("utf-8") for path in sorted(FIXTURES.rglob("*.*"))}


def put_with_workers(store: Store, files: dict[str, str | None]) -> None:
    with store.transaction() as connection:
        replace_files(connection, [stored(path, content) for path, content in files.items() if content is not None])
    resolve_changed(store, 2)


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resolving, "PAYS_CHUNKS", 0)
    monkeypatch.setattr(resolving, "BATCH_FILES", 3)


@pytest.mark.usefixtures("small_batches")
def test_workers_resolve_as_one_process_does(tmp_path: Path) -> None:
    files = contract_fixtures() | BASE
    with create_store(tmp_path / "many" / "codemem.db") as many, fresh(tmp_path / "one", dict(files)) as one:
        put_with_workers(many, files)
        assert rows(many) == rows(one)


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("worker", ["raise SystemExit(3)", workers.WORKER.replace("serve(int(", "Connection(int(")])
def test_workers_that_die_leave_the_work_to_this_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, worker: str
) -> None:
    monkeypatch.setattr(workers, "WORKER", worker)
    with create_store(tmp_path / "many" / "codemem.db") as many, fresh(tmp_path / "one", dict(BASE)) as one:
        put_with_workers(many, dict(BASE))
        assert rows(many) == rows(one)


@pytest.mark.usefixtures("small_batches")
def test_a_run_killed_between_definitions_and_calls_is_begun_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(BaseException):
        pass

    def killed(*_: object) -> None:
        raise Killed

    with create_store(tmp_path / "many" / "codemem.db") as many, fresh(tmp_path / "one", dict(BASE)) as one:
        with monkeypatch.context() as patch:
            patch.setattr(resolving, "_resolve_region", killed)
            with pytest.raises(Killed):
                put_with_workers(many, dict(BASE))
        assert read_meta(many, HALF_RESOLVED)
        assert resolve_changed(many).files == len(BASE)
        assert rows(many) == rows(one)
        assert not read_meta(many, HALF_RESOLVED)
