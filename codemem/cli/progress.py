"""Progress on stderr: a bar with rate and time left on a terminal, a plain line now and then elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from codemem.cli.door import Door

QUIET_FIRST_SECONDS = 0.7
"""Work that ends sooner shows nothing: a bar that flashes by is noise."""
PLAIN_EVERY_SECONDS = 5.0
"""Distance of the plain lines that a log gets."""
STAGE_WORDS = {
    "walk": "looking for files",
    "parse": "reading and parsing",
    "resolve": "resolving calls",
    "lexical": "indexing words",
    "embed": "embedding",
    "store": "writing",
    "vectors": "indexing vectors",
}


class Progress(Protocol):
    """What the pipelines call: `total` 0 means that nobody knows yet."""

    def __call__(self, stage: str, done: int, total: int) -> None: ...


@contextmanager
def shown_progress(door: Door) -> Iterator[Progress | None]:
    """Give the pipeline a progress callback that suits stderr; None when the person wants quiet."""
    if door.quiet:
        yield None
    elif sys.stderr.isatty():
        bar = _Bar()
        try:
            yield bar
        finally:
            bar.close()
    else:
        yield _PlainLines()


class _PlainLines:
    """One line per stage and every few seconds, for logs and pipes."""

    def __init__(self) -> None:
        self.start = time.monotonic()
        self.last = self.start

    def __call__(self, stage: str, done: int, total: int) -> None:
        now = time.monotonic()
        if now - self.last < PLAIN_EVERY_SECONDS:
            return
        self.last = now
        amount = f": {done} of {total}" if total else f": {done}" if done else ""
        print(f"{STAGE_WORDS.get(stage, stage)}{amount} ({now - self.start:.0f} s)", file=sys.stderr, flush=True)


class _Bar:
    """Rich's bar, imported and drawn only once the work has lasted long enough to be worth a line."""

    def __init__(self) -> None:
        self.start = time.monotonic()
        self.bar: Any = None
        self.tasks: dict[str, Any] = {}
        self.shown = ""

    def __call__(self, stage: str, done: int, total: int) -> None:
        if self.bar is None:
            if time.monotonic() - self.start < QUIET_FIRST_SECONDS:
                return
            self.bar = _rich_bar()
            self.bar.start()
        if stage not in self.tasks:
            self.tasks[stage] = self.bar.add_task(STAGE_WORDS.get(stage, stage), total=total or None)
        if total:
            self.bar.update(self.tasks[stage], completed=done, total=total)
        if stage != self.shown:
            for name, task in self.tasks.items():
                self.bar.update(task, visible=name == stage)
            self.shown = stage

    def close(self) -> None:
        if self.bar is not None:
            self.bar.stop()


def _rich_bar() -> Any:
    from rich.console import Console
    from rich.progress import BarColumn, ProgressColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as RichProgress
    from rich.text import Text

    class Count(ProgressColumn):
        def render(self, task: Any) -> Text:
            return Text(f"{task.completed:,.0f}/{task.total:,.0f}" if task.total else "")

    class Rate(ProgressColumn):
        def render(self, task: Any) -> Text:
            return Text(f"{task.speed:,.0f}/s" if task.speed else "", style="dim")

    return RichProgress(
        TextColumn("{task.description:<19}"),
        BarColumn(bar_width=None),
        Count(),
        Rate(),
        TimeRemainingColumn(compact=True),
        console=Console(stderr=True),
        transient=True,
        expand=True,
    )
