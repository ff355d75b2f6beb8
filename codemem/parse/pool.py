"""Work on many files in worker processes: in order, equal to serial, bounded memory; a dying worker costs one file.

A `Crew` does any work that a function of a module does, `parse_into` is the one that parses.
Workers are plain child processes on a socket pair instead of `multiprocessing` pools: a pool re-imports `__main__`,
and one crash in a native parser breaks it for every file in flight.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import chain
from multiprocessing.connection import Connection, Pipe, wait
from typing import Any, TypeVar

from codemem.languages import fallback_language, language_table
from codemem.parse.file import parse_file
from codemem.parse.plain import parse_plain
from codemem.types import ParsedFile, Problem, SourceFile

Item = TypeVar("Item")
Result = TypeVar("Result")
Finish = Callable[[SourceFile, ParsedFile], Result]
Work = Callable[[Sequence[Item]], list[Result]]
"""What is done with a batch: a function of a module or a `partial` of one, since workers import it by name."""

PAYS_CHARACTERS = 1_500_000
"""Text below which workers do not pay: half a second of parsing against their start and compiled queries."""
BATCH_CHARACTERS = 200_000
"""Text sent to a worker at once: about 0.1 s of work, so that the overhead of a message is noise."""
BATCH_FILES = 100
WINDOW = 4
"""Batches per worker between the oldest unfinished one and the newest sent: bounds what waits for its turn."""
BATCH_SECONDS = 60.0
"""A batch that takes longer hangs in a native parser: its worker is killed like one that died."""
UNGUARDED_CHARACTERS = 150_000
"""Larger files are never parsed in the process itself: what hangs a native parser is nearly always large."""
MOST_JOBS = 16
"""More workers than this wait for the process that stores."""

HELLO = "ready"
"""First message of a worker. One that dies before it could not start at all: then this process parses itself."""
WORKER = "import sys; sys.path[:] = sys.argv[2:]; from codemem.parse.pool import serve; serve(int(sys.argv[1]))"


@dataclass(slots=True)
class Worker:
    """One child process and the batch it is busy with; `started` once it has said that it can work."""

    process: subprocess.Popen[bytes]
    connection: Connection
    batch: int = -1
    items: Sequence[Any] = ()
    since: float = 0.0
    started: bool = False


def parse_many(sources: Iterable[SourceFile], jobs: int = 0, total: int | None = None) -> Iterator[ParsedFile]:
    """Yield the parsed files in the order of `sources`, which is read lazily; see `parse_into`."""
    return parse_into(sources, parsed_only, jobs, total)


def parsed_only(_source: SourceFile, parsed: ParsedFile) -> ParsedFile:
    """Finish with what parsing found, as it is."""
    return parsed


def parse_into(
    sources: Iterable[SourceFile], finish: Finish[Result], jobs: int = 0, total: int | None = None
) -> Iterator[Result]:
    """Parse and finish files, in the order of `sources`, which is read lazily.

    Args:
        sources: The files; read a few batches ahead.
        finish: A function of a module (workers import it by name); it runs where the file was parsed, so that only its
            result travels between processes.
        jobs: Worker processes; 1 parses in this process, 0 chooses by the processors and the amount of text.
        total: Number of files when known; 1 parses in this process.
    """
    iterator = iter(sources)
    count = worker_count(jobs)
    if count == 1 or total == 1:
        yield from (_guarded(source, finish) for source in iterator)
        return
    head: list[SourceFile] = []
    characters = 0
    for source in iterator:
        head.append(source)
        characters += len(source.content)
        if jobs == 0 and characters < PAYS_CHARACTERS:
            continue
        break
    else:
        if jobs == 0 or len(head) <= 1:
            yield from (_guarded(source, finish) for source in head)
            return
    work: Work[SourceFile, Result] = partial(_parse_batch, finish)
    with Crew(count) as crew:
        yield from crew.run(_batches(chain(head, iterator)), work, again=partial(_one_by_one, finish))


def worker_count(jobs: int) -> int:
    """Return how many workers to use: as many as asked for, or what the machine has; 1 where there can be none."""
    if not sys.executable or os.name != "posix":
        return 1
    return jobs or min(_processors(), MOST_JOBS)


def serve(descriptor: int) -> None:
    """Run as a worker: answer each batch with what its work makes of it until the parent is gone."""
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
        while len(self._idle) < self.jobs:
            self._idle.append(_start())
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
                        self._idle.append(_start())
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


def _guarded(source: SourceFile, finish: Finish[Result]) -> Result:
    """Parse one file in this process, a large one in a worker that can be killed when it hangs."""
    if len(source.content) > UNGUARDED_CHARACTERS and sys.executable and os.name == "posix":
        return _one_by_one(finish, [source])[0]
    return finish(source, parse_file(source))


def _parse_batch(finish: Finish[Result], sources: Sequence[SourceFile]) -> list[Result]:
    return [finish(source, parse_file(source)) for source in sources]


def _one_by_one(finish: Finish[Result], sources: Sequence[SourceFile]) -> list[Result]:
    """Parse the files of a batch that killed its worker; one that kills a worker by itself falls back to lines."""
    found: list[Result] = []
    worker = _start()
    try:
        for source in sources:
            _send(worker, 0, [source], partial(_parse_batch, finish))
            while not _ready([worker]):
                pass
            result = _receive(worker)
            if result is not None:
                found.append(result[0])
                continue
            _stop(worker)
            worker = _start()
            problem = Problem(source.path, "parse", "the parser crashed or hung on this file: indexed by lines")
            table = language_table()
            row = table.get(source.language) or table[fallback_language()]
            found.append(finish(source, parse_plain(source, row, (problem,))))
    finally:
        _stop(worker)
    return found


def _batches(sources: Iterator[SourceFile]) -> Iterator[list[SourceFile]]:
    batch: list[SourceFile] = []
    characters = 0
    for source in sources:
        batch.append(source)
        characters += len(source.content)
        if characters >= BATCH_CHARACTERS or len(batch) >= BATCH_FILES:
            yield batch
            batch, characters = [], 0
    if batch:
        yield batch


def _start() -> Worker:
    ours, theirs = Pipe(duplex=True)
    command = [sys.executable, "-c", WORKER, str(theirs.fileno()), *sys.path]
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
