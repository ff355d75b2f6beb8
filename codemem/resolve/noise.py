"""Calls that say nothing about a repository: loggers, collections, strings; read from grammars/noise.toml."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache

from codemem.languages import grammar_folder
from codemem.resolve.profile import profile_of

EVERY_LANGUAGE = "default"


@dataclass(frozen=True, slots=True)
class Noise:
    """Names of one language: members of foreign types, free functions, receivers that are loggers and the like."""

    members: frozenset[str]
    functions: frozenset[str]
    receivers: frozenset[str]


def is_noise(language: str, callee: str, receiver: str | None) -> bool:
    """Tell whether a call is library noise by its name alone."""
    noise = noise_of(profile_of(language).family)
    if receiver is None:
        return callee in noise.functions
    return callee in noise.members or is_noisy_receiver(language, receiver)


def is_noisy_receiver(language: str, receiver: str) -> bool:
    """Tell whether a receiver is a logger, a console or the like."""
    last = receiver.rstrip("()").replace("->", ".").replace("::", ".").rpartition(".")[2]
    return last.lstrip("_$@").lower() in noise_of(profile_of(language).family).receivers


@cache
def noise_of(family: str) -> Noise:
    """Return the names of a language family together with those of every language."""
    rows = _rows()
    picked = [rows.get(EVERY_LANGUAGE, {}), rows.get(family, {})]

    def names(field: str) -> frozenset[str]:
        return frozenset(name for row in picked for name in row.get(field, "").split())

    return Noise(names("members"), names("functions"), names("receivers"))


@cache
def _rows() -> dict[str, dict[str, str]]:
    return tomllib.loads((grammar_folder() / "noise.toml").read_text(encoding="utf-8"))
