"""Read receivers and types as written: a receiver becomes steps, a type becomes a name with arguments."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

OPENERS = {"(": ")", "[": "]", "{": "}"}
BRACKET_OR_QUOTE = re.compile(r"[()\[\]{}\"'`]")
SPLITTER = re.compile(r"[()\[\]{}\"'`,<]")
STRING_ENDS = {quote: re.compile(rf"[\\{quote}]") for quote in "\"'`"}
"""What can end a string: its quote, or a backslash that keeps what follows from doing so."""
PREFIX = re.compile(r"(?:(?:await|co_await|mut|yield|try)\b|[&*!~+-])\s*")
NEW = re.compile(r"new\s+")
WORD = re.compile(r"(?:[$@]{0,2}|#)[^\W\d][\w$]*|\$[\w$]*")
SEPARATOR = re.compile(r"\s*(?:\?\.|!!\.|!\.|\.|::|->|\?->|\\|:(?=\w))\s*")
POSTFIX = re.compile(r"\s*(?:!!|[!?])(?!=)")
GENERICS = re.compile(r"\s*(?:::)?<[^<>()]*(?:<[^<>()]*(?:<[^<>()]*>)?[^<>()]*>)?[^<>()]*>(?=\s*[(.:\w]|$)")
CAST = re.compile(r"\(\s*([A-Z][\w.$]*(?:<[^()]*>)?)\s*\)\s*(?=[\w$(@\"'])")
GENERIC_CALL = re.compile(
    r"\[\s*(?:[*\[\]]*(?:[a-z]\w*\.)*[A-Z]|[*\[\]]*(?:u?int\d*|float\d*|string|bool|byte|rune|error|any)\b|\[\])[^()]*\]\("
)
"""Type arguments in square brackets before the arguments; an index before them would be a number or a variable."""
ASSERTION = re.compile(r"\.\(\s*(\*?[\w.]+)\s*\)")
"""The type that a value is said to have: `err.(*HTTPError)`."""
DEFAULTS = ("??", "?:", "||")
MAX_ALTERNATIVES = 4
"""Defaults of defaults that are read: each is read within the one before."""
EITHER, BETWEEN = "either", "\0"
LITERAL = re.compile(r"[\"'`\d]|[fFrRbBuU]{1,2}[\"']")
WHOLE_LITERAL = re.compile(r"(?P<string>\"(?:[^\"\\\n]|\\.)*\")$|(?P<integer>\d[\d_]*)$")
UNION = "|"
"""The name of a type that is one of several."""
MAXIMUM_UNION = 8
"""Types of a union that are read: one of more says nothing of its members."""
MAX_STEPS = 40
"""Longer chains are builders; their value is not worth the time."""


class Step(NamedTuple):
    """One step of a receiver: `name` is a variable, member, called function, constructed or cast-to type."""

    kind: str
    """name, call, new, cast, index, literal or either (`name` is two expressions)."""
    name: str = ""
    arguments: int | None = None


class TypeName(NamedTuple):
    """A type as written: dotted name without decoration, and its type arguments."""

    name: str
    arguments: tuple[TypeName, ...] = ()


@lru_cache(maxsize=65536)
def receiver_steps(text: str) -> tuple[Step, ...]:
    """Split a receiver into steps, or return () when it is no chain of names, calls and indexes."""
    try:
        steps, end = _steps(text.strip(), 0)
    except _Unreadable:
        if not any(operator in text for operator in DEFAULTS):
            return ()
        try:
            steps, end = _one_of(text), len(text)
        except _Unreadable:
            return ()
    return tuple(steps) if end and len(steps) <= MAX_STEPS else ()


class _Unreadable(Exception):
    pass


def _steps(text: str, start: int) -> tuple[list[Step], int]:
    steps, position = _first(text, start)
    while position < len(text):
        if match := POSTFIX.match(text, position):
            position = match.end()
        elif text[position] == "[":
            opening, position = position, _closing(text, position)
            if steps[-1].kind == "name" and GENERIC_CALL.match(text, opening):
                close = _closing(text, position)
                steps[-1] = Step("call", steps[-1].name, _count(text[position + 1 : close - 1]))
                position = close
            else:
                steps.append(Step("index"))
        elif text[position] == "{" and steps[-1].kind == "name" and steps[-1].name[:1].isupper():
            position = _closing(text, position)  # a literal of a type, or its construction with a block
            made = ".".join(step.name for step in steps) if all(step.kind == "name" for step in steps) else ""
            steps = [Step("new", made)] if made else steps
        elif assertion := ASSERTION.match(text, position):
            steps, position = [Step("cast", assertion.group(1).lstrip("*"))], assertion.end()
        elif match := SEPARATOR.match(text, position):
            position = match.end()
            step, position = _member(text, position)
            steps.append(step)
        elif text[position:].isspace():
            break
        else:
            raise _Unreadable
    return steps, position


def _first(text: str, start: int) -> tuple[list[Step], int]:
    position = start
    while match := PREFIX.match(text, position):
        position = match.end()
    if position >= len(text):
        raise _Unreadable
    if LITERAL.match(text, position):
        whole = WHOLE_LITERAL.match(text, position)
        return [Step("literal", whole.lastgroup or "" if whole else "")], len(text)
    if match := NEW.match(text, position):
        step, position = _member(text, start := match.end())
        if step.kind == "call" and (generics := GENERICS.match(text, start + len(step.name))):
            return [Step("new", step.name + generics.group().strip(), step.arguments)], _after_body(text, position)
        while match := SEPARATOR.match(text, position):
            if step.kind == "call":
                break
            after, position = _member(text, match.end())
            step = Step(after.kind, f"{step.name}.{after.name}", after.arguments)
        return [Step("new", step.name, step.arguments)], _after_body(text, position)
    if text[position] == "(":
        close = _closing(text, position)
        inside = text[position + 1 : close - 1]
        if (match := CAST.match(text, position)) and close == text.index(")", position) + 1 and text[close:].strip():
            return [Step("cast", match.group(1))], len(text)
        if match := CAST.match(inside):
            return [Step("cast", match.group(1))], close
        if match := re.fullmatch(r"(.+?)\s+(?:as[?!]?|satisfies)\s+([\w.$]+(?:<.*>)?)", inside.strip()):
            return [Step("cast", match.group(2))], close
        return list(_one_of(inside)), close
    step, position = _member(text, position)
    return [step], position


def _after_body(text: str, position: int) -> int:
    """Step over the body of an anonymous class, which the receiver's text may cut off."""
    rest = text[position:].lstrip()
    if not rest.startswith("{"):
        return position
    try:
        return _closing(text, len(text) - len(rest))
    except _Unreadable:
        return len(text)


