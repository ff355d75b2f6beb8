"""The step before every answer: an index that is there and fresh, or a clear word that it is not.

Comparing the tree with the index and answering from the index go on at the same time, in two processes: the answer
counts only when the comparison says that nothing changed; else the index is refreshed and the question is asked again.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from codemem.cli.door import Door, Repository, open_index, say, warn
from codemem.errors import CodememError, NotIndexed, StoreCorrupt, StoreError, StoreNewer

if TYPE_CHECKING:
    from codemem.indexing.freshness import Freshness
    from codemem.settings import Settings
    from codemem.store import Store

BUILD_WAIT_SECONDS = 600.0
"""How long a first search waits for another process that is building the index: the first build of a large one."""
SHOWN_STALE = 3
"""Names of changed files in a remark; more would hide the result."""

BYTES_PER_SECOND = {"static": 500_000, "fake": 500_000}
"""Source that a refresh is expected to take in, per embedder: 15,000 lines of 35 bytes, the least that indexing must reach
on two processors, where it was measured to do 20,000 to 30,000."""
OTHER_BYTES_PER_SECOND = 30_000
"""… with any other model: a transformer on a processor, or one behind a network, does some 50 definitions a second."""

Answer = TypeVar("Answer")


class Ready(NamedTuple):
    """An open index and whether it shows the working tree as it is."""

    store: Store
    fresh: bool


class Comparison(NamedTuple):
    """What the comparison of tree and index says: `reasons` concern the whole index."""

    stale: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()

    @property
    def fresh(self) -> bool:
        return not (self.stale or self.reasons)


def answer(
    door: Door, repository: Repository, may_refresh: bool, ask: Callable[[Store], Answer]
) -> tuple[Answer, bool]:
    """Ask a fresh index and say whether it is: build a missing one, refresh a slightly stale one, warn about others."""
    compare = start_comparison(repository)  # before the store is opened: SQLite must not cross a fork
    with _open_or_build(door, repository, may_refresh) as store:
        found: Answer | None = None
        failed: CodememError | None = None
        try:
            with store.snapshot():
                found = ask(store)
        except CodememError as error:
            failed = error  # an unknown name may be in a file that is not indexed yet
        comparison = compare()
        if not _refreshed(door, repository, store, comparison, may_refresh):
            if failed is not None:
                raise failed
            assert found is not None
            return found, comparison.fresh
    with open_index(repository) as store, store.snapshot():
        return ask(store), True


def ready_index(door: Door, repository: Repository, may_refresh: bool) -> Ready:
    """Open the index for a command that asks more than one store; `answer` is quicker where one question is all."""
    compare = start_comparison(repository)
    store = _open_or_build(door, repository, may_refresh)
    comparison = compare()
    if not _refreshed(door, repository, store, comparison, may_refresh):
        return Ready(store, comparison.fresh)
    store.close()
    return Ready(open_index(repository), True)


def start_comparison(repository: Repository) -> Callable[[], Comparison]:
    """Begin to compare tree and index in a forked child, which has the other processor to itself; call to wait for it.

    A process that has threads or loaded numpy must not fork: there, and wherever the child fails, the comparison is
    made on the spot.
    """
    if not hasattr(os, "fork") or threading.active_count() > 1 or "numpy" in sys.modules:
        return lambda: compare_now(repository)
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        _report_to(writer, repository)
    os.close(writer)

    def wait() -> Comparison:
        with os.fdopen(reader, "rb") as pipe:
            content = pipe.read()
        os.waitpid(child, 0)
        try:
            stale, reasons = json.loads(content)
        except ValueError:
            return compare_now(repository)
        return Comparison(tuple(stale), tuple(reasons))

    return wait


def compare_now(repository: Repository) -> Comparison:
    """Compare the tree with the index."""
    from codemem.indexing.freshness import check_freshness

    with open_index(repository) as store:
        found: Freshness = check_freshness(repository.root, repository.settings, store)
    return Comparison(found.stale, found.reasons)


def _report_to(writer: int, repository: Repository) -> None:
    """Write the comparison into the pipe and end the child, whatever happens: nothing of the parent may run in it."""
    try:
        found = compare_now(repository)
        with os.fdopen(writer, "wb") as pipe:
            pipe.write(json.dumps([found.stale, found.reasons]).encode())
    finally:
        os._exit(0)


def _refreshed(door: Door, repository: Repository, store: Store, comparison: Comparison, may_refresh: bool) -> bool:
    """Refresh when something small changed and say so; else warn. True when the question must be asked again."""
    if comparison.fresh:
        return False
    if not may_refresh:
        _warn_stale(door, comparison, "answering from what is there (--no-refresh)")
        return False
    files, size = _work(repository, store, comparison)
    if refusal := too_much(files, size, repository.settings):
        _warn_stale(door, comparison, f"{refusal}: run `codemem index`")
        return False
    start = time.perf_counter()
    try:
        _refresh(door, repository, wait_seconds=0.0)
    except (StoreNewer, StoreCorrupt):
        raise
    except StoreError as error:
        _warn_stale(door, comparison, f"not refreshed: {error.message}")
        return False
    what = f"the index ({'; '.join(comparison.reasons)})" if comparison.reasons else _names(comparison.stale)
    say(door, f"refreshed {what} in {time.perf_counter() - start:.1f} s")
    return True


def too_much(files: int, size: int, settings: Settings) -> str:
    """Say why a refresh of so many files and bytes is not made unasked; empty when it is."""
    if files > settings.refresh_files:
        return f"{files} files are more than refresh_files = {settings.refresh_files}"
    rate = BYTES_PER_SECOND.get(settings.embedder, OTHER_BYTES_PER_SECOND)
    if size / rate > settings.refresh_seconds:
        return f"about {size / rate:.1f} s of work is more than refresh_seconds = {settings.refresh_seconds:g}"
    return ""


def _work(repository: Repository, store: Store, comparison: Comparison) -> tuple[int, int]:
    """Return how many files and bytes a refresh has to read: all of them when a reason concerns the whole index."""
    size = 0
    for path in comparison.stale:
        with suppress(OSError):  # a removed file costs nothing
            size += (repository.root / path).lstat().st_size
    if not comparison.reasons:
        return len(comparison.stale), size
    from codemem.store.files import read_hints

    sizes = [hint.size for hint in read_hints(store).values() if not hint.reason]
    return len(comparison.stale) + len(sizes), size + sum(sizes)


def _open_or_build(door: Door, repository: Repository, may_build: bool) -> Store:
    try:
        return open_index(repository)
    except NotIndexed:
        if not may_build:
            raise
    say(door, f"{_why_missing(repository)}: building it for {repository.root}")
    _refresh(door, repository, wait_seconds=BUILD_WAIT_SECONDS)
    return open_index(repository)


def _why_missing(repository: Repository) -> str:
    """Tell a store that never had an index (memories alone) from one whose index cannot be used."""
    from codemem.store import has_index, open_store, read_meta, store_path

    try:
        with open_store(store_path(repository.root)) as store:
            if not has_index(store):
                return "the index is of another version"
            return "the last index run was not finished" if read_meta(store, "state") else "no index yet"
    except NotIndexed:
        return "no index yet"


def _refresh(door: Door, repository: Repository, wait_seconds: float) -> None:
    from codemem.cli.progress import shown_progress
    from codemem.indexing import refresh

    with shown_progress(door) as progress:
        report = refresh(repository.root, repository.settings, wait_seconds=wait_seconds, progress=progress)
    for note in report.notes:
        say(door, f"note: {note}")


def _warn_stale(door: Door, comparison: Comparison, consequence: str) -> None:
    what = "; ".join(comparison.reasons) or f"{_names(comparison.stale)} changed since the index was built"
    warn(door, f"the index is stale: {what}; {consequence}")


def _names(paths: tuple[str, ...]) -> str:
    """Return `a.py, b.py` or `a.py, b.py, c.py and 4 more`."""
    more = len(paths) - SHOWN_STALE
    return ", ".join(paths[:SHOWN_STALE]) + (f" and {more} more" if more > 0 else "")
