"""Walk along resolved calls and contracts: who calls, what is called, how one gets there, who fails how."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from codemem.graph.drawing import draw_graph
    from codemem.graph.failures import Site, all_mismatches, contract_mismatches, count_untold, find_raises
    from codemem.graph.paths import Trace, trace
    from codemem.graph.walking import CallGraph, Edge, callees, callers

__all__ = [
    "CallGraph",
    "Edge",
    "Site",
    "Trace",
    "all_mismatches",
    "callees",
    "callers",
    "contract_mismatches",
    "count_untold",
    "draw_graph",
    "find_raises",
    "trace",
]

_HOMES = {
    "drawing": ("draw_graph",),
    "failures": ("Site", "all_mismatches", "contract_mismatches", "count_untold", "find_raises"),
    "paths": ("Trace", "trace"),
    "walking": ("CallGraph", "Edge", "callees", "callers"),
}
"""Module -> its part of the face, imported when a name is used: who calls needs nothing of how it fails, which loads 20 ms."""


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{home}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
