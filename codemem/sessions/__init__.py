"""Sessions: the turns of a conversation, the part of them that fits a prompt, and what in them is worth remembering."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from codemem.sessions.window import (  # not lazily: the module has the function's name
    Message,
    Window,
    WindowMessage,
    window,
)

if TYPE_CHECKING:
    from codemem.sessions.importers import Imported, read_lines, read_messages
    from codemem.sessions.summary import summarize

__all__ = ["Imported", "Message", "Window", "WindowMessage", "read_lines", "read_messages", "summarize", "window"]

_HOMES = {"Imported": "importers", "read_lines": "importers", "read_messages": "importers", "summarize": "summary"}
"""Name -> its module, imported when the name is used: a context needs the window only."""


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
