"""Text that came from files or people, made harmless for a terminal and drawable in its encoding."""

from __future__ import annotations

import re

TAB_WIDTH = 4
HARMFUL = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)
"""Control characters (an escape can rewrite the screen), direction overrides (they disguise code), lone surrogates."""
CONTROL_PICTURES = 0x2400
"""U+2400 onwards shows the control characters 0 to 31: U+241B is the picture of ESC."""
PLAIN = str.maketrans(
    {"│": "|", "▶": ">", "→": "->", "·": "-", "…": "...", "×": "x", "—": "-", "–": "-", "─": "-", "└": "`", "├": "|"}
)
"""What our own drawing characters become where the encoding has none of them."""


def safe_text(text: str) -> str:
    """Replace what a terminal would obey by what it can show; line ends stay, tabs become spaces."""
    return HARMFUL.sub(_picture, text.expandtabs(TAB_WIDTH) if "\t" in text else text)


def one_line(text: str) -> str:
    """Make `text` safe and put it on one line."""
    return safe_text(" ".join(text.split()))


def drawable(text: str, encoding: str) -> str:
    """Swap drawing characters for plain ones when `encoding` cannot show them; the stream escapes the rest."""
    try:
        text.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        try:
            "│▶→·…×".encode(encoding)
        except (UnicodeEncodeError, LookupError):
            return text.translate(PLAIN)
    return text


def _picture(match: re.Match[str]) -> str:
    code = ord(match.group())
    if code < 0x20:
        return chr(CONTROL_PICTURES + code)
    if code == 0x7F:
        return "\u2421"
    return f"\\u{code:04x}"
