"""What is gained from containers: elements by index, by call, by a loop."""

from __future__ import annotations

from codemem.resolve.expressions import Step
from codemem.resolve.places import Place
from codemem.resolve.profile import profile_of
from codemem.resolve.values import Instance, Outside, Value

OPTIONAL = "Option"
"""The wrapper whose one element is gone through like a container's."""


def beyond(place: Place, value: Outside, step: Step) -> Value:
    """Follow a foreign value: containers give their elements, anything else stays foreign."""
    if value.arguments and step.kind == "call" and step.name in place.profile.elements:
        return value.arguments[-1]
    if value.arguments and step.name in place.profile.passing:
        return value
    if value.arguments and step.kind == "call" and step.name in place.profile.sequences:
        return value._replace(arguments=value.arguments[-1:], name="")
    return Outside(value.module)


def element(value: Value) -> Value:
    return value.arguments[-1] if isinstance(value, Outside | Instance) and value.arguments else None


def iterated(value: Value) -> Value:
    """Return what a loop over a value gives: the element of a foreign container that has one type argument.

    An own value may be what an optional holds: then `x.map(|own| …)` speaks of it.
    """
    if isinstance(value, Instance):
        return value._replace(sure=False) if OPTIONAL in profile_of(value.type.language).wrappers else None
    if isinstance(value, Outside) and value.name == "array":
        return value.arguments[-1] if value.arguments else None  # of keys and values
    return value.arguments[0] if isinstance(value, Outside) and len(value.arguments) == 1 else None
