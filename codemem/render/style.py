"""Styles of the terminal: the sixteen colours, so that the person's own theme decides how they look."""

from __future__ import annotations

from typing import NamedTuple


class Style(NamedTuple):
    """SGR codes by role; empty ones paint nothing."""

    path: str = ""
    name: str = ""
    faint: str = ""
    match: str = ""
    good: str = ""
    bad: str = ""

    def paint(self, code: str, text: str) -> str:
        """Wrap `text` in the code and its end."""
        return f"\x1b[{code}m{text}\x1b[0m" if code and text else text

    @property
    def coloured(self) -> bool:
        return bool(self.path)


PLAIN = Style()
COLOUR = Style(path="1;35", name="1", faint="2", match="1;33", good="32", bad="1;31")
TOKEN_CODES = (
    ("Comment", "2"),
    ("Literal.String", "32"),
    ("String", "32"),
    ("Literal.Number", "36"),
    ("Number", "36"),
    ("Keyword", "34"),
    ("Name.Function", "1"),
    ("Name.Class", "1"),
    ("Name.Decorator", "33"),
    ("Generic.Heading", "1"),
    ("Operator.Word", "34"),
)
"""Prefix of a Pygments token type -> SGR code; what is not listed keeps the terminal's own colour."""
