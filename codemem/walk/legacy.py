"""Decode text that is no UTF-8: by the encoding that it declares, by the shape of its bytes, else as Latin-1.

Bytes tell more than nothing: accents of Latin-1 stand alone between ASCII letters, Chinese and Korean characters are pairs of
high bytes, Cyrillic words are runs of them. Only what is plain is decided; symbols are ASCII and found in any case.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeVar

Item = TypeVar("Item")
DECLARED = re.compile(rb"coding[:=]\s*[\"']?([A-Za-z][\w.-]{2,30})")
DECLARED_HEAD = 400
"""Bytes from the beginning where editors, Python, Ruby, XML and CSS look for a declaration (`coding` ends `encoding`)."""
TRUSTED = re.compile(
    r"(?:gb(?:2312|k|18030)|big5(?:hkscs)?|euc_?(?:jp|kr)|shift_?jis\w*|s_?jis|cp\d{3,4}|windows_?\d{4}|iso_?8859_?\d{1,2}"
    r"|koi8_?[ru]|latin_?\d{1,2}|mac_?roman|tis_?620)"
)
"""Encodings of text; codecs of Python that are something else (`idna`, `rot13`) are left alone."""
SAMPLE = 1 << 16
"""Bytes looked at."""
HIGH_RUN = re.compile(rb"[\x80-\xff]+")
MOST = 0.9
"""Share of runs or characters that must have the shape."""
LEAST_PAIRS = 4
"""Characters below which two accents beside each other could be one Chinese character."""
CHINESE_LEADS, KOREAN_LEADS, KANA_LEADS = range(0xB0, 0xD8), range(0xB0, 0xC9), (0xA4, 0xA5)
"""First bytes of the 3,755 common Chinese characters, of Korean syllables (a part of those), of Japanese kana."""
KANA_SHARE = 0.2
SHIFTED_KANA = re.compile(rb"(?:\x82[\x9f-\xf1]){2,}|(?:\x83[\x40-\x96]){3,}")
CYRILLIC_RUN = 2.5
"""Mean length of runs: words have five letters, accents one."""
CYRILLIC = ("cp1251", "koi8_r", "cp866")


def decode_legacy(data: bytes) -> str:
    """Return the text of bytes that are no UTF-8."""
    for encoding in (_declared(data), _guessed(data[:SAMPLE])):
        if encoding:
            try:
                return data.decode(encoding)
            except (UnicodeDecodeError, LookupError):
                continue
    return data.decode("latin-1")


def _declared(data: bytes) -> str:
    found = DECLARED.search(data[:DECLARED_HEAD])
    name = found.group(1).decode("ascii").lower().replace("-", "_") if found else ""
    return name if TRUSTED.fullmatch(name) else ""


def _guessed(sample: bytes) -> str:
    runs = HIGH_RUN.findall(sample)
    if not runs:
        return ""
    if SHIFTED_KANA.search(sample) and _share(runs, lambda run: len(run) % 2 == 0) < MOST:
        return "cp932"
    if _share(runs, lambda run: len(run) % 2 == 0) >= MOST:
        return _of_pairs([run[at] for run in runs if len(run) % 2 == 0 for at in range(0, len(run), 2)])
    if sum(map(len, runs)) / len(runs) >= CYRILLIC_RUN:
        best = max(CYRILLIC, key=lambda encoding: _small_cyrillic(runs, encoding))
        return best if _small_cyrillic(runs, best) >= MOST - 0.2 else ""
    return ""


def _of_pairs(leads: list[int]) -> str:
    """Name the encoding of two-byte characters by their first bytes."""
    if len(leads) < LEAST_PAIRS:
        return ""
    if _share(leads, lambda lead: lead in KANA_LEADS) >= KANA_SHARE:
        return "euc_jp"
    if _share(leads, lambda lead: lead in KOREAN_LEADS) >= MOST + 0.05:
        return "cp949"
    punctuation = (0xA1, 0xA3)  # its own row, and full-width letters
    return "gb18030" if _share(leads, lambda lead: lead in CHINESE_LEADS or lead in punctuation) >= MOST - 0.1 else ""


def _small_cyrillic(runs: list[bytes], encoding: str) -> float:
    """Return the share of small Russian letters: in the wrong encoding words are in capitals, or no words."""
    text = b"".join(runs).decode(encoding, "replace")
    return sum("а" <= letter <= "я" or letter == "ё" for letter in text) / len(text)


def _share(items: Sequence[Item], holds: Callable[[Item], bool]) -> float:
    return sum(map(holds, items)) / len(items)
