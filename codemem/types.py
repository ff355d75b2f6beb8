"""The records that flow through codemem: frozen, slotted, without behaviour beyond derived properties.

Lines are 1-based and inclusive everywhere. Paths are relative to the repository root and use `/`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

ErrorRole = Literal["declare", "raise", "catch", "panic", "return", "propagate"]
FactSource = Literal["code", "doc"]
Certainty = Literal["resolved", "likely", "ambiguous", "external", "unresolved"]
Mode = Literal["hybrid", "keyword", "vector"]
Fusion = Literal["ranked", "rrf"]


class ChunkKey(NamedTuple):
    """Identity of a chunk that survives re-indexing: path, qualified name, ordinal among equals in that file."""

    path: str
    qualified_name: str
    ordinal: int


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One decoded file: `content` has `\\n` line ends and no byte order mark, `sha` is the SHA-256 of the raw bytes."""

    path: str
    language: str
    content: str
    sha: str


@dataclass(frozen=True, slots=True)
class Guard:
    """One `try` around a call or raise: the types its handlers name (`*` = everything) and whether they re-raise."""

    types: tuple[str, ...]
    rethrows: bool = False
    scope: int = 0
    """Handlers of one `try` share this number (unique in the chunk): the first that matches decides for all of them."""


@dataclass(frozen=True, slots=True)
class Call:
    """One call in evaluation order, as written and, after resolution, with its target in this repository."""

    callee: str
    receiver: str | None
    line: int
    order: int
    arguments: int | None = None
    """Number of arguments written, None when the syntax does not say (spread, macros)."""
    mark: str = ""
    """`*` inside a loop, `?` inside a branch, empty when it always runs."""
    repeat: int = 1
    """How many equal calls in a row were collapsed into this one."""
    guards: tuple[Guard, ...] = ()
    """The handlers around the call, innermost first."""
    target: ChunkKey | None = None
    certainty: Certainty = "unresolved"
    candidates: tuple[ChunkKey, ...] = ()
    """Implementations of an interface call, or the alternatives of an ambiguous one."""
    module: str = ""
    """Import path of an external call's receiver or callee, when known."""


@dataclass(frozen=True, slots=True)
class ErrorFact:
    """One statement about how a chunk fails or what failure it handles."""

    role: ErrorRole
    type: str
    """Normalised type name (`OutOfStockException`), empty when the syntax names none."""
    text: str
    """The captured source text on one line, shortened."""
    line: int
    source: FactSource = "code"
    via: str | None = None
    """Qualified name of the callee it comes through, for propagated facts."""
    guards: tuple[Guard, ...] = ()
    handled: bool = False
    """A raise that the same chunk catches: it does not leave it."""


@dataclass(frozen=True, slots=True)
class Import:
    """One imported name: `from m import f as g` is path `m`, name `f`, alias `g`; `import m` has an empty name."""

    path: str
    name: str = ""
    alias: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class Binding:
    """A variable, field or parameter whose type the syntax gives, by declaration or by constructor call."""

    name: str
    type: str
    """As written (`List<Order>`), or the callee of the assigned call with `()` (`models.Order()`)."""
    line: int = 0


@dataclass(frozen=True, slots=True)
class Chunk:
    """The unit of retrieval: one definition (its interface and its own lines), or lines that no definition covers."""

    path: str
    language: str
    kind: str
    """function, method, class, interface, enum, type, constant, macro, field, module, section, lines …"""
    name: str
    qualified_name: str
    ordinal: int
    start_line: int
    end_line: int
    signature: str = ""
    doc: str = ""
    text: str = ""
    """The chunk's own lines: a container's text leaves out the lines of the chunks inside it."""
    spans: tuple[tuple[int, int], ...] = ()
    """The line ranges `text` is made of, in order."""
    package: str = ""
    parent: str = ""
    """Qualified name of the definition or type scope around it, empty at the top level."""
    names: tuple[str, ...] = ()
    """All simple names when one range defines several (grouped constants), else just `name`."""
    parameters: int | None = None
    """Number of declared parameters (receiver excluded), None when unknown or variadic."""
    parameters_required: int | None = None
    result: str = ""
    """Declared result type as written."""
    calls: tuple[Call, ...] = ()
    contract: tuple[ErrorFact, ...] = ()
    extends: tuple[str, ...] = ()
    bindings: tuple[Binding, ...] = ()
    modifiers: tuple[str, ...] = ()
    """Declaration words that matter to callers: abstract, static, override, exported …, as the grammar captures them."""
    partial: bool = False
    """True when the syntax tree around it had errors."""
    part: int = 0
    """0 for a whole definition or its first piece; 1, 2 … for later pieces of a split long one (same key, own lines)."""
    content_hash: str = ""
    """Hash of the chunk's normalised text, stable across moves."""
    interface_hash: str = ""
    """Hash of signature and contract as written, stable under body edits and reformatting."""

    @property
    def key(self) -> ChunkKey:
        return ChunkKey(self.path, self.qualified_name, self.ordinal)


