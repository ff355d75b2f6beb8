"""Words of code and prose become terms."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codemem.text import (
    code_terms,
    counted,
    joined_term,
    split_identifier,
    stem,
    text_terms,
    word_terms,
    words,
    written_parts,
)


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("createOrder", "create order"),
        ("CreateOrder", "create order"),
        ("create_order", "create order"),
        ("CREATE_ORDER", "create order"),
        ("getHTTPResponse", "get http response"),
        ("HTTPServer", "http server"),
        ("parseJSON5", "parse json 5"),
        ("utf8", "utf 8"),
        ("sha256Sum", "sha 256 sum"),
        ("__init__", "init"),
        ("_private", "private"),
        ("X", "x"),
        ("ÉtatCivil", "etat civil"),
        ("löscheÜbergabe", "losche ubergabe"),
        ("Straße", "strasse"),
        ("STRASSE", "strasse"),
        ("hentØre", "hent ore"),
        ("İstanbul", "istanbul"),
        ("kéoĐường", "keo duong"),
        ("ЁлкаЙод", "ёлка йод"),
        ("παράγγελμα", "παράγγελμα"),
        ("ПолучитьЗаказ", "получить заказ"),
        ("HTTPСервер", "http сервер"),
        ("注文createOrder処理", "注文 create order 処理"),
        ("___", ""),
    ],
)
def test_an_identifier_splits_into_its_words(word: str, parts: str) -> None:
    assert " ".join(split_identifier(word)) == parts


@pytest.mark.parametrize(
    ("word", "terms"),
    [
        ("getHTTPResponse", "get http respons =gethttprespons"),
        ("orders", "order"),
        ("Mux", "mux"),
        ("注文", "注 文 注文"),
        ("注文createOrder", "注 文 注文 creat order"),
        ("créerCommande", "creer command =creercommand"),
        ("がんばる", "が ん ば る がん んば ばる"),
        ("한글", "한 글 한글"),
        ("заказ", "заказ"),
    ],
)
def test_a_word_gives_its_parts_and_the_whole(word: str, terms: str) -> None:
    assert " ".join(word_terms(word)) == terms


def test_what_people_said_keeps_its_accents() -> None:
    assert text_terms("créer la commande") == ["créer", "la", "command"]
    assert code_terms("créer la commande") == ["creer", "la", "command"]
    assert written_parts("ÉtatCivil") == ("état", "civil")


@pytest.mark.parametrize(
    "spellings",
    [
        ("créerCommande", "creerCommande", "créer_commande", "CREER_COMMANDE", "CréerCommandes"),
        ("createOrder", "CreateOrder", "create_order", "CREATE_ORDER", "createOrders"),
        ("HTTPServer", "HttpServer", "http_server", "httpServer"),
    ],
)
def test_all_spellings_of_a_name_share_the_whole_term(spellings: tuple[str, ...]) -> None:
    assert len({word_terms(spelling)[-1] for spelling in spellings}) == 1


@pytest.mark.parametrize(
    "group",
    [
        "parse parses parsed parsing",
        "order orders ordered ordering",
        "query queries",
        "map maps mapped mapping",
        "cache caches cached caching",
        "validate validates validated validating validation",
        "class classes",
        "box boxes",
        "match matches matched matching",
        "connect connects connection connections",
    ],
)
def test_forms_of_a_word_share_a_stem(group: str) -> None:
    assert len({stem(word) for word in group.split()}) == 1


@pytest.mark.parametrize("pair", ["user use", "status stat", "string str", "bus bu", "being be"])
def test_different_words_keep_different_stems(pair: str) -> None:
    one, other = pair.split()
    assert stem(one) != stem(other)


def test_composed_and_decomposed_accents_are_one_form() -> None:
    text = "déjà_vu Größe"
    assert words(unicodedata.normalize("NFD", text)) == words(text)


def test_full_width_letters_are_plain_letters() -> None:
    assert text_terms("ｃｒｅａｔｅ") == text_terms("create")


def test_encoded_data_stays_small() -> None:
    assert len(word_terms("aB3" * 500)) <= 16


def test_a_joined_term_is_the_term_of_the_identifier() -> None:
    assert joined_term(["create", "order"]) == word_terms("createOrder")[-1]


@given(st.text(max_size=200))
def test_any_text_has_terms_without_blanks(text: str) -> None:
    assert all(term and not term.isspace() for term in text_terms(text))


@given(st.from_regex(r"[A-Za-z0-9_]{1,16}", fullmatch=True))
def test_splitting_loses_no_letter(word: str) -> None:
    assert "".join(split_identifier(word)) == word.replace("_", "").lower()


@pytest.mark.parametrize(
    ("number", "noun", "expected"),
    [
        (1, "file", "1 file"),
        (2, "file", "2 files"),
        (0, "place", "0 places"),
        (1200, "memory", "1,200 memories"),
        (1, "memory", "1 memory"),
        (2, "entry", "2 entries"),
    ],
)
def test_numbers_agree_with_their_noun(number: int, noun: str, expected: str) -> None:
    assert counted(number, noun) == expected
