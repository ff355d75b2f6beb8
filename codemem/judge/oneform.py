"""Write what can be written in several ways in one: contractions, dates, times of day, halves and spelled numbers."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from codemem.judge.tongues import words_apart
from codemem.judge.words import words

REMEMBERED_FORMS = 1024
"""A new statement is written in one form once, whatever it is compared with."""
SPELLED_OUT = tuple(
    (re.compile(short, re.I), spelled)
    for short, spelled in (
        (r"\b(it|that|there|here|he|she|what|where|who|how)'s\b", r"\1 is"),
        (r"\b(they|we|you|who)'re\b", r"\1 are"),
        (r"\bi'm\b", "I am"),
        (r"(?<=[a-z])'ll\b", " will"),
        (r"(?<=[a-z])'ve\b", " have"),
    )
)
"""Contractions with a verb; `'s` behind other words is mostly a possessor."""
DENIALS = tuple(
    (re.compile(said, re.I), plain)
    for said, plain in (
        (r"\b(?:is|are|was|were|am) unable to\b", "can not"),
        (r"\bfail(?:s|ed)? to (?=[a-z])", "not "),
        (r"\brefuse[sd]? to (?=[a-z])", "not "),
        (r"\b(?:lack|lacks|lacked) (?:an? |any )?", "has no "),
        (r"\b(?:is|are) lacking (?:an? |any )?", "has no "),
        (r"\b(?:have |has )?(?:dropped|ended|discontinued|removed|withdrew) (?:the )?support for\b", "no longer support"),
        (r"\b(?:have |has )?(?:stopped|quit|ceased) (?=[a-z]+ing\b)", "no longer "),
        (r"\bfar from (?=[a-z])", "not "),
        (r"\bdecided against (?=[a-z])", "decided not "),
        (r"\b(?:un|im|in|ir)(?=(?:possible|available|reachable|usable|acceptable|predictable|reliable|readable|"
         r"recoverable|avoidable|reproducible|compatible|accessible|visible|eligible|reversible|usual|related)\b)", "not "),
        ("无法", "不能"), ("无权", "没有权"), ("(?<![不没])(?:缺少|缺乏)了?(?=[^,，。]{2})", "没有"),
        ("已?(?:经)?放弃了?(?=支持|使用|采用)", "不再"),
        ("已?(?:经)?停止了?(?=支持|使用|采用)", "不再"),
        ("(?<![区分特级类差个鉴识辨告送])别(?=[用要把在去让直写改动删加给再])", "不要"),
    )
)  # fmt: skip
"""Phrases that deny, written with the plain word."""
HAN_DIGITS = "零〇一二两三四五六七八九"
HAN_VALUES = dict(zip(HAN_DIGITS, (0, 0, 1, 2, 2, 3, 4, 5, 6, 7, 8, 9), strict=True))
HAN_FACTORS = {"十": 10, "百": 100, "千": 1000, "万": 10_000}
MEASURES = "秒钟|毫秒|秒|分钟|小时|个月|天|周|个|次|人|条|行|台|倍|年|节点|副本|位|名|份|层|轮|遍|%"
HAN_NUMBER = re.compile(
    rf"(?<![周期拜统唯万同专第])[零〇一二两三四五六七八九十百千万]+(?=\s*(?:{MEASURES}))|(?<=\s)[一二两三四五六七八九十]$"
)
MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\b"
)
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
NUMBER_WORD = re.compile(r"\b([a-z]+)(?= ([a-z]+)\b)", re.I)
HALF = re.compile(
    r"\b(?:(?P<quarter>a quarter of|quarter of)|half) (?:an? )?(?P<unit>hour|day|year|minute)\b"
    r"|(?P<one>[一1])个?半(?P<hans>小时|天|年)|半个?(?P<han>小时|天|年)",
    re.I,
)
ONE_UNIT = re.compile(
    r"\b(for|after|within|in|lasts|takes|every|of) (?:an?|one) (second|minute|hour|day|week|month|year)\b"
)
"""Not behind "once": that is a rate."""
MONTH_ALONE = re.compile(
    rf"\b(?:((?:in|since|until|till|by|from|of|last|next|to|for|early|late|mid|during|before"
    rf"|after) )(?-i:(?=[A-Z]))({MONTH})(?! ?\d| [a-z]+ly\b)\b|(?-i:(?=[A-Z]))({MONTH}),? (20\d\d)\b)",
    re.I,
)
"""A month without its day, as a date: May would be a permission, March a walk."""
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


@lru_cache(maxsize=REMEMBERED_FORMS)
def in_one_form(text: str) -> str:
    """Return `text` with contractions, dates, times, halves and spelled numbers written in one way."""
    text = unicodedata.normalize("NFKC", text).replace("`", "").replace("’", "'")
    text = re.sub(
        r"\b(ca|wo|sha)n't\b",
        lambda m: {"ca": "can", "wo": "will", "sha": "shall"}[m[1].lower()] + " not",
        text,
        flags=re.I,
    )
    text = re.sub(r"n't\b", " not", text)
    for short, spelled in SPELLED_OUT:
        text = short.sub(spelled, text)
    for phrase, denial in DENIALS:
        text = phrase.sub(denial, text)
    text = re.sub(r"\bcannot\b", "can not", text, flags=re.I)
    text = re.sub(r"(?<=\d),(?=\d{3}\b)", "", text)
    text = words_apart(text)
    text = HALF.sub(_half, text)
    text = ONE_UNIT.sub(r"\1 1 \2", MONTH_ALONE.sub(_month, text))
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


def _month(match: re.Match[str]) -> str:
    return f"{match[1] or ''} {match[4] or '0000'}-{MONTHS.index((match[2] or match[3])[:3].lower()) + 1:02}-00 "


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
