"""Build, decode and merge segments: immutable runs of documents with their postings.

A posting list is a blob: for each (document, field) a code `ordinal * 16 + field` as little-endian uint32, ascending, then
for each the count as uint8. Per document there are chunk id, file id, flags and the length of each field.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from codemem.lexical.documents import FIELDS, Document, path_parts
from codemem.text import word_terms, words

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

FIELD_BITS = 4
"""Bits of a code that hold the field: room for 16 fields and 2**28 documents in a segment."""
COUNT_LIMIT = 255
"""Largest count stored: beyond it BM25 no longer moves."""
LENGTH_LIMIT = 65_535
"""Largest field length stored, in terms."""
TOP_LEVEL = 1
"""Flag of documents that no other definition encloses."""
INNER = 2
"""Flag of documents whose lines stand in another one."""
_ENTRY_BYTES = 5
MERGED_BYTES = 4_000_000
"""Posting lists merged at once: some 30 MB with what is made of them."""


class Arrays(NamedTuple):
    """Per document: ids, flags and field lengths, `lengths` of shape (documents, fields)."""

    chunk_ids: NDArray[numpy.uint32]
    file_ids: NDArray[numpy.uint32]
    flags: NDArray[numpy.uint8]
    lengths: NDArray[numpy.uint16]


class SegmentData(NamedTuple):
    """A segment as it is stored; `postings` in the order of their terms."""

    documents: int
    arrays: bytes
    postings: list[tuple[str, bytes]]


class _Numbering(dict[str, int]):
    """Number words in the order they are first seen."""

    def __missing__(self, word: str) -> int:
        self[word] = number = len(self)
        return number


def build_segment(documents: Iterable[Document]) -> SegmentData:
    """Analyse documents into one segment; memory grows with the batch (about 60 bytes a word)."""
    import numpy as np

    batch = list(documents)
    numbering = _Numbering()
    number = numbering.__getitem__
    word_lists: list[list[int]] = []
    sizes: list[int] = []
    for item in batch:
        stem, directory = path_parts(item.path) if item.path else ("", "")
        for text in (
            item.name,
            item.scope,
            item.signature,
            item.doc,
            item.relations,
            item.body,
            stem,
            directory,
            item.head,
        ):
            found = list(map(number, words(text))) if text else []
            word_lists.append(found)
            sizes.append(len(found))
    total = sum(sizes)
    occurrences = np.fromiter(chain.from_iterable(word_lists), dtype=np.int64, count=total)
    slots = np.arange(len(batch) * len(FIELDS), dtype=np.int64)
    ordinals, fields = np.divmod(slots, len(FIELDS))
    codes = np.repeat((ordinals << FIELD_BITS) | fields, sizes)
    terms, term_codes, counts = _count_terms(list(numbering), occurrences, codes)
    lengths = np.zeros((len(batch), 1 << FIELD_BITS), dtype=np.int64)
    np.add.at(lengths.reshape(-1), term_codes & _CODE_MASK, counts)
    arrays = Arrays(
        np.array([item.chunk_id for item in batch], dtype=np.uint32),
        np.array([item.file_id for item in batch], dtype=np.uint32),
        np.array([_flags(item) for item in batch], dtype=np.uint8),
        np.minimum(lengths[:, : len(FIELDS)], LENGTH_LIMIT).astype(np.uint16),
    )
    return SegmentData(len(batch), encode_arrays(arrays), _posting_blobs(terms, term_codes, counts))


def _flags(item: Document) -> int:
    return (TOP_LEVEL if item.top_level else 0) | (0 if item.own_lines else INNER)


_CODE_BITS = 32
_CODE_MASK = (1 << _CODE_BITS) - 1


def _count_terms(
    vocabulary: list[str], occurrences: NDArray[numpy.int64], codes: NDArray[numpy.int64]
) -> tuple[list[str], NDArray[numpy.int64], NDArray[numpy.int64]]:
    """Turn word occurrences into (term rank << 32 | code) keys with counts; terms come back sorted."""
    import numpy as np

    keys, word_counts = np.unique((occurrences << _CODE_BITS) | codes, return_counts=True)
    expanded = [word_terms(word) for word in vocabulary]
    terms = sorted(set(chain.from_iterable(expanded)))
    rank = {term: at for at, term in enumerate(terms)}
    per_word = np.fromiter(map(len, expanded), dtype=np.int64, count=len(expanded))
    flat = np.fromiter(map(rank.__getitem__, chain.from_iterable(expanded)), dtype=np.int64, count=int(per_word.sum()))
    starts = np.concatenate(([0], np.cumsum(per_word)))
    word_of = keys >> _CODE_BITS
    repeats = per_word[word_of]
    total = int(repeats.sum())
    # For every key, the positions of its word's terms in `flat`: starts[word], starts[word] + 1, …
    within = np.arange(total, dtype=np.int64) - np.repeat(np.cumsum(repeats) - repeats, repeats)
    term_of = flat[np.repeat(starts[word_of], repeats) + within]
    term_keys = (term_of << _CODE_BITS) | np.repeat(keys & _CODE_MASK, repeats)
    term_counts = np.repeat(word_counts, repeats)
    order = np.argsort(term_keys, kind="stable")
    term_keys, term_counts = term_keys[order], term_counts[order]
    if not total:
        return terms, term_keys, term_counts
    first = np.flatnonzero(np.concatenate(([True], term_keys[1:] != term_keys[:-1])))
    return terms, term_keys[first], np.add.reduceat(term_counts, first)


def _posting_blobs(
    terms: list[str], keys: NDArray[numpy.int64], counts: NDArray[numpy.int64]
) -> list[tuple[str, bytes]]:
    import numpy as np

    codes = (keys & _CODE_MASK).astype("<u4").tobytes()
    small = np.minimum(counts, COUNT_LIMIT).astype(np.uint8).tobytes()
    bounds = np.searchsorted(keys >> _CODE_BITS, np.arange(len(terms) + 1)).tolist()
    return [
        (term, codes[4 * start : 4 * end] + small[start:end])
        for term, start, end in zip(terms, bounds[:-1], bounds[1:], strict=True)
    ]


def encode_arrays(arrays: Arrays) -> bytes:
    """Lay the arrays out one after the other, little-endian."""
    return b"".join(
        (
            arrays.chunk_ids.astype("<u4").tobytes(),
            arrays.file_ids.astype("<u4").tobytes(),
            arrays.flags.tobytes(),
            arrays.lengths.astype("<u2").tobytes(),
        )
    )


def decode_arrays(data: bytes, documents: int) -> Arrays:
    """Read what `encode_arrays` wrote, without copying."""
    import numpy as np

    flags_at = 8 * documents
    return Arrays(
        np.frombuffer(data, "<u4", documents),
        np.frombuffer(data, "<u4", documents, 4 * documents),
        np.frombuffer(data, np.uint8, documents, flags_at),
        np.frombuffer(data, "<u2", documents * len(FIELDS), flags_at + documents).reshape(documents, len(FIELDS)),
    )


def decode_posting(data: bytes) -> tuple[NDArray[numpy.uint32], NDArray[numpy.uint8]]:
    """Return the codes and counts of one posting list."""
    import numpy as np

    entries = len(data) // _ENTRY_BYTES
    return np.frombuffer(data, "<u4", entries), np.frombuffer(data, np.uint8, entries, 4 * entries)


def merge_arrays(parts: list[tuple[Arrays, NDArray[numpy.bool_]]]) -> tuple[int, bytes, list[NDArray[numpy.int64]]]:
    """Join the live documents of several segments.

    Returns the number of documents, the encoded arrays, and per segment the new ordinal of each document (-1: dead).
    """
    import numpy as np

    renumbered: list[NDArray[numpy.int64]] = []
    base = 0
    for _, live in parts:
        ordinals = np.cumsum(live, dtype=np.int64) - 1 + base
        renumbered.append(np.where(live, ordinals, -1))
        base += int(live.sum())
    joined = Arrays(
        np.concatenate([arrays.chunk_ids[live] for arrays, live in parts]),
        np.concatenate([arrays.file_ids[live] for arrays, live in parts]),
        np.concatenate([arrays.flags[live] for arrays, live in parts]),
        np.concatenate([arrays.lengths[live] for arrays, live in parts]),
    )
    return base, encode_arrays(joined), renumbered


def merge_postings(
    rows: Iterable[tuple[str, int, bytes]], renumbered: list[NDArray[numpy.int64]]
) -> Iterator[tuple[str, bytes]]:
    """Join posting lists that come as (term, index of segment, blob), sorted by term, then by segment; streams."""
    import numpy as np

    numbers = np.concatenate(renumbered)
    starts = np.cumsum([0, *map(len, renumbered)])
    block: list[tuple[str, int, bytes]] = []
    size = 0
    for row in rows:
        if size >= MERGED_BYTES and row[0] != block[-1][0]:
            yield from _merge_block(block, numbers, starts)
            block, size = [], 0
        block.append(row)
        size += len(row[2])
    if block:
        yield from _merge_block(block, numbers, starts)


def _merge_block(
    block: list[tuple[str, int, bytes]], numbers: NDArray[numpy.int64], starts: NDArray[numpy.int64]
) -> Iterator[tuple[str, bytes]]:
    """Merge the lists of whole terms at once: most are short, and numpy costs the same for one entry as for a thousand."""
    import numpy as np

    sizes = [len(data) // _ENTRY_BYTES for _, _, data in block]
    old_codes = np.frombuffer(
        b"".join([data[: 4 * size] for (_, _, data), size in zip(block, sizes, strict=True)]), "<u4"
    )
    old_counts = np.frombuffer(
        b"".join([data[4 * size :] for (_, _, data), size in zip(block, sizes, strict=True)]), np.uint8
    )
    places = np.repeat(starts[[segment for _, segment, _ in block]], sizes) + (old_codes >> FIELD_BITS)
    ordinals = numbers[places]
    kept = ordinals >= 0
    codes = ((ordinals << FIELD_BITS) | (old_codes & ((1 << FIELD_BITS) - 1)))[kept].astype("<u4").tobytes()
    counts = old_counts[kept].tobytes()
    ends = np.concatenate(([0], np.cumsum(kept)))[np.cumsum(sizes)].tolist()
    begin = 0
    for at, (term, _, _) in enumerate(block):
        if at + 1 == len(block) or block[at + 1][0] != term:
            end = ends[at]
            if end > begin:
                yield term, codes[4 * begin : 4 * end] + counts[begin:end]
            begin = end
