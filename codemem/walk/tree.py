"""List the files of a repository: what git says, or what ignore files say where there is no git.

Rules that hold everywhere: links are never followed (their target is indexed where it stands, if it is inside);
`.codemem` is never looked into; a submodule or nested repository is a repository of its own, skipped and listed
unless the setting `submodules` takes it in, each by its own git. In a folder that is no repository, the repositories
below it are taken in, each as its own git lists it.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from codemem.settings import Settings
from codemem.types import FileEntry, Problem, Skipped
from codemem.walk.decide import FileStatus, decide
from codemem.walk.git import git_folders, list_files, list_tracked, read_commit
from codemem.walk.ignore import GIT_EXCLUDE, GIT_IGNORE, OWN_IGNORE, IgnoreRules, ignore_text, ignored_in_tree
from codemem.walk.read import read_bytes, unreadable

OWN_FOLDER = ".codemem"
ALWAYS_OUT = frozenset({".git", OWN_FOLDER, ".hg", ".svn", ".jj"})
"""Folders of version control and of codemem itself."""
DERIVED_FOLDERS = frozenset(
    {
        ".gradle",
        ".mypy_cache",
        ".nox",
        ".pytest_cache",
        ".ruff_cache",
        ".tox",
        "__pycache__",
        "bower_components",
        "node_modules",
    }
)
"""Where no git says what is a project's own, these hold what tools put there."""
ENVIRONMENT_MARK = "pyvenv.cfg"


class Walk(NamedTuple):
    """All files to index, sorted by path, and those that are not, with the reason."""

    files: tuple[FileEntry, ...]
    skipped: tuple[Skipped, ...]
    commit: str = ""
    problems: tuple[Problem, ...] = ()


class _Listing(NamedTuple):
    """One run of listing: where, by which settings, and what is noted on the way."""

    root: Path
    settings: Settings
    skipped: list[Skipped]
    problems: list[Problem]


def walk(root: Path, settings: Settings) -> Walk:
    """List the repository at `root`; nothing is opened but ignore files."""
    run = _Listing(root, settings, [], [])
    folders = git_folders(root)
    files = _examine(root, _listed(run, ""), settings.max_file_bytes, run.skipped)
    files.sort(key=lambda entry: entry.path)
    run.skipped.sort(key=lambda entry: entry.path)
    return Walk(tuple(files), tuple(run.skipped), read_commit(folders) if folders else "", tuple(run.problems))


def preview(root: Path, settings: Settings) -> Walk:
    """List the repository as `index` would take it: every file is read and decided on, none is parsed."""
    found = walk(root, settings)
    files: list[FileEntry] = []
    skipped = list(found.skipped)
    for entry in found.files:
        reading = read_bytes(root, entry, settings.max_file_bytes)
        if isinstance(reading, Skipped):
            skipped.append(reading)
        else:
            files.append(entry)
    if not files:
        from codemem.walk.ignored import ignored_samples  # only an empty list asks which ignore file made it so

        skipped += ignored_samples(root)
    skipped.sort(key=lambda skip: skip.path)
    return Walk(tuple(files), tuple(skipped), found.commit, found.problems)


def _listed(run: _Listing, prefix: str) -> Iterator[str]:
    """Yield the paths of the repository at `prefix` (final slash, empty for the root), relative to the root."""
    place = run.root / prefix if prefix else run.root
    folders = git_folders(place)
    listing, why = None, ""
    if folders:
        try:
            listing = list_files(place, folders)
            why = "" if listing else "git is not installed"
        except TimeoutError as error:
            listing, why = list_tracked(place, folders), str(error)
    if why:
        run.problems.append(Problem(prefix or ".", "walk", f"{why}: ignore files were read without it"))
    if listing is None:
        yield from _scanned(run, prefix)
        return
    yield from _not_ignored(place, prefix, listing.paths)
    repositories = dict(listing.repositories)
    if why:
        tracked = {prefix + path for path in listing.paths}
        yield from (path for path in _scanned(run, prefix, repositories) if path not in tracked)
    for path, kind in repositories.items():
        inner = prefix + path
        if run.settings.submodules and git_folders(run.root / inner) is not None:
            yield from _listed(run, inner + "/")
        else:
            reason = f"{kind}: index it by itself, or set submodules = true"
            run.skipped.append(Skipped(inner + "/", reason))


def _not_ignored(place: Path, prefix: str, paths: Iterable[str]) -> Iterator[str]:
    """Leave out what `.codememignore` files exclude; git's own rules were git's to apply."""
    folders = _folders_of(paths)
    rules = {"": IgnoreRules()}
    found = False
    for folder in sorted(folders, key=lambda name: (name.count("/"), name)):
        inherited = rules[folder.rpartition("/")[0]] if folder else IgnoreRules()
        text = ignore_text(f"{place}/{folder}/{OWN_IGNORE}")
        found = found or text is not None
        rules[folder] = inherited if text is None else inherited.extended(text, folder)
    for path in paths:
        if found and ignored_in_tree(path, rules):
            continue
        if not path.startswith(OWN_FOLDER + "/"):
            yield prefix + path


