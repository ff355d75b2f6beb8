"""Sessions: the turns of a conversation, the part of them that fits a prompt, and what in them is worth remembering."""

from codemem.sessions.extract import Extracted, extract
from codemem.sessions.importers import Imported, read_lines, read_messages
from codemem.sessions.summary import summarize
from codemem.sessions.window import Message, Window, WindowMessage, window

__all__ = [
    "Extracted",
    "Imported",
    "Message",
    "Window",
    "WindowMessage",
    "extract",
    "read_lines",
    "read_messages",
    "summarize",
    "window",
]
