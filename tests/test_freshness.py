"""Whatever happens to the tree, the index follows it, and says so before it does: incremental equals clean."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from test_walk import git, write

from codemem.indexing.changes import TICK_NS, holds
from codemem.indexing.freshness import check_freshness
from codemem.indexing.pipeline import refresh
from codemem.indexing.verification import verify
from codemem.settings import Settings
from codemem.store import open_store, read_meta, store_path
from codemem.store.code import read_files
from codemem.store.files import FileHint
from codemem.types import FileEntry, Report
from tests.permissions import bound_by_permissions

SETTINGS = Settings(embedder="fake", jobs=1)
SOURCES: dict[str, str | bytes] = {
    "a.py": "def alpha():\n    return beta()\n",
    "b.py": "def beta():\n    raise KeyError('x')\n",
    "lib/c.py": "from a import alpha\n\n\nclass Gamma:\n    def run(self):\n        return alpha()\n",
    "lib/d.py": "import b\n\n\ndef delta():\n    try:\n        b.beta()\n    except KeyError:\n        return None\n",
    "lib/pic.bin": b"\0\1\2",
    "notes.md": "# Notes\n\nAbout alpha.\n\n## More\n\nWords.\n",
}
LATER = 1_000_000_000
"""Nanoseconds added to a time that must differ."""


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "repository"
    write(root, SOURCES)
    git(root, "init")
    git(root, "add", ".")
    git(root, "commit", "-m", "one")
    git(root, "checkout", "-b", "side")
    write(root, {"a.py": "def alpha():\n    return 2\n", "side.py": "def side():\n    pass\n"})
    (root / "b.py").unlink()
    git(root, "add", "-A")
    git(root, "commit", "-m", "two")
    git(root, "checkout", "main")
    age(root)
    refresh(root, SETTINGS)
    return root


def age(root: Path) -> None:
    """Let files be older than the clock's tick, so that their times are proof."""
    for path in root.rglob("*"):
        if path.is_file() and ".git" not in path.parts and ".codemem" not in path.parts:
            os.utime(path, ns=(path.stat().st_mtime_ns - 10 * LATER,) * 2)


def indexed(root: Path) -> dict[str, str]:
    """Return path -> names of its definitions."""
    with open_store(store_path(root)) as store:
        found = {row.path: "" for row in read_files(store.connection)}
        query = "SELECT path, group_concat(qualified_name, ' ') FROM (SELECT * FROM chunk ORDER BY start_line) JOIN file ON file.id = file_id"
        for path, names in store.connection.execute(f"{query} WHERE name <> '' AND kind <> 'section' GROUP BY path"):
            found[path] = names
        return found


def stale(root: Path, settings: Settings = SETTINGS) -> tuple[str, ...]:
    with open_store(store_path(root)) as store:
        return check_freshness(root, settings, store).stale


def counts(report: Report) -> tuple[int, int, int]:
    return report.added, report.changed, report.removed


def edit(root: Path) -> None:
    write(root, {"a.py": "def alpha():\n    return 1\n\n\ndef omega():\n    pass\n"})


def swap(root: Path) -> None:
    (root / "a.py").rename(root / "t")
    (root / "b.py").rename(root / "a.py")
    (root / "t").rename(root / "b.py")


def replace_unseen(root: Path) -> None:
    """Put another file of the same size and time in the place of one."""
    old = (root / "b.py").stat()
    write(root, {"new": str(SOURCES["b.py"]).replace("KeyError", "OSErrors")})
    os.utime(root / "new", ns=(old.st_atime_ns, old.st_mtime_ns))
    (root / "new").replace(root / "b.py")


def edit_unseen(root: Path) -> None:
    """Write into a file in place, the same number of bytes, and set its time back."""
    old = (root / "b.py").stat()
    with (root / "b.py").open("r+b") as file:
        file.write(b"def zeta")
    os.utime(root / "b.py", ns=(old.st_atime_ns, old.st_mtime_ns))


def file_becomes_folder(root: Path) -> None:
    (root / "a.py").unlink()
    write(root, {"a.py/inner.py": "def inner():\n    pass\n"})


def folder_becomes_link(root: Path) -> None:
    shutil.move(root / "lib", root.parent / "elsewhere")
    (root / "lib").symlink_to(root.parent / "elsewhere")


