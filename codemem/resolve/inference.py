"""What an expression stands for: values of receivers, step by step, from declarations, constructors and results."""

from __future__ import annotations

from codemem.resolve.blocks import BLOCK_MARK, OWN, block_value
from codemem.resolve.documented import documented_parameter, is_vague
from codemem.resolve.elements import beyond, element, iterated
from codemem.resolve.expressions import BETWEEN, EITHER, Step, receiver_steps, type_name
from codemem.resolve.extensions import extension_rows
from codemem.resolve.generics import parameter_values, substituted
from codemem.resolve.members import find_member, owner_of
from codemem.resolve.modules import Module, is_surely_own, module_files, submodule
from codemem.resolve.names import Foreign, Found, Meaning, member, visible, whole
from codemem.resolve.places import Place, bound_at, names_parameter, place_of_member, place_of_type
from codemem.resolve.profile import profile_of
from codemem.resolve.records import NAMESPACE, SIGILS, TYPE_KINDS, Symbol
from codemem.resolve.results import FIELD_DEPTH, callables, chosen, constructors, member_rows, result_value
from codemem.resolve.seen import is_function, module_path, of_parameter, type_scopes
from codemem.resolve.session import Session
from codemem.resolve.typenames import ancestors, is_type
from codemem.resolve.values import Above, Instance, Outside, Several, Static, Value, declared_value, several
from codemem.resolve.wholenames import called_in_namespace, module_at
from codemem.types import Binding

PATH = "path"
"""The kind of a first step that is no variable, whatever is called like it: `scope::Scoped`."""
VALUE_MARK = "()"
"""Ends the type of a binding that was assigned from a call."""
ALIAS_MARK = "="
"""Begins the type of a binding that stands for an expression."""
ELEMENT_MARK = "=[]"
"""Begins the type of a binding that takes the elements of an expression in turn."""


def value_of(session: Session, place: Place, receiver: str, line: int, depth: int = FIELD_DEPTH) -> Value:
    """Return what a receiver stands for, None when nothing is known."""
    steps = receiver_steps(receiver)
    if not steps:
        return None
    name = steps[0].name
    if place.profile.modules == "crate" and receiver.startswith(f"{name}::") and name not in place.profile.self:
        steps = (steps[0]._replace(kind=PATH), *steps[1:])
    return _followed(session, place, steps, line, depth)


def _followed(session: Session, place: Place, steps: tuple[Step, ...], line: int, depth: int) -> Value:
    """Follow the steps of an expression, the names of modules and namespaces at its beginning taken together."""
    value, taken = module_at(session, place, steps) if place.profile.paths else (None, 0)
    if not taken and place.profile.namespaces:
        rows, taken = called_in_namespace(session, place, steps)
        value = result_value(session, chosen(rows, steps[taken - 1].arguments), None) if taken else None
    if not taken:
        value, taken = _first_value(session, place, steps[0], line, depth), 1
    for step in steps[taken:]:
        if value is None:
            return None
        value = _next_value(session, place, value, step, depth)
    return value


def _first_value(session: Session, place: Place, step: Step, line: int, depth: int) -> Value:
    profile = place.profile
    if step.kind == "literal":
        return Outside("", (), step.name)
    if step.kind == EITHER:
        return several(value_of(session, place, each, line, depth) for each in step.name.split(BETWEEN))
    if step.kind in ("new", "cast"):
        return declared_value(session, step.name, place.head, type_scopes(place))
    if step.kind == "index":
        return None
    written = f"{step.name}()" if step.kind == "call" else step.name
    if place.type is not None and (step.name in profile.super or written in profile.super):
        return Above(place.type)
    if step.name in profile.self and step.kind == "name":
        if place.type is None:
            return module_path(place, step.name) if profile.modules == "crate" else None
        return Static(place.type) if step.name in profile.self_types else Instance(place.type)
    if step.kind == "call":
        return _called(session, place, step)
    found, value = _variable(session, place, step.name, line, depth) if step.kind != PATH else (False, None)
    if found:
        return value
    meaning = visible(session, step.name, place.head, type_scopes(place))
    if isinstance(meaning, Found) and all(
        row.parent.endswith(step.name) and not is_type(row) for row in meaning.symbols
    ):
        # Constructors bear the name of the type that is meant.
        meaning = visible(session, step.name, place.head, type_scopes(place), types=True) or meaning
    if meaning is None and profile.modules == "crate" and not step.name[:1].isupper():
        return module_path(place, step.name)
    return _named(session, meaning, step.name, depth)


def _named(session: Session, meaning: Meaning, name: str, depth: int) -> Value:
    if isinstance(meaning, Foreign):
        return Outside(meaning.module)
    if isinstance(meaning, Module):
        return meaning
    if isinstance(meaning, Found):
        kinds = [row for row in meaning.symbols if is_type(row) or row.kind == NAMESPACE]
        if kinds:
            same = all(row.qualified_name == kinds[0].qualified_name for row in kinds)
            return Static(kinds[0], meaning.sure) if same else None
        only = meaning.symbols[0] if len(meaning.symbols) == 1 else None
        if only is not None and only.kind == "constant" and only.members:
            return Static(only, meaning.sure)  # an object: its functions are reached by its name
        return _constant(session, only, name, depth) if only is not None else None
    return Outside() if name[:1].isupper() else None


