"""Open the store for a run: finish a rescue, mend damage, and start a linked worktree from its parent's index."""

from __future__ import annotations

from pathlib import Path

from codemem.errors import CodememError, StoreCorrupt
from codemem.store import Store, create_store, store_path
from codemem.store.salvage import Salvage, finish_salvage, salvage_store
from codemem.store.seeding import copy_index
from codemem.walk import main_worktree


def open_for_run(root: Path, notes: list[str]) -> Store:
    """Open or make the store of `root`, whose writer lock is held; what was done besides goes into `notes`."""
    path = store_path(root)
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


def rescue(path: Path, error: StoreCorrupt) -> str:
    """Replace a damaged store, memories saved, and say so."""
    return told(salvage_store(path), error)


def told(salvage: Salvage, error: StoreCorrupt) -> str:
    """Put a rescue into words."""
    memories = salvage.rows.get("memory", 0)
    text = f"{error.message}: it was replaced, {memories:,} memories were saved, the damaged file is kept as {salvage.kept.name}"
    if salvage.incomplete:
        text += f"; not readable to the end: {', '.join(salvage.incomplete)}"
    return text


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
