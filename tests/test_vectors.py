"""The vector index against a plain float computation, its cache files, and the vector rows of the store."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from codemem import vectors
from codemem.errors import BadInput
from codemem.store.connection import Store
from codemem.store.database import create_store
from codemem.store.vectors import (
    bump_generation,
    generation,
    missing_hashes,
    prune_vectors,
    put_vectors,
    read_keys,
    read_space,
    read_vectors,
)
from codemem.vectors import build_index, clear_caches, newest_index, open_index


def unit(count: int, dimension: int, seed: int = 0) -> Any:
    matrix = np.random.default_rng(seed).standard_normal((count, dimension)).astype(np.float32)
    return matrix / np.linalg.norm(matrix, axis=1, keepdims=True)


def keys_of(*texts: bytes) -> Any:
    return np.frombuffer(b"".join(text.ljust(16, b"\0") for text in texts), dtype="V16")


def test_search_agrees_with_floats_on_the_ten_nearest() -> None:
    matrix, ids = unit(2_000, 64), np.arange(2_000) * 3 + 1
    index = build_index(ids, matrix)
    shared = 0
    for query in unit(50, 64, seed=1):
        found, scores = index.search(query, 10)
        exact = matrix @ query
        assert np.abs(scores - exact[(found - 1) // 3]).max() < 0.01
        shared += len(set(found.tolist()) & set(ids[np.argsort(-exact)[:10]].tolist()))
    assert shared >= 0.97 * 500


def test_best_comes_first_and_ties_go_by_id() -> None:
    east, north = [1.0, 0.0], [0.0, 1.0]
    index = build_index(np.array([7, 3, 5, 2]), np.array([east, north, east, [0.6, 0.8]], dtype=np.float32))
    found, scores = index.search(np.array(east, dtype=np.float32), 3)
    assert found.tolist() == [5, 7, 2]
    assert scores.tolist() == pytest.approx([1.0, 1.0, 0.6], abs=0.01)


def test_a_filter_applies_before_the_cut() -> None:
    matrix = unit(500, 32)
    index = build_index(np.arange(500), matrix)
    allowed = np.array([4, 77, 499, 9_999])
    found, _ = index.search(matrix[10], 10, allowed)
    assert sorted(found.tolist()) == [4, 77, 499]
    assert index.search(matrix[10], 10, np.zeros(0, np.int64))[0].tolist() == []


@pytest.mark.parametrize("limit", [0, -1])
def test_nothing_is_asked_nothing_is_found(limit: int) -> None:
    assert len(build_index(np.arange(3), unit(3, 8)).search(unit(1, 8)[0], limit)[0]) == 0


def test_an_empty_index_finds_nothing() -> None:
    index = build_index(np.zeros(0, np.int64), np.zeros((0, 8), np.float32))
    assert len(index) == 0
    assert index.search(unit(1, 8)[0], 5)[0].tolist() == []
    assert index.scores(unit(1, 8)[0], np.array([1, 2])).tolist() == [0.0, 0.0]


def test_scores_of_given_ids_keep_their_order_and_unknown_ones_are_zero() -> None:
    matrix = unit(10, 16)
    index = build_index(np.arange(10) + 100, matrix)
    scores = index.scores(matrix[3], np.array([103, 5, 108]))
    assert scores.tolist() == pytest.approx([1.0, 0.0, float(matrix[8] @ matrix[3])], abs=0.02)


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 30)), max_size=30))
def test_adding_and_removing_equals_building_anew(steps: list[tuple[bool, int]]) -> None:
    matrix = unit(31, 8)
    index = build_index(np.zeros(0, np.int64), np.zeros((0, 8), np.float32))
    present: set[int] = set()
    for adds, number in steps:
        if adds:
            index.add(np.array([number]), matrix[[number]])
            present.add(number)
        else:
            index.remove(np.array([number]))
            present.discard(number)
    assert index.ids.tolist() == sorted(present)
    rebuilt = build_index(np.array(sorted(present), dtype=np.int64), matrix[sorted(present)])
    query = unit(1, 8, seed=2)[0]
    assert [part.tolist() for part in index.search(query, 5)] == [part.tolist() for part in rebuilt.search(query, 5)]


def test_difference_names_what_left_what_came_and_what_changed() -> None:
    index = build_index(np.array([1, 2, 3]), unit(3, 8), keys_of(b"a", b"b", b"c"))
    gone, wanted = index.difference(np.array([1, 3, 4]), keys_of(b"a", b"changed", b"d"))
    assert gone.tolist() == [2, 3]
    assert wanted.tolist() == [3, 4]


def test_a_saved_index_answers_alike_and_older_generations_are_deleted(tmp_path: Path) -> None:
    index = build_index(np.arange(50), unit(50, 16))
    index.save(tmp_path, "units", 3)
    index.save(tmp_path, "units", 4)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["vectors-units-4.npy"]
    opened = open_index(tmp_path, "units", 4, 16)
    assert opened is not None
    query = unit(1, 16, seed=5)[0]
    assert [part.tolist() for part in opened.search(query, 7)] == [part.tolist() for part in index.search(query, 7)]
    opened.add(np.array([50]), unit(1, 16, seed=6))
    assert len(opened) == 51


def test_a_cache_is_private_and_can_be_cleared(tmp_path: Path) -> None:
    build_index(np.arange(3), unit(3, 4)).save(tmp_path, "files", 1)
    (path,) = tmp_path.iterdir()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    clear_caches(tmp_path)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("generation_asked", "dimension", "content"),
    [(2, 16, None), (1, 32, None), (1, 16, b""), (1, 16, b"\x93NUMPY garbage")],
    ids=["another generation", "another dimension", "empty file", "damaged file"],
)
def test_a_cache_that_does_not_fit_counts_as_missing(
    tmp_path: Path, generation_asked: int, dimension: int, content: bytes | None
) -> None:
    build_index(np.arange(3), unit(3, 16)).save(tmp_path, "units", 1)
    if content is not None:
        (tmp_path / "vectors-units-1.npy").write_bytes(content)
    assert open_index(tmp_path, "units", generation_asked, dimension) is None


def test_an_update_starts_from_the_newest_cache(tmp_path: Path) -> None:
    assert newest_index(tmp_path, "units", 16) is None
    build_index(np.arange(3), unit(3, 16)).save(tmp_path, "units", 12)
    found = newest_index(tmp_path, "units", 16)
    assert found is not None and len(found) == 3


@pytest.fixture
def many(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Clustered vectors in an index that counts as large."""
    monkeypatch.setattr(vectors, "FAST_ROWS", 2_000)
    centres = np.random.default_rng(0).standard_normal((100, 32))
    matrix = centres[np.random.default_rng(1).integers(0, 100, 12_000)] + 0.5 * np.random.default_rng(
        2
    ).standard_normal((12_000, 32))
    return (matrix / np.linalg.norm(matrix, axis=1, keepdims=True)).astype(np.float32)


