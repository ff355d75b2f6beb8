"""Pairs from documentation and message catalogues: headings and passages of Markdown, translations of one message."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator

from training.records import Pair
from training.sentences import IDEOGRAPH, SENTENCE_END, count_words, is_question_like, says_something, without_markup

HEADING = re.compile(r"^(#{1,5})\s+(.+)$|^(.+)\n[=\-~^]{4,}$", re.MULTILINE)
CODE_BLOCK = re.compile(r"```.*?```", re.DOTALL)
EXAMPLE = re.compile(r"([^\n]{25,300})\n+```(\w*)\n(.*?)```", re.DOTALL)
HEADING_MARKUP = re.compile(r"[`*_#]|\[|\]\([^)]*\)|<[^>]+>|\{[^}]*\}")
SECTION_CHARACTERS = 1_500
LEAST_SECTION = 120
LEAST_SENTENCE = 6
PASSAGES_A_SECTION = 2
CATALOGUE_LINE = re.compile(r"^([\w.\-\\ ]+?)\s*=\s*(.+)$", re.MULTILINE)
PO_ENTRY = re.compile(r'^msgid ((?:".*"\n)+)msgstr ((?:".*"\n?)+)', re.MULTILINE)
FUZZY = re.compile(r"^#, fuzzy[^\n]*\n(?:[^\n]+\n)+", re.MULTILINE)
"""Entries whose translation is a guess by similarity."""
PLACEHOLDER = re.compile(r"%\(?\w*\)?[sd]|\{[^}]*\}|<[^>]+>|&\w+;|\$\{?\w+\}?|\\u003c.*?\\u003e")
LEAST_MESSAGE = 2
LANGUAGE_OF_PATH = re.compile(r"(?:^|[/_\-.])(zh|ja|ko|ru|uk|pl|de|fr|es|pt|it|en)(?:[_-]\w+)*(?=[/.])", re.IGNORECASE)


def catalogue_language(path: str) -> str:
    """Return the language that the path of a message catalogue names, "en" when it names none, "" for others."""
    found = LANGUAGE_OF_PATH.search(path)
    if found:
        return found.group(1).lower()
    return "" if OTHER_LANGUAGE.search(path) else "en"


OTHER_LANGUAGE = re.compile(r"[/_](?:[a-z]{2,3}_[A-Z]{2}|[a-z]{2,3})(?=/LC_MESSAGES|\.properties)|locale_[a-z]{2}")


def markdown_pairs(path: str, text: str, chooser: random.Random, most: int = 60) -> list[Pair]:
    """Return heading -> section, sentence -> the rest of its section, and sentence -> the code block below it."""
    pairs: list[Pair] = []
    for title, body in _sections(text):
        prose = _plain(CODE_BLOCK.sub(" ", body))
        if len(prose) >= LEAST_SECTION and is_question_like(title, 2, 14):
            pairs.append(Pair("heading", "markdown", path, title, code=prose[:SECTION_CHARACTERS]))
        pairs.extend(Pair("passage", "markdown", path, first, code=rest) for first, rest in _passages(prose, chooser))
        for match in EXAMPLE.finditer(body):
            sentence = _plain(match.group(1)).strip(" :-")
            if len(match.group(3)) > 80 and is_question_like(sentence, 5, 40):
                code = match.group(3)[:SECTION_CHARACTERS]
                pairs.append(Pair("example", match.group(2) or "markdown", path, sentence, code=code))
    chooser.shuffle(pairs)
    return pairs[:most]


def catalogue_pairs(catalogues: Iterable[tuple[str, str]], chooser: random.Random, most: int) -> list[Pair]:
    """Return message pairs across languages: gettext files by themselves, `key = text` files by their keys."""
    pairs: list[Pair] = []
    by_key: dict[str, dict[str, str]] = {}
    for path, text in catalogues:
        language = catalogue_language(path)
        text = FUZZY.sub("", text).replace("\\\n", " ")
        if path.endswith(".po"):
            pairs.extend(_message_pair(path, language, _unquoted(a), _unquoted(b)) for a, b in PO_ENTRY.findall(text))
            continue
        folder = LANGUAGE_OF_PATH.sub("", path)
        for key, value in CATALOGUE_LINE.findall(text):
            by_key.setdefault(f"{folder}:{key}", {})[language] = _unescaped(value)
    for key, texts in by_key.items():
        english = texts.pop("en", "")
        pairs.extend(_message_pair(key, language, english, other) for language, other in texts.items())
    pairs = [pair for pair in pairs if pair.query and pair.code and count_words(pair.query) >= LEAST_MESSAGE]
    chooser.shuffle(pairs)
    return pairs[:most]


def _sections(text: str) -> Iterator[tuple[str, str]]:
    """Yield every heading, with the one above it for deep ones, and the text below it."""
    found = list(HEADING.finditer(CODE_BLOCK.sub(lambda block: block.group().replace("\n#", "\n "), text)))
    titles: dict[int, str] = {}
    for place, match in enumerate(found):
        level = len(match.group(1) or "##")
        title = HEADING_MARKUP.sub("", match.group(2) or match.group(3)).strip()
        titles[level] = title
        end = found[place + 1].start() if place + 1 < len(found) else len(text)
        yield (f"{titles.get(level - 1, '')} {title}".strip() if level > 2 else title), text[match.end() : end].strip()


def _passages(prose: str, chooser: random.Random) -> Iterator[tuple[str, str]]:
    """Yield sentences drawn from a section, each with the rest of the section."""
    sentences = [part.strip() for part in SENTENCE_END.split(prose) if part and part.strip()]
    if len(sentences) < 3:
        return
    for place in chooser.sample(range(len(sentences)), min(PASSAGES_A_SECTION, len(sentences))):
        if is_question_like(sentences[place], LEAST_SENTENCE, 40) and says_something(sentences[place]):
            joint = "。" if IDEOGRAPH.search(sentences[place]) else ". "
            around = sentences[max(0, place - 3) : place] + sentences[place + 1 : place + 4]
            yield sentences[place], joint.join(around)[:SECTION_CHARACTERS]


def _message_pair(path: str, language: str, english: str, other: str) -> Pair:
    """Ask in the other language for the English text."""
    english, other = (" ".join(PLACEHOLDER.sub(" ", text).split()) for text in (english, other))
    return Pair("translation", language, path, other if other != english else "", code=english)


def _unquoted(block: str) -> str:
    return "".join(line.strip()[1:-1] for line in block.strip().split("\n")).replace("\\n", " ").replace('\\"', '"')


def _unescaped(value: str) -> str:
    """Decode the `\\uXXXX` of Java's property files."""
    return re.sub(r"\\u([0-9a-fA-F]{4})", lambda match: chr(int(match.group(1), 16)), value).strip().strip("`\"'")


def _plain(text: str) -> str:
    return re.sub(
        r"[`*_|]+|^\s*[-+>]\s+|!?\[([^\]]*)\]\([^)]*\)", r"\1", without_markup(text), flags=re.MULTILINE
    ).strip()
