"""Questions in other languages ask what their English twins ask; English questions are read as if there were no others."""

from __future__ import annotations

import json
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codemem.question import Question, read_question
from codemem.question.foreign import (
    _FUNCTION_WORDS,
    _OPENING,
    ENGLISH,
    LONGEST_ENTRY,
    lexicon,
    read_foreign,
)
from codemem.text import STOP_WORDS

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize(
    ("question", "english"),
    [
        # Chinese
        ("创建订单的函数", {"create", "order", "function"}),
        ("在哪里删除缓存文件", {"delete", "cache", "file"}),
        ("连接超时后重试", {"connection", "timeout", "retry"}),
        # Japanese
        ("注文を作成する関数", {"order", "create", "function"}),
        ("ファイルを読み込む", {"file", "load"}),
        ("パスワードの検証", {"password", "validate"}),
        # Korean
        ("주문을 생성하는 함수", {"order", "create", "function"}),
        ("비밀번호 검증", {"password", "validate"}),
        ("연결 타임아웃 후 재시도", {"connection", "timeout", "retry"}),
        # Russian: any ending
        ("создание заказа", {"create", "order"}),
        ("создаёт заказы", {"create", "order"}),
        ("повторные попытки соединения", {"retry", "connection"}),
        # German: umlauts or not, compounds by their halves
        ("wo wird die Bestellung erstellt", {"order", "create"}),
        ("Wo wird die Nachrichtenwarteschlange geschlossen?", {"message", "queue", "close"}),
        ("Wie werden Überschriften geprüft", {"heading", "check"}),
        # French
        ("où est créée la commande du client", {"create", "order", "client"}),
        ("comment valider le mot de passe des utilisateurs", {"validate", "password", "user"}),
        # Spanish: accents or not
        ("dónde se crea el pedido", {"create", "order"}),
        ("donde se valida la conexion del usuario", {"validate", "connection", "user"}),
        # Portuguese
        ("onde é criado o pedido", {"create", "order"}),
        ("como validar a senha do usuário", {"validate", "password", "user"}),
    ],
)
def test_words_are_said_in_english(question: str, english: set[str]) -> None:
    assert english <= set(read_foreign(question).english)


@pytest.mark.parametrize(
    ("question", "wants"),
    [
        *((question, "wants_raisers") for question in (
            "哪里抛出 OutOfStock", "OutOfStock を投げる場所", "OutOfStock 예외를 던지는 곳", "кто бросает OutOfStock",
            "wer wirft OutOfStock", "où est levée OutOfStock", "dónde se lanza OutOfStock", "onde OutOfStock é lançada",
        )),
        *((question, "wants_handlers") for question in (
            "OutOfStock 在哪里处理", "OutOfStock はどこで処理される", "OutOfStock 어디서 처리", "где обрабатывается OutOfStock",
            "wo wird OutOfStock behandelt", "où est gérée OutOfStock", "dónde se maneja OutOfStock", "onde OutOfStock é tratada",
        )),
        *((question, "wants_callers") for question in (
            "谁调用 freeze", "freeze を呼び出しているのは誰", "freeze를 호출하는 곳", "кто вызывает freeze",
            "wer ruft freeze auf", "qui appelle freeze", "quién llama a freeze", "quem chama freeze",
        )),
        *((question, "wants_tests") for question in (
            "createOrder 的测试", "哪些测试覆盖 createOrder", "createOrder のテスト", "createOrder 테스트", "тесты для createOrder",
            "Tests für createOrder", "welche Tests prüfen createOrder", "quels tests couvrent createOrder",
            "pruebas de createOrder", "testes de createOrder",
        )),
    ],
)  # fmt: skip
def test_patterns_are_understood(question: str, wants: str) -> None:
    flags = ("wants_raisers", "wants_handlers", "wants_callers", "wants_tests")
    read = read_question(question)
    assert [flag for flag in flags if getattr(read, flag)] == [wants]


@pytest.mark.parametrize(
    ("question", "content"),
    [
        ("где WebSocket", ("WebSocket",)),
        ("wo ist der Server", ("Server",)),
        ("où est le token du worker", ("token", "worker")),
        ("onde é o token do worker", ("token", "worker")),
    ],
)
def test_function_words_are_dropped(question: str, content: tuple[str, ...]) -> None:
    assert read_question(question).content == content


def test_a_long_question_is_no_pasted_message() -> None:
    assert read_question("где создаётся заказ и кто его потом удаляет из базы").fragments == ()
    assert read_question("ошибка: не удалось открыть файл настроек").fragments


@pytest.mark.parametrize("name", ["größe_berechnen", "der_die_das", "SELECT", "readDatei"])
def test_names_are_not_translated(name: str) -> None:
    assert read_foreign(f"wo wird {name} und der").english == ()


def english_questions() -> list[str]:
    """Return the English questions of the repository's own collections."""
    files = [ROOT / "fixtures/ranking/questions.jsonl", *(ROOT / "benchmarks/quality/own/questions").glob("*.jsonl")]
    rows = [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines() if line.strip()]
    return [row["question"] for row in rows if row["category"] not in ("non-english", "language")]


def as_if_english(text: str) -> Question:
    with patch("codemem.question.reading.read_foreign", lambda *_: ENGLISH):
        return read_question(text)


def test_english_questions_are_read_as_before() -> None:
    questions = english_questions()
    assert len(questions) > 300
    assert [text for text in questions if read_question(text) != as_if_english(text)] == []


PLAIN_WORDS = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,12}", fullmatch=True).filter(
    lambda word: word.lower() not in _FUNCTION_WORDS | _OPENING
)


@given(st.lists(PLAIN_WORDS | st.sampled_from(sorted(STOP_WORDS)), min_size=1, max_size=12))
def test_ascii_without_foreign_function_words_is_english(spoken: list[str]) -> None:
    text = " ".join(spoken)
    assert read_question(text) == as_if_english(text)


@pytest.mark.parametrize(
    "text",
    [
        "was unable to open the file “settings.toml” — giving up",
        "Was passiert: naïve café lookup failed for the user",
        "don’t retry when the queue is empty…",
        "how does des encryption handle est timezone",
        "order → invoice ✓",
    ],
)
def test_typography_and_accents_make_no_other_language(text: str) -> None:
    assert read_question(text) == as_if_english(text)


def test_the_lexicon_is_not_read_for_english() -> None:
    with patch("codemem.question.foreign.lexicon", side_effect=AssertionError):
        read_question("where is the order created and who handles the error")


def test_entries_can_be_found() -> None:
    assert [entry for entry in lexicon() if len(entry) > LONGEST_ENTRY or entry != entry.lower()] == []
