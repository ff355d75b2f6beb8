"""Time questions inside one process that keeps what a server keeps: `python -m benchmarks.warm REPOSITORY [--rounds 3]`.

The repository must be indexed. Printed are the medians of wall and processor time over thirty questions.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from pathlib import Path

from codemem.embed import load_embedder
from codemem.memory import open_memories
from codemem.packing.context import Request, Sources, build_context
from codemem.retrieval import Session, search
from codemem.store import open_store, store_path
from codemem.tokens import load_counter
from codemem.types import Query

QUESTIONS = (
    "createOrder", "parse the configuration file", "where are routes drawn", "how does a migration run",
    "connection pool checkout timeout", "Base#save", "render a partial template", "who raises NotFound", "cache store fetch",
    "serialize attributes", "encrypted credentials", "job retry on exception", "send mail later", "upload attachment",
    "websocket channel subscribe", "asset tag helper", "generate a secret key", "time zone conversion", "association through",
    "validates uniqueness", "callback before save", "session cookie store", "csrf token verification",
    "transaction isolation level", "sql query log", "pluralize a word", "mime type negotiation", "load test fixtures",
    "dump the schema", "eager load constants",
)  # fmt: skip
BUDGET = 4_000


def median_times(action: Callable[[str], object], rounds: int) -> tuple[float, float]:
    """Return the median milliseconds of wall and processor time of one question."""
    for question in QUESTIONS:
        action(question)
    wall, processor = [], []
    for question in QUESTIONS * rounds:
        start, used = time.perf_counter(), time.process_time()
        action(question)
        processor.append(1000 * (time.process_time() - used))
        wall.append(1000 * (time.perf_counter() - start))
    return statistics.median(wall), statistics.median(processor)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("repository", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    root = options.repository.resolve()
    session, embedder, counter = Session(), load_embedder("static"), load_counter("")
    with open_store(store_path(root)) as store, open_memories(root) as memories:
        sources = Sources(lambda: store, lambda: memories, None, lambda: embedder, session)
        actions: dict[str, Callable[[str], object]] = {
            "keyword": lambda question: search(store, Query(question, mode="keyword"), session),
            "hybrid": lambda question: search(store, Query(question), session),
            "context": lambda question: build_context(Request(question, BUDGET), sources, counter),
        }
        for name, action in actions.items():
            wall, processor = median_times(action, options.rounds)
            print(f"{name:8s} p50 {wall:.1f} ms, processor p50 {processor:.1f} ms", flush=True)


if __name__ == "__main__":
    main()