SAME = {
    "a.py": "alpha",
    "b.py": "beta",
    "lib/c.py": "Gamma Gamma#run",
    "lib/d.py": "delta",
    "notes.md": "",
}
CASES: dict[str, tuple[Callable[[Path], object], tuple[int, int, int], tuple[str, ...]]] = {
    "nothing": (lambda root: None, (0, 0, 0), ()),
    "edit": (edit, (0, 1, 0), ("a.py",)),
    "new file": (lambda root: write(root, {"new.py": "def new():\n    pass\n"}), (1, 0, 0), ("new.py",)),
    "git rm": (lambda root: git(root, "rm", "-q", "b.py"), (0, 0, 1), ("b.py",)),
    "git rm of a folder": (lambda root: git(root, "rm", "-rq", "lib"), (0, 0, 2), ("lib/c.py", "lib/d.py")),
    "rename": (lambda root: git(root, "mv", "a.py", "z.py"), (1, 0, 1), ("a.py", "z.py")),
    "move into a folder": (lambda root: git(root, "mv", "a.py", "lib/a.py"), (1, 0, 1), ("a.py", "lib/a.py")),
    "two names swapped": (swap, (0, 2, 0), ("a.py", "b.py")),
    "replaced, size and time the same": (replace_unseen, (0, 1, 0), ("b.py",)),
    "edited in place, size and time the same": (edit_unseen, (0, 1, 0), ("b.py",)),
    "touched": (lambda root: os.utime(root / "a.py"), (0, 0, 0), ()),
    "mode changed": (lambda root: (root / "a.py").chmod(0o700), (0, 0, 0), ()),
    "branch switched": (lambda root: git(root, "checkout", "-q", "side"), (1, 1, 1), ("a.py", "b.py", "side.py")),
    "stashed": (lambda root: (edit(root), git(root, "stash")), (0, 0, 0), ()),
    "ignored": (lambda root: write(root, {".codememignore": "lib/\n"}), (1, 0, 2), (".codememignore", "lib/c.py", "lib/d.py")),
    "became binary": (lambda root: write(root, {"a.py": b"\0"}), (0, 0, 1), ("a.py",)),
    "binary became text": (lambda root: write(root, {"lib/pic.bin": "words"}), (1, 0, 0), ("lib/pic.bin",)),
    "became too large": (lambda root: write(root, {"a.py": b"#" * 2_000_001}), (0, 0, 1), ("a.py",)),
    "became empty": (lambda root: write(root, {"a.py": b""}), (0, 1, 0), ("a.py",)),
    "file became a folder": (file_becomes_folder, (1, 0, 1), ("a.py", "a.py/inner.py")),
    "folder became a link": (folder_becomes_link, (0, 0, 2), ("lib/c.py", "lib/d.py")),
}  # fmt: skip


@pytest.mark.parametrize(("change", "expected", "seen"), CASES.values(), ids=CASES.keys())
def test_the_index_follows_the_tree(
    repository: Path, change: Callable[[Path], object], expected: tuple[int, int, int], seen: tuple[str, ...]
) -> None:
    change(repository)
    assert stale(repository) == seen
    assert counts(refresh(repository, SETTINGS)) == expected
    assert stale(repository) == ()
    assert verify(repository, SETTINGS).differences == []


def test_names_and_counts_after_a_swap_are_those_of_the_tree(repository: Path) -> None:
    assert indexed(repository) == SAME
    swap(repository)
    refresh(repository, SETTINGS)
    assert indexed(repository) == {**SAME, "a.py": "beta", "b.py": "alpha"}


def test_ignored_files_go_and_come_back(repository: Path) -> None:
    write(repository, {"gen/x.py": "def x():\n    pass\n"})
    refresh(repository, SETTINGS)
    write(repository, {".gitignore": "gen/\n"})
    assert counts(refresh(repository, SETTINGS)) == (1, 0, 1)
    assert "gen/x.py" not in indexed(repository)
    (repository / ".gitignore").unlink()
    assert counts(refresh(repository, SETTINGS)) == (1, 0, 1)
    assert indexed(repository)["gen/x.py"] == "x"
    assert verify(repository, SETTINGS).differences == []


