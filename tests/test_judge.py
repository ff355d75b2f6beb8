"""The judge: what two statements are to each other, and that nothing which must stay apart is ever merged."""

from __future__ import annotations

import tomllib
from collections import Counter
from pathlib import Path

import pytest

from codemem import judge as judge_package
from codemem.judge import judge
from codemem.judge.affixes import are_opposed
from codemem.judge.statement import read_statement
from codemem.judge.tongues import words_apart
from codemem.judge.words import FILES, LISTS, stem, words

PAIRS = Path(__file__).parents[1] / "fixtures" / "judge"
NAMES = {"same": "same_fact", "update": "update_old", "conflict": "conflict", "unrelated": "unrelated"}
LEAST_ACCURACY = 0.85


def pairs(name: str) -> list[tuple[str, str, str]]:
    rows = [line.split("\t") for line in (PAIRS / name).read_text("utf-8").splitlines()[1:]]
    return [(NAMES[verdict], first, second) for verdict, _, first, second in rows]


@pytest.mark.parametrize(
    "name", ["pairs.tsv", "held_out.tsv", "second_held_out.tsv", "third_held_out.tsv", "fourth_held_out.tsv"]
)
def test_pairs_that_must_stay_apart_are_never_merged(name: str) -> None:
    merged = [
        (first, second)
        for gold, first, second in pairs(name)
        # Even a model that calls everything equal must not merge them.
        for cosine in (None, 0.999)
        if gold != "same_fact" and judge(first, second, cosine).verdict == "same_fact"
    ]
    assert merged == []


def test_pairs_written_to_break_the_rules_stay_apart() -> None:
    rows = [line.split("\t") for line in (PAIRS / "apart.tsv").read_text("utf-8").splitlines()[1:]]
    merged = [
        (older, newer, cosine)
        for first, second in rows
        for older, newer in ((first, second), (second, first))
        for cosine in (None, 0.999)
        if judge(older, newer, cosine).verdict == "same_fact"
    ]
    assert len(rows) > 790 and merged == []


@pytest.mark.parametrize(
    "name", ["pairs.tsv", "held_out.tsv", "second_held_out.tsv", "third_held_out.tsv", "fourth_held_out.tsv"]
)
def test_verdicts_are_right_in_both_parts(name: str) -> None:
    table = Counter((gold, judge(first, second).verdict) for gold, first, second in pairs(name))
    right = sum(count for (gold, verdict), count in table.items() if gold == verdict)
    assert right / sum(table.values()) >= LEAST_ACCURACY, table


def test_there_are_enough_pairs_of_every_kind() -> None:
    both = [*pairs("pairs.tsv"), *pairs("held_out.tsv")]
    assert len(both) >= 200
    assert min(Counter(gold for gold, _, _ in both).values()) >= 50
    assert not set(pairs("pairs.tsv")) & set(pairs("held_out.tsv"))


