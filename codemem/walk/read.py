"""Read one file as it is decided on and decoded: UTF-8, UTF-16 and UTF-32 by their marks, else what `legacy` makes of it."""

from __future__ import annotations

import codecs
import errno
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from codemem.types import FileEntry, Skipped
from codemem.walk.decide import FileStatus, decide

if TYPE_CHECKING:
    from codemem.types import SourceFile

MARKED_ENCODINGS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark is its beginning
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def read_bytes(root: Path, entry: FileEntry, max_bytes: int) -> bytes | Skipped:
    """Read the whole file, never through a link at its end, never a pipe, never more than the cap."""
    try:
        # Not blocking, so that a pipe that took the place of a file cannot hold the run.
        descriptor = os.open(root / entry.path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError) as error:
        return Skipped(entry.path, unreadable(error))
    with os.fdopen(descriptor, "rb") as file:
        try:
            mode = os.fstat(descriptor).st_mode
            if not stat.S_ISREG(mode):
                return Skipped(entry.path, "special file (pipe, socket or device)")
            data = file.read(max_bytes + 1)
        except OSError as error:
            return Skipped(entry.path, unreadable(error))
    reason = decide(entry.path, FileStatus(mode, len(data)), max_bytes, data)
    return Skipped(entry.path, reason) if reason else data


def digest(data: bytes) -> str:
    """Return the SHA-256 of the raw bytes: the truth that change detection goes by."""
    import hashlib  # loads OpenSSL, which a search does not need

    return hashlib.sha256(data).hexdigest()


def decode_source(path: str, data: bytes, sha: str = "") -> SourceFile:
    """Decode the bytes of a file and name its language."""
    from codemem.languages import detect_language
    from codemem.types import SourceFile

    content = decode(data)
    return SourceFile(path, detect_language(path, content), content, sha or digest(data))


def decode(data: bytes) -> str:
    """Return the text with `\\n` line ends: every line keeps the number that an editor shows."""
    for mark, encoding in MARKED_ENCODINGS:
        if data.startswith(mark):
            text = data[len(mark) :].decode(encoding, "replace")
            break
    else:
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            from codemem.walk.legacy import decode_legacy  # few files come here

            text = decode_legacy(data)
    if "\r" in text:
        text = _unix_lines(text)
    return text.replace("\0", " ") if "\0" in text else text


def _unix_lines(text: str) -> str:
    text = text.replace("\r\n", "\n")
    if "\r" not in text:
        return text
    # Where lines end in \n a lone \r ends none (sed and git count so); in a file without any it is the line end.
    return text.replace("\r", " ") if "\n" in text else text.replace("\r", "\n")


def unreadable(error: OSError | ValueError) -> str:
    """Say why the system did not give the file."""
    if isinstance(error, OSError) and error.errno in (errno.ELOOP, errno.EMLINK):
        return "symbolic link"
    said = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return f"unreadable: {said.lower()}"