@pytest.mark.parametrize("filtered", [False, True])
def test_faiss_finds_what_the_scan_finds(
    many: Any, tmp_path: Path, filtered: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    built = build_index(np.arange(12_000), many)
    built.save(tmp_path, "units", 1)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["vectors-units-1.faiss", "vectors-units-1.npy"]
    index = open_index(tmp_path, "units", 1, 32)
    assert index is not None
    allowed = np.arange(0, 12_000, 3) if filtered else None
    found = [set(index.search(query, 10, allowed)[0].tolist()) for query in many[:40]]
    monkeypatch.setattr(vectors, "FAST_ROWS", 1_000_000)
    exact = [set(index.search(query, 10, allowed)[0].tolist()) for query in many[:40]]
    assert sum(len(a & b) for a, b in zip(found, exact, strict=True)) >= 0.98 * 400


def test_a_narrow_filter_is_scanned_exactly_even_in_a_large_index(many: Any) -> None:
    index = build_index(np.arange(12_000), many)
    found, _ = index.search(many[0], 10, np.array([5, 6, 11_999]))
    assert sorted(found.tolist()) == [5, 6, 11_999]


@pytest.fixture
def store(tmp_path: Path) -> Any:
    with create_store(tmp_path / ".codemem" / "codemem.db") as opened:
        yield opened


def test_vectors_are_kept_by_key_and_model(store: Store) -> None:
    matrix = unit(2, 8)
    with store.transaction() as connection:
        put_vectors(connection, "m", [b"a" * 16, b"b" * 16], matrix)
    assert missing_hashes(store, [b"a" * 16, b"c" * 16, b"c" * 16], "m") == {b"c" * 16}
    assert missing_hashes(store, [b"a" * 16], "other") == {b"a" * 16}
    read = read_vectors(store, [b"b" * 16, b"x" * 16, b"a" * 16], "m", 8)
    assert np.abs(read[[0, 2]].astype(np.float32) - matrix[[1, 0]]).max() < 1e-3
    assert not read[1].any()
    assert not read_vectors(store, [b"a" * 16], "m", 16).any()


def test_more_keys_than_a_statement_may_bind(store: Store) -> None:
    keys = [number.to_bytes(16, "big") for number in range(1_300)]
    with store.transaction() as connection:
        put_vectors(connection, "m", keys[:1_200], unit(1_200, 4))
    assert missing_hashes(store, keys, "m") == set(keys[1_200:])


def test_a_space_is_read_in_order_and_vectors_without_an_owner_are_pruned(store: Store) -> None:
    matrix = unit(3, 8)
    with store.transaction() as connection:
        for number, key in ((1, b"a" * 16), (2, b"b" * 16)):
            connection.execute(
                "INSERT INTO file (id, path, language, sha, size, mtime_ns, ctime_ns, inode, checked_ns, lines, card_hash, content)"
                " VALUES (?, ?, 'python', '', 0, 0, 0, 0, 0, 0, ?, x'')",
                (number, f"{number}.py", key),
            )
        put_vectors(connection, "m", [b"b" * 16, b"a" * 16, b"c" * 16], matrix)
    ids, read = read_space(store, "files", "m", 8)
    assert ids.tolist() == [1, 2]
    assert np.abs(read.astype(np.float32) - matrix[[1, 0]]).max() < 1e-3
    ids, keys = read_keys(store, "files")
    assert (ids.tolist(), [key.tobytes() for key in keys]) == ([1, 2], [b"a" * 16, b"b" * 16])
    assert [part.size for part in read_space(store, "units", "m", 8)] == [0, 0]
    with store.transaction() as connection:
        assert prune_vectors(connection, [b"a" * 16, b"b" * 16, b"d" * 16]) == 0
        assert prune_vectors(connection) == 1
        put_vectors(connection, "m", [b"c" * 16], matrix[:1])
        assert prune_vectors(connection, [b"a" * 16, b"c" * 16]) == 1
    assert missing_hashes(store, [b"a" * 16, b"c" * 16], "m") == {b"c" * 16}


def test_every_change_gets_a_generation_of_its_own(store: Store) -> None:
    first = generation(store)
    with store.transaction() as connection:
        assert bump_generation(connection) == first + 1
    assert generation(store) == first + 1


def test_an_unknown_space_is_refused(store: Store) -> None:
    with pytest.raises(BadInput):
        read_space(store, "memories", "m", 8)
