"""Remove the index of a repository and leave what people wrote."""

from __future__ import annotations

from pathlib import Path

from codemem.lock import writer_lock
from codemem.settings import Settings
from codemem.store import create_store, drop_index, store_path


def clear_index(root: Path, settings: Settings, wait_seconds: float = 0.0) -> None:
    """Drop the index layer and its cache files; memories and sessions stay where they are."""
    from codemem.vectors import clear_caches

    path = store_path(root)
    if not path.exists():
        return
    with writer_lock(path.parent, "clear", wait_seconds), create_store(path) as store:
        drop_index(store)
        clear_caches(path.parent)
        store.connection.execute("VACUUM")
