"""What a plain name means at a place in a file: scopes, imports, re-exports, package, open imports, whole repository."""

from __future__ import annotations

from typing import NamedTuple

from codemem.resolve.barrels import opened
from codemem.resolve.filemodules import in_file_module
from codemem.resolve.modules import Module, holds, is_surely_own, module_files, place_of, submodule
from codemem.resolve.packages import module_of
from codemem.resolve.profile import Profile, profile_of
from codemem.resolve.records import DEFAULT_EXPORT, TYPE_KINDS, FileHead, Symbol, is_declaration, makes_type
from codemem.resolve.session import Session, split_path
from codemem.roles import is_test
from codemem.types import Import

EXPORTED = "exports"
"""Modifier of what is assigned to a module's exports: other files know its name, its own scope does not."""
REEXPORT_DEPTH = 5
"""Re-exports followed in a row: barrels of barrels end there."""


class Found(NamedTuple):
    """Definitions that a name means: one, or its overloads, or alternatives."""

    symbols: tuple[Symbol, ...]
    sure: bool = True


class Foreign(NamedTuple):
    """Something that is known to come from outside the repository, or an own file that is a type as a whole."""

    module: str = ""
    file: Module | None = None


Meaning = Found | Foreign | Module | None


def visible(session: Session, name: str, head: FileHead, scopes: tuple[str, ...] = (), types: bool = False) -> Meaning:
    """Return what `name` means in the file, seen from inside `scopes` (qualified names, innermost first).

    `types` asks for a type: functions, variables and anonymous classes of the file do not hide it.
    """
    if scopes and (inside := own_definitions(session, name, head, types)):
        for scope in scopes:
            if scope in inside:
                return Found(inside[scope])
    key = ("visible", name, head.path, types)
    return session.remember(key, lambda: _in_file(session, name, head, types), head.path)


def own_definitions(session: Session, name: str, head: FileHead, types: bool) -> dict[str, tuple[Symbol, ...]]:
    """Return the definitions of a name in a file by what they stand in."""
    key = ("own", name, head.path, types)
    return session.remember(key, lambda: _own_definitions(session, name, head, types), head.path)


def _own_definitions(session: Session, name: str, head: FileHead, types: bool) -> dict[str, tuple[Symbol, ...]]:
    found: dict[str, tuple[Symbol, ...]] = {}
    profile = profile_of(head.language)
    for row in session.symbols_at(name, profile.family, head.path):
        if EXPORTED in row.modifiers:
            continue
        if (
            row.kind == "method"
            and not (profile.implicit_self or profile.bare_members)
            and not of_class(session, row, profile)
        ):
            continue  # a bare name is no member
        if not types or makes_type(row) or (row.kind in TYPE_KINDS and not is_anonymous(row)):
            parent = "" if row.kind == "method" and profile.class_methods else row.parent
            found[parent] = (*found.get(parent, ()), row)
    return found


def of_class(session: Session, row: Symbol, profile: Profile) -> bool:
    """Tell whether a member belongs to a class whose methods are names of the module (Haskell)."""
    if not profile.class_methods:
        return False
    name = row.parent.replace("#", ".").rpartition(".")[2]
    owners = session.symbols(name, profile.family)
    return any(
        owner.kind == "interface" and (owner.path, owner.qualified_name) == (row.path, row.parent) for owner in owners
    )


