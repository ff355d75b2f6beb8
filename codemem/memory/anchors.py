"""Memories tied to code: what became of the symbol since the memory was verified.

A tie keeps two hashes, both without the symbol's own name and without layout: of the code and of the interface. So
reformatting changes nothing, a move or a rename is followed, and a change of body or contract is told apart. What comments
say is not what the code does: the hash of the code is a pair, with them (cheap, tried first) and without.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from codemem.errors import BadQuery
from codemem.identity import now_ms
from codemem.memory.rows import change_row
from codemem.store import Store, has_index
from codemem.store.anchors import (
    Anchor,
    definitions,
    indexed_text,
    read_anchors,
    read_since,
    similar_definitions,
    write_anchor,
)
from codemem.store.memories import Condition, find_ids
from codemem.store.symbols import find_symbols
from codemem.types import Chunk, Memory

if TYPE_CHECKING:
    from codemem.store import Connection

FRESH, BODY, CONTRACT, ORPHANED, AMBIGUOUS, UNRESOLVED = (
    "fresh", "stale:body", "stale:contract", "orphaned", "ambiguous", "unresolved",
)  # fmt: skip
STALE = (BODY, CONTRACT, ORPHANED, AMBIGUOUS)
CONTRACT_ROLES = ("declare", "raise", "panic", "return")
SHORTEST_BODY = 24
"""Characters of code; shorter bodies (`return None`) are equal by chance and name nothing."""
OPTIONAL_COMMA = re.compile(r",(?=[)\]}>])")
PAIR = ":"
"""Between the hash of the code as written and that without comments."""
SHOWN_CANDIDATES = 3
EVERY_MEMORY = Condition("memory.status <> 'deleted'")
"""Ties are renewed for all owners alike: what is read here is shown to nobody."""


class AnchorReport(NamedTuple):
    """What `refresh_anchors` found: how many ties it looked at, and those whose state changed."""

    checked: int
    changed: tuple[tuple[int, str, str], ...]
    """(memory number, state before, state now)"""


def anchor_memory(store: Store, connection: Connection, memory: Memory, now: int) -> Memory:
    """Tie a memory to the symbol it names, as that is now; without an index, or unknown, it stays `unresolved`."""
    anchor = _first_tie(store, memory, now)
    write_anchor(connection, anchor)
    return replace(memory, anchor=anchor.state)


def refresh_anchors(store: Store) -> AnchorReport:
    """Compare every tie with the index as it is now and write the states that changed; called after `index`."""
    anchors = read_anchors(store)
    if not anchors or not has_index(store):
        return AnchorReport(len(anchors), ())
    now = now_ms()
    renewed = [(anchor, _renewed(store, anchor, now)) for anchor in anchors]
    changed = [(old, new) for old, new in renewed if old[:-1] != new[:-1]]
    if changed:
        with store.transaction(durable=True) as connection:
            for _, new in changed:
                write_anchor(connection, new)
            _rename_ties(store, connection, changed, now)
    return AnchorReport(
        len(anchors), tuple((old.memory_id, old.state, new.state) for old, new in changed if old.state != new.state)
    )


def _rename_ties(store: Store, connection: Connection, changed: Sequence[tuple[Anchor, Anchor]], now: int) -> None:
    """Let memories whose code got another name say the name that it has now; the old one stays in their history."""
    names = {new.memory_id: new.symbol for old, new in changed if old.content_hash and old.symbol != new.symbol}
    for number, memory in find_ids(store, EVERY_MEMORY, list(names)).items():
        change_row(connection, memory, replace(memory, symbol=names[number]), "index", now, "edit")


def code_hash(chunk: Chunk) -> str:
    """Hash a definition's code without white space, optional commas, quote style and its own name."""
    return _digest(_plain(chunk.text, chunk.name))


def bare_hash(store: Store, chunk: Chunk) -> str:
    """Hash a definition's code as `code_hash` does, without comments; empty where they cannot be told apart."""
    from codemem.parse import code_lines  # parsers are loaded only for code that is tied or has changed

    lines = code_lines(indexed_text(store, chunk.path), chunk.language)
    return "" if lines is None else _digest(_plain("\n".join(lines[chunk.start_line - 1 : chunk.end_line]), chunk.name))


def is_same_code(store: Store, anchor: Anchor, chunk: Chunk) -> bool:
    """Say whether the code is what it was when it was tied; ties of older versions know no hash without comments."""
    whole, _, bare = anchor.content_hash.partition(PAIR)
    return code_hash(chunk) == whole or (bool(bare) and bare_hash(store, chunk) == bare)


def contract_hash(chunk: Chunk) -> str:
    """Hash a definition's signature and written contract, without its own name and layout."""
    facts = sorted({f"{fact.role} {fact.type}" for fact in chunk.contract if fact.role in CONTRACT_ROLES})
    return _digest("\n".join((_plain(chunk.signature, chunk.name), *chunk.modifiers, *chunk.extends, *facts)))


