"""Turn filters into a flag for every document, before anything is ranked or cut."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemem.lexical.scoring import Corpus
from codemem.retrieval.globs import compiled_glob
from codemem.roles import is_prose
from codemem.store import Store
from codemem.store.candidates import chunks_of_kinds, file_paths, files_in_languages
from codemem.types import Filters

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Flags = NDArray[numpy.bool_]


def allowed_documents(store: Store, corpus: Corpus, filters: Filters) -> Flags | None:
    """Return which documents a filter allows, None when there is no filter."""
    masks: list[Flags] = []
    connection = store.connection
    if filters.languages:
        masks.append(_of_files(corpus, files_in_languages(connection, filters.languages)))
    sources = set(filters.sources) & {"code", "docs"}
    if filters.paths or len(sources) == 1:
        paths = file_paths(connection)
        if filters.paths:
            masks.append(_of_files(corpus, [number for number, path in paths if path_matches(path, filters.paths)]))
        if len(sources) == 1:
            prose = "docs" in sources
            masks.append(_of_files(corpus, [number for number, path in paths if is_prose(path) == prose]))
    if filters.kinds:
        masks.append(_of_chunks(corpus, chunks_of_kinds(connection, filters.kinds)))
    if filters.raises or filters.calls:
        from codemem.retrieval.asked import calling_chunks, raising_chunks

        if filters.raises:
            masks.append(_of_chunks(corpus, raising_chunks(store, filters.raises)))
        if filters.calls:
            masks.append(_of_chunks(corpus, calling_chunks(store, filters.calls)))
    if not masks:
        return None
    allowed = corpus.live.copy()
    for mask in masks:
        allowed &= mask
    return allowed


def path_matches(path: str, patterns: tuple[str, ...]) -> bool:
    """Say whether a path lies below one of the folders, is one of the files, or fits one of the globs."""
    return any(compiled_glob(pattern).fullmatch(path) is not None for pattern in patterns)


def _of_files(corpus: Corpus, ids: list[int]) -> Flags:
    import numpy as np

    return np.isin(corpus.file_ids, np.array(ids, dtype=np.uint32))[corpus.file_rows]


def _of_chunks(corpus: Corpus, ids: list[int]) -> Flags:
    import numpy as np

    return np.isin(corpus.chunk_ids, np.array(ids, dtype=np.uint32))
