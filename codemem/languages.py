"""The language table: rows of grammars/languages.toml, detection by name, and grammars compiled on first use."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module, resources
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from tree_sitter import Language, Query

HEAD_CHARACTERS = 4_000
"""Characters looked at to tell languages that share an extension: headers show their nature on the first screens."""

CAPSULE_NAME = b"tree_sitter.Language"
"""Name of the capsules that tree-sitter takes; kept here because a capsule does not copy it."""
SHEBANG = re.compile(r"#!\s*(?:\S*/)?(?:env\s+(?:-\S+\s+|\w+=\S+\s+)*)?(?:\S*/)?([A-Za-z][\w+-]*)")
NIX_SHELL = "nix-shell"
"""An interpreter that only fetches the real one, which the next line names."""
NIX_INTERPRETER = re.compile(r"^#!\s*nix-shell\b.*?\s-i\s*([A-Za-z][\w+-]*)", re.MULTILINE)
EMACS_MODE = re.compile(
    r"-\*-[ \t]*(?:[^\n]{0,200}?(?<![\w-])mode:[ \t]*)?([A-Za-z][\w+#-]*?)[ \t]*(?:;|-\*-)", re.IGNORECASE
)
EMACS_LINES = 2
"""Lines at the beginning where Emacs looks for a mode."""
VIM_MODE = re.compile(
    r"(?:^|\s)(?:vim?(?:[<>=]?\d+)?|ex):[^\n]{0,200}?\b(?:ft|filetype|syn|syntax)=([A-Za-z][\w+-]*)", re.MULTILINE
)
VIM_LINES = 5
"""Lines at the beginning and at the end where Vim looks for a mode line."""
LONGEST_MODE_LINE = 400
"""Characters of such a line that are looked at."""
VARIANT = re.compile(r"\.?[A-Za-z]{4,}(?=[._-])")
"""The name that a file's name is a variant of; shorter words are anything."""
TEMPLATE_ENDINGS = (".default", ".dist", ".example", ".in", ".j2", ".jinja", ".jinja2", ".sample", ".template", ".tmpl")
"""Endings of files that become what the name before them says: `config.h.in`, `settings.py.example`."""


@dataclass(frozen=True, slots=True)
class Alternative:
    """A language that shares an extension with the row's own and is chosen when `pattern` is found in the head."""

    language: str
    pattern: str
    extensions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LanguageRow:
    """One row of grammars/languages.toml; PARSE conventions are explained in its head comment."""

    name: str
    chunker: str = "grammar"
    title: str = ""
    module: str = ""
    entry: str = "language"
    distribution: str = ""
    inherits: tuple[str, ...] = ()
    abstract: bool = False
    fallback: bool = False
    extensions: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    shebangs: tuple[str, ...] = ()
    modes: tuple[str, ...] = ()
    alternatives: tuple[Alternative, ...] = ()
    contract: bool = False
    clauses: str = ""
    family: str = ""
    self_names: tuple[str, ...] = ()
    super_names: tuple[str, ...] = ()
    field_prefixes: tuple[str, ...] = ()
    static_modifiers: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    conditionals: bool = False
    error_types: Mapping[str, str] = field(default_factory=dict)
    blocks: Mapping[str, str] = field(default_factory=dict)
    package: str = ""
    heading_marks: str = ""
    underlines: str = ""
    fences: tuple[str, ...] = ()
    links: Mapping[str, Any] = field(default_factory=dict)

    @property
    def shown(self) -> str:
        """The name people know it by."""
        return self.title or self.name.capitalize()


@dataclass(frozen=True, slots=True)
class Grammar:
    """A loaded tree-sitter language with its compiled query."""

    row: LanguageRow
    language: Language
    query: Query
    errors: Query
    """Finds the broken places of a tree."""


def grammar_folder() -> Traversable:
    """Return the folder of languages.toml and the query files, installed or in a checkout."""
    try:
        return resources.files("codemem.grammars")
    except ModuleNotFoundError:
        return Path(__file__).parent.parent / "grammars"


@cache
def language_table() -> Mapping[str, LanguageRow]:
    """Return every concrete row by language name, sorted."""
    return MappingProxyType({name: row for name, row in _all_rows().items() if not row.abstract})


@cache
def fallback_language() -> str:
    """Return the language of text that no row claims."""
    return next(name for name, row in language_table().items() if row.fallback)


def detect_language(path: str, content: str = "") -> str:
    """Name the language of a file by its name, else its extension, its shebang line, its mode line or how it begins."""
    base = path.rpartition("/")[2]
    found = _by_name(base)
    if not found and base.lower().endswith(TEMPLATE_ENDINGS):
        found = _by_name(base.rpartition(".")[0])
    found = found or _by_shebang(content) or _by_variant(base)
    others = [other.language for other in language_table()[found].alternatives] if found else []
    if (others or not found) and (mode := _by_mode(content)) and (not found or mode in others):
        found = mode  # a header may say that it is C++, a `.py` file not that it is Ruby
    found = found or fallback_language()
    for other in language_table()[found].alternatives:
        applies = not other.extensions or base.lower().endswith(other.extensions)
        if applies and re.search(other.pattern, content[:HEAD_CHARACTERS], re.MULTILINE):
            return other.language
    return found


