"""The neighbourhood of what answers: the files that the best definitions call, and the files that call them.

A documented entry hands on to the file that does it; a mechanism uses the parts that are named like the question.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from codemem.lexical.scoring import Corpus
from codemem.retrieval.unit_signals import CONTAINER_KINDS, LEAST_MEANING
from codemem.store import Store
from codemem.store.candidates import called_files, calling_files, read_unit_rows

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Floats = NDArray[numpy.floating[Any]]

LOOKED_AT = 20
"""Best definitions that are followed; more of them, or fewer, say no more (10 to 60 were tried)."""
MOST_EQUAL = 40
"""With more than so many that are as good as the last of them, those are left out."""
MOST_CALLS = 500
"""Calls of a definition beyond which it is a tool of all: its callers are not read."""
SCORE_DIGITS = 9
COVERAGE_SHARE, MEANING_SHARE = 0.77, 0.65
"""What coverage and meaning count beside words when the best definitions are sought: as in the choice of the span."""


class Neighbourhood(NamedTuple):
    """For each candidate file, logarithms."""

    called: Floats
    """How much of the best definitions calls into it."""
    calling: Floats
    """How much of the best definitions it calls."""


def find_neighbourhood(
    store: Store, corpus: Corpus, words: Floats, coverage: Floats, cosines: Floats, files: dict[int, str]
) -> Neighbourhood:
    """Follow the calls of the best definitions both ways; `files` are the candidates, id -> path, in order.

    A definition gives its share of the best one's score, divided among its n files by the root of n: what calls everything, or is
    called by everything, says little. Containers call nothing themselves.
    """
    import numpy as np

    value = words / (float(words.max(initial=0.0)) or 1.0) + COVERAGE_SHARE * coverage
    value = value + MEANING_SHARE * cosines / max(float(cosines.max(initial=0.0)), LEAST_MEANING)
    shares = {int(corpus.chunk_ids[at]): float(value[at]) for at in _best(np.round(value, SCORE_DIGITS)).tolist()}
    units = read_unit_rows(store.connection, sorted(shares))
    routines = [unit.id for unit in units.values() if unit.kind not in CONTAINER_KINDS]
    own = {unit.id: files.get(unit.file_id, "") for unit in units.values()}
    calling = {chunk: calling_files(store.connection, chunk, MOST_CALLS) for chunk in units}
    return Neighbourhood(
        _shared(called_files(store.connection, routines), own, shares, files), _shared(calling, own, shares, files)
    )


def _shared(
    found: Mapping[int, set[str]], own: Mapping[int, str], shares: Mapping[int, float], files: Mapping[int, str]
) -> Floats:
    """Divide the share of each definition among its files, its own left out."""
    import numpy as np

    best = max(shares.values(), default=1.0)
    total: dict[str, float] = {}
    for chunk, paths in found.items():
        others = paths - {own[chunk]}
        for path in others:
            total[path] = total.get(path, 0.0) + shares[chunk] / best / math.sqrt(len(others))
    return np.log1p(np.array([total.get(path, 0.0) for path in files.values()], dtype=np.float64))


def _best(value: Floats) -> NDArray[numpy.intp]:
    """Return the rows of the best values above 0; equals come together or not at all, whatever the order of the rows."""
    import numpy as np

    if len(value) <= LOOKED_AT:
        return np.flatnonzero(value > 0)
    least = max(float(np.partition(value, -LOOKED_AT)[-LOOKED_AT]), 0.0)
    together = np.flatnonzero((value >= least) & (value > 0))
    return together if len(together) <= MOST_EQUAL else np.flatnonzero(value > least)
