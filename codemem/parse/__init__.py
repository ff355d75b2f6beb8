"""Source text to chunks: definitions with signature, documentation, ordered calls and exception contract."""

from __future__ import annotations

from codemem.parse.file import code_lines, parse_file
from codemem.parse.pool import parse_into, parse_many

VERSION = 22
"""Raise when chunks of unchanged source come out differently: part of the index fingerprint."""

__all__ = ["VERSION", "code_lines", "parse_file", "parse_into", "parse_many"]
