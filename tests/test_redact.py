"""Redaction: every kind of secret goes, everything that only looks like one stays."""

from __future__ import annotations

import random
import re
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codemem.redact import clean, is_empty, redact, safe
from codemem.redact.numbers import passes_luhn
from codemem.redact.secrets import patterns

ALPHANUMERIC = string.ascii_letters + string.digits


def filler(length: int, alphabet: str = ALPHANUMERIC) -> str:
    """Random-looking text that is the same in every run; secrets are put together here so that none stands in the source."""
    return "".join(random.Random(length).choices(alphabet, k=length - 1)) + "7"


HEX = "0123456789abcdef"
EXAMPLES = {
    "age-key": "AGE-SECRET-KEY-1" + filler(58, string.ascii_uppercase + string.digits),
    "airtable-token": "pa" + "t" + filler(14) + "." + filler(64, HEX),
    "anthropic-key": "sk-" + "ant-api03-" + filler(40),
    "atlassian-token": "AT" + "ATT3xFf" + filler(90),
    "authorization": "Authorization: Basic " + filler(24),
    "aws-access-key": "AK" + "IA" + filler(16, string.ascii_uppercase + string.digits),
    "azure-storage-key": "AccountKey=" + filler(86) + "==",
    "azure-client-secret": "abc" + "8Q" + "~" + filler(34),
    "bot-webhook": "https://open.feishu.cn/open-apis/bot/v2/hook/" + filler(36, HEX),
    "cloud-key-id": "LT" + "AI" + filler(20),
    "encoded-private-key": "LS0tLS1CRUdJTi" + "BSU0EgUFJJVkFURSBLRVktLS0tLQ" + filler(60),
    "password-hash": "$2" + "b$12$" + filler(53),
    "provider-token": "pp" + "lx-" + filler(48, HEX),
    "wifi-password": "WIFI:S:Office;T:WPA;P:" + "hunter2x9;",
    "seed-phrase": "seed phrase: " + " ".join(["abandon", "zoo", "wolf"] * 4),
    "bearer-token": "Bearer " + filler(40),
    "brevo-key": "xkey" + "sib-" + filler(64, HEX) + "-" + filler(16),
    "buildkite-token": "bk" + "ua_" + filler(40, HEX),
    "card-number": "4111 1111 " + "1111 1111",
    "cargo-token": "ci" + "o" + filler(32),
    "circleci-token": "CCI" + "PAT_" + filler(22) + "_" + filler(40, HEX),
    "clickup-token": "pk" + "_12345678_" + filler(32, string.ascii_uppercase + string.digits),
    "command-credentials": "curl -u admin:" + "hunter2x9 https://ci.example.test",
    "cookie": "Cookie: theme=dark; sessionid=" + filler(32),
    "databricks-token": "da" + "pi" + filler(32, HEX),
    "digitalocean-token": "dop_" + "v1_" + filler(64, HEX),
    "discord-token": "MTk4NjIyNDgz" + "NDcxOTI1MjQ4.Cl2FMQ." + filler(27),
    "discord-webhook": "https://discord.com/api/webhooks/123456/" + filler(68),
    "docker-token": "dckr_" + "pat_" + filler(27),
    "doppler-token": "dp" + ".pt." + filler(43),
    "dynatrace-token": "dt0"
    + "c01."
    + filler(24, string.ascii_uppercase + string.digits)
    + "."
    + filler(64, string.ascii_uppercase),
    "github-token": "gh" + "p_" + filler(36),
    "gitlab-token": "gl" + "pat-" + filler(20),
    "google-api-key": "AI" + "za" + filler(35),
    "google-oauth": "GOC" + "SPX-" + filler(28),
    "grafana-token": "gl" + "sa_" + filler(41),
    "heroku-key": "HR" + "KU-" + filler(36),
    "huggingface-token": "h" + "f_" + filler(34, string.ascii_letters)[:-1] + "x",
    "jwt": "ey" + "J" + filler(20) + ".eyJ" + filler(30) + "." + filler(43),
    "langsmith-key": "lsv2_" + "pt_" + filler(32, HEX) + "_" + filler(10, HEX),
    "launchdarkly-key": "sd" + "k-0f8fad5b-d9cb-469f-a165-70867728950e",
    "linear-key": "lin_" + "api_" + filler(40),
    "login-password": "docker login -u bob -p " + "hunter2x9 registry.example.test",
    "mailchimp-key": filler(32, HEX) + "-us" + "14",
    "mailgun-key": "key" + "-" + filler(32, HEX),
    "meta-token": "EA" + "ACEdEose0cBA" + filler(60),
    "mysql-password": "mysql -u root -p" + "hunter2x9 shop",
    "netrc": "machine ci.example.test login me password " + "hunter2x9",
    "newrelic-key": "NR" + "AK-" + filler(27, string.ascii_uppercase + string.digits),
    "npm-token": "np" + "m_" + filler(36),
    "nuget-key": "oy" + "2" + filler(43, string.ascii_lowercase + string.digits),
    "okta-token": "SS" + "WS 00" + filler(40),
    "openai-key": "sk-" + "proj-" + filler(48),
    "password": "password=" + "hunter2",
    "plaid-token": "access-" + "sandbox-0f8fad5b-d9cb-469f-a165-70867728950e",
    "postman-key": "PM" + "AK-" + filler(24, HEX) + "-" + filler(34, HEX),
    "private-key": "-----BEGIN RSA " + "PRIVATE KEY-----\n" + filler(64) + "\n-----END RSA " + "PRIVATE KEY-----",
    "pulumi-token": "pu" + "l-" + filler(40, HEX),
    "putty-key": "Private-Lines: 1\n" + filler(64),
    "pypi-token": "pypi-" + "AgEIcHlwaS5vcmc" + filler(60),
    "redis-password": "redis-cli -a " + "hunter2x9 ping",
    "rubygems-key": "ruby" + "gems_" + filler(48, HEX),
    "secret": "api_key: " + filler(32, HEX),
    "sendgrid-key": "SG" + "." + filler(22) + "." + filler(43),
    "shopify-token": "shp" + "at_" + filler(32, HEX),
    "signed-url": "https://x.example.test/a?sig=" + filler(43),
    "slack-token": "xox" + "b-1234567890-" + filler(24),
    "slack-webhook": "https://hooks.slack.com/services/" + "T00000000/B00000000/" + filler(24),
    "sourcegraph-token": "sg" + "p_" + filler(40, HEX),
    "square-token": "sq" + "0atp-" + filler(22),
    "sshpass-password": "sshpass -p " + "hunter2x9 ssh host",
    "stripe-key": "sk_" + "live_" + filler(24),
    "supabase-key": "sb" + "p_" + filler(40, HEX),
    "telegram-token": "123456789:" + "AA" + filler(33),
    "terraform-token": filler(14) + ".atlas" + "v1." + filler(65),
    "token": "tv" + "ly-" + filler(32),
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
    ("before", "length", "alphabet", "after"),
    [
        ("DD_APP_KEY: ", 40, HEX, ""),
        ("SECRET_KEY_BASE=", 128, HEX, ""),
        ("APP_KEY=base64:", 44, ALPHANUMERIC, ""),
        ("AZURE_DEVOPS_EXT_PAT=", 52, string.ascii_lowercase + string.digits, ""),
        ("personal access token ", 52, string.ascii_lowercase + string.digits, " for azure"),
        ("the Freshdesk API key is ", 20, ALPHANUMERIC, ""),
        ("GET https://maps.example.test/v1?key=", 39, ALPHANUMERIC, "&q=a"),
    ],
)
def test_random_values_behind_their_names_go(before: str, length: int, alphabet: str, after: str) -> None:
    value = filler(length, alphabet)
    assert value not in redact(f"{before}{value}{after}").text


