"""Colour for code on a terminal, and the line that answers the query best."""

from __future__ import annotations

from codemem.render.style import TOKEN_CODES, Style
from codemem.text import code_terms

Span = tuple[str, str]
"""(SGR code or nothing, text)."""
LONGEST_COLOURED = 400
"""Characters of a line that are worth colouring; generated lines are longer."""


def best_line(lines: list[str], query: str, first: int) -> int:
    """Return the number of the first line that holds most of the query's terms, 0 when none holds any."""
    wanted = set(code_terms(query))
    scores = [len(wanted.intersection(code_terms(line[:LONGEST_COLOURED]))) for line in lines]
    best = max(scores, default=0)
    return first + scores.index(best) if best else 0


def highlighted(lines: list[str], language: str, style: Style) -> list[list[Span]]:
    """Split each line into styled pieces; without colour, or without a lexer, a line is one piece."""
    plain: list[list[Span]] = [[("", line)] for line in lines]
    if not style.coloured or any(len(line) > LONGEST_COLOURED for line in lines):
        return plain
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    try:
        lexer = get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return plain
    found: list[list[Span]] = [[]]
    for token, text in lexer.get_tokens("\n".join(lines)):
        code = token_code(str(token).removeprefix("Token."))
        for number, piece in enumerate(text.split("\n")):
            if number:
                found.append([])
            if piece:
                found[-1].append((code, piece))
    return found if len(found) == len(lines) else plain


def token_code(token: str) -> str:
    """Return the SGR code of the longest listed prefix of a Pygments token type."""
    matches = [(len(prefix), code) for prefix, code in TOKEN_CODES if token == prefix or token.startswith(prefix + ".")]
    return max(matches)[1] if matches else ""
