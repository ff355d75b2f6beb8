"""Ask indexed repositories for their own messages, as a user pastes them: is the place that says it found first?

    python -m benchmarks.quality.messages STORES... [--each N] [--mode keyword] [--traces] [--misses]

STORES are folders of NAME/.codemem/codemem.db. By rule, without reading results: string literals of four words and more
that stand once in the repository, on a line that raises, logs or fails, outside tests, prose and data. Blanks of a template
are filled in, and the message is pasted bare, behind the name of an error, or in a line of a log, in turn; with --traces as
the end of a stack trace of its language. Right is the file, and the snippet that shows the line.
"""

from __future__ import annotations

import argparse
import random
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from codemem.retrieval import Session, search
from codemem.roles import file_role, is_data, is_prose
from codemem.store import Store, open_store
from codemem.store.code import read_content
from codemem.types import Query

LESSER = frozenset({"test", "example", "vendored"})
LEAST_WORDS = 4
MOST_WORDS = 20
DEPTH = 10
SEED = 7
LITERAL = re.compile(r"\"((?:[^\"\\\n]|\\.){12,160})\"|'((?:[^'\\\n]|\\.){12,160})'")
SPEAKS = re.compile(r"raise|throw|err|panic|fatal|fail|log|warn|die\b|abort|exit|assert|invalid|reject", re.IGNORECASE)
BLANK = re.compile(r"%[-+0-9.]*[a-zA-Z]|\$?\{[^{}]*\}|\$\w+|#\{[^{}]*\}|\\\([^()]*\)")
PLAIN = re.compile(r"[\w\s,.:;'()!?/%-]+")
VALUES = ("orders", "42", "/var/data/input.csv", "alpha")
FORMS = ("{message}", "{error}: {message}", "2024-03-01 12:00:07 ERROR [worker-3] {message}")
TRACES = {
    ".py": (
        "Traceback (most recent call last):",
        '  File "/srv/app/{path}", line {line}, in run',
        "{error}: {message}",
    ),
    ".java": ('Exception in thread "main" {error}: {message}', "\tat org.example.Some.run({name}:{line})", ""),
    ".kt": ('Exception in thread "main" {error}: {message}', "\tat org.example.Some.run({name}:{line})", ""),
    ".cs": ("Unhandled exception. {error}: {message}", "   at Some.Run() in /srv/app/{path}:line {line}", ""),
    ".go": ("panic: {message}\n\ngoroutine 1 [running]:", "main.run(0x1)\n\t/srv/app/{path}:{line} +0x1d", ""),
    ".rs": ("thread 'main' panicked at {path}:{line}:5:\n{message}", "             at ./{path}:{line}:13", ""),
    ".rb": ("{path}:{line}:in `run': {message} ({error})", "\tfrom /srv/app/{path}:{line}:in `run'", ""),
    "": ("{error}: {message}", "    at run (/srv/app/{path}:{line}:5)", ""),
}
"""What runtimes print, by extension: the head, one line a frame, the end."""
ERROR_NAME = re.compile(r"\b([A-Z]\w*(?:Error|Exception))\b")


class Message(NamedTuple):
    """One question and where its answer stands."""

    repository: str
    question: str
    path: str
    line: int


def messages_of(store: Store, name: str, count: int, traced: bool) -> list[Message]:
    """Draw messages of one repository, each from another file where there are enough."""
    found: list[tuple[str, int, str, str]] = []
    seen: Counter[str] = Counter()
    for file_id, path in store.connection.execute("SELECT id, path FROM file ORDER BY path"):
        text = read_content(store.connection, file_id)
        usable = not (file_role(path) in LESSER or is_prose(path) or is_data(path))
        for match in LITERAL.finditer(text):
            literal = match[1] or match[2]
            seen[literal] += 1
            start = text.rfind("\n", 0, match.start()) + 1
            end = text.find("\n", match.end())
            line = text[start : end if end > 0 else len(text)]
            if usable and _is_message(literal) and SPEAKS.search(line.replace(literal, "")):
                found.append((path, text.count("\n", 0, match.start()) + 1, literal, line))
    draw = random.Random(f"{SEED} {name}")
    draw.shuffle(found)
    chosen: dict[str, Message] = {}
    for path, number, literal, line in found:
        if seen[literal] == 1 and path not in chosen and len(chosen) < count:
            form = FORMS[len(chosen) % len(FORMS)]
            error = ERROR_NAME.search(line)
            if "{error}" in form and error is None:
                form = FORMS[0]
            chosen[path] = Message(name, form.format(message=_filled(literal), error=error and error[1]), path, number)
    messages = list(chosen.values())
    return [_traced(message, messages[at - 1]) for at, message in enumerate(messages)] if traced else messages


