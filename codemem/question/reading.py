"""Read a question: its words, the names and paths in it, and whether it asks for tests, examples or prose."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from codemem.errors import BadQuery
from codemem.question.concepts import Concept, find_concepts
from codemem.question.foreign import apart, read_foreign
from codemem.question.literal import Literal, assigned, read_literals
from codemem.question.pasted import (
    FRAME,
    MOST_PHRASES,
    Frame,
    is_asking,
    is_pasted,
    read_fragments,
    read_frames,
    without_log_head,
)
from codemem.text import STOP_WORDS, is_spaceless, split_identifier, words

MOST_WORDS = 64
"""Distinct content words that are looked at: pasted logs are longer, their first words say enough."""
MOST_CHARACTERS = 10_000
"""The rest of a longer question is not read."""
LONGEST_JOIN = 4
"""Adjacent words that may be one name written apart: `create order`, `read http response body`."""

_NAME = r"[^\W\d][\w$]*"
# Patterns are texts, compiled by the first question that has what they look for: all of them cost a cold search 3 ms.
# Each can begin only where its first class does not continue to the left: long runs cost linear time.
_QUALIFIED = rf"(?<![\w$])(?:{_NAME}(?:::|->|\.|#|/))+{_NAME}(?:\(\))?[?!]?"
_CALL = rf"(?<![\w$])({_NAME})\s?\("
_CODE_WORD = r"^(?:[a-z]+[A-Z]|[A-Z]+[a-z0-9]+[A-Z]|[A-Z]{2,}[a-z]|[^\W_]+_\w|_+[^\W_]|[A-Z][A-Z0-9]+_)"
_QUOTED = r"\"([^\"\n]{2,200})\"|`([^`\n]{2,200})`|'([^'\n]{2,200})'"
_PUNCTUATED = r"(?<![\w.:/#-])\w+(?:[.:/#]+\w+)+(?![\w.:/#-])"
_CONSTANT = r"\b(?:[A-Z][A-Z0-9]*_[A-Z0-9_]+|[A-Z]{5,})\b"
_PATH = r"(?<![\w/@.+-])(?:\.{0,2}/)?(?:[\w@+-][\w.@+-]*/)*[\w@+-][\w.@+-]*\.[A-Za-z][A-Za-z0-9]{0,9}(?![\w/])"
_FOLDERS = r"(?<![\w/:@.+-])(?:[\w@.+-]+/)+[\w@.+-]*(?![\w/])"
DEFINITION_WORDS = frozenset(
    "defined definition define defines declared declaration implemented implementation signature".split()
)
RAISE_WORDS = frozenset("raise raises raised raising throw throws threw thrown throwing".split())
RETURN_WORDS = frozenset("return returns returned fail fails failing".split())
"""These ask for an error only together with the name of one."""
HANDLE_WORDS = frozenset(
    "catch catches caught catching handle handles handled handling rescue rescues rescued swallow swallows swallowed".split()
)
CALL_WORDS = frozenset(
    "call calls called calling caller callers invoke invokes invoked use uses used usage usages".split()
)
CREATE_WORDS = frozenset("creates created creating constructs constructed instantiates instantiated".split())
"""Of a type these ask for the calls of its constructor."""
SET_WORDS = frozenset(
    "set sets assign assigns assigned write writes written update updates updated modify modifies modified change changes changed "
    "initialise initialised initialize initialized mutate mutates mutated".split()
)
"""Of a variable or a field these ask for the lines that give it a value."""
_ASKS_TESTS = (
    r"\b(?:tests?|specs?|mocks?|fixtures?)$|\b(?:tests?|specs?)\s+(?:for|of|that|which|cases?|covering|about)\b"
    r"|\b(?:unit|integration|regression)[ -]tests?\b"
)
_ERROR_ENDINGS = ("Error", "Exception", "Warning", "Failure")
_SEEKS = r"^(?:all |every )?(?:who|what|which|where|find|list|show|code)\b|\b(?:callers?|usages?|users?|handlers?) of\b"
"""Questions for a place; `how does f call g` asks for an explanation."""
TEST_WORDS = frozenset({"test", "tests", "testing", "tested", "spec", "specs", "fixture", "fixtures", "mock", "mocks"})
EXAMPLE_WORDS = frozenset(
    {"example", "examples", "sample", "samples", "demo", "demos", "benchmark", "benchmarks", "tutorial"}
)
DATA_WORDS = frozenset(
    "json yaml yml toml xml csv ini configured configuration config settings dependencies dependency manifest schema "
    "workflow pipeline ci lint locale translation translations".split()
)
PROSE_WORDS = frozenset(
    "docs documentation documented readme guide changelog tutorial manual wiki faq howto cookbook".split()
)
_ASKS_PROSE = (
    r"\b(?:release|version) (?:that|which|where|when|notes?)\b"
    r"|\b(?:upgrade|migration|installation|install) (?:notes|guide|instructions)\b"
    r"|\b(?:section|chapter) (?:about|on|that|which)\b|\bcve-\d{4}|\bhow (?:do i|to) (?:install|contribute|upgrade)\b"
    r"|\b(?:changes|changed|new|news) (?:of|in|since|with) (?:version |release |v)\d"
)
"""What is asked of documentation without naming it: what changed in a release, how one installs."""


class Name(NamedTuple):
    """A symbol that the question names: `OrderService#createOrder` has scope (`OrderService`,)."""

    text: str
    scope: tuple[str, ...] = ()
    written: bool = True
    """False when the name was put together from plain words or is a plain word."""

    @property
    def key(self) -> str:
        return name_key(self.text)


class Question(NamedTuple):
    """What retrieval knows of the question before it looks at the index."""

    text: str
    content: tuple[str, ...]
    """Content words in order, as written."""
    parts: tuple[str, ...]
    """Lower-case parts of the content words, distinct, in order."""
    concepts: tuple[Concept, ...]
    names: tuple[Name, ...]
    phrases: tuple[str, ...]
    """What must stand there to the letter: quoted words, words with punctuation inside (`mail.host`), constants."""
    fragments: tuple[str, ...]
    """Runs of three words of a pasted log line or message, lower-case."""
    literals: tuple[Literal, ...]
    """What must stand in the source just so: options, routes, addresses, constants, code."""
    pasted: bool
    """The fragments are of a message for sure: an error's name, a level, a colon or a value marks it."""
    paths: tuple[str, ...]
    frames: tuple[Frame, ...]
    symbol: bool
    """The question is nothing but a symbol."""
    asks_errors: bool
    """A verb asks for raising or handling as such, so that errors may be described in plain words."""
    wants_raisers: bool
    wants_handlers: bool
    wants_callers: bool
    wants_tests: bool
    """The question is for tests; `mentions_tests`: tests are not to be demoted."""
    mentions_tests: bool
    wants_examples: bool
    wants_prose: bool
    wants_data: bool
    """The question is for settings or data."""