def _constant(session: Session, row: Symbol, name: str, depth: int) -> Value:
    """Return the value of a constant or variable of any file."""
    head = session.head(row.path)
    if head is None:
        return None
    text = row.result or next((kind for bound, kind in row.bindings if bound in (name, row.name)), "")
    owner = owner_of(session, row) if row.parent else None
    return _written_value(session, place_of_member(owner, row, head), text, 0, depth - 1) if text and depth else None


def _variable(session: Session, place: Place, name: str, line: int, depth: int) -> tuple[bool, Value]:
    """Look a variable up: locals and parameters outward, then fields of the own type, then the file."""
    for chunk in place.around:
        bound = bound_at(place, chunk, name, line) if chunk.kind not in TYPE_KINDS else []
        # `page, err := page.Parse(x)`: what is assigned is read before the variable is there.
        bound = [
            each
            for each in bound
            if each.line - line not in (0, 1) or not each.type.lstrip("=[]&*").startswith((f"{name}.", f"{name}::"))
        ]
        if bound:
            text, seen_from = bound[-1].type, bound[-1].line - 1  # `x = x.next()` speaks of the x before it
            text = (documented_parameter(chunk.doc, name) or text) if is_vague(text) else text
            return True, _written_value(session, place, text, seen_from, depth - 1) if depth else None
        if chunk.kind != "module" and chunk.kind not in TYPE_KINDS and names_parameter(chunk, name):
            text = documented_parameter(chunk.doc, name)  # what constructs a type is looked for among its fields
            value = declared_value(session, text, place.head, type_scopes(place))
            return True, None if isinstance(value, Outside) and not value.arguments else value
    if place.type is not None and place.profile.implicit_self:
        found, value = _field(session, Static(place.type), name.lstrip(SIGILS) or name, depth)
        if found:
            return True, value
    for binding in (place.globals or {}).get(name, ())[-1:]:
        return True, _written_value(session, place, binding.type, binding.line, depth - 1) if depth else None
    return False, None


def _written_value(session: Session, place: Place, text: str, line: int, depth: int) -> Value:
    """Return the value of a binding by the text of its declared type, or of the call it was assigned from."""
    if text[:1] == ALIAS_MARK:
        if text.startswith(BLOCK_MARK):
            return _handed_value(session, place, text[len(BLOCK_MARK) :], line, depth)
        if text.startswith(ELEMENT_MARK):
            return iterated(value_of(session, place, text[len(ELEMENT_MARK) :], line, depth))
        return value_of(session, place, text[1:], line, depth)
    if text.endswith(VALUE_MARK):
        steps = receiver_steps(text)
        if not steps or depth < 0:
            return None
        open_end = (*steps[:-1], steps[-1]._replace(arguments=None))
        return _followed(session, place, open_end, line, depth)
    value = declared_value(session, text, place.head, type_scopes(place))
    value = of_parameter(session, place, value)
    if isinstance(value, Outside) and not value.module and depth >= 0:
        called = receiver_steps(text + VALUE_MARK)
        if called and all(step.kind in ("name", "call") for step in called) and is_function(session, place, text):
            return _written_value(session, place, text + VALUE_MARK, line, depth)
    return value


def received_members(
    session: Session, place: Place, name: str, arguments: int | None, line: int
) -> tuple[tuple[Symbol, ...], Value]:
    """Find a member of what the blocks around a line have as their receiver, the innermost first, and that receiver."""
    for chunk in place.around if place.profile.blocks else ():
        own = [each for each in chunk.bindings if each.name == OWN and each.line <= line <= each.until]
        for binding in reversed(own):
            value = bound_value_of(session, place, binding)
            rows = member_rows(session, value, name, arguments)
            if rows := rows or extension_rows(session, place, value, name, arguments):
                return rows, value
    return (), None


def bound_value_of(session: Session, place: Place, binding: Binding) -> Value:
    """Return what a variable stands for."""
    key = ("bound", place.head.path, place.chunk.key if place.chunk else None, binding)
    return session.remember(
        key, lambda: _written_value(session, place, binding.type, binding.line - 1, FIELD_DEPTH), place.head.path
    )


