"""Lists inside statements: "Go, Postgres and Redis" is what "Postgres, Redis and Go" is, where no order is meant."""

from __future__ import annotations

import re
from functools import lru_cache

from codemem.judge.oneform import REMEMBERED_FORMS, in_one_form
from codemem.judge.shape import puts_in_order
from codemem.judge.statement import Statement

ITEM = r"[\w.+#/@-]+(?: \d[\w.]*)?"
JOINT = r"\s*(?:,\s*(?:and|or|und|et|y|e|и)\s+|[,、/]\s*|\s(?:and|or|und|oder|et|ou|y|e|и|или)\s+|\s?(?:和|与|及|以及|或|跟)\s?)"
LISTED = re.compile(rf"{ITEM}(?:{JOINT}{ITEM})+")
SPLIT = re.compile(JOINT)
HELD = re.compile(
    r"\b(?:is|are|be|uses?|using|supports?|needs?|requires?|includes?|contains?|knows?|speaks?|likes?|owns?|consists? of|has"
    r"|have|stack|"
    r"ist|sind|nutzt|unterstützt|sont|est|utilise|son|es|usa|usamos|использует|поддерживает)\b|是|为|有|包括|包含|支持|使用|需要|会|用|采用",
    re.I,
)
"""Predicates that hold for all of a list at once; what "runs lint and tests" runs first is not told by them."""
MEMBERS = "[…]"
IS_LIST = re.compile(r"(?:\b(?:is|are|consists? of|sind|ist|son|sont|est|es)|是|为|包括|有)\s*\[…\]$")
HAN_HELD = re.compile("(支持|包括|包含|使用|采用|需要|有|是)(?=[^,、，]{1,8}[、和与])")
"""Written together with the first member."""
SEQUENCE = re.compile(
    r"\b(?:order|sequence|priorit\w+|respectively|then|first|before|after|ranking|steps?|versus|vs|from|between|over|than)\b"
    r"|顺序|优先|依次|分别|先|再|然后|之前|之后|步骤|比",
    re.I,
)


def same_lists(old: Statement, new: Statement) -> bool:
    """Say whether two statements differ only in the order of a list of which all members hold at once."""
    texts = [in_one_form(statement.text) for statement in (old, new)]
    if any(SEQUENCE.search(text) or not HELD.search(text) for text in texts) or puts_in_order(old):
        return False
    left, right = (_sorted(text) for text in texts)
    return left == right


def grown_list(old: Statement, new: Statement) -> bool:
    """Say whether the two differ in one list alone, and the new one holds all of the old, or the list is what "are" says."""
    one, other = _with_list(old), _with_list(new)
    if one is None or other is None or any(SEQUENCE.search(statement.text) for statement in (old, new)):
        return False
    (frame, members), (other_frame, other_members) = one, other
    if (
        frame != other_frame
        or not frame.replace(MEMBERS, "").strip()
        or members == other_members
        or not members & other_members
    ):
        return False
    return members < other_members or IS_LIST.search(frame) is not None


@lru_cache(maxsize=REMEMBERED_FORMS)
def _with_list(statement: Statement) -> tuple[str, frozenset[str]] | None:
    """Return the statement with its only list left out, and the members; a single last word is a list of one."""
    text = " ".join(HAN_HELD.sub(r"\1 ", in_one_form(statement.text), count=1).casefold().rstrip(".。 ").split())
    found = list(LISTED.finditer(text))
    if len(found) != 1 or not HELD.search(text[: found[0].start()]):
        return None
    members = frozenset(part.strip() for part in SPLIT.split(found[0][0]))
    return f"{text[: found[0].start()]}{MEMBERS}{text[found[0].end() :]}".strip(), members


def _sorted(text: str) -> str:
    """Write every list with its members in one order."""

    def in_order(match: re.Match[str]) -> str:
        return f" [{' | '.join(sorted(part.strip().casefold() for part in SPLIT.split(match[0])))}] "

    text = HAN_HELD.sub(r"\1 ", text, count=1)
    return " ".join(LISTED.sub(in_order, text).casefold().rstrip(". ").split())
