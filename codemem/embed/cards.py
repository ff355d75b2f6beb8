"""What of a card is embedded, for units and for whole files, and the key of its vector."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from codemem.card import EMBEDDED_DOC, EMBEDDED_SIGNATURE, Card
from codemem.types import Chunk, ParsedFile

CARD_VERSION = b"2"
"""Raise it when `card_fields` changes what it says: old vectors then count as missing."""
KEY_BYTES = 16
"""128 bits: no two cards of a repository ever meet."""
EMBEDDED_CALLS = 10
EMBEDDED_ERRORS = 6
"""Error types that it raises: more come from far away."""
PATH_PARTS = 3
"""Trailing path components that describe a file; those before repeat across the repository."""
FILE_SYMBOLS = 60
"""Names on a file card, outermost first: later ones are details."""
FILE_DOC = 600
CLASS_DOC = 200
CLASS_DOCS = 5
"""Characters of head and class documentation, and classes quoted: more dilutes the file's purpose."""
TYPE_KINDS = frozenset(
    {"class", "interface", "trait", "struct", "enum", "type", "protocol", "record", "object", "impl"}
)
UNNAMED_KINDS = frozenset({"lines", "section"})


@dataclass(frozen=True, slots=True)
class FileCard:
    """What a whole file is about."""

    path: str
    language: str
    doc: str
    class_docs: tuple[str, ...]
    symbols: tuple[str, ...]


class CardFields(NamedTuple):
    """The text of a card by weight: where it stands, what encloses it, what it is called, what it says."""

    path: str
    scope: str
    names: str
    body: str


def file_card(parsed: ParsedFile) -> FileCard:
    """Sum up a file: its leading documentation, that of its types, and its symbols, outermost first."""
    named = [chunk for chunk in parsed.chunks if chunk.part == 0 and chunk.name and chunk.kind not in UNNAMED_KINDS]
    named.sort(key=_outermost_types_first)
    types = [chunk.doc for chunk in named if chunk.kind in TYPE_KINDS and chunk.doc]
    return FileCard(
        path=parsed.path,
        language=parsed.language,
        doc=parsed.doc[:FILE_DOC],
        class_docs=tuple(doc[:CLASS_DOC] for doc in types[:CLASS_DOCS]),
        symbols=tuple(dict.fromkeys(chunk.name for chunk in named))[:FILE_SYMBOLS],
    )


def card_fields(card: Card | FileCard) -> CardFields:
    """Return the parts of `card` that are embedded, cut to the lengths that were measured to help."""
    path = _path_words(card.path)
    if isinstance(card, FileCard):
        # A file's own name says most of what it is about: it counts as the name of the card.
        stem = path.rpartition(" ")[2]
        return CardFields(path, "", stem, "\n".join((card.doc, *card.class_docs, " ".join(card.symbols))))
    raised = (fact.partition(" (")[0] for fact in card.raises[:EMBEDDED_ERRORS])
    calls = " ".join((*card.calls[:EMBEDDED_CALLS], *raised))
    body = (card.doc[:EMBEDDED_DOC], card.signature[:EMBEDDED_SIGNATURE], calls)
    return CardFields(path, card.scope, card.name, "\n".join(body))


def document_text(card: Card | FileCard) -> str:
    """Return the text of `card` for models that read sentences."""
    path, scope, names, body = card_fields(card)
    return "\n".join(part for part in (path, f"{scope} {names}".strip(), body.strip()) if part)


def vector_key(card: Card | FileCard, model: str) -> bytes:
    """Return the key of the card's vector: it changes exactly when what is embedded does."""
    from hashlib import blake2b  # loads OpenSSL, which a search does not need

    kind = b"file" if isinstance(card, FileCard) else b"unit"
    text = "\x1f".join(card_fields(card)).encode("utf-8", "surrogatepass")
    return blake2b(b"\x1f".join((CARD_VERSION, kind, model.encode(), text)), digest_size=KEY_BYTES).digest()


def _path_words(path: str) -> str:
    folder, _, name = path.rpartition("/")
    stem = name.rpartition(".")[0] or name
    return " ".join([*folder.split("/")[-(PATH_PARTS - 1) :], stem])


def _outermost_types_first(chunk: Chunk) -> tuple[bool, bool, int]:
    return bool(chunk.parent), chunk.kind not in TYPE_KINDS, chunk.start_line
