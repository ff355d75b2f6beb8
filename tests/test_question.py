"""What a question asks for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codemem.errors import BadQuery
from codemem.question import Frame, name_key, read_question


def written(text: str) -> list[str]:
    return ["#".join((*name.scope, name.text)) for name in read_question(text).names if name.written]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("createOrder", ["createOrder"]),
        ("create_order", ["create_order"]),
        ("createOrder()", ["createOrder"]),
        ("where is createOrder defined", ["createOrder"]),
        ("OrderService#createOrder", ["OrderService#createOrder", "OrderService", "createOrder"]),
        ("OrderService.createOrder", ["OrderService#createOrder", "OrderService", "createOrder"]),
        ("ns::f", ["ns#f"]),
        ("std::vector", ["std#vector"]),
        ("a->b", ["a#b"]),
        ("Mux", ["Mux"]),
        ("how does parseJSON5 work", ["parseJSON5"]),
        ("MAX_RETRIES in the client", ["MAX_RETRIES"]),
        ("panic recovery middleware", []),
        ("create order", []),
    ],
)
def test_names_are_found_in_any_spelling(text: str, names: list[str]) -> None:
    assert written(text) == names


def test_plain_words_may_be_one_name() -> None:
    joined = {name.key for name in read_question("create order").names}
    assert {"createorder", "create", "order"} <= joined


@pytest.mark.parametrize("spelling", ["createOrder", "CreateOrder", "create_order", "CREATE_ORDER", "create-order"])
def test_all_spellings_have_one_key(spelling: str) -> None:
    assert name_key(spelling) == "createorder"


@pytest.mark.parametrize(
    ("text", "frames"),
    [
        ('File "app/x.py", line 12, in run', [Frame("app/x.py", 12)]),
        ("at com.shop.Foo.bar(Foo.java:25)", [Frame("Foo.java", 25)]),
        ("at f (src/parser/parser.ts:41:11)", [Frame("src/parser/parser.ts", 41)]),
        ("\t/src/courier/broker/dispatch.go:43 +0x1d", [Frame("/src/courier/broker/dispatch.go", 43)]),
        ("src/main.rs:10:5: error", [Frame("src/main.rs", 10)]),
        ("C:\\shop\\Order.cs:line 7", []),
        ("meet at 12:30", []),
    ],
)
def test_stack_frames_are_read(text: str, frames: list[Frame]) -> None:
    assert list(read_question(text).frames) == frames


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("payments/retry.py", ["payments/retry.py"]),
        ("./src/mux.go", ["src/mux.go"]),
        ("orders/service", ["orders/service"]),
        ("what is in mux.go", ["mux.go"]),
        ("radix tree", []),
    ],
)
def test_paths_are_read(text: str, paths: list[str]) -> None:
    assert list(read_question(text).paths) == paths


@pytest.mark.parametrize(
    ("text", "phrases"),
    [
        ('"missing or wrong token"', ["missing or wrong token"]),
        ("what does `out of stock` mean", ["out of stock"]),
        ("mail.host", ["mail.host"]),
        ("38.101", ["38.101"]),
        ("PYTEST_ADDOPTS", ["PYTEST_ADDOPTS"]),
        ("a built-in type", []),
        ("it's what people's code does", []),
    ],
)
def test_what_must_stand_there_to_the_letter(text: str, phrases: list[str]) -> None:
    found = read_question(text).phrases
    assert list(found) == phrases or (not phrases and all("'" not in one for one in found))


@pytest.mark.parametrize(
    ("text", "fragment"),
    [
        ("kiln: no task named deploy", "no task named"),
        ("ERROR payment declined for ann", "payment declined for"),
        ("ValueError: currencies must not differ", "currencies must not"),
    ],
)
def test_a_pasted_message_is_cut_into_fragments(text: str, fragment: str) -> None:
    assert fragment in read_question(text).fragments


@pytest.mark.parametrize("text", ["how is a payment declined", "create order", "what does Error: mean here?"])
def test_a_question_is_no_message(text: str) -> None:
    assert read_question(text).fragments == ()


@pytest.mark.parametrize(
    ("text", "wants"),
    [
        ("tests for createOrder", True),
        ("createOrder test", True),
        ("unit tests of the parser", True),
        ("test that a cycle is an error", True),
        ("test reporter interface", False),
        ("createOrder", False),
    ],
)
def test_tests_are_asked_for(text: str, wants: bool) -> None:
    assert read_question(text).wants_tests is wants


@pytest.mark.parametrize(
    ("text", "verbs"),
    [
        ("what raises OutOfStock", (True, False, False)),
        ("where is OutOfStock handled", (False, True, False)),
        ("who calls freeze", (False, False, True)),
        ("freeze", (False, False, False)),
    ],
)
def test_verbs_tell_what_kind_of_answer_is_wanted(text: str, verbs: tuple[bool, bool, bool]) -> None:
    question = read_question(text)
    assert (question.wants_raisers, question.wants_handlers, question.wants_callers) == verbs


@pytest.mark.parametrize("text", ["", "   ", "\n\t", "\0"])
def test_an_empty_question_is_refused(text: str) -> None:
    with pytest.raises(BadQuery):
        read_question(text)


def test_stop_words_are_kept_when_nothing_else_is_left() -> None:
    assert read_question("AND").content == ("AND",)
    assert read_question("where is the mux").content == ("mux",)


def test_synonyms_join_the_concept_of_their_word() -> None:
    concept = read_question("delete").concepts[0]
    assert concept.terms[0] == ("delet", 1.0)
    assert ("remov", 0.25) in concept.terms


@pytest.mark.parametrize(
    "text",
    [
        "x" * 10_000,
        "x." * 5_000,
        "-" * 10_000,
        "a/" * 5_000,
        "' . " * 2_500,
        "foo(" * 2_500,
        "漢" * 10_000,
        "@." * 5_000,
    ],
)
def test_ten_thousand_characters_are_read(text: str) -> None:
    assert read_question(text).text


@given(st.text(max_size=300))
def test_any_text_is_a_question_or_refused(text: str) -> None:
    try:
        question = read_question(text)
    except BadQuery:
        return
    assert question.text
    assert len({concept.terms[0][0] for concept in question.concepts}) == len(question.concepts)


@pytest.mark.parametrize(
    ("text", "prose"),
    [
        ("release that corrected a memory leak", True),
        ("release notes about the new parser", True),
        ("what changed in version 6.0.0", True),
        ("changes of version 6.0.0", True),
        ("changed in 2.1", False),
        ("section about attaching threads", True),
        ("CVE-2024-36039", True),
        ("how to install from source", True),
        ("where is the retry policy documented", True),
        ("where is a release of the lock awaited", False),
        ("views and guides", False),
        ("page that is read from the buffer pool", False),
    ],
)
def test_what_documentation_is_asked_for_without_its_name(text: str, prose: bool) -> None:
    assert read_question(text).wants_prose is prose
