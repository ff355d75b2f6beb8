"""`codemem context`: profile, memories, code and recent turns for one question, packed into one budget.

The parts load independently; one that fails is named in `degraded` and the others are served (one after the other: in
threads they only wait for each other's interpreter). Code is offered as interface
cards, most relevant first, with the callees of the best hit behind them; bodies are added while they fit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeVar

from codemem.errors import CodememError
from codemem.packing.entries import code_entries, memory_entry, neighbour_entries, turn_entries
from codemem.packing.frames import block
from codemem.packing.pack import TURNS_SHARE, Entry, Packed, PackedSection, Section, pack
from codemem.sessions.window import Window, WindowMessage, window
from codemem.tokens import TokenCounter
from codemem.types import Filters, Query

if TYPE_CHECKING:
    from codemem.embed import Embedder
    from codemem.memory import Stores
    from codemem.retrieval import Session
    from codemem.sessions.window import Message
    from codemem.store import Store

Part = TypeVar("Part")

CODE_HITS = 30
"""Files offered: what 8,000 tokens of cards can hold."""
NEIGHBOURS = 5
"""Callees of the best hit whose cards are offered after the hits."""
MEMORY_HITS = 40
QUERY_CONTEXT = 200
"""Characters of surrounding text that may colour the question to the memories."""
PROFILE_CUBE = "user_profile"
PROFILE_TITLE, AGENT_TITLE = "About the user and their rules", "What was learned before"
CODE_TITLE, TURNS_TITLE = "Code, most relevant first", "Recent turns"


@dataclass(frozen=True, slots=True)
class Request:
    """What the context is for, and how large it may be."""

    query: str
    budget: int
    filters: Filters = field(default_factory=Filters)
    mode: str = "hybrid"
    surroundings: str = ""
    """What stands around the question (an editor buffer, the last answer): its first characters colour the memory search."""
    tenant: str = "default"
    cubes: tuple[str, ...] = ()
    filter_sensitive: bool = False


@dataclass(frozen=True, slots=True)
class Sources:
    """Where the parts come from; a part that is None is not wanted."""

    code: Callable[[], Store] | None = None
    memories: Callable[[], Stores] | None = None
    turns: Callable[[], Sequence[Message]] | None = None
    embedder: Callable[[], Embedder | None] = lambda: None
    session: Session | None = None


@dataclass(frozen=True, slots=True)
class Context:
    """The packed block, the history beside it (for the messages format), and what went wrong on the way."""

    packed: Packed
    text: str
    history: tuple[WindowMessage, ...]
    tokens: int
    counter: str
    degraded: tuple[str, ...]


def build_context(request: Request, sources: Sources, counter: TokenCounter, history: bool = False) -> Context:
    """Load the parts, each by itself, and pack them; with `history` the turns stand beside the block as chat messages."""
    degraded: list[str] = []
    code = _guarded("code", lambda: load_code(request, sources), degraded) or []
    profile, agent = _guarded("memories", lambda: load_memories(request, sources), degraded) or ([], [])
    turns = _guarded("session", lambda: list(sources.turns() if sources.turns else ()), degraded) or []
    share = int(max(0, request.budget) * TURNS_SHARE) if code or profile or agent else request.budget
    recent = window(turns, share, counter.count)
    sections = [
        Section("profile", PROFILE_TITLE, tuple(profile)),
        Section("agent", AGENT_TITLE, tuple(agent)),
        Section("code", CODE_TITLE, tuple(code), cut=False),
    ]
    if history:
        packed = pack(sections, request.budget - recent.tokens, counter.count, _frame(request))
        recent = _wider(turns, request.budget - packed.tokens, recent, counter)
    else:
        sections.append(Section("turns", TURNS_TITLE, turn_entries(recent.messages)))
        packed = pack(sections, request.budget, counter.count, _frame(request))
        recent = Window((), 0, 0)
    text = _frame(request)(packed.sections) if packed.sections else ""
    return Context(packed, text, recent.messages, packed.tokens + recent.tokens, counter.name, tuple(sorted(degraded)))


def load_code(request: Request, sources: Sources) -> list[Entry]:
    """Search the index and offer its hits as cards, then the callees of the best one."""
    if sources.code is None:
        return []
    from codemem.retrieval import search

    store = sources.code()
    mode = request.mode if request.mode in ("hybrid", "keyword", "vector") else "hybrid"
    query = Query(request.query, limit=CODE_HITS, mode=mode, filters=request.filters)  # type: ignore[arg-type]
    result = search(store, query, sources.session)
    entries = code_entries(result.hits)
    known = {entry.id for entry in entries}
    return [
        *entries,
        *(entry for entry in neighbour_entries(store, result.hits[:1], NEIGHBOURS) if entry.id not in known),
    ]


def load_memories(request: Request, sources: Sources) -> tuple[list[Entry], list[Entry]]:
    """Search the memories and split them into the user's profile and what agents learned."""
    if sources.memories is None:
        return [], []
    from codemem.memory import MemoryQuery, search_memories

    stores = sources.memories()
    text = request.query
    around = request.surroundings.strip()[:QUERY_CONTEXT]
    # The user's own words stand twice, what surrounds them once: it may colour the answer, not decide it.
    question = f"{text}\n{text}\n{around}" if around else text
    scope = replace(stores.scope(request.tenant), cubes=request.cubes)
    found = search_memories(
        stores, MemoryQuery(question, limit=MEMORY_HITS, mode=request.mode), scope, sources.embedder()
    )
    profile = [memory_entry(hit) for hit in found.hits if hit.memory.cube == PROFILE_CUBE]
    agent = [memory_entry(hit) for hit in found.hits if hit.memory.cube != PROFILE_CUBE]
    return profile, agent


def chat_messages(context: Context, system: str = "") -> list[dict[str, str]]:
    """Return the context as chat messages: the caller's system text, the one memory message, the history."""
    messages = [{"role": "system", "content": system}] if system else []
    if context.text:
        messages.append({"role": "system", "content": context.text})
    return [*messages, *({"role": item.role, "content": item.text} for item in context.history)]


def _frame(request: Request) -> Callable[[Sequence[PackedSection]], str]:
    if request.filter_sensitive:
        from codemem.redact import redact

        return lambda sections: redact(block(sections)).text
    return block


def _wider(turns: Sequence[Message], room: int, narrow: Window, counter: TokenCounter) -> Window:
    """Let the history use what the block left."""
    wide = window(turns, room, counter.count)
    return wide if wide.tokens <= room else narrow


def _guarded(name: str, load: Callable[[], Part], degraded: list[str]) -> Part | None:
    try:
        return load()
    except CodememError as error:
        degraded.append(f"{name}: {error.message}")
        return None
