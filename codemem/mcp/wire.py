"""What a client sends, one message a line, made readable where a client cut its text in half."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import TextIO

REPLACEMENT = r"\ufffd"
ESCAPE = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"  # a whole character beyond the first plane
    r"|(?P<half>\\u[dD][89a-fA-F][0-9a-fA-F]{2})"
    r"|\\."
)
"""The escapes of JSON one by one: in `\\\\ud83d` the backslash is escaped, and what follows is text."""


@dataclass(frozen=True, slots=True)
class Requests:
    """The lines of a stream as the SDK reads them, with half characters replaced.

    Whoever cuts a text inside an emoji writes `\\ud83d` alone. The SDK refuses such a line as a whole, its id included, so
    that no answer could name it and the agent would wait until it gives up.
    """

    stream: TextIO

    def readline(self) -> str:
        """Return the next line, empty at the end."""
        return whole_characters(self.stream.readline())


def whole_characters(line: str) -> str:
    """Replace the escape of every half of a character that stands alone; other escapes stay as they are."""
    if "\\ud" not in line and "\\uD" not in line:
        return line
    return ESCAPE.sub(lambda found: REPLACEMENT if found["half"] else found[0], line)


def requests_of_stdin() -> Requests:
    """Take the requests from this process's stdin and leave an empty one, so that no child can read a message."""
    wire = os.fdopen(os.dup(0), encoding="utf-8", errors="replace")
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    return Requests(wire)
