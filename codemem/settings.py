"""Every setting with its default, unit and reason; values come from flag > environment > project > user > default.

This module is the table and the record. Reading files and the environment is done once, by the door.
"""

from __future__ import annotations

from dataclasses import dataclass, fields


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of one run; field names are the keys of `codemem config` and of `CODEMEM_*` variables."""

    max_file_bytes: int = 2_000_000
    """Files above this size are skipped and listed: beyond it text is nearly always data or generated."""
    jobs: int = 0
    """Worker processes for parsing; 0 chooses by the number of processors."""
    embedder: str = "static"
    """Name of the embedding model: static, fake, sentence-transformers:NAME, ollama:NAME, openai:NAME."""
    reranker: str = ""
    """Cross-encoder used by --rerank."""
    limit: int = 10
    """Hits shown by default: one screen."""
    refresh_files: int = 200
    """`search` refreshes by itself when at most this many files changed."""
    refresh_seconds: float = 2.0
    """… and when the refresh is expected to take at most this long."""
    submodules: bool = False
    """Index submodules and nested repositories as if they were folders of this one."""


SETTING_NAMES = tuple(sorted(field.name for field in fields(Settings)))
