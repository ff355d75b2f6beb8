"""`codemem watch`: refresh on change until interrupted."""

from __future__ import annotations

import os
import signal
import stat
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from codemem.cli.door import Door, Repository, find_repository, print_json_line, print_text, say, warn
from codemem.cli.options import EmbedderName, Jobs
from codemem.errors import CodememError, StoreNewer
from codemem.types import Report

DEBOUNCE_MS = 800
"""Quiet time after the last change before a refresh: editors and git write several files in a row."""
LOCK_WAIT_SECONDS = 30.0
"""How long a refresh waits for another index run before it leaves the change to the next one."""
NOT_WATCHED = frozenset({".git", ".codemem", ".hg", ".svn", "node_modules", "__pycache__"})
"""Folders whose churn is never a change of the index."""
GIT_FILES = frozenset({("HEAD",), ("index",), ("info", "exclude"), ("logs", "HEAD")})
"""What git writes when a file becomes tracked, untracked or ignored without being touched, and when something is committed."""


def watch(
    context: typer.Context,
    jobs: Jobs = None,
    embedder: EmbedderName = None,
    debounce: Annotated[
        int, typer.Option("--debounce", min=1, metavar="MS", help="Quiet time before a refresh.")
    ] = DEBOUNCE_MS,
) -> None:
    """Refresh the index whenever files change, until interrupted."""
    door: Door = context.obj
    repository = find_repository(door, None, {"jobs": jobs, "embedder": embedder})
    with _until_told() as stop:
        _refresh(door, repository, first=True)
        say(door, f"watching {repository.root} (Ctrl-C ends it)")
        for _ in _changes(repository.root, debounce, stop):
            _refresh(door, repository, first=False)
    say(door, "stopped")


def _changes(root: Path, debounce: int, stop: threading.Event) -> Iterator[object]:
    import watchfiles

    ours = _files_written_here()

    def counts(_change: object, path: str) -> bool:
        parts = Path(path).relative_to(root).parts
        if parts[:1] == (".git",):
            return parts[1:] in GIT_FILES
        return not NOT_WATCHED.intersection(parts) and _file_identity(path) not in ours

    return watchfiles.watch(
        root,
        watch_filter=counts,
        debounce=debounce,
        stop_event=stop,
        ignore_permission_denied=True,
        raise_interrupt=False,
    )


def _files_written_here() -> set[tuple[int, int] | None]:
    """Return the files that stdout and stderr are: `watch > watch.log` in the repository would answer itself for ever."""
    found: set[tuple[int, int] | None] = set()
    for number in (1, 2):
        try:
            status = os.fstat(number)
        except OSError:
            continue
        if stat.S_ISREG(status.st_mode):
            found.add((status.st_dev, status.st_ino))
    return found


def _file_identity(path: str) -> tuple[int, int] | None:
    try:
        status = Path(path).lstat()
    except OSError:
        return None  # gone, or not to be looked at
    return status.st_dev, status.st_ino


def _refresh(door: Door, repository: Repository, first: bool) -> None:
    """Refresh once; what fails now may work after the next change, so only a store we cannot read ends the watch."""
    from codemem.indexing import refresh

    try:
        report = refresh(repository.root, repository.settings, wait_seconds=LOCK_WAIT_SECONDS)
    except StoreNewer:
        raise
    except (CodememError, OSError) as error:
        if first:
            raise
        warn(door, f"not refreshed: {error}; the next change tries again")
        return
    if first or report.added or report.changed or report.removed:
        _print(door, report)


def _print(door: Door, report: Report) -> None:
    if door.json:
        from codemem.render.documents import report_document

        print_json_line(report_document(report))
    else:
        from codemem.render.reports import changes_text

        print_text(changes_text(report))


@contextmanager
def _until_told() -> Iterator[threading.Event]:
    """Give an event that Ctrl-C and a polite kill set; both are the normal end of a watch."""
    stop = threading.Event()
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def tell(_number: int, _frame: object) -> None:
        if stop.is_set():
            raise KeyboardInterrupt  # the second one does not wait for the refresh that is running
        stop.set()

    for number in before:
        signal.signal(number, tell)
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
