"""Words of other languages are said in English; English questions stay as they are."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codemem.question import read_question
from codemem.question.foreign import in_english
from codemem.question.lexicon import lexicon, names_of_files


@pytest.mark.parametrize(
    ("question", "english"),
    [
        ("где проверяется пароль", {"check", "password"}),
        ("读取配置文件", {"read", "config", "file"}),
        ("キューのタイムアウト", {"queue", "timeout"}),
        ("Wo wird die Warteschlange geschlossen?", {"queue", "close"}),
        ("¿Dónde se guarda la contraseña del usuario?", {"save", "password", "user"}),
        ("où est la file d'attente des messages", {"message", "wait"}),
    ],
)
def test_words_are_found_in_their_forms(question: str, english: set[str]) -> None:
    assert english <= set(in_english(question))


@pytest.mark.parametrize(
    "question",
    [
        "where does the process die",
        "die Roller",
        "createOrder",
        "der_to_pem",
        "naïve café",
        "the list of files is empty",
    ],
)
def test_english_and_names_are_left_alone(question: str) -> None:
    assert in_english(question) == ()


def test_the_longest_entry_of_a_run_wins() -> None:
    assert in_english("数据库") == ("database",)
    assert in_english("数据包") == ("package", "packet")


def test_a_repository_that_holds_all_the_words_speaks_the_language() -> None:
    assert in_english("пароль пользователя", {"пароль", "пользователя"}.__contains__) == ()
    assert "user" in in_english("пароль пользователя", {"пароль"}.__contains__)


def test_a_question_keeps_its_own_words_beside_the_english_ones() -> None:
    question = read_question("где закрывается соединение")
    assert {"закрывается", "соединение", "close", "connect"} <= set(question.content)


@pytest.mark.parametrize("name", names_of_files())
def test_nearly_every_entry_says_something_in_english(name: str) -> None:
    entries = lexicon(name).entries
    assert all(word.isascii() for words in entries.values() for word in words)
    assert sum(not words for words in entries.values()) < 40  # some are heard so that they say nothing
    assert len(entries) > 300


@given(st.text(max_size=80))
def test_any_text_can_be_read(text: str) -> None:
    english = in_english(text)
    assert len(english) == len(set(english))
