"""codemem finds code by what it does, its name, what it calls and how it fails, and remembers what was said about it."""

__version__ = "0.1.0"
