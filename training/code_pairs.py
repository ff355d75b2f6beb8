"""Pairs from source files, by codemem's own parser: what is said of code, and the code or its card."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Sequence

from codemem.card import EMBEDDED_SIGNATURE
from codemem.embed.cards import EMBEDDED_CALLS, file_card
from codemem.roles import is_test
from codemem.types import Chunk, ParsedFile
from training.records import Pair
from training.sentences import first_sentence, is_question_like, says_something

CODE_CHARACTERS = 1_800
LEAST_CODE = 60
"""Characters without spaces: shorter bodies say nothing that the name does not."""
SHORTEST_NAME = 6
LEAST_LINES = 4
"""A definition without documentation serves as name -> body only from here."""
NAMES_A_FILE = 25
COMMENTS_A_FILE = 5
TESTS_A_FILE = 15
UNUSED_KINDS = frozenset({"lines", "module", "section"})
COMMENT = re.compile(r"((?:^[ \t]*(?://|#|--)[ \t][^\n]*\n){1,4})", re.MULTILINE)
COMMENT_MARK = re.compile(r"^[ \t]*(?://+!?|#+|--+)[ \t]?", re.MULTILINE)
TEST_TITLE = re.compile(
    r"(?:\b(?:it|test|describe|context|specify|scenario|should|TEST_CASE|SECTION|t\.Run|feature|check)\b[\s(]*|^\s*|@test\s+)"
    r"([\"'`])([^\W\d_][^\"'`\n]{14,140})\1",
    re.MULTILINE,
)
BEFORE_COMMENT = 350
AFTER_COMMENT = 750


def pairs_of_files(files: Iterable[tuple[ParsedFile, str]], chooser: random.Random) -> Iterator[Pair]:
    """Yield all pairs of a repository's files; calls go on a card when the repository defines their callee."""
    known = list(files)
    defined = {chunk.name for parsed, _ in known for chunk in parsed.chunks}
    for parsed, content in known:
        if is_test(parsed.path):
            yield from _test_pairs(parsed, content)
        else:
            yield from _definition_pairs(parsed, defined)
            yield from _file_pairs(parsed)
        yield from _comment_pairs(parsed, content, chooser)


def _definition_pairs(parsed: ParsedFile, defined: set[str]) -> Iterator[Pair]:
    names = 0
    for chunk in parsed.chunks:
        if chunk.part or chunk.kind in UNUSED_KINDS or not chunk.name:
            continue
        code = without_doc(chunk.text, chunk.doc)[:CODE_CHARACTERS]
        sentence, rest = first_sentence(chunk.doc) if chunk.doc else ("", "")
        card = " ".join((chunk.signature[:EMBEDDED_SIGNATURE], *_known_calls(chunk, defined)))
        scope = re.split(r"[.#:]+", chunk.parent)[-1]
        if is_question_like(sentence):
            yield Pair("documentation", parsed.language, parsed.path, sentence, chunk.name, scope, card, code, rest)
        elif names < NAMES_A_FILE and _is_telling(chunk, code):
            names += 1
            yield Pair("name", parsed.language, parsed.path, "", chunk.name, scope, card, code)


def _is_telling(chunk: Chunk, code: str) -> bool:
    """Say whether a definition without documentation has a name and a body that can explain each other."""
    lines = chunk.end_line - chunk.start_line + 1
    return len(chunk.name) >= SHORTEST_NAME and lines >= LEAST_LINES and len("".join(code.split())) >= LEAST_CODE


def _file_pairs(parsed: ParsedFile) -> Iterator[Pair]:
    """The head documentation's first sentence asks for the file's card: its path, its types and its symbols."""
    sentence, rest = first_sentence(parsed.doc) if parsed.doc else ("", "")
    card = file_card(parsed)
    symbols = " ".join((*card.class_docs, *card.symbols))
    if is_question_like(sentence, 4) and len(card.symbols) > 2:
        yield Pair("file", parsed.language, parsed.path, sentence, card=symbols, code=symbols, rest=rest)


def _test_pairs(parsed: ParsedFile, content: str) -> Iterator[Pair]:
    """A test's title asks for what it does."""
    found = 0
    for match in TEST_TITLE.finditer(content):
        title = match.group(2)
        if found < TESTS_A_FILE and is_question_like(title, 3, 25) and says_something(title):
            found += 1
            yield Pair("test", parsed.language, parsed.path, title, code=content[match.end() : match.end() + 900])


def _comment_pairs(parsed: ParsedFile, content: str, chooser: random.Random) -> Iterator[Pair]:
    """A comment inside code asks for the lines around it."""
    found = 0
    for match in COMMENT.finditer(content):
        text = " ".join(COMMENT_MARK.sub("", match.group(1)).split())
        following = content[match.end() : match.end() + 40]
        if (
            found >= COMMENTS_A_FILE
            or match.start() < 200
            or not is_question_like(text, 5, 30)
            or not following.strip()
        ):
            continue
        if chooser.random() < 0.6:
            found += 1
            begin = max(0, content.rfind("\n", 0, max(0, match.start() - BEFORE_COMMENT)))
            code = content[begin : match.start()] + content[match.end() : match.end() + AFTER_COMMENT]
            yield Pair("comment", parsed.language, parsed.path, text, code=code)


def without_doc(text: str, doc: str) -> str:
    """Drop the lines of `text` that say what `doc` says: a question must not find itself in the answer."""
    said = {"".join(filter(str.isalnum, line)) for line in doc.split("\n")} - {""}
    if not said:
        return text
    whole = "".join(filter(str.isalnum, doc))
    return "\n".join(
        line for line in text.split("\n") if not _is_doc_line("".join(filter(str.isalnum, line)), said, whole)
    )


def _is_doc_line(letters: str, said: set[str], whole: str) -> bool:
    return letters in said or (len(letters) >= 20 and letters in whole)


def _known_calls(chunk: Chunk, defined: set[str]) -> Sequence[str]:
    calls = (f"{call.receiver or ''} {call.callee}" for call in chunk.calls if call.callee in defined)
    return list(dict.fromkeys(calls))[:EMBEDDED_CALLS]
