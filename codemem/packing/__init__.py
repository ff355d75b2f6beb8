"""Packing: what an agent needs to know, within a budget of tokens, with nothing silently lost."""

from codemem.packing.frames import block
from codemem.packing.pack import Entry, Omitted, Packed, PackedSection, Section, pack, shorten

__all__ = ["Entry", "Omitted", "Packed", "PackedSection", "Section", "block", "pack", "shorten"]