def _traced(message: Message, outer: Message) -> Message:
    """Put a message into a stack trace whose outer frame is another place of the repository."""
    ending = Path(message.path).suffix
    head, frame, end = TRACES.get(ending, TRACES[""])
    said = re.sub(r"^\S+Error: |^2024\S+ \S+ ERROR \S+ ", "", message.question)

    def fill(template: str, place: Message) -> str:
        values = {"path": place.path, "line": place.line, "name": Path(place.path).name, "message": said}
        return template.format(error="SomeError", **values)

    frames = [fill(frame, message), fill(frame, outer)]
    if ending == ".py":
        frames.reverse()
    return message._replace(question="\n".join(filter(None, (fill(head, message), *frames, fill(end, message)))))


def _is_message(literal: str) -> bool:
    spoken = BLANK.sub(" ", literal)
    return (
        " " in literal.strip()
        and LEAST_WORDS <= len(re.findall(r"(?<!\S)[A-Za-z]{2,}", spoken)) <= MOST_WORDS
        and bool(PLAIN.fullmatch(spoken))
    )


def _filled(literal: str) -> str:
    values = iter(VALUES * 10)
    return BLANK.sub(lambda _: next(values), literal).strip()


class Outcome(NamedTuple):
    """What one question found."""

    rank: int
    """Of the file, 0 when it is not among the first DEPTH."""
    shown: bool
    """Whether its snippet shows the line."""


def ask(store: Store, message: Message, session: Session, mode: str) -> Outcome:
    """Ask one question."""
    hits = search(store, Query(message.question, DEPTH, mode=mode), session).hits  # type: ignore[arg-type]
    for rank, hit in enumerate(hits, 1):
        if hit.chunk.key.path == message.path:
            first = hit.text_line or hit.start_line
            return Outcome(rank, first <= message.line < first + len(hit.text.split("\n")))
    return Outcome(0, False)


def stores_in(folders: list[Path]) -> Iterator[tuple[str, Path]]:
    """Yield name and store of each repository."""
    for folder in folders:
        for path in sorted(folder.glob("*/.codemem/codemem.db")):
            yield path.parent.parent.name, path


def main() -> None:
    """Print how often the right file comes first, its mean reciprocal rank, and how often its line is shown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("stores", type=Path, nargs="+")
    parser.add_argument("--each", type=int, default=9, help="questions of one repository")
    parser.add_argument("--mode", default="hybrid")
    parser.add_argument("--traces", action="store_true", help="paste stack traces instead")
    parser.add_argument("--misses", action="store_true")
    options = parser.parse_args()
    outcomes: list[Outcome] = []
    for name, path in stores_in(options.stores):
        with open_store(path) as store:
            session = Session()
            for message in messages_of(store, name, options.each, options.traces):
                outcome = ask(store, message, session, options.mode)
                outcomes.append(outcome)
                if options.misses and (outcome.rank != 1 or not outcome.shown):
                    print(outcome.rank, outcome.shown, name, f"{message.path}:{message.line}", message.question)
    count = max(len(outcomes), 1)
    first, found = sum(one.rank == 1 for one in outcomes) / count, sum(one.rank > 0 for one in outcomes) / count
    reciprocal, shown = (
        sum(1 / one.rank for one in outcomes if one.rank) / count,
        sum(one.shown for one in outcomes) / count,
    )
    print(
        f"{len(outcomes)} messages: file first {first:.3f}, among the first {DEPTH} {found:.3f}, "
        f"mean reciprocal rank {reciprocal:.3f}, line shown {shown:.3f}"
    )


if __name__ == "__main__":
    main()
