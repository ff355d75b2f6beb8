"""Where the best definitions lead: a documented entry says what is asked for, and hands it on to the file that does it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from codemem.lexical.scoring import Corpus
from codemem.retrieval.unit_signals import CONTAINER_KINDS, LEAST_MEANING
from codemem.store import Store
from codemem.store.candidates import called_files, read_unit_rows

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Floats = NDArray[numpy.floating[Any]]

LOOKED_AT = 20
"""Best definitions that are followed; more of them, or fewer, say no more (10 to 60 were tried)."""
MOST_EQUAL = 40
"""With more than so many that are as good as the last of them, those are left out."""
SCORE_DIGITS = 9
COVERAGE_SHARE, MEANING_SHARE = 0.77, 0.65
"""What coverage and meaning count beside words when the best definitions are sought: as in the choice of the span."""


def find_delegates(
    store: Store, corpus: Corpus, words: Floats, coverage: Floats, cosines: Floats, files: dict[int, str]
) -> Floats:
    """Return for each candidate file (id -> path, in order) how much of what answers calls into it.

    A definition gives its share of the best one's score, divided among the n files that it calls by the root of n: what calls
    everything says little. Containers call nothing themselves.
    """
    import numpy as np

    value = words / (float(words.max(initial=0.0)) or 1.0) + COVERAGE_SHARE * coverage
    value = value + MEANING_SHARE * cosines / max(float(cosines.max(initial=0.0)), LEAST_MEANING)
    shares = {int(corpus.chunk_ids[at]): float(value[at]) for at in _best(np.round(value, SCORE_DIGITS)).tolist()}
    units = read_unit_rows(store.connection, sorted(shares))
    followed = [unit.id for unit in units.values() if unit.kind not in CONTAINER_KINDS]
    called = called_files(store.connection, followed)
    total: dict[str, float] = {}
    for chunk, paths in called.items():
        others = paths - {files.get(units[chunk].file_id, "")}
        for path in others:
            total[path] = total.get(path, 0.0) + shares[chunk] / max(shares.values()) / math.sqrt(len(others))
    return np.log1p(np.array([total.get(path, 0.0) for path in files.values()], dtype=np.float64))


def _best(value: Floats) -> NDArray[numpy.intp]:
    """Return the rows of the best values above 0; equals come together or not at all, whatever the order of the rows."""
    import numpy as np

    if len(value) <= LOOKED_AT:
        return np.flatnonzero(value > 0)
    least = max(float(np.partition(value, -LOOKED_AT)[-LOOKED_AT]), 0.0)
    together = np.flatnonzero((value >= least) & (value > 0))
    return together if len(together) <= MOST_EQUAL else np.flatnonzero(value > least)
