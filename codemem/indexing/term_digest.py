"""One number per live lexical document that stands for all its terms, fields, counts and lengths."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from codemem.lexical import decode_arrays, decode_posting
from codemem.store import Store
from codemem.store.postings import iterate_postings, read_segments

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

FIELD_BITS = 4
"""Bits of a posting's code that hold the field, as lexical/segments.py lays it out."""
MIXERS = (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB)
"""Odd constants of splitmix64: they spread neighbouring numbers over all 64 bits."""


def digest_documents(store: Store) -> dict[int, int]:
    """Return chunk id -> digest; a sum over postings, so that neither order nor segment matters."""
    import numpy as np

    rows = read_segments(store.connection)
    arrays = [decode_arrays(row.arrays, row.documents) for row in rows]
    sums = [_lengths_digest(each.lengths, each.flags) for each in arrays]
    for term, position, data in iterate_postings(store.connection, [row.id for row in rows]):
        codes, counts = decode_posting(data)
        seed = int.from_bytes(blake2b(term.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")
        fields = (codes & np.uint32((1 << FIELD_BITS) - 1)).astype(np.uint64)
        values = _mix(np.uint64(seed) ^ (fields << np.uint64(8)) ^ counts.astype(np.uint64))
        ordinals = codes >> np.uint32(FIELD_BITS)
        known = ordinals < len(sums[position])  # a damaged posting list names documents that are not there
        np.add.at(sums[position], ordinals[known], values[known])
    found: dict[int, int] = {}
    for row, each, totals in zip(rows, arrays, sums, strict=True):
        live = ~np.isin(each.chunk_ids, np.array(row.dead, dtype=np.uint32))
        found.update(zip(each.chunk_ids[live].tolist(), totals[live].tolist(), strict=True))
    return found


def _lengths_digest(lengths: NDArray[numpy.uint16], flags: NDArray[numpy.uint8]) -> NDArray[numpy.uint64]:
    import numpy as np

    total = flags.astype(np.uint64)
    for field in range(lengths.shape[1]):
        total = _mix(total ^ (lengths[:, field].astype(np.uint64) << np.uint64(8)))
    return total


def _mix(values: Any) -> Any:
    """Apply splitmix64's finaliser, wrapping around."""
    import numpy as np

    first, second, third = (np.uint64(number) for number in MIXERS)
    with np.errstate(over="ignore"):
        values = values * first
        values = (values ^ (values >> np.uint64(30))) * second
        values = (values ^ (values >> np.uint64(27))) * third
        return values ^ (values >> np.uint64(31))
