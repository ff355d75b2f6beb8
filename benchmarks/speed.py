"""Time indexing and searching of real repositories as whole processes, next to `import numpy` as the yardstick.

    python -m benchmarks.speed REPOSITORY... [--runs 5] [--query "parse the configuration"]

Run it with the Python of an environment into which codemem is installed as users have it: an editable install adds 10 ms to
every command. Every repository is copied nowhere: its store is written to REPOSITORY/.codemem and removed at the end unless --keep.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

YARDSTICK = [sys.executable, "-c", "import numpy"]
CODEMEM = [sys.executable, "-m", "codemem"]


def run(command: list[str], cwd: Path) -> tuple[float, float, str]:
    """Run a command; return wall seconds, peak megabytes of the process, and its stdout."""
    started = time.perf_counter()
    process = subprocess.Popen(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert process.stdout is not None
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}")
    return time.perf_counter() - started, usage.ru_maxrss / 1024, output


def median_seconds(command: list[str], cwd: Path, runs: int) -> float:
    run(command, cwd)
    return statistics.median(run(command, cwd)[0] for _ in range(runs))


def measure(repository: Path, query: str, runs: int, keep: bool) -> dict[str, object]:
    store = repository / ".codemem"
    shutil.rmtree(store, ignore_errors=True)
    wall, peak, output = run([*CODEMEM, "index", str(repository), "--json"], repository)
    report = json.loads(output)
    lines = int(run([*CODEMEM, "status", "--json"], repository)[2] and _lines(store))
    again, _, _ = run([*CODEMEM, "index", str(repository), "--json"], repository)
    yardstick = median_seconds(YARDSTICK, repository, runs)
    row: dict[str, object] = {
        "repository": repository.name,
        "files": report["files"],
        "lines": lines,
        "chunks": report["chunks"],
        "skipped": len(report["skipped"]),
        "problems": len(report["problems"]),
        "index_seconds": round(wall, 2),
        "lines_per_second": round(lines / wall),
        "stages": {name: round(seconds, 2) for name, seconds in report["seconds"].items()},
        "peak_mb": round(peak),
        "store_mb": round(sum(file.stat().st_size for file in store.rglob("*") if file.is_file()) / 1e6, 1),
        "unchanged_seconds": round(again, 2),
        "import_numpy_ms": round(yardstick * 1000),
    }
    for name, arguments in {
        "help": ["--help"],
        "keyword": ["search", query, "--mode", "keyword"],
        "keyword_no_refresh": ["search", query, "--mode", "keyword", "--no-refresh"],
        "hybrid": ["search", query],
        "hybrid_no_refresh": ["search", query, "--no-refresh"],
        "context": ["context", query, "--budget", "4000"],
    }.items():
        seconds = median_seconds([*CODEMEM, *arguments], repository, runs)
        row[f"{name}_ms"] = round(seconds * 1000)
        row[f"{name}_ratio"] = round(seconds / yardstick, 2)
    if not keep:
        shutil.rmtree(store, ignore_errors=True)
    return row


def _lines(store: Path) -> int:
    from codemem.store import open_store

    with open_store(store / "codemem.db") as opened:
        return int(opened.connection.execute("SELECT coalesce(sum(lines), 0) FROM file").fetchone()[0])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repositories", nargs="+", type=Path)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--query", default="parse the configuration file")
    parser.add_argument("--keep", action="store_true")
    arguments = parser.parse_args()
    for repository in arguments.repositories:
        print(json.dumps(measure(repository.resolve(), arguments.query, arguments.runs, arguments.keep)), flush=True)


if __name__ == "__main__":
    main()