@pytest.mark.parametrize(
    ("first", "second", "verdict"),
    [
        ("The project uses Java 16", "The project uses Java 17", "update_old"),
        ("User loves sushi", "User hates sushi", "conflict"),
        ("Cache TTL is 300 seconds", "Cache TTL is 600 seconds", "update_old"),
        ("Cache TTL is 300 seconds", "Cache TTL is 5 minutes", "same_fact"),
        ("Cache TTL is 300 seconds", "Cache TTL is 300 seconds (Redis)", "same_fact"),
        ("Feature X is enabled", "Feature X is enabled (staging)", "unrelated"),
        ("Login is not enabled", "Login is disabled", "same_fact"),
        ("日志不要打印手机号", "不要在日志里打印手机号", "same_fact"),
        ("It's not enabled", "It is not enabled", "same_fact"),
        ("They're stored in Redis and we'll keep them", "They are stored in Redis and we will keep them", "same_fact"),
        ("网关启用了重试", "网关有重试", "unrelated"),
        ("网关开启限流", "网关已开启限流", "same_fact"),
        ("Cache is enabled in dev and disabled in prod", "Cache is disabled in dev and disabled in prod", "conflict"),
        ("在日志里打印手机号", "不要在日志里打印手机号", "conflict"),
        ("The public page is enabled", "The private page is disabled", "conflict"),
        ("Retries are enabled", "Retries are enabled for createOrder", "unrelated"),
        ("Service A is called by service B", "Service A calls service B", "conflict"),
        ("Freeze stock before redeeming the coupon", "The coupon is redeemed before freezing stock", "conflict"),
        ("The admin page is rendered by the backend", "The backend renders the admin page", "same_fact"),
        ("Logging level is INFO in production", "Logging level is INFO in staging", "unrelated"),
        ("Tests must run in CI", "Tests can run in CI", "conflict"),
        ("You need not run the tests", "You must not run the tests", "conflict"),
        ("Only admins can delete users", "Admins can delete users", "unrelated"),
        ("Step 1 is lint", "Step 2 is lint", "unrelated"),
        ("service-a is slow", "service-b is slow", "unrelated"),
        ("User prefers tabs in Python", "User prefers tabs in Go", "unrelated"),
        ("The birthday is May 3", "The birthday is 4 May", "update_old"),
        ("Standup is at 9:30 am", "Standup is at 9:30 pm", "update_old"),
        ("The licence is GPL", "The licence is MIT", "update_old"),
        ("先冻结库存再核销优惠券", "先核销优惠券再冻结库存", "conflict"),
        ("日志保留三十天", "日志保留 30 天", "same_fact"),
        ("例会在周三", "例会在周四", "update_old"),
        ("生产环境超时是 3 秒", "测试环境超时是 3 秒", "unrelated"),
        ("Сервис заказов использует Redis", "Сервис оплаты использует Redis", "unrelated"),
        ("注文サービスはRedisを使う", "支払サービスはRedisを使う", "unrelated"),
        ("Der Cache ist aktiviert", "Der Cache ist deaktiviert", "conflict"),
        ("Der Nutzer mag Kaffee", "Der Nutzer mag keinen Kaffee", "conflict"),
        ("Le cache n'est pas activé", "Le cache est désactivé", "same_fact"),
        ("On n'utilise jamais de tabulations", "On utilise toujours des tabulations", "conflict"),
        ("No usamos nunca tabulaciones", "Nunca usamos tabulaciones", "same_fact"),
        ("Никогда не запускайте тесты", "Всегда запускайте тесты", "conflict"),
        ("Сессия длится 2 часа", "Сессия длится 120 минут", "same_fact"),
        ("キャッシュは有効です", "キャッシュは無効です", "conflict"),
        ("ログを保存します", "ログを保存しません", "conflict"),
        ("テストは少ない", "テストは少なくない", "unrelated"),
        ("タイムアウトは30分です", "タイムアウトは60分です", "update_old"),
        ("Builds time out after half an hour", "Builds time out after 30 minutes", "same_fact"),
        ("会议持续一个半小时", "会议持续 90 分钟", "same_fact"),
        ("商品上架后通知运营", "商品下架后通知运营", "conflict"),
        ("The job encrypts the backup", "The job decrypts the backup", "conflict"),
        ("The service is stateful", "The service is stateless", "conflict"),
        ("The user lives in Oslo", "The user lives in Bergen", "update_old"),
        ("The user lives with a cat", "The user lives with a dog", "unrelated"),
        ("Errors are logged and rethrown", "Errors are logged or rethrown", "conflict"),
        ("He is the owner", "He was the owner", "conflict"),
        ("The service is written in Go", "The service was written in Go", "same_fact"),
        ("Not all users are admins", "All users are not admins", "conflict"),
        ("On Fridays we do not deploy the shop", "We do not deploy the shop on Fridays", "same_fact"),
        ("Ask the user before each write", "Ask each user before the write", "conflict"),
        ("Users set the language", "Users use the language", "conflict"),
        ("We use Kafka", "We now use Kafka", "same_fact"),
        ("The cache is on", "The cache is on?", "conflict"),
        ("Python >= 3.9", "Python > 3.9", "conflict"),
        ("The user is called Ann", "The user is called Anne", "conflict"),
        ("Alice owns the billing module", "The billing module is owned by Alice", "same_fact"),
        ("Deploys are automatic", "Deploys are automatic (planned)", "unrelated"),
        ("The build passes", "The build passes (Linux)", "unrelated"),
        ("The office moved", "The office changed", "conflict"),
        ("Plan A is approved", "Plan B is approved", "unrelated"),
        ("!!!", "???", "unrelated"),
        ("", "x", "unrelated"),
    ],
)
def test_verdict_of(first: str, second: str, verdict: str) -> None:
    assert judge(first, second).verdict == verdict


def test_cosine_alone_never_merges_and_supports_a_paraphrase() -> None:
    first, second = (
        "Failed payments get retried hourly by the worker",
        "The worker hourly retries payments that bounced",
    )
    assert judge(first, second).verdict != "same_fact"
    first = "The cleanup job wipes stale carts quickly from the table"
    second = "The cleanup job purges stale carts rapidly from the table"
    assert judge(first, second, 0.9).verdict == "same_fact"
    assert judge(first, second, 0.8).verdict == "unrelated"


