"""The version line."""

from __future__ import annotations


def version_line() -> str:
    """Return `codemem X.Y.Z` of the installed distribution."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return f"codemem {version('codemem-cli')}"
    except PackageNotFoundError:
        return "codemem (not installed)"
