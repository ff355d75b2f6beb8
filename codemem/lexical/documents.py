"""What the lexical index knows of one chunk: its text sorted into fields.

Fields are kept apart in the postings, so that the ranker can weigh and explain each of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from codemem.card import Card
    from codemem.types import Chunk

FIELDS = ("name", "scope", "signature", "doc", "relations", "body", "stem", "directory", "head")
"""Order is the number stored in postings: append only, and bump LAYOUT when it changes.

`relations` holds calls, errors and supertypes. `stem`, `directory` and `head` (leading documentation) describe the file and
stand in the document of its first chunk only.
"""
LAYOUT = "3"
"""Version of fields, postings layout and text analysis; part of the index fingerprint."""
SCOPE_DEPTH = 2
"""Innermost enclosing names that count: outer ones repeat what the path says."""


class Document(NamedTuple):
    """The fields of one chunk piece as raw text; `path` and `head` only on the first chunk of a file."""

    chunk_id: int
    file_id: int
    name: str
    scope: str
    signature: str
    doc: str
    relations: str
    body: str
    top_level: bool = True
    own_lines: bool = True
    """False for a symbol whose lines stand in the chunk around it (a field, a member of a small class)."""
    path: str = ""
    head: str = ""


def document(chunk: Chunk, card: Card, chunk_id: int, file_id: int, file_doc: str | None = None) -> Document:
    """Sort a chunk and its card into fields; pass `file_doc` (may be empty) for the first chunk of a file only."""
    first = file_doc is not None
    names = chunk.names or ((chunk.name,) if chunk.name else ())
    return Document(
        chunk_id=chunk_id,
        file_id=file_id,
        name=" ".join(names),
        scope=" ".join(enclosing_names(chunk.parent)[-SCOPE_DEPTH:]),
        signature=chunk.signature,
        doc=chunk.doc,
        relations=" ".join((*card.calls, *card.raises, *card.handles, *chunk.extends)),
        body=chunk.text,
        top_level=not chunk.parent,
        own_lines=bool(chunk.spans) or bool(chunk.text),
        path=chunk.path if first else "",
        head=file_doc or "",
    )


def enclosing_names(qualified_name: str) -> list[str]:
    """Split `geo.Store#add` into its names, outermost first."""
    return [name for name in qualified_name.replace("#", ".").replace("::", ".").split(".") if name]


def path_parts(path: str) -> tuple[str, str]:
    """Return the file's stem (name without its extensions) and its directories as text."""
    directory, _, name = path.rpartition("/")
    stem = name.lstrip(".").split(".", 1)[0] or name
    return stem, directory.replace("/", " ")
