"""Ask the universe with memory: answers are cached over all files of a run, and every name asked for is recorded."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from operator import attrgetter
from typing import Any, TypeVar, cast

from codemem.resolve.profile import Profile, profile_of
from codemem.resolve.records import FileHead, Symbol, Universe, imports_name, module_name, module_stem
from codemem.types import Import

T = TypeVar("T")
MANY_ROWS = 8
"""Definitions of one name from which on they are worth sorting by file."""
OPENING = "."
"""An alias that is no name: all names of the module are bound."""
PARENT, PATH = attrgetter("parent"), attrgetter("path")


class _Known:
    """A remembered value, the names that it took, and the last recording that has these names."""

    __slots__ = ("names", "recorded", "value")

    def __init__(self, value: Any, names: tuple[str, ...], recorded: int) -> None:
        self.value = value
        self.names = names
        self.recorded = recorded


class Session:
    """The universe during one run: its answers do not change, so what was worked out for one file serves the next."""

    def __init__(self, universe: Universe) -> None:
        self._universe = universe
        self._symbols: dict[str, dict[str, tuple[Symbol, ...]]] = defaultdict(dict)
        self._inside: dict[str, dict[str, dict[str, tuple[Symbol, ...]]]] = defaultdict(dict)
        self._at: dict[str, dict[str, dict[str, tuple[Symbol, ...]]]] = defaultdict(dict)
        self._heads: dict[str, FileHead | None] = {}
        self._modules: dict[str, Sequence[str]] = {}
        self._bound: dict[str, dict[str, list[Import]]] = {}
        self._importing: dict[str, tuple[str, ...]] = {}
        """What is consulted for the imports of a file that other files give it."""
        self._memory: dict[Hashable, _Known] = {}
        self._here: dict[Hashable, _Known] = {}
        self._path = ""
        self._recording = 0
        self._recordings = 0
        self.asked: set[Hashable] = set()
        """Types whose supertypes are just being looked for."""
        self.consulted: set[str] = set()

    def enter_file(self, path: str) -> None:
        """Begin with a file: what is remembered about places in it alone is forgotten after it."""
        self._path = path
        self._here = {}
        self.record_in(set())

    def leave_file(self) -> None:
        """Forget what is remembered about places in the last file."""
        self.enter_file("")

    def record_in(self, consulted: set[str]) -> None:
        """Add the names that are asked for from now on to a set."""
        self.consulted = consulted
        self._recordings += 1
        self._recording = self._recordings

    def symbols(self, name: str, family: str) -> tuple[Symbol, ...]:
        """Return the definitions of `name` in the languages of one family."""
        self.consulted.add(name)
        found = self._symbols[family].get(name)
        if found is None:
            rows = self._universe.symbols(name)
            found = self._symbols[family][name] = tuple(
                row for row in rows if profile_of(row.language).family == family
            )
        return found

    def symbols_inside(self, name: str, family: str, parent: str) -> tuple[Symbol, ...]:
        """Return those of `symbols` that stand in a definition of the qualified name `parent`, or at the top for an empty one."""
        return self.symbols_by_parent(name, family).get(parent, ())

    def symbols_by_parent(self, name: str, family: str) -> dict[str, tuple[Symbol, ...]]:
        """Return `symbols` by the qualified name of the definition that they stand in, empty at the top."""
        self.consulted.add(name)
        found = self._inside[family].get(name)
        if found is None:
            found = self._inside[family][name] = _grouped(self.symbols(name, family), PARENT)
        return found

    def symbols_at(self, name: str, family: str, path: str) -> tuple[Symbol, ...]:
        """Return those of `symbols` that stand in a file."""
        rows = self.symbols(name, family)
        if len(rows) < MANY_ROWS:
            return tuple([row for row in rows if row.path == path]) if rows else rows
        found = self._at[family].get(name)
        if found is None:
            found = self._at[family][name] = _grouped(rows, PATH)
        return found.get(path, ())

    def head(self, path: str) -> FileHead | None:
        """Return the package and imports of a file."""
        self.consulted.add(imports_name(path))
        if path not in self._heads:
            self._heads[path] = self._universe.head(path)
        return self._heads[path]

    def bound(self, head: FileHead) -> dict[str, list[Import]]:
        """Return the imports of a file by the name they bind there; `*` holds those that open a whole module."""
        found = self._bound.get(head.path)
        if found is None:
            profile = profile_of(head.language)
            found = self._bound[head.path] = bound_names(head, profile)
            for other in self._importing_for(head, profile) if profile.global_imports else ():
                for name, entries in bound_names(other, profile).items():
                    found.setdefault(name, []).extend(entries)
        elif names := self._importing.get(head.path):
            self.consulted.update(names)
        return found

    def _importing_for(self, head: FileHead, profile: Profile) -> list[FileHead]:
        """Return the files whose imports hold for this one: those of the nearest folder above that has some."""
        paths = [path for stem in profile.global_imports for path in self.modules(stem) if path != head.path]
        near = {path: folder for path in paths if (head.path + "/").startswith(folder := _project_folder(path))}
        deepest = max((len(folder) for folder in near.values()), default=0)
        nearest = [path for path, folder in sorted(near.items()) if len(folder) == deepest]
        self._importing[head.path] = (*map(module_name, profile.global_imports), *map(imports_name, nearest))
        others = [self.head(path) for path in nearest]
        return [other for other in others if other is not None and other.language == head.language]

    def modules(self, stem: str) -> Sequence[str]:
        """Return the files whose module is called `stem`."""
        self.consulted.add(module_name(stem))
        found = self._modules.get(stem)
        if found is None:
            found = self._modules[stem] = self._universe.modules(stem)
        return found

    def remember(self, key: Hashable, work_out: Callable[[], T], path: str = "") -> T:
        """Return the value of `key`, worked out once; the names that it took are recorded each time.

        `path` is the file whose places the value is about, if it is about one.
        """
        memory = self._here if path and path == self._path else self._memory
        known = memory.get(key)
        if known is not None:
            if known.recorded != self._recording:
                self.consulted.update(known.names)
                known.recorded = self._recording
            return cast(T, known.value)
        outer, recording = self.consulted, self._recording
        self.record_in(set())
        try:
            value = work_out()
        finally:
            inner, self.consulted, self._recording = self.consulted, outer, recording
        memory[key] = _Known(value, tuple(inner), recording)
        outer |= inner
        return value


def _grouped(rows: Sequence[Symbol], key: Callable[[Symbol], str]) -> dict[str, tuple[Symbol, ...]]:
    groups: dict[str, list[Symbol]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return {value: tuple(group) for value, group in groups.items()}


def _project_folder(path: str) -> str:
    """Return the folder, with its slash, that a file imports for: its own, or the one around `Properties`."""
    folder = path.rpartition("/")[0]
    if folder.rpartition("/")[2] == "Properties":
        folder = folder.rpartition("/")[0]
    return f"{folder}/" if folder else ""


def bound_names(head: FileHead, profile: Profile) -> dict[str, list[Import]]:
    """Group imports by the name they bind in the file; `*` for those that open all names of a path."""
    found: dict[str, list[Import]] = {}
    for entry in head.imports:
        if entry.name == "*" or entry.path.endswith((".*", "._")):
            found.setdefault(entry.alias or "*", []).append(entry)
            continue
        if entry.alias == OPENING:
            found.setdefault("*", []).append(entry)
            continue
        if profile.modules == "include" or (profile.open_imports and not entry.name and not entry.alias):
            found.setdefault("*", []).append(entry)
        name = entry.alias or entry.name or implied_name(entry.path, profile)
        if name:
            found.setdefault(name, []).append(entry)
    return found


def implied_name(path: str, profile: Profile) -> str:
    """Name what `import path` binds when neither a name nor an alias is written."""
    parts = split_path(path, profile)
    if not parts:
        return ""
    if profile.modules == "dotted":
        return parts[0]
    if profile.modules == "directory":
        last = parts[-1]
        if len(parts) > 1 and last[:1] == "v" and last[1:].isdigit():
            last = parts[-2]
        return last.partition(".")[0].removeprefix("go-").replace("-", "_")
    if profile.modules == "relative":
        return module_stem(path, profile.index)
    return parts[-1]


def split_path(path: str, profile: Profile) -> list[str]:
    """Split an import path or a qualified name at the language's separators."""
    if profile.modules in ("directory", "relative", "include"):
        return [part for part in path.strip("\"'<>").split("/") if part]
    for separator in profile.separators:
        path = path.replace(separator, ".")
    return [part for part in path.replace("#", ".").split(".") if part]
