"""The one record of the recipe: a question-like text and what answers it, as one JSON list a line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple


class Pair(NamedTuple):
    """`query` is answered by the other fields; which of them form the document is drawn anew at every training step."""

    kind: str
    """documentation, name, comment, test, commit, file (code) or heading, passage, translation (prose)."""
    language: str
    path: str
    query: str
    names: str = ""
    scope: str = ""
    card: str = ""
    """Signature and calls, as on an interface card; on a file card its symbols."""
    code: str = ""
    """The code itself, or the prose that answers."""
    rest: str = ""
    """What the documentation says after the sentence that became the query."""


PROSE_KINDS = frozenset({"heading", "passage", "translation"})


def write_pairs(path: Path, pairs: Iterable[Pair]) -> int:
    """Write pairs under a temporary name, then rename; return how many."""
    temporary = path.with_suffix(".tmp")
    count = 0
    with temporary.open("w", encoding="utf-8") as stream:
        for pair in pairs:
            text = json.dumps(pair, ensure_ascii=False)
            stream.write(text.encode("utf-8", "replace").decode("utf-8") + "\n")
            count += 1
    temporary.replace(path)
    return count


def read_pairs(path: Path) -> Iterator[Pair]:
    with path.open(encoding="utf-8") as stream:
        for line in stream:
            yield Pair(*json.loads(line))
