"""Values of expressions, as far as types tell: an own type, something foreign, a type itself, one of several."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from codemem.resolve.expressions import UNION, TypeName, whole_type
from codemem.resolve.modules import Module
from codemem.resolve.names import Foreign, Found
from codemem.resolve.profile import profile_of
from codemem.resolve.records import FileHead, Symbol, enclosing_names
from codemem.resolve.session import Session, split_path
from codemem.resolve.typenames import find_type

UNION_DEPTH = 3
"""Aliases of several types followed into one another: they can mention themselves."""
UNIONS = frozenset({UNION, "Union", "typing.Union"})
"""Names of types that are one of their arguments."""


class Instance(NamedTuple):
    """A value of an own type."""

    type: Symbol
    arguments: tuple[Value, ...] = ()
    sure: bool = True


class Outside(NamedTuple):
    """A value of a type from outside, with what is known of its type arguments."""

    module: str = ""
    arguments: tuple[Value, ...] = ()
    name: str = ""


class Static(NamedTuple):
    """An own type itself, as in `Type.member`."""

    type: Symbol
    sure: bool = True


class Above(NamedTuple):
    """The supertypes' part of the own type, as in `super.member`."""

    type: Symbol


class Several(NamedTuple):
    """A value of one of several types: `A | B`."""

    values: tuple[Value, ...]


Value = Instance | Outside | Static | Above | Module | Several | None


def several(values: Iterable[Value]) -> Value:
    """Return the value that several are, or which ones it can be; what is unknown or has no members is left out."""
    found: dict[Value, None] = {}
    for value in values:
        for each in value.values if isinstance(value, Several) else (value,):
            small = isinstance(each, Outside) and not each.module and not each.name[:1].isupper()
            if each is not None and not small:
                found[each] = None
    return next(iter(found)) if len(found) == 1 else Several(tuple(found)) if found else None


def value_of_type(
    session: Session, name: TypeName | None, head: FileHead, scopes: tuple[str, ...] = (), depth: int = UNION_DEPTH
) -> Value:
    """Return what is known of a value whose declared type is `name`."""
    if name is None or not name.name:
        return None
    profile = profile_of(head.language)
    if name.name in UNIONS:
        return several(value_of_type(session, each, head, scopes, depth) for each in name.arguments)
    simple = split_path(name.name, profile)[-1] if "/" not in name.name else name.name
    simple = simple.rpartition("::")[2].rpartition(".")[2]
    found = find_type(session, name.name, head, scopes)
    if simple in profile.wrappers and name.arguments:
        held = value_of_type(session, name.arguments[0], head, scopes, depth)
        if not isinstance(found, Found) or found.symbols[0].kind == "type":
            return held
        # The repository has a wrapper of that name: its members, and those of what it holds.
        own = Instance(found.symbols[0], (held,), found.sure)
        return several((own, held)) if isinstance(held, Instance | Several) else own
    arguments = tuple(value_of_type(session, argument, head, scopes, depth - 1) for argument in name.arguments)
    if isinstance(found, Found):
        if depth > 0 and (united := _united(session, found.symbols[0], depth - 1)) is not None:
            return united
        return Instance(found.symbols[0], arguments, found.sure)
    if isinstance(found, Foreign):
        return found.file or Outside(found.module, arguments, simple)
    return Outside("", arguments, simple)


def _united(session: Session, row: Symbol, depth: int) -> Value:
    """Return what a value can be whose type is an alias of several types."""
    if row.kind != "type" or "|" not in row.result:
        return None
    head = session.head(row.path)
    name = whole_type(row.result, profile_of(row.language).nothing)
    if head is None or name is None or name.name not in UNIONS:
        return None
    return value_of_type(session, name, head, enclosing_names(row.parent), depth)


def declared_value(session: Session, text: str, head: FileHead, scopes: tuple[str, ...] = ()) -> Value:
    """Return what is known of a value whose declared type is written as `text`."""
    if not text:
        return None
    return session.remember(
        ("declared", text, head.path, scopes),
        lambda: value_of_type(session, whole_type(text, profile_of(head.language).nothing), head, scopes),
        head.path,
    )
