"""The table of embedding models: a name, or `name:argument`, chooses a row."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import cast

from codemem.embed.protocol import Embedder
from codemem.errors import BadInput


@dataclass(frozen=True, slots=True)
class EmbedderRow:
    """One kind of model: how it is written, where it comes from, and the function that loads it."""

    name: str
    usage: str
    summary: str
    remote: bool
    module: str
    loader: str
    """Function of `module` that takes what follows the colon; imported only when the row is chosen."""


EMBEDDERS = (
    EmbedderRow("fake", "fake[:DIMENSION]", "hashed words, for tests only", False, "codemem.embed.fake", "load_fake"),
    EmbedderRow(
        "ollama", "ollama[:MODEL]", "a model served by Ollama", True, "codemem.embed.remote", "load_ollama"
    ),
    EmbedderRow(
        "openai", "openai[:MODEL]", "any endpoint that speaks OpenAI's /embeddings", True, "codemem.embed.remote", "load_openai"
    ),
    EmbedderRow(
        "sentence-transformers",
        "sentence-transformers:NAME|FOLDER",
        "a transformer run here; ONNX where its folder has it",
        False,
        "codemem.embed.transformer",
        "load_transformer",
    ),
    EmbedderRow("static", "static", "the bundled model: numpy only, no network", False, "codemem.embed.static", "load_static"),
)  # fmt: skip


def load_embedder(name: str) -> Embedder:
    """Load the model called `name`.

    Raises:
        BadInput: no row has that name, or its argument does not fit.
        ModelMissing: the model or its library is not installed.
    """
    kind, _, argument = name.partition(":")
    row = next((row for row in EMBEDDERS if row.name == kind), None)
    if row is None:
        known = ", ".join(row.usage for row in EMBEDDERS)
        raise BadInput(f"unknown embedding model: {name or '(empty)'}", f"known are {known}")
    loader = cast(Callable[[str], Embedder], getattr(import_module(row.module), row.loader))
    return loader(argument)
