"""What happens to a process and a disk: the next run repairs it or says what to do, and no memory is lost."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from killing import run_until
from test_freshness import SETTINGS, edit, repository
from test_walk import git, write

from codemem.embed import load_embedder
from codemem.errors import CodememError, StoreCorrupt, StoreError
from codemem.indexing import pipeline
from codemem.indexing.doctor import examine, repair
from codemem.indexing.freshness import check_freshness
from codemem.indexing.pipeline import refresh
from codemem.indexing.verification import verify
from codemem.memory import Turn, add_turns, open_memories
from codemem.store import open_store, store_path
from codemem.store.salvage import finish_salvage, rescue_path, salvage_store
from tests.permissions import bound_by_permissions

__all__ = ["repository"]
MEMORIES = 300
PAGE = 4096


def remember(root: Path, number: int = MEMORIES) -> None:
    """Remember statements as people do."""
    with open_memories(root, write=True, make=("project",)) as stores:
        said = [Turn(f"memory {place} " + "words " * 20, session="s", message=f"m{place}") for place in range(number)]
        add_turns(stores, said, stores.scope(), load_embedder(SETTINGS.embedder))


def remembered(root: Path) -> int:
    with open_store(store_path(root)) as store:
        return int(store.connection.execute("SELECT count(*) FROM memory").fetchone()[0])


@pytest.mark.parametrize("share", [0.02, 0.2, 0.35, 0.5, 0.6, 0.75, 0.9, 0.99])
def test_a_killed_run_is_never_taken_for_fresh_and_the_next_finishes_it(repository: Path, share: float) -> None:
    remember(repository)
    whole = repository.parent / "whole"
    shutil.copytree(repository, whole, symlinks=True)
    for root in (repository, whole):
        edit(root)
        git(root, "rm", "-q", "b.py")
        write(root, {"new.py": "def fresh():\n    return beta()\n"})
    ticks = run_until(whole, 0)
    assert ticks is not None and run_until(repository, max(1, int(ticks * share))) is None
    assert remembered(repository) == MEMORIES
    with open_store(store_path(repository)) as store:
        fresh = check_freshness(repository, SETTINGS, store).fresh
    if fresh:
        assert verify(repository, SETTINGS).differences == []
    refresh(repository, SETTINGS)
    assert verify(repository, SETTINGS).differences == []
    assert remembered(repository) == MEMORIES


def test_a_run_killed_while_it_makes_the_store_is_followed_by_a_whole_one(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "def alpha():\n    pass\n"})
    for tick in (1, 3, 6, 12):
        assert run_until(tmp_path, tick) is None
    assert refresh(tmp_path, SETTINGS).files == 1
    assert verify(tmp_path, SETTINGS).differences == []


def damage(path: Path, kind: str) -> None:
    data = path.read_bytes()
    if kind == "header":
        path.write_bytes(b"\xff" * 100 + data[100:])
    elif kind == "middle":
        with closing(sqlite3.connect(path)) as connection, connection:
            (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'chunk'").fetchone()
        connection.close()
        path.write_bytes(data[: (page - 1) * PAGE] + b"\xaa" * PAGE + data[page * PAGE :])
    elif kind == "schema":  # page 1: the file header and the root of the table of contents
        path.write_bytes(b"\x55" * PAGE + data[PAGE:])
    elif kind == "truncated":
        path.write_bytes(data[: len(data) - 10 * PAGE])
    elif kind == "garbage":
        path.write_bytes(b"this is not a database, whatever its name says\n" * 500)
    elif kind == "emptied":
        path.write_bytes(b"")


@pytest.mark.parametrize(
    ("kind", "saved"),
    [
        ("middle", MEMORIES),
        ("truncated", None),
        ("header", MEMORIES),
        ("schema", MEMORIES),
        ("garbage", None),
        ("emptied", None),
    ],
)
def test_a_damaged_store_is_replaced_and_the_damaged_file_kept(repository: Path, kind: str, saved: int | None) -> None:
    remember(repository)
    path = store_path(repository)
    edit(repository)  # what is not touched is not found to be broken: that is doctor's to look for
    damage(path, kind)
    before = path.read_bytes()
    report = refresh(repository, SETTINGS)
    assert verify(repository, SETTINGS).differences == []
    if kind != "emptied":
        (kept,) = path.parent.glob("*.damaged-*[0-9]")
        assert kept.read_bytes()[: len(before)] == before
        assert any("was replaced" in note and kept.name in note for note in report.notes)
    if saved is not None:
        assert remembered(repository) == saved


def test_reading_a_damaged_store_says_what_to_do(repository: Path) -> None:
    damage(store_path(repository), "garbage")
    with pytest.raises(StoreCorrupt) as caught:
        open_store(store_path(repository))
    assert caught.value.remedy == "run `codemem doctor --fix`"


def test_a_rescue_killed_before_its_end_is_finished_by_the_next_run(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    remember(repository)
    path = store_path(repository)
    damage(path, "middle")

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", stop)
        with pytest.raises(KeyboardInterrupt):
            salvage_store(path)
    assert rescue_path(path).exists()
    report = refresh(repository, SETTINGS)
    assert "an interrupted repair of the store was finished" in report.notes
    assert remembered(repository) == MEMORIES and not rescue_path(path).exists()


def test_an_unfinished_rescue_file_is_thrown_away(repository: Path) -> None:
    remember(repository)
    rescue_path(store_path(repository)).write_bytes(b"half written")
    assert not finish_salvage(store_path(repository))
    assert remembered(repository) == MEMORIES


def test_a_full_disk_is_said_and_the_next_run_goes_on(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(repository, {f"more/f{number}.py": f"def f{number}():\n    pass\n" * 200 for number in range(20)})
    opened = pipeline.open_for_run

    def small(root: Path, notes: list[str]) -> object:
        store = opened(root, notes)
        (pages,) = store.connection.execute("PRAGMA page_count").fetchone()
        store.connection.execute(f"PRAGMA max_page_count = {pages + 5}")
        return store

    with monkeypatch.context() as patched:
        patched.setattr(pipeline, "open_for_run", small)
        with pytest.raises(StoreError, match="no space left") as caught:
            refresh(repository, SETTINGS)
    assert "free some disk space" in caught.value.remedy
    assert refresh(repository, SETTINGS).added == 20
    assert verify(repository, SETTINGS).differences == []


def test_a_store_on_a_read_only_medium_is_read(repository: Path) -> None:
    folder = store_path(repository).parent
    folder.chmod(0o500)
    try:
        with bound_by_permissions(), open_store(store_path(repository)) as store:
            assert store.connection.execute("SELECT count(*) FROM file").fetchone() == (5,)
    finally:
        folder.chmod(0o700)


def findings(root: Path) -> dict[str, str]:
    return {finding.name: finding.severity for finding in examine(root, SETTINGS) if finding.severity != "ok"}


BREAKAGES = {
    "orphan segment": ("DELETE FROM segment", {"index": "error", "lock": "ok"}),
    "interrupted": (
        "UPDATE index_meta SET value = 'building' WHERE key = 'state'",
        {"index": "warning", "freshness": "warning"},
    ),
    "another model": ("UPDATE vector SET model = 'other'", {"vectors": "error"}),
    "older index": ("UPDATE index_meta SET value = '0' WHERE key = 'schema'", {"index": "warning"}),
    "skipped twice": ("INSERT INTO skipped (path, reason) VALUES ('a.py', 'x')", {"index": "error"}),
}


@pytest.mark.parametrize(("statement", "expected"), BREAKAGES.values(), ids=BREAKAGES.keys())
def test_doctor_finds_and_mends_what_is_derived(repository: Path, statement: str, expected: dict[str, str]) -> None:
    remember(repository)
    assert findings(repository) == {}
    connection = sqlite3.connect(store_path(repository))
    connection.execute(statement)
    connection.commit()
    connection.close()
    expected = {name: severity for name, severity in expected.items() if severity != "ok"}
    assert findings(repository) == expected
    assert repair(repository, SETTINGS)
    assert findings(repository) == {}
    assert verify(repository, SETTINGS).differences == [] and remembered(repository) == MEMORIES


def test_doctor_mends_damage_leftovers_and_permissions(repository: Path) -> None:
    remember(repository)
    path = store_path(repository)
    damage(path, "middle")
    path.chmod(0o644)
    (path.parent / "verify-x").mkdir()
    (path.parent / "a.tmp").write_text("")
    assert findings(repository) == {"store": "error", "permissions": "warning", "leftovers": "warning"}
    done = repair(repository, SETTINGS)
    assert any(f"{MEMORIES} memories were saved" in action for action in done)
    assert findings(repository) == {"damaged": "warning"}
    assert remembered(repository) == MEMORIES


def test_doctor_on_a_folder_without_a_store_makes_none(tmp_path: Path) -> None:
    assert findings(tmp_path) == {"store": "warning"}
    assert repair(tmp_path, SETTINGS) == ()
    assert not store_path(tmp_path).parent.exists()


def test_every_bad_finding_has_a_remedy(repository: Path) -> None:
    damage(store_path(repository), "garbage")
    assert all(finding.remedy for finding in examine(repository, SETTINGS) if finding.severity != "ok")


@pytest.mark.parametrize("kind", ["header", "middle", "truncated", "garbage"])
def test_no_error_of_the_store_is_a_traceback(repository: Path, kind: str) -> None:
    damage(store_path(repository), kind)
    try:
        with open_store(store_path(repository)) as store:
            check_freshness(repository, SETTINGS, store)
        verify(repository, SETTINGS)
    except CodememError as error:
        assert error.remedy


@pytest.mark.parametrize("share", [0.01, 0.1, 0.3, 0.5, 0.7, 0.85, 0.95, 0.99])
def test_a_killed_rebuild_leaves_the_old_index_or_the_new_one(repository: Path, share: float) -> None:
    remember(repository)
    before = search_paths(repository)
    whole = repository.parent / "whole"
    shutil.copytree(repository, whole, symlinks=True)
    ticks = run_until(whole, 0, full=True)
    assert ticks is not None and run_until(repository, max(1, int(ticks * share)), full=True) is None
    with open_store(store_path(repository)) as store:
        assert check_freshness(repository, SETTINGS, store).fresh, "the old index is as fresh as it was"
    assert search_paths(repository) == before
    assert verify(repository, SETTINGS).differences == [] and remembered(repository) == MEMORIES
    refresh(repository, SETTINGS)
    assert not list(store_path(repository).parent.glob("full-*"))


def search_paths(root: Path) -> list[str]:
    with open_store(store_path(root)) as store:
        return [row[0] for row in store.connection.execute("SELECT path FROM file ORDER BY path")]


def test_a_rebuild_takes_vectors_over_and_its_caches_are_current(repository: Path) -> None:
    first = refresh(repository, SETTINGS)
    again = refresh(repository, SETTINGS, full=True)
    assert (again.files, again.chunks, again.embedded) == (first.files, first.chunks, 0)
    assert findings(repository) == {}
    assert refresh(repository, SETTINGS).changed == 0
