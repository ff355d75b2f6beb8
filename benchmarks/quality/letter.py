"""Ask indexed repositories for what stands in them, as a user pastes it: is the place that says it found first?

    python -m benchmarks.quality.letter STORES... [--kinds message trace ...] [--each N] [--mode keyword] [--misses]

STORES are folders of NAME/.codemem/codemem.db. Questions are drawn by rule, without reading results, from sources (no tests,
prose and data), one a file:

* message: a string literal of four words and more that stands once, on a line that raises, logs or fails; its blanks are
  filled in, and it is pasted bare, behind the name of an error, or in a line of a log, in turn.
* trace: the same as the end of a stack trace of its language, with another place as the outer frame.
* code: a line of code that stands once. option, route, address: `--name`, `/path`, `https://…` in quotes, in one source file.
* environment: a variable that a line reads. assignment: an attribute that one source file assigns.

Right is a file with such a place, and the snippet that shows one.
"""

from __future__ import annotations

import argparse
import random
import re
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


KINDS = ("message", "trace", "code", "option", "route", "address", "environment", "assignment")
SHORTEST_CODE, LONGEST_CODE = 30, 110
CODE = re.compile(r"[=({]")
NO_CODE = ("//", "#", "*", "/*", "import", "from", "use ", "--")
QUOTED = {
    "option": re.compile(r"[\"'](--[a-z][a-z0-9-]{3,})[\"' =,]"),
    "route": re.compile(r"[\"'](/[a-z][\w{}:/.-]{5,40})[\"']"),
    "address": re.compile(r"(https?://[\w./?=&%-]{12,80})"),
    "assignment": re.compile(r"(?:self|this|\$this)(?:\.|->)_?([A-Za-z]\w*(?:[a-z][A-Z]|_)\w+) = "),
    "environment": re.compile(
        r"(?:getenv|environ|process\.env|env::var|ENV\[|GetEnvironmentVariable|Getenv|LookupEnv|Deno\.env)"
        r"[^A-Za-z]*[\"'.\[(]+([A-Z][A-Z0-9_]{3,})"
    ),
}
WORDINGS = {
    "code": ("{0}",),
    "option": ("{0}", "where is the {0} option handled", "command line flag {0}"),
    "route": ("{0}", "handler for {0}", "where is {0} served"),
    "address": ("{0}", "{0}", "where is {0} used"),
    "assignment": ("where is {0} set", "what assigns {0}", "where is {0} updated"),
    "environment": ("where is the environment variable {0} read", "{0}", "environment variable {0}"),
}


class Asked(NamedTuple):
    """One question and the places (path, line) that answer it."""

    question: str
    places: frozenset[tuple[str, int]]


class Found(NamedTuple):
    """What the rule finds in one repository: (what is asked for, path, line), sources only, and how often each stands."""

    found: list[tuple[str, str, int]]
    files: dict[str, set[str]]
    lines: dict[str, str]
    """The line of each message."""


def draw(store: Store, name: str, kind: str, count: int) -> list[Asked]:
    """Draw questions of one kind from one repository, each from another file."""
    rule = "message" if kind == "trace" else kind
    drawn = _find(store, rule)
    random.Random(f"{SEED} {name} {kind}").shuffle(drawn.found)
    places: dict[str, set[tuple[str, int]]] = {}
    for what, path, line in drawn.found:
        places.setdefault(what, set()).add((path, line))
    chosen: dict[str, str] = {}
    for what, path, _ in drawn.found:
        single = kind == "environment" or len(drawn.files[what]) == 1
        if single and path not in chosen and what not in chosen.values() and len(chosen) < count:
            chosen[path] = what
    texts = list(chosen.values())
    asked = [_worded(what, at, kind, drawn.lines.get(what, "")) for at, what in enumerate(texts)]
    if kind == "trace":
        ends = [min(places[what]) for what in texts]
        asked = [_traced(text, *ends[at], *ends[at - 1]) for at, text in enumerate(asked)]
    return [Asked(text, frozenset(places[what])) for text, what in zip(asked, texts, strict=True)]


