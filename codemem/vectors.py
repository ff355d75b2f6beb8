"""Nearest vectors: an exact scan of int8 rows while that is fast, FAISS's 8-bit scan above; the only faiss importer.

A row is an id, the key of what was embedded, a scale and one byte a dimension (of 50,000 rows of 256 dimensions the scan
takes 2 ms, importing faiss alone 40 to 150). Rows live in one file a space and generation, memory-mapped, written under
a temporary name and renamed. It is a cache: whoever finds none, or an old one, builds it from the store.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Ids = NDArray[numpy.int64]
    Floats = NDArray[numpy.float32]
    Keys = NDArray[numpy.void]

KEY_BYTES = 16
LARGEST_CODE = 127
FAST_ROWS = 200_000
"""From here on FAISS scans its own 8-bit codes, about five times faster, and the best are scored from the rows: recall@10 0.99
(benchmarks/vectors.py). Below it the scan takes at most 10 ms. Inverted lists reach 0.95 by visiting half of them: card
vectors do not cluster, so there are none."""
TRAINED_ROWS = 20_000
"""Sample from which FAISS takes the range of each dimension."""
RESCORED = 3
"""Candidates taken from FAISS for each hit, then scored from the rows themselves."""
SCAN_SHARE = 0.2
"""A filter that leaves less than this share of the rows is scanned exactly: that costs less than passing over the others."""
BLOCK_ROWS = 1024
"""Rows converted at once: one megabyte of float32 stays in the processor's cache."""
TEMPORARY = ".tmp"


