"""Where a bare symbol that nothing here defines comes in: the files that import it, and those that only hand it on."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from codemem.question import Question
from codemem.signals import Definition
from codemem.store import Store
from codemem.store.candidates import CandidateFile, files_calling, imports_of
from codemem.store.code import read_content

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Floats = NDArray[numpy.floating[Any]]

MOST_READ = 60
"""Files whose text is read for what they do with the symbol: each must be unpacked."""


def find_imports(
    store: Store, question: Question, files: tuple[CandidateFile, ...], definitions: dict[int, tuple[Definition, ...]]
) -> tuple[Floats, Floats]:
    """Mark the files that import the bare symbol asked for and those that do nothing else with it; none when it is defined."""
    import numpy as np

    importing, handing_on = np.zeros(len(files)), np.zeros(len(files))
    if not question.symbol or any(one.exact_case for found in definitions.values() for one in found):
        return importing, handing_on
    name = question.names[0].text
    imports = imports_of(store.connection, name)
    calling = files_calling(store.connection, name) if imports else set()
    # What stands in quotes is a list of exported names.
    mention = re.compile(rf"(?<![\w'\"]){re.escape(name)}(?![\w'\"])")
    left = MOST_READ
    for at, file in enumerate(files):
        if file.id not in imports:
            continue
        importing[at] = 1.0
        if file.id not in calling and left:
            left -= 1
            handing_on[at] = len(mention.findall(read_content(store.connection, file.id))) <= imports[file.id]
    return importing, handing_on
