"""Find secrets by form and by context, and replace them with `[REDACTED:kind]`.

By form: the table `patterns.toml`. By context: a value after `password=` and its like, the AWS secret beside its id.
By check digits: payment cards and bank accounts.
Hashes, UUIDs, embedded images and ordinary words about security stay as they are.
"""

from __future__ import annotations

import math
import re
from base64 import b64decode
from binascii import Error as BinasciiError
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from codemem.redact.clean import clean
from codemem.redact.contexts import in_context
from codemem.redact.numbers import Secret, accounts, cards

MARK = "[REDACTED:{}]"
PASSWORD_WORDS = (
    r"\w{0,30}password|\w{0,30}passwd|\w{0,30}passphrase|pwd|passcode|(?-i:(?<=_)PASS)|(?:db|database|user|admin|root|smtp|mail|ftp|ssh|redis|mysql|pg|http|proxy|login)_?pass|密码|口令|パスワード|暗証番号|비밀번호|пароль|passwort|kennwort"
    r"|mot\s+de\s+passe|contraseña|senha|wachtwoord|hasło"
)
KEY_WORDS = (
    "secret|token|api[ _-]?key|apikey|access[ _-]?key(?:[_-]?id)?|secret[ _-]?key|client[ _-]?secret|private[ _-]?key|auth[ _-]?key"
    r"|(?:signing|encryption|server|admin|webhook)[ _-]?key|credential|credentials"
    "|密钥|令牌|秘钥"
)
ASSIGNMENT = re.compile(
    rf"""(?:(?<![A-Za-z0-9])|(?-i:(?<=[a-z])(?=[A-Z])))(?:(?P<password>{PASSWORD_WORDS})|(?:{KEY_WORDS}))["']?
         (?:\s+(?:for|of)\s+[\w@.-]+)?
         (?P<operator>\s*(?:=>|:=|[=:：＝])\s*|\s+(?:is|was|ist|lautet|est|es|é|это|[—–])\s+|\s*[是为は]\s*)
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
FLAG = re.compile(
    r"""(?<!\w)--(?:(?P<password>[a-z-]*(?:password|passwd|passphrase))|[a-z-]*(?:token|secret|api-?key|access-?key|private-?key))
        [ ](?P<quote>["']?)(?P<value>[^\s"']+)""",
    re.VERBOSE,
)
"""An option of a command line with its value in the next word."""
BASIC = re.compile(r"(?i)(?:\bbasic\s+|[\"']auth[\"']\s*:\s*[\"'])(?P<value>[A-Za-z0-9+/]{8,}={0,2})(?![\w+/=])")
"""RFC 7617; believed where it decodes to `name:password`."""
IDENTIFIERS = (
    "acct|asst|batch|call|card|ch|chatcmpl|cmpl|commit|conv|cus|doc|evt|file|gen|id|img|in|inv|item|job|msg|obj|order|org|pi|pk|pm|price|"
    "prod|proj|req|resp|run|sess|session|seti|si|span|step|sub|task|thread|toolu|trace|txn|user|usr|vs"
)
"""Short names before random letters that say which thing is meant, and open nothing."""
PREFIXED = re.compile(
    rf"(?<![\w./+=-])(?!(?:{IDENTIFIERS})[_-])[A-Za-z][A-Za-z0-9]{{1,11}}[_-](?P<rest>[A-Za-z0-9_-]{{24,}})(?![\w/+=-]|\.\w|\()"
)
"""What issuers hand out: a short name, then a long run of random letters and digits of both cases."""
RANDOM_ENTROPY = 3.8
"""Bits per character of 24 and more random ones; words joined in camel case have as much, but few digits and long runs."""
LONGEST_RUNS = 2.2
"""Characters per run of one class (upper, lower, digits): random base 62 has 1.6, words in camel case 2.5 and more."""
AWS_SECRET = re.compile(
    r"(?<![\w+/=])(?=[a-zA-Z0-9+/]*[a-z])(?=[a-zA-Z0-9+/]*[A-Z])(?=[a-zA-Z0-9+/]*\d)[A-Za-z0-9+/]{40}(?![\w+/=])"
)
"""40 characters of base64; a SHA-1 has as many, but no mixed case. Believed only near an access key id."""
AWS_ID_KIND = "aws-access-key"
NEAR_ITS_ID = 200
"""Characters between an AWS id and its secret: a few lines of a credentials file."""
NARROW = {wide: wide - 0xFEE0 for wide in range(0xFF01, 0xFF5F) if chr(wide - 0xFEE0).isalnum()}
"""Full-width letters and digits, as East Asian keyboards give them, to those of ASCII."""
SPOKEN = ("是", "为", "は")
ASCII_RUN = re.compile(r"[!-~]+")
"""What a sentence without blanks says of a password ends where its own script goes on."""
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
    text = text.translate(NARROW)  # places stay: one character for one
    images = [match.span() for match in EMBEDDED_DATA.finditer(text)]
    formed = list(_by_form(text))
    others = (
        *_by_name(text),
        *_quoted(text),
        *_by_flag(text),
        *_basic(text),
        *_prefixed(text),
        *_beside_ids(text, formed),
        *in_context(text),
        *cards(text),
        *accounts(text),
    )
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
        start, end = match.span("value")
        if match["operator"].strip() in SPOKEN:
            run = ASCII_RUN.match(match["value"])
            if run is None or (end := start + run.end()) - start < SHORTEST_PASSWORD:
                continue
        if _is_secret_value(match, text[match.end() : match.end() + 1]):
            yield Secret(start, end, kind)


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


def _by_flag(text: str) -> Iterator[Secret]:
    """Find secrets handed to a command, `--token VALUE`."""
    for match in FLAG.finditer(text):
        value = match["value"]
        if PLACEHOLDER.fullmatch(value) or value[0] in "-<{$[/":
            continue
        password = match["password"] and len(value) >= SHORTEST_PASSWORD and any(map(str.isdigit, value))
        if password or (not match["password"] and _is_key(value)):
            yield Secret(*match.span("value"), "password" if password else "secret")


def _basic(text: str) -> Iterator[Secret]:
    for match in BASIC.finditer(text):
        value = match["value"]
        try:
            said = b64decode(value + "=" * (-len(value) % 4), validate=True).decode("utf-8")
        except (BinasciiError, UnicodeDecodeError):
            continue
        if ":" in said and said.isprintable():
            yield Secret(*match.span("value"), "authorization")


def _prefixed(text: str) -> Iterator[Secret]:
    """Find tokens of issuers that the table of forms does not name."""
    for match in PREFIXED.finditer(text):
        rest = re.sub("[_-]", "", match["rest"])
        classes = [(character.isdigit(), character.isupper()) for character in rest]
        runs = 1 + sum(before != after for before, after in pairwise(classes))
        if len(set(classes)) == 3 and len(rest) / runs <= LONGEST_RUNS and entropy(rest) >= RANDOM_ENTROPY:
            yield Secret(*match.span(), "token")


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
