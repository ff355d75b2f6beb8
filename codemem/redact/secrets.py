"""Find secrets by form and by context, and replace them with `[REDACTED:kind]`.

By form: the table `patterns.toml`. By context: a value after `password=` and its like, and payment card numbers.
Hashes, UUIDs, embedded images and ordinary words about security stay as they are.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
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
    table = tomllib.loads(files("codemem.redact").joinpath("patterns.toml").read_text("utf-8"))
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
    found = sorted((*_by_form(text), *_by_name(text), *_cards(text)), key=lambda secret: (secret.start, -secret.end))
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
        return len(value) >= SHORTEST_PASSWORD and (mixed or tight or bool(match["quote"]))
    return len(value) >= SHORTEST_KEY and entropy(value) >= KEY_ENTROPY and any(map(str.isdigit, value))


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
