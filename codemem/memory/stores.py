"""Open the stores that hold memories: the project's own and the user's, and know which project this is."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from codemem.errors import NotIndexed, StoreError
from codemem.identity import now_ms
from codemem.store import Store, create_store, open_store, store_path
from codemem.store.migrations import has_memory
from codemem.store.projects import read_project, write_project
from codemem.types import Memory, Scope
from codemem.walk.git import git_folders
from codemem.walk.roots import main_worktree

HOME_VARIABLE = "CODEMEM_HOME"
"""Folder of the user's own store; default: the platform's data folder."""
HOME_STORE = "global.db"
PROJECT_ID_LENGTH = 16
REMOTE_URL = r"(?m)^\s*url\s*=\s*(\S+)"


@dataclass(frozen=True, slots=True)
class Stores:
    """The open stores of one context; None where there is nothing yet or it cannot be read."""

    project: Store | None
    home: Store | None
    project_id: str = ""
    degraded: tuple[str, ...] = ()
    failures: tuple[StoreError, ...] = ()
    """Why a store that is there could not be opened; `degraded` says the same in words."""

    def __iter__(self) -> Iterator[Store]:
        return iter(self.readable())

    def scope(self, tenant: str = "default", cubes: tuple[str, ...] = ()) -> Scope:
        """Return what a caller of this project sees."""
        return Scope(tenant, cubes, self.project_id)

    def readable(self, visibility: str = "") -> list[Store]:
        """Return the open stores of a visibility, of both when it is empty."""
        wanted = {"project": (self.project,), "global": (self.home,)}.get(visibility, (self.project, self.home))
        return [store for store in wanted if store is not None]

    def of(self, visibility: str) -> Store:
        """Return the store that holds memories of this visibility."""
        store = self.home if visibility == "global" else self.project
        if store is None:
            raise StoreError(f"no {visibility} memory is kept here", "run the command inside the repository")
        return store

    def holding(self, memory: Memory) -> Store:
        return self.of(memory.visibility)


@contextmanager
def open_memories(
    root: Path | None, write: bool = False, home: Path | None = None, make: tuple[str, ...] = ("project", "global")
) -> Iterator[Stores]:
    """Open the project's and the user's memories; a missing or unreadable one is left out and named in `degraded`.

    With `write` those of the visibilities in `make` are made when missing. Linked work trees share those of their main one.
    """
    owner = memory_root(root) if root is not None else None
    paths = (store_path(owner) if owner is not None else None, (home or home_folder()) / HOME_STORE)
    opened: list[Store | None] = []
    failures: list[StoreError] = []
    try:
        for visibility, path in zip(("project", "global"), paths, strict=True):
            opened.append(_open(path, write, visibility in make, failures))
        identity = ""
        if owner is not None and opened[0] is not None:
            identity = _identify(opened[0], owner, write)
        degraded = tuple(f"{failure.message}; {failure.remedy}" for failure in failures)
        yield Stores(opened[0], opened[1], identity, degraded, tuple(failures))
    finally:
        for store in opened:
            if store is not None:
                store.close()


def memory_root(root: Path) -> Path:
    """Return the folder whose store holds the memories of the repository at `root`."""
    return main_worktree(root) or root


def home_folder() -> Path:
    """Return the folder of the user's own store."""
    chosen = os.environ.get(HOME_VARIABLE)
    if chosen:
        return Path(chosen)
    from platformdirs import user_data_path

    return user_data_path("codemem")


def project_identity(root: Path) -> str:
    """Return the identity that a repository gets when it is first seen: a hash of its canonical root."""
    import hashlib

    return hashlib.sha256(str(root).encode("utf-8", "surrogateescape")).hexdigest()[:PROJECT_ID_LENGTH]


def with_cube(scope: Scope, *cubes: str) -> Scope:
    """Return `scope` narrowed to these cubes."""
    return replace(scope, cubes=cubes)


def _open(path: Path | None, write: bool, make: bool, failures: list[StoreError]) -> Store | None:
    if path is None:
        return None
    if write and (make or path.exists()):
        return create_store(path)
    try:
        store = open_store(path)
    except NotIndexed:
        return None
    except StoreError as error:
        failures.append(error)
        return None
    if not has_memory(store):
        store.close()
        return None
    return store


def _identify(store: Store, root: Path, write: bool) -> str:
    """Return this project's identity; a store found at a new path moved with its checkout and keeps the one it has."""
    known = read_project(store)
    if known is not None and known.path == str(root):
        return known.id
    identity = known.id if known is not None else project_identity(root)
    if write:
        with store.transaction(durable=True) as connection:
            write_project(connection, identity, str(root), _remote(root), now_ms())
    return identity


def _remote(root: Path) -> str:
    """Return the URL of the first remote in the repository's configuration, without credentials."""
    folders = git_folders(root)
    if folders is None:
        return ""
    try:
        text = (folders.common / "config").read_text("utf-8", "replace")
    except OSError:
        return ""
    from codemem.redact import redact

    found = re.search(REMOTE_URL, text)
    return redact(found[1]).text if found else ""
