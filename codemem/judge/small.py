"""Small words that change a claim although the content is equal: and or or, was or is, where "not" and "all" stand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from codemem.judge.shape import is_light
from codemem.judge.statement import Statement, Token
from codemem.judge.words import words

CHOICES = frozenset("or oder ou или 或 或者 nor".split())
PAST = frozenset("was were war waren était étaient era eran был была было были 曾 曾经".split())
PRESENT = frozenset("is are am ist sind est sont es está están".split())
FUTURE = frozenset("will shall wird werden".split())
EXTENT = ("extent", 0)
PLACE_ENDS = frozenset("里 里面 中 内 上 下 外".split())
LONGEST_PLACE = 6
"""Tokens between 在 and its end; Chinese characters count one each."""


OWN = frozenset("their its his her own your my our ihre seine leurs ses sus suas seus loro".split())
DETERMINERS = OWN | frozenset("the this that these those all every each some any no most many few".split())
"""What may stand before a plural; without it all are meant."""


def small_difference(old: Statement, new: Statement) -> str:
    """Return which small words make two claims of statements with equal content, or an empty string."""
    for find, differ in MEASURES:
        told = find(old), find(new)
        if differ(*told):
            return " / ".join(" ".join(sorted(one)) or "-" for one in told)
    return ""


def moved_small_words(old: Statement, new: Statement) -> str:
    """Return the small words that stand elsewhere in equal content: "A must and B may" is not "A may and B must"."""
    before, after = _small_words(old), _small_words(new)
    for said in sorted(before.keys() & after.keys()):
        if len(before[said]) == len(after[said]) and before[said] != after[said]:
            return said
    return ""


def _small_words(statement: Statement) -> dict[str, list[int]]:
    """Return behind how many words of content each small word stands that gives a claim its sense."""
    table = words()
    aside = _places(statement.tokens)
    found: dict[str, list[int]] = {}
    content = 0
    for place, token in enumerate(statement.tokens):
        low = token.text.lower()
        said = (
            "not" if token.kind == "negation" and low not in table.concord
            else "may" if low in table.possibility
            else "must" if low in table.necessity
            else "past" if low in PAST
            else "present" if low in PRESENT
            else "future" if low in FUTURE
            else low if low in CHOICES or low in table.persons or low in table.directions
            else ""
        )  # fmt: skip
        if said and place not in aside:
            # A Chinese place between the word and what it concerns may as well stand before both.
            passed = [at for at in range(place + 1, len(statement.tokens)) if at in aside] if place + 1 in aside else []
            found.setdefault(said, []).append(content + sum(_is_content(statement, at) for at in passed))
        content += _is_content(statement, place)
    return found


def _is_content(statement: Statement, place: int) -> bool:
    token = statement.tokens[place]
    return token in statement.frame and not is_light(token) and token.text not in ("在", *PLACE_ENDS)


def choices(statement: Statement) -> Counter[str]:
    """Return the words that leave a choice: "A or B" is not "A and B"."""
    return Counter(low for token in statement.tokens if (low := token.text.lower()) in CHOICES)


def question(statement: Statement) -> Counter[str]:
    """Return the mark of a question: what is asked is not said."""
    return Counter("?" if statement.text.rstrip().endswith(("?", "？")) else "")


def names(statement: Statement) -> Counter[str]:
    """Return the words that are capitalised inside the statement, with their ends: Ann is not Anne."""
    return Counter(token.text for token in statement.tokens[1:] if token.kind == "word" and token.text.istitle())


def tense(statement: Statement) -> Counter[str]:
    """Return the time that a form of "be" or "will" gives; what was done once is so still ("is written", "was written")."""
    lowered = {token.text.lower() for token in statement.tokens}
    if lowered & FUTURE:
        return Counter(("future",))
    if "being" in lowered or "been" in lowered:
        return Counter(("under way" if "being" in lowered else "done",))
    past, present = bool(lowered & PAST), bool(lowered & PRESENT)
    return (
        Counter() if past == present or (statement.passive and present) else Counter(("past" if past else "present",))
    )


def what_is_denied(statement: Statement) -> Counter[str]:
    """Return what the negations stand before: "not all are" is not "all are not"."""
    concord = words().concord
    plain = any(token.kind == "negation" and token.text.lower() not in concord for token in statement.tokens)
    return _following(
        statement, lambda token: token.kind == "negation" and not (plain and token.text.lower() in concord)
    )


def what_is_all(statement: Statement) -> Counter[str]:
    """Return what "all" and "each" stand before: "each user" is not "each write"."""
    return _following(statement, lambda token: token.pole == EXTENT or token.text.lower() == "each")


def senses(statement: Statement) -> Counter[str]:
    """Return what the light words say, and the one that ends the statement: that is its predicate."""
    table = words()
    lowered = [token.text.lower() for token in statement.tokens]
    found = {table.senses[low] for low in lowered if low in table.senses}
    if (
        lowered
        and lowered[-1].isascii()
        and lowered[-1] in table.light
        and lowered[-1] not in (*table.senses, "please")
    ):
        found.add(lowered[-1])
    return Counter(found)


def whose(statement: Statement) -> Counter[str]:
    """Return the plurals that are somebody's own, and those that are anybody's: "delete their orders", "delete orders"."""
    found: Counter[str] = Counter()
    previous = ""
    for token in statement.tokens:
        if token.kind == "word" and token.text.endswith("s") and token.text.isascii():
            if previous in OWN:
                found[f"own {token.key}"] += 1
            elif previous not in DETERMINERS:
                found[f"any {token.key}"] += 1
        previous = token.text.lower()
    return found


def speakers(statement: Statement) -> Counter[str]:
    """Return whom the statement is about when it begins with the one user, or with users at large."""
    beginning = [token.text.lower() for token in statement.tokens[:2]]
    one = beginning == ["the", "user"]
    return Counter(("the user",) if one else ("users",) if beginning[:1] == ["users"] else ())


def _places(tokens: tuple[Token, ...]) -> set[int]:
    """Return where the words of a Chinese place stand: 在日志里 may stand before or behind a negation."""
    found: set[int] = set()
    for at, token in enumerate(tokens):
        if token.text == "在":
            inside = range(at + 1, min(at + 2 + LONGEST_PLACE, len(tokens)))
            end = next((place for place in inside if tokens[place].text in PLACE_ENDS), at + 1)
            found.update(range(at, end + 1))
    return found


def _following(statement: Statement, wanted: Callable[[Token], bool]) -> Counter[str]:
    aside = _places(statement.tokens)
    content = [
        (place, token.key)
        for place, token in enumerate(statement.tokens)
        if place not in aside and token in statement.frame and not is_light(token)
    ]
    found = [
        next((key for later, key in content if later > place), "")
        for place, token in enumerate(statement.tokens)
        if wanted(token)
    ]
    return Counter(found)


def _at_all(one: Counter[str], other: Counter[str]) -> bool:
    return one != other


def _both_say(one: Counter[str], other: Counter[str]) -> bool:
    return bool(one and other) and one != other


def _own_against_any(one: Counter[str], other: Counter[str]) -> bool:
    pairs = ((mine, theirs) for mine, theirs in ((one, other), (other, one)))
    return any(f"any {key[4:]}" in theirs for mine, theirs in pairs for key in mine if key.startswith("own "))


def _each_its_own(one: Counter[str], other: Counter[str]) -> bool:
    return bool(one - other) and bool(other - one)


Measure = Callable[[Statement], Counter[str]]
MEASURES: tuple[tuple[Measure, Callable[[Counter[str], Counter[str]], bool]], ...] = (
    (choices, _at_all), (question, _at_all), (names, _each_its_own), (tense, _both_say), (what_is_denied, _both_say),
    (what_is_all, _both_say), (senses, _each_its_own), (whose, _own_against_any), (speakers, _both_say),
)  # fmt: skip
"""What is compared, and when it makes a difference."""
