"""Choose the target of a call among the definitions that it can mean: by arguments, overloads, implementations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from codemem.resolve.arguments import Written
from codemem.resolve.implementing import implementations, is_abstract
from codemem.resolve.members import fits
from codemem.resolve.overloads import by_types
from codemem.resolve.places import Place
from codemem.resolve.profile import profile_of
from codemem.resolve.records import Symbol
from codemem.resolve.results import chosen, constructors
from codemem.resolve.session import Session
from codemem.resolve.typenames import is_type
from codemem.roles import TEST_FOLDERS, is_test
from codemem.types import READS, Call, Certainty, ChunkKey

MAXIMUM_CANDIDATES = 8
"""Alternatives kept of an ambiguous call: more of them say nothing."""

AS_WRITTEN = Call._fields.index("target")
"""So many fields of a call are as they were written; its answer follows them."""
_call: Callable[[tuple[object, ...]], Call] = partial(tuple.__new__, Call)


def with_target(call: Call, rows: tuple[Symbol, ...], sure: bool, place: Place, session: Session) -> Call:
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
        return answered(call, "ambiguous", candidates=tuple(row.key for row in found[:MAXIMUM_CANDIDATES]))
    target = found[0]
    sure = sure and (is_type(target) or fits(target, call.arguments) or not profile_of(target.language).overloads)
    candidates = _implementing(session, target, place)
    reads = READS if target.kind == "field" and profile_of(target.language).separate_names else ""
    return answered(call, "resolved" if sure else "likely", target=target.key, candidates=candidates, module=reads)


def narrowed(call: Call, alike: Sequence[Call], place: Place, session: Session, written: Written) -> Call:
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
    without = [row for row in fitting if row.parameters == 0] if call.arguments == 0 else []
    found = without or by_types(session, place, written.arguments(call, alike), call.line, fitting)
    if len(found) == 1:
        return answered(call, "resolved", target=found[0].key, candidates=_implementing(session, found[0], place))
    # Types left it open: then it is no recursion, as an overload mostly calls another one.
    caller = place.chunk.key if place.chunk is not None else None
    others = [row for row in found if row.key != caller]
    if len(others) == 1:
        return answered(call, "likely", target=others[0].key, candidates=_implementing(session, others[0], place))
    return answered(call, "ambiguous", candidates=tuple(row.key for row in others[:MAXIMUM_CANDIDATES]))


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


def answered(
    call: Call,
    certainty: Certainty,
    *,
    target: ChunkKey | None = None,
    candidates: tuple[ChunkKey, ...] = (),
    module: str = "",
) -> Call:
    """Copy a call with its answer: `replace` takes ten times as long, and there are hundreds of thousands."""
    return _call((*call[:AS_WRITTEN], target, certainty, candidates, module))


def answered_alike(call: Call, known: Call) -> Call:
    """Copy a call with the answer of an equal one."""
    return _call((*call[:AS_WRITTEN], *known[AS_WRITTEN:]))
