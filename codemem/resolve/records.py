"""What resolution works on: symbols, the facts of one file, and the questions it may ask about the rest of the repository."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from codemem.resolve.documented import documented_field, is_vague
from codemem.resolve.profile import profile_of
from codemem.resolve.signatures import generic_parameters, parameter_types, with_arguments
from codemem.types import Call, Chunk, ChunkKey, Guard, Import

TYPE_KINDS = frozenset({"class", "interface", "enum", "type"})
NAMESPACE = "block"
"""Kind of a definition that only holds others: its members are reached by its name."""
SYMBOL_KINDS = TYPE_KINDS | {"function", "method", "macro", "constant", "field", NAMESPACE}
DECLARATION_SUFFIX = ".d"
RECEIVER_WORD = "(this "
"""Stands in the signature of a function that is called like a member of its first argument."""
IMPLICIT = "implicit"
"""Modifier of a class whose members its only parameter has too."""
DEFAULT_EXPORT = "default"
SIGILS = "$@"
"""Stand before the name of a field where it is used, not in its name."""
FUNCTIONS = ("->", "=>", "Action<", "Func<", "Consumer<", "Function<", "Predicate<")
"""How the type of a parameter that is a function is written."""
CALLABLE_KINDS = frozenset({"function", "method", "macro"})


class Symbol(NamedTuple):
    """One definition as other files see it: all that resolution may depend on, and nothing else."""

    name: str
    path: str
    qualified_name: str
    ordinal: int
    kind: str
    language: str
    parent: str = ""
    package: str = ""
    parameters: int | None = None
    required: int | None = None
    result: str = ""
    extends: tuple[str, ...] = ()
    modifiers: tuple[str, ...] = ()
    bindings: tuple[tuple[str, str], ...] = ()
    """Types: their fields; constants: their own declared type or constructor."""
    members: tuple[str, ...] = ()
    """Interfaces, and constants that are objects: the simple names of their methods."""
    generics: tuple[tuple[str, str], ...] = ()
    """Type parameters with their bounds."""
    above: tuple[str, ...] = ()
    """`extends` with type arguments, where there are any."""

    types: tuple[str, ...] = ()
    """Parameters as `label:type`, where types tell definitions of one name in one place apart."""

    key: ChunkKey = ChunkKey("", "", 0)
    """Path, qualified name and ordinal together."""

    def __hash__(self) -> int:
        """Hash by identity: that of all nineteen fields costs more than what is remembered by it."""
        return hash(self.key)


class FileHead(NamedTuple):
    """What the types of a file's definitions are read with."""

    path: str
    language: str
    package: str
    imports: tuple[Import, ...]


class Universe(Protocol):
    """The rest of the repository; every answer may depend on the named definitions only."""

    def symbols(self, name: str) -> Sequence[Symbol]:
        """Return all definitions with this simple name."""

    def head(self, path: str) -> FileHead | None:
        """Return the imports and the package of a file."""

    def modules(self, stem: str) -> Sequence[str]:
        """Return the paths of all files with this module stem (see `module_stem`)."""


@dataclass(frozen=True, slots=True)
class FileFacts:
    """One parsed file as resolution needs it."""

    head: FileHead
    chunks: tuple[Chunk, ...]
    lines: Callable[[], Sequence[str]] | None = None
    """The file's source, read only where the arguments of a call decide."""


