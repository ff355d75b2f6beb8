"""When a memory holds, and when it was said: what a reader must know before trusting "yesterday" or a holiday rule."""

from __future__ import annotations

import re

from codemem.identity import iso_time, now_ms
from codemem.types import Memory

RELATIVE = re.compile(
    r"\b(?:yesterday|today|tomorrow|tonight|recently"
    r"|(?:last|this|next|past|coming)\s(?:night|week|weekend|month|quarter|year|sprint|spring|summer|autumn|fall|winter"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day)"
    r"|(?:an?|one|two|three|few|several|\d+)\s(?:day|week|month|year)s?\sago"
    r"|gestern|heute|ayer|hoy|hier\ssoir|aujourd'hui|вчера|сегодня|завтра)\b"
    r"|昨天|昨日|今天|今日|明天|明日|前天|后天|[上本这下]个?(?:周|星期|月|季度)|去年|今年|明年|最近|刚才|先週|今週|来週|先月|今月|来月"
    r"|어제|오늘|내일|지난\s?주|이번\s?주|다음\s?주|지난\s?달|다음\s?달",
    re.IGNORECASE,
)
"""Words that mean another day each day; "now" and "currently" are left out: every statement is of its present."""
DAY = 10
"""Characters of a date in ISO-8601."""


def time_marks(memory: Memory) -> list[str]:
    """Return marks like `from 2026-12-20`, `until 2027-01-05` and, beside a word like "yesterday", `said 2026-12-01`."""
    if memory.status == "superseded":
        return []
    now = now_ms()
    marks = []
    if memory.valid_from is not None and memory.valid_from > now:
        marks.append(f"from {_day(memory.valid_from)}")
    if memory.valid_to is not None:
        marks.append(f"{'until' if memory.valid_to > now else 'ended'} {_day(memory.valid_to)}")
    if RELATIVE.search(memory.content):
        marks.append(f"said {_day(memory.created_at)}")
    return marks


def _day(milliseconds: int) -> str:
    return iso_time(milliseconds)[:DAY]
