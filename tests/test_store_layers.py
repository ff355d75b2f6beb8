"""Tables that are filled at once: their indexes are made afterwards, or earlier in a thread."""

from __future__ import annotations

from pathlib import Path

import pytest

from codemem.errors import StoreError
from codemem.store import Store, create_store
from codemem.store.layers import filling, indexed_beside

INDEXES = "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = 'fact' ORDER BY name"


def names(store: Store) -> list[str]:
    return [row[0] for row in store.connection.execute(INDEXES)]


def test_indexes_that_are_made_early_are_made_once(tmp_path: Path) -> None:
    with create_store(tmp_path / "codemem.db") as store:
        before = names(store)
        missing: dict[str, list[str]] = {}
        with filling(store, "fact", missing=missing) as connection:
            assert names(store) == []
            with indexed_beside(connection, missing.pop("fact")):
                pass
            assert names(store) == before
        assert names(store) == before != []


def test_an_index_that_cannot_be_made_fails_the_transaction(tmp_path: Path) -> None:
    with create_store(tmp_path / "codemem.db") as store:
        before = names(store)
        with (
            pytest.raises(StoreError),
            filling(store, "fact") as connection,
            indexed_beside(connection, ["CREATE INDEX wrong ON absent (line)"]),
        ):
            pass
        assert names(store) == before


def test_what_fails_beside_an_index_waits_for_it_and_undoes_it(tmp_path: Path) -> None:
    with create_store(tmp_path / "codemem.db") as store:
        before = names(store)
        missing: dict[str, list[str]] = {}
        with (
            pytest.raises(ValueError, match="beside"),
            filling(store, "fact", missing=missing) as connection,
            indexed_beside(connection, missing.pop("fact", ["CREATE INDEX early ON fact (line)"])),
        ):
            raise ValueError("beside")
        assert names(store) == before
