"""Read what is pasted: log lines and messages, cut into fragments that their template may hold, and stack frames."""

from __future__ import annotations

import re
from typing import NamedTuple

FRAGMENT_WORDS = 3
"""Words of a log line that stand together in its template: two are chance, four are cut by a filled-in value."""
MOST_PHRASES = 40
"""Phrases and fragments that are looked for in a text: a page of log has no more to say."""
MESSAGE_WORDS = 4
"""Words of a pasted message that bears no other mark."""
_LOG_HEAD = (
    r"^\W*\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d\S*|^\W*\d\d:\d\d:\d\d\S*|^\W*[A-Z][a-z]{2}\s+\d+ \d\d:\d\d:\d\d\S*"
)
"""When a line was logged: it stands in no source. What follows in brackets, and the level, neither."""
_ERROR_HEAD = (
    r"^(?:Caused by: |Uncaught |Unhandled |Exception in thread \"[^\"]*\" |panic: |error(?:\[\w+\])?: |fatal: |"
    r"[\w.$:]*(?:Error|Exception|Warning|Failure)(?: \[\w+\])?: )+"
)
"""The kind of a pasted error, which the runtime writes before the message."""
_LOG_MARK = r"^\s*(?:\[[^\]]{0,60}\]|\b(?:ERROR|WARN(?:ING)?|INFO|DEBUG|FATAL|CRITICAL|TRACE)\b)"
_ASKING = r"^(?:how|what|where|which|who|whom|whose|why|when|is|are|does|do|did|can|could|should|find|show)\b(?!['’]t|\s+not\b)"
"""`Can't open …` and `is not callable` are said, not asked."""
_MESSAGE = (
    r"\b(?:ERROR|WARN|WARNING|INFO|DEBUG|FATAL|CRITICAL|Traceback|panic|panicked)\b|\b\w*(?:Error|Exception)\b:?|\w: \w"
)
_PASTED = rf"{_MESSAGE}|\d|[.!]$"
"""What besides tells a message from a description: values, a full stop."""
FRAME = r"(?<![\w@.+\-/\\])(?P<path>[\w@.+\-/\\]*[\w+-]\.[A-Za-z]\w{0,9})(?:[:(]|\"?,? line |, line )(?P<line>\d{1,6})"
_INNERMOST_LAST = r"most recent call last|File \".*\", line \d"


class Frame(NamedTuple):
    """One line of a stack trace or a compiler message: a file and a line in it."""

    path: str
    line: int


def without_log_head(text: str) -> str:
    """Return what a pasted log line says, without when, how grave and in which thread; other text as it is."""
    if not text[:1].isdigit() and not text.startswith(("[", "(")) and ":" not in text[:16]:
        return text
    head = re.match(_LOG_HEAD, text)
    if head is None:
        return text
    said = text[head.end() :]
    while mark := re.match(_LOG_MARK, said):
        said = said[mark.end() :]
    return said.strip(" :-") or text


def read_fragments(text: str, logged: bool = False) -> tuple[str, ...]:
    """Cut a pasted message into runs of three words; questions and names give none."""
    said = re.sub(_ERROR_HEAD, "", text, flags=re.IGNORECASE)
    spoken = said.lower().split()
    if len(spoken) < FRAGMENT_WORDS:
        return ()
    if is_asking(text) or not (logged or len(spoken) >= MESSAGE_WORDS or re.search(_MESSAGE, text)):
        return ()
    size = min(FRAGMENT_WORDS, len(spoken) - 1)
    runs = [" ".join(spoken[at : at + size]) for at in range(len(spoken) - size + 1)]
    return tuple(dict.fromkeys(runs))[:MOST_PHRASES]


def read_frames(text: str) -> tuple[Frame, ...]:
    """Return the frames of a stack trace, innermost first: Python prints that one last, everybody else first."""
    if "." not in text:
        return ()
    found = [Frame(match["path"].replace("\\", "/"), int(match["line"])) for match in re.finditer(FRAME, text)]
    return tuple(reversed(found) if re.search(_INNERMOST_LAST, text) else found)


def is_asking(text: str) -> bool:
    """Say whether a text asks, in English."""
    return text.endswith("?") or re.search(_ASKING, text, re.IGNORECASE) is not None


def is_pasted(text: str) -> bool:
    """Say whether a text is a message for sure, not the description of something."""
    return re.search(_PASTED, text) is not None
