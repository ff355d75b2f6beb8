"""Read type parameters and type arguments from declarations as written."""

from __future__ import annotations

import re
from functools import lru_cache

from codemem.resolve.expressions import split_top


@lru_cache(maxsize=16384)
def generic_parameters(signature: str, name: str) -> tuple[tuple[str, str], ...]:
    """Read the type parameters of a declaration with their first bounds: `<T extends Order>` gives (T, Order)."""
    group = _group_after(signature, name) or _group_before(signature, name)
    found = []
    for part in split_top(group, ",") if group else ():
        words = re.sub(r"^(?:in|out|reified|const|infer)\s+|@\w+\s*", "", part.strip())
        match = re.match(r"([^\W\d]\w*)\s*(?:(?:extends|:|<:)\s*(.+)|(\s[^\W\d].*))?$", words)
        if match:
            bound = (match.group(2) or "").split("&")[0].split("+")[0].split(" = ")[0].strip()
            found.append((match.group(1), bound))
    return tuple(found)


def with_arguments(signature: str, supertype: str) -> str:
    """Return a supertype's name with the type arguments that the signature gives it."""
    simple = supertype.replace("::", ".").replace("\\", ".").rpartition(".")[2]
    match = re.search(rf"\b{re.escape(simple)}\s*(?=[<\[])", signature)
    group = _balanced(signature, match.end()) if match else ""
    return f"{supertype}<{group}>" if group else supertype


def _group_after(signature: str, name: str) -> str:
    start = signature.find(name) if name else -1  # an empty name is found everywhere, for ever
    while start >= 0:
        end = start + len(name)
        before = signature[start - 1 : start]
        if not (before.isalnum() or before == "_") and signature[end : end + 1] in ("<", "["):
            return _balanced(signature, end)
        start = signature.find(name, end)
    return ""


def _group_before(signature: str, name: str) -> str:
    place = signature.find(f"{name}(")
    match = re.search(r"(?:^|\s)<", signature[: max(0, place)])
    return _balanced(signature, match.end() - 1) if match else ""


def _balanced(text: str, start: int) -> str:
    closer = {"<": ">", "[": "]"}[text[start]]
    depth = 0
    for position in range(start, len(text)):
        if text[position] == text[start]:
            depth += 1
        elif text[position] == closer and text[position - 1 : position] not in ("-", "="):
            depth -= 1
            if depth == 0:
                return text[start + 1 : position]
    return ""
