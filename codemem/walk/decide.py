"""The one decision about a file: indexed, or skipped for a reason that a person reads.

Change detection and indexing both ask `decide`, first with what the file system says and then with the bytes.
"""

from __future__ import annotations

import stat
from typing import NamedTuple

from codemem.roles import is_prose

BINARY_HEAD = 8_000
"""Bytes looked at for a NUL: git's own rule for what is binary."""
CONTROL_SHARE = 0.05
"""More control characters than this are no text: compressed data has a tenth, text in any encoding nearly none."""
LONG_LINE = 1_000
"""Nobody writes lines of this many bytes; bundlers and encoders do."""
LONG_SHARE = 0.5
"""Skipped when more than this share of the file stands in long lines …"""
SPACE_SHARE = 0.12
"""… and they hold fewer spaces than prose does (English has one in six; minified code one in thirty)."""
WRITTEN_LINES = 100
"""A file with more ordinary lines than this is a source file with embedded data, and is indexed."""
CODE_MARKS = 0.08
"""Share of marks that are neither in numbers nor in encoded text: minified code has .11 to .28, data at most .05."""
WRITTEN_BESIDE_DATA, WRITTEN_BESIDE_CODE = 3, 10
"""Lines of source, comments left out, for each long one that make a shorter file one that a person wrote: a bundle has a
banner and at most the few lines of a wrapper around its code."""
MINIFIED_FROM = 2_000
"""Below this size a long line does no harm."""

LOCK_FILES = frozenset(
    {
        ".terraform.lock.hcl",
        "Cargo.lock",
        "Cartfile.resolved",
        "Gemfile.lock",
        "Gopkg.lock",
        "Package.resolved",
        "Pipfile.lock",
        "Podfile.lock",
        "bun.lock",
        "cabal.project.freeze",
        "composer.lock",
        "conda-lock.yml",
        "deno.lock",
        "flake.lock",
        "glide.lock",
        "go.sum",
        "gradle.lockfile",
        "mix.lock",
        "npm-shrinkwrap.json",
        "package-lock.json",
        "packages.lock.json",
        "pdm.lock",
        "pixi.lock",
        "pnpm-lock.yaml",
        "poetry.lock",
        "pubspec.lock",
        "pylock.toml",
        "rebar.lock",
        "renv.lock",
        "shard.lock",
        "stack.yaml.lock",
        "symfony.lock",
        "uv.lock",
        "yarn.lock",
    }
)
"""What package managers write: nothing in them was written by a person, and their names and hashes drown real hits."""
SKIPPED_NAMES = dict.fromkeys(LOCK_FILES, "generated: lock file of a package manager")
SKIPPED_ENDINGS = {
    ".css.map": "generated: source map",
    ".js.map": "generated: source map",
    ".min.cjs": "minified, by its name",
    ".min.css": "minified, by its name",
    ".min.js": "minified, by its name",
    ".min.mjs": "minified, by its name",
}
SIGNATURES = {
    b"%PDF-": "binary: PDF",
    b"%!PS-Adobe": "binary: PostScript",
    b"\x1f\x8b": "binary: gzip",
    b"version https://git-lfs.github.com/spec/": "pointer of git LFS: the content is not here",
}
TEXT_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
"""Byte order marks: what begins with one is text, NUL bytes or not."""
_ENDINGS = tuple(SKIPPED_ENDINGS)
_NO_MARKS = bytes(range(48, 58)) + bytes(range(65, 91)) + bytes(range(97, 123)) + b" \t+-_/=.,\\'\""
_CONTROLS = bytes(byte for byte in range(32) if byte not in b"\t\n\v\f\r\b\x1b") + b"\x7f"


class FileStatus(NamedTuple):
    """What lstat says about a path, and where a symbolic link leads (`link` is None for other files)."""

    mode: int
    size: int
    link: str | None = None


def decide(path: str, status: FileStatus, max_bytes: int, data: bytes | None = None) -> str:
    """Return why the file is not indexed, empty when it is; without `data` what only the bytes can tell stays open."""
    return _by_status(path, status, max_bytes) or ("" if data is None else _by_content(path, data))


def _by_status(path: str, status: FileStatus, max_bytes: int) -> str:
    if status.link is not None:
        return status.link
    if not stat.S_ISREG(status.mode):
        return "special file (pipe, socket or device)"
    if not path.isascii() and any("\udc80" <= character <= "\udcff" for character in path):
        return "name is not valid UTF-8"
    name = path.rpartition("/")[2]
    reason = SKIPPED_NAMES.get(name, "")
    if not reason and name.endswith(_ENDINGS):
        reason = next(why for ending, why in SKIPPED_ENDINGS.items() if name.endswith(ending))
    if not reason and status.size > max_bytes:
        reason = f"too large: {status.size:,} bytes, the limit is {max_bytes:,} (max_file_bytes)"
    return reason


def _by_content(path: str, data: bytes) -> str:
    if data.startswith(TEXT_MARKS):
        return ""
    head = data[:BINARY_HEAD]
    for signature, reason in SIGNATURES.items():
        if head.startswith(signature):
            return reason
    if b"\0" in head:
        return "binary"
    if len(head) - len(head.translate(None, _CONTROLS)) > CONTROL_SHARE * len(head):
        return "binary"
    return _minified(path, data)


def _minified(path: str, data: bytes) -> str:
    """Recognise minified and encoded text by its lines: long, dense, and nearly all there is."""
    if len(data) < MINIFIED_FROM or data.count(b"\n") > WRITTEN_LINES + len(data) // LONG_LINE:
        return ""
    lines = data.splitlines()
    long_lines = [line for line in lines if len(line) > LONG_LINE]
    written = sum(1 for line in lines if 0 < len(line) <= LONG_LINE)
    if written > WRITTEN_LINES or sum(map(len, long_lines)) <= LONG_SHARE * len(data):
        return ""
    text = b"".join(long_lines)
    ascii_share = len(text.translate(None, bytes(range(128, 256)))) / len(text)
    # Scripts without spaces are told by their bytes: three of four are not ASCII.
    if ascii_share < LONG_SHARE or text.count(b" ") > SPACE_SHARE * len(text):
        return ""
    from codemem.languages import known_by_name  # only few files come this far

    is_code = len(text.translate(None, _NO_MARKS)) > CODE_MARKS * len(text)
    beside = WRITTEN_BESIDE_CODE if is_code else WRITTEN_BESIDE_DATA
    if (known_by_name(path) or is_prose(path)) and _source_lines(lines) >= beside * len(long_lines):
        return ""
    return f"minified or encoded: lines of up to {max(map(len, long_lines)):,} characters"


def _source_lines(lines: list[bytes]) -> int:
    """Count the ordinary lines that are no comments of the kind that stands above a bundle."""
    found = 0
    in_comment = False
    for line in lines:
        text = line.strip()
        if in_comment or text.startswith(b"/*"):
            in_comment = b"*/" not in text
        elif 0 < len(line) <= LONG_LINE and text and not text.startswith(b"//"):
            found += 1
    return found
