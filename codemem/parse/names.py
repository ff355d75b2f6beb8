"""Normalise type names as languages write them: of errors, supertypes, bindings and owners."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping

PATH = re.compile(r"[\w$@\\]+(?:(?:\.|::|->|\\|\?\.)[\w$]+[!?]?)*", re.UNICODE)
LEADING = re.compile(
    r"^(?:(?:new|throw|raise|await|const|final|mut|ref|var|val|let|any|some|dyn|impl|in|out|readonly|struct|class|enum)"
    r"\b\s*|'\w+\s+|[&*(\[\]:@?!\s.\\]+)+"
)
JOINT = re.compile(r"\s*(?:[?!]\s*)?(?:\.|::)\s*$")
UNREADABLE = "()"
"""Stands for a receiver that is no name: a literal, a block."""
LAST_WORD = re.compile(r"\w+$")
SEPARATOR = re.compile(r"::|->|\?\.|\.|\\")
POINTERS = frozenset(("Box", "Arc", "Rc"))
"""What an error is put into without becoming another."""
CONSTRUCTORS = frozenset(("new", "New", "create", "of", "from", "with_message", "exception"))
"""Names of functions that make what stands before them: `FooError::new(…)`, `FooError.new`."""
WRAPPERS = frozenset(
    ("Optional", "Option", "Nullable", "Box", "Rc", "Arc", "RefCell", "Mutex", "RwLock", "Cow", "Annotated", "Final",
     "ClassVar", "Required", "NotRequired", "Readonly", "Partial", "Promise", "Awaitable", "unique_ptr", "shared_ptr",
     "weak_ptr", "Ref", "Lazy", "Provider", "Type", "type")
)  # fmt: skip
"""Generic types that stand for their first argument when a method is called on them."""
RESULT_ARGUMENT = {"Result": -1, "Expected": -1, "expected": -1, "Either": 0, "Validated": 0, "IO": 0, "result": -1}
"""Which type argument of a result type is the error."""
ATOM = re.compile(r":[A-Za-z_]\w*$")
"""A name that stands for itself (`throw(:not_found)`)."""
ERROR_SET = re.compile(r"error\s*\{([\w\s,]*)\}$")
"""A set of errors written where it is used."""
RESULT = "Result"
"""A type whose name ends so says that something can fail, not how: `FutureResult`."""
NOTHING = frozenset(("None", "null", "undefined", "nil", "void", "unit", "Nothing"))
QUOTES = "\"'`"


def type_path(text: str) -> str:
    """Return the dotted name a type text starts with, without generics, pointers and nullable marks."""
    text = _strip_leading(text)
    found = PATH.match(text)
    return found.group().replace("::", ".").replace("\\", ".").strip(".?!") if found else ""


def simple_type(text: str) -> str:
    """Return the last part of the type's name."""
    return type_path(text).rpartition(".")[2]


def bound_type(text: str) -> str:
    """Return the type path a declared variable has for its method calls: `Optional[Order]` is `Order`."""
    for _ in range(4):
        text = _first_alternative(text)
        path = type_path(text)
        if path.rpartition(".")[2] not in WRAPPERS:
            return path
        arguments = _arguments(_strip_leading(text)[len(path) :])
        if not arguments:
            return path
        text = arguments[0]
    return type_path(text)


def owner_name(text: str) -> str:
    """Return an owner as a qualifier: `Foo<T>` and `A::B` become `Foo` and `A.B`."""
    if not text or text.isidentifier():
        return text
    plain = re.sub(r"<.*>|\[.*\]", "", text)
    plain = re.sub(r"\s+", "", plain.strip(QUOTES + "&*() "))
    return plain.replace("::", ".").replace(":", ".").replace("\\", ".").strip(".")


def split_types(text: str) -> tuple[str, ...]:
    """Split `(A, B)` and `A | B` into their types; anything else is one."""
    text = text.strip()
    if text[:1] in "([" and text[-1:] in ")]" and _arguments(text):
        return tuple(part for each in _arguments(text) for part in split_types(each))
    parts = _split(text, "|")
    return tuple(part.strip() for part in parts if part.strip())


def caught_type(text: str) -> str:
    """Return the simple name of a caught or declared type; a parameter `const Foo &e` gives `Foo`."""
    return simple_type(text)


def returned_errors(text: str, aliases: Mapping[str, str]) -> tuple[str, ...]:
    """Return the error types of a result type, several where it lists them: `error{Empty, Closed}`, `ReadError || Closed`."""
    found: list[str] = []
    for part in text.split("||"):
        listed = ERROR_SET.match(part.strip())
        found.extend(listed.group(1).replace(",", " ").split() if listed else (returned_error(part, aliases),))
    return tuple(dict.fromkeys(found))