def _one_of(text: str) -> list[Step]:
    """Read two values of which one stands for the other (`given ?? Options()`) as one step, or the one that can be read."""
    for operator in DEFAULTS:
        first, found, last = text.partition(operator)
        if found and text.count(operator) > MAX_ALTERNATIVES:
            raise _Unreadable
        if found:
            readable = [part.strip() for part in (first, last) if receiver_steps(part)]
            if len(readable) == 2:
                return [Step(EITHER, BETWEEN.join(readable))]
            return _inner_steps(readable[0] if readable else text)
    return _inner_steps(text)


def _inner_steps(text: str) -> list[Step]:
    steps, end = _steps(text.strip(), 0)
    if end < len(text.strip()):
        raise _Unreadable
    return steps


def _member(text: str, start: int) -> tuple[Step, int]:
    if start < len(text) and text[start] == "<" and (generics := GENERICS.match(text, start)):
        start = generics.end()
    match = WORD.match(text, start)
    if not match:
        raise _Unreadable
    name = match.group()
    position = match.end()
    if generics := GENERICS.match(text, position):
        position = generics.end()
    if position < len(text) and text[position] == "(":
        close = _closing(text, position)
        return Step("call", name, _count(text[position + 1 : close - 1])), close
    return Step("name", name), position


def _closing(text: str, start: int) -> int:
    """Return the position after the bracket that closes the one at `start`; strings are stepped over."""
    stack: list[str] = []
    position = start
    while match := BRACKET_OR_QUOTE.search(text, position):
        position, character = match.start(), match.group()
        if character in OPENERS:
            stack.append(OPENERS[character])
        elif character in "\"'`":
            position = _string_end(text, position)
            continue
        elif stack and character == stack[-1]:
            stack.pop()
            if not stack:
                return position + 1
        position += 1
    raise _Unreadable


def _string_end(text: str, start: int) -> int:
    quote = text[start]
    ends = STRING_ENDS[quote]
    position = start + 1
    while match := ends.search(text, position):
        if match.group() == quote:
            return match.end()
        position = match.end() + 1
    return len(text)


def _count(arguments: str) -> int | None:
    """Count arguments at the top level; None when one is spread."""
    if re.search(r"(?:^|,)\s*(?:\*|\.\.\.)|\.\.\.\s*(?:,|$)", arguments):
        return None
    return len(argument_texts(arguments))


def argument_texts(arguments: str) -> tuple[str, ...]:
    """Split what stands between the brackets of a call at its commas; strings and brackets are stepped over."""
    texts: list[str] = []
    depth = position = start = 0
    while match := SPLITTER.search(arguments, position):
        position, character = match.start(), match.group()
        if character in "\"'`":
            position = _string_end(arguments, position)
            continue
        if character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
        elif character == "," and depth == 0:
            texts.append(arguments[start:position].strip())
            start = position + 1
        elif character == "<" and (generics := GENERICS.match(arguments, position)):
            position = generics.end()
            continue
        position += 1
    last = arguments[start:].strip()
    return (*texts, last) if last else tuple(texts)


def closing(text: str, start: int) -> int:
    """Return the position after the bracket that closes the one at `start`, -1 when none does."""
    try:
        return _closing(text, start)
    except _Unreadable:
        return -1


