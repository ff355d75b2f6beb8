"""One `index` run: walk, parse what changed, resolve, analyse, embed; whole or continued by the next run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from codemem import __version__
from codemem.errors import StoreCorrupt
from codemem.indexing.changes import scan
from codemem.indexing.documents import Documents, write_documents
from codemem.indexing.fingerprint import LAYERS, REASONS, current_fingerprint, meta_key, stale_layers
from codemem.indexing.freshness import BUILDING, COMPLETE
from codemem.indexing.opening import open_for_run, rescue
from codemem.indexing.parsing import Outcome, parse_suspects, settle_tree
from codemem.indexing.progress import Progress, Stages
from codemem.indexing.rebuilding import is_whole, rebuild
from codemem.indexing.vector_cache import caches_missing, write_caches
from codemem.lock import writer_lock
from codemem.settings import Settings
from codemem.store import Store, drop_index, read_meta, store_path, translated, write_meta
from codemem.store.anchors import read_anchors
from codemem.store.code import all_chunks, pending_chunks
from codemem.store.files import count_rows, read_problems, read_skipped, replace_problems
from codemem.text import counted
from codemem.types import Problem, Report

if TYPE_CHECKING:
    from codemem.embed import Embedder

UNEMBEDDED = "partial"
"""Value of the meta key `vectors` while a provider has not given them all."""


@dataclass(frozen=True, slots=True)
class Done:
    """What the run wrote, for the report."""

    outcome: Outcome
    documents: Documents
    notes: tuple[str, ...] = ()
    differing: tuple[str, ...] = ()


def refresh(
    root: Path,
    settings: Settings,
    *,
    full: bool = False,
    wait_seconds: float = 0.0,
    progress: Progress | None = None,
    command: str = "",
) -> Report:
    """Bring the index of `root` up to date and say what was done; `full` builds it from nothing.

    Raises StoreBusy when another run holds the writer lock longer than `wait_seconds`, ModelMissing before anything is
    written.
    """
    from codemem.embed import load_embedder

    stages = Stages(progress)
    embedder = load_embedder(settings.embedder)
    path = store_path(root)
    notes: list[str] = []
    with writer_lock(path.parent, command, wait_seconds):
        try:
            return _run(root, settings, embedder, stages, notes, full)
        except StoreCorrupt as error:
            # Damage shows where pages are read: mend it and run again, once.
            notes.append(rescue(path, error))
            return _run(root, settings, embedder, stages, notes, full)


def _run(root: Path, settings: Settings, embedder: Embedder, stages: Stages, notes: list[str], full: bool) -> Report:
    with open_for_run(root, notes) as store, translated(store.path):
        if full and is_whole(store):
            report = rebuild(store, lambda beside: build(root, beside, settings, embedder, stages))
            report = replace(report, seconds=stages.total())
        else:
            report = build(root, store, settings, embedder, stages, full=full)
        notes += _renew_ties(store)
        notes += _fill_in_vectors(store, embedder)
    return replace(report, notes=(*notes, *report.notes))


def _renew_ties(store: Store) -> list[str]:
    """Look what became of the symbols that memories are tied to, and name the memories that went stale."""
    if not read_anchors(store):
        return []
    from codemem.memory.anchors import STALE, refresh_anchors  # 50 ms that few runs need

    gone = [after for _, _, after in refresh_anchors(store).changed if after in STALE]
    return (
        [f"{counted(len(gone), 'memory')} no longer fresh ({', '.join(sorted(set(gone)))}): `codemem memory list`"]
        if gone
        else []
    )


def _fill_in_vectors(store: Store, embedder: Embedder) -> list[str]:
    """Give memories that lack a vector of this model one, some at each run."""
    if store.connection.execute("SELECT 1 FROM memory LIMIT 1").fetchone() is None:
        return []
    from codemem.memory.upkeep import MOST_FILLED, fill_in

    filled = fill_in(store, embedder, MOST_FILLED)
    return [f"{counted(filled, 'memory')} embedded with {embedder.model}"] if filled else []


def build(
    root: Path, store: Store, settings: Settings, embedder: Embedder, stages: Stages, *, full: bool = False
) -> Report:
    """Do the run on an open store whose writer lock is held."""
    current = current_fingerprint(embedder.model, embedder.dimension)
    if full:
        drop_index(store, keep_vectors=True)
    first = not read_meta(store, meta_key("walk"))
    if first:
        _begin(store, current)
    stale = stale_layers(store, current)
    notes = [REASONS[layer] for layer in stale]
    unfinished = read_meta(store, "state") == BUILDING
    if unfinished and not first:
        notes.append("the last run was interrupted: this one finished its work")
    trust = not {"walk", "parse"} & set(stale)
    with stages.stage("walk"):
        found = scan(root, store, settings, trust)
    outcome = parse_suspects(root, store, found, settings, stages, trust)
    with stages.stage("store"):
        settle_tree(store, found, outcome)
    changed = bool(outcome.added or outcome.changed or outcome.removed or stale or unfinished)
    documents = Documents()
    if changed or read_meta(store, "vectors") == UNEMBEDDED:
        documents = _derive(store, settings, embedder, stale, stages, outcome.definitions)
        _finish(store, settings, embedder, current, found.walk.commit, documents)
    else:
        told = {"commit": found.walk.commit, "version": __version__, "embedder": settings.embedder}
        if any(read_meta(store, key) != value for key, value in told.items()):  # a model's folder may have moved
            with store.transaction() as connection:
                write_meta(connection, **told)
    if caches_missing(store, embedder.dimension):
        from codemem.store.vectors import prune_vectors

        with stages.stage("embed"):
            unused = write_caches(store, embedder.model, embedder.dimension)
            with store.transaction() as connection:
                prune_vectors(connection, unused)
    _renew_problems(store, "walk", found.walk.problems)
    differing = () if first else tuple(sorted(outcome.differing))
    return _report(root, store, Done(outcome, documents, tuple(notes), differing), stages)


def _begin(store: Store, current: Mapping[str, str]) -> None:
    """Note who fills an empty layer: a newer version that continues a killed first run must know."""
    with store.transaction() as connection:
        write_meta(connection, state=BUILDING, **{meta_key(layer): current[layer] for layer in LAYERS})


def _derive(
    store: Store,
    settings: Settings,
    embedder: Embedder,
    stale: tuple[str, ...],
    stages: Stages,
    definitions: dict[str, str],
) -> Documents:
    """Resolve, analyse and embed whatever the work lists name."""
    from codemem.indexing.compaction import compact_segments
    from codemem.indexing.resolving import resolve_changed, without_collection
    from codemem.store.layers import forget_documents, forget_resolution

    with store.transaction() as connection:
        write_meta(connection, state=BUILDING)
        if "resolve" in stale:
            forget_resolution(connection)
        if "lexical" in stale:
            forget_documents(connection)
    with stages.stage("resolve"):
        resolve_changed(store, settings.jobs, definitions)
    with without_collection():
        work = pending_chunks(store.connection)
        documents = write_documents(store, work, embedder, stages, jobs=settings.jobs)
        if "embed" in stale or read_meta(store, "vectors") == UNEMBEDDED:
            again = write_documents(store, all_chunks(store.connection), embedder, stages, lexical=False)
            documents = Documents(
                documents.embedded + again.embedded, again.reused, documents.problems + again.problems
            )
        with stages.stage("lexical"):
            compact_segments(store)
    return documents


def _finish(
    store: Store, settings: Settings, embedder: Embedder, current: Mapping[str, str], commit: str, documents: Documents
) -> None:
    """Declare the layer whole, in one transaction with what identifies it; vector caches of before are stale by it."""
    from codemem.store.vectors import bump_generation

    with store.transaction() as connection:
        bump_generation(connection)
        replace_problems(connection, "embed", documents.problems)
        write_meta(
            connection,
            state=COMPLETE,
            vectors=UNEMBEDDED if documents.problems else COMPLETE,
            commit=commit,
            version=__version__,
            embedder=settings.embedder,
            model=embedder.model,
            dimension=str(embedder.dimension),
            indexed_at=datetime.now(UTC).isoformat(timespec="seconds"),
            **{meta_key(layer): current[layer] for layer in LAYERS},
        )


def _renew_problems(store: Store, stage: str, problems: tuple[Problem, ...]) -> None:
    if tuple(problem for problem in read_problems(store) if problem.stage == stage) != problems:
        with store.transaction() as connection:
            replace_problems(connection, stage, problems)


def _report(root: Path, store: Store, done: Done, stages: Stages) -> Report:
    counts = count_rows(store)
    files = counts["files"]
    return Report(
        root=str(root),
        files=files,
        added=done.outcome.added,
        changed=done.outcome.changed,
        removed=done.outcome.removed,
        unchanged=files - done.outcome.added - done.outcome.changed,
        skipped=read_skipped(store),
        chunks=counts["chunks"],
        embedded=done.documents.embedded,
        reused=done.documents.reused,
        problems=read_problems(store),
        seconds=stages.total(),
        notes=done.notes,
        differing=done.differing,
    )