class ResolvedChunk(NamedTuple):
    """The calls of a chunk with their targets, and per call whether it hands errors on and which handlers stand around it."""

    calls: tuple[Call, ...] = ()
    passes: tuple[bool, ...] = ()
    guards: tuple[tuple[Guard, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class ResolvedFile:
    """One result per chunk of `FileFacts.chunks`, and all names that were looked up."""

    chunks: tuple[ResolvedChunk, ...]
    consulted: frozenset[str]


def symbols_of(facts: FileFacts) -> list[Symbol]:
    """List the definitions of a file as symbols, whole chunks only, in file order."""
    prototypes = prototypes_of(facts)
    fields = _member_bindings(facts, prototypes)
    members: dict[str, list[str]] = {}
    for chunk in facts.chunks:
        if chunk.parent and chunk.kind in CALLABLE_KINDS and not chunk.part:
            members.setdefault(chunk.parent, []).append(chunk.name)
    found: list[Symbol] = []
    overloads = profile_of(facts.head.language).overloads
    alike = Counter((chunk.parent, chunk.name) for chunk in facts.chunks if chunk.parameters != 0) if overloads else {}
    for chunk in facts.chunks:
        if chunk.part or chunk.kind not in SYMBOL_KINDS or _is_plain_field(chunk):
            continue
        exported = (DEFAULT_EXPORT,) if DEFAULT_EXPORT in chunk.modifiers and not chunk.parent else ()
        for name in (*(chunk.names or (chunk.name,)), *exported):
            symbol = _symbol(chunk, name, facts.head, fields, members, alike.get((chunk.parent, chunk.name), 0) > 1)
            if chunk.qualified_name in prototypes:
                symbol = symbol._replace(kind="class", bindings=tuple(fields.get(chunk.qualified_name, {}).items()))
            found.append(symbol)
    return found


def makes_type(row: Symbol) -> bool:
    """Tell whether a function gives a type, whose members stand inside it: `fn List(comptime T: type) type`."""
    return row.kind == "function" and row.result in profile_of(row.language).type_results


def prototypes_of(facts: FileFacts) -> frozenset[str]:
    """Return the qualified names of functions that have members: they are constructors, and as good as types."""
    owners = {chunk.parent for chunk in facts.chunks if chunk.kind == "method" and "#" in chunk.qualified_name}
    return frozenset(
        chunk.qualified_name for chunk in facts.chunks if chunk.kind == "function" and chunk.qualified_name in owners
    )


def imports_name(path: str) -> str:
    """Return the name under which a file's imports are consulted."""
    return f"imports {path}"


def module_name(stem: str) -> str:
    """Return the name under which the existence of a module is consulted."""
    return f"module {stem}"


def module_stem(path: str, index: Iterable[str]) -> str:
    """Return the last part of a module's name: `a/b.x` gives `b`, an index file the name of its folder."""
    folder, _, base = path.rpartition("/")
    stem = file_stem(base)
    return folder.rpartition("/")[2] if stem in index else stem


def enclosing_names(qualified_name: str) -> tuple[str, ...]:
    """List a qualified name and the names around it, innermost first: `A.B#c` gives A.B#c, A.B, A."""
    names: list[str] = []
    while qualified_name:
        names.append(qualified_name)
        cut = max(qualified_name.rfind("#"), qualified_name.rfind("."))
        qualified_name = qualified_name[:cut] if cut > 0 else ""
    return tuple(names)


def file_stem(base: str) -> str:
    """Return a file name without its extension; `x.d.ts` declares what `x` holds."""
    stem = base.rpartition(".")[0] or base
    return stem.removesuffix(DECLARATION_SUFFIX)


def is_declaration(path: str) -> bool:
    """Tell whether a file only declares what another one holds (`x.d.ts`)."""
    return path.rpartition(".")[0].endswith(DECLARATION_SUFFIX)


def _is_plain_field(chunk: Chunk) -> bool:
    """Tell whether a field of a type says nothing that the type's own symbol does not hold."""
    if chunk.kind != "field" or not profile_of(chunk.language).accessors.isdisjoint(chunk.modifiers):
        return False
    names = chunk.names or (chunk.name,)
    typed = bool(chunk.result) or any(
        not (binding.type.endswith("()") or binding.type[:1] == "=")
        and binding.name.rpartition(".")[2].lstrip(SIGILS) in names
        for binding in chunk.bindings
    )
    return bool(chunk.parent) and typed


def _symbol(
    chunk: Chunk,
    name: str,
    head: FileHead,
    fields: Mapping[str, dict[str, str]],
    members: Mapping[str, list[str]],
    overloaded: bool,
) -> Symbol:
    bindings: tuple[tuple[str, str], ...] = ()
    if chunk.kind in TYPE_KINDS:
        bindings = tuple(fields.get(chunk.qualified_name, {}).items())
    elif chunk.kind in {"constant", "field"}:
        bindings = tuple((binding.name, binding.type) for binding in chunk.bindings)
    return Symbol(
        name, head.path, chunk.qualified_name, chunk.ordinal, chunk.kind, head.language, chunk.parent,
        chunk.package or head.package,
        chunk.parameters, chunk.parameters_required, chunk.result, chunk.extends, chunk.modifiers, bindings,
        tuple(members.get(chunk.qualified_name, ())) if chunk.kind in ("interface", "constant") else (),
        generic_parameters(chunk.signature, chunk.name) if "<" in chunk.signature or "[" in chunk.signature else (),
        tuple(with_arguments(chunk.signature, text) for text in chunk.extends) if chunk.kind in TYPE_KINDS else (),
        _types(chunk, overloaded),
        chunk.key,
    )  # fmt: skip


def _types(chunk: Chunk, overloaded: bool) -> tuple[str, ...]:
    """Return the types of a definition's parameters where they decide something: which is meant, or what a block gets."""
    if _tells_types(chunk, overloaded):
        return parameter_types(chunk.signature, chunk.name)
    if (
        chunk.kind in CALLABLE_KINDS
        and profile_of(chunk.language).blocks
        and any(word in chunk.signature for word in FUNCTIONS)
    ):
        types = parameter_types(chunk.signature, chunk.name)
        return types if any(word in text for text in types for word in FUNCTIONS) else ()
    return ()


def _tells_types(chunk: Chunk, overloaded: bool) -> bool:
    """Tell whether the types of a definition's parameters decide where it is meant."""
    if chunk.kind in CALLABLE_KINDS:
        return overloaded or RECEIVER_WORD in chunk.signature
    return IMPLICIT in chunk.modifiers


def _member_bindings(facts: FileFacts, prototypes: frozenset[str]) -> dict[str, dict[str, str]]:
    """Gather the fields of each type: declared in it, given by field chunks, or assigned in its methods; the first wins."""
    own = profile_of(facts.head.language).self
    kinds = {chunk.qualified_name: chunk.kind for chunk in facts.chunks if not chunk.part}
    given: dict[str, dict[str, str]] = {}
    for chunk in facts.chunks:
        if chunk.parent and chunk.kind in CALLABLE_KINDS:
            for binding in chunk.bindings:
                given.setdefault(chunk.parent, {}).setdefault(binding.name, binding.type)
    fields: dict[str, dict[str, str]] = {}
    for chunk in facts.chunks:
        if chunk.kind in TYPE_KINDS:
            for binding in chunk.bindings:
                if binding.until:
                    continue  # a block's variable is no field
                kind = binding.type
                if kind.isidentifier() and kind[0].islower():
                    # `self.store = store`: the field has the type of the parameter.
                    kind = given.get(chunk.qualified_name, {}).get(kind, kind)
                fields.setdefault(chunk.qualified_name, {}).setdefault(binding.name.rpartition(".")[2], kind)
        elif chunk.kind in {"field", "constant"} and chunk.parent:
            for name in chunk.names or (chunk.name,):
                kind = chunk.result or next((binding.type for binding in chunk.bindings if binding.name == name), "")
                if (not kind or is_vague(kind)) and (told := documented_field(chunk.doc)):
                    fields.setdefault(chunk.parent, {})[name] = told
                elif kind:
                    fields.setdefault(chunk.parent, {}).setdefault(name, kind)
    for chunk in facts.chunks:
        owner = next(
            (
                name
                for name in enclosing_names(chunk.qualified_name)
                if kinds.get(name) in TYPE_KINDS or name in prototypes
            ),
            "",
        )
        for binding in chunk.bindings if owner and chunk.kind not in TYPE_KINDS else ():
            receiver, dot, name = binding.name.rpartition(".")
            if dot and receiver in own:
                fields.setdefault(owner, {}).setdefault(name, binding.type)
    return fields
