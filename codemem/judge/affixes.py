"""Opposites that a word shows by itself: "mount" and "unmount", "encrypt" and "decrypt", "stateful" and "stateless"."""

from __future__ import annotations

from codemem.judge.difference import Difference
from codemem.judge.words import stem

DENYING = (
    "un",
    "non",
    "dis",
    "dés",
    "des",
    "de",
    "in",
    "im",
    "ir",
    "il",
    "a",
    "anti",
    "не",
    "非",
    "无",
    "無",
    "不",
    "未",
    "불",
    "비",
    "미",
    "무",
    "부",
)
"""Before a whole word they turn it round."""
FACING = (
    ("en", "de"), ("en", "dis"), ("at", "de"), ("im", "ex"), ("in", "ex"), ("in", "out"), ("up", "down"), ("over", "under"),
    ("pre", "post"), ("inter", "intra"), ("maxi", "mini"),
)  # fmt: skip
"""Before one and the same rest they face each other."""
ENDINGS = (("ful", "less"), ("ed", "less"), ("voll", "los"))
SHORTEST_REST = 3
"""Letters left behind an affix: "act" and "react", but no "on" and "non"."""
SHORTEST_SYLLABLES = 2
"""Ideographs or Korean syllables left behind one: 가능 and 불가능."""
FIRST_SYLLABLE = "\u3400"


def opposite_by_affix(difference: Difference) -> str:
    """Return the first pair of replaced words of which one is the other turned round, or an empty string."""
    for removed, added, _, _ in difference.spans:
        if len(removed) == len(added):
            for old, new in zip(removed, added, strict=True):
                one, other = sorted((old.text.lower(), new.text.lower()), key=len)
                if old.kind == new.kind == "word" and are_opposed(one, other):
                    return f"{old.text} / {new.text}"
    return ""


def are_opposed(short: str, long: str) -> bool:
    """Say whether `long` is `short` with an affix that turns it round, or the two differ in affixes that face each other."""
    one, other = stem(short), stem(long)
    for prefix in DENYING:
        least = SHORTEST_SYLLABLES if one[:1] >= FIRST_SYLLABLE else SHORTEST_REST
        if len(one) >= least and other.removeprefix(prefix) == one and other != one:
            return True
    for pair in FACING:
        for front, back in (pair, pair[::-1]):
            rest = one.removeprefix(front)
            if rest != one and len(rest) >= SHORTEST_REST and back + rest == other:
                return True
    for pair in ENDINGS:
        for end, facing in (pair, pair[::-1]):
            rest = short.removesuffix(end)
            if rest != short and len(rest) >= SHORTEST_REST and rest + facing == long:
                return True
    return False
