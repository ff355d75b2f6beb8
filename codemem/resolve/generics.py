"""What type parameters stand for at a receiver."""

from __future__ import annotations

from collections.abc import Mapping

from codemem.resolve.expressions import type_name
from codemem.resolve.names import Found
from codemem.resolve.profile import profile_of
from codemem.resolve.records import Symbol, enclosing_names
from codemem.resolve.session import Session
from codemem.resolve.typenames import find_type
from codemem.resolve.values import Instance, Outside, Several, Static, Value, declared_value, several, value_of_type

MAXIMUM_LEVELS = 8
"""Supertypes followed from a receiver to the type whose parameters are asked for."""


def parameter_values(session: Session, receiver: Instance | Static, owner: Symbol) -> Mapping[str, Value]:
    """Return what the type parameters of `owner` stand for when its member is used on `receiver`."""
    arguments = receiver.arguments if isinstance(receiver, Instance) else ()
    return session.remember(
        ("parameters", receiver.type.key, arguments, owner.key),
        lambda: _parameter_values(session, receiver.type, arguments, owner),
    )


def substituted(value: Value, values: Mapping[str, Value]) -> Value:
    """Put what type parameters stand for in the place of their names."""
    if isinstance(value, Outside) and not value.module and value.name in values:
        return values[value.name]
    if isinstance(value, Several):
        return several(substituted(each, values) for each in value.values)
    if isinstance(value, Instance | Outside) and value.arguments:
        return value._replace(arguments=tuple(substituted(argument, values) for argument in value.arguments))
    return value


def bound_value(session: Session, generics: tuple[tuple[str, str], ...], value: Value, symbol: Symbol) -> Value:
    """Return the bound of a type parameter where `value` is one, else `value`."""
    if isinstance(value, Outside) and not value.module:
        bound = dict(generics).get(value.name, "")
        head = session.head(symbol.path) if bound else None
        if head is not None:
            return declared_value(session, bound, head, enclosing_names(symbol.qualified_name))
    return value


def _parameter_values(
    session: Session, symbol: Symbol, arguments: tuple[Value, ...], owner: Symbol
) -> Mapping[str, Value]:
    level = [(symbol, _paired(session, symbol, arguments))]
    for _ in range(MAXIMUM_LEVELS):
        above: list[tuple[Symbol, dict[str, Value]]] = []
        for kind, values in level:
            if kind.key == owner.key:
                return values
            above.extend(_supertype_values(session, kind, values))
        level = above
    return {}


def _paired(session: Session, symbol: Symbol, arguments: tuple[Value, ...]) -> dict[str, Value]:
    values: dict[str, Value] = {}
    for position, (name, _) in enumerate(symbol.generics):
        given = arguments[position] if position < len(arguments) else None
        unknown = Outside("", (), name)
        values[name] = bound_value(session, symbol.generics, unknown, symbol) if given is None else given
    return values


def _supertype_values(
    session: Session, symbol: Symbol, values: Mapping[str, Value]
) -> list[tuple[Symbol, dict[str, Value]]]:
    head = session.head(symbol.path)
    if head is None:
        return []
    scopes = enclosing_names(symbol.qualified_name)
    found: list[tuple[Symbol, dict[str, Value]]] = []
    for text in symbol.above:
        kind = type_name(text, profile_of(symbol.language).nothing)
        meaning = find_type(session, kind.name, head, enclosing_names(symbol.parent)) if kind else None
        if kind is not None and isinstance(meaning, Found) and meaning.symbols[0].key != symbol.key:
            arguments = tuple(
                substituted(value_of_type(session, argument, head, scopes), values) for argument in kind.arguments
            )
            found.append((meaning.symbols[0], _paired(session, meaning.symbols[0], arguments)))
    return found
