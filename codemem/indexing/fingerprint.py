"""What the index layer depends on besides the files: when a part differs, that layer and only that is rebuilt."""

from __future__ import annotations

from collections.abc import Mapping

from codemem.store import Store, read_meta

DECISION_VERSION = 3
"""Bump when walk decides or decodes differently: every file is then read again."""
LAYERS = ("walk", "parse", "resolve", "lexical", "embed")
"""In order of the pipeline; a rebuilt layer hands its changes to those behind it by the usual work lists."""
STALE_REASONS = {
    "walk": "the rules for files changed",
    "parse": "grammars or the parser changed",
    "resolve": "the rules of resolution changed",
    "lexical": "the lexical analysis changed",
    "embed": "the embedding model changed",
}
"""Why a layer is out of date, before it is rebuilt."""
REASONS = {
    "walk": "the rules for files changed: every file was read again",
    "parse": "grammars or the parser changed: every file was parsed again",
    "resolve": "the rules of resolution changed: all calls were resolved again",
    "lexical": "the lexical analysis changed: all documents were analysed again",
    "embed": "the embedding model changed: all cards were embedded again",
}


def current_fingerprint(model: str, dimension: int) -> dict[str, str]:
    """Return the fingerprint of each layer as this version with these settings writes it."""
    return {**code_fingerprint(), "embed": f"{model} {dimension}"}


def code_fingerprint() -> dict[str, str]:
    """Return what this installation's code, grammars and tables make of files: all layers but the embedder's."""
    from codemem import lexical, parse, resolve
    from codemem.languages import grammar_fingerprint

    return {
        "walk": str(DECISION_VERSION),
        "parse": f"{parse.VERSION} {grammar_fingerprint()}",
        "resolve": resolve.data_fingerprint(),
        "lexical": str(lexical.LAYOUT),
    }


def stale_layers(store: Store, current: Mapping[str, str]) -> tuple[str, ...]:
    """Name the layers of `current` that were written under another fingerprint; none in a store that was never filled."""
    if not read_meta(store, meta_key("walk")):
        return ()
    return tuple(layer for layer in LAYERS if layer in current and read_meta(store, meta_key(layer)) != current[layer])


def meta_key(layer: str) -> str:
    """Return the key of `index_meta` that holds the layer's fingerprint."""
    return f"fingerprint_{layer}"
