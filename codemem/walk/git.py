"""Ask git what belongs to a work tree: once, with nothing from the environment or the repository deciding how."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from codemem.errors import BadInput
from codemem.walk.ignore import GIT_EXCLUDE, GIT_IGNORE, ignore_text, is_costly

QUICK_SECONDS = 2.0
"""A hundred thousand files are listed in less; a listing that takes longer has its ignore files looked at."""
LISTING_SECONDS = 90.0
"""A million files from a cold disk are listed in less; patterns like `*a*a*a*a*b` take git longer than anyone lives."""
SUBMODULE_MODE = "160000"
COMMIT_LENGTHS = (40, 64)
"""Hexadecimal digits of a SHA-1 and of a SHA-256 commit."""


class GitFolders(NamedTuple):
    """Where a work tree keeps its state; `common` differs from `own` in a linked worktree."""

    own: Path
    common: Path


class Listing(NamedTuple):
    """What git lists: files, and the submodules and nested repositories it does not look into (no final slash)."""

    paths: tuple[str, ...]
    repositories: tuple[tuple[str, str], ...]


def git_folders(root: Path) -> GitFolders | None:
    """Find the git folder of a work tree by reading `.git`, as git does: a folder, or a file that names one."""
    marker = root / ".git"
    if marker.is_dir():
        return GitFolders(marker, marker) if (marker / "HEAD").exists() else None
    try:
        text = marker.read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    if not text.startswith("gitdir:"):
        return None
    own = root / text.removeprefix("gitdir:").strip()
    if not (own / "HEAD").exists():
        return None
    try:
        common = own / (own / "commondir").read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError):
        common = own
    return GitFolders(Path(os.path.normpath(own)), Path(os.path.normpath(common)))


def list_files(root: Path, folders: GitFolders) -> Listing | None:
    """Return `git ls-files --cached --others --exclude-standard` of the work tree; None when git is not installed.

    Raises TimeoutError when git takes so long that its ignore files must be read for it.
    """
    all_files = ("--others", "--exclude-standard")
    try:
        return _listed(root, folders, all_files, QUICK_SECONDS)
    except TimeoutError:
        if _has_costly_patterns(root, folders):
            raise
    return _listed(root, folders, all_files, LISTING_SECONDS)


def list_tracked(root: Path, folders: GitFolders) -> Listing | None:
    """Return what git tracks, for which it reads no ignore file; None when git is not installed."""
    return _listed(root, folders, (), None)


def _listed(root: Path, folders: GitFolders, more: tuple[str, ...], seconds: float | None) -> Listing | None:
    # `--stage` lists what is cached with its mode, `-t` tells those lines from untracked names.
    output = run_git(root, folders, "ls-files", "-z", "-t", "--stage", *more, timeout=seconds)
    if output is None:
        return None
    paths: dict[str, None] = {}
    repositories: dict[str, str] = {}
    for entry in output.decode("utf-8", "surrogateescape").split("\0"):
        if entry.startswith("? "):
            if entry.endswith("/"):
                repositories[entry[2:-1]] = "nested repository"
            else:
                paths[entry[2:]] = None
        elif entry:
            head, _, path = entry.partition("\t")
            if head.split(" ")[1] == SUBMODULE_MODE:
                repositories[path] = "submodule"
            else:
                paths[path] = None  # the three stages of a conflict are one path
    return Listing(tuple(paths), tuple(repositories.items()))


def _has_costly_patterns(root: Path, folders: GitFolders) -> bool:
    """Look through the ignore files that a repository brings with it, in ignored folders as well."""
    if is_costly(ignore_text(folders.common / GIT_EXCLUDE) or ""):
        return True
    for place, inner, names in os.walk(root):
        inner[:] = [name for name in inner if name != ".git"]
        if GIT_IGNORE in names and is_costly(ignore_text(f"{place}/{GIT_IGNORE}") or ""):
            return True
    return False


def read_commit(folders: GitFolders) -> str:
    """Return the commit that HEAD names, empty before the first one."""
    head = _read(folders.own / "HEAD")
    for _ in range(5):  # symbolic references point on at most so often in git, too
        if not head.startswith("ref:"):
            break
        name = head.removeprefix("ref:").strip()
        head = _read(folders.own / name) or _read(folders.common / name) or _packed(folders.common, name)
    return head if len(head) in COMMIT_LENGTHS and all(digit in "0123456789abcdef" for digit in head) else ""


def _packed(common: Path, name: str) -> str:
    for line in _read(common / "packed-refs").splitlines():
        commit, _, reference = line.partition(" ")
        if reference == name:
            return commit
    return ""


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return ""


def run_git(
    root: Path,
    folders: GitFolders,
    *arguments: str,
    environment: Mapping[str, str] | None = None,
    check: bool = True,
    told: bytes = b"",
    timeout: float | None = None,
) -> bytes | None:
    """Run git on exactly this work tree; a hook's GIT_* variables and a hostile `core.worktree` change nothing.

    `told` is what it reads from its standard input.
    Returns None when git is not installed, or when it fails and `check` is off; raises TimeoutError after `timeout` seconds.
    """
    import subprocess

    variables = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    variables |= {"LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0", **(environment or {})}
    command = ["git", f"--git-dir={folders.own}", f"--work-tree={root}"]
    # A repository's own configuration may name a program to run as file system monitor.
    command += ["-c", "core.fsmonitor=false", "-c", "core.untrackedCache=keep", *arguments]
    try:
        done = subprocess.run(
            command, cwd=root, env=variables, capture_output=True, input=told, check=False, timeout=timeout
        )
    except FileNotFoundError:
        return None
    except subprocess.TimeoutExpired as error:
        raise TimeoutError(f"git {arguments[0]} took more than {timeout:.0f} s") from error
    if done.returncode == 0:
        return done.stdout
    if not check:
        return None
    message = done.stderr.decode("utf-8", "replace").strip().splitlines()
    said = message[-1] if message else f"exit code {done.returncode}"
    raise BadInput(
        f"git {arguments[0]} failed in {root}: {said}", "repair the git repository, then run the command again"
    )
