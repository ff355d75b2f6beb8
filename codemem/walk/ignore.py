"""Ignore files: git's pattern language, compiled to expressions that cannot backtrack.

A repository is untrusted input, and the usual translation of `*a*a*a*b` to a regular expression takes exponential
time. Here every wildcard but the last takes its earliest match and keeps it (an atomic group), which is enough for
globs, so a match is linear in the length of the path for each wildcard.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

GIT_IGNORE = ".gitignore"
GIT_EXCLUDE = "info/exclude"
"""In the git folder: rules of one clone."""
OWN_IGNORE = ".codememignore"
MAX_IGNORE_BYTES = 1_000_000
"""An ignore file above this is not one that a person wrote; the rest of it is not read."""
COSTLY_STARS = 4
"""Wildcards of one pattern from which git may try more combinations than anyone waits for; hardly any real one has four."""
MAX_PATTERN_LENGTH = 4_096
"""The longest path a file system takes: a longer pattern matches nothing."""
STARS = re.compile(r"\*+")

POSIX_CLASSES = {
    "alnum": "a-zA-Z0-9",
    "alpha": "a-zA-Z",
    "blank": " \\t",
    "cntrl": "\\x00-\\x1f\\x7f",
    "digit": "0-9",
    "graph": "\\x21-\\x7e",
    "lower": "a-z",
    "print": "\\x20-\\x7e",
    "punct": "!-/:-@\\[-`{-~",
    "space": " \\t\\n\\r\\f\\v",
    "upper": "A-Z",
    "xdigit": "0-9a-fA-F",
}


@dataclass(frozen=True, slots=True)
class Pattern:
    """One line of an ignore file; `anchored` ones see the path below `base`, others the last name alone."""

    base: str
    """Folder of the ignore file with a final `/`, empty for the root."""
    matches: re.Pattern[str]
    anchored: bool
    negated: bool
    folders_only: bool


@dataclass(frozen=True, slots=True)
class IgnoreRules:
    """The patterns that hold inside one folder: those of the folders above first, so the last match decides."""

    patterns: tuple[Pattern, ...] = ()

    def extended(self, text: str, folder: str) -> IgnoreRules:
        """Add the ignore file of `folder` (no final slash, empty for the root)."""
        return IgnoreRules((*self.patterns, *parse_ignore(text, folder)))

    def ignores(self, path: str, is_folder: bool) -> bool:
        """Say whether the last matching pattern excludes `path`; its parents are the caller's to ask about."""
        if not path.isascii():
            path = as_bytes(path)
        name = path.rpartition("/")[2]
        for pattern in reversed(self.patterns):
            if pattern.folders_only and not is_folder:
                continue
            subject = path[len(pattern.base) :] if pattern.anchored else name
            if pattern.matches.match(subject):
                return not pattern.negated
        return False


def parse_ignore(text: str, folder: str) -> Iterator[Pattern]:
    """Read the lines of one ignore file, as git reads them."""
    base = as_bytes(folder) + "/" if folder else ""
    for line in as_bytes(text).removeprefix("\xef\xbb\xbf").split("\n"):
        pattern = _parse_line(line.removesuffix("\r"), base)
        if pattern is not None:
            yield pattern


def ignore_text(path: Path | str) -> str | None:
    """Read an ignore file; a link is not read, as git does not."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError):
        return None
    with os.fdopen(descriptor, "rb") as file:
        try:
            return file.read(MAX_IGNORE_BYTES).decode("utf-8", "surrogateescape")
        except OSError:
            return None


def is_costly(text: str) -> bool:
    """Say whether an ignore file has patterns of so many wildcards that git may not end on them; we do."""
    return any(len(STARS.findall(line)) >= COSTLY_STARS for line in text.split("\n") if not line.startswith("#"))


def ignored_in_tree(path: str, rules_of: dict[str, IgnoreRules]) -> bool:
    """Say whether `path` or a folder above it is ignored, by the rules of the folder each stands in."""
    end = path.find("/")
    folder = ""
    while end >= 0:
        if rules_of[folder].ignores(path[:end], is_folder=True):
            return True
        folder = path[:end]
        end = path.find("/", end + 1)
    return rules_of[folder].ignores(path, is_folder=False)


def as_bytes(text: str) -> str:
    """Return one character per byte: git's `?` and `[…]` take bytes, whatever the encoding."""
    return text.encode("utf-8", "surrogateescape").decode("latin-1")