def _in_file(session: Session, name: str, head: FileHead, types: bool) -> Meaning:
    """Return what a name means at the top of a file."""
    profile = profile_of(head.language)
    bound = session.bound(head)
    here = own_definitions(session, name, head, types).get("")
    # `const X = require('x')` is a variable and an import: it means what it imports.
    if here and not (name in bound and profile.whole and all(row.kind == "constant" for row in here)):
        return Found(here)
    foreign: Foreign | None = None
    for entry in bound.get(name, ()):
        meaning = imported(session, entry, head)
        if isinstance(meaning, Foreign):
            foreign = foreign or meaning
        elif meaning is not None:
            return meaning
    if foreign:
        return foreign
    if here:
        return Found(here)
    rows = session.symbols(name, profile.family)
    if types and rows:
        rows = tuple(row for row in rows if makes_type(row) or (row.kind in TYPE_KINDS and not is_anonymous(row)))
    if profile.implicit_package and (found := _in_package(rows, head, profile)):
        return Found(found)
    for entry in bound.get("*", ()) if rows and profile.file_modules else ():
        if found := in_file_module(session, head, entry.path, name):
            return Found(found)
    for module in opened(session, name, head, REEXPORT_DEPTH) if rows else ():
        meaning = member(session, module, name)
        if isinstance(meaning, Found):
            return meaning
    if profile.globally or profile.modules == "include":
        rows = tuple(row for row in rows if profile.private.isdisjoint(row.modifiers))
        return _anywhere(rows, head) if is_test(head.path) else _outside_tests(rows, head)
    return None


def is_anonymous(row: Symbol) -> bool:
    """Tell whether a type has no name but that of its supertype."""
    return row.name in row.extends


def imported(session: Session, entry: Import, head: FileHead, depth: int = REEXPORT_DEPTH) -> Meaning:
    """Return what one import statement binds."""
    key = ("imported", entry.path, entry.name, entry.alias, head.path, depth)
    return session.remember(key, lambda: _imported(session, entry, head, depth), head.path)


def member(session: Session, module: Module, name: str, depth: int = REEXPORT_DEPTH) -> Meaning:
    """Return what `name` means inside a module: a definition, something it re-exports, or a module in it."""
    return session.remember(("member", module, name, depth), lambda: _member(session, module, name, depth))


def whole(session: Session, module: Module) -> Found | None:
    """Return the definition that a module as a whole is: its default export."""
    for name in profile_of(module.language).whole:
        meaning = member(session, module, name)
        if isinstance(meaning, Found):
            return meaning
    return None


def _imported(session: Session, entry: Import, head: FileHead, depth: int) -> Meaning:
    if not entry.path:
        return _own_export(session, entry, head, depth)
    profile = profile_of(head.language)
    module = module_of(session, entry.path, head)
    if profile.modules == "package" or (profile.modules == "crate" and not entry.name):
        return _by_full_name(session, entry, profile, module, depth)
    if profile.modules == "dotted" and not entry.name and not entry.alias:
        return module._replace(parts=module.parts[:1])
    if profile.modules == "directory" or not entry.name or entry.name == "*":
        return module
    meaning = member(session, module, entry.name, depth)
    if meaning is None and entry.name == DEFAULT_EXPORT and entry.alias:
        meaning = member(session, module, entry.alias, depth)
    if meaning is None and (own := whole(session, module)):
        rows = session.symbols_inside(entry.name, profile.family, own.symbols[0].qualified_name)
        meaning = Found(rows) if (rows := tuple(row for row in rows if row.path == own.symbols[0].path)) else None
    if meaning is not None:
        return meaning
    return None if is_surely_own(module) or module_files(module, session) else Foreign(module.shown)


def _own_export(session: Session, entry: Import, head: FileHead, depth: int) -> Meaning:
    """Return what `export { fn as renamed }` gives away: a definition of the file, or something that it imports."""
    if here := own_definitions(session, entry.name, head, False).get(""):
        return Found(here)
    for other in session.bound(head).get(entry.name, ()) if depth else ():
        if other.path and (meaning := imported(session, other, head, depth - 1)) is not None:
            return meaning
    return None


def _by_full_name(session: Session, entry: Import, profile: Profile, module: Module, depth: int) -> Meaning:
    """Find the definition of `a.b.Name`, a static member `a.b.Name.member`, or take the path as a namespace."""
    parts = module.parts
    if entry.name and entry.name != "*":
        parts = (*parts, *split_path(entry.name, profile))
    if not parts:
        return None
    meaning = _member(session, module._replace(parts=parts[:-1]), parts[-1], depth)
    if meaning is not None:
        return meaning
    if profile.attaches and any(
        row.parent and row.package == ".".join(parts[:-1]) for row in session.symbols(parts[-1], profile.family)
    ):
        return None  # an extension: what it extends says where it is meant
    whole = module._replace(parts=parts)
    return Foreign(".".join(parts)) if profile.implicit_self or profile.implicit_package else whole


