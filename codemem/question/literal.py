"""Read what stands in source exactly as it is asked for: options, routes, addresses on the web, constants, lines of code."""

from __future__ import annotations

import re
from typing import NamedTuple

MOST_LITERALS = 12
"""Lines of a pasted block that are looked for."""
SHORTEST_LINE = 12
"""Characters of a line of code that is not just any."""
_CODE = r"[(){}\[\];=<>|&!+*\"]"
_URL = r"https?://[^\s\"'`<>)\]]+"
_OPTION = r"(?<![\w-])--[A-Za-z][\w-]+"
_ROUTE = r"(?<![\w./:*~-])/[A-Za-z_][\w{}<>:*.~%-]*(?:/[\w{}<>:*.~%-]+)*/?(?!\w)"
_BLANK_SEGMENT = r"^(?:\d+|\{.*|<.*|:\w+|\*+|\$.*)$"
"""A segment of a route that is filled in, or a variable."""
_CONSTANT = r"\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b"
_SETTING = r"\b(?:environment|env|variable|constant|setting)s?\b"
_READS = r"\b(?:environment|env|reads?|used?|uses|looked up|consulted)\b"
_CAPITALS = r"\b[A-Z][A-Z0-9]{2,}\b"
_NUMBER = r"0[xX][0-9a-fA-F_]{2,}|\d[\d_.]{2,}"
_QUOTED_WORDS = r"[\"`']([^\"`'\n]{0,120}\w\s+\w[^\"`'\n]{0,120})[\"`']"
_ASKED_CALL = r"[\w$.:#>-]+\([^()]*\)"


class Literal(NamedTuple):
    """One thing that is looked for to the letter, in any of its spellings, and where given only as the pattern has it."""

    spellings: tuple[str, ...]
    pattern: str = ""


def read_literals(text: str, asks: bool) -> tuple[Literal, ...]:
    """Return what of a question must stand in the source as it is written; `asks`: the text is a sentence, not code."""
    found = [_url(match) for match in re.findall(_URL, text)] if "://" in text else []
    rest = re.sub(_URL, " ", text)
    if "--" in rest:
        found += [_option(match) for match in re.findall(_OPTION, rest)]
    if "/" in rest:
        found += [route for match in re.findall(_ROUTE, rest) if (route := _route(match))]
    if text != text.lower():
        constants = re.findall(_CONSTANT, rest)
        if re.search(_SETTING, rest, re.IGNORECASE):
            constants += re.findall(_CAPITALS, rest)
        found += [Literal((one,)) for one in constants]
        if re.search(_READS, rest, re.IGNORECASE):
            found += map(_read_from_environment, constants)
    found += [Literal((_spaced(one),)) for one in re.findall(_QUOTED_WORDS, rest)]
    if re.fullmatch(_NUMBER, text):
        found.append(Literal((text,)))
    if not found and not asks:
        found = [Literal((line,)) for line in map(_spaced, text.split("\n")) if _is_code(line)]
    return tuple(dict.fromkeys(found))[:MOST_LITERALS]


def assigned(name: str) -> Literal:
    """Return what a line looks like that gives a variable, a field or an attribute a value."""
    subscript = r"(?:\[[^\]\n]{0,40}\])?"
    operator = r"(?:[-+*/|&^%:]|\|\||&&|\?\?|<<|>>)?=(?![=>~])"
    return Literal((name,), rf"(?<![A-Za-z0-9])_?{re.escape(name)}{subscript}\s*{operator}")


def _read_from_environment(name: str) -> Literal:
    """Return what a line looks like that reads a variable of the environment: `getenv("A")`, `process.env.A`, `ENV['A']`."""
    return Literal((name,), rf"(?i:env)\w*\W[^\n]{{0,30}}?(?<!\w){re.escape(name)}(?!\w)")


def _url(text: str) -> Literal:
    return Literal((text.rstrip(".,;:!?"),))


def _option(text: str) -> Literal:
    """Return an option; parsers that add the dashes themselves have its name in quotes."""
    name = text.lstrip("-")
    return Literal((text, f'"{name}"', f"'{name}'"))


def _route(text: str) -> Literal | None:
    """Return a route; a value in it stands for a variable, so that only what comes before is certain."""
    segments = text.strip("/").split("/")
    fixed = next((at for at, one in enumerate(segments) if re.match(_BLANK_SEGMENT, one)), len(segments))
    if fixed == 0:
        return None
    if fixed == len(segments):
        return Literal((text,))
    return Literal((text, "/" + "/".join(segments[:fixed]) + "/"))


def _spaced(line: str) -> str:
    return " ".join(line.split())


def _is_code(line: str) -> bool:
    """Say whether a line is code that somebody copied; a bare call asks for what is called."""
    return len(line) >= SHORTEST_LINE and re.search(_CODE, line) is not None and re.fullmatch(_ASKED_CALL, line) is None
