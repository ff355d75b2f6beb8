"""`codemem memory`: what was said about the code, kept, found, changed and carried over."""

from codemem.cli.memory import writing, reading, keeping  # isort: skip  (the order of import is that of the help)
from codemem.cli.memory.common import app

__all__ = ["app", "keeping", "reading", "writing"]
