"""The writer lock: one writer at a time, known by name, gone with its process."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from codemem.errors import StoreBusy, StoreError

LOCK_NAME = "writer.lock"
POLL_SECONDS = 0.05
"""How often a waiting writer looks again: shorter than anyone notices, and free."""
SHOWN_COMMAND = 200
"""Characters of the holder's command line that are kept."""
MAX_HOLDER_BYTES = 4096

_held: set[int] = set()


@dataclass(frozen=True, slots=True)
class Holder:
    """Who holds the lock, as it wrote itself into the lock file."""

    pid: int
    host: str
    since: str
    command: str


@contextmanager
def writer_lock(folder: Path, command: str = "", wait_seconds: float = 0.0) -> Iterator[None]:
    """Hold the writer lock of the store in `folder`; raises `StoreBusy`, naming the holder, when it cannot be had.

    The lock is the kernel's (flock), so it cannot outlive its process, however that dies; what stands in the file only
    says who it is. Forked children close their copy, so a worker that survives its parent holds nothing.
    """
    descriptor = _open(folder)
    try:
        deadline = time.monotonic() + wait_seconds
        while not _try_lock(descriptor):
            if time.monotonic() >= deadline:
                raise StoreBusy(
                    f"another index run is active: {_said(_read_holder(descriptor))}", "wait for it with --wait"
                )
            time.sleep(POLL_SECONDS)
        _held.add(descriptor)
        _write_holder(descriptor, command)
        yield
    finally:
        _held.discard(descriptor)
        os.close(descriptor)


def lock_holder(folder: Path) -> Holder | None:
    """Return who holds the writer lock now, None when it is free."""
    try:
        descriptor = os.open(folder / LOCK_NAME, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        return None
    try:
        return None if _try_lock(descriptor) else _read_holder(descriptor)
    finally:
        os.close(descriptor)


def _open(folder: Path) -> int:
    if folder.is_symlink():
        raise StoreError(f"{folder} is a symbolic link", "remove it: codemem keeps its store inside the repository")
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return os.open(folder / LOCK_NAME, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    except OSError as error:
        remedy = "check the permissions of the folder, or search with --no-refresh"
        raise StoreError(f"cannot write in {folder}: {error.strerror or error}", remedy) from error


def _try_lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in (errno.EAGAIN, errno.EACCES, errno.EINTR):
            return False
        raise StoreError(
            f"the file system cannot lock: {error.strerror}", "keep the repository on a local disk"
        ) from error
    return True


def _write_holder(descriptor: int, command: str) -> None:
    shown = command or " ".join([Path(sys.argv[0]).name, *sys.argv[1:]])
    holder = {
        "pid": os.getpid(),
        "host": socket.gethostname(),
        "since": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": shown[:SHOWN_COMMAND],
    }
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, json.dumps(holder).encode(), 0)


def _read_holder(descriptor: int) -> Holder | None:
    try:
        found = json.loads(os.pread(descriptor, MAX_HOLDER_BYTES, 0))
        return Holder(int(found["pid"]), str(found["host"]), str(found["since"]), str(found["command"]))
    except (ValueError, KeyError, TypeError):
        return None  # it holds the lock and has not said so yet


def _said(holder: Holder | None) -> str:
    if holder is None:
        return "a process that has just begun"
    return f"process {holder.pid} on {holder.host} since {holder.since} ({holder.command})"


def _forget_in_child() -> None:
    for descriptor in _held:
        os.close(descriptor)
    _held.clear()


os.register_at_fork(after_in_child=_forget_in_child)
