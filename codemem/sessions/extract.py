"""Find the sentences of a conversation that are worth remembering, by marker rules that are data (markers.toml).

User turns come before assistant turns; the sentence is kept verbatim. Never taken: questions, code, pasted logs and
traces, quoted text, and blocks that `codemem context` produced.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from codemem.sessions.window import Message

MAX_SENTENCE = 600
"""A longer "sentence" is a paste."""
MIN_CONTENT = 2
"""Words of content that must stand beside a marker (characters for Chinese)."""
MIN_WORDS = 3
"""Shorter ones ("never mind") say nothing on their own."""
PASTE_LINES = 12
"""A turn of more lines, most of which look like a log, is a paste."""

_FENCE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_SENTENCE = re.compile(r".+?(?:[.!?](?=\s|$)|[。！？；]|$)", re.DOTALL)
_LOG_LINE = re.compile(
    r"^\s*(?:\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d|(?:TRACE|DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL)\b|at [\w.$<>]+\(|File \"|"
    r"Traceback |Caused by:|[\w.]+(?:Error|Exception):|\$ |> |[+-]{3} |@@ )"
)
_QUESTION = re.compile(
    r"[?？]\s*$|^\s*(?:how|what|why|when|where|who|which|can|could|should|shall|would|do|does|did|is|are|was|were|will|"
    r"may|have|has) (?:i|we|you|it|this|that|there|they|the|he|she|a|an)\b|(?:吗|呢|么)\s*[。！]?\s*$"
    r"|^(?:为什么|怎么|如何|是否|能不能|可不可以)",
    re.IGNORECASE,
)
_WORD = re.compile(r"[A-Za-z0-9_#./-]+|[\u3400-\u9fff]")
_EMPTY = frozenset(
    "a an the i we you he she it they this that these those me us my our your is are was were be been am do does did to of"
    " in on at for and or so as please just also too ok okay yes no not then now there here".split()
    + list("我你他她它们的了吗呢吧请这那是也就都要")
)
_BULLET = re.compile(r"^\s*(?:[-*+•]|\d+[.)])\s+")


@dataclass(frozen=True, slots=True)
class Marker:
    name: str
    explicit: bool
    type: str
    importance: int
    pattern: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Extracted:
    """One sentence worth remembering, with the message it stands in and the rule that took it."""

    text: str
    seq: int
    message_id: str
    role: str
    marker: str
    type: str
    importance: int
    explicit: bool


@cache
def markers() -> tuple[Marker, ...]:
    """Load the marker table."""
    import tomllib

    table = tomllib.loads(Path(__file__).with_name("markers.toml").read_text("utf-8"))
    return tuple(
        Marker(
            row["name"],
            row["explicit"],
            row["type"],
            row["importance"],
            re.compile("|".join(row["patterns"]), re.IGNORECASE),
        )
        for row in table["marker"]
    )


def extract(messages: Sequence[Message]) -> list[Extracted]:
    """Return what `messages` says that is worth remembering, user turns first, each sentence once."""
    found: dict[str, Extracted] = {}
    for role in ("user", "assistant"):
        for message in messages:
            if message.role == role and message.kind == "chat":
                for sentence in sentences(message.text):
                    item = _judge(sentence, message)
                    if item and item.text.casefold() not in found:
                        found[item.text.casefold()] = item
    return list(found.values())


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a turn that people wrote: no code, no quotes, no pasted logs."""
    lines = _FENCE.sub("\n", text).split("\n")
    if len(lines) > PASTE_LINES and 2 * sum(bool(_LOG_LINE.match(line)) for line in lines) > len(lines):
        return
    for line in lines:
        if not line.strip() or line.startswith(("    ", "\t", ">")) or _LOG_LINE.match(line):
            continue
        for match in _SENTENCE.finditer(_BULLET.sub("", line)):
            sentence = match.group().strip()
            if sentence and len(sentence) <= MAX_SENTENCE:
                yield sentence


def _says_something(rest: str) -> bool:
    """Say whether words of content stand beside the marker: "I remember that" alone is a fragment."""
    return sum(word.lower() not in _EMPTY for word in _WORD.findall(rest)) >= MIN_CONTENT


def _judge(sentence: str, message: Message) -> Extracted | None:
    if _QUESTION.search(sentence) or len(_WORD.findall(sentence)) < MIN_WORDS:
        return None
    for marker in markers():
        found = marker.pattern.search(sentence)
        if found and _says_something(sentence[: found.start()] + " " + sentence[found.end() :]):
            # Only what a user asks for outright is stored without a second look.
            explicit = marker.explicit and message.role == "user"
            return Extracted(
                sentence, message.seq, message.id, message.role, marker.name, marker.type, marker.importance, explicit
            )
    return None