TYPE_NOISE = re.compile(
    r"(?<![:.\w])(?:const|mut|dyn|impl|ref|final|volatile|struct|class|enum|readonly|out|in|inout|some|any|lateinit|async|unsigned|static)\b(?!\s*(?:::|\.))\s*|'\w+\s*|@[\w.]+(?:\([^)]*\))?\s*"
)
KEY_COLON = re.compile(r"(?<!:):(?!:)")
CHANNEL = re.compile(r"(?:<-\s*)?chan\b(?:\s*<-)?\s*")
NAMED_RESULT = re.compile(r"(?!(?:func|chan|map|struct|interface)\b)[^\W\d]\w*\s+(?=[*\[\w(<])(.+)$", re.DOTALL)
"""A result that has a name before its type."""
TYPE_WORD = re.compile(r"[$\\]?[^\W\d][\w$]*(?:(?:\.|::|\\)[^\W\d][\w$]*)*")


@lru_cache(maxsize=65536)
def type_name(text: str, nothing: frozenset[str] = frozenset()) -> TypeName | None:
    """Read a declared type; None when it is a union of several types, a function type or not readable."""
    text = TYPE_NOISE.sub("", text.strip().strip("\"'").strip()).lstrip(":").strip().rstrip("?!").strip()
    parts = [part for part in split_top(text, "|") if part.strip() and part.strip() not in nothing]
    if len(parts) != 1:
        return None
    text = parts[0].strip()
    if text.startswith("(") and text.endswith(")"):
        # Several results: a variable that takes the call's value takes the first. One is a union in brackets.
        return type_name(result_types(text)[0], nothing)
    if channel := CHANNEL.match(text):
        element = type_name(text[channel.end() :], nothing)
        return TypeName("chan", (element,) if element else ())
    if text.startswith("[]"):
        element = type_name(text[2:], nothing)
        return TypeName("[]", (element,) if element else ())
    core = text.lstrip("*& ").rstrip("?! ")
    if core.startswith("[") and core.endswith("]"):
        parts = KEY_COLON.split(split_top(core[1:-1], ";")[0])
        return TypeName(
            "[]" if len(parts) == 1 else "[:]", tuple(type_name(part, nothing) or TypeName("") for part in parts)
        )
    text = text.lstrip("*&?[ ").rstrip("*&?!. ")
    if text.endswith("[]"):
        element = whole_type(text[:-2], nothing)
        return TypeName("[]", (element,) if element else ())
    match = TYPE_WORD.match(text)
    if not match:
        return None
    name = match.group().lstrip("\\")
    rest = text[match.end() :].strip()
    if rest[:1] == "[" and (table := re.match(r"\[([^\[\]]*)\](?=[\w*\[])", rest)):
        pair = (table.group(1), rest[table.end() :])
        return TypeName(name, tuple(type_name(part, nothing) or TypeName("") for part in pair))
    if rest[:1] in ("<", "[") and len(rest) > 1:
        arguments = tuple(whole_type(part, nothing) or TypeName("") for part in split_top(rest[1:-1], ","))
        return TypeName(name, arguments)
    made = (
        rest[:1] == "(" and rest[-1:] == ")" and name.rpartition(".")[2][:1].isupper()
    )  # `List(u8)`: a type by a call
    return TypeName(name) if not rest or made or rest[0] in "])+&" else None


def result_types(text: str) -> list[str]:
    """Split several results in brackets into their types, names before or after them left out: `(page *Page, err error)`."""
    parts = [part.strip() for part in split_top(text[1:-1], ",")]
    if not any(NAMED_RESULT.match(part) for part in parts):
        return parts
    types: list[str] = []
    for part in reversed(parts):  # `(a, b int)`: the type that follows is theirs
        named = NAMED_RESULT.match(part)
        types.append(named.group(1) if named else types[-1] if types and part.isidentifier() else part)
    return types[::-1]


def whole_type(text: str, nothing: frozenset[str] = frozenset()) -> TypeName | None:
    """Read a declared type; one of several types becomes `UNION` with them as arguments."""
    if (name := type_name(text, nothing)) is not None or "|" not in text:
        return name
    text = text.strip().strip("\"'").lstrip(": ")
    if text.startswith("(") and text.endswith(")"):
        text = text[1:-1]
    parts = [part.strip() for part in split_top(text, "|") if part.strip() and part.strip() not in nothing]
    if not 1 < len(parts) <= MAXIMUM_UNION:
        return None
    return TypeName(UNION, tuple(type_name(part, nothing) or TypeName("") for part in parts))


def split_top(text: str, separator: str) -> list[str]:
    """Split at the top level of all brackets."""
    parts: list[str] = []
    depth = start = 0
    for position, character in enumerate(text):
        if character in "([{<":
            depth += 1
        elif character in ")]}>" and text[position - 1 : position] not in ("-", "="):
            depth -= 1
        elif character == separator and depth == 0:
            parts.append(text[start:position])
            start = position + 1
    parts.append(text[start:])
    return parts
