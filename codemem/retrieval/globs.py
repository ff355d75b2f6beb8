"""Globs over paths, compiled to expressions that cannot backtrack exponentially, as ignore files are in `walk`.

What stands between two `**` is found at its earliest place and kept, and so is what stands between two `*` of one
folder: a later place leaves less of the path to match, so nothing is missed. Only the last stretch, which must end
where a name ends, tries more than one place: a match is at most quadratic in the length of the path.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

TOKEN = re.compile(
    r"(?P<folders>(?:(?<=/)|^)(?:\*{2,}/)+)|(?P<all>\*{2,})|(?P<star>\*)|(?P<class>\[!?[^\]/]+\])|(?P<one>.)", re.DOTALL
)
BELOW = "(?:/.*)?"
"""A pattern that fits a folder fits everything in it."""
LEADS = {"folders": "(?:[^/]+/)*?", "all": ".*?"}


@lru_cache(maxsize=256)
def compiled_glob(pattern: str) -> re.Pattern[str]:
    """Return what matches the whole path of each file that is the pattern, fits it, or lies below what does.

    `*` and `?` stay within a folder, `**` does not; a pattern without `/` fits in every folder.
    """
    pattern = pattern.removeprefix("./").rstrip("/")
    if not any(character in pattern for character in "*?["):
        return re.compile(re.escape(pattern) + BELOW, re.DOTALL)
    *stretches, last = _stretches(pattern if "/" in pattern else f"**/{pattern}")
    kept = "".join(f"(?>{lead}{pieces[0]}{_found(pieces[1:])})" for lead, pieces in stretches)
    lead, pieces = last
    end = f"{_found(pieces[1:-1])}[^/]*{pieces[-1]}" if len(pieces) > 1 else ""
    return re.compile(f"{kept}{lead}{pieces[0]}{end}{BELOW}", re.DOTALL)


def _found(pieces: list[str]) -> str:
    """Find each piece at its earliest place behind the one before, in the same folder."""
    return "".join(f"(?>[^/]*?{piece})" for piece in pieces)


def _stretches(pattern: str) -> Iterator[tuple[str, list[str]]]:
    """Yield what stands between the `**`, each with what leads to it and its pieces between single stars."""
    lead, pieces = "", [""]
    for token in TOKEN.finditer(pattern):
        kind, text = str(token.lastgroup), token.group()
        if kind in LEADS:
            yield lead, pieces
            lead, pieces = LEADS[kind], [""]
        elif kind == "star":
            pieces.append("")
        elif kind == "class":
            pieces[-1] += _class(text[1:-1])
        else:
            pieces[-1] += "[^/]" if text == "?" else re.escape(text)
    yield lead, pieces


def _class(members: str) -> str:
    """Translate the inside of `[…]`; a range that runs backwards holds nothing."""
    negated = members.startswith("!")
    parts: list[str] = []
    for low, high in re.findall(r"(.)(?:-(.))?", members[negated:], re.DOTALL):
        if not high:
            parts.append(re.escape(low))
        elif low <= high:
            parts.append(f"{re.escape(low)}-{re.escape(high)}")
    if not parts:
        return "[^/]" if negated else "(?!)"
    return f"(?!/)[{'^' if negated else ''}{''.join(parts)}]"
