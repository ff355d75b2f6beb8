"""The table of embedding models, what of a card is embedded, the stand-in, and the checks on foreign vectors."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from codemem.card import Card
from codemem.embed import (
    EMBEDDERS,
    FileCard,
    card_fields,
    check_vectors,
    document_text,
    file_card,
    load_embedder,
    unit_rows,
    usable,
    vector_key,
)
from codemem.embed.words import Vocabulary, word_parts
from codemem.errors import BadInput, ModelMissing, ProviderError
from codemem.types import Chunk, ParsedFile


def card(**changes: Any) -> Card:
    fields: dict[str, Any] = {
        "path": "shop/order/src/main/OrderFacade.java",
        "language": "java",
        "kind": "method",
        "qualified_name": "OrderFacade#createOrder",
        "name": "createOrder",
        "package": "com.shop",
        "signature": "public Response createOrder(Request request)",
        "doc": "Creates an order.",
        "calls": ("StockService#freeze", "OrderDao#insert"),
        "raises": (),
        "handles": (),
    }
    return Card(**(fields | changes))


FILE_CARD = FileCard("shop/order/Order.java", "java", "Orders.", ("An order.",), ("Order", "total"))


def test_the_table_is_sorted_and_its_loaders_exist() -> None:
    names = [row.name for row in EMBEDDERS]
    assert names == sorted(names)
    assert all(row.usage.startswith(row.name) and row.summary for row in EMBEDDERS)


@pytest.mark.parametrize("name", ["", "statik", "fake:0", "fake:x", "fake:99999", "static:9", "sentence-transformers"])
def test_a_name_that_means_no_model_is_refused_with_a_remedy(name: str) -> None:
    with pytest.raises(BadInput) as caught:
        load_embedder(name)
    assert caught.value.remedy


def test_a_model_folder_that_is_not_there_is_missing() -> None:
    with pytest.raises(ModelMissing):
        load_embedder("sentence-transformers:/nowhere/at-all")


def test_a_unit_card_is_embedded_by_place_scope_name_and_what_it_says() -> None:
    assert card_fields(card()) == (
        "src main OrderFacade",
        "OrderFacade",
        "createOrder",
        "Creates an order.\npublic Response createOrder(Request request)\nStockService#freeze OrderDao#insert",
    )


def test_a_file_card_is_embedded_by_place_documentation_and_symbols() -> None:
    assert card_fields(FILE_CARD) == ("shop order Order", "", "Order", "Orders.\nAn order.\nOrder total")


def test_the_text_for_sentence_models_leaves_out_empty_parts() -> None:
    assert document_text(card(doc="", signature="", calls=())) == "src main OrderFacade\nOrderFacade createOrder"
    assert document_text(FILE_CARD) == "shop order Order\nOrder\nOrders.\nAn order.\nOrder total"


@pytest.mark.parametrize(
    ("changes", "equal"),
    [
        ({}, True),
        ({"handles": ("OutOfStock",), "language": "kotlin", "kind": "function"}, True),
        ({"raises": ("OutOfStock (declared)",)}, False),
        ({"doc": "Creates an order. " * 100}, False),
        ({"name": "createOrders", "qualified_name": "OrderFacade#createOrders"}, False),
        ({"calls": ("OrderDao#insert", "StockService#freeze")}, False),
        ({"path": "shop/order/src/main/Facade.java"}, False),
    ],
)
def test_a_key_changes_exactly_when_what_is_embedded_does(changes: dict[str, Any], equal: bool) -> None:
    assert (vector_key(card(**changes), "m") == vector_key(card(), "m")) is equal


def test_keys_tell_models_and_kinds_of_cards_apart() -> None:
    keys = {vector_key(card(), "m"), vector_key(card(), "n"), vector_key(FILE_CARD, "m")}
    assert len(keys) == 3
    assert {len(key) for key in keys} == {16}


def test_a_file_card_lists_types_before_functions_and_members_last() -> None:
    def chunk(kind: str, name: str, line: int, parent: str = "", doc: str = "", part: int = 0) -> Chunk:
        return Chunk("a.py", "python", kind, name, name, 0, line, line, parent=parent, doc=doc, part=part)

    chunks = (
        chunk("module", "", 1),
        chunk("function", "helper", 2),
        chunk("method", "run", 4, parent="Job"),
        chunk("class", "Job", 3, doc="One job."),
        chunk("class", "Job", 9, part=1),
    )
    parsed = ParsedFile("a.py", "python", "", 9, chunks, doc="Jobs.")
    assert file_card(parsed) == FileCard("a.py", "python", "Jobs.", ("One job.",), ("Job", "helper", "run"))


def test_a_file_card_holds_sixty_symbols_at_most() -> None:
    chunks = tuple(Chunk("a.py", "python", "function", f"f{n}", f"f{n}", 0, n, n) for n in range(1, 200))
    assert len(file_card(ParsedFile("a.py", "python", "", 200, chunks)).symbols) == 60


def test_the_stand_in_gives_unit_rows_of_the_asked_dimension() -> None:
    embedder = load_embedder("fake:96")
    matrix = embedder.embed_texts(["create an order", "", "订单"])
    assert (embedder.model, embedder.dimension, embedder.semantic, embedder.remote) == ("fake:96", 96, False, False)
    assert matrix.shape == (3, 96) and matrix.dtype == np.float32
    assert np.linalg.norm(matrix, axis=1) == pytest.approx([1, 1, 1], abs=1e-5)


def test_the_stand_in_finds_shared_words() -> None:
    embedder = load_embedder("fake:256")
    cards = embedder.embed_cards([card(), FILE_CARD])
    assert (
        cards[0] @ embedder.embed_queries(["freeze stock"])[0] > cards[1] @ embedder.embed_queries(["freeze stock"])[0]
    )


def test_the_stand_in_is_the_same_in_every_process() -> None:
    code = "from codemem.embed import load_embedder as l; print(l('fake').embed_queries(['a b']).tobytes().hex())"
    runs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(runs) == 1


@pytest.mark.parametrize(
    ("vectors", "says"),
    [
        ([[1.0, 0.0]], "2 texts"),
        ([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], "3 dimensions"),
        ([[1.0, 0.0], [float("nan"), 1.0]], "not finite"),
        ([[1.0, 0.0], [0.0, 0.0]], "length zero"),
        ([[1.0, 0.0], [1.0]], "not a table"),
        (["a", "b"], "not a table"),
        ([1.0, 2.0], "shape"),
    ],
)
def test_what_a_foreign_model_returns_is_checked(vectors: Any, says: str) -> None:
    with pytest.raises(ProviderError, match=says):
        check_vectors(vectors, 2, 2, "stub")


def test_good_vectors_are_scaled_to_length_one() -> None:
    assert check_vectors([[3, 4], [0, 2]], 2, 2, "stub").tolist() == pytest.approx(np.array([[0.6, 0.8], [0, 1]]))


def test_rows_without_a_direction_stay_zero_and_are_not_usable() -> None:
    rows = unit_rows(np.array([[0, 0], [2, 0]], dtype=np.float32))
    assert rows.tolist() == [[0, 0], [1, 0]]
    assert usable(rows).tolist() == [False, True]


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("getHTTPResponse2", ["get", "http", "response", "2"]),
        ("snake_case", ["snake", "case"]),
        ("订单创建", ["订", "单", "创", "建", "订单", "单创", "创建"]),
        ("getПользователь", ["get", "пользователь"]),
        ("créerÉtat", ["créer", "état"]),
        ("支付API", ["支", "付", "支付", "api"]),
        ("ＡＢＣ", ["abc"]),
        ("___", []),
    ],
)
def test_words_are_cut_at_case_digits_and_scripts(word: str, parts: list[str]) -> None:
    assert word_parts(word) == parts


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("order Order ORDER", [0, 0, 0]),
        ("reorders", [1, 0, 2]),
        ("xyz order", [0]),
        ("订单 单", [3, 4]),
        ("", []),
    ],
    ids=["known", "cut into pieces", "unknown letters give none", "characters without a vector are left out", "empty"],
)
def test_text_becomes_ids(text: str, ids: list[int]) -> None:
    vocabulary = Vocabulary(["order", "re", "s", "订单", "单"], [-5.0] * 5)
    assert sorted(vocabulary.text_ids(text)) == sorted(ids if text != "订单 单" else [3, 4, 4])
