"""Many writers at once, none may lose an add: `python -m benchmarks.memory.writers [--processes 20] [--adds 50]`."""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from codemem.memory import open_memories
from codemem.memory.upkeep import find_faults
from codemem.store.memories import Condition, count

CHILD = """
import sys
from codemem.cli import main
writer, adds = int(sys.argv[1]), int(sys.argv[2])
texts = [f"writer {writer} notes item {n} of box {writer * 1009 + n}" for n in range(adds)]
codes = [main(["memory", "add", text, "-q", "--force"]) for text in texts]
sys.exit(sum(code != 0 for code in codes))
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--processes", type=int, default=20)
    parser.add_argument("--adds", type=int, default=50)
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp())
    start = time.perf_counter()
    command = [sys.executable, "-c", CHILD]
    running = [
        subprocess.Popen([*command, str(writer), str(options.adds)], cwd=folder, stdout=subprocess.DEVNULL)
        for writer in range(options.processes)
    ]
    failed = [process.wait() for process in running]
    seconds = time.perf_counter() - start
    with open_memories(folder) as stores:
        assert stores.project is not None
        stored = count(stores.project, Condition("1"))
        faults = find_faults(stores)
    wanted = options.processes * options.adds
    print(f"{stored} of {wanted} stored in {seconds:.1f} s, {sum(failed)} failed adds, {len(faults)} faults")
    sys.exit(stored != wanted or bool(faults) or any(failed))


if __name__ == "__main__":
    main()
