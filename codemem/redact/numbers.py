"""Numbers that check themselves: payment cards and bank accounts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

CARD = re.compile(r"(?<![\w.+/=-])(?:\d[ -]?){12,18}\d(?![\w+/=-]|\.\d)")
CARD_ISSUERS = re.compile(
    r"4(?:\d{12}|\d{15}|\d{18})|(?:5[1-5]\d{2}|222[1-9]|22[3-9]\d|2[3-6]\d{2}|27[01]\d|2720)\d{12}|3[47]\d{13}"
    r"|6(?:011|5\d{2}|4[4-9]\d)\d{12}|62\d{14,17}|35(?:2[89]|[3-8]\d)\d{12}|3(?:0[0-5]|[68]\d)\d{11}"
)
"""Number ranges by issuer (ISO/IEC 7812): Visa, Mastercard, American Express, Discover, UnionPay, JCB, Diners."""
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


class Secret(NamedTuple):
    """Where a secret stands."""

    start: int
    end: int
    kind: str


def cards(text: str) -> Iterator[Secret]:
    """Find payment card numbers."""
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


def accounts(text: str) -> Iterator[Secret]:
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
