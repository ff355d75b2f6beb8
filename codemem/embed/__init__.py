"""Vectors for cards, questions and memories: one protocol, a table of models, the bundled one by default."""

from codemem.embed.cards import CardFields, FileCard, card_fields, document_text, file_card, vector_key
from codemem.embed.protocol import Embedder, check_vectors, unit_rows, usable
from codemem.embed.table import EMBEDDERS, EmbedderRow, load_embedder

__all__ = [
    "EMBEDDERS",
    "CardFields",
    "Embedder",
    "EmbedderRow",
    "FileCard",
    "card_fields",
    "check_vectors",
    "document_text",
    "file_card",
    "load_embedder",
    "unit_rows",
    "usable",
    "vector_key",
]
