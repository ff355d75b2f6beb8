"""Redaction: every kind of secret goes, everything that only looks like one stays."""

from __future__ import annotations

import random
import re
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codemem.redact import clean, is_empty, redact, safe
from codemem.redact.secrets import passes_luhn, patterns

ALPHANUMERIC = string.ascii_letters + string.digits


def filler(length: int, alphabet: str = ALPHANUMERIC) -> str:
    """Random-looking text that is the same in every run; secrets are put together here so that none stands in the source."""
    return "".join(random.Random(length).choices(alphabet, k=length - 1)) + "7"


HEX = "0123456789abcdef"
EXAMPLES = {
    "age-key": "AGE-SECRET-KEY-1" + filler(58, string.ascii_uppercase + string.digits),
    "anthropic-key": "sk-" + "ant-api03-" + filler(40),
    "authorization": "Authorization: Basic " + filler(24),
    "aws-access-key": "AK" + "IA" + filler(16, string.ascii_uppercase + string.digits),
    "azure-storage-key": "AccountKey=" + filler(86) + "==",
    "bearer-token": "Bearer " + filler(40),
    "card-number": "4111 1111 " + "1111 1111",
    "databricks-token": "da" + "pi" + filler(32, HEX),
    "digitalocean-token": "dop_" + "v1_" + filler(64, HEX),
    "discord-webhook": "https://discord.com/api/webhooks/123456/" + filler(68),
    "github-token": "gh" + "p_" + filler(36),
    "gitlab-token": "gl" + "pat-" + filler(20),
    "google-api-key": "AI" + "za" + filler(35),
    "google-oauth": "GOC" + "SPX-" + filler(28),
    "grafana-token": "gl" + "sa_" + filler(41),
    "huggingface-token": "h" + "f_" + filler(34, string.ascii_letters)[:-1] + "x",
    "jwt": "ey" + "J" + filler(20) + ".eyJ" + filler(30) + "." + filler(43),
    "linear-key": "lin_" + "api_" + filler(40),
    "npm-token": "np" + "m_" + filler(36),
    "openai-key": "sk-" + "proj-" + filler(48),
    "password": "password=" + "hunter2",
    "private-key": "-----BEGIN RSA " + "PRIVATE KEY-----\n" + filler(64) + "\n-----END RSA " + "PRIVATE KEY-----",
    "pypi-token": "pypi-" + "AgEIcHlwaS5vcmc" + filler(60),
    "secret": "api_key: " + filler(32, HEX),
    "sendgrid-key": "SG" + "." + filler(22) + "." + filler(43),
    "shopify-token": "shp" + "at_" + filler(32, HEX),
    "slack-token": "xox" + "b-1234567890-" + filler(24),
    "slack-webhook": "https://hooks.slack.com/services/" + "T00000000/B00000000/" + filler(24),
    "stripe-key": "sk_" + "live_" + filler(24),
    "telegram-token": "123456789:" + "AA" + filler(33),
    "twilio-key": "S" + "K" + filler(32, HEX),
    "url-credentials": "postgres://" + "shop:s3cr3t@db.internal/orders",
    "vault-token": "hv" + "s." + filler(28),
}


AWS_SECRET = "wJalr/" + filler(34)


def test_every_kind_in_the_table_has_an_example_and_a_source() -> None:
    kinds = [pattern.kind for pattern in patterns()]
    assert kinds == sorted(set(kinds))
    assert set(kinds) <= set(EXAMPLES)
    assert all(pattern.source for pattern in patterns())


@pytest.mark.parametrize("kind", sorted(EXAMPLES))
def test_a_secret_is_replaced_wherever_it_stands(kind: str) -> None:
    secret = EXAMPLES[kind]
    for text in (secret, f"use {secret} in staging", f"密钥在这里：{secret}。", f"first\n{secret}\nlast"):
        redacted = redact(text)
        assert redacted.kinds == (kind,), text
        assert f"[REDACTED:{kind}]" in redacted.text
        assert redact(redacted.text) == (redacted.text, ())
        longest = max(re.findall(r"[A-Za-z0-9]+", secret), key=len)
        assert len(longest) < 12 or longest not in redacted.text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("DB_PASSWORD=hunter2 make run", "DB_PASSWORD=[REDACTED:password] make run"),
        ('{"password": "tr0ub4dor&3"}', '{"password": "[REDACTED:password]"}'),
        ("the password is hunter2", "the password is [REDACTED:password]"),
        ("数据库密码是 hunter2", "数据库密码是 [REDACTED:password]"),
        ("密码：abc12345", "密码：[REDACTED:password]"),
        ("git clone https://me:tok3n@host.test/x.git", "git clone https://[REDACTED:url-credentials]@host.test/x.git"),
        (
            "dbPassword=hunter2 and accessToken: a1b2c3d4e5f6g7",
            "dbPassword=[REDACTED:password] and accessToken: [REDACTED:secret]",
        ),
        ("client_secret='9f8b7c6d5e4f3a2b1c0d'", "client_secret='[REDACTED:secret]'"),
        ("SECRET_KEY='django-abc123xyz789!@#$%^&*()'", "SECRET_KEY='[REDACTED:secret]'"),
        ('password: "correct horse battery staple"', 'password: "[REDACTED:password]"'),
        ("{'passphrase': 'correct horse battery staple'}", "{'passphrase': '[REDACTED:password]'}"),
        ('password = "a(b)c{d}9"', 'password = "[REDACTED:password]"'),
        (EXAMPLES["aws-access-key"] + "\n" + AWS_SECRET, "[REDACTED:aws-access-key]\n[REDACTED:aws-secret-key]"),
        (
            f"{AWS_SECRET} is of {EXAMPLES['aws-access-key']}",
            "[REDACTED:aws-secret-key] is of [REDACTED:aws-access-key]",
        ),
        ("pay DE89 3704 " + "0044 0532 0130 00 OK", "pay [REDACTED:iban] OK"),
        ("GB82WEST" + "12345698765432.", "[REDACTED:iban]."),
        ("-----BEGIN OPENSSH " + "PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEA", "[REDACTED:private-key]"),
    ],
)
def test_redacts_to(text: str, expected: str) -> None:
    assert redact(text).text == expected


