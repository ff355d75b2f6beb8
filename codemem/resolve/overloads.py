"""Choose among definitions of one name and arity by the types of the arguments, as far as the syntax gives them.

A definition is out when an argument surely does not fit. One that is left alone is meant; of several, the only one whose
parameters are exactly the arguments' types wherever the definitions differ. Anything less stays ambiguous.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

from codemem.resolve.expressions import TypeName, type_name
from codemem.resolve.inference import value_of
from codemem.resolve.names import Found
from codemem.resolve.places import Place
from codemem.resolve.profile import Profile, profile_of
from codemem.resolve.records import Symbol, enclosing_names
from codemem.resolve.session import Session
from codemem.resolve.signatures import OPEN_END, RECEIVER
from codemem.resolve.typenames import ancestors, find_type
from codemem.resolve.values import Instance, Outside

NO, UNKNOWN, CONVERTED, FITS, EXACT = -1, 0, 1, 2, 3
"""How an argument stands to a parameter."""
LAMBDA, NOTHING, FOREIGN, UNTYPED = "lambda", "nothing", "foreign", ""
ARRAY = "[]"
TEXT = re.compile(r'(?:[$@]*"""[\s\S]*"""|(?:[$@fLuUR]|u8)*"(?:[^"\\\n]|\\.)*")$')
CHARACTER = re.compile(r"'(?:[^'\\\n]|\\.[^']*)'$")
NUMBER = re.compile(r"[-+]?(?:0[xXbB][\da-fA-F_]+|\d[\d_]*)(\.\d[\d_]*)?(?:[eE][-+]?\d+)?([lLfFdDmMuU]*)$")
TRUTH = re.compile(r"(?:true|false)$|^![\w(]|[^=!<>]==[^=]|!=|&&|\|\|| instanceof ")
EMPTY = re.compile(r"(?:null|nil|nullptr|NULL)$")
BODY = re.compile(
    r"(?:\{|\(?[\w\s,:<>]*\)?\s*(?:->|=>)|\[[^\]]*\]\s*\([^()]*\)[^{]*\{|[\w.]+::\w+$|async\b|delegate\b)"
)
JOINED = re.compile(r'"(?:[^"\\\n]|\\.)*"\s*\+')
FRESH_ARRAY = re.compile(r"new\s+[\w.]+(?:<[^<>]*>)?\s*\[")
CLASS = re.compile(r"[\w.\[\]]+\.class$")
LABEL = re.compile(r"([^\W\d]\w*)\s*(?::(?!:)|=(?![=>]))\s*(?=\S)")


class Argument(NamedTuple):
    """What is known of one argument: the kind of a literal, or a type of the repository or from outside."""

    label: str = ""
    kind: str = UNTYPED
    type: Symbol | None = None
    name: str = ""
    """The type of a variable: only the very same is exact, a literal's kind has several."""
    element: str = ""
    """What an array holds."""
    fresh: bool = False
    """Made where it stands: no test before it can have narrowed its type."""


def by_types(
    session: Session, place: Place, texts_of_calls: Sequence[tuple[str, ...]], line: int, rows: Sequence[Symbol]
) -> Sequence[Symbol]:
    """Return the definitions that the arguments leave: one when it is sure, all when nothing is known."""
    if len({(row.path, row.parent, row.name) for row in rows}) > 1 or not all(row.types for row in rows):
        return rows
    if all(row.types[0].startswith(RECEIVER) for row in rows) and any(
        len(texts) < len(row.types) for texts in texts_of_calls for row in rows
    ):
        rows = [row._replace(types=row.types[1:]) for row in rows]  # the first argument stands before the call
        if not all(row.types for row in rows):
            return rows
    found: dict[Symbol, None] = {}
    for texts in texts_of_calls:
        found.update(dict.fromkeys(_chosen(session, place, texts, line, rows)))
    return list(found) or rows


def _chosen(
    session: Session, place: Place, texts: Sequence[str], line: int, rows: Sequence[Symbol]
) -> Sequence[Symbol]:
    arguments = tuple(_argument(session, place, text, line) for text in texts)
    key = ("overload", place.head.language, tuple((row.key, row.types) for row in rows), arguments)
    return session.remember(key, lambda: _compared(session, place.profile, arguments, rows))


