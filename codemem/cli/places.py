"""How paths of the index are named for a person who stands in some folder."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path


def path_from_here(root: Path, here: Path) -> Callable[[str], str]:
    """Return how to name an indexed path so that an editor started in this folder finds it.

    From outside of the repository paths stay relative to its root, as in JSON.
    """
    here = here.resolve()
    if here == root or not here.is_relative_to(root):
        return str
    return lambda path: os.path.relpath(root / path, here)
