"""Open the store for a run: finish a rescue, mend damage, and start a linked worktree from its parent's index."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from codemem.errors import CodememError, StoreCorrupt
from codemem.store import Store, create_store, store_path
from codemem.store.salvage import Salvage, finish_salvage, salvage_store
from codemem.store.seeding import copy_index
from codemem.walk import main_worktree

BUILT_BESIDE = ("export-", "full-", "import-", "verify-")
"""Beginnings of folders in which a run that holds the writer lock builds something."""


def open_for_run(root: Path, notes: list[str]) -> Store:
    """Open or make the store of `root`, whose writer lock is held; what was done besides goes into `notes`."""
    path = store_path(root)
    _sweep(path.parent)
    if finish_salvage(path):
        notes.append("an interrupted repair of the store was finished")
    fresh = not path.exists()
    try:
        store = create_store(path)
    except StoreCorrupt as error:
        notes.append(rescue(path, error))
        store = create_store(path)
    if fresh:
        _seed(root, store, notes)
    return store


def _sweep(folder: Path) -> None:
    """Remove what killed runs built beside the store: whoever builds there holds the writer lock, as this run does."""
    try:
        left = [Path(entry.path) for entry in os.scandir(folder) if entry.name.startswith(BUILT_BESIDE)]
    except OSError:
        return
    for place in left:
        shutil.rmtree(place, ignore_errors=True)


def rescue(path: Path, error: StoreCorrupt) -> str:
    """Replace a damaged store, memories saved, and say so."""
    salvage = salvage_store(path)
    if salvage.carved:
        _index_words(path)
    return told(salvage, error)


def told(salvage: Salvage, error: StoreCorrupt) -> str:
    """Put a rescue into words."""
    memories = salvage.rows.get("memory", 0)
    text = f"{error.message}: it was replaced, {memories:,} memories were saved, the damaged file is kept as {salvage.kept.name}"
    if salvage.incomplete:
        text += f"; not readable to the end: {', '.join(salvage.incomplete)}"
    if salvage.carved:
        text += f"; {salvage.carved:,} rows were read straight from its pages"
    return text


def _index_words(path: Path) -> None:
    """Write the word index of memories that were read from pages."""
    from codemem.memory.stores import Stores
    from codemem.memory.upkeep import mend

    with create_store(path) as store:
        mend(Stores(store, None))


def _seed(root: Path, store: Store, notes: list[str]) -> None:
    """Take over what the main work tree has parsed and embedded: equal files need neither again."""
    main = main_worktree(root)
    if main is None or not store_path(main).exists():
        return
    try:
        copied = copy_index(store_path(main), store)
    except CodememError:
        return  # a parent that cannot be read saves no time, and costs nothing but that
    if copied:
        notes.append(f"started from the index of the main work tree {main}")