def returned_error(text: str, aliases: Mapping[str, str]) -> str:
    """Return the error type of a result type: `Result<T, E>` is `E`, a plain name is itself."""
    text = text.strip()
    if text in aliases:
        return aliases[text]
    bare = text.lstrip("-> :")
    head = type_path(bare)
    name = head.rpartition(".")[2]
    if name in aliases:
        return aliases[name]
    arguments = _arguments(_strip_leading(bare)[len(head) :]) if head else []
    if name in POINTERS and arguments:
        return returned_error(arguments[0].removeprefix("dyn ").partition("+")[0], aliases)
    if name in RESULT_ARGUMENT and len(arguments) > 1:
        return simple_type(arguments[RESULT_ARGUMENT[name]])
    return RESULT if name.endswith(RESULT) else name


def raised_type(text: str, aliases: Mapping[str, str], functions: Container[str], known: Container[str]) -> str:
    """Return the type that a raised expression has by its spelling, empty when it is a variable or a literal.

    Args:
        text: The expression, `new Foo("x")`, `errors.New("x")`, `err`.
        aliases: The row's table of expressions and their types.
        functions: Names of functions of this file: calling one tells no type.
        known: Names of classes of this file and imported names: such a name is a type even in lower case.
    """
    if text in aliases:
        return aliases[text]
    if ATOM.match(text):
        return text[1:]
    if text.lstrip()[:1] in tuple(QUOTES):
        return ""  # `'Invalid arguments'` begins like a lifetime
    text = _strip_leading(text)
    found = PATH.match(text)
    if found is None or text[0] in QUOTES or text[0].isdigit():
        return ""
    path, rest = found.group(), text[found.end() :].lstrip()
    if path in aliases:
        return aliases[path]
    parts = [part.rstrip("!?") for part in SEPARATOR.split(path) if part]
    if not parts or (rest[:1] in QUOTES and rest[:1]):
        return ""
    if rest[:1] == "!" and rest[1:2] in ("(", "[", "{"):
        return ""  # a macro makes what it likes
    if len(parts) > 1 and parts[-1] in CONSTRUCTORS:
        parts.pop()
    name = parts[-1]
    if name in aliases:
        return aliases[name]
    if rest[:1] == "<":
        rest = _after_bracket(rest).lstrip()
    called = rest[:1] in ("(", "{") or (rest[:1] == ",")
    if called and _after_bracket(rest).lstrip()[:1] == "(":
        return ""
    if name in NOTHING:
        return ""
    if name[:1].isupper() or (name[:1] == "_" and name.lstrip("_")[:1].isupper()):
        return name
    if name in functions:
        return ""
    if called:
        return name
    return name if name in known or (len(parts) > 1 and parts[0] in known) else ""


def without_arguments(text: str) -> str:
    """Return a call expression without its last argument list: `a.b(c)` is `a.b`."""
    if not text.endswith(")"):
        return text
    depth = 0
    for index in range(len(text) - 1, -1, -1):
        depth += (text[index] == ")") - (text[index] == "(")
        if depth == 0:
            return text[:index]
    return text


def joined_before(text: str) -> str | None:
    """Return the receiver that ends a text of bare tokens: `(a, self.items[0].first().` gives `self.items[0].first()`."""
    end = JOINT.search(text)
    if end is None:
        return None
    position = end.start()
    while True:
        while position and text[position - 1] in ")]":
            opened = _opening(text, position)
            if opened < 0:
                return UNREADABLE  # it began before the text that is kept
            position = opened
        name = LAST_WORD.search(text, 0, position)
        position = name.start() if name else position
        joint = JOINT.search(text[:position])
        if joint is None:
            return text[position : end.start()].strip() or UNREADABLE
        position = joint.start()


def _opening(text: str, end: int) -> int:
    """Return where the bracket opens that closes right before `end`, -1 when it does not."""
    depth = 0
    for position in range(end - 1, -1, -1):
        depth += (text[position] in ")]}") - (text[position] in "([{")
        if depth == 0:
            return position
    return -1


def _strip_leading(text: str) -> str:
    text = text.strip()
    found = LEADING.match(text)
    return text[found.end() :] if found else text


def _first_alternative(text: str) -> str:
    """Return the first part of a union that is not the absent value."""
    if "|" not in text:
        return text
    parts = [part for part in _split(text, "|") if part.strip() and part.strip(" ()") not in NOTHING]
    return parts[0] if parts else text


def _arguments(text: str) -> list[str]:
    """Return the comma-separated parts inside the bracket that `text` starts with."""
    text = text.strip()
    if text[:1] not in ("<", "[", "("):
        return []
    inner = text[1 : len(text) - len(_after_bracket(text)) - 1]
    return [part.strip() for part in _split(inner, ",") if part.strip()]


def _split(text: str, separator: str) -> list[str]:
    """Split at separators outside brackets."""
    parts, depth, last = [], 0, 0
    for index, character in enumerate(text):
        if character in "<[({":
            depth += 1
        elif character in ">])}":
            depth -= 1
        elif character == separator and depth == 0:
            parts.append(text[last:index])
            last = index + 1
    parts.append(text[last:])
    return parts


def _after_bracket(text: str) -> str:
    """Return what follows the bracket that `text` starts with; nothing when it does not close."""
    depth = 0
    for index, character in enumerate(text):
        if character in "<[({":
            depth += 1
        elif character in ">])}":
            depth -= 1
            if depth == 0:
                return text[index + 1 :]
    return ""
