"""`codemem session`: the turns of a conversation, the window that fits a prompt, and what is worth remembering."""

from codemem.cli.session import turns, removing, summary  # isort: skip  (the order of import is that of the help)
from codemem.cli.session.common import app

__all__ = ["app", "removing", "summary", "turns"]
