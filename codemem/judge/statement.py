"""Read a statement into the tokens that the judge compares: words, identifiers, values, negations and poles."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from codemem.judge.tongues import words_apart
from codemem.judge.voice import is_passive
from codemem.judge.words import Words, pole_of, stem, words

TokenKind = Literal["word", "identifier", "value", "negation", "modal"]

HAN_DIGITS = "零〇一二两三四五六七八九"
HAN_VALUES = dict(zip(HAN_DIGITS, (0, 0, 1, 2, 2, 3, 4, 5, 6, 7, 8, 9), strict=True))
HAN_FACTORS = {"十": 10, "百": 100, "千": 1000, "万": 10_000}
MEASURES = "秒钟|毫秒|秒|分钟|小时|个月|天|周|个|次|人|条|行|台|倍|年|节点|副本|位|名|份|层|轮|遍|%"
HAN_NUMBER = re.compile(
    rf"(?<![周期拜统唯万同专第])[零〇一二两三四五六七八九十百千万]+(?=\s*(?:{MEASURES}))|(?<=\s)[一二两三四五六七八九十]$"
)
MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
NAMED_DATE = re.compile(
    rf"\b({MONTH})\.? (\d{{1,2}})(?:st|nd|rd|th)?\b(?:,? (\d{{4}})\b)?"
    rf"|\b(\d{{1,2}})(?:st|nd|rd|th)? ({MONTH})\b(?:,? (\d{{4}})\b)?",
    re.I,
)
HAN_DATE = re.compile(r"(?:(\d{4})\s*年\s*)?(\d{1,2})\s*月\s*(\d{1,2})\s*[日号]")
HAN_CLOCK = re.compile(
    r"(?P<period>上午|早上|清晨|凌晨|中午|下午|傍晚|晚上)?\s*"
    r"(?:(?P<hour>[一二两三四五六七八九十]{1,3}|(?<!\d)\d{1,2})\s*点钟?(?P<minute>半|整|一刻|三刻|[零〇一二三四五六七八九十]{1,3}分|\d{1,2}分)?"
    r"|(?P<hour24>(?<!\d)\d{1,2}):(?P<minute24>\d\d)(?![:\d]))"
)
HAN_MINUTES = {"": 0, "整": 0, "一刻": 15, "半": 30, "三刻": 45}
HAN_EMPHASIS = re.compile("(?<![合兼归吞])并(?=不|没|未)")
EVERY_UNIT = re.compile(r"\b(every|each) (hour|minute|second|day|week|month|year)\b|(每)(小时|分钟|秒|天)", re.I)
REQUEST_RATE = re.compile(r"\b(?:requests?|reqs?)\s*/\s*s(?:ec)?\b|(?<=\d)\s*rps\b", re.I)
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
NUMBER_WORD = re.compile(r"\b([a-z]+)(?= ([a-z]+)\b)", re.I)
HALF = re.compile(
    r"\b(?:(?P<quarter>a quarter of|quarter of)|half) (?:an? )?(?P<unit>hour|day|year|minute)\b"
    r"|(?P<one>[一1])个?半(?P<hans>小时|天|年)|半个?(?P<han>小时|天|年)",
    re.I,
)
HALVES = {
    "minute": "30 s",
    "hour": "30 min",
    "小时": "30 min",
    "day": "12 h",
    "天": "12 h",
    "year": "6 months",
    "年": "6 months",
}
QUARTERS = {"minute": "15 s", "hour": "15 min", "day": "6 h", "year": "3 months"}
ONE_AND_A_HALF = {"小时": "90 min", "天": "36 h", "年": "18 months"}
VERSION_WORD = re.compile(r"v\d[\w.]*", re.I)
SYMBOL = re.compile(r"(?<![\w)\]])-\s?(?=\d)|[<>+*^~|&\\$€£¥@]|(?<!\w)/(?!\w)")
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
    tokens = tuple(_merge_phrases(_tokens(_normalised(text), table), table))
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


def _normalised(text: str) -> str:
    text = unicodedata.normalize("NFKC", text).replace("`", "").replace("’", "'")
    text = re.sub(
        r"\b(ca|wo|sha)n't\b",
        lambda m: {"ca": "can", "wo": "will", "sha": "shall"}[m[1].lower()] + " not",
        text,
        flags=re.I,
    )
    text = re.sub(r"n't\b", " not", text)
    text = re.sub(r"\bcannot\b", "can not", text, flags=re.I)
    text = re.sub(r"(?<=\d),(?=\d{3}\b)", "", text)
    text = words_apart(text)
    text = HALF.sub(_half, text)
    text = NUMBER_WORD.sub(_number_before_unit, text)
    text = NAMED_DATE.sub(
        lambda m: (
            f" {m[3] or m[6] or '0000'}-{MONTHS.index((m[1] or m[5])[:3].lower()) + 1:02}-{int(m[2] or m[4]):02} "
        ),
        text,
    )
    text = HAN_DATE.sub(lambda m: f" {m[1] or '0000'}-{int(m[2]):02}-{int(m[3]):02} ", text)
    text = HAN_CLOCK.sub(_han_clock, text)
    text = EVERY_UNIT.sub(lambda m: f"{m[1] or m[3]} 1 {m[2] or m[4]}", HAN_EMPHASIS.sub("", text))
    text = REQUEST_RATE.sub("requests per second", text)
    return HAN_NUMBER.sub(lambda m: f" {_han_number(m[0])} ", text)


def _han_clock(match: re.Match[str]) -> str:
    """Write 下午三点半 as 15:30; without a part of the day or a minute, 三点 may be three points and stays."""
    period, hour, minute = (
        match["period"] or "",
        match["hour"] or match["hour24"],
        match["minute"] or match["minute24"] or "",
    )
    if match["hour"] and not (period or minute):
        return match[0]
    hours = int(hour) if hour.isascii() else _han_number(hour)
    spoken = minute.removesuffix("分")
    minutes = HAN_MINUTES[minute] if minute in HAN_MINUTES else int(spoken) if spoken.isascii() else _han_number(spoken)
    late = period in ("下午", "晚上", "傍晚") and hours < 12
    return f" {hours + 12 * late}:{minutes:02} "


def _number_before_unit(match: re.Match[str]) -> str:
    table = words()
    number = table.numbers.get(match[1].lower())
    return match[1] if number is None or match[2].lower() not in table.units else str(number)


def _half(match: re.Match[str]) -> str:
    """Write "half an hour" and 半小时 as 30 min, 一个半小时 as 90 min."""
    if match["hans"]:
        return f" {ONE_AND_A_HALF[match['hans']]} "
    table = QUARTERS if match["quarter"] else HALVES
    return f" {table[(match['unit'] or match['han']).lower()]} "


def _han_number(text: str) -> int:
    total, current = 0, 0
    for character in text:
        if character in HAN_FACTORS:
            total += (current or 1) * HAN_FACTORS[character]
            current = 0
        else:
            current = current * 10 + HAN_VALUES[character]
    return total + current


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
    whole = low in table.unstemmed or (piece.isupper() and len(piece) > 1)
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
    return [token for token in result if token.key != "on"]


def _merge_phrases(tokens: list[Token], table: Words) -> list[Token]:
    """Join English words that stand in the lists as one entry ("no longer", "have to")."""
    result: list[Token] = []
    index = 0
    while index < len(tokens):
        for size in (3, 2):
            phrase = " ".join(token.text.lower() for token in tokens[index : index + size])
            if size <= len(tokens) - index and phrase in table.phrases:
                result.append(_word(phrase, table))
                index += size
                break
        else:
            result.append(tokens[index])
            index += 1
    return result