def test_every_verdict_explains_itself() -> None:
    for gold, first, second in pairs("pairs.tsv"):
        judgement = judge(first, second)
        assert judgement.rule, (gold, first, second)
        assert judgement == judge(first, second)


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("The request timeout is three seconds", "request timeout #time"),
        ("Upload limit: 5MB", "±traffic limit #bytes"),
        ("lodash is pinned to 4.17.20", "lodash pin #version"),
        ("OrderFacade#createOrder 先做风控检查", "OrderFacade#createOrder 先 做 风 控 检查"),
        ("所有的时间都用UTC存储", "±extent 时间 用 utc 存 储"),
        ("release on October 15, 2026", "releas #date"),
        ("see https://api.shop.test/v1.", "see https://api.shop.test/v1"),
        ("café crème", "café crèm"),
    ],
)
def test_a_statement_reads_as(text: str, keys: str) -> None:
    got = [key for key in read_statement(text).keys if key != "on"]
    assert got == keys.split()


@pytest.mark.parametrize(
    ("short", "long", "opposed"),
    [
        ("mount", "unmount", True),
        ("encrypts", "decrypts", True),
        ("import", "export", True),
        ("upgrade", "downgrade", True),
        ("stateful", "stateless", True),
        ("activé", "désactivé", True),
        ("обязательное", "необязательное", True),
        ("on", "non", False),
        ("test", "testing", False),
        ("same", "same", False),
    ],
)
def test_opposites_by_affix(short: str, long: str, opposed: bool) -> None:
    assert are_opposed(short, long) is opposed


@pytest.mark.parametrize(
    ("text", "apart"),
    [
        ("On n'aime pas l'ordre", "On ne aime pas l ordre"),
        ("C's don't", "C's don't"),
        ("Кэш включён", "Кэш включен"),
        ("メールを読みません", "メール を 読 み 不"),
        ("キャッシュは有効です", "キャッシュ は 有効"),
        ("危ない橋", "危 ない 橋"),
        ("必ずレビューを受ける", "必须 レビュー を 受 ける"),
        ("消してはいけない", "消 し 禁止"),
        ("30分です", "30分钟"),
    ],
)
def test_words_stand_apart(text: str, apart: str) -> None:
    assert words_apart(text).split() == apart.split()


def test_an_unknown_script_has_no_paraphrase() -> None:
    older, newer = "ذاكرة التخزين مفعلة دائما في الإنتاج", "ذاكرة التخزين معطلة أبدا في الإنتاج"
    assert judge(older, newer, 0.999).verdict == "unrelated"


@pytest.mark.parametrize(
    "tail",
    ["", " segundo a decisão da equipe", " enligt beslutet och planen", " según decidió el equipo", " に従う"],
)
def test_only_english_and_chinese_are_paraphrased_by_cosine(tail: str) -> None:
    """Elsewhere the lists hold few opposites, and a model finds opposites as close as synonyms."""
    older = f"The nightly importer mirrors product sheets from the supplier bucket{tail}"
    newer = f"The nightly importer copies product pages from the supplier bucket{tail}"
    assert judge(older, newer, 0.999).verdict == ("unrelated" if tail else "same_fact")


@pytest.mark.parametrize(
    ("text", "apart"),
    [
        ("사용자는 탭을 선호합니다", "사용자 는 탭 를 선호"),
        ("주문을 삭제할 수 없다", "주문 를 삭제할 수 있 不"),
        ("금요일에 배포하지 않는다", "금요일 에 배포 不"),
        ("목을 안 사용한다", "목 를 不 사용"),
        ("재고가 증가한다", "재고 가 증가"),
        ("무제한 요청을 제한한다", "무제한 요청 를 제한"),
        ("O projeto usa OAuth", "o projeto usa OAuth"),
    ],
)
def test_korean_and_portuguese_words_stand_apart(text: str, apart: str) -> None:
    assert words_apart(text).split() == apart.split()


def test_each_word_stands_on_one_scale() -> None:
    tables = [tomllib.loads((Path(judge_package.__file__).parent / name).read_text("utf-8")) for name in FILES]
    ends = [
        (word, scale)
        for table in tables
        for kind in ("complements", "contraries")
        for scale, both in table[kind].items()
        for end in both
        for word in end
    ]
    assert [word for word, count in Counter(word for word, _ in ends).items() if count > 1] == []


def test_word_lists_are_sound() -> None:
    table = words()
    for name in LISTS:
        assert getattr(table, name), name
    assert not table.negations & table.stop
    assert not set(table.poles) & table.stop
    assert all(word == word.lower() or not word.isascii() for word in table.poles)
    for scale in table.complementary:
        assert {end for name, end in table.poles.values() if name == scale} == {0, 1}
    assert stem("deploys") == stem("deployed") == stem("deploying") == "deploy"


KINDS = [f"kinds_{name}.tsv" for name in "abcdef"]
LEAST_READ = 0.8
"""Share of right verdicts in what the rules were mended with."""


