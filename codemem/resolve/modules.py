"""Which files and definitions an import path means, by the styles named in calls.toml."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from codemem.resolve.profile import Profile, profile_of
from codemem.resolve.records import FileHead, Symbol, file_stem
from codemem.resolve.session import Session, split_path

SOURCE_FOLDER = "src"
PACKAGE_ROOT = "<package>"
"""Stands before an import that names a package, not a path: nothing in the repository is there."""
PATH_ALIASES = ("~", "@", "#")
"""First parts of an import that stand for a source folder; `@scope/name` is a package all the same."""


class Module(NamedTuple):
    """A module as an import names it: `parts` of the path, and for relative paths the folder they start from."""

    style: str
    parts: tuple[str, ...]
    base: tuple[str, ...] | None = None
    language: str = ""

    @property
    def shown(self) -> str:
        parts = tuple(part for part in self.parts if part != PACKAGE_ROOT)
        return "/".join(parts) if self.style in ("directory", "relative", "include") else ".".join(parts)


def imported_module(path: str, head: FileHead) -> Module:
    """Read an import path written in the file `head`."""
    profile = profile_of(head.language)
    folder = tuple(head.path.split("/")[:-1])
    style = profile.modules
    if style == "dotted" and path.startswith("."):
        up = len(path) - len(path.lstrip("."))
        base = folder[: len(folder) - up + 1] if up > 1 else folder
        return Module(style, tuple(split_path(path.lstrip("."), profile)), base, head.language)
    if style in ("relative", "include"):
        parts = split_path(path, profile)
        if path.startswith(".") or (profile.beside and ":" not in path):
            return Module(style, *_walk(parts, folder, profile), head.language)
        rest, _ = _walk([part for part in parts if part not in PATH_ALIASES], (), profile)
        if style == "relative" and len(rest) < 2 and parts[:1] == list(rest):
            rest = (PACKAGE_ROOT, *rest)
        return Module(style, rest, None, head.language)
    if style == "crate":
        return crate_module(split_path(path, profile), crate_place(head.path, "", head.language), head.language)
    return Module(style, tuple(split_path(path, profile)), None, head.language)


def relative_module(path: str, head: FileHead) -> Module:
    """Name the module at a path from the root of the repository."""
    profile = profile_of(head.language)
    return Module(profile.modules, *_walk([part for part in path.split("/") if part], (), profile), head.language)


def holds(module: Module, row: Symbol, session: Session) -> bool:
    """Tell whether a top-level definition stands in the module itself."""
    style = module.style
    if style == "package":
        owner = place_of(row)
        return owner == module.parts
    if style == "directory":
        if row.parent or row.kind == "method" or module.parts[:1] == (PACKAGE_ROOT,):
            return False
        folder = tuple(row.path.split("/")[:-1])
        if module.base is not None:
            return folder == module.base + module.parts
        return bool(folder) and module.parts[-len(folder) :] == folder
    if style == "crate":
        return not _inside_type(row) and _is_place(module, crate_place(row.path, row.parent, row.language))
    return not row.parent and row.kind != "method" and is_module(module, row.path, session)


def is_module(module: Module, path: str, session: Session) -> bool:
    """Tell whether the file is the module."""
    own = module_parts(path, module.language)
    if module.style == "crate":
        return _is_place(module, crate_place(path, "", module.language))
    if module.base is not None:
        return own == module.base + module.parts
    if not module.parts or own[-len(module.parts) :] != module.parts:
        return False
    return module.style != "dotted" or _is_root(own[: -len(module.parts)], module.language, session)


def _is_root(folder: tuple[str, ...], language: str, session: Session) -> bool:
    """Tell whether absolute imports may start in a folder: it is no package itself."""
    if not folder:
        return True
    package = "/".join(folder) + "/"
    index = profile_of(language).index
    return not any(path.rpartition("/")[0] + "/" == package and module_parts(path, language) == folder
                   for path in session.modules(folder[-1]) if index)  # fmt: skip


def module_files(module: Module, session: Session) -> list[str]:
    """List the files that are the module, for the styles where a module is a file."""
    if module.style not in ("dotted", "relative", "crate"):
        return []
    return session.remember(("files", module), lambda: _module_files(module, session))


def _module_files(module: Module, session: Session) -> list[str]:
    parts = (module.base or ()) + module.parts
    stem = parts[-1] if parts else ""
    if module.style == "crate" and len(parts) == 1:
        stem = SOURCE_FOLDER
    return [path for path in session.modules(stem) if is_module(module, path, session)]


def submodule(module: Module, name: str) -> Module:
    """Name the module `name` inside `module`."""
    return module._replace(parts=(*module.parts, name))


@lru_cache(maxsize=65536)
def module_parts(path: str, language: str) -> tuple[str, ...]:
    """Return the path without extension, an index file as its folder."""
    *folder, base = path.split("/")
    stem = file_stem(base)
    return tuple(folder) if stem in profile_of(language).index else (*folder, stem)


@lru_cache(maxsize=65536)
def crate_place(path: str, parent: str, language: str) -> tuple[str, ...]:
    """Return crate name and module path: `net/src/codec/mod.rs` gives (net, codec); modules in the file follow."""
    parts = module_parts(path, language)
    if SOURCE_FOLDER in parts:
        position = len(parts) - 1 - parts[::-1].index(SOURCE_FOLDER)
        crate = parts[position - 1].replace("-", "_") if position else SOURCE_FOLDER
        parts = (crate, *parts[position + 1 :])
    return (*parts, *(part for part in parent.split(".") if part and part[0].islower()))


def place_of(row: Symbol) -> tuple[str, ...]:
    """Return package and enclosing names of a definition as parts."""
    return _place(row.package, row.parent)


@lru_cache(maxsize=65536)
def _place(package: str, parent: str) -> tuple[str, ...]:
    text = ".".join(part for part in (package, parent) if part)
    return tuple(part for part in text.replace("#", ".").replace("\\", ".").replace("::", ".").split(".") if part)


def _walk(parts: list[str], folder: tuple[str, ...], profile: Profile) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Apply `..` to the folder and take the extension and the index name off the rest."""
    base = list(folder)
    rest: list[str] = []
    for part in parts:
        if part == ".." and not rest:
            base = base[:-1]
        elif part not in (".", ".."):
            rest.append(part)
    if rest:
        stem, dot, extension = rest[-1].rpartition(".")
        stem = file_stem(rest[-1]) if dot and stem and extension in profile.extensions else rest[-1]
        rest = rest[:-1] if stem in profile.index else [*rest[:-1], stem]
    return tuple(rest), tuple(base)


def crate_module(parts: list[str], place: tuple[str, ...], language: str) -> Module:
    """Read a path written in the module `place`: `crate::a`, `self::a`, `super::a`, or `a`, which may be a crate."""
    own = list(place)
    if parts and parts[0] == "crate":
        return Module("crate", (*own[:1], *parts[1:]), None, language)
    if not parts or parts[0] not in ("self", "super"):
        return Module("crate", tuple(parts), place, language)
    while parts and parts[0] in ("self", "super"):
        own = own[:-1] if parts[0] == "super" else own
        parts = parts[1:]
    return Module("crate", (*own, *parts), None, language)


def _is_place(module: Module, place: tuple[str, ...]) -> bool:
    """Tell whether a place is the module: from a crate's root, or from the module that names it."""
    return place == module.parts or (module.base is not None and place == module.base + module.parts)


def is_surely_own(module: Module) -> bool:
    """Tell whether a module is written as a path inside the repository."""
    return module.base is not None and module.style != "crate"


def _inside_type(row: Symbol) -> bool:
    return "#" in row.qualified_name
