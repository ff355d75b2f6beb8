"""Where a bare import path leads inside the repository: path aliases and packages that manifest files declare.

Manifests (`package.json`, `tsconfig.json`) give symbols like any other file: an alias or a package name bound to `=` and the
places it stands for. So what an import means depends on the names looked up here, and on nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator

from codemem.resolve.modules import (
    PACKAGE_ROOT,
    SOURCE_FOLDER,
    Module,
    imported_module,
    module_files,
    relative_module,
)
from codemem.resolve.profile import Profile, profile_of
from codemem.resolve.records import FileHead, Symbol, file_stem
from codemem.resolve.session import Session

ALIAS_BASE = "baseUrl"
"""Key that moves where the aliases of a manifest start from."""
BUILT = ("dist", "lib", "build", "out", "esm", "cjs")
"""Folders that hold what a package's sources are built to."""
SOURCES = ("src/index", "index", "lib/index")
"""Where a package begins whose manifest names only built files."""
REST = "*"


def module_of(session: Session, path: str, head: FileHead) -> Module:
    """Return the module that an import path means in a file, aliases and own packages included."""
    profile = profile_of(head.language)
    if profile.scheme and path.startswith(profile.scheme):
        return session.remember(("package", path), lambda: _by_scheme(session, path, head))
    if profile.module_file:
        return _below_module_file(session, path, head, profile)
    if profile.rooted and path.isidentifier():
        return session.remember(("rooted", path, head.language), lambda: _rooted(session, path, head))
    if not profile.manifests or path[:1] in "./":
        return imported_module(path, head)
    folder = head.path.rpartition("/")[0]
    mapped = session.remember(("mapped", path, folder, head.language), lambda: _mapped(session, path, folder, head))
    return mapped or imported_module(path, head)


def _below_module_file(session: Session, path: str, head: FileHead, profile: Profile) -> Module:
    """Return the folder of an import path by the module files; where one holds for the file, other paths are foreign."""
    known = session.remember(("module files", head.language), lambda: _module_files(session, profile))
    module = imported_module(path, head)
    for prefix, folder in known:
        if module.parts[: len(prefix)] == prefix:
            return module._replace(parts=module.parts[len(prefix) :], base=folder)
    own = tuple(head.path.split("/"))
    if any(own[: len(folder)] == folder for _, folder in known):
        return module._replace(parts=(PACKAGE_ROOT, *module.parts))
    return module


def _module_files(session: Session, profile: Profile) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """List what the module files say that import paths begin with, and their folders: the longest beginnings first."""
    paths = [path for path in session.modules(file_stem(profile.module_file)) if path.endswith(profile.module_file)]
    heads = [head for path in paths if (head := session.head(path)) and head.package]
    known = [(tuple(head.package.split("/")), tuple(head.path.split("/")[:-1])) for head in heads]
    return sorted(known, key=lambda entry: (-len(entry[0]), entry))


def _rooted(session: Session, path: str, head: FileHead) -> Module:
    """Return the file of a package of the build's own: the only one of that name at the top or among the sources."""
    files = [file for file in session.modules(path) if file.rpartition("/")[0] in ("", SOURCE_FOLDER)]
    return relative_module(files[0], head) if len(files) == 1 else imported_module(path, head)


def _by_scheme(session: Session, path: str, head: FileHead) -> Module:
    """Return the file of `package:name/path`: in the folder of that name, else the only one that has the path."""
    profile = profile_of(head.language)
    name, _, rest = path.removeprefix(profile.scheme).partition("/")
    for place in (f"{name}/{profile.scheme_folder}/{rest}", f"{profile.scheme_folder}/{rest}"):
        module = relative_module(place, head)._replace(base=None)
        files = module_files(module, session)
        if len(files) == 1:
            return relative_module(files[0], head)
    return imported_module(path, head)


def _mapped(session: Session, path: str, folder: str, head: FileHead) -> Module | None:
    places = (
        *_aliased(session, path, folder, head),
        *_packaged(session, path, head),
        *_conventional(path, folder, profile_of(head.language).folders),
    )
    for place in places:
        module = relative_module(place, head)
        if module_files(module, session):
            return module
    return None


def _aliased(session: Session, path: str, folder: str, head: FileHead) -> Iterator[str]:
    """Yield the places that the aliases of the nearest manifests give, longest alias first."""
    for alias, rest in _alias_names(path):
        rows = [row for row in _declared(session, alias, head) if f"{folder}/".startswith(_folder(row))]
        for row in sorted(rows, key=lambda row: -len(_folder(row))):
            for target in _targets(row, alias):
                yield _folder(row) + _base(session, row, head) + target.replace(REST, rest)


def _conventional(path: str, folder: str, folders: tuple[str, ...]) -> Iterator[str]:
    """Yield the places that a first part with a fixed meaning gives in the folders around, nearest first."""
    first, _, rest = path.partition("/")
    for entry in folders:
        written, _, meant = entry.partition("=")
        parts = folder.split("/") if written == first else None
        while parts is not None:
            yield "/".join(part for part in (*parts, meant, rest) if part)
            parts = parts[:-1] if parts else None


def _packaged(session: Session, path: str, head: FileHead) -> Iterator[str]:
    """Yield the places that a package of the repository may have what is imported from it."""
    parts = path.split("/")
    size = 2 if path[:1] == "@" else 1
    name, rest = "/".join(parts[:size]), "/".join(parts[size:])
    for row in _declared(session, name, head):
        folder = _folder(row)
        if rest:
            yield from (folder + rest, f"{folder}src/{rest}")
            continue
        for target in (*_targets(row, name), *SOURCES):
            yield folder + target
            first, _, inner = target.removeprefix("./").partition("/")
            if first in BUILT and inner:
                yield f"{folder}src/{inner}"


def _alias_names(path: str) -> Iterator[tuple[str, str]]:
    yield path, ""
    parts = path.split("/")
    for size in range(len(parts) - 1, 0, -1):
        yield "/".join(parts[:size]) + "/*", "/".join(parts[size:])


def _declared(session: Session, name: str, head: FileHead) -> list[Symbol]:
    """Return the declarations of an alias or package: fields of a manifest that stand for something."""
    family = profile_of(head.language).manifests
    return [row for row in session.symbols(name, family) if any(bound == name for bound, _ in row.bindings)]


def _targets(row: Symbol, name: str) -> list[str]:
    text = next((kind for bound, kind in row.bindings if bound == name), "")
    return text.removeprefix("=").split()


def _base(session: Session, row: Symbol, head: FileHead) -> str:
    for other in session.symbols(ALIAS_BASE, profile_of(head.language).manifests):
        if other.path == row.path and (targets := _targets(other, ALIAS_BASE)):
            return targets[0].strip("./") + "/" if targets[0].strip("./") else ""
    return ""


def _folder(row: Symbol) -> str:
    folder = row.path.rpartition("/")[0]
    return f"{folder}/" if folder else ""