def _compared(
    session: Session, profile: Profile, arguments: Sequence[Argument], rows: Sequence[Symbol]
) -> Sequence[Symbol]:
    """Compare arguments with the parameters of each definition: calls of one name are mostly written alike."""
    standing = {row: _standing(session, row, arguments, profile) for row in rows}
    left = _without_defaults([row for row in rows if NO not in standing[row]] or list(rows), arguments)
    if len(left) < 2 or len(left) == len(rows) == sum(NO in standing[row] for row in rows):
        return left
    differing = [at for at in range(len(arguments)) if len({_type_at(row, at, arguments[at]) for row in left}) > 1]
    exact = [row for row in left if differing and all(standing[row][at] == EXACT for at in differing)]
    if len(exact) == 1:
        return exact
    direct = [row for row in left if all(standing[row][at] >= FITS for at in differing)]
    if len(direct) == 1 and all(
        CONVERTED in standing[row] and UNKNOWN not in standing[row] for row in left if row not in direct
    ):
        return direct  # what takes the value as it is goes before what it would have to become another one for
    narrowest = [row for row in left if all(_goes_before(session, row, other, differing, standing) for other in left)]
    if len(narrowest) == 1:
        return narrowest
    closed = [row for row in left if row.parameters is not None]
    known = all(argument.type or (argument.kind in profile_of(rows[0].language).literals) for argument in arguments)
    if len(closed) == 1 and known and all(standing[closed[0]][at] >= FITS for at in range(len(arguments))):
        return closed  # a definition with so many parameters goes before one that takes any number
    return left


def _without_defaults(rows: list[Symbol], arguments: Sequence[Argument]) -> list[Symbol]:
    """Drop definitions that need defaults where one takes the same types and just as many arguments."""

    def taken(row: Symbol) -> tuple[str | None, ...]:
        return tuple(_type_at(row, at, argument) for at, argument in enumerate(arguments))

    exact = {taken(row) for row in rows if row.parameters == len(arguments)}
    return [row for row in rows if row.parameters == len(arguments) or taken(row) not in exact]


def _goes_before(
    session: Session, row: Symbol, other: Symbol, places: Sequence[int], standing: dict[Symbol, list[int]]
) -> bool:
    """Tell whether a definition takes a narrower type than another wherever they differ, and surely takes the arguments."""
    return row is other or all(standing[row][at] >= FITS and _is_narrower(session, row, other, at) for at in places)


def _is_narrower(session: Session, row: Symbol, other: Symbol, at: int) -> bool:
    first, second = (_type_at(each, at, Argument()) or "" for each in (row, other))
    profile = profile_of(row.language)
    given, wanted = type_name(first, profile.nothing), type_name(second, profile.nothing)
    if first == second or given is None or wanted is None:
        return first == second
    if wanted.name in profile.everything:
        return given.name not in profile.everything
    if number := profile.literal_kind(given.name):
        return wanted.name in profile.literals[number][1]
    kind, target = _own(session, row, given), _own(session, other, wanted)
    return bool(kind and target and any(step.key == target.key for step in ancestors(session, kind)[0]))


def _argument(session: Session, place: Place, text: str, line: int) -> Argument:
    label = ""
    if place.profile.labels and (found := LABEL.match(text)) is not None:
        label, text = found.group(1), text[found.end() :]
    for pattern, kind in ((TEXT, "string"), (CHARACTER, "character"), (EMPTY, NOTHING)):
        if pattern.match(text):
            return Argument(label, kind)
    if (number := NUMBER.match(text)) is not None:
        suffix = number.group(2).lower()
        whole = "long" if "l" in suffix else "integer"
        return Argument(label, "float" if "f" in suffix else "double" if number.group(1) or "d" in suffix else whole)
    if BODY.match(text):
        return Argument(label, LAMBDA)
    if JOINED.match(text):
        return Argument(label, "string")
    if "?" not in text and TRUTH.search(text):
        return Argument(label, "truth")
    if FRESH_ARRAY.match(text):
        return Argument(label, FOREIGN, name=ARRAY)
    if CLASS.match(text):
        return Argument(label, FOREIGN, name="Class")
    value = value_of(session, place, text, line)
    if isinstance(value, Instance) and value.sure:
        return Argument(label, type=value.type, fresh="(" in text or value.type.kind == "enum")
    if isinstance(value, Outside) and value.name:
        known = value.name not in place.profile.everything or not place.profile.narrowing
        kind = place.profile.literal_kind(value.name) or (FOREIGN if known else UNTYPED)
        return Argument(label, kind, name=value.name, element=_element(value) if value.name == ARRAY else "")
    return Argument(label)


def _element(value: Outside) -> str:
    """Name the type of what an array holds, where that is no array."""
    held = value.arguments[0] if value.arguments else None
    if isinstance(held, Outside):
        return held.name if held.name != ARRAY else ""
    return held.type.name if isinstance(held, Instance) else ""


def _standing(session: Session, row: Symbol, arguments: Sequence[Argument], profile: Profile) -> list[int]:
    return [
        _against(session, row, _type_at(row, at, argument), argument, profile) for at, argument in enumerate(arguments)
    ]


def _type_at(row: Symbol, at: int, argument: Argument) -> str | None:
    """Return the parameter's type that an argument goes to, None when no parameter has its label."""
    if argument.label:
        return next((text.partition(":")[2] for text in row.types if text.partition(":")[0] == argument.label), None)
    return row.types[min(at, len(row.types) - 1)].partition(":")[2]


