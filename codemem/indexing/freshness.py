"""Say whether the index is what the tree is now: stats and one git call, bytes only where the stats moved."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from codemem import __version__
from codemem.indexing.changes import Scan, read_suspect, scan
from codemem.settings import Settings
from codemem.store import Store, read_meta

COMPLETE = "complete"
BUILDING = "building"


class Freshness(NamedTuple):
    """How the tree differs from the index; `reasons` say why the whole of it is out of date."""

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    commit: str = ""

    @property
    def stale(self) -> tuple[str, ...]:
        return tuple(sorted((*self.added, *self.changed, *self.removed)))

    @property
    def fresh(self) -> bool:
        return not (self.added or self.changed or self.removed or self.reasons)


def check_freshness(root: Path, settings: Settings, store: Store, thorough: bool = False) -> Freshness:
    """Compare the tree with the index; parses nothing and writes nothing.

    `thorough` also compares what grammars and code would make of the files now (a tenth of a second); without it only the
    version of codemem is looked at.
    """
    found = scan(root, store, settings)
    added, changed, removed = _differing(root, found, settings)
    reasons: list[str] = []
    if read_meta(store, "state") != COMPLETE:
        reasons.append("an index run was interrupted")
    if read_meta(store, "embedder") != settings.embedder:
        reasons.append("the embedder was changed in the settings")
    if thorough:
        from codemem.indexing.fingerprint import STALE_REASONS, code_fingerprint, stale_layers

        reasons.extend(STALE_REASONS[layer] for layer in stale_layers(store, code_fingerprint()))
    elif read_meta(store, "version", __version__) != __version__:
        reasons.append("codemem was upgraded")
    return Freshness(tuple(added), tuple(changed), tuple(sorted(removed)), tuple(reasons), found.walk.commit)


def _differing(root: Path, found: Scan, settings: Settings) -> tuple[list[str], list[str], list[str]]:
    added: list[str] = []
    changed: list[str] = []
    removed = list(found.removed)
    for entry in found.suspects:
        hint = found.hints.get(entry.path)
        reading = read_suspect(root, entry, hint, settings.max_file_bytes)
        indexed = hint is not None and not hint.reason
        if reading.skipped:
            if indexed:
                removed.append(entry.path)
        elif reading.data is not None:
            (changed if indexed else added).append(entry.path)
    return added, changed, removed