def _parse_line(line: str, base: str) -> Pattern | None:
    if line.startswith("#"):
        return None
    text = _strip_trailing_spaces(line)
    negated = text.startswith("!")
    if negated:
        text = text[1:]
    folders_only = text.endswith("/") and not text.endswith("\\/")
    if folders_only:
        text = text[:-1]
    if not text or len(text) > MAX_PATTERN_LENGTH:
        return None
    anchored = "/" in text
    text = text.removeprefix("/")
    expression = _path_expression(text) if anchored else _name_expression(text)
    if expression is None:
        return None
    try:
        return Pattern(base, _compiled(expression), anchored, negated, folders_only)
    except (re.error, OverflowError):  # a class that no expression can say matches nothing
        return None


@lru_cache(maxsize=4096)
def _compiled(expression: str) -> re.Pattern[str]:
    return re.compile(expression, re.DOTALL)


def _strip_trailing_spaces(line: str) -> str:
    """Drop spaces at the end unless a backslash keeps them."""
    end = len(line)
    while end and line[end - 1] == " " and not (end > 1 and line[end - 2] == "\\"):
        end -= 1
    return line[:end]


def _path_expression(text: str) -> str | None:
    """Translate a pattern with slashes: runs of plain segments between `**` segments."""
    # A segment of three or more stars is `**` too.
    segments = ["**" if len(segment) > 1 and not segment.strip("*") else segment for segment in text.split("/")]
    open_end = len(segments) > 1 and segments[-1] == "**"
    if open_end:
        segments.pop()
    runs: list[list[str]] = [[]]
    for segment in segments:
        if segment == "**":
            runs.append([])
        else:
            runs[-1].append(segment)
    parts: list[str] = []
    for index, run in enumerate(runs):
        translated = [_name_pieces(segment) for segment in run]
        if any(piece is None for piece in translated):
            return None
        body = "/".join(piece for piece in translated if piece is not None)
        last = index == len(runs) - 1
        if run:
            body += "/.+" if last and open_end else "" if last else "/"
        elif last:
            body = ".+"
        if index == 0:
            parts.append(body)
        elif last:
            parts.append(f"(?:[^/]+/)*?{body}\\Z")
        elif run:
            parts.append(f"(?>(?:[^/]+/)*?{body})")
    expression = "".join(parts)
    return expression if len(runs) > 1 else expression + "\\Z"


def _name_expression(text: str) -> str | None:
    pieces = _name_pieces(text)
    return None if pieces is None else pieces + "\\Z"


def _name_pieces(text: str) -> str | None:
    """Translate one segment; None when git takes it as broken (an open bracket, a lone backslash)."""
    pieces: list[str] = [""]
    for token in _tokens(text):
        if token is None:
            return None
        if token == "*":
            pieces.append("")
        else:
            pieces[-1] += token
    if len(pieces) == 1:
        return pieces[0]
    middle = "".join(f"(?>[^/]*?{piece})" for piece in pieces[1:-1] if piece)
    return f"{pieces[0]}{middle}[^/]*{pieces[-1]}"


def _tokens(text: str) -> Iterable[str | None]:
    """Yield `*` for a wildcard and an expression of exactly one character for everything else."""
    at = 0
    while at < len(text):
        character = text[at]
        at += 1
        if character == "*":
            yield "*"
        elif character == "?":
            yield "[^/]"
        elif character == "[":
            expression, at = _bracket(text, at)
            yield expression
        elif character == "\\":
            yield re.escape(text[at]) if at < len(text) else None
            at += 1
        else:
            yield re.escape(character)


def _bracket(text: str, at: int) -> tuple[str | None, int]:
    """Translate `[…]` from behind the bracket; (None, end) when it is never closed."""
    negated = at < len(text) and text[at] in "!^"
    at += negated
    members = ""
    first = True
    while True:
        if at >= len(text):
            return None, at
        if text[at] == "]" and not first:
            break
        first = False
        if text.startswith("[:", at) and (end := text.find(":]", at)) > 0:
            found = POSIX_CLASSES.get(text[at + 2 : end])
            if found is None:
                return None, at
            members += found
            at = end + 2
            continue
        low, at = _member(text, at)
        if text.startswith("-", at) and at + 1 < len(text) and text[at + 1] != "]":
            high, at = _member(text, at + 1)
            if low <= high:
                members += f"{re.escape(low)}-{re.escape(high)}"
        else:
            members += re.escape(low)
    if not members:
        return ("[^/]" if negated else "(?!)"), at + 1
    return f"(?!/)[{'^' if negated else ''}{members}]", at + 1


def _member(text: str, at: int) -> tuple[str, int]:
    """Take one character of a class, past a backslash."""
    if text[at] == "\\" and at + 1 < len(text):
        at += 1
    return text[at], at + 1
