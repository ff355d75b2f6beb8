"""What a call can mean, and what it gives: bare names, members, constructors and their results."""

from __future__ import annotations

from codemem.resolve.expressions import whole_type
from codemem.resolve.generics import bound_value, parameter_values, substituted
from codemem.resolve.members import find_member, fits, owner_of
from codemem.resolve.modules import Module
from codemem.resolve.names import Foreign, Found, member, visible, whole
from codemem.resolve.places import Place, place_of_member
from codemem.resolve.profile import TYPE_NAMED, Profile, profile_of
from codemem.resolve.records import Symbol, makes_type
from codemem.resolve.session import Session
from codemem.resolve.typenames import ancestors, is_type, members_named
from codemem.resolve.values import Above, Instance, Several, Static, Value, declared_value

FIELD_DEPTH = 6
"""Fields whose value is an expression over other fields: followed so far, which also ends cycles."""


def callables(session: Session, place: Place, name: str, arguments: int | None) -> Found | Foreign | Module | None:
    """Return what a bare call `name(...)` can mean at a place, variables left aside."""
    if place.profile.implicit_self:
        scope = place.type
        hops = 0
        while scope is not None and hops < FIELD_DEPTH:
            rows = find_member(session, scope, name, arguments)
            if rows and (
                not is_type(scope) or any(fits(row, arguments) or not place.profile.overloads for row in rows)
            ):
                return Found(rows)
            scope = owner_of(session, scope) if scope.parent and not place.profile.own_members else None
            hops += 1
    meaning = visible(session, name, place.head, place.scopes)
    if place.profile.own_members and isinstance(meaning, Found):
        rows = tuple(row for row in meaning.symbols if "#" not in row.qualified_name)
        return Found(rows, meaning.sure) if rows else None
    return meaning


def member_rows(session: Session, value: Value, name: str, arguments: int | None) -> tuple[Symbol, ...]:
    """Return the definitions that a member call on a value can mean."""
    if isinstance(value, Instance | Static):
        if isinstance(value, Static) and name in profile_of(value.type.language).construct_by:
            return (value.type,)
        return find_member(session, value.type, name, arguments)
    if isinstance(value, Several):
        rows = (row for each in value.values for row in member_rows(session, each, name, arguments))
        return tuple({row.key: row for row in rows}.values())
    if isinstance(value, Above):
        return find_member(session, value.type, name, arguments, above=True)
    if isinstance(value, Module):
        meaning = member(session, value, name)
        if meaning is None and (own := whole(session, value)) and (is_type(own.symbols[0]) or own.symbols[0].members):
            return find_member(session, own.symbols[0], name, arguments)
        return meaning.symbols if isinstance(meaning, Found) else ()
    return ()


def result_value(session: Session, rows: tuple[Symbol, ...], receiver: Value) -> Value:
    """Return what a call of one of these definitions gives."""
    results = {row.result for row in rows if not is_type(row)}
    row = rows[0]
    if makes_type(row):
        return Static(row)
    if is_type(row):
        return Instance(row)
    owner = owner_of(session, row) if row.parent else None
    profile = profile_of(row.language)
    if owner is not None and row.name in profile.constructor_names(owner.name):
        return Instance(owner)
    if len(results) != 1 or not row.result:
        return None
    kind = whole_type(row.result, profile.nothing)
    if kind is None:
        return None
    names = {kind.name, *(argument.name for argument in kind.arguments if kind.name in profile.wrappers)}
    if names & profile.self_types:
        return (
            Instance(receiver.type) if isinstance(receiver, Instance | Static) else (Instance(owner) if owner else None)
        )
    head = session.head(row.path)
    if head is None:
        return None
    value = declared_value(session, row.result, head, place_of_member(owner, row, head).scopes)
    if owner is not None and owner.generics and isinstance(receiver, Instance | Static):
        value = substituted(value, parameter_values(session, receiver, owner))
    return bound_value(session, row.generics, value, row) if row.generics else value


def chosen(rows: tuple[Symbol, ...], arguments: int | None) -> tuple[Symbol, ...]:
    """Keep the definitions that fit the number of arguments, or all when none does."""
    return tuple(row for row in rows if fits(row, arguments)) or rows


def constructors(session: Session, symbol: Symbol, arguments: int | None) -> tuple[Symbol, ...]:
    """Return what constructing an own type runs: its fitting constructors, or the type itself."""
    profile = profile_of(symbol.language)
    named = profile.overloads or TYPE_NAMED in profile.constructors  # then no type inherits the constructors of another
    for kind in (symbol,) if named else ancestors(session, symbol)[0]:
        for name in profile.constructor_names(kind.name):
            rows = tuple(row for row in members_named(session, kind, name) if not is_type(row))
            if rows:
                return chosen((*rows, symbol) if _has_primary(symbol, rows, profile) else rows, arguments)
    return (symbol,)


def _has_primary(symbol: Symbol, rows: tuple[Symbol, ...], profile: Profile) -> bool:
    """Tell whether a type can also be constructed by the parameters after its own name."""
    if symbol.parameters is None or (profile.companion and profile.applies.isdisjoint(symbol.modifiers)):
        return False
    counts = {row.parameters for row in rows}
    return None not in counts and not (
        profile.accessors and symbol.parameters in counts
    )  # a record's own is written out