def _handed_value(session: Session, place: Place, spec: str, line: int, depth: int) -> Value:
    """Return what a call hands to its block, by the definition that is called."""
    steps = receiver_steps(spec.split(":", 2)[2])
    if not steps or depth < 0:
        return None
    name = steps[-1].name
    if len(steps) == 1:
        rows, value = received_members(session, place, name, None, line)
        if not rows:
            value = Instance(place.type) if place.type is not None else None
            meaning = callables(session, place, name, None)
            found = meaning.symbols if isinstance(meaning, Found) else ()
            rows = tuple(
                made for row in found for made in (constructors(session, row, None) if is_type(row) else (row,))
            )
    else:
        value = _first_value(session, place, steps[0], line, depth)
        for step in steps[1:-1]:
            value = _next_value(session, place, value, step, depth) if value is not None else None
        rows = member_rows(session, value, name, None) or extension_rows(session, place, value, name, None)
    return block_value(session, place, spec, steps, value, (row for row in rows if not is_type(row)), iterated)


def _field(session: Session, value: Instance | Static | Above, name: str, depth: int) -> tuple[bool, Value]:
    """Return whether a type has a field of this name, and its value on this receiver."""
    key = ("field", value.type.key, name, depth)
    owner, field, parameter = session.remember(key, lambda: _find_field(session, value.type, name, depth))
    if owner is None or not owner.generics or isinstance(value, Above):
        return owner is not None, field
    if (isinstance(value, Instance) and value.arguments) or owner.key != value.type.key:
        values = parameter_values(session, value, owner)
        field = values.get(parameter) or substituted(field, values)
    return True, field


def _find_field(session: Session, symbol: Symbol, name: str, depth: int) -> tuple[Symbol | None, Value, str]:
    """Return the type that has the field, the field's value, and the type parameter that it is declared with."""
    for kind in ancestors(session, symbol)[0]:
        text = next((text for bound, text in kind.bindings if bound == name), "")
        if text:
            head = session.head(kind.path)
            if head is None or not depth:
                return kind, None, ""
            written = type_name(text, profile_of(kind.language).nothing) if kind.generics else None
            parameter = written.name if written and not written.arguments else ""
            return kind, _written_value(session, place_of_type(kind, head), text, 0, depth - 1), parameter
    return None, None, ""


def _called(session: Session, place: Place, step: Step) -> Value:
    if place.type is not None and step.name in place.profile.self_types:
        return Instance(place.type)
    meaning = callables(session, place, step.name, step.arguments)
    if isinstance(meaning, Foreign):
        return Outside(meaning.module)
    if isinstance(meaning, Module):
        meaning = whole(session, meaning)
    if not isinstance(meaning, Found):
        return None
    return result_value(session, chosen(meaning.symbols, step.arguments), Instance(place.type) if place.type else None)


def _next_value(session: Session, place: Place, value: Value, step: Step, depth: int) -> Value:
    if isinstance(value, Several):
        return several(_next_value(session, place, each, step, depth) for each in value.values)
    if step.kind == "index":
        return element(value)
    if isinstance(value, Outside):
        rows = extension_rows(session, place, value, step.name, step.arguments) if step.kind == "call" else ()
        return result_value(session, rows, value) if rows else beyond(place, value, step)
    if step.kind == "call":
        rows = member_rows(session, value, step.name, step.arguments)
        rows = rows or extension_rows(session, place, value, step.name, step.arguments)
        if rows:
            return result_value(session, chosen(rows, step.arguments), value)
        if isinstance(value, Instance) and step.name in place.profile.passing:
            return value
        if isinstance(value, Static) and step.name in place.profile.makes:
            return Instance(value.type, (), value.sure)
        return Outside(value.shown) if isinstance(value, Module) and member(session, value, step.name) is None else None
    if isinstance(value, Module):
        meaning = member(session, value, step.name)
        if meaning is None and (own := whole(session, value)) and own.symbols[0].kind in TYPE_KINDS:
            return _attribute(session, Static(own.symbols[0]), step.name, depth)
        if meaning is None and value.style == "crate":
            return submodule(value, step.name)
        if meaning is None and not is_surely_own(value) and not module_files(value, session):
            return Outside(value.shown)
        return _named(session, meaning, step.name, depth)
    if isinstance(value, Instance | Static | Above):
        return _attribute(session, value, step.name, depth)
    return None


def _attribute(session: Session, value: Instance | Static | Above, name: str, depth: int) -> Value:
    """Return the value of a field, property, nested type or enumeration member."""
    found, field = _field(session, value, name, depth)
    if found:
        return field
    if name in profile_of(value.type.language).passing and isinstance(value, Instance):
        return value
    if name in profile_of(value.type.language).self:
        return Instance(value.type)
    if isinstance(value, Static) and name in profile_of(value.type.language).construct_by:
        return Instance(value.type)
    rows = find_member(session, value.type, name, None, called=False)
    if rows and (is_type(rows[0]) or rows[0].kind == NAMESPACE):
        return Static(rows[0])
    profile = profile_of(value.type.language)
    if value.type.kind == "enum" and isinstance(value, Static) and all(row.kind == "constant" for row in rows):
        return Instance(value.type)
    if rows and (profile.bare_calls or not profile.properties.isdisjoint(rows[0].modifiers)):
        return result_value(session, rows, value)
    return None