@pytest.mark.parametrize(
    "text",
    [
        "fixed in 2fd4e1c67a2d28fced849ee1bb76e7391b93eb12",
        "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "order 123e4567-e89b-12d3-a456-426614174000 failed",
        "we use a token bucket for rate limiting",
        "the password policy asks for 12 characters",
        "password: required",
        "password is stored hashed",
        "the secret is kept in the vault",
        "max_tokens=4096 and token_count=12345678",
        "token = tokenizer.encode(text)",
        "token: str = None",
        "password = config.password",
        "api_key = os.environ['API_KEY']",
        "export TOKEN=$GITHUB_TOKEN",
        "password=<your password>",
        "password=******",
        "secret=placeholder",
        "![logo](data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4)",
        "timestamp 1700000000000 and id 1234567890123456",
        "snowflake 1194567890123456789",
        "version 1.2.3-rc.4+build.20261130",
        "http://localhost:8080/path@v2",
        "mail me at someone@example.test",
        "sk-learn is a library; risk-assessment-of-the-whole-company-process",
        "from sk-something import x",
        "Bearer of bad news and of many long unusual words",
        "认证令牌桶算法，密码策略要求至少 12 位",
        "ISBN 978-3-16-148410-0",
        "npm_config_registry and hf_hub_download",
        "password = get_password()",
        "password = 'get_password()'",
        "token: 'next_token(2, \"a\")'",
        'password: "must be 12 characters"',
        '"password": "the password of the user"',
        '"password": "Forgotten Password Reset Link"',
        "password: 'New password'",
        'secret = "{{ vault.secret1234 }}"',
        "the tarball 2fd4e1c67a2d28fced849ee1bb76e7391b93eb12",
        AWS_SECRET + " alone could be anything",
        "DE00 3704 0044 0532 0130 00 has wrong check digits",
        "GB82WEST1234569876543 is too short and XX82WEST12345698765432 of no country",
        "FROM01 SE24 AT20 are words",
        "eyJust a word",
        "IBAN-like 4000 0000 0000 0000 is no card",
    ],
)
def test_ordinary_text_stays(text: str) -> None:
    assert redact(text) == (text, ())


def test_luhn() -> None:
    assert passes_luhn("4111111111111111")
    assert not passes_luhn("4111111111111112")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("  a\r\nb\rc  ", "a\nb\nc"),
        ("e\u0301", "é"),
        ("\x1b[31mred\x1b[0m \x1b]0;title\x07ok", "red ok"),
        ("a\u200bb\x00c\ufeff", "abc"),
        ("\u202eevil\u202c", "evil"),
        ("👩\u200d💻 codes", "👩\u200d💻 codes"),
        ("tab\tstays", "tab\tstays"),
        ("a\u200db", "ab"),
    ],
)
def test_cleans_to(text: str, expected: str) -> None:
    assert clean(text) == expected


@pytest.mark.parametrize(
    ("text", "empty"),
    [
        ("", True),
        (" \n\t", True),
        ("...!?", True),
        ("——，。", True),
        ("\u200b", True),
        ("a", False),
        ("用", False),
        ("7", False),
        ("👍", False),
    ],
)
def test_empty(text: str, empty: bool) -> None:
    assert is_empty(clean(text)) is empty


@given(st.text(max_size=300))
def test_cleaning_and_redacting_twice_changes_nothing(text: str) -> None:
    once = safe(text).text
    assert safe(once).text == once


@pytest.mark.parametrize(
    "piece",
    [
        "x",
        "a.b_",
        "password ",
        "password=",
        "1",
        "1 ",
        "://a:",
        "eyJ",
        "sk-",
        "Bearer ",
        "[REDACTED:",
        "data:a/b;base64,A",
    ],
)
def test_long_texts_cost_linear_time(piece: str) -> None:
    text = piece * (200_000 // len(piece))
    assert len(redact(clean(text)).text) > 0
