"""Memories as files: JSON Lines that export, import and export again without a byte of difference, and the SmileCli layout."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from codemem.errors import BadInput
from codemem.identity import now_ms, uuid7
from codemem.memory.anchors import anchor_memory
from codemem.memory.identity import content_hash, format_time, parse_time
from codemem.memory.remembering import embed_text, embedded_text, enter, exact_match
from codemem.memory.requests import LONGEST_CONTENT, SOURCES, TYPES, Options, Remembered, check_name
from codemem.memory.rows import change_row, enter_row
from codemem.memory.stores import Stores
from codemem.redact import is_empty, redact, safe
from codemem.store.memories import (
    Condition,
    add_history_rows,
    drop_aliases,
    each,
    find,
    history_of,
    loosen_chains,
    visible,
)
from codemem.store.memory_vectors import drop_vectors, put_vector
from codemem.types import Memory, Scope

if TYPE_CHECKING:
    from codemem.embed import Embedder
    from codemem.store import Connection, Store

FORMAT = "codemem-memory-1"
TIMES = ("valid_from", "valid_to", "created_at", "updated_at", "superseded_at", "last_used_at")
PLAIN = (
    "visibility", "cube", "type", "key", "content", "context", "symbol", "importance", "version", "source", "source_session",
    "source_message", "raw", "status", "superseded_by", "seen_count",
)  # fmt: skip
DEFAULTS: dict[str, Any] = {
    "key": "", "context": "", "symbol": "", "version": 1, "source": "manual", "source_session": "", "source_message": "",
    "raw": False, "superseded_by": None, "seen_count": 1, **dict.fromkeys(TIMES),
}  # fmt: skip
EDITED = ("content", "content_hash", "type", "key", "importance", "valid_from", "valid_to", "version", "updated_at")
"""What a later version of a known memory brings along: what `memory edit` can change, but for the tie to code."""
STATUSES = ("active", "superseded", "candidate")
WORDS = (
    "key", "context", "symbol", "source", "source_session", "source_message", "type", "status", "visibility", "cube"
)  # fmt: skip
IDENTIFIER = re.compile(r"[0-9A-Za-z][0-9A-Za-z_.:-]{3,63}")
"""What an id may look like: ours are UUIDs, others' are kept; blanks and control characters would not be typed again."""
IMPORT_BATCH = 200
"""Lines of one transaction."""


@dataclass(slots=True)
class Imported:
    """What an import did, by verdict, and the lines it could not use."""

    read: int = 0
    new: int = 0
    verdicts: dict[str, int] = field(default_factory=dict)
    problems: list[tuple[int, str]] = field(default_factory=list)
    """(line, message)"""


def export_lines(stores: Stores, scope: Scope, history: bool = True) -> Iterator[str]:
    """Yield one JSON line per memory that `scope` sees, in order of creation; deleted ones stay behind."""
    rows = [
        (memory.created_at, memory.uuid, memory, store)
        for store in stores
        for batch in each(store, visible(scope) & Condition("memory.status <> 'deleted'"))
        for memory in batch
    ]
    for _, _, memory, store in sorted(rows, key=lambda row: row[:2]):
        yield json.dumps(_document(memory, store, history), ensure_ascii=False, sort_keys=True)


def import_lines(
    stores: Stores, scope: Scope, lines: Iterable[str], embedder: Embedder | None = None, actor: str = "import"
) -> Imported:
    """Read exported lines, or lines with at least `content`; each goes through the same checks as a new memory.

    A line whose text is known in its range adds nothing. Of two texts with one id the later `updated_at` stays: the
    verdict is `updated` or `older`. Lines that cannot be used are reported and skipped.
    """
    result = Imported()
    batch: list[tuple[int, dict[str, Any]]] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        result.read += 1
        try:
            batch.append((number, _parsed(line)))
        except BadInput as error:
            result.problems.append((number, error.message))
        if len(batch) >= IMPORT_BATCH:
            _import_batch(stores, scope, batch, embedder, actor, result)
            batch = []
    _import_batch(stores, scope, batch, embedder, actor, result)
    if result.new:
        for store in stores:
            with store.transaction(durable=True) as connection:
                loosen_chains(connection)
    return result