def _find(store: Store, rule: str) -> Found:
    drawn = Found([], {}, {})
    for file_id, path in store.connection.execute("SELECT id, path FROM file ORDER BY path"):
        source = not (file_role(path) in LESSER or is_prose(path) or is_data(path))
        for number, line in enumerate(read_content(store.connection, file_id).split("\n"), 1):
            for what in _in_line(line, rule):
                # What a test or a page repeats counts as well for messages and code: their place is to be the only one.
                if source or rule in ("message", "code"):
                    drawn.files.setdefault(what, set()).add(f"{path}:{number}" if rule in ("message", "code") else path)
                if source and (rule != "message" or _speaks(line, what)):
                    drawn.found.append((what, path, number))
                    drawn.lines[what] = line
    return drawn


def _in_line(line: str, rule: str) -> list[str]:
    if rule == "message":
        return [match[1] or match[2] for match in LITERAL.finditer(line)]
    if rule != "code":
        return QUOTED[rule].findall(line)
    spaced = " ".join(line.split())
    fits = SHORTEST_CODE <= len(spaced) <= LONGEST_CODE and CODE.search(spaced) and not spaced.startswith(NO_CODE)
    return [spaced] if fits else []


def _speaks(line: str, literal: str) -> bool:
    return _is_message(literal) and SPEAKS.search(line.replace(literal, "")) is not None


def _worded(what: str, at: int, kind: str, line: str) -> str:
    if kind in WORDINGS:
        wordings = WORDINGS[kind]
        return wordings[at % len(wordings)].format(what)
    said, error = _filled(what), ERROR_NAME.search(line)
    form = FORMS[at % len(FORMS)] if kind == "message" else FORMS[0]
    if "{error}" in form and error is None:
        form = FORMS[0]
    return form.format(message=said, error=error and error[1])


def _traced(said: str, path: str, line: int, outer_path: str, outer_line: int) -> str:
    """Put a message into a stack trace whose outer frame is another place of the repository."""
    ending = Path(path).suffix
    head, frame, end = TRACES.get(ending, TRACES[""])

    def fill(template: str, path: str, line: int) -> str:
        return template.format(error="SomeError", path=path, line=line, name=Path(path).name, message=said)

    frames = [fill(frame, path, line), fill(frame, outer_path, outer_line)]
    if ending == ".py":
        frames.reverse()
    return "\n".join(filter(None, (fill(head, path, line), *frames, fill(end, path, line))))


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


def ask(store: Store, asked: Asked, session: Session, mode: str) -> Outcome:
    """Ask one question."""
    hits = search(store, Query(asked.question, DEPTH, mode=mode), session).hits  # type: ignore[arg-type]
    for rank, hit in enumerate(hits, 1):
        lines = [line for path, line in asked.places if path == hit.chunk.path]
        if lines:
            first = hit.text_line or hit.start_line
            return Outcome(rank, any(first <= line < first + len(hit.text.split("\n")) for line in lines))
    return Outcome(0, False)


def stores_in(folders: list[Path]) -> Iterator[tuple[str, Path]]:
    """Yield name and store of each repository."""
    for folder in folders:
        for path in sorted(folder.glob("*/.codemem/codemem.db")):
            yield path.parent.parent.name, path


def main() -> None:
    """Print by kind how often the right file comes first, its mean reciprocal rank, and how often its line is shown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("stores", type=Path, nargs="+")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS)
    parser.add_argument("--each", type=int, default=4, help="questions of one kind and repository")
    parser.add_argument("--mode", default="hybrid")
    parser.add_argument("--misses", action="store_true")
    options = parser.parse_args()
    outcomes: dict[str, list[Outcome]] = {kind: [] for kind in options.kinds}
    for name, path in stores_in(options.stores):
        with open_store(path) as store:
            session = Session()
            for kind in options.kinds:
                for asked in draw(store, name, kind, options.each):
                    outcome = ask(store, asked, session, options.mode)
                    outcomes[kind].append(outcome)
                    if options.misses and (outcome.rank != 1 or not outcome.shown):
                        print(kind, *outcome, name, sorted(asked.places)[0], asked.question)
    print(f"{'kind':<12} questions  file first  among {DEPTH}  reciprocal  line shown")
    for kind, found in outcomes.items():
        count = max(len(found), 1)
        first, within = sum(one.rank == 1 for one in found) / count, sum(one.rank > 0 for one in found) / count
        reciprocal, shown = (
            sum(1 / one.rank for one in found if one.rank) / count,
            sum(one.shown for one in found) / count,
        )
        print(f"{kind:<12} {len(found):>9} {first:>11.3f} {within:>9.3f} {reciprocal:>11.3f} {shown:>11.3f}")


if __name__ == "__main__":
    main()
