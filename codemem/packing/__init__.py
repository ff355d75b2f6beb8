"""Packing: what an agent needs to know, within a budget of tokens, with nothing silently lost."""

from codemem.packing.frames import block, escape, is_context, without_context
from codemem.packing.pack import Entry, Omitted, Packed, PackedSection, Section, pack, shorten

__all__ = [
    "Entry",
    "Omitted",
    "Packed",
    "PackedSection",
    "Section",
    "block",
    "escape",
    "is_context",
    "pack",
    "shorten",
    "without_context",
]
