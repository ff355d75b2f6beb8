"""Read a statement into the tokens that the judge compares: words, identifiers, values, negations and poles."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from codemem.judge.oneform import in_one_form
from codemem.judge.voice import is_passive
from codemem.judge.words import Words, pole_of, stem, words

TokenKind = Literal["word", "identifier", "value", "negation", "modal"]

HAN = r"\u3400-\u9fff\uf900-\ufaff"
LETTER = rf"[^\W\d{HAN}]"  # any script's letters and the underscore, ideographs apart
WORD = rf"[^\W{HAN}]"
TOKEN = re.compile(
    rf"""(?P<url>[a-z][a-z+]*://[^\s,;，；。{HAN}]+)
      | (?P<date>\d{{4}}-\d\d-\d\d)
      | (?P<clock>\d{{1,2}}:\d\d(?::\d\d)?\s?(?:[ap]m\b)?)
      | (?P<name>@?{LETTER}(?:{WORD}|-)*(?:(?:[#./:@=]|::|->)@?{WORD}(?:{WORD}|-)*)+(?:\(\))?
                 |/(?:{WORD}|[./-])+|{LETTER}{WORD}*\(\))
      | (?P<number>\d+(?:\.\d+)*)(?!\w*[_-]?{LETTER}*\d)
        \s?(?P<unit>(?:ヶ月|カ月|{LETTER}+|%|秒钟|秒間|毫秒|秒|分钟|分間|小时|時間|个月|日間|週間|年間|天|周|年|次|个|人|行|条|台|倍)
                 (?![0-9A-Za-z_\#/]|\.\w))?
      | (?P<word>{WORD}(?:{WORD}|-)*(?:'[a-z]+)?)
      | (?P<han>[{HAN}]+)""",
    re.X,
)
VERSION_WORD = re.compile(r"v\d[\w.]*", re.I)
SYMBOL = re.compile(r"(?<![\w)\]])-\s?(?=\d)|!=|[<>]=?|[+*^~|&\\$€£¥@≥≤≠≈→←]|(?<!\w)/(?!\w)")
"""Signs that change a claim; the equals sign does not: "x = 3" is "x is 3"."""
REMEMBERED_STATEMENTS = 1024
"""A new statement is compared with a dozen old ones, each pair by several measures."""
PARENTHESES = re.compile(r"\s*[(（][^()（）]*[)）]")


@dataclass(frozen=True, slots=True)
class Token:
    """One unit of a statement: `key` is what comparison sees, `text` what was written."""

    text: str
    key: str
    kind: TokenKind
    value: str = ""
    """For values: the number in its base unit, the date, the version."""
    pole: tuple[str, int] | None = None


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement as tokens in order; `frame` leaves out what carries no fact."""

    text: str
    tokens: tuple[Token, ...]
    frame: tuple[Token, ...]
    negations: int
    modality: Literal["", "necessity", "possibility", "release"]
    passive: bool
    agent: bool
    """Whether a passive names its doer ("is called by B")."""
    symbols: tuple[str, ...]
    """Signs that belong to no token and are no punctuation: `<`, `+`, `$`, a minus before a number."""

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(token.key for token in self.frame)

    @property
    def values(self) -> tuple[str, ...]:
        return tuple(token.value for token in self.frame if token.kind == "value")

    @property
    def identifiers(self) -> frozenset[str]:
        return frozenset(token.key for token in self.frame if token.kind == "identifier")


@lru_cache(maxsize=REMEMBERED_STATEMENTS)
def read_statement(text: str) -> Statement:
    """Tokenise `text` and set apart what the rules look at."""
    table = words()
    tokens = tuple(_merge_phrases(_tokens(in_one_form(text), table), table))
    lowered = [token.text.lower() for token in tokens]
    denials = [token.text.lower() not in table.concord for token in tokens if token.kind == "negation"]
    negations = sum(denials) if any(denials) else min(len(denials), 1)
    if set(lowered) & table.release:
        modality: Literal["", "necessity", "possibility", "release"] = "release"
    elif set(lowered) & table.possibility:
        modality = "possibility"
    elif set(lowered) & table.necessity:
        modality = "necessity"
    else:
        modality = ""
    passive = is_passive(tokens)
    frame = tuple(
        token
        for place, token in enumerate(tokens)
        if token.kind not in ("negation", "modal")
        and token.key != "on"
        and (token.text.lower() not in table.stop or (token.key == "A" and not _is_article(tokens, place, table)))
    )
    return Statement(text, tokens, frame, negations, modality, passive, passive and "by" in lowered, _symbols(text))


def _is_article(tokens: tuple[Token, ...], place: int, table: Words) -> bool:
    """Tell "A session expires" from "A calls B" and "把 A 迁移到 B", where it is a name."""
    if place or len(tokens) == 1:
        return False
    following = tokens[1].text
    return following.isascii() and following.islower() and following not in table.functional | table.plural


def _leading_role(tokens: tuple[Token, ...], table: Words) -> int | None:
    """Return the place of a role word ("the user prefers …") that begins the statement before a predicate."""
    for place, token in enumerate(tokens):
        low = token.text.lower()
        if low in table.roles:
            after = tokens[place + 1] if place + 1 < len(tokens) else None
            if after is None:
                return None
            following = after.text.lower()
            predicate = following in table.functional | table.plural | table.light or stem(following) in table.light
            return place if predicate or after.kind in ("negation", "modal") or after.pole is not None else None
        if low not in table.stop:
            return None
    return None


def _symbols(text: str) -> tuple[str, ...]:
    plain = unicodedata.normalize("NFKC", text)
    return tuple(
        match[0].strip()
        for match in SYMBOL.finditer(TOKEN.sub(lambda match: "0" if match[0][0].isdigit() else "a", plain))
    )


def without_parentheses(text: str) -> str:
    """Return `text` without its parenthesised additions."""
    return PARENTHESES.sub("", text)


def _tokens(text: str, table: Words) -> list[Token]:
    found: list[Token] = []
    for match in TOKEN.finditer(text):
        kind = match.lastgroup
        piece = match[0]
        if kind == "url":
            found.append(Token(piece, piece.rstrip("."), "identifier"))
        elif kind == "date":
            found.append(Token(piece, "#date", "value", piece))
        elif kind == "clock":
            found.append(Token(piece, "#clock", "value", _clock(piece)))
        elif kind in ("number", "unit"):
            found.extend(_quantity(match["number"], match["unit"] or "", table))
        elif kind == "name":
            found.extend(_name(piece, table))
        elif kind == "han":
            found.extend(_word(part, table) for part in _han_words(piece, table))
        else:
            found.extend(_latin(piece, table))
    return _switches(found)


def _clock(piece: str) -> str:
    hours, minutes = piece.split(":")[:2]
    afternoon = "pm" in minutes.lower() and int(hours) < 12
    return f"{int(hours) + 12 * afternoon}:{minutes[:2]}"


def _quantity(number: str, unit: str, table: Words) -> list[Token]:
    known = table.units.get(unit.lower())
    if known is None:
        rest = _latin(unit, table) if unit else []
        dotted = number.count(".") > 0
        return [
            Token(
                number, "#version" if number.count(".") > 1 else "#", "value", number if dotted else str(int(number))
            ),
            *rest,
        ]
    dimension, factor = known
    if number.count(".") > 1:
        return [Token(number, "#version", "value", number), *_latin(unit, table)]
    return [Token(f"{number} {unit}", f"#{dimension}", "value", f"{float(number) * factor:g} {dimension}")]


def _name(piece: str, table: Words) -> list[Token]:
    """Keep an identifier whole; split "a=b" settings and sentence ends into their parts."""
    if "=" in piece:
        return [token for part in piece.split("=") for token in _tokens(part, table)]
    return [Token(piece, piece.removesuffix("()"), "identifier")]


def _latin(piece: str, table: Words) -> list[Token]:
    if piece.endswith("'s"):
        piece = piece[:-2]
    if "-" in piece and piece.lower() not in table.poles:
        parts = [part for part in piece.split("-") if part]
        if all(part.isalpha() and len(part) > 2 for part in parts) or (
            parts and parts[0].lower() in ("non", "un", "re")
        ):
            return [token for part in parts for token in _latin(part, table)]
        return [Token(piece, piece, "identifier")]
    if VERSION_WORD.fullmatch(piece):
        return [Token(piece, "#version", "value", piece.lower().lstrip("v"))]
    if "_" in piece or re.search(r"[a-z][A-Z]", piece) or re.search(r"[A-Za-z]\d|\d[A-Za-z]", piece):
        return [Token(piece, piece, "identifier")]
    return [_word(piece, table)]


def _word(piece: str, table: Words) -> Token:
    low = piece.lower()
    if low == "a" and piece == "A":
        low = "A"
    if low in table.negations or low in table.release:
        return Token(piece, "¬", "negation", pole=table.poles.get(low))
    if low in table.weekdays:
        return Token(piece, "#weekday", "value", f"weekday {table.weekdays[low]}")
    if low in table.numbers:
        return Token(piece, "#", "value", str(table.numbers[low]))
    if low in table.necessity or low in table.possibility:
        return Token(piece, "modal", "modal")
    pole = pole_of(low)
    if pole is not None:
        return Token(piece, f"±{pole[0]}", "word", pole=pole)
    if len(piece) == 1 and piece.isascii() and piece.isupper():
        return Token(piece, piece, "word")  # plan B, option -V
    whole = low in table.unstemmed or piece.isupper()
    base = low if whole else stem(low)
    return Token(piece, table.canonical.get(low) or table.canonical.get(base) or base, "word")


def _han_words(run: str, table: Words) -> list[str]:
    parts: list[str] = []
    start = 0
    while start < len(run):
        for size in range(min(table.han_longest, len(run) - start), 1, -1):
            if run[start : start + size] in table.han:
                break
        else:
            size = 1
        parts.append(run[start : start + size])
        start += size
    return parts


def _switches(tokens: list[Token]) -> list[Token]:
    """Read "on" as a switch only where it is one: at the end, before "by default", after "is" or "=", with nothing to stand on."""
    result = list(tokens)
    for index, token in enumerate(tokens):
        if token.text.lower() == "on" and token.pole is not None:
            following = tokens[index + 1].text.lower() if index + 1 < len(tokens) else ""
            if following not in ("", "by", "and", "or"):
                result[index] = Token(token.text, "on", "word")
    return result


def _merge_phrases(tokens: list[Token], table: Words) -> list[Token]:
    """Join English words that stand in the lists as one entry ("no longer", "have to")."""
    result: list[Token] = []
    index = 0
    while index < len(tokens):
        for size in (3, 2):
            phrase = " ".join(token.text.lower() for token in tokens[index : index + size])
            if phrase == "up to" and tokens[index + 2 : index + 3] and tokens[index + 2].kind != "value":
                continue  # "compose up to start it"
            if size <= len(tokens) - index and phrase in table.phrases:
                result.append(_word(phrase, table))
                index += size
                break
        else:
            result.append(tokens[index])
            index += 1
    return result
