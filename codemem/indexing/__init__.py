"""Keep the index of a repository: refresh it, say whether it is fresh, prove it, clear it, share it."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from codemem.indexing.clearing import clear_index
    from codemem.indexing.freshness import Freshness, check_freshness
    from codemem.indexing.pipeline import refresh
    from codemem.indexing.progress import Progress
    from codemem.indexing.verification import Verification, verify

__all__ = ["Freshness", "Progress", "Verification", "check_freshness", "clear_index", "refresh", "verify"]

_HOMES = {
    "Freshness": "freshness",
    "Progress": "progress",
    "Verification": "verification",
    "check_freshness": "freshness",
    "clear_index": "clearing",
    "refresh": "pipeline",
    "verify": "verification",
}
"""Name -> its module, imported when the name is used: a search that only asks for freshness pays for nothing else."""


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
