"""Parse many files in worker processes: in order, equal to serial, bounded memory; a dying worker costs one file."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import TypeVar

from codemem.languages import fallback_language, language_table
from codemem.parse.file import parse_file
from codemem.parse.plain import parse_plain
from codemem.types import ParsedFile, Problem, SourceFile
from codemem.workers import Crew, Work, worker_count

Result = TypeVar("Result")
Finish = Callable[[SourceFile, ParsedFile], Result]

PAYS_CHARACTERS = 1_500_000
"""Text below which workers do not pay: half a second of parsing against their start and compiled queries."""
BATCH_CHARACTERS = 200_000
"""Text sent to a worker at once: about 0.1 s of work, so that the overhead of a message is noise."""
BATCH_FILES = 100
UNGUARDED_CHARACTERS = 150_000
"""Larger files are never parsed in the process itself: what hangs a native parser is nearly always large."""


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
        if jobs or characters >= PAYS_CHARACTERS:
            break
    else:
        if jobs == 0 or len(head) <= 1:
            yield from (_guarded(source, finish) for source in head)
            return
    work: Work[SourceFile, Result] = partial(_parse_batch, finish)
    with Crew(count) as crew:
        yield from crew.run(_batches(chain(head, iterator)), work, again=partial(_one_by_one, finish))


def _guarded(source: SourceFile, finish: Finish[Result]) -> Result:
    """Parse one file in this process, a large one in a worker that can be killed when it hangs."""
    if len(source.content) > UNGUARDED_CHARACTERS and sys.executable and os.name == "posix":
        return _one_by_one(finish, [source])[0]
    return finish(source, parse_file(source))


def _parse_batch(finish: Finish[Result], sources: Sequence[SourceFile]) -> list[Result]:
    return [finish(source, parse_file(source)) for source in sources]


def _one_by_one(finish: Finish[Result], sources: Sequence[SourceFile]) -> list[Result]:
    """Parse the files of a batch that killed its worker; one that kills a worker by itself falls back to lines."""
    single = ([source] for source in sources)
    with Crew(1) as crew:
        return list(crew.run(single, partial(_parse_batch, finish), here=partial(_by_lines, finish)))


def _by_lines(finish: Finish[Result], sources: Sequence[SourceFile]) -> list[Result]:
    problem = "the parser crashed or hung on this file: indexed by lines"
    table = language_table()
    rows = (table.get(source.language) or table[fallback_language()] for source in sources)
    return [
        finish(source, parse_plain(source, row, (Problem(source.path, "parse", problem),)))
        for source, row in zip(sources, rows, strict=True)
    ]


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
