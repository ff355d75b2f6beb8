"""The first half of a run: read suspects, parse what changed, store it batch by batch."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from codemem.indexing.changes import Reading, Scan, read_suspect, same_stats
from codemem.indexing.freshness import BUILDING
from codemem.indexing.progress import Stages
from codemem.settings import Settings
from codemem.store import Connection, Store, write_meta
from codemem.store.code import EncodedFile, replace_encoded
from codemem.store.files import read_skipped, remove_files, touch_files, write_skipped
from codemem.types import FileEntry, Skipped, SourceFile
from codemem.walk import decode_source

BATCH_FILES = 400
BATCH_CHARACTERS = 4_000_000
"""A transaction ends at whichever comes first: memory is bounded by it, and a killed run loses no more."""
KEPT_CHARACTERS = 256_000_000
"""Definitions kept in memory between parsing and resolution, about a million: those of further files are read again."""
SkippedRow = tuple[Skipped, FileEntry | None, int]
"""A skipped file, its stats when its bytes decided, and when they were read."""


@dataclass(slots=True)
class Outcome:
    """What reading and parsing the suspects came to."""

    added: int = 0
    changed: int = 0
    removed: int = 0
    skipped: list[SkippedRow] = field(default_factory=list)
    still_skipped: set[str] = field(default_factory=set)
    touched: list[tuple[FileEntry, int]] = field(default_factory=list)
    differing: list[str] = field(default_factory=list)
    """Paths that are new, gone, or had other bytes the last time."""
    definitions: dict[str, str] = field(default_factory=dict)
    """What resolution sees of the parsed files, by path, so that it need not read them again."""
    kept: int = 0

    def keep_definitions(self, parsed: EncodedFile) -> None:
        """Keep the definitions of a file for this run, while they take little memory."""
        self.kept += len(parsed.definitions)
        if self.kept <= KEPT_CHARACTERS:
            self.definitions[parsed.path] = parsed.definitions


def parse_suspects(root: Path, store: Store, found: Scan, settings: Settings, stages: Stages, trust: bool) -> Outcome:
    """Bring files, chunks, imports and problems of all suspects up to date; `trust=False` parses equal bytes again."""
    from codemem.indexing.definitions import encode_defined
    from codemem.parse import parse_into

    outcome = Outcome()
    waiting: dict[str, tuple[int, Reading]] = {}
    batch: list[tuple[EncodedFile, FileEntry, int]] = []
    characters = done = 0
    total = len(found.suspects)
    sources = _sources(root, found, settings, outcome, waiting, trust)
    parsed_files = parse_into(sources, encode_defined, settings.jobs, total)
    while True:
        with stages.stage("parse"):
            parsed = next(parsed_files, None)
        if parsed is not None:
            length, reading = waiting.pop(parsed.path)
            batch.append((parsed, reading.entry, reading.checked_ns))
            outcome.keep_definitions(parsed)
            characters += length
            done += 1
            stages.tell("parse", done, total)
        if batch and (parsed is None or len(batch) >= BATCH_FILES or characters >= BATCH_CHARACTERS):
            with stages.stage("store"), store.transaction() as connection:
                mark_building(connection)
                replace_encoded(connection, batch)
            batch, characters = [], 0
        if parsed is None:
            stages.tell("parse", total, total)
            return outcome


def settle_tree(store: Store, found: Scan, outcome: Outcome) -> None:
    """Remove what left the tree or is skipped now, record the skipped, renew the hints of files read in vain."""
    skipped_now = {skip.path for skip, _, _ in outcome.skipped}
    gone = [path for path, hint in found.hints.items() if not hint.reason and path in skipped_now]
    removed = [*found.removed, *gone]
    outcome.removed = len(removed)
    outcome.differing.extend(removed)
    rows: list[SkippedRow] = [(skip, None, 0) for skip in found.walk.skipped]
    rows += outcome.skipped
    kept = {skip.path for skip, _, _ in rows} | {skip.path for skip in found.held} | outcome.still_skipped
    before = {skip.path: skip.reason for skip in read_skipped(store)}
    news = [row for row in rows if row[1] is not None or before.get(row[0].path) != row[0].reason]
    forgotten = [path for path in before if path not in kept]
    if removed or news or forgotten or outcome.touched:
        with store.transaction() as connection:
            if removed:
                mark_building(connection)
            remove_files(connection, removed)
            write_skipped(connection, news, forgotten)
            touch_files(connection, outcome.touched)


def mark_building(connection: Connection) -> None:
    """Say in the same transaction as a first change that the layer is not whole until the run ends."""
    write_meta(connection, state=BUILDING)


def _sources(
    root: Path, found: Scan, settings: Settings, outcome: Outcome, waiting: dict[str, tuple[int, Reading]], trust: bool
) -> Iterator[SourceFile]:
    """Yield the sources to parse, filing everything else under its outcome."""
    for entry in found.suspects:
        hint = found.hints.get(entry.path)
        reading = read_suspect(root, entry, hint if trust else None, settings.max_file_bytes)
        if reading.skipped:
            if same_stats(hint, entry) and hint is not None and hint.reason == reading.skipped:
                outcome.still_skipped.add(entry.path)
            else:
                outcome.skipped.append((Skipped(entry.path, reading.skipped), entry, reading.checked_ns))
        elif reading.data is None:
            if not same_stats(hint, entry):
                outcome.touched.append((entry, reading.checked_ns))
        else:
            source = decode_source(entry.path, reading.data, reading.sha)
            waiting[entry.path] = (len(source.content), reading._replace(data=None))
            if hint is None or hint.reason:
                outcome.added += 1
            else:
                outcome.changed += 1
            if hint is None or hint.reason or hint.sha != reading.sha:
                outcome.differing.append(entry.path)
            yield source
