"""The step before every answer: an index that is there and fresh, or a clear word that it is not."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from codemem.cli.door import Door, Repository, open_index, say, warn
from codemem.errors import NotIndexed, StoreCorrupt, StoreError, StoreNewer

if TYPE_CHECKING:
    from codemem.indexing.freshness import Freshness
    from codemem.store import Store

BUILD_WAIT_SECONDS = 600.0
"""How long a first search waits for another process that is building the index: the first build of a large one."""
SHOWN_STALE = 3
"""Names of changed files in a remark; more would hide the result."""


@dataclass(frozen=True, slots=True)
class Ready:
    """An open index, whether it shows the working tree as it is, and the paths where it does not."""

    store: Store
    fresh: bool
    stale: tuple[str, ...] = ()


def ready_index(door: Door, repository: Repository, may_refresh: bool = True) -> Ready:
    """Open the index; build a missing one, refresh a slightly stale one, warn about a very stale one."""
    store = _open_or_build(door, repository, may_refresh)
    return settled(door, repository, store, start_check(repository), may_refresh)


def start_check(repository: Repository) -> Callable[[], Freshness]:
    """Compare the working tree with the index in a thread, while imports go on; call the result to wait for it."""
    from codemem.indexing.freshness import check_freshness

    found: list[Freshness | BaseException] = []

    def check() -> None:
        try:
            with open_index(repository) as own:  # a connection of its own: this is another thread
                found.append(check_freshness(repository.root, repository.settings, own))
        except BaseException as error:
            found.append(error)  # raised again where it is waited for

    thread = threading.Thread(target=check, daemon=True)
    thread.start()

    def wait() -> Freshness:
        thread.join()
        if isinstance(found[0], BaseException):
            raise found[0]
        return found[0]

    return wait


def settled(
    door: Door, repository: Repository, store: Store, check: Callable[[], Freshness], may_refresh: bool
) -> Ready:
    """Act on the comparison: nothing to do, a small refresh that is announced, or a warning."""
    freshness = check()
    if freshness.fresh:
        return Ready(store, True)
    stale = freshness.stale
    if not may_refresh:
        _warn_stale(door, stale, freshness.reasons, "answering from what is there (--no-refresh)")
        return Ready(store, False, stale)
    if _work(store, freshness) > repository.settings.refresh_files:
        _warn_stale(door, stale, freshness.reasons, "run `codemem index`")
        return Ready(store, False, stale)
    store.close()
    try:
        _refresh(door, repository, wait_seconds=0.0)
        say(door, "refreshed " + (_names(stale) or "; ".join(freshness.reasons)))
    except (StoreNewer, StoreCorrupt):
        raise
    except StoreError as error:
        _warn_stale(door, stale, (), f"not refreshed: {error.message}")
        return Ready(open_index(repository), False, stale)
    return Ready(open_index(repository), True)


def _work(store: Store, freshness: Freshness) -> int:
    """Return how many files a refresh has to look into: all of them when a reason concerns the whole index."""
    from codemem.store.files import count_rows

    return len(freshness.stale) + (count_rows(store)["files"] if freshness.reasons else 0)


def _open_or_build(door: Door, repository: Repository, may_build: bool) -> Store:
    try:
        return open_index(repository)
    except NotIndexed:
        if not may_build:
            raise
    say(door, f"no index yet: building it for {repository.root}")
    _refresh(door, repository, wait_seconds=BUILD_WAIT_SECONDS)
    return open_index(repository)


def _refresh(door: Door, repository: Repository, wait_seconds: float) -> None:
    from codemem.cli.progress import shown_progress
    from codemem.indexing import refresh

    with shown_progress(door) as progress:
        report = refresh(repository.root, repository.settings, wait_seconds=wait_seconds, progress=progress)
    for note in report.notes:
        say(door, f"note: {note}")


def _warn_stale(door: Door, stale: tuple[str, ...], reasons: tuple[str, ...], consequence: str) -> None:
    what = "; ".join(reasons) or f"{_names(stale)} changed since the index was built"
    warn(door, f"the index is stale: {what}; {consequence}")


def _names(paths: tuple[str, ...]) -> str:
    """Return `a.py, b.py` or `a.py, b.py, c.py and 4 more`."""
    more = len(paths) - SHOWN_STALE
    return ", ".join(paths[:SHOWN_STALE]) + (f" and {more} more" if more > 0 else "")
