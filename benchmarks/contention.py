"""Two writers and eight readers on one store for a minute: `python -m benchmarks.contention 60`.

Writers change files, refresh without waiting, and remember something each time; one of them meets the lock of the index now
and then, and that error is documented and counted. Readers search code and memories all the time. Anything else that goes wrong
ends the run; at the end the index must be that of a clean build and every memory that was told must be there.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from codemem.errors import StoreBusy
from codemem.indexing import refresh, verify
from codemem.settings import Settings
from codemem.store import open_store, store_path

SETTINGS = Settings(embedder="fake", jobs=1)
WRITERS, READERS = 2, 8


def main() -> None:
    """Run the parent, or one child when called with a role."""
    if len(sys.argv) > 2:
        role, root, seconds = sys.argv[1], Path(sys.argv[2]), float(sys.argv[3])
        print(*(write if role == "writer" else read)(root, seconds), sep="\n")
        return
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0
    with tempfile.TemporaryDirectory(prefix="codemem-contention-") as folder:
        root = Path(folder) / "repository"
        root.mkdir()
        change(root, random.Random(0))
        refresh(root, SETTINGS)
        children = [
            subprocess.Popen(
                [sys.executable, "-m", "benchmarks.contention", role, str(root), str(seconds)],
                stdout=subprocess.PIPE,
                text=True,
            )
            for role in ["writer"] * WRITERS + ["reader"] * READERS
        ]
        found: Counter[str] = Counter()
        for child in children:
            output, _ = child.communicate()
            assert child.returncode == 0, "a child failed: see its traceback above"
            for line in output.splitlines():
                name, _, number = line.partition("=")
                found[name] += int(number)
        refresh(root, SETTINGS)
        assert verify(root, SETTINGS).equal, "the final state is not that of a clean build"
        with open_store(store_path(root)) as store:
            (kept,) = store.connection.execute("SELECT count(*) FROM memory WHERE status = 'active'").fetchone()
        assert kept == found["memories"], f"{found['memories']} memories were told, {kept} are there"
    print(f"{seconds:.0f} s:", ", ".join(f"{number} {name}" for name, number in sorted(found.items())))


def write(root: Path, seconds: float) -> list[str]:
    """Change files, refresh, and remember something until the time is up."""
    from codemem.embed import load_embedder
    from codemem.memory import Options, open_memories, remember

    chance = random.Random()
    embedder = load_embedder(SETTINGS.embedder)
    end = time.monotonic() + seconds
    found: Counter[str] = Counter()
    while time.monotonic() < end:
        change(root, chance)
        try:
            done = refresh(root, SETTINGS)
            found["refreshes"] += 1
            found["files written"] += done.added + done.changed
        except StoreBusy as error:
            assert "another index run is active" in error.message
            found["refused"] += 1
        with open_memories(root, write=True, home=root.parent / "home") as stores:
            text = f"fact {chance.getrandbits(64):x} about f{chance.randint(0, 30)}"
            found["memories"] += (
                remember(stores, text, stores.scope(), Options(force=True), embedder).memory is not None
            )
        time.sleep(chance.random() / 5)  # a person or an agent pauses; without it one writer starves the other
    return [f"{name}={number}" for name, number in found.items()]


def read(root: Path, seconds: float) -> list[str]:
    """Search code and memories until the time is up, each time on a new connection."""
    from codemem.embed import load_embedder
    from codemem.memory import MemoryQuery, open_memories, search_memories
    from codemem.retrieval import search
    from codemem.types import Query

    chance = random.Random()
    embedder = load_embedder(SETTINGS.embedder)
    end = time.monotonic() + seconds
    found: Counter[str] = Counter()
    while time.monotonic() < end:
        with open_store(store_path(root)) as store:
            hits = search(store, Query(f"f{chance.randint(0, 30)}_1")).hits
        found["searches"] += 1
        found["hits"] += len(hits)
        with open_memories(root, home=root.parent / "home") as stores:
            found["memory hits"] += len(
                search_memories(stores, MemoryQuery("fact about"), stores.scope(), embedder).hits
            )
        found["memory searches"] += 1
    return [f"{name}={number}" for name, number in found.items()]


def change(root: Path, chance: random.Random) -> None:
    """Rewrite a few files."""
    for _ in range(3):
        number, other = chance.randint(0, 30), chance.randint(0, 30)
        body = "\n\n".join(
            f"def f{number}_{part}(x):\n    return f{other}_{part}(x) + {chance.random()}" for part in range(6)
        )
        (root / f"module{number}.py").write_text(f"from module{other} import f{other}_0\n\n\n{body}\n")


if __name__ == "__main__":
    main()
