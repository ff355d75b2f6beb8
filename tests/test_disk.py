"""A disk that ends, and a power cut: the old state or the new one, memories kept, and a message that says what to do."""

from __future__ import annotations

import os
import random
import resource
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from codemem.errors import CodememError
from codemem.indexing import check_freshness, refresh, verify
from codemem.indexing.doctor import repair
from codemem.memory import Turn, add_turns, open_memories
from codemem.store import open_store, store_path
from tests.test_faults import remember, remembered
from tests.test_freshness import SETTINGS, repository
from tests.test_walk import write

__all__ = ["repository"]
MEMORIES = 40


def limited(root: Path, size: int, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command that may write no file beyond `size` bytes: the disk refuses in the middle of whatever it does."""
    return subprocess.run(
        [sys.executable, "-m", "codemem", *arguments, "--root", str(root)],
        cwd=root, capture_output=True, text=True, check=False, env={**os.environ, "CODEMEM_EMBEDDER": "fake"},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)),
    )  # fmt: skip


def texts(root: Path) -> int:
    with open_store(store_path(root)) as store:
        return int(store.connection.execute("SELECT count(*) FROM memory").fetchone()[0])


@pytest.mark.parametrize("share", [0.0, 0.5, 0.95, 1.1])
@pytest.mark.parametrize(
    "command", [("index",), ("index", "--full"), ("memory", "add", "a new fact"), ("export", "../out.codemem")]
)
def test_a_disk_that_ends_leaves_the_old_state_or_the_new(
    repository: Path, command: tuple[str, ...], share: float
) -> None:
    remember(repository, MEMORIES)
    if command == ("index",):
        write(
            repository, {f"more/f{number}.py": f"def f{number}():\n    return {number}\n" * 40 for number in range(30)}
        )
    before = texts(repository)
    size = int(store_path(repository).stat().st_size * share)
    run = limited(repository, size, *command)
    assert "Traceback" not in run.stderr and "internal error" not in run.stderr
    assert run.returncode == 0 or (run.returncode == 2 and len(run.stderr.strip().splitlines()) >= 2), run.stderr
    added = int(command[0] == "memory" and run.returncode == 0)
    assert texts(repository) == before + added
    with open_store(store_path(repository)) as store:
        fresh = check_freshness(repository, SETTINGS, store).fresh
    if fresh:
        assert verify(repository, SETTINGS).differences == []
    refresh(repository, SETTINGS)
    assert verify(repository, SETTINGS).differences == [] and texts(repository) == before + added
    assert run.returncode == 0 or not (repository.parent / "out.codemem").exists()


@pytest.mark.parametrize("seed", range(6))
def test_after_a_power_cut_the_store_opens_with_every_memory_that_was_on_the_disk(repository: Path, seed: int) -> None:
    """Cut the log of a running store somewhere, or lose a page of it: what was checkpointed stays, the index is repaired."""
    chance = random.Random(seed)
    remember(repository, MEMORIES)
    path, log = store_path(repository), Path(f"{store_path(repository)}-wal")
    writer = sqlite3.connect(path, isolation_level=None)  # holds the log open: nobody checkpoints at the end
    writer.execute("PRAGMA wal_autocheckpoint = 0")
    writer.execute("SELECT count(*) FROM memory").fetchone()
    write(repository, {f"m{number}.py": f"def m{number}():\n    return {seed}\n" for number in range(6)})
    refresh(repository, SETTINGS)
    with open_memories(repository, write=True, make=("project",)) as stores:
        add_turns(
            stores, [Turn(f"later {number}", session="t", message=f"t{number}") for number in range(5)], stores.scope()
        )
    data = bytearray(log.read_bytes())
    assert data, "the log holds what came after the last checkpoint"
    after = repository.parent / "after"
    shutil.copytree(repository, after, symlinks=True)
    writer.close()
    cut = chance.randrange(len(data))
    if seed % 3 == 2:  # a page that never reached the disk, before others that did
        page = 32 + (chance.randrange((len(data) - 32) // (4096 + 24))) * (4096 + 24)
        data[page : page + 4096 + 24] = bytes(4096 + 24)
    else:
        del data[cut:]
    Path(f"{store_path(after)}-wal").write_bytes(data)
    Path(f"{store_path(after)}-shm").unlink(missing_ok=True)
    connection = sqlite3.connect(store_path(after))
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()
    assert MEMORIES <= remembered(after) <= MEMORIES + 5
    try:
        with open_store(store_path(after)) as store:
            fresh = check_freshness(after, SETTINGS, store).fresh
        if fresh:
            assert verify(after, SETTINGS).differences == []
    except CodememError as error:
        assert error.remedy
    refresh(after, SETTINGS)
    repair(after, SETTINGS)
    assert verify(after, SETTINGS).differences == [] and remembered(after) >= MEMORIES
