"""The signals by which the unit of a file that answers is chosen: one row a unit, one column a signal.

Words and meaning count as shares of the file's best unit: which file is right was decided before. How much each counts is
data: `span` in signals/weights.json, learned by `benchmarks.quality.learn_spans`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from codemem.store.candidates import CandidateUnit

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Floats = NDArray[numpy.floating[Any]]

SPAN_SIGNALS = (
    "words", "coverage", "meaning", "named", "answer", "lines", "container", "large_container", "bare", "preamble",
    "inner_test",
)  # fmt: skip
CONTAINER_KINDS = frozenset({"class", "interface", "enum", "type", "module"})
"""A container mentions what its members do."""
BARE_KINDS = frozenset({"field", "constant", "prototype", "macro"})
"""A declaration names a thing and does nothing with it."""
LARGE_CONTAINER = 20
"""Lines from which on a container loses with its length."""
LEAST_MEANING = 0.2
"""Cosine of the best unit below which no unit means the same."""


class FileUnits(NamedTuple):
    """The units of one file that may be shown, and what the arms say of each: parallel."""

    units: Sequence[CandidateUnit]
    words: Floats
    """BM25."""
    coverage: Floats
    """Share of the question's information."""
    cosines: Floats
    nameless: Sequence[bool]
    """Whether the unit stands outside definitions; at the top of a file these are licence, imports, what the module is about."""
    named: Sequence[float]
    """How clearly the question names it, 0 when it does not."""
    sure: Sequence[bool]
    """Whether the question writes its name, or a fact points to it: its kind is no reason to doubt it."""
    inner_tests: Sequence[bool]
    """Whether it stands in the tests that a source file holds itself, and no tests are asked for."""
    answers: Sequence[float]
    """How much a fact or a stack frame speaks for it."""


def span_matrix(file: FileUnits) -> Floats:
    """Return the signals of a file's units, shape (units, SPAN_SIGNALS)."""
    import numpy as np

    shapes = [_shape(*row) for row in zip(file.units, file.nameless, file.inner_tests, file.sure, strict=True)]
    matrix: Floats = np.column_stack(
        (
            _share(file.words, 0.0),
            _share(file.coverage, 0.0),
            _share(file.cosines, LEAST_MEANING),
            np.array(file.named),
            np.array(file.answers),
            np.array(shapes, dtype=np.float64).reshape(len(shapes), len(SPAN_SIGNALS) - 5),
        )
    )
    return matrix


def _share(values: Floats, least: float) -> Floats:
    best = max(float(values.max(initial=0.0)), least)
    return values / best if best > 0 else values


def _shape(unit: CandidateUnit, nameless: bool, inner_test: bool, sure: bool) -> tuple[float, ...]:
    """Return length and kind; what is meant for sure is not doubted for its kind."""
    length = math.log1p(unit.end_line - unit.start_line)
    if sure:
        return (length, 0.0, 0.0, 0.0, 0.0, 0.0)
    container = unit.kind in CONTAINER_KINDS
    return (
        length,
        float(container),
        max(0.0, length - math.log(LARGE_CONTAINER)) * container,
        float(unit.kind in BARE_KINDS),
        float(nameless and unit.start_line == 1),
        float(inner_test),
    )
