"""Time the stages of a run and tell a listener how far they are."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Progress = Callable[[str, int, int], None]
"""Called with (stage, done, total); total 0 means unknown."""
TELL_EVERY_SECONDS = 0.1
"""Ten updates a second look smooth and cost nothing."""


class Stages:
    """Seconds by stage, and the progress callback throttled."""

    def __init__(self, progress: Progress | None = None) -> None:
        self.seconds: dict[str, float] = {}
        self._progress = progress
        self._began = time.perf_counter()
        self._told = 0.0

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Add the time of the block to the stage."""
        if self._progress and name not in self.seconds:
            self._progress(name, 0, 0)  # a listener shows the stage before it has anything to count
        began = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - began

    def tell(self, stage: str, done: int, total: int) -> None:
        """Report progress, at most every tenth of a second and always at the end."""
        now = time.perf_counter()
        if self._progress and (done >= total > 0 or now - self._told >= TELL_EVERY_SECONDS):
            self._told = now
            self._progress(stage, done, total)

    def total(self) -> dict[str, float]:
        """Return the seconds by stage with the whole under `total`."""
        return {**self.seconds, "total": time.perf_counter() - self._began}
