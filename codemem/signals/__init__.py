"""Named signals and the linear model over them."""

from codemem.signals.evidence import Definition, Evidence
from codemem.signals.model import load_weights, weigh
from codemem.signals.paths import path_matches
from codemem.signals.table import PHRASES, SIGNALS, Signal, kind_standing, signal_matrix

__all__ = [
    "PHRASES",
    "SIGNALS",
    "Definition",
    "Evidence",
    "Signal",
    "kind_standing",
    "load_weights",
    "path_matches",
    "signal_matrix",
    "weigh",
]