@pytest.mark.parametrize("name", KINDS)
def test_pairs_of_every_kind_lose_nothing(name: str) -> None:
    """Neither half may merge what differs; the half that was read for mending has nearly all verdicts right."""
    right, read = 0, 0
    for place, line in enumerate((PAIRS / name).read_text("utf-8").splitlines()[1:]):
        verdicts, _, first, second = line.split("\t")
        gold = {NAMES[one] for one in verdicts.split("|")}
        for cosine in (None, 0.89):
            found = judge(first, second, cosine).verdict
            assert found != "same_fact" or "same_fact" in gold, (first, second)
        if place % 2 == 0:
            read += 1
            right += found in gold
    assert right / read >= LEAST_READ


@pytest.mark.parametrize(
    ("first", "second", "verdict"),
    [
        ("Backups go to S3", "Backups go to GCS rather than S3", "update_old"),
        (
            "The admin panel listens on port 8080",
            "Correction: the admin panel listens on port 8081, not 8080",
            "update_old",
        ),
        ("Mia owns the search module", "Tom took over the billing module from Mia", "unrelated"),
        ("The timeout is 5 seconds", "The timeout was raised from 5 to 30 seconds", "update_old"),
        ("The read timeout is 5 seconds", "The write timeout was raised from 5 to 30 seconds", "unrelated"),
        ("特性开关由 LaunchDarkly 管理", "特性开关从 LaunchDarkly 迁到 Unleash", "update_old"),
        ("问题出在解析器", "问题不在解析器，而在词法分析器", "update_old"),
        ("The user likes tea", "The user now also likes coffee", "unrelated"),
        ("The invoice is sent to accounting", "The invoice is sent to accounting, not to the customer", "unrelated"),
        ("Data is loaded from the lake every night", "Data flows from the lake to the warehouse", "unrelated"),
        ("The timeout is 5 seconds", "The read timeout is 10 seconds", "unrelated"),
        ("The limit is 10 MB", "The limit for avatars is 2 MB", "unrelated"),
        ("超时是 5 秒", "上传接口的超时是 60 秒", "unrelated"),
        ("The build takes 4 minutes", "The build takes 9 minutes because of the new linter", "update_old"),
        ("Tests need Postgres on port 5433", "Tests need Redis on port 6380", "unrelated"),
        ("On 2026-03-02 the database failed over", "On 2026-04-11 the database failed over", "unrelated"),
        ("The release is on 2026-03-02", "The release is on 2026-04-11", "update_old"),
        ("User visited Lisbon in May 2025", "User visited Lisbon in June 2026", "unrelated"),
        ("The stack is Go, Postgres and Redis", "The stack is Redis, Go and Postgres", "same_fact"),
        ("Deploy order is api, worker, web", "Deploy order is web, worker, api", "conflict"),
        ("The required fields are name and email", "The required fields are name, email and phone", "update_old"),
        ("The tests are slow", "The tests are flaky", "unrelated"),
        ("Bug 812 is blocked", "Bug 812 is fixed", "update_old"),
        ("Dana is the tech lead", "Erik is the tech lead", "update_old"),
        ("Dana is a reviewer", "Erik is a reviewer", "unrelated"),
        ("The OpenAPI file is at docs/openapi.yaml", "The OpenAPI file is at api/openapi.yaml", "update_old"),
        ("Use type hints in src/core", "Use type hints in src/api", "unrelated"),
        ("We could reproduce the crash", "We were unable to reproduce the crash", "conflict"),
        ("It isn't possible to undo a payment", "It is impossible to undo a payment", "same_fact"),
        ("付款不能撤销", "付款无法撤销", "same_fact"),
        ("User drinks coffee", "User drinks coffee without sugar", "unrelated"),
        ("Deploys are allowed", "Deploys are not allowed on Fridays", "unrelated"),
        ("The left sidebar shows the file tree", "The right sidebar shows the outline", "unrelated"),
        ("Nobody uses the legacy endpoint", "Several clients use the legacy endpoint", "conflict"),
        ("The search index is being rebuilt", "The search index has been rebuilt", "conflict"),
        ("The token is valid for a week", "The token is valid for 7 days", "same_fact"),
    ],
)
def test_kinds_of_change_and_of_difference(first: str, second: str, verdict: str) -> None:
    assert judge(first, second).verdict == verdict


def test_paraphrases_need_more_than_one_sentence_frame_in_common() -> None:
    """Verb and object replaced: .86 by the bundled model in both of these, and two facts."""
    assert (
        judge(
            "The nightly importer downloads product images from the supplier bucket",
            "The nightly importer fetches product prices from the supplier bucket",
            0.86,
        ).verdict
        == "unrelated"
    )
    assert judge("这张工单转给了小汤处理", "这张工单交给了小乌处理", 0.89).verdict == "unrelated"