def test_a_changed_setting_is_followed(repository: Path) -> None:
    small = Settings(embedder="fake", jobs=1, max_file_bytes=35)
    assert stale(repository, small) == ("b.py", "lib/c.py", "lib/d.py", "notes.md")
    report = refresh(repository, small)
    assert {skip.path for skip in report.skipped} == {"b.py", "lib/c.py", "lib/d.py", "notes.md", "lib/pic.bin"}
    assert verify(repository, small).differences == []
    refresh(repository, SETTINGS)
    assert indexed(repository) == SAME


def test_an_unreadable_file_is_picked_up_when_it_can_be_read(repository: Path) -> None:
    (repository / "a.py").chmod(0)
    with bound_by_permissions():
        report = refresh(repository, SETTINGS)
    assert ("a.py", "unreadable: permission denied") in {(skip.path, skip.reason) for skip in report.skipped}
    (repository / "a.py").chmod(0o600)
    refresh(repository, SETTINGS)
    assert indexed(repository) == SAME


def snapshot(root: Path) -> tuple[bytes, dict[str, int]]:
    path = store_path(root)
    times = {
        file.name: file.stat().st_mtime_ns
        for file in path.parent.iterdir()
        if file.name.startswith(("codemem.db", "vectors"))
    }
    return path.read_bytes(), times


def test_an_unchanged_run_writes_nothing(repository: Path) -> None:
    write(
        repository,
        {"odd.py": b"# caf\xe9\ndef odd():\n    pass\n", ".gitignore": "log\n", "log": "x", "big.bin": b"\0" * 100},
    )
    age(repository)
    refresh(repository, SETTINGS)
    before = snapshot(repository)
    write(repository, {"log": "y"})
    report = refresh(repository, SETTINGS)
    assert counts(report) == (0, 0, 0) and report.unchanged == 7 and len(report.skipped) == 2
    assert snapshot(repository) == before


def test_a_commit_alone_changes_only_the_commit(repository: Path) -> None:
    git(repository, "commit", "--allow-empty", "-m", "empty")
    head = git(repository, "rev-parse", "HEAD").strip()
    assert counts(refresh(repository, SETTINGS)) == (0, 0, 0)
    with open_store(store_path(repository)) as store:
        assert read_meta(store, "commit") == head


NOW = 1_000 * LATER + 7


@pytest.mark.parametrize(
    ("changes", "checked", "trusted"),
    [
        ({}, NOW + TICK_NS + 1, True),
        ({}, NOW + TICK_NS, False),
        ({}, NOW, False),
        ({}, NOW - LATER, False),
        ({"size": 2}, NOW + LATER, False),
        ({"mtime_ns": NOW - 1}, NOW + LATER, False),
        ({"ctime_ns": NOW - 1}, NOW + LATER, False),
        ({"inode": 2}, NOW + LATER, False),
    ],
)
def test_stats_are_proof_only_when_equal_and_older_than_the_reading(
    changes: dict[str, int], checked: int, trusted: bool
) -> None:
    known = {"size": 1, "mtime_ns": NOW, "ctime_ns": NOW, "inode": 1}
    hint = FileHint(**known, checked_ns=checked, sha="s")
    assert holds(hint, FileEntry("a", **{**known, **changes})) == trusted


def test_whole_seconds_are_taken_for_a_coarse_clock() -> None:
    whole = 1_000 * LATER
    hint = FileHint(1, whole, whole, 1, whole + LATER, "s")
    assert not holds(hint, FileEntry("a", 1, whole, 1, whole))


def test_a_write_in_the_tick_of_its_reading_is_found(repository: Path) -> None:
    write(repository, {"race.py": "def one():\n    pass\n"})
    refresh(repository, SETTINGS)
    old = (repository / "race.py").stat()
    with open_store(store_path(repository)) as store:
        hint = store.connection.execute(
            "SELECT checked_ns - max(mtime_ns, ctime_ns) FROM file WHERE path = 'race.py'"
        ).fetchone()
    with (repository / "race.py").open("r+b") as file:
        file.write(b"def two")
    os.utime(repository / "race.py", ns=(old.st_atime_ns, old.st_mtime_ns))
    if hint[0] < TICK_NS:
        assert stale(repository) == ("race.py",)
    refresh(repository, SETTINGS)
    assert indexed(repository)["race.py"] == "two"
