"""An index run as a whole: what it reports, what it continues, what it rebuilds, and who may run."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from test_freshness import SETTINGS, SOURCES, age, counts, edit, repository
from test_walk import git, write

from codemem.errors import BadInput, StoreBusy, StoreError
from codemem.indexing import documents, gathering, pipeline, resolving
from codemem.indexing.fingerprint import STALE_REASONS
from codemem.indexing.freshness import check_freshness
from codemem.indexing.pipeline import refresh
from codemem.indexing.verification import verify
from codemem.lock import LOCK_NAME, lock_holder, writer_lock
from codemem.settings import Settings
from codemem.store import Store, create_store, open_store, read_meta, store_path, write_meta
from codemem.vectors import open_index
from codemem.walk import preview
from tests.permissions import bound_by_permissions

__all__ = ["repository"]


def count(root: Path, query: str) -> int:
    with open_store(store_path(root)) as store:
        return int(store.connection.execute(query).fetchone()[0])


def test_a_first_run_reports_what_it_did(tmp_path: Path) -> None:
    write(tmp_path, SOURCES)
    told: list[tuple[str, int, int]] = []
    report = refresh(tmp_path, SETTINGS, progress=lambda stage, done, total: told.append((stage, done, total)))
    assert (report.root, report.files, counts(report), report.unchanged) == (str(tmp_path), 5, (5, 0, 0), 0)
    assert [(skip.path, skip.reason) for skip in report.skipped] == [("lib/pic.bin", "binary")]
    assert report.chunks == count(tmp_path, "SELECT count(*) FROM chunk") > 5
    assert report.embedded == count(tmp_path, "SELECT count(*) FROM vector") > 5
    assert set(report.seconds) == {"walk", "parse", "store", "resolve", "lexical", "embed", "total"}
    assert ("parse", 6, 6) in told
    with open_store(store_path(tmp_path)) as store:
        assert read_meta(store, "state") == "complete"
        assert check_freshness(tmp_path, SETTINGS, store).fresh


def test_a_preview_lists_what_a_run_takes_and_leaves(tmp_path: Path) -> None:
    write(tmp_path, {**SOURCES, "app.min.js": "x", "big.py": b"#" * 2_000_001})
    seen = preview(tmp_path, SETTINGS)
    assert not store_path(tmp_path).parent.exists()
    report = refresh(tmp_path, SETTINGS)
    assert (len(seen.files), seen.skipped) == (report.files, report.skipped)


def test_an_empty_folder_is_indexed_as_nothing(tmp_path: Path) -> None:
    report = refresh(tmp_path, SETTINGS)
    assert (report.files, report.chunks, report.notes) == (0, 0, ())
    assert verify(tmp_path, SETTINGS).equal


def test_a_full_build_gives_the_same_rows_and_keeps_vectors(repository: Path) -> None:
    report = refresh(repository, SETTINGS, full=True)
    assert (report.added, report.embedded) == (5, 0)
    assert verify(repository, SETTINGS).differences == []


@pytest.mark.parametrize("layer", ["walk", "parse", "resolve", "lexical", "embed"])
def test_only_a_layer_with_another_fingerprint_is_rebuilt_and_the_report_says_so(repository: Path, layer: str) -> None:
    with create_store(store_path(repository)) as store, store.transaction() as connection:
        write_meta(connection, **{f"fingerprint_{layer}": "older"})
    with open_store(store_path(repository)) as store:
        reasons = check_freshness(repository, SETTINGS, store, thorough=True).reasons
        assert reasons == ((STALE_REASONS[layer],) if layer != "embed" else ())
    before = count(repository, "SELECT max(id) FROM chunk")
    report = refresh(repository, SETTINGS)
    assert list(report.notes) == [pipeline.REASONS[layer]]
    assert (count(repository, "SELECT max(id) FROM chunk") > before) == (layer in ("walk", "parse"))
    assert verify(repository, SETTINGS).differences == []
    assert refresh(repository, SETTINGS).notes == ()


def test_an_upgrade_is_looked_into_by_the_next_run(repository: Path) -> None:
    with create_store(store_path(repository)) as store, store.transaction() as connection:
        write_meta(connection, version="0.0.0")
    with open_store(store_path(repository)) as store:
        assert check_freshness(repository, SETTINGS, store).reasons == ("codemem was upgraded",)
    assert counts(refresh(repository, SETTINGS)) == (0, 0, 0)
    with open_store(store_path(repository)) as store:
        assert check_freshness(repository, SETTINGS, store).fresh


def test_another_embedder_leaves_no_vector_of_the_old_one(repository: Path) -> None:
    other = Settings(embedder="fake:96", jobs=1)
    with open_store(store_path(repository)) as store:
        assert check_freshness(repository, other, store).reasons == ("the embedder was changed in the settings",)
    cards = count(repository, "SELECT count(*) FROM vector")
    report = refresh(repository, other)
    assert report.embedded == cards
    assert count(repository, "SELECT count(*) FROM vector WHERE dimension = 96") == cards
    assert count(repository, "SELECT count(*) FROM vector WHERE dimension <> 96") == 0
    assert verify(repository, other).differences == []


def test_a_moved_copied_or_restored_file_costs_no_embedding_of_its_contents(repository: Path) -> None:
    text = (repository / "a.py").read_text()
    (repository / "a.py").unlink()
    refresh(repository, SETTINGS)
    write(repository, {"a.py": text})
    edit(repository)
    refresh(repository, SETTINGS)
    write(repository, {"a.py": text})
    assert counts(refresh(repository, SETTINGS)) == (0, 1, 0)
    assert verify(repository, SETTINGS).differences == []


STEPS = ("parse_suspects", "settle_tree", "_derive", "_finish", "write_caches")


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_a_run_that_stops_at_any_step_is_stale_and_finished_by_the_next(
    repository: Path, monkeypatch: pytest.MonkeyPatch, step: str, after: bool
) -> None:
    edit(repository)
    git(repository, "rm", "-q", "b.py")
    original = getattr(pipeline, step)

    def stop(*arguments: object, **options: object) -> object:
        if after:
            original(*arguments, **options)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(pipeline, step, stop)
        with pytest.raises(KeyboardInterrupt):
            refresh(repository, SETTINGS)
    whole = step == "write_caches" or (step == "_finish" and after)
    with open_store(store_path(repository)) as store:
        assert check_freshness(repository, SETTINGS, store).fresh == whole
    refresh(repository, SETTINGS)
    assert verify(repository, SETTINGS).differences == []
    assert caches(repository)


def caches(root: Path) -> bool:
    with open_store(store_path(root)) as store:
        number, dimension = int(read_meta(store, "vectors_generation")), int(read_meta(store, "dimension"))
    return all(
        open_index(store_path(root).parent, space, number, dimension) is not None for space in ("units", "files")
    )


@pytest.mark.parametrize("damage", ["missing", "truncated", "garbage"])
def test_a_lost_or_broken_vector_cache_is_written_again(repository: Path, damage: str) -> None:
    for path in store_path(repository).parent.glob("vectors-*"):
        if damage == "missing":
            path.unlink()
        else:
            path.write_bytes(path.read_bytes()[:100] if damage == "truncated" else b"x" * 200)
    assert not caches(repository)
    assert counts(refresh(repository, SETTINGS)) == (0, 0, 0)
    assert caches(repository)


def test_a_linked_worktree_starts_from_its_parents_index(repository: Path) -> None:
    with create_store(store_path(repository)) as store, store.transaction() as connection:
        connection.execute("INSERT INTO project VALUES ('p', '/p', '', 1)")
    git(repository, "worktree", "add", "-q", "trees/side", "side")
    tree = repository / "trees/side"
    report = refresh(tree, SETTINGS)
    assert counts(report) == (1, 1, 1)
    assert report.notes == (f"started from the index of the main work tree {repository}",)
    assert count(tree, "SELECT count(*) FROM project") == 0  # memories stay where they are
    assert verify(tree, SETTINGS).differences == []
    assert counts(refresh(repository, SETTINGS)) == (0, 0, 0)  # and the parent does not see the tree inside it
    git(repository, "worktree", "remove", "--force", "trees/side")
    refresh(repository, SETTINGS)
    assert verify(repository, SETTINGS).differences == []


def test_a_worktree_whose_parent_is_broken_is_indexed_from_nothing(repository: Path) -> None:
    git(repository, "worktree", "add", "-q", "../tree", "side")
    store_path(repository).write_bytes(b"garbage" * 1000)
    assert counts(refresh(repository.parent / "tree", SETTINGS)) == (5, 0, 0)


def test_an_unknown_embedder_stops_before_anything_is_made(tmp_path: Path) -> None:
    with pytest.raises(BadInput):
        refresh(tmp_path, Settings(embedder="none"))
    assert not store_path(tmp_path).parent.exists()


HOLD = """
import sys, time
from pathlib import Path
from codemem.lock import writer_lock
with writer_lock(Path(sys.argv[1]), "codemem index"):
    print("held", flush=True)
    time.sleep(60)
