"""Work on batches in worker processes: results in order, bounded memory; a dying worker costs only what it was busy with.

Workers are plain child processes on a socket pair instead of `multiprocessing` pools: a pool re-imports `__main__`,
and one crash in native code breaks it for every batch in flight.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from multiprocessing.connection import Connection, Pipe, wait
from typing import Any, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")
Work = Callable[[Sequence[Item]], list[Result]]
"""What is done with a batch: a function of a module or a `partial` of one, since workers import it by name."""

WINDOW = 4
"""Batches per worker between the oldest unfinished one and the newest sent: bounds what waits for its turn."""
BATCH_SECONDS = 60.0
"""A batch that takes longer hangs in native code: its worker is killed like one that died."""
MOST_JOBS = 16
"""More workers than this wait for the process that stores."""


HELLO = "ready"
"""First message of a worker. One that dies before it could not start at all: then this process parses itself."""
WORKER = (
    "import sys; sys.path[:] = sys.argv[3:]; from codemem.workers import serve; serve(int(sys.argv[1]), sys.argv[2])"
)


@dataclass(slots=True)
class Worker:
    """One child process and the batch it is busy with; `started` once it has said that it can work."""

    process: subprocess.Popen[bytes]
    connection: Connection
    batch: int = -1
    items: Sequence[Any] = ()
    since: float = 0.0
    started: bool = False


def worker_count(jobs: int) -> int:
    """Return how many workers to use: as many as asked for, or what the machine has; 1 where there can be none."""
    if not sys.executable or os.name != "posix":
        return 1
    return jobs or min(_processors(), MOST_JOBS)


def serve(descriptor: int, module: str) -> None:
    """Run as a worker with `module` loaded: answer each batch with what its work makes of it until the parent is gone."""
    import_module(module)
    connection = Connection(descriptor)
    try:
        connection.send(HELLO)
        while True:
            work, items = connection.recv()
            connection.send(work(items))
    except (EOFError, BrokenPipeError, ConnectionResetError, KeyboardInterrupt):
        return


class Crew:
    """Worker processes that are kept from one piece of work to the next; left by `with`, they end."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs
        self._idle: deque[Worker] = deque()

    def __enter__(self) -> Crew:
        return self

    def __exit__(self, *_: object) -> None:
        while self._idle:
            _stop(self._idle.popleft())

    def run(
        self,
        batches: Iterator[Sequence[Item]],
        work: Work[Item, Result],
        here: Work[Item, Result] | None = None,
        again: Work[Item, Result] | None = None,
        window: int = WINDOW,
    ) -> Iterator[Result]:
        """Keep the workers busy and yield the results of the batches, which are read lazily, in order.

        Args:
            batches: What to work on.
            work: What a worker does with a batch.
            here: Does the same in this process, for a worker that cannot start; `work` itself when None.
            again: Does it for a worker that died or hung; `here` when None.
            window: Batches per worker between the oldest unfinished one and the newest sent.
        """
        here = here or work
        busy: list[Worker] = []
        done: dict[int, list[Result]] = {}
        sent = turn = 0
        exhausted = False
        module = _home(work)
        while len(self._idle) < self.jobs:
            self._idle.append(_start(module))
        try:
            while True:
                while self._idle and not exhausted and sent - turn < self.jobs * window:
                    batch = next(batches, None)
                    if batch is None:
                        exhausted = True
                        break
                    worker = self._idle.popleft()
                    _send(worker, sent, batch, work)
                    busy.append(worker)
                    sent += 1
                for worker in _ready(busy):
                    busy.remove(worker)
                    result = _receive(worker)
                    if result is None:
                        _stop(worker)
                        self._idle.append(_start(module))
                        result = ((again or here) if worker.started else here)(worker.items)
                    else:
                        self._idle.append(worker)
                    done[worker.batch] = result
                while turn in done:
                    yield from done.pop(turn)
                    turn += 1
                if exhausted and turn == sent:
                    return
        finally:
            for worker in busy:
                _stop(worker)


def _home(work: Work[Any, Any]) -> str:
    """Return the module that a worker needs for this work: loaded before it says that it is ready."""
    return str((work.func if isinstance(work, partial) else work).__module__)


def _start(module: str) -> Worker:
    ours, theirs = Pipe(duplex=True)
    command = [sys.executable, "-c", WORKER, str(theirs.fileno()), module, *sys.path]
    process = subprocess.Popen(command, pass_fds=(theirs.fileno(),), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)  # fmt: skip
    theirs.close()
    return Worker(process, ours)


def _send(worker: Worker, batch: int, items: Sequence[Any], work: Work[Any, Any]) -> None:
    """Give a worker its next batch; one that died meanwhile shows when its answer is read."""
    worker.batch, worker.items, worker.since = batch, items, time.monotonic()
    with suppress(BrokenPipeError, ConnectionResetError):
        worker.connection.send((work, items))


def _ready(busy: list[Worker]) -> list[Worker]:
    """Wait for workers that have answered or died, or have been at it for too long."""
    if not busy:
        return []
    oldest = min(worker.since for worker in busy)
    patience = max(0.0, oldest + BATCH_SECONDS - time.monotonic())
    answered = wait([worker.connection for worker in busy], timeout=patience)
    late = time.monotonic() - BATCH_SECONDS
    return [worker for worker in busy if (worker.connection in answered and not _greets(worker)) or worker.since < late]


def _greets(worker: Worker) -> bool:
    """Take the first message of a worker; False when it has died or was greeted before."""
    if worker.started:
        return False
    try:
        worker.started = worker.connection.recv() == HELLO
    except (EOFError, OSError):
        return False
    return worker.started


def _receive(worker: Worker) -> list[Any] | None:
    """Return a worker's answer, None when it died or hangs."""
    try:
        if not worker.connection.poll():
            return None
        result: list[Any] = worker.connection.recv()
    except (EOFError, OSError):
        return None
    return result


def _stop(worker: Worker) -> None:
    worker.connection.close()
    if worker.process.poll() is None:
        worker.process.kill()
    worker.process.wait()


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
