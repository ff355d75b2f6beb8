"""What the name of a type means where it is written, and the supertypes of a type: each is found by way of the other."""

from __future__ import annotations

from codemem.resolve.expressions import type_name
from codemem.resolve.modules import Module, crate_place, module_files, place_of
from codemem.resolve.names import Foreign, Found, Meaning, member, visible, whole
from codemem.resolve.profile import Profile, profile_of
from codemem.resolve.records import TYPE_KINDS, FileHead, Symbol, enclosing_names, makes_type
from codemem.resolve.session import Session, split_path

MAXIMUM_SUPERTYPES = 40
ALIAS_DEPTH = 4


def is_type(row: Symbol) -> bool:
    return row.kind in TYPE_KINDS


def find_type(session: Session, name: str, head: FileHead, scopes: tuple[str, ...] = ()) -> Found | Foreign | None:
    """Return the own type that a (dotted) type name means in a file, or that it is foreign, or None when unknown."""
    return session.remember(
        ("type", name, head.path, scopes), lambda: _find_type(session, name, head, scopes, ALIAS_DEPTH), head.path
    )


def _find_type(
    session: Session, name: str, head: FileHead, scopes: tuple[str, ...], depth: int
) -> Found | Foreign | None:
    profile = profile_of(head.language)
    parts = (
        split_path(name, profile)
        if profile.modules not in ("directory", "relative", "include")
        else _dotted(name, profile)
    )
    if not parts:
        return None
    meaning: Meaning = _in_namespaces(session, parts, scopes, profile) if profile.namespaces else None
    inner = [] if meaning else parts[1:]
    meaning = meaning or visible(session, parts[0], head, scopes, types=True)
    if meaning is None and profile.implicit_self:
        meaning = _inherited_type(session, parts[0], head, scopes)
    for part in inner:
        meaning = _step_into(session, meaning, part, profile)
    if meaning is None and len(parts) > 1:
        meaning = _by_whole_path(session, parts, head, profile)
    if isinstance(meaning, Module):
        meaning = whole(session, meaning) or Foreign(
            meaning.shown, meaning if profile.rooted and module_files(meaning, session) else None
        )
    if not isinstance(meaning, Found):
        return meaning
    types = tuple(row for row in meaning.symbols if is_type(row) or makes_type(row))
    if not types:
        return None
    target = _alias_target(types[0])
    if target and depth:
        other = session.head(types[0].path)
        return _find_type(session, target, other, enclosing_names(types[0].parent), depth - 1) if other else None
    first = types[0]
    if all((row.path, row.qualified_name) == (first.path, first.qualified_name) for row in types):
        return Found((first,), meaning.sure)
    near = [row for row in types if row.path == head.path] or [row for row in types if _same_place(row, first, profile)]
    if near and (len(near) == len(types) or near[0].path == head.path):
        return Found((near[0],), meaning.sure)
    return None


def _inherited_type(session: Session, name: str, head: FileHead, scopes: tuple[str, ...]) -> Found | None:
    """Find a type that stands in a supertype of the types around a place."""
    family = profile_of(head.language).family
    if not scopes or not any(is_type(row) and row.parent for row in session.symbols(name, family)):
        return None
    for scope in scopes:
        outer = scope.replace("#", ".").rpartition(".")[2]
        around = (
            row for row in session.symbols(outer, family) if row.qualified_name == scope and row.path == head.path
        )
        kind = next((row for row in around if is_type(row)), None)
        if kind is None or kind.key in session.asked:
            continue  # its supertypes are being found: they are not looked for in themselves
        session.asked.add(kind.key)
        try:
            above = ancestors(session, kind)[0][1:]
        finally:
            session.asked.discard(kind.key)
        for other in above:
            if rows := tuple(row for row in members_named(session, other, name) if is_type(row)):
                return Found(rows[:1])
    return None


def _in_namespaces(session: Session, parts: list[str], scopes: tuple[str, ...], profile: Profile) -> Found | None:
    """Find a type by its path in the namespaces and types around a place, wherever they are written."""
    for outer in dict.fromkeys(name for scope in scopes for name in enclosing_names(scope)):
        whole = ".".join((outer, *parts[:-1]))
        if rows := tuple(row for row in session.symbols_inside(parts[-1], profile.family, whole) if is_type(row)):
            return Found(rows)
    return None


def _dotted(name: str, profile: Profile) -> list[str]:
    for separator in profile.separators:
        name = name.replace(separator, ".")
    return [part for part in name.split(".") if part]


