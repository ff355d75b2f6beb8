"""Examine a repository's store and what it stands on; repair what is derived from the working tree."""

from __future__ import annotations

import platform
import shutil
import stat
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from codemem import __version__
from codemem.errors import CodememError, StoreCorrupt
from codemem.indexing.freshness import COMPLETE, check_freshness
from codemem.indexing.opening import rescue
from codemem.lock import lock_holder, writer_lock
from codemem.settings import Settings
from codemem.store import Store, create_store, drop_index, has_index, open_store, read_meta, store_path
from codemem.store.health import (
    count_memories,
    count_orphans,
    count_vectors,
    database_bytes,
    full_text_search,
    integrity_faults,
    sqlite_version,
)
from codemem.store.layers import forget_foreign_vectors
from codemem.store.salvage import damaged_files, rescue_path
from codemem.text import counted
from codemem.vectors import open_index
from codemem.walk import git_folders

if TYPE_CHECKING:
    from codemem.embed import Embedder

SPARE_BYTES = 200_000_000
"""Less free space than this, or than the store takes twice, and a rebuild may fail."""
LEFTOVERS = ("base-*", "export-*", "full-*", "import-*", "verify-*", "*.tmp")
"""What a killed run can leave beside the store; nothing reads it."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at; `fixable` ones are mended by `repair`."""

    severity: Literal["ok", "warning", "error"]
    name: str
    message: str
    remedy: str = ""
    fixable: bool = False


def examine(root: Path, settings: Settings) -> tuple[Finding, ...]:
    """Look at environment, store, index, vectors, memories, lock and disk; changes nothing."""
    return (*_environment(root), *_store(root, settings), *_home_store(), *_surroundings(root))


def repair(root: Path, settings: Settings, wait_seconds: float = 0.0) -> tuple[str, ...]:
    """Mend what is derived and say what was done; memories are saved from a damaged file, never dropped."""
    from codemem.indexing.home_store import mend_home_store
    from codemem.indexing.pipeline import refresh

    done = list(mend_home_store(wait_seconds))
    path = store_path(root)
    if not path.exists() and not rescue_path(path).exists():
        return tuple(done)
    with writer_lock(path.parent, "doctor --fix", wait_seconds):
        done.extend(_remove_leftovers(path.parent))
        done.extend(_close_permissions(path))
        done.extend(_mend_database(path))
        done.extend(_mend_memories(path, settings))
    report = refresh(root, settings, wait_seconds=wait_seconds, command="doctor --fix")
    done.extend(report.notes)
    if report.added or report.changed or report.removed:
        done.append(f"index refreshed: {report.added} added, {report.changed} changed, {report.removed} removed")
    return tuple(done)


def _environment(root: Path) -> Iterator[Finding]:
    yield Finding("ok", "codemem", f"{__version__} on Python {platform.python_version()}, {platform.platform()}")
    yield Finding("ok", "sqlite", sqlite_version())
    if full_text_search():
        yield Finding("ok", "fts5", "available")
    else:
        yield Finding("error", "fts5", "this SQLite has no full-text search", "use a Python whose sqlite3 has FTS5")
    git = shutil.which("git")
    if git is None:
        severity: Literal["ok", "warning"] = "warning" if git_folders(root) else "ok"
        yield Finding(severity, "git", "not installed: ignore files are read without it", "install git")
    else:
        said = subprocess.run([git, "--version"], capture_output=True, text=True, check=False).stdout.strip()
        yield Finding("ok", "git", said.removeprefix("git version "))


def _store(root: Path, settings: Settings) -> Iterator[Finding]:
    path = store_path(root)
    if rescue_path(path).exists():
        yield Finding("error", "store", "a repair was interrupted", "finish it", True)
    if not path.exists():
        yield Finding("warning", "store", f"no index at {root}", "run `codemem index`")
        return
    try:
        with open_store(path) as store:
            faults = integrity_faults(store)
            if faults:
                yield Finding(
                    "error", "store", f"damaged: {'; '.join(faults)}", "save the memories and rebuild the index", True
                )
                return
            yield Finding("ok", "store", f"{path}, {database_bytes(path):,} bytes, sound")
            yield from _index(root, settings, store)
            memories, waiting = count_memories(store)
            text = f"{memories:,}" + (f", {waiting:,} without a vector" if waiting else "")
            yield Finding("ok", "memories", text)
            yield from _memories(settings, store)
    except StoreCorrupt as error:
        yield Finding("error", "store", error.message, "save the memories and rebuild the index", True)
    except CodememError as error:
        yield Finding("error", "store", error.message, error.remedy)


def _home_store() -> Iterator[Finding]:
    """Say what is wrong with the user's own store, which holds what is seen from every repository."""
    from codemem.indexing.home_store import home_store_fault

    fault = home_store_fault()
    if isinstance(fault, StoreCorrupt):
        yield Finding("error", "user store", fault.message, "save its memories", True)
    elif fault is not None:
        yield Finding("error", "user store", fault.message, fault.remedy)


def _memories(settings: Settings, store: Store) -> Iterator[Finding]:
    """Say what `codemem memory doctor` finds in this store; what is derived is written anew by `repair`."""
    from codemem.memory.upkeep import store_faults

    for fault in store_faults(store, _embedder(settings)):
        severity: Literal["warning", "error"] = "warning" if fault.where == "vectors" else "error"
        remedy = "write it anew" if fault.mendable else "run `codemem memory doctor`"
        yield Finding(severity, "memories", f"{fault.where}: {fault.message}", remedy, fault.mendable)


