"""The user's own store, which every repository shares: whether it can be read, and its rescue."""

from __future__ import annotations

from collections.abc import Iterator

from codemem.errors import StoreCorrupt, StoreError
from codemem.indexing.opening import rescue
from codemem.lock import writer_lock
from codemem.memory.stores import HOME_STORE, home_folder
from codemem.store import open_store
from codemem.store.health import integrity_faults
from codemem.store.salvage import finish_salvage, rescue_path


def home_store_fault() -> StoreError | None:
    """Return why the user's own store cannot be used; None when it is sound or there is none."""
    path = home_folder() / HOME_STORE
    if rescue_path(path).exists():
        return StoreCorrupt(f"a repair of {path} was interrupted")
    if not path.exists():
        return None
    try:
        with open_store(path) as store:
            faults = integrity_faults(store)
    except StoreError as error:
        return error
    return StoreCorrupt(f"the store {path} is damaged: {'; '.join(faults)}") if faults else None


def mend_home_store(wait_seconds: float = 0.0) -> Iterator[str]:
    """Replace the user's own store when it is damaged, its memories saved, and say so."""
    if not isinstance(home_store_fault(), StoreCorrupt):
        return
    path = home_folder() / HOME_STORE
    with writer_lock(path.parent, "doctor --fix", wait_seconds):
        if finish_salvage(path):
            yield "an interrupted repair of the user's own store was finished"
        fault = home_store_fault()
        if isinstance(fault, StoreCorrupt):
            yield rescue(path, fault)