def _document(memory: Memory, store: Store, history: bool) -> dict[str, Any]:
    values: dict[str, Any] = {"format": FORMAT, "id": memory.uuid}
    values.update({name: getattr(memory, name) for name in PLAIN})
    values.update({name: format_time(getattr(memory, name)) for name in TIMES})
    values["aliases"] = list(memory.aliases)
    if history:
        values["history"] = [
            {
                **entry,
                "at": format_time(entry["at"]),
                **{side: json.loads(entry[side]) if entry[side] else None for side in ("before", "after")},
            }
            for entry in history_of(store, memory)
        ]
    return values


def _parsed(line: str) -> dict[str, Any]:
    try:
        values = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"no JSON: {error}") from error
    if not isinstance(values, dict) or not isinstance(values.get("content"), str):
        raise BadInput("a line is an object with at least `content`")
    for name in WORDS:
        if not isinstance(values.get(name, ""), str):
            raise BadInput(f"{name} is no text")
    if values.get("id") and not IDENTIFIER.fullmatch(str(values["id"])):
        raise BadInput("id is no usable id: leave it out")
    if not isinstance(values.get("aliases") or [], list) or not isinstance(values.get("history") or [], list):
        raise BadInput("aliases and history are lists")
    return values


def _import_batch(
    stores: Stores,
    scope: Scope,
    batch: list[tuple[int, dict[str, Any]]],
    embedder: Embedder | None,
    actor: str,
    result: Imported,
) -> None:
    for visibility in ("project", "global"):
        chosen = [(number, values) for number, values in batch if values.get("visibility", "project") == visibility]
        if not chosen:
            continue
        store = stores.of(visibility)
        with store.transaction(durable=True) as connection:
            for number, values in chosen:
                try:
                    done = _import_one(store, connection, stores.project_id, scope, values, embedder, actor)
                except BadInput as error:
                    result.problems.append((number, error.message))
                    continue
                result.verdicts[done.verdict] = result.verdicts.get(done.verdict, 0) + 1
                result.new += done.verdict in ("stored", "superseded_old", "possible_conflict")
    known = {"project", "global"}
    result.problems += [
        (number, "unknown visibility") for number, values in batch if values.get("visibility", "project") not in known
    ]


def _import_one(
    store: Store,
    connection: Connection,
    project_id: str,
    scope: Scope,
    values: dict[str, Any],
    embedder: Embedder | None,
    actor: str,
) -> Remembered:
    text, kinds = safe(values["content"])
    if is_empty(text) or len(text) > LONGEST_CONTENT:
        return Remembered("empty" if is_empty(text) else "too_long", redacted=kinds)
    memory = _memory(text, project_id, scope, values)
    known = find(store, Condition("memory.uuid = ? AND memory.tenant = ?", (memory.uuid, memory.tenant)), limit=1)
    if known and known[0].content == text:
        return Remembered("exact_duplicate", known[0], known[0], 1.0, "same id")
    vector, _ = embed_text(embedded_text(memory), embedder)
    model = embedder.model if embedder is not None else ""
    if known:
        if not values.get("updated_at"):
            raise BadInput(
                f"memory {known[0].short_id} says something else here: give the line an updated_at, or no id"
            )
        done = _merged(store, connection, known[0], memory, actor)
        if done.verdict == "updated" and vector is not None:
            put_vector(connection, known[0], model, vector, memory.updated_at)
        return replace(done, redacted=kinds)
    if values.get("format") != FORMAT:
        options = Options(
            type=memory.type,
            key=memory.key,
            importance=memory.importance,
            source=memory.source,
            raw=memory.raw,
            actor=actor,
        )
        done = enter(store, connection, memory, options, vector, embedder)
        return replace(done, redacted=kinds)
    # An exported line was judged where it was first remembered; what is told apart there stays apart here.
    if memory.status != "superseded" and not memory.raw:
        same = exact_match(store, memory)
        if same is not None:
            return Remembered("exact_duplicate", same, same, 1.0, "equal text")
    history = _history(values)  # raises before anything is written
    entered = enter_row(connection, memory, vector, model, actor, action="import" if not history else "")
    add_history_rows(connection, entered, history)
    if memory.symbol and memory.visibility == "project":
        anchor_memory(store, connection, entered, now_ms())
    return Remembered("stored", entered, redacted=kinds)


