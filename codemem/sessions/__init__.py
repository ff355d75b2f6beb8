"""Sessions: the turns of a conversation, and the part of them that fits a prompt."""

from codemem.sessions.window import Message, Window, WindowMessage, window

__all__ = ["Message", "Window", "WindowMessage", "window"]