def _step_into(session: Session, meaning: Meaning, part: str, profile: Profile) -> Meaning:
    if isinstance(meaning, Module):
        return member(session, meaning, part)
    if isinstance(meaning, Found):
        owner = next((row for row in meaning.symbols if is_type(row)), None)
        rows = members_named(session, owner, part) if owner else ()
        if owner and not rows:
            nested = session.symbols(part, profile.family)
            rows = tuple(row for row in nested if row.path == owner.path and row.parent == owner.qualified_name)
        return Found(rows, meaning.sure) if rows else None
    return meaning


def _by_whole_path(session: Session, parts: list[str], head: FileHead, profile: Profile) -> Meaning:
    """Take `a.b.Type` as package and type, or as nested modules of the whole repository."""
    rows = session.symbols(parts[-1], profile.family)
    wanted = tuple(parts[:-1])
    exact = tuple(row for row in rows if place_of(row) == wanted)
    if not exact:
        exact = tuple(row for row in rows if place_of(row)[-len(wanted) :] == wanted)
    if exact:
        return Found(exact, sure=len({row.path for row in exact}) == 1)
    return Foreign(".".join(wanted))


def _alias_target(row: Symbol) -> str:
    """Return the name of what a type alias stands for, when it is written as the alias's result; wrappers are taken off."""
    if row.kind != "type" or not row.result or row.extends:
        return ""
    profile = profile_of(row.language)
    kind = type_name(row.result, profile.nothing)
    while kind and kind.arguments and kind.name.rpartition("::")[2].rpartition(".")[2] in profile.wrappers:
        kind = kind.arguments[0]
    return kind.name if kind else ""


def _same_place(row: Symbol, other: Symbol, profile: Profile) -> bool:
    """Tell whether two rows are parts of one open type."""
    if profile.members == "file" or row.qualified_name != other.qualified_name:
        return False
    if profile.members == "package":
        return row.package == other.package
    return True


def supertypes(session: Session, symbol: Symbol) -> tuple[tuple[Symbol, ...], bool]:
    """Return the own direct supertypes, and whether some supertype is foreign or unknown."""
    return session.remember(("supertypes", symbol.key), lambda: _supertypes(session, symbol))


def _supertypes(session: Session, symbol: Symbol) -> tuple[tuple[Symbol, ...], bool]:
    head = session.head(symbol.path)
    if head is None:
        return (), True
    scopes = enclosing_names(symbol.parent)
    found: list[Symbol] = []
    outside = False
    texts = symbol.extends
    profile = profile_of(symbol.language)
    if profile.members != "file":
        twins = (
            row
            for row in session.symbols(symbol.name, profile.family)
            if row.key != symbol.key and is_type(row) and _belongs_type(row, symbol, profile)
        )
        texts = (*texts, *(text for row in twins for text in row.extends))
    for text in dict.fromkeys(texts):
        kind = type_name(text, profile.nothing)
        meaning = find_type(session, kind.name, head, scopes) if kind else None
        if isinstance(meaning, Found) and meaning.symbols[0].key != symbol.key:
            found.append(meaning.symbols[0])
        else:
            outside = True
    return tuple(found), outside


def ancestors(session: Session, symbol: Symbol) -> tuple[tuple[Symbol, ...], bool]:
    """Return the type and all its own supertypes, nearest first, and whether the chain leaves the repository."""
    return session.remember(("ancestors", symbol.key), lambda: _ancestors(session, symbol))


def _ancestors(session: Session, symbol: Symbol) -> tuple[tuple[Symbol, ...], bool]:
    order = [symbol]
    seen = {symbol.key}
    outside = False
    position = 0
    while position < len(order) and len(order) < MAXIMUM_SUPERTYPES:
        direct, leaves = supertypes(session, order[position])
        outside = outside or leaves
        for kind in direct:
            if kind.key not in seen:
                seen.add(kind.key)
                order.append(kind)
        position += 1
    return tuple(order), outside


def members_named(session: Session, symbol: Symbol, name: str) -> tuple[Symbol, ...]:
    """Return the members called `name` of the type itself."""
    profile = profile_of(symbol.language)
    rows = session.symbols_inside(name, profile.family, symbol.qualified_name)
    return tuple(row for row in rows if belongs(row, symbol, profile))


def belongs(row: Symbol, owner: Symbol, profile: Profile) -> bool:
    """Tell whether a member with the right parent name is a member of this very type."""
    if row.path == owner.path:
        return True
    if profile.members == "file":
        return False
    if profile.members == "package":
        return row.package == owner.package
    if profile.members == "directory":
        return row.path.rpartition("/")[0] == owner.path.rpartition("/")[0]
    if profile.modules == "crate":
        return crate_place(row.path, "", row.language)[:1] == crate_place(owner.path, "", owner.language)[:1]
    return True


def _belongs_type(row: Symbol, owner: Symbol, profile: Profile) -> bool:
    return row.qualified_name == owner.qualified_name and belongs(row, owner, profile)
