"""Walk along resolved calls and contracts: who calls, what is called, how one gets there, who fails how."""

from codemem.graph.drawing import draw_graph
from codemem.graph.failures import Site, all_mismatches, contract_mismatches, find_raises
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
    "draw_graph",
    "find_raises",
    "trace",
]