def _by_name(base: str) -> str:
    """Look up a file name, as written or in any case, then its extensions, the longest first."""
    names, extensions = _lookups().names, _lookups().extensions
    found = names.get(base) or names.get(base.lower(), "")
    parts = base.lower().split(".")
    for start in range(1, len(parts)):
        if found:
            break
        found = extensions.get("." + ".".join(parts[start:]), "")
    return found


def _by_variant(base: str) -> str:
    """Take `Dockerfile.dev`, `Makefile-arm` and `.bashrc_local` for what they are variants of."""
    first = VARIANT.match(base)
    return _lookups().names.get(first.group().lower(), "") if first else ""


def _by_shebang(content: str) -> str:
    line = SHEBANG.match(content)
    if line is None:
        return ""
    interpreter = line.group(1)
    if interpreter == NIX_SHELL and (real := NIX_INTERPRETER.search(content[:HEAD_CHARACTERS])):
        interpreter = real.group(1)
    shebangs = _lookups().shebangs
    return shebangs.get(interpreter) or shebangs.get(interpreter.rstrip("0123456789.-"), "")


def _by_mode(content: str) -> str:
    """Return the language that a mode line of Emacs or Vim names, if the table has it."""
    head = [line[:LONGEST_MODE_LINE] for line in content[:HEAD_CHARACTERS].split("\n", VIM_LINES)[:VIM_LINES]]
    tail = [
        line[:LONGEST_MODE_LINE] for line in content[-HEAD_CHARACTERS:].rstrip().rsplit("\n", VIM_LINES)[-VIM_LINES:]
    ]
    mode = EMACS_MODE.search("\n".join(head[:EMACS_LINES])) or VIM_MODE.search("\n".join(head + tail))
    return _lookups().modes.get(mode.group(1).lower(), "") if mode else ""


def known_by_name(path: str) -> bool:
    """Tell whether the table claims this file by its name or extension alone."""
    return detect_language(path) != fallback_language()


def query_text(row: LanguageRow) -> str:
    """Return the row's query: the inherited files first, then its own."""
    folder = grammar_folder()
    return "\n".join((folder / f"{name}.scm").read_text(encoding="utf-8") for name in (*row.inherits, row.name))


@cache
def load_grammar(name: str) -> Grammar:
    """Load and compile one language: 20 to 100 ms each, so only on first use."""
    from tree_sitter import Language, Query

    row = language_table()[name]
    module = import_module(row.module)
    language = Language(_capsule(getattr(module, row.entry)()))
    return Grammar(row, language, Query(language, query_text(row)), Query(language, "(ERROR) @error (MISSING) @error"))


def _capsule(pointer: object) -> Any:
    """Return what a grammar wheel's entry gives as the capsule tree-sitter asks for: older wheels give the bare address."""
    if not isinstance(pointer, int):
        return pointer
    import ctypes

    make = ctypes.pythonapi.PyCapsule_New
    make.restype, make.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
    return make(pointer, CAPSULE_NAME, None)


@cache
def grammar_fingerprint() -> str:
    """Hash the table, every query and every grammar's version: what parsing results depend on besides our code."""
    from hashlib import sha256
    from importlib.metadata import PackageNotFoundError, version

    digest = sha256((grammar_folder() / "languages.toml").read_bytes())
    for row in language_table().values():
        if row.module:
            digest.update(query_text(row).encode())
            try:
                digest.update(f"{row.distribution}={version(row.distribution)}".encode())
            except PackageNotFoundError:
                digest.update(f"{row.distribution}?".encode())
    return digest.hexdigest()


@cache
def _all_rows() -> Mapping[str, LanguageRow]:
    document = tomllib.loads((grammar_folder() / "languages.toml").read_text(encoding="utf-8"))
    return {name: _row(name, values) for name, values in document.items()}


def _row(name: str, values: dict[str, Any]) -> LanguageRow:
    fields: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in values.items()}
    fields["alternatives"] = tuple(
        Alternative(other["language"], other["pattern"], tuple(other.get("extensions", ())))
        for other in values.get("alternatives", ())
    )
    return LanguageRow(name=name, **fields)


class _Lookups(NamedTuple):
    """The table by file name, by extension, by interpreter and by what editors call a language."""

    names: Mapping[str, str]
    extensions: Mapping[str, str]
    shebangs: Mapping[str, str]
    modes: Mapping[str, str]


@cache
def _lookups() -> _Lookups:
    rows = language_table().values()
    shebangs = {key: row.name for row in rows for key in row.shebangs}
    extensions = {key: row.name for row in rows for key in row.extensions}
    # A name in capitals alone (`BUILD`) is meant so: in small letters it is anybody's.
    names = {key.lower(): row.name for row in rows for key in row.names if not key.isupper()}
    modes = shebangs | {key.lstrip("."): name for key, name in extensions.items()}
    modes |= {key: row.name for row in rows for key in (row.shown.lower(), row.name, *row.modes)}
    return _Lookups({key: row.name for row in rows for key in row.names} | names, extensions, shebangs, modes)
