"""What resolution must know of a language, read from grammars/calls.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Any

from codemem.languages import grammar_folder

DEFAULT_ROW = "default"
LITERALS = "literals"
"""Name of the table that is no language: what types literals have."""
TYPE_NAMED = "@type"


@dataclass(frozen=True, slots=True)
class Profile:
    """One row of calls.toml; the file's head explains the fields."""

    family: str
    modules: str = "include"
    separators: tuple[str, ...] = (".",)
    index: tuple[str, ...] = ()
    extensions: tuple[str, ...] = ()
    self: frozenset[str] = frozenset()
    super: frozenset[str] = frozenset()
    self_types: frozenset[str] = frozenset()
    constructors: tuple[str, ...] = ()
    construct_by: frozenset[str] = frozenset()
    implicit_self: bool = False
    bare_members: bool = False
    rooted: bool = False
    module_file: str = ""
    implicit_package: bool = False
    members: str = "file"
    overloads: bool = False
    structural: bool = False
    sequential: bool = False
    open_imports: bool = False
    global_imports: tuple[str, ...] = ()
    globally: bool = False
    manifests: str = ""
    labels: bool = False
    conversions: bool = False
    narrowing: bool = False
    attaches: bool = False
    everything: frozenset[str] = frozenset()
    literals: Mapping[str, tuple[frozenset[str], frozenset[str]]] = field(default_factory=dict)
    """Kind of a literal -> types that it has, and types that it goes to."""
    wrappers: frozenset[str] = frozenset()
    passing: frozenset[str] = frozenset()
    blocks: bool = False
    makes: frozenset[str] = frozenset()
    gives_receiver: frozenset[str] = frozenset()
    gives_each: frozenset[str] = frozenset()
    elements: frozenset[str] = frozenset()
    sequences: frozenset[str] = frozenset()
    nothing: frozenset[str] = frozenset()
    accessors: frozenset[str] = frozenset()
    properties: frozenset[str] = frozenset()
    delegates: frozenset[str] = frozenset()
    super_same: bool = False
    bare_calls: bool = False
    separate_names: bool = False
    whole: tuple[str, ...] = ()
    private: frozenset[str] = frozenset()
    type_results: frozenset[str] = frozenset()
    companion: str = ""
    applies: frozenset[str] = frozenset()
    file_modules: bool = False
    namespaces: bool = False
    class_methods: bool = False
    paths: bool = False
    beside: bool = False
    scheme: str = ""
    scheme_folder: str = ""
    own_members: bool = False
    reopens: bool = False
    declaring: frozenset[str] = frozenset()
    folders: tuple[str, ...] = ()
    unimported: bool = False
    outer_packages: bool = False

    def literal_kind(self, name: str) -> str:
        """Return the kind of literal that has this type, empty when none has."""
        return _literal_kinds().get(name, "")

    def is_literal(self, kind: str) -> bool:
        """Tell whether this is a kind of literal."""
        return kind in self.literals

    def constructor_names(self, type_name: str) -> tuple[str, ...]:
        """Name the members that constructing a `type_name` runs."""
        return tuple(type_name if name == TYPE_NAMED else name for name in self.constructors)


@cache
def profile_of(language: str) -> Profile:
    """Return the row of `language`; an unknown language gets the default row."""
    rows = _rows()
    row = rows.get(language, {})
    if "like" in row:
        language = row["like"]
        row = rows[language]
    return _profile(language, {**rows[DEFAULT_ROW], **row})


@cache
def _rows() -> dict[str, dict[str, Any]]:
    return tomllib.loads((grammar_folder() / "calls.toml").read_text(encoding="utf-8"))


@cache
def _literals() -> Mapping[str, tuple[frozenset[str], frozenset[str]]]:
    kinds = _rows()[LITERALS]
    exact = {kind: frozenset(values["exact"]) for kind, values in kinds.items()}
    return {
        kind: (exact[kind], frozenset(values["fits"]).union(*(exact[other] for other in values.get("becomes", ()))))
        for kind, values in kinds.items()
    }


@cache
def _literal_kinds() -> Mapping[str, str]:
    return {name: kind for kind, (exact, _) in _literals().items() for name in exact}


def _profile(language: str, row: dict[str, Any]) -> Profile:
    values: dict[str, Any] = {"family": row.get("family", language), "globally": row.get("global", False)}
    values["literals"] = _literals()
    for entry in fields(Profile):
        if entry.name in row and entry.name not in values:
            value = row[entry.name]
            if isinstance(value, list):
                value = frozenset(value) if str(entry.type).startswith("frozenset") else tuple(value)
            values[entry.name] = value
    return Profile(**values)