@lru_cache(maxsize=1 << 14)
def name_key(name: str) -> str:
    """Return what all spellings of a name have in common: `createOrder`, `create_order` and `CreateOrder` are one."""
    return "".join(split_identifier(name)) or name.lower()


def read_question(text: str, known: Callable[[str], bool] = lambda word: False) -> Question:
    """Read a question; raises `BadQuery` when there is nothing to look for.

    `known` says whether the repository holds a word; foreign words that it does not hold are said in English as well.
    """
    cleaned = "".join(character if character.isprintable() or character == "\n" else " " for character in text)
    cleaned = cleaned[:MOST_CHARACTERS].strip()
    if not cleaned:
        raise BadQuery(
            "the query is empty", "say what to look for, for example `codemem search 'where is createOrder defined'`"
        )
    foreign = read_foreign(cleaned, known)
    cleaned = apart(cleaned) if foreign.english else cleaned
    logged = without_log_head(cleaned)
    own = [word for word in words(logged) if word.lower() not in foreign.silent]
    all_words = list(dict.fromkeys((*own, *foreign.english))) or words(cleaned)
    content = [word for word in all_words if word.lower() not in STOP_WORDS] or all_words
    without_intent = [word for word in content if word.lower() not in DEFINITION_WORDS]
    content = (without_intent or content)[:MOST_WORDS]
    lowered = {word.lower() for word in all_words}
    fragments = () if foreign.asks else read_fragments(logged, logged is not cleaned)
    seeks = foreign.asks or _finds(_SEEKS, cleaned)
    names = _names(cleaned, content)
    if fragments:
        # `pkg.PoolError: connection exhausted` asks for the code that says so, not for the class of the error.
        names = tuple(name._replace(written=name.written and not name.text.endswith(_ERROR_ENDINGS)) for name in names)
    parts = tuple(dict.fromkeys(part for word in content for part in split_identifier(word)))
    frames = read_frames(cleaned)
    # Beside a stack trace nothing else is an address.
    literals = () if frames else read_literals(cleaned, foreign.asks or is_asking(cleaned))
    if seeks and lowered & SET_WORDS and not literals:
        literals = tuple(assigned(name.text) for name in names if name.written and not name.scope)
    return Question(
        text=" ".join((cleaned, *foreign.english)),
        content=tuple(content),
        parts=parts,
        concepts=find_concepts(content),
        names=names,
        phrases=_phrases(cleaned),
        fragments=fragments,
        literals=literals,
        pasted=bool(fragments) and (logged is not cleaned or is_pasted(cleaned)),
        paths=_paths(cleaned),
        frames=frames,
        symbol=_is_symbol(cleaned, names),
        asks_errors=bool(lowered & (RAISE_WORDS | HANDLE_WORDS)),
        wants_raisers=seeks and bool(lowered & (RAISE_WORDS | RETURN_WORDS)),
        wants_handlers=seeks and bool(lowered & HANDLE_WORDS),
        wants_callers=seeks and (bool(lowered & CALL_WORDS) or (bool(lowered & CREATE_WORDS) and _names_type(names))),
        wants_tests=foreign.asks_tests or _asks_tests(cleaned),
        mentions_tests=bool(lowered & TEST_WORDS),
        wants_examples=bool(lowered & EXAMPLE_WORDS),
        wants_prose=bool(lowered & PROSE_WORDS) or _finds(_ASKS_PROSE, cleaned.lower()),
        wants_data=bool(lowered & DATA_WORDS),
    )


