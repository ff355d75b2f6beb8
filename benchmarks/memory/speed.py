"""Cost of adding and searching at a size: `python -m benchmarks.memory.speed [--memories N] [--embedder NAME] [--folder DIR]`."""

from __future__ import annotations

import argparse
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from codemem.embed import load_embedder
from codemem.memory import MemoryQuery, Options, open_memories, remember, search_memories
from codemem.memory.exchange import import_lines
from codemem.store.memories import Condition, count

SOUNDS = ("ba", "ko", "ri", "tu", "sel", "man", "dor", "fi", "xa", "pen", "lo", "gri", "est", "um", "va")
VOCABULARY = 20_000
ROUNDS = 100
COLD_ROUNDS = 20


def vocabulary(source: random.Random) -> list[str]:
    """Make words that look like words; their frequencies follow Zipf's law."""
    return [
        "".join(source.choices(SOUNDS, k=source.randint(1, 4))) + str(number % 7 or "") for number in range(VOCABULARY)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--memories", type=int, default=100_000)
    parser.add_argument("--embedder", default="static")
    parser.add_argument("--folder", type=Path)
    options = parser.parse_args()
    folder = options.folder or Path(tempfile.mkdtemp())
    source = random.Random(1)
    words = vocabulary(source)
    weights = [1 / (rank + 2) for rank in range(VOCABULARY)]

    def statement(least: int = 8, most: int = 25) -> str:
        return " ".join(source.choices(words, weights, k=source.randint(least, most)))

    embedder = load_embedder(options.embedder)
    with open_memories(folder, write=True, home=folder / "home") as stores:
        scope = stores.scope()
        assert stores.project is not None
        while (have := count(stores.project, Condition("1"))) < options.memories:
            from json import dumps

            batch = min(2000, options.memories - have)
            import_lines(
                stores,
                scope,
                (dumps({"format": "codemem-memory-1", "content": statement()}) for _ in range(batch)),
                embedder,
            )
        source.seed(time.time_ns())
        print(f"{have} memories, {stores.project.path.stat().st_size / 1e6:.0f} MB")
        _report("add", lambda: remember(stores, statement(), scope, Options(), embedder))
        for mode in ("keyword", "hybrid"):
            search_memories(stores, MemoryQuery("warm up", mode=mode), scope, embedder)
            _report(
                f"search {mode}",
                lambda mode=mode: search_memories(stores, MemoryQuery(statement(3, 8), mode=mode), scope, embedder),
            )
    command = [
        sys.executable,
        "-m",
        "codemem",
        "memory",
        "search",
        "--mode",
        "keyword",
        "--json",
        "--root",
        str(folder),
    ]
    cold = [_cold([*command, statement(3, 6)]) for _ in range(COLD_ROUNDS)]
    print(f"keyword search, cold process: best {min(cold):.0f} ms, median {statistics.median(cold):.0f} ms")


def _report(name: str, action: Callable[[], object]) -> None:
    """Print wall time and processor time of an action: on a busy machine the second is what it costs."""
    walls, processor = [], []
    for _ in range(ROUNDS):
        start, used = time.perf_counter(), time.process_time()
        action()
        walls.append(1000 * (time.perf_counter() - start))
        processor.append(1000 * (time.process_time() - used))
    middle, tail = statistics.median(walls), sorted(walls)[int(ROUNDS * 0.95)]
    used = statistics.median(processor)
    print(f"{name:15s} p50 {middle:.1f} ms, p95 {tail:.1f} ms; processor p50 {used:.1f} ms", flush=True)


def _cold(command: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, capture_output=True, check=False)
    return 1000 * (time.perf_counter() - start)


if __name__ == "__main__":
    main()
