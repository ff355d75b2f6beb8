"""Find secrets by form and by context, and replace them with `[REDACTED:kind]`.

By form: the table `patterns.toml`. By context: a value after `password=` and its like, the AWS secret beside its id.
By check digits: payment cards and bank accounts.
Hashes, UUIDs, embedded images and ordinary words about security stay as they are.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

from codemem.redact.clean import clean

MARK = "[REDACTED:{}]"
PASSWORD_WORDS = "password|passwd|passphrase|pwd|passcode|密码|口令"
KEY_WORDS = (
    "secret|token|api[_-]?key|apikey|access[_-]?key(?:[_-]?id)?|secret[_-]?key|client[_-]?secret|private[_-]?key|auth[_-]?key|credential|credentials"
    "|密钥|令牌|秘钥"
)
ASSIGNMENT = re.compile(
    rf"""(?:(?<![A-Za-z0-9])|(?-i:(?<=[a-z])(?=[A-Z])))(?:(?P<password>{PASSWORD_WORDS})|(?:{KEY_WORDS}))["']?
         (?P<operator>\s*(?:=>|:=|[=:：＝])\s*|\s+(?:is|was)\s+|\s*[是为]\s*)
         (?P<quote>["'`]?)(?P<value>[^\s"'`,;，；。<>()\[\]{{}}]+)""",
    re.VERBOSE | re.IGNORECASE,
)
QUOTED = re.compile(
    rf"""(?:(?<![A-Za-z0-9])|(?-i:(?<=[a-z])(?=[A-Z])))(?:(?P<password>{PASSWORD_WORDS})|(?:{KEY_WORDS}))["']?
         \s*(?:=>|:=|[=:：＝])\s*(?P<quote>["'`])(?P<value>(?:(?!(?P=quote))[^\n]){{4,200}})(?P=quote)""",
    re.VERBOSE | re.IGNORECASE,
)
"""A quoted value ends at its quote, not at the first bracket or blank."""
COMPUTED = re.compile(r"[<{$/]|https?://|[A-Za-z_][\w.]*(?:\(.*\)|\[.*\])\Z", re.IGNORECASE)
"""Quoted templates, addresses, paths, and calls."""
TALK = re.compile(
    r"(?i:the|an?|is|are|be|must|should|may|not|no|your|my|our|of|for|to|in|on|at|with|and|or|if|as|by|from|this|that|it|least|"
    r"passwords?|passphrases?|characters?|letters?|digits?|reset|change|confirm|enter|forgot(?:ten)?|new|old|current|minimum|"
    r"required|invalid|wrong|expired|strong|weak|users?|login|account|field)"
)
"""Words of a label or a rule about passwords; a passphrase of dice words has none of them."""
SHORTEST_PASSPHRASE = 4
"""Words; fewer are labels more often than secrets."""
PLACEHOLDER = re.compile(
    r"\$.*|%.*%?|\*+|x{3,}|\.{3,}|…|-+|null|none|nil|true|false|undefined|required|optional|string|str|text|int|bytes|bool|any|changeme|"
    r"your[_-]?\w*|my[_-]?\w*|example\w*|placeholder|redacted|hidden|masked|empty|todo|missing|invalid|expired|wrong|correct|not|a|an|the|in|stored|kept|"
    r"rotated|needed|set|unset|valid|mandatory|encrypted|hashed",
    re.IGNORECASE,
)
"""Values that say "a secret goes here" or talk about one."""
SHORTEST_PASSWORD = 4
SHORTEST_KEY = 8
KEY_ENTROPY = 2.8
"""Bits per character; random hex has 3.4 and more at 16 characters, English words mostly less than 2.8 at this length."""
CARD = re.compile(r"(?<![\w.+/=-])(?:\d[ -]?){12,18}\d(?![\w+/=-]|\.\d)")
CARD_ISSUERS = re.compile(
    r"4(?:\d{12}|\d{15}|\d{18})|(?:5[1-5]\d{2}|222[1-9]|22[3-9]\d|2[3-6]\d{2}|27[01]\d|2720)\d{12}|3[47]\d{13}"
    r"|6(?:011|5\d{2}|4[4-9]\d)\d{12}|62\d{14,17}|35(?:2[89]|[3-8]\d)\d{12}|3(?:0[0-5]|[68]\d)\d{11}"
)
"""Number ranges by issuer (ISO/IEC 7812): Visa, Mastercard, American Express, Discover, UnionPay, JCB, Diners."""
AWS_SECRET = re.compile(
    r"(?<![\w+/=])(?=[a-zA-Z0-9+/]*[a-z])(?=[a-zA-Z0-9+/]*[A-Z])(?=[a-zA-Z0-9+/]*\d)[A-Za-z0-9+/]{40}(?![\w+/=])"
)
"""40 characters of base64; a SHA-1 has as many, but no mixed case. Believed only near an access key id."""
AWS_ID_KIND = "aws-access-key"
NEAR_ITS_ID = 200
"""Characters between an AWS id and its secret: a few lines of a credentials file."""
IBAN_START = re.compile(r"(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?= ?[A-Z0-9]{4})")
IBAN_LENGTHS = {
    country[:2]: int(country[2:])
    for country in (
        "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 EE20 EG29 ES24 FI18 FO18 "
        "FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LI21 LT20 LU20 LV21 MC27 "
        "MD24 ME22 MK19 MR27 MT31 MU30 NL18 NO15 PK24 PL28 PS29 PT25 QA29 RO24 RS22 SA24 SE24 SI19 SK24 SM27 TN24 TR26 UA29 "
        "VG24 XK20"
    ).split()
}
"""Length of an account number by country (ISO 13616, IBAN registry)."""
EMBEDDED_DATA = re.compile(r"data:[\w.+-]+/[\w.+-]+;base64,[A-Za-z0-9+/=\s]*")


class Redacted(NamedTuple):
    """A text without its secrets, and which kinds were found, in order, each once."""

    text: str
    kinds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Pattern:
    kind: str
    expression: re.Pattern[str]
    source: str


class Secret(NamedTuple):
    """Where a secret stands."""

    start: int
    end: int
    kind: str


@cache
def patterns() -> tuple[Pattern, ...]:
    """Read the table of forms."""
    import tomllib

    table = tomllib.loads(Path(__file__).with_name("patterns.toml").read_text("utf-8"))
    return tuple(Pattern(row["kind"], re.compile(row["expression"]), row["source"]) for row in table["pattern"])


def safe(text: str) -> Redacted:
    """Clean, then redact: what every text passes through before it is stored."""
    return redact(clean(text))


def redact(text: str) -> Redacted:
    """Replace every secret in `text`; applying it twice changes nothing more."""
    pieces: list[str] = []
    kinds: list[str] = []
    position = 0
    for secret in find_secrets(text):
        pieces.extend((text[position : secret.start], MARK.format(secret.kind)))
        kinds.append(secret.kind)
        position = secret.end
    return Redacted("".join((*pieces, text[position:])), tuple(dict.fromkeys(kinds)))


def find_secrets(text: str) -> list[Secret]:
    """Return the secrets in order of place, without overlaps; of two that overlap the earlier, then the longer, counts."""
    images = [match.span() for match in EMBEDDED_DATA.finditer(text)]
    formed = list(_by_form(text))
    others = (*_by_name(text), *_quoted(text), *_beside_ids(text, formed), *_cards(text), *_accounts(text))
    found = sorted((*formed, *others), key=lambda secret: (secret.start, -secret.end))
    result: list[Secret] = []
    for secret in found:
        embedded = any(start <= secret.start < end for start, end in images)
        if not embedded and (not result or secret.start >= result[-1].end):
            result.append(secret)
    return result


def _by_form(text: str) -> Iterator[Secret]:
    for pattern in patterns():
        for match in pattern.expression.finditer(text):
            group = "secret" if "secret" in pattern.expression.groupindex else 0
            if match[group] and "[REDACTED:" not in match[group]:
                yield Secret(*match.span(group), pattern.kind)


def _by_name(text: str) -> Iterator[Secret]:
    for match in ASSIGNMENT.finditer(text):
        kind = "password" if match["password"] else "secret"
        if _is_secret_value(match, text[match.end() : match.end() + 1]):
            yield Secret(*match.span("value"), kind)


def _is_secret_value(match: re.Match[str], following: str) -> bool:
    """Tell a secret from a placeholder, a type, a word about secrets, and code that computes one."""
    value, assigned = match["value"], match["operator"].strip() in ("=", ":=", "=>", "＝")
    if (
        PLACEHOLDER.fullmatch(value.rstrip("."))
        or following in ("(", "[")
        or value.startswith(("http://", "https://", "/"))
    ):
        return False
    if (
        not match["quote"]
        and re.fullmatch(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+", value)
        and not any(map(str.isdigit, value))
    ):
        return False  # config.password, os.environ: a place, not a value
    mixed = any(map(str.isdigit, value)) or any(
        not character.isalnum() and character not in "_.-" for character in value
    )
    if match["password"]:
        tight = assigned and not re.search(r"\s", match["operator"])
        whole = bool(match["quote"]) and following not in (" ", "\t")  # what holds blanks is for `_quoted` to judge
        return len(value) >= SHORTEST_PASSWORD and (mixed or tight or whole)
    return _is_key(value)


def _is_key(value: str) -> bool:
    return len(value) >= SHORTEST_KEY and entropy(value) >= KEY_ENTROPY and any(map(str.isdigit, value))


def _quoted(text: str) -> Iterator[Secret]:
    """Find quoted values that hold blanks or brackets."""
    for match in QUOTED.finditer(text):
        value = match["value"]
        if COMPUTED.match(value) or PLACEHOLDER.fullmatch(value.rstrip(".")) or MARK[:10] in value:
            continue
        words = value.split()
        if match["password"] and (len(words) == 1 or _is_passphrase(words)):
            yield Secret(*match.span("value"), "password")
        elif not match["password"] and len(words) == 1 and _is_key(value):
            yield Secret(*match.span("value"), "secret")


def _is_passphrase(words: list[str]) -> bool:
    """Tell a passphrase from a label: enough words, all in lower case, none that talks about passwords."""
    plain = [word for word in words if re.fullmatch(r"[^\W_A-Z]+", word) and not TALK.fullmatch(word)]
    return len(plain) == len(words) >= SHORTEST_PASSPHRASE


def _beside_ids(text: str, formed: list[Secret]) -> Iterator[Secret]:
    """Find the secrets that belong to AWS access key ids."""
    ids = [secret for secret in formed if secret.kind == AWS_ID_KIND]
    for match in AWS_SECRET.finditer(text) if ids else ():
        if any(max(one.start - match.end(), match.start() - one.end) <= NEAR_ITS_ID for one in ids):
            yield Secret(*match.span(), "aws-secret-key")


def entropy(text: str) -> float:
    """Return the Shannon entropy of the characters, in bits per character."""
    counts = Counter(text)
    return -sum(count / len(text) * math.log2(count / len(text)) for count in counts.values())


def _cards(text: str) -> Iterator[Secret]:
    for match in CARD.finditer(text):
        digits = re.sub(r"[ -]", "", match[0])
        if CARD_ISSUERS.fullmatch(digits) and passes_luhn(digits):
            yield Secret(*match.span(), "card-number")


def passes_luhn(digits: str) -> bool:
    """Check the last digit by the Luhn formula (ISO/IEC 7812-1, annex B)."""
    total = 0
    for place, digit in enumerate(reversed(digits)):
        doubled = int(digit) * 2 if place % 2 else int(digit)
        total += doubled - 9 if doubled > 9 else doubled
    return total % 10 == 0


def _accounts(text: str) -> Iterator[Secret]:
    """Find international bank account numbers, written together or in groups."""
    for match in IBAN_START.finditer(text):
        wanted = IBAN_LENGTHS.get(match[0][:2], 0)
        number = re.compile(rf"(?:[A-Z0-9] ?){{{max(wanted - 1, 0)}}}[A-Z0-9](?![A-Za-z0-9])").match(
            text, match.start()
        )
        if wanted and number and passes_97(number[0].replace(" ", "")):
            yield Secret(*number.span(), "iban")


def passes_97(account: str) -> bool:
    """Check the two digits after the country by remainder (ISO 7064, MOD 97-10)."""
    return int("".join(str(int(character, 36)) for character in account[4:] + account[:4])) % 97 == 1