def _folders_of(paths: Iterable[str]) -> set[str]:
    folders = {""}
    for path in paths:
        folder = path.rpartition("/")[0]
        while folder not in folders:
            folders.add(folder)
            folder = folder.rpartition("/")[0]
    return folders


def _scanned(run: _Listing, prefix: str, repositories: dict[str, str] | None = None) -> Iterator[str]:
    """Walk folders without git: nested `.gitignore` and `.codememignore`, each as git reads it.

    Repositories below are listed with the rest, or noted in `repositories` (path below `prefix` -> kind).
    """
    waiting = [(prefix, _excluded(run.root / prefix, prefix), IgnoreRules())]
    while waiting:
        folder, git_rules, own_rules = waiting.pop()
        place = run.root / folder if folder else run.root
        try:
            with os.scandir(place) as found:
                entries = sorted(found, key=lambda entry: entry.name)
        except OSError as error:
            run.skipped.append(Skipped(folder or "./", f"folder {unreadable(error)}"))
            continue
        base = folder.removesuffix("/")
        names = {entry.name for entry in entries}
        git_text = ignore_text(place / GIT_IGNORE) if GIT_IGNORE in names else None
        own_text = ignore_text(place / OWN_IGNORE) if OWN_IGNORE in names else None
        git_rules = git_rules if git_text is None else git_rules.extended(git_text, base)
        own_rules = own_rules if own_text is None else own_rules.extended(own_text, base)
        for entry in entries:
            path = folder + entry.name
            is_folder = entry.is_dir(follow_symlinks=False)
            if (
                (is_folder and entry.name in ALWAYS_OUT)
                or git_rules.ignores(path, is_folder)
                or own_rules.ignores(path, is_folder)
            ):
                continue
            if not is_folder:
                yield path
            elif git_folders(run.root / path) is not None:
                if repositories is None:
                    yield from _listed(run, path + "/")
                else:
                    repositories.setdefault(path.removeprefix(prefix), "nested repository")
            elif entry.name in DERIVED_FOLDERS or (run.root / path / ENVIRONMENT_MARK).exists():
                run.skipped.append(Skipped(path + "/", "dependencies or caches of a tool"))
            else:
                waiting.append((path + "/", git_rules, own_rules))


def _excluded(place: Path, prefix: str) -> IgnoreRules:
    """Return the rules that stand in the git folder of a repository, if it is one."""
    folders = git_folders(place)
    text = ignore_text(folders.common / GIT_EXCLUDE) if folders else None
    return IgnoreRules() if text is None else IgnoreRules().extended(text, prefix.removesuffix("/"))


def _examine(root: Path, paths: Iterable[str], max_bytes: int, skipped: list[Skipped]) -> list[FileEntry]:
    """Look at every path once (lstat: 3 microseconds each, twice that from threads) and keep the files to index."""
    files: list[FileEntry] = []
    real: dict[str, bool] = {"": True}
    prefix = f"{root}/" if root.parent != root else "/"
    for path in paths:
        folder = path.rpartition("/")[0]
        if folder not in real:
            _mark_real(prefix, folder, real)
        if not real[folder]:
            continue  # git lists what it tracks even where a link has taken the folder's place
        try:
            found = os.lstat(prefix + path)
        except FileNotFoundError:
            continue  # tracked, and deleted in the work tree
        except (OSError, ValueError) as error:
            skipped.append(Skipped(shown(path), unreadable(error)))
            continue
        link = _link_reason(root, prefix + path) if (found.st_mode & 0o170000) == 0o120000 else None
        reason = decide(path, FileStatus(found.st_mode, found.st_size, link), max_bytes)
        if reason:
            skipped.append(Skipped(shown(path), reason))
        else:
            files.append(FileEntry(path, found.st_size, found.st_mtime_ns, found.st_ino, found.st_ctime_ns))
    return files


def _mark_real(prefix: str, folder: str, real: dict[str, bool]) -> None:
    """Note whether `folder` and all above it are folders and no links."""
    parent = folder.rpartition("/")[0]
    if parent not in real:
        _mark_real(prefix, parent, real)
    try:
        real[folder] = (
            real[parent]
            and ".." not in folder.split("/")
            and (os.lstat(prefix + folder).st_mode & 0o170000) == 0o040000
        )
    except (OSError, ValueError):
        real[folder] = False


def _link_reason(root: Path, path: str) -> str:
    """Say where a link leads without reading what is there."""
    try:
        target = os.path.realpath(path, strict=True)
    except OSError as error:
        return "symbolic link to itself" if error.errno == errno.ELOOP else "symbolic link to nothing"
    if os.path.commonpath((root, target)) != str(root):
        return "symbolic link out of the repository"
    return "symbolic link: its target is indexed where it stands"


def shown(path: str) -> str:
    """Return the path as text that any output can carry: bytes that are no UTF-8 as `\\xff`."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
