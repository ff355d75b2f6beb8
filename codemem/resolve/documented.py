"""Types that only the documentation says: `@param {Order[]} orders`, `@param Order[] $orders`, `@var array<int, Order>`."""

from __future__ import annotations

import re

BRACED = re.compile(r"@(?:param|arg|argument)\s+\{([^{}]+)\}\s+\[?([\w$]+)")
NAMED = re.compile(r"@param\s+([\w\\|?&,<>\[\] ]+?)\s+(?:&|\.\.\.)*(\$\w+)")
VARIABLE = re.compile(r"@var\s+([\w\\|?]+(?:<[\w\\|?, ]+>)?(?:\[\])*)")
IMPORTED = re.compile(r"import\([^()]*\)\.")
"""Stands before a type of another file: `import("./order").Order`."""
VAGUE = frozenset({"array", "iterable", "object", "mixed", "Traversable", "Iterator", "Generator", "any", "Array"})
"""Declared types that say less than the documentation can."""


def documented_parameter(doc: str, name: str) -> str:
    """Return the type that a definition's documentation gives to its parameter, empty when it gives none."""
    if "@" not in doc or name not in doc:
        return ""
    for pattern in (BRACED, NAMED):
        for found in pattern.finditer(doc):
            if found.group(2) == name:
                return _plain(found.group(1))
    return ""


def documented_field(doc: str) -> str:
    """Return the type that a field's documentation gives to it, empty when it gives none."""
    found = VARIABLE.search(doc) if "@var" in doc else None
    return _plain(found.group(1)) if found else ""


def is_vague(text: str) -> bool:
    """Tell whether a declared type says nothing of the members, so that the documentation may know more."""
    return text.strip("?!") in VAGUE


def _plain(text: str) -> str:
    return IMPORTED.sub("", text).strip().lstrip("?!=*").rstrip("=").strip()