def _merged(store: Store, connection: Connection, known: Memory, memory: Memory, actor: str) -> Remembered:
    """Let the later of two versions of a memory stand; the other wording stays in the history."""
    if memory.updated_at <= known.updated_at:
        return Remembered("older", known, known, 1.0, "same id")
    if known.status == "deleted":
        raise BadInput(f"memory {known.short_id} was deleted here", f"codemem memory restore {known.short_id}")
    same = None if memory.raw else exact_match(store, replace(memory, project_id=known.project_id, cube=known.cube))
    if same is not None and same.id != known.id:
        raise BadInput(f"memory {same.short_id} already says what this line makes of {known.short_id}")
    taken = {name: getattr(memory, name) for name in EDITED}
    drop_vectors(connection, known.id)
    drop_aliases(connection, known.id)
    changed = change_row(connection, known, replace(known, aliases=(), **taken), actor, now_ms(), "import")
    return Remembered("updated", changed, known, 1.0, "same id")


def _memory(text: str, project_id: str, scope: Scope, values: dict[str, Any]) -> Memory:
    at = _time(values, "created_at") or now_ms()
    visibility = str(values.get("visibility", "project"))
    chosen = {name: values.get(name, default) for name, default in DEFAULTS.items() if name not in TIMES}
    importance = values.get("importance", 5)
    if values.get("type", "text_mem") not in TYPES or chosen["source"] not in SOURCES:
        raise BadInput("unknown type or source")
    if values.get("status", "active") not in STATUSES or not isinstance(importance, int) or not 1 <= importance <= 10:
        raise BadInput("unknown status, or an importance outside 1 to 10")
    for name in ("version", "seen_count"):
        if not isinstance(chosen[name], int):
            raise BadInput(f"{name} is no whole number")
    if chosen["key"]:
        check_name("key", str(chosen["key"]))
    for name in ("context", "source_message", "source_session", "symbol"):
        chosen[name] = redact(str(chosen[name])).text
    times: dict[str, Any] = {name: _time(values, name) for name in TIMES if name not in ("created_at", "updated_at")}
    if values.get("status") == "superseded":  # whoever wrote the line may have left out since when
        times["superseded_at"] = times["superseded_at"] or _time(values, "updated_at") or at
        times["valid_to"] = times["valid_to"] or times["superseded_at"]
    else:
        chosen["superseded_by"] = None
    return Memory(
        uuid=str(values.get("id") or uuid7(at)).lower(),
        tenant=scope.tenant,
        visibility=visibility,
        project_id=project_id if visibility == "project" else "",
        cube=check_name("cube", str(values.get("cube") or scope.cube)),
        type=str(values.get("type", "text_mem")),
        content=text,
        importance=importance,
        status=str(values.get("status", "active")),
        content_hash=content_hash(text),
        aliases=tuple(safe(str(alias)).text for alias in values.get("aliases") or ()),
        **{**chosen, "raw": bool(chosen["raw"])},
        **times,
        created_at=at,
        updated_at=_time(values, "updated_at") or at,
    )


def _time(values: dict[str, Any], name: str) -> int | None:
    value = values.get(name)
    return None if value in (None, "") else parse_time(str(value), name)


def _history(values: dict[str, Any]) -> list[tuple[str, str, int, str, str]]:
    rows = []
    for entry in values.get("history") or ():
        if not isinstance(entry, dict) or not {"action", "actor", "at"} <= entry.keys():
            raise BadInput("an entry of history has an action, an actor and a time")
        sides = [
            redact(json.dumps(entry[side], ensure_ascii=False, sort_keys=True)).text if entry.get(side) else ""
            for side in ("before", "after")
        ]
        rows.append(
            (str(entry["action"]), redact(str(entry["actor"])).text, parse_time(str(entry["at"])), sides[0], sides[1])
        )
    return rows
