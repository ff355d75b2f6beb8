"""Find the folder that an index belongs to, and refuse those that are nobody's repository."""

from __future__ import annotations

import os
from pathlib import Path

from codemem.errors import BadInput
from codemem.walk.git import git_folders

STORE_MARK = Path(".codemem", "codemem.db")


def find_root(path: Path) -> Path:
    """Return the root of the repository around `path`: the nearest folder with a git work tree or an index.

    Without either it is `path` itself. A git repository that is the home folder (a place for settings) or `/` does not
    count as the repository of what lies below it. Raises `BadInput` for what cannot be indexed.
    """
    folder = _real_folder(path)
    for candidate in (folder, *folder.parents):
        if is_forbidden(candidate):
            break
        if git_folders(candidate) is not None or (candidate / STORE_MARK).is_file():
            return candidate
    if is_forbidden(folder):
        raise BadInput(f"{folder} is {_what(folder)}, not a repository", "run codemem in a project folder, or name one")
    return folder


def main_worktree(root: Path) -> Path | None:
    """Return the main work tree that a linked one was made from, None when `root` is no linked one."""
    folders = git_folders(root)
    if folders is None or folders.own == folders.common or folders.common.name != ".git":
        return None
    main = folders.common.parent
    return main if main != root and main.is_dir() else None


def is_forbidden(folder: Path) -> bool:
    """Say whether this is a home folder or the root of the file system."""
    return folder.parent == folder or folder == _home()


def _what(folder: Path) -> str:
    return "the root of the file system" if folder.parent == folder else "your home folder"


def _home() -> Path | None:
    try:
        return Path(os.path.realpath(Path.home()))
    except RuntimeError:  # no HOME and no entry for the user
        return None


def _real_folder(path: Path) -> Path:
    try:
        folder = Path(os.path.realpath(path.expanduser()))
        if folder.is_dir():
            return folder
        found = folder.exists()
    except (OSError, ValueError, RuntimeError) as error:
        raise BadInput(f"cannot use {str(path)!r} as a folder: {error}", "name an existing folder") from error
    if found:
        raise BadInput(
            f"{path} is a file, not a folder", "name the folder it stands in; --path narrows a search to a file"
        )
    raise BadInput(f"there is no folder {path}", "check the spelling, or run codemem inside the repository")
