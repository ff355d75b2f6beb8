"""What can be asked of `remember` and `search_memories`, and the checks on it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from codemem.errors import BadInput
from codemem.redact import redact
from codemem.types import Memory

TYPES = ("text_mem", "pref_mem", "skill_mem", "tool_mem")
SOURCES = ("manual", "codebase", "doc", "conversation")
VERDICTS = (
    "stored", "exact_duplicate", "near_duplicate", "superseded_old", "possible_conflict", "empty", "too_long", "secret_blocked",
    "ignored",
)  # fmt: skip
REFUSED = ("empty", "too_long", "secret_blocked")
"""Verdicts of bad input: nothing was stored, exit code 2."""
LONGEST_CONTENT = 100_000
"""Characters; what is longer is a document, which belongs into a file."""
LONGEST_INPUT = 10 * LONGEST_CONTENT
"""Characters that are looked at at all, before cleaning."""
LONGEST_NAME = 200
MOST_ASKED = 1 << 40
"""More memories than fit into any store; the store itself counts to 1 << 63."""
NAME = r"[^\s\x00-\x1f]+"
MODES = ("hybrid", "keyword", "vector")


@dataclass(frozen=True, slots=True)
class Options:
    """How a statement is to be remembered."""

    type: str = "text_mem"
    visibility: str = "project"
    key: str = ""
    importance: int = 5
    source: str = "manual"
    source_session: str = ""
    source_message: str = ""
    context: str = ""
    symbol: str = ""
    valid_from: int | None = None
    valid_to: int | None = None
    status: str = "active"
    force: bool = False
    """Store without asking the judge; an exact duplicate stays one."""
    raw: bool = False
    actor: str = "user"


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of a conversation as it was said: never judged, found by its own words and its neighbours'."""

    text: str
    said: str = ""
    """Who said it and when, as words: "Caroline 8 May 2023"."""
    context: str = ""
    """What else belongs to the turn: the caption of a picture, the name of a file."""
    session: str = ""
    message: str = ""


@dataclass(frozen=True, slots=True)
class MemoryQuery:
    """A question to the memories."""

    text: str
    limit: int = 10
    offset: int = 0
    mode: str = "hybrid"
    types: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    symbols: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    include_superseded: bool = False
    as_of: int | None = None
    min_score: float | None = None
    visibility: str = ""
    """Only project or only global; empty for both."""


@dataclass(frozen=True, slots=True)
class Remembered:
    """What became of a statement, and why."""

    verdict: str
    memory: Memory | None = None
    """The row that now stands for it."""
    existing: Memory | None = None
    """The earlier row it duplicates, supersedes or contradicts."""
    score: float = 0.0
    rule: str = ""
    evidence: str = ""
    rung: str = ""
    """How the earlier row was nominated: exact, key, contains, ngrams, edits, cosine, words."""
    redacted: tuple[str, ...] = ()
    pending_vector: bool = False
    degraded: tuple[str, ...] = ()


def check_options(options: Options) -> None:
    """Refuse what cannot be stored as asked; raises BadInput."""
    _one_of("type", options.type, TYPES)
    _one_of("source", options.source, SOURCES)
    _one_of("visibility", options.visibility, ("project", "global"))
    _one_of("status", options.status, ("active", "candidate"))
    if not 1 <= options.importance <= 10:
        raise BadInput(f"importance {options.importance} is not between 1 and 10", "5 is the default, 10 the highest")
    if options.valid_from is not None and options.valid_to is not None and options.valid_to <= options.valid_from:
        raise BadInput("--valid-to is not after --valid-from", "give the start first, or leave the end open")
    if options.key:
        check_name("key", options.key)
    refuse_secret("symbol", options.symbol)


def refuse_global_tie(visibility: str, symbol: str) -> None:
    """Refuse to tie what every project sees to a symbol, which one project has; raises BadInput."""
    if visibility == "global" and symbol:
        raise BadInput(
            f"a global memory cannot be tied to {symbol}: a symbol belongs to one project",
            "leave --global out, or name the symbol in the text",
        )


def check_name(what: str, text: str) -> str:
    """Refuse a name with blanks or control characters, an empty or an over-long one."""
    if not re.fullmatch(NAME, text) or len(text) > LONGEST_NAME:
        raise BadInput(
            f"{text!r} is no usable {what}", f"a {what} is one word without blanks, like build.jdk or agent:reviewer"
        )
    refuse_secret(what, text)
    return text


def refuse_secret(what: str, name: str) -> None:
    """Refuse a name that is a secret: names are shown and compared as they are, never redacted."""
    kinds = redact(name).kinds
    if kinds:
        raise BadInput(
            f"the {what} holds a secret ({', '.join(kinds)})", f"give a {what} that may be read by everybody"
        )


def check_query(query: MemoryQuery) -> None:
    """Refuse unknown filter values; raises BadInput."""
    _one_of("mode", query.mode, MODES)
    for name in query.types:
        _one_of("type", name, TYPES)
    for name in query.sources:
        _one_of("source", name, SOURCES)
    if query.limit + query.offset > MOST_ASKED:
        raise BadInput(
            f"there are no {max(query.limit, query.offset):,} memories", "give a smaller --limit and --offset"
        )
    if query.min_score is not None and not 0 <= query.min_score <= 1:
        raise BadInput(
            f"minimum score {query.min_score} is not between 0 and 1", "leave --min-score out to see everything"
        )


def _one_of(what: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        raise BadInput(f"unknown {what}: {value!r}", f"known are {', '.join(known)}")
