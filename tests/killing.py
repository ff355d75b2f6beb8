"""Run an index run in a child process that kills itself in the middle of a chosen SQL statement."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

STEPS = 100
"""Virtual machine instructions between two ticks: a tick falls into every statement that does work."""

CHILD = """
import os, signal, sys
from pathlib import Path
from codemem.indexing.pipeline import refresh
from codemem.settings import Settings
from codemem.store import database

root, kill_at, steps, full = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4] == "full"
ticks = 0
connect = database._connect

def tick():
    global ticks
    ticks += 1
    if ticks == kill_at:
        os.kill(os.getpid(), signal.SIGKILL)
    return 0

def watched(path, uri):
    connection = connect(path, uri)
    connection.set_progress_handler(tick, steps)
    return connection

database._connect = watched
refresh(root, Settings(embedder="fake", jobs=1), full=full)
print(ticks)
"""


def run_until(root: Path, tick: int, full: bool = False) -> int | None:
    """Run `refresh`, killed at the given tick (0: never); return the ticks of a whole run, None when it was killed."""
    command = [sys.executable, "-c", CHILD, str(root), str(tick), str(STEPS), "full" if full else "refresh"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == -9:
        return None
    assert done.returncode == 0, done.stderr
    return int(done.stdout)