def _has(text: str, characters: str) -> bool:
    return any(character in text for character in characters)


def _finds(pattern: str, text: str) -> bool:
    return re.search(pattern, text, re.IGNORECASE) is not None


def _asks_tests(text: str) -> bool:
    """Say whether the question is for tests; few name them at all."""
    lowered = text.lower()
    return any(word in lowered for word in ("test", "spec", "mock", "fixture")) and _finds(
        _ASKS_TESTS, text.rstrip("?!. ")
    )


def _names(text: str, content: list[str]) -> tuple[Name, ...]:
    """Find the names in a question: written ones first, then words that may be one name written apart."""
    found: dict[tuple[str, tuple[str, ...]], Name] = {}

    def keep(name: Name) -> None:
        found.setdefault((name.text, name.scope), name)

    qualified = re.finditer(_QUALIFIED, re.sub(FRAME, " ", text)) if _has(text, ".:/#>") else ()
    for match in qualified:
        if "/" in match.group() and "." in match.group():
            continue  # a file
        pieces = [piece for piece in re.split(r"::|->|[.#/]", match.group().removesuffix("()").rstrip("?!")) if piece]
        keep(Name(pieces[-1], tuple(pieces[:-1])))
    for match in re.finditer(_CALL, text) if "(" in text else ():
        keep(Name(match[1]))
    for word in content:
        if re.match(_CODE_WORD, word):
            keep(Name(word))
    if len(content) == 1 and not found:
        keep(Name(content[0]))
    written = {name.key for name in found.values()}
    plain = [word for word in content if word.isascii() or not is_spaceless(word)]
    for size in range(min(LONGEST_JOIN, len(plain)), 0, -1):
        for at in range(len(plain) - size + 1):
            joined = "_".join(plain[at : at + size])
            if name_key(joined) not in written:
                keep(Name(joined, (), written=False))
    return tuple(found.values())


def _names_type(names: tuple[Name, ...]) -> bool:
    return any(name.written and name.text[0].isupper() and not name.text.isupper() for name in names)


def _is_symbol(text: str, names: tuple[Name, ...]) -> bool:
    bare = text.rstrip("()?!").strip()
    if bare.startswith(("-", "/")):
        return False  # an option, a route
    return bool(names) and names[0].written and " " not in bare and re.fullmatch(r"[\w$.:#/>-]+", bare) is not None


def _phrases(text: str) -> tuple[str, ...]:
    quoted = re.findall(_QUOTED, text) if _has(text, "\"`'") else []
    found = [next(filter(None, match)).strip() for match in quoted]
    if _has(text, ".:/#"):
        found += [match.group() for match in re.finditer(_PUNCTUATED, text)]
    if text != text.lower():
        found += [match.group() for match in re.finditer(_CONSTANT, text)]
    return tuple(dict.fromkeys(" ".join(one.split()) for one in found))[:MOST_PHRASES]


def _paths(text: str) -> tuple[str, ...]:
    """Return what looks like a file or a folder, without a leading `./`."""
    found = [match.group() for match in re.finditer(_PATH, text)] if "." in text else []
    found += [match.group() for match in re.finditer(_FOLDERS, text)] if "/" in text else []
    cleaned = (path.replace("\\", "/").lstrip("./").rstrip("/") for path in found)
    return tuple(dict.fromkeys(path for path in cleaned if path))
