"""The capture vocabulary, and the plain facts that captures become: definitions, calls, errors, bindings, imports."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

DEFINITION = "definition."
SCOPE = "scope."
ERROR = "error."

DEFINITION_KINDS = ("block", "class", "constant", "enum", "field", "function", "interface", "macro", "method", "type")
ERROR_ROLES = ("catch", "declare", "panic", "propagate", "raise", "return")
VOCABULARY = frozenset(
    [
        *(DEFINITION + kind for kind in DEFINITION_KINDS),
        *(ERROR + role for role in ERROR_ROLES),
        *("name", "owner", "scope.type", "scope.module", "package", "outer", "body"),
        *("comment", "doc", "attribute", "contract", "modifier", "result", "extends"),
        *("parameters", "parameter", "parameter.optional", "parameter.variadic", "parameter.self", "parameter.marker"),
        *("call", "callee", "receiver", "arguments", "argument", "argument.spread", "argument.whole"),
        *("call.name", "local"),
        *("error.scope", "error.handler", "error.variable", "error.kept", "error.passes", "error.pass", "error.filter"),
        *("flow.loop", "flow.branch", "order.scope", "order.first"),
        *("import", "import.name", "import.alias", "export"),
        *(
            "binding",
            "binding.type",
            "binding.narrowed",
            "binding.after",
            "binding.block",
            "binding.scope",
            "binding.value",
            "binding.many",
            "binding.from",
            "binding.element",
            "binding.member",
        ),
    ]
)
"""The closed capture vocabulary; `@_anything` beside it is a helper for predicates."""
PREDICATES = frozenset(("eq?", "not-eq?", "match?", "not-match?", "any-of?", "any-eq?", "any-match?", "set!"))
"""The predicates that py-tree-sitter evaluates rightly: any other silently passes, and `not-any-of?` passes everything.
`set!` gives an import the `name` or `alias` that no node spells."""


@dataclass(slots=True)
class Site:
    """One definition or scope while it is being assembled; offsets are bytes."""

    kind: str
    name: str
    start: int
    end: int
    body: int
    pattern: int
    owner: str = ""
    outer_start: int = -1
    outer_end: int = -1
    parameters: Node | None = None
    result: str = ""
    name_start: int = -1
    names: list[str] = field(default_factory=list)
    modifiers: list[str] = field(default_factory=list)
    extends: list[str] = field(default_factory=list)
    docs: list[tuple[int, int]] = field(default_factory=list)


@dataclass(slots=True)
class Handler:
    """One handler clause of a `try`: its range, the scopes it protects, the types it names, its variable."""

    start: int
    end: int
    scopes: list[tuple[int, int]] = field(default_factory=list)
    types: list[str] = field(default_factory=list)
    variable: str = ""
    rethrows: bool = False
    narrowed: list[str] = field(default_factory=list)
    """Types for which a clause that throws again does not: `if (e instanceof X) return; throw e`."""
    passed: list[str] = field(default_factory=list)
    """Types that alone the clause throws again: `if (e instanceof X) throw e`."""


@dataclass(slots=True)
class RawCall:
    """One call as captured; `arguments` is its argument list, None when not captured."""

    start: int
    end: int
    callee_start: int
    callee: str
    receiver: str | None
    arguments: Node | None
    pattern: int


@dataclass(slots=True)
class RawFact:
    """One error capture; with a `variable` it counts only inside the handler of that variable."""

    start: int
    end: int
    role: str
    text: str
    variable: str = ""


@dataclass(slots=True)
class RawBinding:
    """One variable with the text of its declared type, of the callee assigned to it, or `=` and the expression it stands for."""

    start: int
    end: int
    name: str
    type: str
    declared: bool
    until: int = 0
    """Where it ends to be seen, 0 for the end of its definition."""


@dataclass(slots=True)
class RawImport:
    """One imported or re-exported name."""

    start: int
    path: str
    name: str
    alias: str


@dataclass(slots=True)
class Captures:
    """Everything the query found in one file."""

    gave_up: bool = False
    """The query would have taken too long to find all there is."""
    sites: dict[int, Site] = field(default_factory=dict)
    """Definitions and named scopes by the byte where their name starts; nameless scopes by a negative number."""
    calls: dict[tuple[int, int, int], RawCall] = field(default_factory=dict)
    facts: dict[tuple[int, int, str], RawFact] = field(default_factory=dict)
    handlers: dict[tuple[int, int], Handler] = field(default_factory=dict)
    passes: dict[tuple[int, int], list[str]] = field(default_factory=dict)
    """What is thrown again for some types only, with these."""
    loops: set[tuple[int, int]] = field(default_factory=set)
    branches: set[tuple[int, int]] = field(default_factory=set)
    orders: dict[tuple[int, int], set[tuple[int, int]]] = field(default_factory=dict)
    comments: set[tuple[int, int]] = field(default_factory=set)
    attributes: set[tuple[int, int]] = field(default_factory=set)
    contracts: set[tuple[int, int]] = field(default_factory=set)
    docs: set[tuple[int, int]] = field(default_factory=set)
    modifiers: set[tuple[int, int]] = field(default_factory=set)
    results: set[tuple[int, int]] = field(default_factory=set)
    extends: set[tuple[int, int]] = field(default_factory=set)
    spreads: set[int] = field(default_factory=set)
    arguments: set[tuple[int, int]] = field(default_factory=set)
    whole_arguments: set[tuple[int, int]] = field(default_factory=set)
    """Lists that are one argument themselves: a block after a name."""
    parameters: set[tuple[int, int]] = field(default_factory=set)
    parameter_marks: dict[tuple[int, int], str] = field(default_factory=dict)
    parameter_lists: set[tuple[int, int]] = field(default_factory=set)
    bindings: dict[tuple[int, str], RawBinding] = field(default_factory=dict)
    imports: dict[tuple[int, int], RawImport] = field(default_factory=dict)
    packages: dict[int, str] = field(default_factory=dict)
    names: set[tuple[int, int]] = field(default_factory=set)
    """Bare names that are calls where no variable has the name."""
    locals: set[tuple[int, int]] = field(default_factory=set)
    """Names of variables where they are set."""