def _first_tie(store: Store, memory: Memory, now: int) -> Anchor:
    blank = Anchor(memory.id, memory.tenant, memory.symbol, "", "", "", "", "", UNRESOLVED, "", now)
    if not has_index(store):
        return blank._replace(detail="no index yet")
    try:
        found = find_symbols(store, memory.symbol)
    except BadQuery as error:
        return blank._replace(detail=error.message)
    chunks = [
        chunk
        for row in found
        for chunk in definitions(store, row.qualified_name, row.language, row.path)
        if chunk.ordinal == row.ordinal
    ]
    if len(chunks) != 1:
        return blank._replace(state=AMBIGUOUS if chunks else UNRESOLVED, detail=_listed(chunks))
    return _tied(store, blank, chunks[0], now)


def _tied(store: Store, anchor: Anchor, chunk: Chunk, now: int) -> Anchor:
    return anchor._replace(
        symbol=chunk.qualified_name,
        path=chunk.path,
        language=chunk.language,
        kind=chunk.kind,
        content_hash=f"{code_hash(chunk)}{PAIR}{bare_hash(store, chunk)}",
        interface_hash=contract_hash(chunk),
        state=FRESH,
        detail="",
        checked_at=now,
    )


def _renewed(store: Store, anchor: Anchor, now: int) -> Anchor:
    """Find the tied symbol again and say what changed."""
    if not anchor.content_hash:
        memory = _bare(anchor)
        return _first_tie(store, memory, now)._replace(memory_id=anchor.memory_id)
    here = definitions(store, anchor.symbol, anchor.language, anchor.path)
    if here:
        return _compared(store, anchor, here, now)
    elsewhere = definitions(store, anchor.symbol, anchor.language)
    same = [chunk for chunk in elsewhere if is_same_code(store, anchor, chunk)]
    if len(same) == 1 or (len(elsewhere) == 1 and not same):
        chunk = (same or elsewhere)[0]
        moved = anchor._replace(path=chunk.path)
        return _compared(store, moved, [chunk], now, f"moved from {anchor.path}")
    return _followed(store, anchor, now)


def _compared(store: Store, anchor: Anchor, chunks: Sequence[Chunk], now: int, detail: str = "") -> Anchor:
    """Compare with the definitions of the same name: any equal one is fresh (overloads), else the nearest tells what changed."""
    kept = [chunk for chunk in chunks if contract_hash(chunk) == anchor.interface_hash]
    if any(is_same_code(store, anchor, chunk) for chunk in kept):
        return anchor._replace(state=FRESH, detail=detail, checked_at=now)
    what = "the body changed" if kept else "signature or exception contract changed"
    return anchor._replace(
        state=BODY if kept else CONTRACT, detail="; ".join(filter(None, (detail, what))), checked_at=now
    )


def _followed(store: Store, anchor: Anchor, now: int) -> Anchor:
    """Look for the body under another name; an orphan keeps its identity, so that it heals when the code comes back.

    A twin in a file that has not been read since the tie was made stood there before: nothing was renamed to it.
    """
    equal = [
        chunk
        for chunk in similar_definitions(store, anchor.language, anchor.kind)
        if len(chunk.text) >= SHORTEST_BODY
        and code_hash(chunk) == anchor.content_hash.partition(PAIR)[0]
        and read_since(store, chunk.path, anchor.checked_at)
    ]
    if len(equal) == 1:
        chunk = equal[0]
        followed = _tied(store, anchor, chunk, now)
        return followed._replace(detail=f"renamed from {anchor.symbol}")
    if equal:
        return anchor._replace(state=AMBIGUOUS, detail=f"equal bodies: {_listed(equal)}", checked_at=now)
    return anchor._replace(state=ORPHANED, detail=f"{anchor.symbol} is gone from {anchor.path}", checked_at=now)


def _bare(anchor: Anchor) -> Memory:
    return Memory(
        uuid="", tenant=anchor.tenant, visibility="project", project_id="", cube="", type="text_mem", content="", importance=5,
        status="active", created_at=0, updated_at=0, content_hash="", symbol=anchor.symbol, id=anchor.memory_id,
    )  # fmt: skip


def _listed(chunks: Sequence[Chunk]) -> str:
    shown = ", ".join(
        f"{chunk.qualified_name} ({chunk.path}:{chunk.start_line})" for chunk in chunks[:SHOWN_CANDIDATES]
    )
    return shown + (f" and {len(chunks) - SHOWN_CANDIDATES} more" if len(chunks) > SHOWN_CANDIDATES else "")


def _plain(text: str, name: str) -> str:
    if name:
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "\x00", text)
    return OPTIONAL_COMMA.sub("", re.sub(r"\s+", "", text)).replace("'", '"')


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=16).hexdigest()
