"""Run the real command line inside the test's process: the same `main`, with streams and folder of its own."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from codemem.cli import main


@dataclass(frozen=True)
class Run:
    """What a command line left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def paths(self) -> list[str]:
        """The paths of a search's hits, in order."""
        return [hit["path"] for hit in self.json["hits"]]


def codemem(*arguments: str | Path, folder: Path, encoding: str = "utf-8", stdin: str = "") -> Run:
    """Run `codemem ARGUMENTS` in `folder`, without a terminal."""
    out = io.TextIOWrapper(io.BytesIO(), encoding=encoding, write_through=True)
    err = io.TextIOWrapper(io.BytesIO(), encoding=encoding, write_through=True)
    with _standing_in(folder), _streams(out, err, io.StringIO(stdin)):
        code = main([str(argument) for argument in arguments])
    out.flush()
    err.flush()
    return Run(code, out.buffer.getvalue().decode("utf-8"), err.buffer.getvalue().decode("utf-8"))  # type: ignore[attr-defined]


def write_files(folder: Path, files: dict[str, str | bytes]) -> Path:
    """Create files with their folders; text is written as it stands."""
    for name, content in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


@contextmanager
def _standing_in(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


@contextmanager
def _streams(out: Any, err: Any, stdin: Any) -> Iterator[None]:
    before = sys.stdout, sys.stderr, sys.stdin
    sys.stdout, sys.stderr, sys.stdin = out, err, stdin
    try:
        yield
    finally:
        sys.stdout, sys.stderr, sys.stdin = before
