"""Say which ignore file leaves out what, where a repository has nothing to index: a dry run shall not end at "0 files"."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from codemem.types import Skipped
from codemem.walk.git import GitFolders, git_folders, list_files, run_git
from codemem.walk.ignore import GIT_IGNORE, OWN_IGNORE, IgnoreRules, ignore_text

MOST_NAMED = 20
"""Ignored files and folders named: the first few show the rule."""


def ignored_samples(root: Path) -> list[Skipped]:
    """Name some of the files and folders that ignore files leave out, each with the file that does it."""
    folders = git_folders(root)
    named = _by_git(root, folders) if folders else _by_file(root, GIT_IGNORE, _entries(root))
    listing = list_files(root, folders) if folders else None
    others = [(path, False) for path in listing.paths] if listing else list(_entries(root))
    found = {one.path: one for one in (*_by_file(root, OWN_IGNORE, others), *named)}
    return list(found.values())[:MOST_NAMED]


def _by_git(root: Path, folders: GitFolders) -> Iterator[Skipped]:
    """Ask git what it ignores and by which line of which file."""
    listed = run_git(
        root, folders, "ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory", check=False
    )
    paths = [path for path in (listed or b"").split(b"\0") if path and not path.startswith(b".codemem/")][:MOST_NAMED]
    if not paths:
        return
    told = run_git(root, folders, "check-ignore", "-z", "-v", "--stdin", told=b"\0".join(paths) + b"\0", check=False)
    fields = (told or b"").decode("utf-8", "backslashreplace").split("\0")
    for source, line, pattern, path in zip(fields[::4], fields[1::4], fields[2::4], fields[3::4], strict=False):
        yield Skipped(path, f"ignored: {source.removeprefix(f'{root}/')}:{line} says {pattern}")


def _by_file(root: Path, name: str, entries: Iterator[tuple[str, bool]] | list[tuple[str, bool]]) -> Iterator[Skipped]:
    """Apply the root's own ignore file to paths."""
    text = ignore_text(root / name)
    if text is None:
        return
    rules = IgnoreRules().extended(text, "")
    for path, is_folder in entries:
        beginnings = [path[:at] for at, character in enumerate(path) if character == "/"]
        if rules.ignores(path, is_folder) or any(rules.ignores(folder, True) for folder in beginnings):
            yield Skipped(path + "/" * is_folder, f"ignored: {name} excludes it")


def _entries(root: Path) -> Iterator[tuple[str, bool]]:
    """Yield what stands directly in the root, by name."""
    with os.scandir(root) as found:
        for entry in sorted(found, key=lambda entry: entry.name):
            if entry.name not in (".git", ".codemem"):
                yield entry.name, entry.is_dir(follow_symlinks=False)
