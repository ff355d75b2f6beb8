"""One definition of a source file: what is retrieved, with its calls and how it fails."""

from __future__ import annotations

from typing import Literal, NamedTuple

ErrorRole = Literal["declare", "raise", "catch", "panic", "return", "propagate"]
FactSource = Literal["code", "doc"]
Certainty = Literal["resolved", "likely", "ambiguous", "external", "unresolved"]


class ChunkKey(NamedTuple):
    """Identity of a chunk that survives re-indexing: path, qualified name, ordinal among equals in that file."""

    path: str
    qualified_name: str
    ordinal: int


class Guard(NamedTuple):
    """One `try` around a call or raise: the types its handlers name (`*` = everything) and whether they re-raise."""

    types: tuple[str, ...]
    rethrows: bool = False
    scope: int = 0
    """Handlers of one `try` share this number (unique in the chunk): the first that matches decides for all of them."""


READS = "="
"""The module of a call that reads a field (a record's component, `attr_reader`): an edge, but no step of a chain."""


class Call(NamedTuple):
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
    """Import path of an external call's receiver or callee, when known; `READS` where an own call only reads a field."""


class ErrorFact(NamedTuple):
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


class Binding(NamedTuple):
    """A variable, field or parameter whose type the syntax gives, by declaration or by constructor call."""

    name: str
    type: str
    """As written (`List<Order>`), the callee of the assigned call with `()` (`models.Order()`), or `=` with the expression
    that it stands for (`=self.store`), `=[]` with the one whose elements it takes; empty when nothing is known."""
    line: int = 0
    until: int = 0
    """The last line that sees it, 0 when it is seen to the end of its definition."""


class Chunk(NamedTuple):
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
