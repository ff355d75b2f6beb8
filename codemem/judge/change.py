"""What a statement says has changed: a correction, a time from which it holds, and what no longer does."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Literal, NamedTuple

REMEMBERED_CHANGES = 1024
CORRECTED = re.compile(
    r"^\s*(?:(?:correction|corrected|erratum|actually|in fact|sorry|oops|my mistake|i was wrong|i misspoke|turns out|it turns out"
    r"|korrektur|tatsächlich|eigentlich|correctif|en fait|en realidad|corrección|correção|na verdade|correzione|in realtà"
    r"|исправление|на самом деле|поправка|訂正|정정|사실은|"
    r"更正|纠正|修正|勘误|其实|事实上|实际上|抱歉|对不起|不好意思|(?:我|之前|刚才)?(?:说|记|写|搞|弄)错了)"
    r"(?: about (?:that|this|it)| that)?\s*[:,.;!。，、 ]\s*|(?:其实|事实上|实际上))+",
    re.I,
)
MONTHS = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t|tember)?|oct(?:ober)?|nov(?:ember)?"
    "|dec(?:ember)?"
    "|januar|februar|märz|mai|juni|juli|oktober|dezember|enero|febrero|marzo|abril|mayo|junio|julio|janvier|février|mars"
    "|avril|juin|juillet"
)
MOMENT = (
    rf"(?:(?:early|mid|late|the (?:end|beginning) of|next|last|this) )*(?:today|now|tomorrow|yesterday|monday|tuesday"
    rf"|wednesday|thursday|friday|saturday|sunday|week|month|"
    rf"year|quarter|sprint|release|{MONTHS}|q[1-4]|\d{{4}}-\d\d(?:-\d\d)?|v?\d+(?:\.\d+)+|20\d\d|heute|gestern|morgen)"
    r"(?: \d{1,2}(?:st|nd|rd|th)?\b)?(?:,? 20\d\d)?"
)
FROM_NOW = re.compile(
    rf"^\s*(?:(?:as of|as from|since|from|starting(?: from| in| with)?|beginning(?: in| with)?|effective(?: from)?|after|seit"
    rf"|ab|depuis|à partir de|desde|a partir de|с) {MOMENT}"
    r"(?: on(?:wards?)?)?"
    r"|(?:from now on|nowadays|these days|now|currently|meanwhile|by now|jetzt|nun|inzwischen|ab jetzt|von nun an|désormais"
    r"|maintenant|dorénavant|ahora|de ahora en adelante"
    r"|agora|a partir de agora|adesso|ora|d'ora in poi|теперь|сейчас|отныне|今は|今後は|現在は|이제|앞으로|지금은)"
    r"|(?:从|自)[^,，。]{1,10}?(?:起|开始|以后|之后)|(?:现在|如今|目前|今后|以后|往后))"
    r"(?=[\s,，:\u3400-\u9fff])[\s,，:]*",
    re.I,
)
"""At the beginning only: elsewhere the date is what is said."""
ALSO = re.compile(
    r"\b(?:also|too|as well|in addition|additionally|besides|another|second|auch|außerdem|aussi|también|além|também|anche"
    r"|тоже|также)\b|也|还|另外|此外|同时|另有|又",
    re.I,
)
"""What is added replaces nothing."""
END = r"(?=\s*(?:[,.;:!]|$|\b(?:for|because|since|as|so|when|in (?:the|all)|on the|from (?:now|today)|para|für|pour|weil)\b))"
WHAT = (
    r"(?:(?:the|a|an|our|der|die|das|le|la|les|el|los|o|os|il"
    r"|lo)\s+)?(?P<old>[^\s,.;:!，。；、](?:[^,;:!，。；、]{0,60}?[^\s,.;:!，。；、])?)"
)
NOW = re.compile(
    r"\b(?:now|nowadays|currently|from now on|jetzt|inzwischen|nunmehr|désormais|maintenant|ahora|actualmente|agora|adesso"
    r"|ormai|теперь|сейчас)\b"
    r"|现在|如今|目前|이제|になりました|になった|に変わりました|に変更"
    r"|\b(?:switched|moved|migrated|changed|renamed|upgraded|downgraded|bumped|converted) (?:over |back |up )?to\b",
    re.I,
)
"""Anywhere: what is so now may not have been so before."""
SUCCEEDED = re.compile(
    r"(?P<old>\S{2,40}?)\s*(?:(?:is|are) (?:now|renamed|replaced by)|(?:was|were|has been|have been|got) (?:renamed|replaced)"
    r"|became|becomes"
    r"|heißt jetzt|wurde in|s'appelle maintenant|ahora se llama"
    r"|(?:已经?|现在|现已)?(?:改成|改名|更名|改为|换成|改叫)了?|现在[是叫为])",
    re.I,
)
"""What stands before it was the value, if the older statement ends with it: "SHOP_DB_URL is now DATABASE_URL"."""
HAN_END = r"(?=\s*(?:[,.;:!，。；！]|$|了\b|来|去|做|进行))"
REJECTED = tuple(
    re.compile(pattern, re.I)
    for pattern in (
        rf",?\s*\b(?:instead of|rather than|in place of|in lieu of|replacing|and no longer|and not|but not|statt|anstatt"
        rf"|anstelle von|anstelle|au lieu d[eu]|plutôt que"
        rf"|en lugar de|en vez de|em vez de|em lugar de|ao invés de|invece d[ie]|al posto di|вместо)\s+(?:in |on |at |by "
        rf"|with |to )?{WHAT}{END}",
        rf",\s*(?:not|no longer|nicht(?: mehr)?|kein|keine|pas|et non|y no|no|e não|não|e non|non|а не|не)\s+(?:in |on |at "
        rf"|by |with |to )?{WHAT}{END}",
        rf"\b(?:is |are |was |were )?(?:not|no longer|nicht|не)\s+(?:in |on |at |by |with |to )?{WHAT},?\s*\b(?:but|sondern|а)\b",
        rf"\btook over\b[^,.;]{{1,60}}?\bfrom {WHAT}{END}",
        r"(?<!\S)(?P<old>\S{2,40})\s*(?:->|→|=>)",
        r"(?:不是|并非|不在|不用|不再用|不再是|不再使用)\s*(?P<old>[^,，。；]{1,24}?)\s*[,，]?\s*(?:而是|而在|而用|改为|改用|改成|改在)",
        rf"[,，]?\s*(?:而不是|而非|而不用|代替|取代|替代|替换掉?)了?\s*(?P<old>[^,，。；]{{1,24}}?){HAN_END}",
        rf"[,，]\s*(?:并?不是|并非|不再是|不再用|不再使用|不用|不在)\s*(?P<old>[^,，。；]{{1,24}}?){HAN_END}",
        r"(?:从|由)\s*(?P<old>[^,，。；从由]{1,24}?)\s*(?=(?:迁移?|改名?|换|切换?|升级?|挪|搬|移|转|变更?|调整?|更名|交接?|移交|降|提高?)(?:到|至|成|为|给|回|用))",
        r"(?P<old>[^\s、。「」はがを]{1,20})(?:ではなく|じゃなく|の代わりに|から(?=[^、。]{1,24}(?:に(?:変更|移行|なり|なっ|切り替|変わ)|へ)))",
        r"(?P<old>[^\s.]{1,20})(?:\s*대신에?|(?:이|가) 아니라|에서(?=\s+\S{1,20}(?:으)?로 (?:변경|이전|전환|바꾸|바뀌|바꿨|옮)))",
    )
)
"""What is told to be no longer so: "instead of Y", "X, not Y", 从 Y 改成 X, 而不是 Y."""
CHANGED = re.compile(
    r"(?<!\bis )(?<!\bare )(?<!\bbe )(?<!\bgets )\b(?:moved|migrated|switched|changed|renamed|went|converted|ported|upgraded"
    r"|downgraded|bumped|transferred|raised|lowered"
    r"|increased|reduced|cut|grew|rose|fell|dropped|relocated|handed|extended|shortened|shifted|gewechselt|umgestellt"
    r"|umgezogen|migriert|geändert|umbenannt|verschoben|erhöht"
    r"|gesenkt|wechselten?|passés?|migré|changé|déplacé|renommé|cambi\w+|migr\w+|pasamos|pasó|mud\w+|passamos|пере\w+"
    r"|измен\w+|увелич\w+)\b",
    re.I,
)
"""What tells of a change; "files are moved from A to B" tells of a habit."""
FROM_TO = re.compile(
    rf"\b(?:from|von|vom|del|de|desde|depuis|из|с|da)\s+{WHAT}(?=\s+(?:back |over )?(?:to|auf|zu|nach|zum|zur|a|al|à|ao|para"
    rf"|в|на|into)\s)",
    re.I,
)
"""Only beside a word of change."""


class Change(NamedTuple):
    """A statement without its lead-in and without what it rejects."""

    core: str
    rejected: tuple[str, ...]
    succeeded: str
    """What something else has come in the place of, if that was the older statement's value."""
    lead: Literal["", "corrected", "now"]


@lru_cache(maxsize=REMEMBERED_CHANGES)
def read_change(text: str) -> Change:
    """Set apart how `text` begins as a correction or with a time, and what it says is no longer so."""
    core = unicodedata.normalize("NFKC", text).strip()
    lead: Literal["", "corrected", "now"] = ""
    bare = CORRECTED.sub("", core, count=1)
    if bare and bare != core:
        core, lead = bare, "corrected"
    bare = FROM_NOW.sub("", core, count=1)
    if bare and bare != core:
        core, lead = bare, lead or "now"
    rejected: list[str] = []
    for pattern in (*REJECTED, *((FROM_TO,) if CHANGED.search(core) else ())):
        match = pattern.search(core)
        if match is not None:
            rejected.append(match["old"])
            core = f"{core[: match.start()]} {core[match.end() :]}".strip(" ,，")
    successor = SUCCEEDED.search(core)
    if not lead and NOW.search(core):
        lead = "now"
    if lead == "now" and ALSO.search(core):
        lead = ""
    return Change(core, tuple(rejected), successor["old"] if successor else "", lead)
