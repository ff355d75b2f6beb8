"""Resolve the calls of one file: targets in the repository with a certainty, or an honest "unresolved"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial

from codemem.resolve.arguments import Written
from codemem.resolve.blocks import OWN
from codemem.resolve.errors import ErrorRules, rules_of
from codemem.resolve.extensions import extension_rows
from codemem.resolve.filemodules import in_file_module
from codemem.resolve.guess import guess, is_telling, unimported
from codemem.resolve.implementing import implementations, is_abstract
from codemem.resolve.inference import (
    ALIAS_MARK,
    VALUE_MARK,
    callables,
    chosen,
    constructors,
    member_rows,
    received_members,
    type_of_name,
    value_of,
)
from codemem.resolve.locals import extended, is_variable, nested, siblings, taken_out
from codemem.resolve.members import (
    VARIABLE_KINDS,
    Instance,
    Outside,
    Static,
    Value,
    ancestors,
    find_member,
    fits,
    is_type,
)
from codemem.resolve.modules import Module, is_surely_own, module_files
from codemem.resolve.names import Foreign, Found, member, whole
from codemem.resolve.noise import is_noise
from codemem.resolve.overloads import by_types
from codemem.resolve.passing import passing_calls, value_guards
from codemem.resolve.places import Place, Places, names_parameter
from codemem.resolve.profile import profile_of
from codemem.resolve.records import TYPE_KINDS, FileFacts, ResolvedChunk, ResolvedFile, Symbol
from codemem.resolve.session import Session
from codemem.resolve.wholenames import in_namespace
from codemem.roles import TEST_FOLDERS, is_test
from codemem.types import Call, Certainty, Chunk, ChunkKey

ROOT = re.compile(r"[^\W\d][\w$]*")
MAXIMUM_CANDIDATES = 8
"""Alternatives kept of an ambiguous call: more of them say nothing."""

AS_WRITTEN = Call._fields.index("target")
"""So many fields of a call are as they were written; its answer follows them."""
_call: Callable[[tuple[object, ...]], Call] = partial(tuple.__new__, Call)
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
            _narrowed(call, alike[call.line, call.callee], place, session, written)
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
    return _call((*call[:AS_WRITTEN], *known[AS_WRITTEN:]))


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
            return _answered(call, "external")
        return _answered(call, "external", module=module) if module else call
    return _with_target(call, rows, sure, place, session)


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
    if inner := nested(callee, place, session):
        return inner, True, ""
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
            rows = tuple(row for row in rows if row.kind not in VARIABLE_KINDS)
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
    return value.sure if isinstance(value, Instance | Static) else True


def _with_target(call: Call, rows: tuple[Symbol, ...], sure: bool, place: Place, session: Session) -> Call:
    """Choose among the definitions by number of arguments; several that fit are candidates."""
    found = chosen(_constructed(rows, call, session), call.arguments)
    caller = place.chunk.key if place.chunk is not None else None
    overloads = place.profile.overloads and len(found) > 1 and _one_name(row.key for row in found)
    if (len(found) > 1 or not sure) and not overloads:
        # A call is no recursion by its name alone: another definition that fits goes before the caller itself.
        others = tuple(row for row in found if row.key != caller)
        found = others if others or not sure else found
    if not found:
        return call
    if len(found) > 1 and not place.profile.overloads and len({(row.path, row.qualified_name) for row in found}) == 1:
        found = found[-1:] if place.profile.modules == "dotted" else found[:1]
    if len(found) > 1:
        return _answered(call, "ambiguous", candidates=tuple(row.key for row in found[:MAXIMUM_CANDIDATES]))
    target = found[0]
    sure = sure and (is_type(target) or fits(target, call.arguments) or not profile_of(target.language).overloads)
    candidates = _implementing(session, target, place)
    return _answered(call, "resolved" if sure else "likely", target=target.key, candidates=candidates)


def _narrowed(call: Call, alike: Sequence[Call], place: Place, session: Session, written: Written) -> Call:
    """Choose among overloads by the types of the arguments; `alike` are the calls of the same name on the same line."""
    first = call.candidates[0]
    name = first.qualified_name.replace("#", ".").rpartition(".")[2]
    same = (first.path, first.qualified_name)
    if not _one_name(call.candidates):
        return call
    family = place.profile.family

    def those_that_fit() -> list[Symbol]:
        rows = (row for row in session.symbols(name, family) if (row.path, row.qualified_name) == same)
        return [row for row in rows if fits(row, call.arguments)]

    fitting = session.remember(("fitting", name, family, same, call.arguments), those_that_fit)
    found = by_types(session, place, written.arguments(call, alike), call.line, fitting)
    if len(found) == 1:
        return _answered(call, "resolved", target=found[0].key, candidates=_implementing(session, found[0], place))
    # Types left it open: then it is no recursion, as an overload mostly calls another one.
    caller = place.chunk.key if place.chunk is not None else None
    others = [row for row in found if row.key != caller]
    if len(others) == 1:
        return _answered(call, "likely", target=others[0].key, candidates=_implementing(session, others[0], place))
    return _answered(call, "ambiguous", candidates=tuple(row.key for row in others[:MAXIMUM_CANDIDATES]))


def _one_name(keys: Iterable[ChunkKey]) -> bool:
    """Tell whether definitions differ by nothing but their parameters."""
    return len({(key.path, key.qualified_name) for key in keys}) == 1


def _implementing(session: Session, target: Symbol, place: Place) -> tuple[ChunkKey, ...]:
    """Return the implementations of a definition without a body."""
    if not is_abstract(session, target):
        return ()
    caller = place.chunk.key if place.chunk is not None else None
    # What only tests hand in is not what runs: mocks fail in ways of their own.
    tested = _in_tests(place.head.path, caller.qualified_name if caller is not None else "")
    found = (row.key for row in implementations(session, target) if row.key != caller)
    return tuple(key for key in found if tested or not _in_tests(key.path, key.qualified_name))


def _in_tests(path: str, qualified_name: str) -> bool:
    """Tell whether a definition stands in a test file, or in a module for tests of another file."""
    return is_test(path) or not TEST_FOLDERS.isdisjoint(qualified_name.replace("#", ".").split(".")[:-1])


def _constructed(rows: tuple[Symbol, ...], call: Call, session: Session) -> tuple[Symbol, ...]:
    """Put constructors in the place of types."""
    if not any(is_type(row) for row in rows):
        return rows
    found: dict[ChunkKey, Symbol] = {}
    for row in rows:
        for target in constructors(session, row, call.arguments) if is_type(row) else (row,):
            found[target.key] = target
    companion = profile_of(rows[0].language).companion
    made = tuple(row for row in found.values() if not (companion and is_type(row) and companion in row.modifiers))
    return made or tuple(found.values())


def _answered(
    call: Call,
    certainty: Certainty,
    *,
    target: ChunkKey | None = None,
    candidates: tuple[ChunkKey, ...] = (),
    module: str = "",
) -> Call:
    """Copy a call with its answer: `replace` takes ten times as long, and there are hundreds of thousands."""
    return _call((*call[:AS_WRITTEN], target, certainty, candidates, module))
