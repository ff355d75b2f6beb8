"""The only code that talks to SQLite: one file per repository, an index layer and a memory layer."""

from codemem.store.database import (
    STORE_FOLDER,
    Connection,
    Store,
    create_store,
    drop_index,
    has_index,
    open_store,
    read_meta,
    store_path,
    write_meta,
)
from codemem.store.faults import translated

__all__ = [
    "STORE_FOLDER",
    "Connection",
    "Store",
    "create_store",
    "drop_index",
    "has_index",
    "open_store",
    "read_meta",
    "store_path",
    "translated",
    "write_meta",
]
