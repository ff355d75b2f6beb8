"""Read bare clones with git: list and read files of a commit, and the hunks of its history."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

LOG_SECONDS = 240
"""Reading a long history is cut off here; what came until then counts."""


@dataclass(frozen=True, slots=True)
class Blob:
    """One file of a commit."""

    path: str
    size: int
    sha: str


@dataclass(frozen=True, slots=True)
class Hunk:
    """What one commit made of one place: the lines around it as they are after it."""

    subject: str
    path: str
    text: str
    added: int


def git_folder(clones: Path, name: str) -> Path:
    """Return where the clone of `owner/name` lies: `owner+name/repo`."""
    return clones / name.replace("/", "+") / "repo"


def head_commit(folder: Path) -> str:
    return _git(folder, "rev-parse", "HEAD").decode().strip()


def list_blobs(folder: Path, commit: str) -> list[Blob]:
    """List the ordinary files of `commit`."""
    blobs = []
    for entry in _git(folder, "ls-tree", "-r", "-l", "-z", commit).split(b"\0"):
        if entry.startswith(b"100"):
            facts, path = entry.split(b"\t", 1)
            _, _, sha, size = facts.split()
            if size.isdigit():  # a partial clone does not hold every large file
                blobs.append(Blob(path.decode("utf-8", "replace"), int(size), sha.decode()))
    return blobs


def read_blobs(folder: Path, blobs: Sequence[Blob]) -> Iterator[tuple[Blob, str]]:
    """Read many files with one process; binary ones are left out."""
    wanted = "\n".join(blob.sha for blob in blobs).encode() + b"\n"
    output = _git(folder, "cat-file", "--batch", given=wanted)
    position = 0
    for blob in blobs:
        end = output.index(b"\n", position)
        header = output[position:end].split()
        if header[1] == b"missing":
            position = end + 1
            continue
        size = int(header[2])
        data = output[end + 1 : end + 1 + size]
        position = end + size + 2
        if b"\0" not in data[:4000]:
            yield blob, data.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")


def read_hunks(folder: Path, commit: str, commits: int) -> Iterator[list[Hunk]]:
    """Read the largest hunks of each file, one list a commit, newest first."""
    command = ["log", "-p", "--no-merges", "-w", "-U8", f"--max-count={commits}", "--format=%x01%s", commit]
    for block in _git(folder, "-c", "diff.renames=false", *command, seconds=LOG_SECONDS).split(b"\x01")[1:]:
        if len(block) < LARGEST_COMMIT:
            subject, _, patch = block.partition(b"\n")
            yield [
                _largest_hunk(subject.decode("utf-8", "replace"), part) for part in patch.split(b"\ndiff --git ")[1:]
            ]


LARGEST_COMMIT = 60_000
"""Bytes of patch: larger ones are sweeping, their subject describes no hunk."""
LEADING_LINES = 8


def _largest_hunk(subject: str, patch: bytes) -> Hunk:
    header, _, body = patch.partition(b"\n")
    path = header.decode("utf-8", "replace").rpartition(" b/")[2]
    hunks = re.split(rb"\n@@ [^\n]*@@", b"\n" + body)[1:]
    lines = max(hunks, key=_count_added, default=b"").split(b"\n")
    first = next((number for number, line in enumerate(lines) if line[:1] == b"+"), 0)
    after = [line[1:] for line in lines[max(0, first - LEADING_LINES) :] if line[:1] != b"-"]
    return Hunk(subject, path, b"\n".join(after).decode("utf-8", "replace"), _count_added(b"\n".join(lines)))


def _count_added(hunk: bytes) -> int:
    return sum(line[:1] == b"+" for line in hunk.split(b"\n"))


def _git(folder: Path, *arguments: str, given: bytes = b"", seconds: float | None = None) -> bytes:
    command = ["git", "--git-dir", str(folder), "-c", "core.quotepath=off", *arguments]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        return process.communicate(given, timeout=seconds)[0]
    except subprocess.TimeoutExpired:
        process.kill()
        return process.communicate()[0]
