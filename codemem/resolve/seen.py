"""Names of types, type parameters and modules as one place sees them."""

from __future__ import annotations

from codemem.resolve.generics import bound_value
from codemem.resolve.modules import Module, crate_module, crate_place
from codemem.resolve.names import Found
from codemem.resolve.places import Place
from codemem.resolve.records import Symbol
from codemem.resolve.session import Session
from codemem.resolve.signatures import generic_parameters
from codemem.resolve.typenames import find_type, is_type
from codemem.resolve.values import Outside, Value


def type_scopes(place: Place) -> tuple[str, ...]:
    """Scopes for a type's name: also the types around, which a bare value does not see everywhere."""
    if place.type is None or place.profile.implicit_self:
        return place.scopes
    return (*place.scopes, place.type.qualified_name)


def type_of_name(session: Session, place: Place, name: str) -> Symbol | None:
    """Return the own type that a type name means at a place."""
    found = find_type(session, name, place.head, type_scopes(place))
    return found.symbols[0] if isinstance(found, Found) else None


def is_function(session: Session, place: Place, text: str) -> bool:
    name = text.replace("::", ".").rpartition(".")[2]
    return any(not is_type(row) for row in session.symbols(name, place.profile.family))


def of_parameter(session: Session, place: Place, value: Value) -> Value:
    """Take the bound of a type parameter of the own type or function."""
    if not isinstance(value, Outside) or value.module:
        return value
    if place.chunk is not None and place.type is not None and "<" in place.chunk.signature:
        value = bound_value(session, generic_parameters(place.chunk.signature, place.chunk.name), value, place.type)
    return bound_value(session, place.type.generics, value, place.type) if place.type is not None else value


def module_path(place: Place, name: str) -> Module:
    """Read the first part of a path of modules as it is seen from a place."""
    parent = place.chunk.parent if place.chunk is not None else ""
    return crate_module([name], crate_place(place.head.path, parent, place.head.language), place.head.language)