@pytest.mark.parametrize(
    "text",
    [
        "The password for the demo account is §",
        "log in as root with password §",
        "pw is § don't tell",
        "user: bob pass: §",
        "登录用 admin / §，别外传",
        "root 密码改成了 §",
        "账号 test01 密码 §",
        "비밀번호는 §",
        "<password>§</password>",
        '<add key="Password" value="§"/>',
    ],
)
def test_passwords_in_sentences_and_elements_go(text: str) -> None:
    password = "Kimchi#20" + "26x"
    assert password not in redact(text.replace("§", password)).text


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
        ("PGPASSWORD=hunter2 psql shop", "PGPASSWORD=[REDACTED:password] psql shop"),
        ("DB_PASS=hunter22", "DB_PASS=[REDACTED:password]"),
        ("Das Passwort lautet Geheim123!", "Das Passwort lautet [REDACTED:password]"),
        ("mot de passe : Bonjour2024!", "mot de passe : [REDACTED:password]"),
        ("La contraseña es Perro2024!", "La contraseña es [REDACTED:password]"),
        ("Пароль — Kot2024!x", "Пароль — [REDACTED:password]"),
        ("パスワードはNeko2024!です", "パスワードは[REDACTED:password]です"),
        ("ｐａｓｓｗｏｒｄ：hunter2x!", "ｐａｓｓｗｏｒｄ：[REDACTED:password]"),
        ("the password for ci is hunter2", "the password for ci is [REDACTED:password]"),
        ("run --password hunter2 --host db", "run --password [REDACTED:password] --host db"),
        ("run --api-key a1b2c3d4e5f6g7h8 now", "run --api-key [REDACTED:secret] now"),
        ("Proxy: Basic " + "dXNlcjpwYXNzd29yZDE=", "Proxy: Basic [REDACTED:authorization]"),
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
        "the thread thread_4kX9aBc7Qe2LmN8pQr2StUv4 of call_Zq1LmN8pQr2StUv4Wx6Yz0Ab failed",
        "IBAN-like 4000 0000 0000 0000 is no card",
        "The password policy asks for 12 characters",
        "commit 9fceb02d0ae598e95dc970b74767f19372d61af8 broke it",
        "id 550e8400-e29b-41d4-a716-446655440000",
        "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "The token bucket holds 100 tokens",
        "token: the unit a tokenizer emits",
        "password = getpass()",
        "password: str = Field(min_length=8)",
        "secret = os.environ['SECRET']",
        "api_key=None",
        "apiKey: process.env.API_KEY",
        "The secret santa list is in docs/santa.md",
        "passphrase must have four words",
        "Use git tag v1.2.3-rc.1+build.5",
        "order number 4000123412341234567",
        "phone +49 170 1234567",
        "The build took 1234567890123 ns",
        "timestamp 1700000000000",
        "key-value store",
        "key-performance-indicators",
        "sk-learn is scikit-learn",
        "skeleton-screen-loading-indicator",
        "npm_config_registry is set",
        "hf_transfer is on",
        "gsk_window is a GTK name",
        "pat.example.com hosts docs",
        "https://user@example.test/repo.git",
        "git@github.com:shop/orders.git",
        "postgres://localhost:5432/shop",
        "http://[::1]:8080/health",
        "xoxo from the team",
        "AKIA is the prefix of AWS ids",
        "the JWT begins with eyJ",
        "-----BEGIN CERTIFICATE----- stays public",
        "-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----",
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFwB5WqDgPHp user@host",
        "CSRF token is checked in OrderFilter",
        "token_type=bearer",
        "access_token expires_in=3600",
        "The key is order_id, not customer_id",
        "secret: see 1Password",
        "密码策略要求 12 位",
        "口令是必填的",
        "密钥轮换每 90 天一次",
        "Passwort muss 12 Zeichen haben",
        "mot de passe oublié",
        "la contraseña es obligatoria",
        "пароль обязателен",
        "パスワードは必須です",
        "max_tokens=4096",
        "tokenizer=cl100k_base",
        "num_tokens: 12345678",
        "cache key user:1234:profile:v2",
        "sort key = created_at_desc2",
        "primary_key=order_id_2024",
        "public_key_id=ab12cd34",
        "foreign_key: customer_id_2",
        "password_hash column has 60 characters",
        "passwordless login is on",
        "basic auth is off",
        "Basic authentication was replaced",
        "Bearer tokens are verified",
        "Authorization: Bearer <token>",
        "curl -u user:$PASSWORD https://x",
        "mysql -p shop",
        "mysql -uroot -P3306",
        "ssh -p2222 host",
        "mkdir -p/tmp/x",
        "docker run -p8080:80 web",
        "credentials are in the vault",
        "Bearer of good news arrives tomorrow afternoon",
        "IBAN is DE and 20 digits",
        "SHA-1 da39a3ee5e6b4b0d3255bfef95601890afd80709",
        'ETag: "33a64df551425fcc55e4d42a148795d9f25f89d4"',
        "md5 d41d8cd98f00b204e9800998ecf8427e",
        "md5 d41d8cd98f00b204e9800998ecf8427e-us is the key of the upload part",
        "cookie: theme=dark",
        "sessionid is the cookie's name",
        "Cookie: consent=yes; lang=de",
        "signature sig=none",
        "tracking id UA-12345678-1",
        "order ABC-2024-000123",
        "The access-sandbox-environment is slow",
        "secret_santa_list_for_december_party_two",
        "fo1_region",
        "rubygems_mirror_is_slow",
        "tokens per second: 1200",
        "password strength meter is on",
        "pass 1234 tests of 1300",
        "tests_pass=1234",
        "bypass=1",
        "compass: 4711x",
        "single_pass = 2024a",
        "reset-password-token-lifetime is 3600",
        "secret/data/shop is the vault path",
        "token '{' expected",
        "The auth token lives 15 minutes",
        "use --token-file /run/secrets/token",
        "--token $TOKEN",
        "--password-stdin",
        "--password <your password>",
        "basic YAML knowledge",
        "basic dGVzdA is no pair",
        "Basic understanding",
        "sdk-linux-x86_64-2024-05-01-release",
        "AbstractSingletonProxyFactoryBeanDefinitionParserTests",
        "test_createOrderFreezesStockBeforeTheCouponIsRedeemedTwice2",
        "https://example.test/a_Xy7/bZ8cD9eF0gH1iJ2kL3mN4oP5qR6sT7",
        "assets/index-BxK3f9aZq1LmN8pQr2StUv4W.js",
        "chunk-vendors_a1B2c3D4e5F6g7H8i9J0k1L2.css",
        "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==",
        "integrity sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
        "go.sum h1:Xk8Iq1Zt2b3c4d5e6f7g8h9i0j1k2l3m4n5o6p7q8r9=",
        "docker image sha256:4bcff63911fcb4448bd4fdacec207030997caf25e9bea4045fa6c8c44de311d1",
        "trace id 4bf92f3577b34da6a3ce929d0e0e4736",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "arn:aws:iam::123456789012:role/DeployRole2024Production",
        "subnet-0bb1c79de3EXAMPLE",
        "i-0123456789abcdef0",
        "ami-0abcdef1234567890",
        "vpc_endpoint-03d5ebb7d9579a2b3",
        "K8s pod orders-7d9f8b6c5d-x2x9z",
        "pod order-service-5f4d8c7b9-abcde",
        "feature_NewCheckoutFlowWithCouponsV2IsEnabled",
        "ERR_OSSL_EVP_UNSUPPORTED",
        "E_USER_DEPRECATED_2024",
        "RFC2616_section_14",
        "UTF8_to_ISO88591Converter",
        "base64_ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
        "le mot de passe est requis",
        "Das Passwort ist abgelaufen",
        "пароль это строка",
        "密码是必填字段",
        "パスワードは12文字以上です",
        "Passwort: mindestens 12 Zeichen",
        "senha é obrigatória",
        "Cookie: _ga=GA1.2.1234567890.1234567890",
        "cookie: session=short",
        "curl -u $USER:$PASS https://x",
        "curl -u user https://x",
        "curl -u user: https://x",
        "mysql -P3307 -u app",
        "mysql -hdb -uapp -p",
        "NRAK is New Relic's prefix",
        "EAA is the European Accessibility Act",
        "pathToTheFileThatHoldsAllTheOrders2024AndMore",
        "key-0123 is a label",
        "ATATA",
        "sq0 something",
        "machine learning login flow password rules",
        "machine x login y password reset",
        "the password for the staging database is stored in Vault",
        "the password for the wiki is required to be 12 characters",
        "password hashing uses argon2id",
        "log in with password or passkey",
        "credentials / permissions are separate",
        "log in to dev/staging",
        "登录 / 注册页面",
        "用户名 / 邮箱都可以登录",
        "CACHE_KEY=user:42:profile:v2:settings",
        "SORT_KEY=created_at_desc_id_asc_v2",
        "HEADER_AUTH=required_for_all_v2_endpoints",
        "https://x.example.test/docs?key=authentication-and-authorization-guide",
        "pass: 12, fail: 3",
        "the API key is read from the environment",
        "密码改成了必填",
        "<token>string</token>",
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
        "curl ",
        "mysql x ",
        "docker login ",
        "Cookie: a; ",
        "aPasswor",
        "a_",
        " ab-cdefgh",
        "machine a login b ",
        "Private-Lines: 1\n",
        "Basic abcdefgh ",
    ],
)
def test_long_texts_cost_linear_time(piece: str) -> None:
    text = piece * (200_000 // len(piece))
    assert len(redact(clean(text)).text) > 0
