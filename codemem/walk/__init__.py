"""What belongs to a repository: its root, its files, the one decision about each, and their decoded text."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from codemem.walk.decide import FileStatus, decide  # not lazily: the module has the function's name

if TYPE_CHECKING:
    from codemem.walk.checkout import changed_paths, find_commit, merge_base, write_tree
    from codemem.walk.git import GitFolders, git_folders, read_commit
    from codemem.walk.read import decode, decode_source, digest, read_bytes
    from codemem.walk.roots import find_root, is_forbidden, main_worktree
    from codemem.walk.tree import Walk, preview, walk

__all__ = [
    "FileStatus",
    "GitFolders",
    "Walk",
    "changed_paths",
    "decide",
    "decode",
    "decode_source",
    "digest",
    "find_commit",
    "find_root",
    "git_folders",
    "is_forbidden",
    "main_worktree",
    "merge_base",
    "preview",
    "read_bytes",
    "read_commit",
    "walk",
    "write_tree",
]

_HOMES = {
    "checkout": ("changed_paths", "find_commit", "merge_base", "write_tree"),
    "git": ("GitFolders", "git_folders", "read_commit"),
    "read": ("decode", "decode_source", "digest", "read_bytes"),
    "roots": ("find_root", "is_forbidden", "main_worktree"),
    "tree": ("Walk", "preview", "walk"),
}
"""Module -> its part of the face, imported when a name is used: a search needs the root only."""


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{home}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
