"""The arguments of a call as the source spells them: texts, found again by line and callee."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from codemem.resolve.expressions import GENERICS, argument_texts, closing
from codemem.types import Call

Lines = Callable[[], Sequence[str]]

LONGEST = 40
"""Lines that the arguments of one call may take."""


class Written:
    """The source of one file, read when the first call asks for it."""

    def __init__(self, lines: Lines | None) -> None:
        self._source = lines
        self._lines: Sequence[str] | None = None

    def line(self, number: int) -> str:
        """Return a line by its number, empty when there is none."""
        if self._lines is None:
            self._lines = self._source() if self._source is not None else ()
        return self._lines[number - 1] if 0 < number <= len(self._lines) else ""

    def arguments(self, call: Call, alike: Sequence[Call]) -> list[tuple[str, ...]]:
        """Return the argument texts of a call, of each one where equal calls in a row are one; [] when they cannot be told.

        `alike` are the calls of that name on its line, in evaluation order.
        """
        if self._source is None or not call.arguments:
            return []
        if self._lines is None:
            self._lines = self._source()
        text = "\n".join(self._lines[call.line - 1 : call.line - 1 + LONGEST])
        if call.repeat > 1:
            fitting = [texts for texts in _calls(text, len(text), call) if len(texts) == call.arguments]
            return fitting[: call.repeat] if len(fitting) >= call.repeat else []
        first = len(self._lines[call.line - 1]) if call.line <= len(self._lines) else 0
        found = _calls(text, first, call)
        if len(found) == len(alike):
            texts = found[next(at for at, other in enumerate(alike) if other is call)]
            return [texts] if len(texts) == call.arguments else []
        fitting = [texts for texts in found if len(texts) == call.arguments]
        return fitting[:1] if len(set(fitting)) == 1 else []


def _calls(text: str, first: int, call: Call) -> list[tuple[str, ...]]:
    """Return the arguments of each call of that name whose name stands before `first`, in evaluation order."""
    found: list[tuple[int, tuple[str, ...]]] = []
    for match in re.finditer(rf"(?<![\w$]){re.escape(call.callee)}(?![\w$])", text[:first]):
        at = match.end()
        if generics := GENERICS.match(text, at):
            at = generics.end()
        while at < len(text) and text[at].isspace():
            at += 1
        if at >= len(text) or text[at] not in "({":
            continue
        texts: tuple[str, ...] = ()
        if text[at] == "(":
            end = closing(text, at)
            if end < 0:
                continue
            texts, at = argument_texts(text[at + 1 : end - 1]), end
        rest = text[at:].lstrip(" ")
        if rest.startswith("{") and len(texts) + 1 == call.arguments:
            texts = (*texts, "{}")
        found.append((at, texts))
    return [texts for _, texts in sorted(found)]
