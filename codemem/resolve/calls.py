"""Resolve the calls of one file: targets in the repository with a certainty, or an honest "unresolved"."""

from __future__ import annotations

import re

from codemem.resolve.arguments import Written
from codemem.resolve.blocks import OWN
from codemem.resolve.errors import ErrorRules, rules_of
from codemem.resolve.extensions import extension_rows
from codemem.resolve.filemodules import in_file_module
from codemem.resolve.guess import guess, is_telling, unimported
from codemem.resolve.inference import ALIAS_MARK, VALUE_MARK, received_members, value_of
from codemem.resolve.locals import extended, is_variable, nested, siblings, taken_out
from codemem.resolve.members import callable_rows, find_member
from codemem.resolve.modules import Module, is_surely_own, module_files
from codemem.resolve.names import Foreign, Found, member, whole
from codemem.resolve.noise import is_noise
from codemem.resolve.passing import passing_calls, value_guards
from codemem.resolve.places import Place, Places, names_parameter
from codemem.resolve.records import TYPE_KINDS, FileFacts, ResolvedChunk, ResolvedFile, Symbol
from codemem.resolve.results import callables, constructors, member_rows
from codemem.resolve.seen import type_of_name
from codemem.resolve.session import Session
from codemem.resolve.targets import answered, answered_alike, narrowed, with_target
from codemem.resolve.typenames import ancestors
from codemem.resolve.values import Instance, Outside, Several, Static, Value
from codemem.resolve.wholenames import in_namespace
from codemem.types import Call, Chunk

ROOT = re.compile(r"[^\W\d][\w$]*")
Targets = tuple[tuple[Symbol, ...], bool, str]
"""Definitions that a call can mean, whether that is sure, and the import path when it goes outside."""
NOWHERE: Targets = ((), False, "")


def resolve_file(facts: FileFacts, session: Session) -> ResolvedFile:
    """Find the targets of all calls of a file; the same facts and the same definitions give the same answer."""
    session.enter_file(facts.head.path)
    places = Places(facts, session)
    rules = rules_of(facts.head.language)
    written = Written(facts.lines)
    nothing = ResolvedChunk()
    resolved = tuple(
        _resolve_chunk(chunk, places, rules, session, written) if chunk.calls else nothing for chunk in facts.chunks
    )
    return ResolvedFile(resolved, frozenset(session.consulted))


def _resolve_chunk(
    chunk: Chunk, places: Places, rules: ErrorRules, session: Session, written: Written
) -> ResolvedChunk:
    place = places.of(chunk)
    answers = places.answers(place)
    calls = tuple(_remembered(call, place, answers, session) for call in chunk.calls)
    if place.profile.overloads:
        alike: dict[tuple[int, str], list[Call]] = {}
        for call in calls:
            alike.setdefault((call.line, call.callee), []).append(call)
        calls = tuple(
            narrowed(call, alike[call.line, call.callee], place, session, written)
            if call.certainty == "ambiguous"
            else call
            for call in calls
        )
    return ResolvedChunk(calls, passing_calls(chunk, rules, written.line), value_guards(chunk, rules, written.line))


def _remembered(call: Call, place: Place, answers: dict[object, Call], session: Session) -> Call:
    """Resolve a call, or take the answer of an equal one: many calls of a file are written alike."""
    key = _sameness(call, place)
    if key is None:
        return _resolve(call, place, session)
    known = answers.get(key)
    if known is None:
        known = answers[key] = _resolve(call, place, session)
        return known
    return answered_alike(call, known)


def _sameness(call: Call, place: Place) -> object:
    """Return what a call's answer depends on besides type and scopes; None where it depends on its very place."""
    chunk, callee, receiver = place.chunk, call.callee, call.receiver
    if chunk is None or callee == chunk.name or not callee.isidentifier() or callee in place.profile.delegates:
        return None
    if place.type is not None and (callee == place.type.name or callee in place.profile.self_types):
        return None
    if place.type is None and receiver in place.profile.self:
        return None  # it is the object literal around the call
    root = callee
    if receiver is not None:
        match = ROOT.match(receiver)
        if match is None:
            return None
        root = match.group()
    for other in place.around:
        if other.kind in TYPE_KINDS:
            continue
        for binding in other.bindings:
            if receiver is None and binding.name == OWN and binding.until:
                return None
            if binding.name == root:
                return _by_declaration(call, other, root)
        if other.kind != "module" and names_parameter(other, root):
            return None
    if receiver is None and (callee in place.profile.super or place.nests):
        return None
    return receiver, callee, call.arguments


def _by_declaration(call: Call, chunk: Chunk, root: str) -> object:
    """Return what the answer depends on when the receiver begins with a variable: its type, if that is declared."""
    bound = [binding for binding in chunk.bindings if binding.name == root]
    types = {binding.type for binding in bound}
    kind = types.pop()
    if (
        types
        or any(binding.until for binding in bound)
        or call.receiver is None
        or kind.endswith(VALUE_MARK)
        or kind[:1] == ALIAS_MARK
    ):
        return None
    return kind, call.receiver, call.callee, call.arguments


