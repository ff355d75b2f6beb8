"""Definitions whose contract is full: what leaves them is known by its nearest errors only."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator

Place = tuple[str, str]
"""Path and qualified name, which overloads share."""


def calls_of_crowded(connection: sqlite3.Connection, most: int) -> Iterator[tuple[Place, Place]]:
    """Yield (caller, what it may run) for calls that hand errors on, of callers that at least `most` errors leave."""
    query = (
        "SELECT file.path, chunk.qualified_name, target_path, target_name, candidates FROM outflow "
        "JOIN file ON file.path = outflow.path "
        "JOIN chunk ON chunk.file_id = file.id AND chunk.qualified_name = outflow.qualified_name "
        "AND chunk.ordinal = outflow.ordinal JOIN call ON call.chunk_id = chunk.id "
        "WHERE json_array_length(outflow.data) >= ? AND passes AND (target_name IS NOT NULL OR candidates != '')"
    )
    for path, name, target_path, target_name, candidates in connection.execute(query, (most,)):
        if target_name is not None:
            yield (path, name), (target_path, target_name)
        for other_path, other_name, _ in json.loads(candidates) if candidates else ():
            yield (path, name), (other_path, other_name)
