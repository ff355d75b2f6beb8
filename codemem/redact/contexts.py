"""Secrets that only their surroundings give away: variables by name, a password in a sentence, a log-in with a slash."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from math import log2

from codemem.redact.numbers import Secret

VARIABLE = re.compile(
    r"""(?<![A-Za-z0-9_])(?:[A-Z][A-Z0-9]*_)+(?:KEY|PAT|KEY_BASE|CREDENTIALS?|AUTH|TOKEN|SECRET)["']?\s*(?::=|=>|[=:])\s*["']?
        (?P<value>(?:base64:)?[A-Za-z0-9+/_=.~-]{20,})""",
    re.VERBOSE,
)
"""Names of the environment, as programs and CI read them."""
NO_SECRET = re.compile(
    r"(?:PUBLIC|PUBLISHABLE|CACHE|SORT|PARTITION|PRIMARY|FOREIGN|ROUTING|IDEMPOTENCY|OBJECT|S3|STORAGE|REDIS|LOOKUP"
    r"|INDEX|HASH|SHARD|DEDUP\w*|MESSAGE|EVENT)_KEY"
)
WORD = r"password|passphrase|passcode|passwort|kennwort|contraseña|senha|mot\s+de\s+passe"
VALUE = r"[^\s\"'`,;，。；<>]{6,}"
SPOKEN = re.compile(
    rf"""(?ix)\b(?:{WORD})\s+(?:for|of|to|on|für|von|de|du|del|do|da|pour|para)\s+
          (?:[\w@.'-]+\s+){{1,5}}?(?:is|was|ist|est|es|é)\s+["'`]?(?P<told>{VALUE})
      | \b(?:{WORD})\s+["'`]?(?P<beside>{VALUE})
      | \b(?:pw|pwd|pass)\s*(?:is\s|[:=])\s*["'`]?(?P<short>{VALUE})
      | (?:비밀번호|암호)(?:는|은)?\s*[:=]?\s*(?P<korean>[!-~]{{6,}})
      | (?:密码|口令)\s*(?:已?(?:改成|改为|换成|更新为|重置为|设成|设为)了?)?\s*(?P<chinese>[!-~]{{6,}})"""
)
"""Said with what it is for, or right behind the word: there only what no word looks like is believed."""
KEY_BESIDE = re.compile(
    r"(?i)\b(?:(?:api|auth|access|secret|signing|client|bot|bearer|private|personal access|deploy)[ _-]?(?:key|token|secret)"
    r"|(?-i:PAT))\s+"
    r"[\"'`]?(?P<value>[A-Za-z0-9+/=_-]{20,})(?![\w/.])"
)
"""Handed over without a verb: "personal access token 4f…"."""
ELEMENT = re.compile(
    r"""(?ix)<(?P<tag>[\w.:-]*(?:password|passwd|secret|api-?key|token))>\s*(?P<inside>[^<>\s]{4,})\s*</(?P=tag)>
      | \b(?:name|key)\s*=\s*["'][\w.:-]*(?:password|passwd|pwd|secret|api-?key|token)["']\s+
        value\s*=\s*["'](?P<value>[^"'\s]{4,})["']"""
)
SEED_PHRASE = re.compile(
    r"(?i)\b(?:seed|recovery|mnemonic|backup|secret)\s+(?:phrase|words)\b[^\n:]{0,30}?(?:\bis\b|[:=])\s*"
    r"[\"'`]?(?P<value>(?:[a-z]{3,8}\s+){11,23}[a-z]{3,8})\b"
)
"""Twelve to twenty-four words of BIP 39."""
BESIDE_NAME = re.compile(
    r"(?i)(?:\b(?:log(?:s|ged)? ?in|sign(?:s|ed)? ?in|credentials?|creds|account|user)|登录|登陆|账号|用户名|账户)"
    r"[^\n]{0,24}?(?<![\w/.:])[\w.@-]{2,40}"
    r"\s*/\s*(?P<value>[^\s/,;，。；]{8,40})(?![\w/])"
)
"""`admin / Passw0rd!`."""
QUERY = re.compile(r"(?i)[?&](?:key|api-?key|auth|code|subscription-key)=(?P<value>[\w-]{30,})")
MARK_START = "[REDACTED"
PLACES = ("http", "/", "<", "$", "{", "[", "%", "(", "#{", "@")
"""How templates, addresses and paths begin."""
LEAST_ENTROPY = 3.2
"""Bits per character; words joined by underscores have no digits, hex of 32 has 3.4 and more."""


def in_context(text: str) -> Iterator[Secret]:
    """Find what names, sentences and addresses give away."""
    for match in VARIABLE.finditer(text):
        name = match[0][: match.start("value") - match.start()]
        if not NO_SECRET.search(name) and _is_random(match["value"].removeprefix("base64:")):
            yield Secret(*match.span("value"), "secret")
    for match in SPOKEN.finditer(text):
        group = match.lastgroup or ""
        value = match[group].rstrip(".!?") or match[group]
        if looks_chosen(value):
            yield Secret(match.start(group), match.start(group) + len(match[group].rstrip(".")), "password")
    for match in KEY_BESIDE.finditer(text):
        if _is_random(match["value"]):
            yield Secret(*match.span("value"), "secret")
    for match in ELEMENT.finditer(text):
        group = "value" if match["value"] else "inside"
        if re.search(r"\d|[!#%&*+@^~?]", match[group]) and not match[group].startswith(PLACES):
            yield Secret(*match.span(group), "password")
    for match in SEED_PHRASE.finditer(text):
        yield Secret(*match.span("value"), "seed-phrase")
    for match in BESIDE_NAME.finditer(text):
        if looks_chosen(match["value"]) and re.search(r"[^\w.-]", match["value"]):
            yield Secret(*match.span("value"), "password")
    for match in QUERY.finditer(text):
        if _is_random(match["value"]) and re.search("[A-Z]", match["value"]) and re.search("[a-z]", match["value"]):
            yield Secret(*match.span("value"), "secret")


def looks_chosen(value: str) -> bool:
    """Say whether a word is one that somebody made up as a password: letters with digits inside, or with odd signs."""
    if (
        value.startswith(("http", "/", "<", "$", "{", "[", "%", "("))
        or MARK_START in value
        or "()" in value
        or "=" in value
    ):
        return False
    letters, digits = bool(re.search(r"[^\W\d_]", value)), bool(re.search(r"\d", value))
    odd = bool(re.search(r"[!#$%&*+@^~?]", value[1:]))
    return letters and (
        (digits and (odd or not re.fullmatch(r"v?\d[\d.]*\w?|[a-z]+[-_.]?\d{1,2}", value)))
        or (odd and "@" not in value)
    )


def _is_random(value: str) -> bool:
    counts = Counter(value)
    entropy = -sum(count / len(value) * log2(count / len(value)) for count in counts.values())
    spelled = sum(
        len(part)
        for part in re.split("[_.~-]", value)
        if part.isalpha() and (part.islower() or part.isupper()) and len(part) > 2
    )
    return entropy >= LEAST_ENTROPY and any(map(str.isdigit, value)) and spelled * 2 < len(value)
