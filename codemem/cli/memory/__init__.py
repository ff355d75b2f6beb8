"""`codemem memory`: what was said about the code, kept, found, changed and carried over."""

from codemem.cli.memory import keeping, reading, writing
from codemem.cli.memory.common import app

__all__ = ["app", "keeping", "reading", "writing"]
