"""Find who raises, declares, catches or lets through a type of error, with its subtypes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from codemem.card import PANIC
from codemem.errors import BadQuery
from codemem.resolve import MAXIMUM_ERRORS, Session
from codemem.resolve.errors import certain_kinds, is_kind_of
from codemem.resolve.mismatch import Mismatch, mismatches
from codemem.roles import is_test
from codemem.store import Store, translated
from codemem.store.crowded import Place, calls_of_crowded
from codemem.store.graph import (
    FactSite,
    declaring_chunks,
    error_types,
    fact_sites,
    indexed_languages,
    load_resolved,
    type_names,
)
from codemem.types import Chunk, ErrorRole
from codemem.universe import StoreUniverse

ROLE_ORDER: tuple[ErrorRole, ...] = ("raise", "panic", "return", "declare", "propagate", "catch")
NEAR_NAMES = 3
MAXIMUM_MISMATCHES = 500
CHUNKS_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Site:
    """One place that has to do with an error type; `via` names the callee that it comes through."""

    qualified_name: str
    path: str
    line: int
    role: ErrorRole
    type: str
    via: str | None = None
    source: str = "code"
    text: str = ""
    handled: bool = False
    """Raised and caught inside the same definition."""


def find_raises(store: Store, error: str, subtypes: bool = True) -> tuple[Site, ...]:
    """Return all places of an error type and its subtypes, raises first, then by path and line.

    A class that nothing raises has no places; raises BadQuery with near names when the index knows no such type.
    """
    if not error.strip():
        raise BadQuery("the error type is empty", "give a name: ValueError, com.shop.OutOfStockException")
    simple = error.strip().replace("::", ".").replace("\\", ".").rpartition(".")[2].removesuffix("()")
    with translated(store.path):
        known = error_types(store.connection)
        wanted = descendants(store, simple, known) if subtypes else [simple]
        sites = [_site(row) for row in fact_sites(store.connection, wanted)]
        if simple == PANIC:
            untyped = fact_sites(store.connection, ("",))
            sites.extend(replace(_site(row), type=simple) for row in untyped if row.fact.role == "panic")
        types = [] if sites or simple in known else type_names(store.connection)
    if not sites and simple not in known and simple not in types:
        raise _unknown(error, simple, sorted({*known, *types}))
    return tuple(sorted(sites, key=lambda site: (ROLE_ORDER.index(site.role), site.path, site.line, site.type)))


def count_untold(store: Store, sites: Iterable[Site]) -> int:
    """Count the definitions that the error of these sites may leave untold.

    They lead to a site by calls, and more errors leave each on the way than contracts keep (the nearest).
    """
    told = {(site.path, site.qualified_name) for site in sites if site.role != "catch" and not site.handled}
    callers: dict[Place, list[Place]] = {}
    with translated(store.path):
        for caller, target in calls_of_crowded(store.connection, MAXIMUM_ERRORS):
            callers.setdefault(target, []).append(caller)
    reached: set[Place] = set()
    waiting = list(told)
    while waiting:
        found = {caller for caller in callers.get(waiting.pop(), ()) if caller not in told and caller not in reached}
        reached |= found
        waiting += found
    return len(reached)


def descendants(store: Store, error: str, known: Iterable[str]) -> list[str]:
    """List the known error types that are, or descend from, `error`."""
    session = Session(StoreUniverse(store.connection))
    languages = indexed_languages(store.connection)
    return [
        name
        for name in known
        if name == error or any(is_kind_of(session, name, error, language) for language in languages)
    ]


def contract_mismatches(store: Store, chunks: Mapping[int, Chunk]) -> dict[int, tuple[Mismatch, ...]]:
    """Compare declared and worked-out contracts of chunks loaded by `load_resolved`; those that agree are left out."""
    session = Session(StoreUniverse(store.connection))
    found: dict[int, tuple[Mismatch, ...]] = {}
    with translated(store.path):
        for chunk_id, chunk in chunks.items():
            language = chunk.language
            differing = mismatches(chunk, lambda kind, language=language: certain_kinds(session, kind, language))  # type: ignore[misc]
            if differing:
                found[chunk_id] = differing
    return found


def all_mismatches(store: Store, limit: int = MAXIMUM_MISMATCHES) -> list[tuple[Chunk, Mismatch]]:
    """List the mismatches of the whole repository outside tests, in order of path."""
    found: list[tuple[Chunk, Mismatch]] = []
    with translated(store.path):
        ids = declaring_chunks(store.connection)
    for start in range(0, len(ids), CHUNKS_AT_ONCE):
        chunks = load_resolved(store.connection, ids[start : start + CHUNKS_AT_ONCE], with_text=False)
        chunks = {chunk_id: chunk for chunk_id, chunk in chunks.items() if not is_test(chunk.path)}
        for chunk_id, differing in contract_mismatches(store, chunks).items():
            found.extend((chunks[chunk_id], mismatch) for mismatch in differing)
        if len(found) >= limit:
            break
    return sorted(found[:limit], key=lambda entry: (entry[0].path, entry[1].line))


def _site(row: FactSite) -> Site:
    fact = row.fact
    return Site(
        row.qualified_name, row.path, fact.line, fact.role, fact.type, fact.via, fact.source, fact.text, fact.handled
    )


def _unknown(written: str, simple: str, known: list[str]) -> BadQuery:
    from difflib import get_close_matches

    same = [name for name in known if name.casefold() == simple.casefold()]
    near = same or get_close_matches(simple, known, NEAR_NAMES)
    remedy = (
        f"did you mean {', '.join(f'`{name}`' for name in near)}?"
        if near
        else "look at `codemem show SYMBOL` for contracts"
    )
    return BadQuery(f"no error type `{written}` in the index", remedy)