class VectorIndex:
    """Vectors by id of one space; `add` and `remove` change it, `save` makes it the cache of a generation."""

    def __init__(self, rows: NDArray[Any], codes_path: Path | None = None) -> None:
        self._rows = rows
        self._codes_path = codes_path
        self._codes: Any = None

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def ids(self) -> Ids:
        """All ids, ascending."""
        return self._rows["id"]

    @property
    def dimension(self) -> int:
        return int(self._rows.dtype["code"].shape[0])

    def search(self, query: Floats, limit: int, allowed: Ids | None = None) -> tuple[Ids, Floats]:
        """Return the `limit` best ids and their cosines, best first, ties by id; only `allowed` ids when given."""
        import numpy as np

        wanted = np.flatnonzero(np.isin(self.ids, allowed)) if allowed is not None else None
        count = len(self) if wanted is None else len(wanted)
        if not count or limit <= 0:
            return np.zeros(0, np.int64), np.zeros(0, np.float32)
        if len(self) >= FAST_ROWS and count >= SCAN_SHARE * len(self):
            wanted = self._probe(query, limit * RESCORED, wanted)
        scores = self._scan(query, wanted)
        ids = self.ids if wanted is None else self.ids[wanted]
        if len(scores) > limit:
            # Everything that ties with the last place stays in, so that ids decide and not the partition.
            kept = np.flatnonzero(scores >= np.partition(scores, -limit)[-limit])
            ids, scores = ids[kept], scores[kept]
        order = np.lexsort((ids, -scores))[:limit]
        return ids[order].astype(np.int64), scores[order]

    def scores(self, query: Floats, ids: Ids) -> Floats:
        """Return the cosines of `ids` with the query; 0 for those without a vector."""
        import numpy as np

        found = np.zeros(len(ids), dtype=np.float32)
        places, present = self._places(ids)
        if present.any():
            found[present] = self._scan(query, places[present])
        return found

    def difference(self, ids: Ids, keys: Keys) -> tuple[Ids, Ids]:
        """Compare with what should be here: return the ids to remove and the ids to add (a changed key is both)."""
        import numpy as np

        ids = np.asarray(ids, dtype=np.int64)
        places, present = self._places(ids)
        current = present.copy()
        current[present] = self._rows["key"][places[present]] == keys[present]
        return np.setdiff1d(self.ids, ids[current]), ids[~current]

    def add(self, ids: Ids, matrix: NDArray[Any], keys: Keys | None = None) -> None:
        """Add vectors; an id that is here already gets the new one."""
        import numpy as np

        if not len(ids):
            return
        self.remove(ids)
        joined = np.concatenate((self._rows, _encode(ids, matrix, keys)))
        order = joined["id"]
        sorted_already = bool((order[1:] > order[:-1]).all())  # new ids are the largest, as a rule
        self._change(joined if sorted_already else joined[np.argsort(order, kind="stable")])

    def remove(self, ids: Ids) -> Keys:
        """Remove the vectors of `ids`; unknown ids are ignored. Returns the keys that they had."""
        import numpy as np

        doomed = np.isin(self.ids, ids)
        lost: Keys = self._rows["key"][doomed]
        if len(lost):
            self._change(self._rows[~doomed])
        return lost

    def save(self, folder: Path, space: str, generation: int) -> None:
        """Write the cache of `generation` and delete those of others; needs no lock beyond the writer's."""
        import numpy as np

        path = _cache_path(folder, space, generation)
        temporary = path.with_name(path.name + TEMPORARY)
        with open(temporary, "wb", opener=_private) as stream:
            np.save(stream, self._rows)
        codes_path = path.with_suffix(".faiss")
        if len(self) >= FAST_ROWS:
            self._write_codes(codes_path)
        temporary.replace(path)
        kept = {path.name, codes_path.name} if len(self) >= FAST_ROWS else {path.name}
        for old in folder.glob(f"vectors-{space}-*"):
            if old.name not in kept:
                old.unlink(missing_ok=True)

    def _change(self, rows: NDArray[Any]) -> None:
        self._rows, self._codes, self._codes_path = rows, None, None

    def _places(self, ids: Ids) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return where each id would stand and whether it does."""
        import numpy as np

        own = self.ids
        places = np.minimum(np.searchsorted(own, ids), max(len(own) - 1, 0))
        present = own[places] == ids if len(own) else np.zeros(len(ids), dtype=bool)
        return places, present

    def _scan(self, query: Floats, places: NDArray[Any] | None) -> Floats:
        """Return the cosines of all rows, or of those at `places`, exact on the stored codes."""
        import numpy as np

        codes, scales = self._rows["code"], self._rows["scale"]
        count = len(codes) if places is None else len(places)
        scores = np.empty(count, dtype=np.float32)
        block = np.empty((min(BLOCK_ROWS, count), self.dimension), dtype=np.float32)
        query = np.ascontiguousarray(query, dtype=np.float32)
        for begin in range(0, count, BLOCK_ROWS):
            part = slice(begin, begin + BLOCK_ROWS) if places is None else places[begin : begin + BLOCK_ROWS]
            chosen = codes[part]
            np.copyto(block[: len(chosen)], chosen)
            np.dot(block[: len(chosen)], query, out=scores[begin : begin + len(chosen)])
            scores[begin : begin + len(chosen)] *= scales[part]
        return scores

    def _probe(self, query: Floats, limit: int, wanted: NDArray[Any] | None) -> NDArray[Any]:
        """Return the places of the `limit` nearest rows by FAISS's codes, the filter applied inside."""
        import faiss
        import numpy as np

        # The binding's own type hints know neither of these as Python sees them.
        parameters_of: Any = faiss.SearchParameters
        selector_of: Any = faiss.IDSelectorBitmap
        faiss.omp_set_num_threads(1)
        parameters = None
        if wanted is not None:
            mask = np.zeros(len(self), dtype=bool)
            mask[wanted] = True
            parameters = parameters_of(sel=selector_of(np.packbits(mask, bitorder="little")))
        codes = self._open_codes()
        _, found = codes.search(np.asarray(query, dtype=np.float32)[None], limit, params=parameters)
        near: NDArray[Any] = np.sort(found[0][found[0] >= 0])
        return near

    def _open_codes(self) -> Any:
        import faiss

        if self._codes is None and self._codes_path is not None and self._codes_path.exists():
            self._codes = faiss.read_index(str(self._codes_path), faiss.IO_FLAG_READ_ONLY)
        if self._codes is None or self._codes.ntotal != len(self):
            self._codes = self._build_codes()
        return self._codes

    def _build_codes(self) -> Any:
        """Give FAISS the rows in their order: its numbers are our places."""
        import faiss
        import numpy as np

        codes = faiss.IndexScalarQuantizer(self.dimension, faiss.ScalarQuantizer.QT_8bit, faiss.METRIC_INNER_PRODUCT)
        sample = np.random.default_rng(0).permutation(len(self))[:TRAINED_ROWS]
        codes.train(self._decode(np.sort(sample)))
        for begin in range(0, len(self), BLOCK_ROWS * 64):
            codes.add(self._decode(np.arange(begin, min(begin + BLOCK_ROWS * 64, len(self)))))
        return codes

    def _decode(self, places: NDArray[Any]) -> Floats:
        import numpy as np

        rows = self._rows[places]
        return np.ascontiguousarray(rows["code"].astype(np.float32) * rows["scale"][:, None])

    def _write_codes(self, path: Path) -> None:
        import faiss

        temporary = path.with_name(path.name + TEMPORARY)
        os.close(_private(str(temporary), os.O_CREAT | os.O_WRONLY))
        faiss.write_index(self._open_codes(), str(temporary))
        temporary.replace(path)