def _resolve(call: Call, place: Place, session: Session) -> Call:
    callee, receiver = _split_callee(call, place)
    if receiver is None:
        rows, sure, module = _bare(callee, call, place, session)
    else:
        rows, sure, module = _on_receiver(callee, receiver, call, place, session)
    if not rows:
        if not module and (
            is_noise(place.head.language, callee, receiver) or _is_library_error(callee, receiver, place)
        ):
            return answered(call, "external")
        return answered(call, "external", module=module) if module else call
    return with_target(call, rows, sure, place, session)


def _is_library_error(callee: str, receiver: str | None, place: Place) -> bool:
    """Tell whether a call makes an exception of the standard library; nothing in the repository has its name."""
    rules = rules_of(place.head.language)
    return receiver is None and callee[:1].isupper() and (callee in rules.parents or callee in rules.roots)


def _split_callee(call: Call, place: Place) -> tuple[str, str | None]:
    """Split `a.b.Type` or `Type::new` where the grammar captured it as one callee."""
    callee = call.callee
    if call.receiver is not None or callee.isidentifier():
        return callee, call.receiver
    for separator in place.profile.separators:
        head, found, last = callee.rpartition(separator)
        if found and head and last.isidentifier():
            return last, head
    return callee, None


def _bare(callee: str, call: Call, place: Place, session: Session) -> Targets:
    profile = place.profile
    if callee in profile.delegates and place.type is not None:
        return _delegated(callee, call, place, session)
    if callee in profile.super:
        if profile.super_same and place.type is not None and place.chunk is not None:
            return find_member(session, place.type, place.chunk.name, call.arguments, above=True), True, ""
        return NOWHERE
    inner, sure = nested(callee, place, session, call.line)
    if inner:
        return inner, sure, ""
    if callee in profile.self_types and place.type is not None:
        return constructors(session, place.type, call.arguments), True, ""
    if not profile.separate_names and is_variable(callee, place, call.line):
        return taken_out(callee, call, place, session), True, ""
    if rows := received_members(session, place, callee, call.arguments, call.line)[0]:
        return rows, True, ""
    meaning = callables(session, place, callee, call.arguments)
    if isinstance(meaning, Module):
        meaning = whole(session, meaning) or Foreign(_foreign_module(meaning, session))
    if isinstance(meaning, Foreign):
        return (), False, meaning.module
    if isinstance(meaning, Found):
        rows = meaning.symbols
        if profile.separate_names:
            rows = callable_rows(rows, call.arguments, profile)
        if call.arguments is None and profile.bare_calls and profile.globally and not is_telling(callee):
            # A name alone, without brackets: it is no free function of another file that happens to have it.
            rows = tuple(row for row in rows if row.parent or row.path == place.head.path)
        return rows, meaning.sure, ""
    if rows := extended(callee, call, place, session):
        return rows, True, ""
    kind = type_of_name(session, place, callee) if place.type is not None and not profile.implicit_self else None
    if kind is not None and callee[:1].isupper():
        return (kind,), True, ""
    return (unimported(session, callee, place), False, "") if profile.unimported else NOWHERE


def _delegated(callee: str, call: Call, place: Place, session: Session) -> Targets:
    """Find the constructor that `this(...)` or `super(...)` runs."""
    assert place.type is not None
    if callee in place.profile.super:
        direct = ancestors(session, place.type)[0][1:2]
        above = next((kind for kind in direct if kind.kind != "interface"), None)
        return (constructors(session, above, call.arguments), True, "") if above else NOWHERE
    return constructors(session, place.type, call.arguments), True, ""


def _on_receiver(callee: str, receiver: str, call: Call, place: Place, session: Session) -> Targets:
    if receiver in place.profile.self and place.type is not None:
        rows = find_member(session, place.type, callee, call.arguments)
        return (rows, True, "") if rows else NOWHERE
    if receiver in place.profile.self and (rows := siblings(callee, place, session)):
        return rows, bool(rows[0].parent), ""
    if place.profile.namespaces and (rows := in_namespace(session, place, receiver, callee)):
        return rows, True, ""
    if place.profile.file_modules and (rows := in_file_module(session, place.head, receiver, callee)):
        return rows, True, ""
    value = value_of(session, place, receiver, call.line)
    if value is None:
        rows = guess(session, callee, receiver, call.arguments, place)
        return rows, False, ""
    rows = member_rows(session, value, callee, call.arguments)
    rows = rows or extension_rows(session, place, value, callee, call.arguments)
    if rows:
        return rows, _is_sure(value), ""
    if isinstance(value, Outside):
        return (), False, value.module
    if isinstance(value, Module):
        meaning = member(session, value, callee)
        if isinstance(meaning, Foreign):
            return (), False, meaning.module
        return (), False, "" if isinstance(meaning, Module) else _foreign_module(value, session)
    return NOWHERE


def _foreign_module(module: Module, session: Session) -> str:
    """Return the module's path when none of the repository's definitions stands in it."""
    return "" if is_surely_own(module) or module_files(module, session) else module.shown


def _is_sure(value: Value) -> bool:
    if isinstance(value, Several):
        return all(isinstance(each, Instance) and each.sure for each in value.values)
    return value.sure if isinstance(value, Instance | Static) else True
