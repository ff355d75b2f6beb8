"""Kill the process at many points of index, memory and export writes, and look what is left: `python -m benchmarks.kills 200`.

After every kill: the store opens, every acknowledged memory is there, an index that calls itself fresh equals a clean
build, the export is absent, the old one or a whole one, and the next run brings everything to the state of the tree.

Half of the kills strike at a tick inside a statement, half right before a transaction begins, before it is committed, or after
it was; of memories it is counted which of the three states a kill left, and each must have come up.
"""

from __future__ import annotations

import random
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from codemem.errors import BadInput
from codemem.indexing import check_freshness, refresh, verify
from codemem.indexing.sharing import export_index, import_index
from codemem.settings import Settings
from codemem.store import open_store, store_path

SETTINGS = Settings(embedder="fake", jobs=1)
POINTS = ("before begin", "before commit", "after commit")
TRANSACTIONS = {"index": 8, "full": 16, "remember": 12, "export": 2}
"""About how many transactions a run of each kind has; a point beyond them lets the run end."""
STATES = ("absent", "written, not told")
SURE_OF_ALL = 30
"""Kills of memory writes after which each state must have come up."""
STEPS = 100
"""SQLite instructions between two ticks; a kill strikes at a tick, in the middle of a statement."""

CHILD = """
import os, signal, sys
from pathlib import Path
from codemem.embed import load_embedder
from codemem.indexing import refresh
from codemem.indexing.sharing import export_index
from codemem.memory import Options, open_memories, remember
from codemem.settings import Settings
from codemem.store import database

what, root, kill_at, steps = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
point, number_of_point = sys.argv[6], int(sys.argv[7])
ticks = passed = 0
last = ""
connect = database._connect

def traced(statement):
    global passed, last
    here = {"before begin": "BEGIN IMMEDIATE", "before commit": "COMMIT", "after commit": "COMMIT"}.get(point)
    if here == (last if point == "after commit" else statement):
        passed += 1
        if passed == number_of_point:
            os.kill(os.getpid(), signal.SIGKILL)
    last = statement

def tick():
    global ticks
    ticks += 1
    if ticks == kill_at:
        os.kill(os.getpid(), signal.SIGKILL)
    return 0

def watched(*arguments):
    connection = connect(*arguments)
    connection.set_progress_handler(tick, steps)
    if point:
        connection.set_trace_callback(traced)
    return connection

database._connect = watched
settings = Settings(embedder="fake", jobs=1)
if what == "index":
    refresh(root, settings)
elif what == "full":
    refresh(root, settings, full=True)
elif what == "export":
    export_index(root, settings, root.parent / "index.cm")
else:
    start = int(sys.argv[5])
    with open_memories(root, write=True, home=root.parent / "home") as stores:
        for number in range(start, start + 8):
            print("trying", number, flush=True)
            done = remember(stores, f"fact number {number} is about topic{number}", stores.scope(), Options(force=True),
                            load_embedder("fake"))
            print(number, done.memory.id if done.memory else "", flush=True)
print("ticks", ticks, flush=True)
"""


def main() -> None:
    """Run the kills and print what was found; exit 1 at the first broken invariant."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    chance = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    folder = Path(tempfile.mkdtemp(prefix="codemem-kills-"))
    try:
        root = folder / "repository"
        root.mkdir()
        change(root, chance)
        refresh(root, SETTINGS)
        export_index(root, SETTINGS, folder / "index.cm")
        found = run(root, count, chance)
    finally:
        shutil.rmtree(folder)
    print(", ".join(f"{name}: {number}" for name, number in sorted(found.items())))


def run(root: Path, count: int, chance: random.Random) -> Counter[str]:
    """Kill `count` children and check after each."""
    found: Counter[str] = Counter()
    ticks = {"index": 2_000, "full": 2_000, "remember": 1_500, "export": 600}
    acknowledged: set[int] = set()
    asked = 0
    while found["kills"] < count:
        what = chance.choice(list(ticks))
        if what in ("index", "full"):
            change(root, chance)
        point = chance.choice(POINTS) if chance.random() < 0.5 else ""
        command = [
            sys.executable,
            "-c",
            CHILD,
            what,
            str(root),
            "0" if point else str(chance.randint(1, ticks[what])),
            str(STEPS),
            str(asked),
            point,
            str(chance.randint(1, TRANSACTIONS[what])),
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        lines = done.stdout.splitlines()
        if what == "remember":
            acknowledged |= {int(line.split()[0]) for line in lines if line[:1].isdigit()}
            asked += 8
        if done.returncode == -signal.SIGKILL:
            found["kills"] += 1
            found[f"kills of {what}"] += 1
            found[f"kills {point or 'inside a statement'}"] += 1
            if what == "remember":
                found[f"memory kills that left the memory {_state(root, lines)}"] += 1
        else:
            assert done.returncode == 0, done.stderr
            found["ended before the kill"] += 1
            if not point:
                ticks[what] = int(lines[-1].split()[1])
        check(root, acknowledged, found)
    found["memories acknowledged and there"] = len(acknowledged)
    if found["kills of remember"] >= SURE_OF_ALL:
        missed = [state for state in STATES if not found[f"memory kills that left the memory {state}"]]
        assert not missed, f"no kill left a memory {missed}: the test does not hit what it claims"
    return found


def _state(root: Path, lines: list[str]) -> str:
    """Say what became of the memory that was being written: not begun, absent, written and not told, or told."""
    trying = [int(line.split()[1]) for line in lines if line.startswith("trying")]
    told = {int(line.split()[0]) for line in lines if line[:1].isdigit()}
    if not trying:
        return "not begun"
    if trying[-1] in told:
        return "told"
    return "written, not told" if trying[-1] in _memories(root) else "absent"


def _memories(root: Path) -> set[int]:
    with open_store(store_path(root)) as store:
        rows = store.connection.execute("SELECT content FROM memory WHERE status = 'active'").fetchall()
    return {int(str(row[0]).split()[2]) for row in rows}


def check(root: Path, acknowledged: set[int], found: Counter[str]) -> None:
    """Assert every invariant."""
    there = _memories(root)
    assert acknowledged <= there, f"lost memories: {sorted(acknowledged - there)}"
    with open_store(store_path(root)) as store:
        fresh = check_freshness(root, SETTINGS, store).fresh
    if fresh:
        assert verify(root, SETTINGS).equal, "a stale index called itself fresh"
        found["fresh after the kill"] += 1
    refresh(root, SETTINGS)
    assert verify(root, SETTINGS).equal, "the next run did not finish the work"
    copy = root.parent / "copy"
    copy.mkdir()
    try:
        import_index(copy, SETTINGS, root.parent / "index.cm")
    except BadInput as error:
        raise AssertionError(f"a half export stands under its name: {error.message}") from error
    finally:
        shutil.rmtree(copy)


def change(root: Path, chance: random.Random) -> None:
    """Write, rewrite and remove some files."""
    for _ in range(12):
        number = chance.randint(0, 30)
        path = root / f"module{number}.py"
        if path.exists() and chance.random() < 0.3:
            path.unlink()
        else:
            other = chance.randint(0, 30)
            body = "\n\n".join(
                f"def f{number}_{part}(x):\n    return f{other}_{part}(x) + {chance.random()}" for part in range(6)
            )
            path.write_text(f"from module{other} import f{other}_0\n\n\n{body}\n")


if __name__ == "__main__":
    main()