def build_index(ids: Ids, matrix: NDArray[Any], keys: Keys | None = None) -> VectorIndex:
    """Make an index of unit rows (n, dimension), any float type; `keys` lets `difference` tell what changed."""
    import numpy as np

    index = VectorIndex(_encode(np.zeros(0, np.int64), matrix[:0], None))
    index.add(np.asarray(ids, dtype=np.int64), matrix, keys)
    return index


def open_index(folder: Path, space: str, generation: int, dimension: int) -> VectorIndex | None:
    """Open the cache of `generation`; None when it is missing, damaged or of another dimension."""
    import numpy as np

    path = _cache_path(folder, space, generation)
    try:
        rows = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError):
        return None
    if rows.dtype != _row_type(dimension) or rows.ndim != 1:
        return None
    return VectorIndex(np.asarray(rows), path.with_suffix(".faiss"))


def newest_index(folder: Path, space: str, dimension: int) -> VectorIndex | None:
    """Open the cache of the latest generation there is, as the start of an update."""
    found = [path.stem.rpartition("-")[2] for path in folder.glob(f"vectors-{space}-*.npy")]
    generations = sorted((int(text) for text in found if text.isdigit()), reverse=True)
    return open_index(folder, space, generations[0], dimension) if generations else None


def clear_caches(folder: Path) -> None:
    """Delete every cache file."""
    for path in folder.glob("vectors-*"):
        path.unlink(missing_ok=True)


def _row_type(dimension: int) -> numpy.dtype[Any]:
    import numpy as np

    return np.dtype([("id", "<i8"), ("key", f"V{KEY_BYTES}"), ("scale", "<f4"), ("code", "i1", (dimension,))])


def _encode(ids: Ids, matrix: NDArray[Any], keys: Keys | None) -> NDArray[Any]:
    """Round each vector to one byte a dimension by a scale of its own."""
    import numpy as np

    matrix = np.asarray(matrix, dtype=np.float32)
    rows = np.zeros(len(ids), dtype=_row_type(matrix.shape[1]))
    scales = np.abs(matrix).max(axis=1, initial=0.0) / LARGEST_CODE
    rows["id"], rows["scale"] = ids, scales
    rows["code"] = np.rint(matrix / np.where(scales > 0, scales, 1)[:, None])
    if keys is not None:
        rows["key"] = keys
    return rows


def _private(path: str, flags: int) -> int:
    """Open a file that only its owner may read, like the store whose content it repeats."""
    return os.open(path, flags, 0o600)


def _cache_path(folder: Path, space: str, generation: int) -> Path:
    return folder / f"vectors-{space}-{generation}.npy"