"""


@pytest.fixture
def holder(repository: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", HOLD, str(store_path(repository).parent)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stdout.readline() == "held\n"
    yield process
    process.kill()
    process.communicate()


def test_a_second_writer_is_told_who_holds_the_lock(repository: Path, holder: subprocess.Popen[str]) -> None:
    with pytest.raises(StoreBusy) as caught:
        refresh(repository, SETTINGS)
    assert f"process {holder.pid} on " in caught.value.message and "(codemem index)" in caught.value.message
    assert caught.value.remedy == "wait for it with --wait"
    found = lock_holder(store_path(repository).parent)
    assert found is not None and (found.pid, found.command) == (holder.pid, "codemem index")


def test_the_lock_dies_with_its_process_and_can_be_waited_for(repository: Path, holder: subprocess.Popen[str]) -> None:
    os.kill(holder.pid, signal.SIGKILL)
    assert counts(refresh(repository, SETTINGS, wait_seconds=20)) == (0, 0, 0)
    assert lock_holder(store_path(repository).parent) is None


def test_a_reader_needs_no_lock(repository: Path, holder: subprocess.Popen[str]) -> None:
    assert holder.poll() is None and count(repository, "SELECT count(*) FROM file") == 5


def test_a_forked_child_does_not_hold_the_lock(tmp_path: Path) -> None:
    with writer_lock(tmp_path):
        child = os.fork()
        if child == 0:
            time.sleep(30)
            os._exit(0)
    try:
        with writer_lock(tmp_path, wait_seconds=10):  # the child may not have run yet
            pass
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def test_two_runs_in_one_process_exclude_each_other(tmp_path: Path) -> None:
    with writer_lock(tmp_path, "one"), pytest.raises(StoreBusy, match=r"\(one\)"), writer_lock(tmp_path, "two"):
        pass


def test_a_lock_file_that_is_no_record_is_no_obstacle(tmp_path: Path) -> None:
    (tmp_path / LOCK_NAME).write_text("nonsense")
    with writer_lock(tmp_path, "x" * 1000):
        assert len(json.loads((tmp_path / LOCK_NAME).read_text())["command"]) == 200


def test_a_folder_that_cannot_be_written_is_said_so(repository: Path) -> None:
    store_path(repository).parent.chmod(0o500)
    try:
        with bound_by_permissions(), pytest.raises(StoreError, match=r"cannot be written|cannot write"):
            refresh(repository, SETTINGS)
    finally:
        store_path(repository).parent.chmod(0o700)


def test_a_store_that_leads_out_of_the_repository_is_refused(tmp_path: Path) -> None:
    write(tmp_path, {"root/a.py": "a", "elsewhere/x": "x"})
    (tmp_path / "root/.codemem").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StoreError, match="symbolic link"):
        refresh(tmp_path / "root", SETTINGS)
    assert sorted(path.name for path in (tmp_path / "elsewhere").iterdir()) == ["x"]


def test_verify_tells_readable_differences(repository: Path) -> None:
    with create_store(store_path(repository)) as store, store.transaction() as connection:
        connection.execute("UPDATE chunk SET signature = 'wrong' WHERE name = 'alpha'")
        connection.execute("DELETE FROM file WHERE path = 'b.py'")
        connection.execute("INSERT INTO skipped (path, reason) VALUES ('x', 'y')")
    found = verify(repository, SETTINGS).differences
    assert "chunk a.py alpha 0 0: signature -wrong +def alpha()" in found
    assert "file b.py: missing in the index" in found
    assert "skipped x: only in the index" in found
    assert not [path for path in store_path(repository).parent.iterdir() if path.name.startswith("verify-")]


def test_verify_finds_a_wrong_posting(repository: Path) -> None:
    with create_store(store_path(repository)) as store, store.transaction() as connection:
        connection.execute("DELETE FROM posting WHERE term = 'alpha'")
    assert any(line.startswith("document a.py alpha 0 0: terms") for line in verify(repository, SETTINGS).differences)


def test_memory_rows_survive_every_rebuild(repository: Path) -> None:
    def projects(store: Store) -> list[tuple[object, ...]]:
        return list(store.connection.execute("SELECT id FROM project"))

    with create_store(store_path(repository)) as store, store.transaction() as connection:
        connection.execute("INSERT INTO project VALUES ('p', '/p', '', 1)")
    refresh(repository, SETTINGS, full=True)
    with create_store(store_path(repository)) as store:
        assert projects(store) == [("p",)]
        with store.transaction() as connection:
            write_meta(connection, schema="0")
    refresh(repository, SETTINGS)
    with open_store(store_path(repository)) as store:
        assert projects(store) == [("p",)]


def test_files_written_while_they_are_read_are_found_by_the_next_run(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from codemem.indexing import changes

    original = changes.read_bytes

    def race(root: Path, entry: object, limit: int) -> object:
        data = original(root, entry, limit)  # type: ignore[arg-type]
        if getattr(entry, "path", "") == "a.py":
            write(repository, {"a.py": "def later():\n    pass\n"})
        return data

    edit(repository)
    age(repository)
    with monkeypatch.context() as patched:
        patched.setattr(changes, "read_bytes", race)
        refresh(repository, SETTINGS)
    with open_store(store_path(repository)) as store:
        assert check_freshness(repository, SETTINGS, store).changed == ("a.py",)
    refresh(repository, SETTINGS)
    assert count(repository, "SELECT count(*) FROM chunk WHERE name = 'later'") == 1


def test_a_build_with_workers_is_that_of_one_process(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as small:
        small.setattr(resolving, "PAYS_CHUNKS", 0)
        small.setattr(documents, "PAYS_CHUNKS", 0)
        small.setattr(gathering, "BATCH_DOCUMENTS", 3)
        refresh(repository, replace(SETTINGS, jobs=2), full=True)
    assert verify(repository, replace(SETTINGS, jobs=1)).differences == []
