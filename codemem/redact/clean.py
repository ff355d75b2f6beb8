"""Bring a text into the one form that is stored: composed, with plain line ends and nothing invisible."""

from __future__ import annotations

import re
import unicodedata

ANSI = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])")
"""Terminal control sequences: CSI, OSC (to BEL or ST) and two-character escapes."""
INVISIBLE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u200b\u200c\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]"
    "|[\U000e0000-\U000e007f]"
)
"""Control, zero-width and direction characters. U+200D (joiner) stays where it joins: emoji and Indic text need it."""
LONE_JOINER = re.compile(r"(?<![^\x00-\x7f])\u200d|\u200d(?![^\x00-\x7f])")
LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def clean(text: str) -> str:
    """Return `text` in NFC with `\\n` line ends, without NUL, ANSI sequences or zero-width characters, stripped at both ends."""
    text = LONE_SURROGATE.sub("\ufffd", text)
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\u2028", "\n").replace("\u2029", "\n")
    text = INVISIBLE.sub("", ANSI.sub("", text))
    return unicodedata.normalize("NFC", LONE_JOINER.sub("", text)).strip()


def is_empty(text: str) -> bool:
    """Say whether nothing but white space and punctuation is left."""
    return not any(unicodedata.category(character)[0] in "LNS" and character not in "`^~|<>=+$" for character in text)