@dataclass(frozen=True, slots=True)
class Problem:
    """Something skipped or degraded: recorded, never raised."""

    path: str
    stage: str
    message: str


@dataclass(frozen=True, slots=True)
class ParsedFile:
    """All that parsing takes from one file."""

    path: str
    language: str
    sha: str
    lines: int
    chunks: tuple[Chunk, ...]
    imports: tuple[Import, ...] = ()
    problems: tuple[Problem, ...] = ()
    package: str = ""
    doc: str = ""
    """The file's leading documentation (module docstring, head comment without the licence text)."""
    generated: bool = False


@dataclass(frozen=True, slots=True)
class FileEntry:
    """One file that belongs to the index, with the hints that change detection uses."""

    path: str
    size: int
    mtime_ns: int
    inode: int
    ctime_ns: int = 0
    """Change time of the inode: what no program can set back, so a replaced file with a reset mtime shows."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """One file that is not indexed and why."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Filters:
    """What a hit must satisfy; applied inside the arms, before anything is cut."""

    languages: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    """Glob patterns or path prefixes."""
    kinds: tuple[str, ...] = ()
    raises: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()
    sources: tuple[str, ...] = ("code", "docs")


@dataclass(frozen=True, slots=True)
class Query:
    text: str
    limit: int = 10
    offset: int = 0
    mode: Mode = "hybrid"
    fusion: Fusion = "ranked"
    filters: Filters = Filters()
    all_chunks: bool = False
    rerank: str = ""
    """Name of the cross-encoder, empty for none."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A chunk that an arm nominated, with what the signals need."""

    chunk_id: int
    path: str
    kind: str
    qualified_name: str
    start_line: int
    signals: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Hit:
    """One answer: the chunk, the snippet as shown, and why it ranks where it does."""

    chunk: Chunk
    score: float
    start_line: int
    end_line: int
    text: str
    why: dict[str, float]
    also: tuple[tuple[int, int], ...] = ()
    source: str = "code"
    memories: tuple[dict[str, object], ...] = ()
    text_line: int = 0
    """Line number of the snippet's first line, 0 when it is `start_line`."""
    match_line: int = 0
    """The line that answers best, 0 when unknown."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    query: Query
    hits: tuple[Hit, ...]
    exact_match: bool = False
    degraded: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """What one `index` run did."""

    root: str
    files: int = 0
    added: int = 0
    changed: int = 0
    removed: int = 0
    unchanged: int = 0
    skipped: tuple[Skipped, ...] = ()
    chunks: int = 0
    embedded: int = 0
    reused: int = 0
    problems: tuple[Problem, ...] = ()
    seconds: dict[str, float] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Scope:
    """Who asks: what it may see, and where what it writes goes."""

    tenant: str = "default"
    cubes: tuple[str, ...] = ()
    """Cubes that are visible; empty means all of the tenant's. A write goes to the first, or to `user_profile`."""
    project_id: str = ""
    """Identity of the project; empty sees no project memory."""

    @property
    def cube(self) -> str:
        return self.cubes[0] if self.cubes else "user_profile"


@dataclass(frozen=True, slots=True)
class Memory:
    """One remembered statement. Times are UTC milliseconds; `uuid` is its identity outside the store."""

    uuid: str
    tenant: str
    visibility: str
    project_id: str
    cube: str
    type: str
    content: str
    importance: int
    status: str
    created_at: int
    updated_at: int
    content_hash: str
    key: str = ""
    context: str = ""
    """Indexed with the content but not shown: speaker, caption, date."""
    symbol: str = ""
    version: int = 1
    source: str = "manual"
    source_session: str = ""
    source_message: str = ""
    raw: bool = False
    """A conversation turn as it was said: never deduplicated or judged."""
    valid_from: int | None = None
    valid_to: int | None = None
    superseded_at: int | None = None
    superseded_by: str | None = None
    seen_count: int = 1
    last_used_at: int | None = None
    id: int = 0
    """Number inside its store."""
    aliases: tuple[str, ...] = ()
    anchor: str = ""
    """State of its tie to code: fresh, stale:body, stale:contract, orphaned, ambiguous, unresolved; empty without one."""

    @property
    def short_id(self) -> str:
        """The last characters: the first ones of a UUIDv7 are the time, equal for memories of one minute."""
        return self.uuid[-8:]
