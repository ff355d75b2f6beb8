"""Two writers and eight readers on one store for a minute: `python -m benchmarks.contention 60`.

Writers change files and refresh without waiting, so one of them meets the lock now and then; that error is documented and
counted. Readers search all the time. Anything else that goes wrong ends the run.
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
        print(*(write if role == "writer" else read)(root, seconds))
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
            for word in output.split():
                name, _, number = word.partition("=")
                found[name] += int(number)
        refresh(root, SETTINGS)
        assert verify(root, SETTINGS).equal, "the final state is not that of a clean build"
    print(f"{seconds:.0f} s:", ", ".join(f"{number} {name}" for name, number in sorted(found.items())))


def write(root: Path, seconds: float) -> list[str]:
    """Change files and refresh until the time is up."""
    chance = random.Random()
    end = time.monotonic() + seconds
    found: Counter[str] = Counter()
    while time.monotonic() < end:
        change(root, chance)
        try:
            refresh(root, SETTINGS)
            found["refreshes"] += 1
        except StoreBusy as error:
            assert "another index run is active" in error.message
            found["refused"] += 1
    return [f"{name}={number}" for name, number in found.items()]


def read(root: Path, seconds: float) -> list[str]:
    """Search until the time is up, each time on a new connection."""
    from codemem.retrieval import search
    from codemem.types import Query

    chance = random.Random()
    end = time.monotonic() + seconds
    count = 0
    while time.monotonic() < end:
        with open_store(store_path(root)) as store:
            search(store, Query(f"f{chance.randint(0, 30)}_1"))
        count += 1
    return [f"searches={count}"]


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