def _against(session: Session, row: Symbol, text: str | None, argument: Argument, profile: Profile) -> int:
    if text is None:
        return NO
    if text.endswith(OPEN_END) and argument.name == ARRAY:
        text = text.removesuffix(OPEN_END) + ARRAY
    wanted = type_name(text.removesuffix(OPEN_END), profile.nothing)
    if wanted is None:
        return NO if _is_function(text) and (argument.type or profile.is_literal(argument.kind)) else UNKNOWN
    simple = wanted.name.replace("::", ".").rpartition(".")[2]
    if any(simple == name for name, _ in row.generics) or (len(simple) == 1 and simple.isupper()):
        return UNKNOWN
    if argument.type is not None:
        return NO if wanted.name == ARRAY else _own_type(session, row, wanted, simple, argument, argument.type, profile)
    if argument.kind in (LAMBDA, NOTHING):
        return NO if _refuses(session, row, wanted, simple, argument.kind, text, profile) else UNKNOWN
    if argument.kind == UNTYPED:
        return UNKNOWN
    if argument.kind == FOREIGN:
        return _foreign(wanted, simple, argument, {name for name, _ in row.generics}, profile)
    if "*" in text:
        return EXACT if argument.kind == "string" and simple == "char" and not argument.name else NO
    return _literal(session, row, wanted, simple, argument, profile)


def _literal(session: Session, row: Symbol, wanted: TypeName, simple: str, given: Argument, profile: Profile) -> int:
    """Compare a literal, or a value of a type that literals have, with a parameter's type."""
    if wanted.name == ARRAY:
        return NO
    exact, fitting = profile.literals[given.kind]
    if simple == given.name or (simple in exact and not given.name):
        return EXACT
    if simple in exact or simple in fitting or simple in profile.everything:
        return FITS
    if profile.literal_kind(simple):
        return NO
    return NO if not profile.conversions and _own(session, row, wanted) is not None else UNKNOWN


def _foreign(wanted: TypeName, simple: str, given: Argument, generics: Collection[str], profile: Profile) -> int:
    """Compare a value of a foreign type with a parameter's type."""
    if (given.name == ARRAY) != (wanted.name == ARRAY):
        return FITS if simple in profile.everything else NO if profile.literal_kind(simple) else UNKNOWN
    if wanted.name == ARRAY:
        held = wanted.arguments[0].name.rpartition(".")[2] if wanted.arguments else ""
        return _held(held, given.element, held in generics, profile) if held and given.element else UNKNOWN
    if simple == given.name:
        return EXACT
    return NO if profile.literal_kind(simple) and not profile.conversions and not profile.narrowing else UNKNOWN


def _held(wanted: str, given: str, generic: bool, profile: Profile) -> int:
    """Compare what two arrays hold: numbers that are written small are of no other type."""
    if wanted == given:
        return UNKNOWN if generic else EXACT
    if any(name[:1].islower() and profile.literal_kind(name) and name != "string" for name in (wanted, given)):
        return NO
    return FITS if wanted in profile.everything else UNKNOWN


def _own_type(
    session: Session, row: Symbol, wanted: TypeName, simple: str, argument: Argument, given: Symbol, profile: Profile
) -> int:
    """Compare a value of an own type with a parameter's type."""
    target = _own(session, row, wanted)
    chain, leaves = ancestors(session, given)
    narrower = profile.narrowing and not argument.fresh
    other = CONVERTED if profile.conversions else NO
    if target is not None:
        if target.key == given.key:
            return EXACT
        return FITS if any(step.key == target.key for step in chain) else UNKNOWN if leaves or narrower else other
    if simple in profile.everything or any(simple == name for step in chain for name in step.extends):
        return FITS
    return other if profile.literal_kind(simple) or not (leaves or narrower) else UNKNOWN


def _own(session: Session, row: Symbol, wanted: TypeName) -> Symbol | None:
    head = session.head(row.path)
    found = find_type(session, wanted.name, head, enclosing_names(row.parent)) if head else None
    return found.symbols[0] if isinstance(found, Found) else None


def _is_function(text: str) -> bool:
    return "->" in text or "=>" in text


def _refuses(
    session: Session, row: Symbol, wanted: TypeName, simple: str, kind: str, text: str, profile: Profile
) -> bool:
    """Tell whether a lambda or null surely cannot go to a type."""
    if kind == NOTHING:
        small = profile.literal_kind(simple) and simple[:1].islower() and simple != "string"
        return bool(small) and wanted.name != ARRAY and "*" not in text and not text.endswith("?")
    if profile.literal_kind(simple) or wanted.name == ARRAY:
        return True
    target = None if profile.conversions else _own(session, row, wanted)
    return target is not None and target.kind in ("class", "enum")
