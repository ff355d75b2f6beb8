"""The chunks that `--raises` and `--calls` ask for: subtypes of an error, implementations of a method and what they implement."""

from __future__ import annotations

from collections.abc import Sequence

from codemem.errors import BadQuery
from codemem.graph.failures import descendants
from codemem.resolve import Session
from codemem.resolve.implementing import implementations
from codemem.resolve.profile import profile_of
from codemem.store import Store
from codemem.store.candidates import chunks_calling, chunks_raising, error_types
from codemem.store.graph import callers_of
from codemem.store.symbols import SymbolRow, find_symbols
from codemem.universe import StoreUniverse


def raising_chunks(store: Store, types: Sequence[str]) -> list[int]:
    """Return the chunks whose contract lets out one of these errors or one that descends from it."""
    known = error_types(store.connection)
    wanted: dict[str, None] = {}
    for written in types:
        simple = written.replace("::", ".").replace("\\", ".").rpartition(".")[2].removesuffix("()")
        wanted.update(dict.fromkeys((simple, *descendants(store, simple, known))))
    return chunks_raising(store.connection, list(wanted))


def calling_chunks(store: Store, names: Sequence[str]) -> list[int]:
    """Return the chunks that call one of these names, or a member: itself, an implementation, or what it implements."""
    found = set(chunks_calling(store.connection, names))
    session = Session(StoreUniverse(store.connection))
    for written in names:
        for row in _members(store, written.replace("::", "#").removesuffix("()")):
            family = profile_of(row.language).family
            own = [symbol for symbol in session.symbols(row.name, family) if symbol.key == row.key]
            others = [other.key for symbol in own for other in implementations(session, symbol)]
            for key in (row.key, *others):
                found.update(caller.chunk_id for caller in callers_of(store.connection, key))
    return sorted(found)


def _members(store: Store, written: str) -> list[SymbolRow]:
    """Return the definitions of a qualified name; a plain one stands for every call that is written so."""
    name = written.replace("#", ".").rpartition(".")[2]
    if name == written:
        return []
    try:
        return [row for row in find_symbols(store, written) if row.name == name]
    except BadQuery:  # a member from outside: the calls that name it were found already
        return []