def _embedder(settings: Settings) -> Embedder | None:
    from codemem.embed import load_embedder

    try:
        return load_embedder(settings.embedder)
    except CodememError:
        return None  # said by the index, which needs it first


def _index(root: Path, settings: Settings, store: Store) -> Iterator[Finding]:
    empty = has_index(store) and not read_meta(store, "state")  # cleared, or its first run never began
    if empty or not has_index(store):
        yield Finding("warning", "index", "none" if empty else "none, or one of an older version", "build it", True)
        return
    orphans = count_orphans(store)
    if read_meta(store, "state") != COMPLETE:
        yield Finding("warning", "index", "a run was interrupted", "let it finish", True)
    elif orphans:
        text = ", ".join(f"{number:,} {name}" for name, number in orphans.items())
        yield Finding("error", "index", f"orphans: {text}", "rebuild the index", True)
    else:
        yield Finding("ok", "index", f"whole, written {read_meta(store, 'indexed_at')}, no orphans")
    found = check_freshness(root, settings, store, thorough=True)
    if found.fresh:
        yield Finding("ok", "freshness", "the index is the working tree")
    else:
        text = "; ".join(
            [*found.reasons, *([f"differing: {counted(len(found.stale), 'file')}"] if found.stale else [])]
        )
        yield Finding("warning", "freshness", text, "refresh the index", True)
    yield _vectors(store)


def _vectors(store: Store) -> Finding:
    counts = count_vectors(store)
    missing = counts["cards"] - counts["cards with a vector"]
    text = f"{counts['vectors']:,} of {read_meta(store, 'model')}, {missing:,} cards without (no word that the model knows)"
    if counts["vectors of another model"]:
        number = counts["vectors of another model"]
        return Finding("error", "vectors", f"{number:,} are of another model", "embed them again", True)
    if read_meta(store, "vectors") not in ("", COMPLETE):
        return Finding("warning", "vectors", f"{missing:,} cards wait: the provider failed", "embed them", True)
    if counts["vectors without a card"]:
        number = counts["vectors without a card"]
        return Finding("warning", "vectors", f"{number:,} belong to no card", "they go with the next change")
    number = int(read_meta(store, "vectors_generation", "0"))
    dimension = int(read_meta(store, "dimension") or 0)
    folder = store.path.parent
    if any(open_index(folder, space, number, dimension) is None for space in ("files", "units")):
        return Finding("warning", "vectors", "the cache files are missing or damaged", "write them again", True)
    return Finding("ok", "vectors", text)


def _surroundings(root: Path) -> Iterator[Finding]:
    path = store_path(root)
    folder = path.parent
    if not folder.exists():
        return
    holder = lock_holder(folder)
    said = f"held by process {holder.pid} since {holder.since} ({holder.command})" if holder else "free"
    yield Finding("ok", "lock", said)
    if path.exists() and stat.S_IMODE(path.stat().st_mode) & 0o077:
        yield Finding("warning", "permissions", "other users can read the store", "close it (mode 0600)", True)
    if left := [found.name for pattern in LEFTOVERS for found in folder.glob(pattern)]:
        yield Finding("warning", "leftovers", f"of killed runs: {', '.join(sorted(left))}", "remove them", True)
    for kept in damaged_files(path):
        remedy = f"delete {kept} when nothing is missing"
        yield Finding("warning", "damaged", f"{kept.name} is kept from an earlier repair", remedy)
    free = shutil.disk_usage(folder).free
    enough = free >= max(SPARE_BYTES, 2 * database_bytes(path))
    remedy = "" if enough else "free some space: a rebuild may fail"
    yield Finding("ok" if enough else "warning", "disk", f"{free:,} bytes free", remedy)


def _remove_leftovers(folder: Path) -> Iterator[str]:
    for pattern in LEFTOVERS:
        for found in folder.glob(pattern):
            if found.is_dir() and not found.is_symlink():
                shutil.rmtree(found)
            else:
                found.unlink()
            yield f"removed {found.name}, left by a killed run"


def _close_permissions(path: Path) -> Iterator[str]:
    for file in path.parent.glob(path.name + "*"):
        if stat.S_IMODE(file.stat().st_mode) & 0o077:
            file.chmod(0o600)
            yield f"{file.name} is private again"


def _mend_memories(path: Path, settings: Settings) -> Iterator[str]:
    """Write anew what is derived from memories; the memories themselves are never touched."""
    from codemem.memory.upkeep import mend_store, store_faults

    if not path.exists():
        return
    embedder = _embedder(settings)
    with create_store(path) as store:
        if any(fault.mendable for fault in store_faults(store, embedder)):
            yield f"word index and vectors of {counted(mend_store(store, embedder), 'memory')} written anew"


def _mend_database(path: Path) -> Iterator[str]:
    """Replace a damaged file, and drop an index layer that contradicts itself."""
    try:
        with open_store(path) as store:
            faults = integrity_faults(store)
            orphans = {} if faults or not has_index(store) else count_orphans(store)
            building = has_index(store) and read_meta(store, "state") != COMPLETE
            foreign = not faults and has_index(store) and count_vectors(store)["vectors of another model"] > 0
    except StoreCorrupt as error:
        faults, orphans, building, foreign = [error.message], {}, False, False
    if faults:
        yield rescue(path, StoreCorrupt(f"the store was damaged ({faults[0]})"))
    elif orphans and not building:
        with create_store(path) as writer:
            drop_index(writer, keep_vectors=True)
        yield "the index layer contradicted itself and was dropped"
    elif foreign:
        with create_store(path) as writer, writer.transaction() as connection:
            found = forget_foreign_vectors(connection)
        yield f"{found:,} vectors of another model were dropped"
