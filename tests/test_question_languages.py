"""Questions in other languages ask what their English twins ask; English questions are read as if there were no others."""

from __future__ import annotations

import json
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codemem.question import Question, read_question
from codemem.question.foreign import ENGLISH, read_foreign
from codemem.question.lexicon import LONGEST_ENTRY, lexicon, lexicon_of, names_of_files, plainly
from codemem.question.tongues import FUNCTION_WORDS, OPENING, claimed
from codemem.text import STOP_WORDS, words

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
        # Ukrainian, with its apostrophe
        ("де зберігається замовлення", {"save", "order"}),
        ("перевірка з'єднання з базою даних", {"check", "connection", "database"}),
        # Italian, Polish, Dutch
        ("dove viene creato l'ordine", {"create", "order"}),
        ("gdzie sprawdzane jest hasło użytkownika", {"check", "password", "user"}),
        ("waar wordt het wachtwoord van de gebruiker gecontroleerd", {"check", "password", "user"}),
        # Turkish: any number of suffixes, short stems
        ("kullanıcının parolası nerede doğrulanıyor", {"user", "password", "validate"}),
        ("dosyaların silinmesi", {"file", "delete"}),
        # words that mean something together only
        ("istek zaman aşımına uğradığında", {"request", "timeout"}),
        ("iş parçacıkları nerede oluşturuluyor", {"thread", "create"}),
        ("thread em segundo plano que observa o arquivo", {"background", "observe", "file"}),
        # verbs that come apart, with `ge` and `zu` in between
        ("welche Funktion ruft freeze auf", {"call", "function"}),
        ("wo wird die Ausnahme abgefangen", {"catch", "exception"}),
        ("wo werden Daten eingelesen", {"read", "data"}),
        ("wie roept freeze aan", {"call"}),
        # three joined words; umlauts written out
        ("wo ist der Datenbankverbindungspool", {"database", "connection", "pool"}),
        ("wo werden Schluessel und Groesse geprueft", {"key", "size", "check"}),
        # the longest entry decides, whichever file it stands in
        ("Wie werden Gültigkeitsbereiche und Zeichenketten zerlegt", {"scope", "string"}),
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
            "хто кидає OutOfStock", "chi lancia OutOfStock", "kto zgłasza OutOfStock", "OutOfStock nerede fırlatılıyor", "wie gooit OutOfStock",
        )),
        *((question, "wants_handlers") for question in (
            "OutOfStock 在哪里处理", "OutOfStock はどこで処理される", "OutOfStock 어디서 처리", "где обрабатывается OutOfStock",
            "wo wird OutOfStock behandelt", "où est gérée OutOfStock", "dónde se maneja OutOfStock", "onde OutOfStock é tratada",
            "де обробляється OutOfStock", "dove viene gestito OutOfStock", "gdzie obsługiwany jest OutOfStock",
            "OutOfStock nerede yakalanıyor", "waar wordt OutOfStock opgevangen", "où est interceptée OutOfStock",
        )),
        *((question, "wants_callers") for question in (
            "谁调用 freeze", "freeze を呼び出しているのは誰", "freeze를 호출하는 곳", "кто вызывает freeze",
            "wer ruft freeze auf", "qui appelle freeze", "quién llama a freeze", "quem chama freeze",
            "хто викликає freeze", "chi chiama freeze", "kto wywołuje freeze", "freeze fonksiyonunu kim çağırıyor", "wie roept freeze aan",
        )),
        *((question, "wants_tests") for question in (
            "createOrder 的测试", "哪些测试覆盖 createOrder", "createOrder のテスト", "createOrder 테스트", "тесты для createOrder",
            "Tests für createOrder", "welche Tests prüfen createOrder", "quels tests couvrent createOrder",
            "pruebas de createOrder", "testes de createOrder", "тести для createOrder", "test della classe createOrder", "testy dla createOrder",
            "createOrder için hangi testler var", "tests voor createOrder",
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


@pytest.mark.parametrize(
    "question",
    [
        "документация по тестированию",
        "关于任务取消的文档",
        "документація про безпеку",
        "documentazione sui pacchetti",
        "guía para actualizar de versión",
        "dokumentacja protokołu",
        "handleiding voor de upgrade",
        "iş parçacıkları hakkında belgeler",
        "Anleitung für die Installation",
        "マイグレーションのガイド",
    ],
)
def test_documentation_is_asked_for(question: str) -> None:
    assert read_question(question).wants_prose


@pytest.mark.parametrize(
    ("question", "tongue"),
    [
        ("chi lancia MaxRetriesExceeded", "it"), ("salvare il traffico in un file", "it"), ("geçersiz başlıkların doğrulanması", "tr"),
        ("pobieranie wartości z pamięci podręcznej", "pl"), ("tests du cache en mémoire", "fr"), ("waar wordt het getoond", "nl"),
    ],
)  # fmt: skip
def test_languages_are_told_apart(question: str, tongue: str) -> None:
    assert claimed([word.lower() for word in words(question)]) == [tongue]


@pytest.mark.parametrize("question", ["Weichzeichner für Bilder", "création des données", "śledzenie plików"])
def test_letters_and_known_words_tell_a_language(question: str) -> None:
    assert read_foreign(question).english


def test_a_single_character_inside_an_unknown_word_says_nothing() -> None:
    assert "write" in read_foreign("把日志写到文件").english
    assert "write" not in read_foreign("写意画派").english


def test_a_long_question_is_no_pasted_message() -> None:
    assert read_question("где создаётся заказ и кто его потом удаляет из базы").fragments == ()
    assert read_question("ошибка: не удалось открыть файл настроек").fragments


@pytest.mark.parametrize(
    "question",
    ["getCallFrame을 호출하는 곳", "谁调用getCallFrame", "getCallFrameを呼び出す場所", "调用getCallFrame的地方"],
)
def test_names_stand_apart_from_the_script_around_them(question: str) -> None:
    read = read_question(question)
    assert [name.text for name in read.names if name.written] == ["getCallFrame"]
    assert read.wants_callers


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
    lambda word: word.lower() not in FUNCTION_WORDS | OPENING
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


def test_no_lexicon_is_read_for_english() -> None:
    with (
        patch("codemem.question.foreign.lexicon_of", side_effect=AssertionError),
        patch("codemem.question.foreign.lexicon", side_effect=AssertionError),
    ):
        read_question("where is the order created and who handles the error")


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("где создаётся заказ", {"ru"}), ("где живёт сервер", {"ru"}), ("注文を作成する", {"han"}), ("주문을 생성하는 함수", {"ko"}),
        ("dove viene creato l'ordine", {"it"}), ("wo wird die Bestellung erstellt", {"de", "latin"}),
    ],
)  # fmt: skip
def test_only_what_a_question_speaks_is_read(question: str, read: set[str]) -> None:
    lexicon.cache_clear()
    lexicon_of.cache_clear()
    with patch.object(Path, "read_text", autospec=True, side_effect=Path.read_text) as reading:
        read_foreign(question)
    assert {call.args[0].stem.removeprefix("foreign-") for call in reading.call_args_list} == read


@pytest.mark.parametrize("name", names_of_files())
def test_entries_can_be_found(name: str) -> None:
    """An entry as long as a beginning may be, bare as questions are made bare."""
    read = lexicon(name)
    entries = [*read.entries, *read.phrases]
    assert [entry for entry in entries if len(entry) > LONGEST_ENTRY or entry != plainly(entry)] == []


@pytest.mark.parametrize("word", ["datei" * 24 + "q" * 12, "datei" * 1900])
def test_joined_words_of_any_length_are_read(word: str) -> None:
    """Every part tried with every rest would not end, and a call for every part would be too deep."""
    assert "file" in read_question(f"wo wird der {word} datei geschrieben").content
