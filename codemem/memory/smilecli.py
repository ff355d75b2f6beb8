"""The two JSON files of SmileCli: memories (`id, content, scope, projectPath, createdTime`) and their vectors
(`memoryId, embeddingModel, dimension, vector, updatedTime`)."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from codemem.errors import BadInput, CodememError
from codemem.identity import now_ms
from codemem.memory.exchange import Imported
from codemem.memory.identity import format_time, parse_time
from codemem.memory.remembering import remember
from codemem.memory.requests import Options
from codemem.memory.stores import Stores
from codemem.store.memories import Condition, each, visible
from codemem.store.memory_vectors import put_vector, vectors_of
from codemem.store.projects import read_project
from codemem.types import Memory, Scope

if TYPE_CHECKING:
    from codemem.embed import Embedder

MEMORY_FILE = "long_term_memories.json"
VECTOR_FILE = "memory_embeddings.json"
LATEST = 253_402_300_799_999
"""Milliseconds of the last time that can be written as a date: the end of the year 9999."""
SCOPES = {"GLOBAL": "global", "PROJECT": "project"}


def export_smilecli(stores: Stores, scope: Scope, folder: Path, embedder: Embedder | None) -> int:
    """Write the current memories and their vectors of one model into `folder`; return how many there are."""
    memories: list[dict[str, Any]] = []
    vectors: list[dict[str, Any]] = []
    for store in stores:
        project = read_project(store)
        for batch in each(store, visible(scope) & Condition("memory.status IN ('active', 'candidate')")):
            found = (
                vectors_of(store, [memory.id for memory in batch], embedder.model, embedder.dimension)
                if embedder
                else {}
            )
            for memory in batch:
                path = project.path if project is not None and memory.visibility == "project" else None
                memories.append(_document(memory, path))
                if embedder is not None and memory.id in found:
                    row = [float(value) for value in found[memory.id]]
                    vectors.append(
                        {
                            "memoryId": memory.uuid, "embeddingModel": embedder.model, "dimension": len(row), "vector": row,
                            "updatedTime": format_time(memory.updated_at),
                        }
                    )  # fmt: skip
    folder.mkdir(parents=True, exist_ok=True)
    for name, rows in ((MEMORY_FILE, memories), (VECTOR_FILE, vectors)):
        (folder / name).write_text(json.dumps(rows, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return len(memories)


def import_smilecli(stores: Stores, scope: Scope, folder: Path, embedder: Embedder | None) -> Imported:
    """Read both files; vectors count where model and dimension are this embedder's, the others are made anew.

    Memories of other projects' paths are left out and said so.
    """
    rows = _read(folder / MEMORY_FILE)
    found = _read(folder / VECTOR_FILE) if (folder / VECTOR_FILE).exists() else []
    vectors = {str(row.get("memoryId")): row for row in found}
    result = Imported()
    project = read_project(stores.project) if stores.project is not None else None
    for number, row in enumerate(rows, 1):
        result.read += 1
        try:
            _import_row(stores, scope, row, vectors, embedder, project.path if project else "", result)
        except (CodememError, KeyError, AttributeError) as error:
            result.problems.append((number, str(error) or "not a memory"))
    return result


def _import_row(
    stores: Stores,
    scope: Scope,
    row: dict[str, Any],
    vectors: dict[str, dict[str, Any]],
    embedder: Embedder | None,
    path: str,
    result: Imported,
) -> None:
    visibility = SCOPES.get(str(row.get("scope", "PROJECT")).upper())
    if visibility is None or not isinstance(row.get("content"), str):
        raise BadInput("a memory has `content` and a `scope` of GLOBAL or PROJECT")
    if visibility == "project" and row.get("projectPath") not in (None, "", path):
        raise BadInput(f"belongs to another project: {row['projectPath']}")
    options = Options(visibility=visibility, valid_from=_created(row), actor="import")
    known = vectors.get(str(row.get("id")))
    usable = embedder is not None and known is not None and _fits(known, embedder)
    done = remember(stores, row["content"], scope, replace(options, valid_from=None), None if usable else embedder)
    result.verdicts[done.verdict] = result.verdicts.get(done.verdict, 0) + 1
    result.new += done.verdict in ("stored", "superseded_old", "possible_conflict")
    if (
        usable
        and done.memory is not None
        and known is not None
        and embedder is not None
        and done.verdict != "exact_duplicate"
    ):
        import numpy as np

        store = stores.holding(done.memory)
        with store.transaction(durable=True) as connection:
            put_vector(connection, done.memory, embedder.model, np.array(known["vector"], np.float32), now_ms())


def _fits(row: dict[str, Any], embedder: Embedder) -> bool:
    import math

    vector = row.get("vector")
    return (
        row.get("embeddingModel") == embedder.model
        and isinstance(vector, list)
        and len(vector) == embedder.dimension
        and all(isinstance(value, int | float) and math.isfinite(value) for value in vector)
        and any(vector)
    )


def _created(row: dict[str, Any]) -> int | None:
    value = row.get("createdTime")
    if isinstance(value, int | float):
        if not 0 <= value <= LATEST:  # not a number compares as false
            raise BadInput(f"createdTime {value} is no time in milliseconds")
        return int(value)
    return parse_time(str(value), "createdTime") if value else None


def _document(memory: Memory, path: str | None) -> dict[str, Any]:
    return {
        "id": memory.uuid,
        "content": memory.content,
        "scope": memory.visibility.upper(),
        "projectPath": path,
        "createdTime": format_time(memory.created_at),
    }


def _read(file: Path) -> list[dict[str, Any]]:
    try:
        rows = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise BadInput(f"cannot read {file}: {error}", f"the folder holds {MEMORY_FILE} and {VECTOR_FILE}") from error
    if not isinstance(rows, list):
        raise BadInput(f"{file.name} is no list", "it is a JSON array of objects")
    return [row for row in rows if isinstance(row, dict)]
