"""The only code that talks to SQLite: one file per repository, an index layer and a memory layer."""

from codemem.store.connection import Connection, Store
from codemem.store.database import STORE_FOLDER, create_store, open_store, store_path
from codemem.store.faults import translated
from codemem.store.index_layer import drop_index, has_index, read_meta, write_meta

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
