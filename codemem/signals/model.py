"""The linear model: weights per signal, kept in a reviewed data file beside this module."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

WEIGHTS = Path(__file__).with_name("weights.json")


@cache
def load_weights(model: str) -> dict[str, float]:
    """Return signal -> weight of a model of weights.json (`hybrid`, `keyword`)."""
    import json

    table = json.loads(WEIGHTS.read_text("utf-8"))
    return {name: float(value) for name, value in table[model].items()}


def weigh(
    matrix: NDArray[numpy.floating[Any]], names: tuple[str, ...], weights: dict[str, float]
) -> NDArray[numpy.floating[Any]]:
    """Return each signal's contribution, same shape as `matrix` (candidates, signals)."""
    import numpy as np

    contributions: NDArray[numpy.floating[Any]] = matrix * np.array([weights.get(name, 0.0) for name in names])
    return contributions