def _member(session: Session, module: Module, name: str, depth: int) -> Meaning:
    profile = profile_of(module.language)
    rows = tuple(
        row
        for row in session.symbols(name, profile.family)
        if holds(module, row, session)
        or (profile.class_methods and place_of(row)[:-1] == module.parts and of_class(session, row, profile))
    )
    if rows:
        return Found(_written_out(rows))
    if depth and (files := module_files(module, session)):
        for path in sorted(files, key=is_declaration):
            if (head := session.head(path)) and (meaning := _reexported(session, head, name, depth - 1)) is not None:
                return meaning
    inner = submodule(module, name)
    return inner if module_files(inner, session) else None


def _written_out(rows: tuple[Symbol, ...]) -> tuple[Symbol, ...]:
    """Leave declaration files out where the module itself defines the name."""
    own = tuple(row for row in rows if not is_declaration(row.path))
    return own or rows


def _reexported(session: Session, head: FileHead, name: str, depth: int) -> Meaning:
    bound = session.bound(head)
    for entry in bound.get(name, ()):
        meaning = imported(session, entry, head, depth)
        if meaning is not None:
            return meaning
    for module in opened(session, name, head, depth) if depth else ():
        meaning = member(session, module, name, depth)
        if isinstance(meaning, Found):
            return meaning
    return None


def _in_package(rows: tuple[Symbol, ...], head: FileHead, profile: Profile) -> tuple[Symbol, ...]:
    """Pick the top-level definitions of the file's own package; without packages, of its folder."""
    by_folder = profile.modules == "directory" or not head.package
    folder = head.path.rpartition("/")[0]
    inside = tuple(
        row
        for row in rows
        if not row.parent and (row.path.rpartition("/")[0] == folder if by_folder else row.package == head.package)
    )
    return inside if inside or by_folder or not profile.outer_packages else _in_outer_package(rows, head.package)


def _in_outer_package(rows: tuple[Symbol, ...], package: str) -> tuple[Symbol, ...]:
    """Pick the top-level definitions of the nearest package around this one that has any."""
    around = [row for row in rows if not row.parent and row.package and package.startswith(f"{row.package}.")]
    nearest = max((len(row.package) for row in around), default=0)
    return tuple(row for row in around if len(row.package) == nearest)


def _outside_tests(rows: tuple[Symbol, ...], head: FileHead) -> Meaning:
    """Pick among all definitions, those of tests only where there are no others, and then without being sure."""
    if sources := tuple(row for row in rows if not is_test(row.path)):
        return _anywhere(sources, head)
    found = _anywhere(rows, head)
    return found._replace(sure=False) if isinstance(found, Found) else found


def _anywhere(rows: tuple[Symbol, ...], head: FileHead) -> Meaning:
    """Pick among all definitions of a name that is visible everywhere: types and free functions."""
    free = [row for row in rows if not row.parent or row.kind in TYPE_KINDS]
    if not free:
        free = [row for row in rows if row.kind == "function" and "#" not in row.qualified_name]
    places = {place_of(row) for row in free}
    if len(places) == 1 and len({row.path for row in free}) == 1:
        return Found(tuple(free))
    folder = head.path.rpartition("/")[0]
    near = [row for row in free if row.path.rpartition("/")[0] == folder]
    if near and len({row.path for row in near}) == 1:
        return Found(tuple(near), sure=False)
    outermost = [row for row in free if not row.parent] or free
    one = profile_of(head.language).reopens and len({(row.kind in TYPE_KINDS, place_of(row)) for row in outermost}) == 1
    return Found(tuple(outermost), sure=one and outermost[0].kind in TYPE_KINDS) if free else None
