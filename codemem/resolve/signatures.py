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


DECORATION = re.compile(
    r"@[\w.]+(?:\([^()]*\))?\s*|\[[A-Z][\w.]*(?:\([^()]*\))?\]\s*"
    r"|\b(?:final|const|in|out|ref|params|this|scoped|readonly|vararg|noinline|crossinline|inout|borrowing|consuming|sending"
    r"|using|implicit|private|protected|public|internal|val|var|volatile|struct|class|typename|unsigned|mut)\b\s+"
)
NAMED_TYPE = re.compile(r"(?:([^\W\d][\w$]*|_)\s+)?([^\W\d][\w$]*)\??\s*:(?!:)\s*(.+)$", re.DOTALL)
TYPED_NAME = re.compile(r"(.+?[\s*&>\]?.])\s*([^\W\d][\w$]*)\s*((?:\[\])*)$", re.DOTALL)
RECEIVER = "this:"
"""Begins the type of the parameter that a call may have as its receiver."""
OPEN_END = "..."
"""Ends the type of a parameter that takes any number of arguments."""


@lru_cache(maxsize=16384)
def parameter_types(signature: str, name: str) -> tuple[str, ...]:
    """Read the parameters of a declaration as `label:type`; what cannot be read is empty."""
    match = re.search(rf"(?<![\w$]){re.escape(name)}\s*(?:<[^()]*>)?\s*\(", signature) if name else None
    match = match or re.search(r"(?<![\w$])(?:constructor|init[?!]?|this)\s*\(", signature)
    if match is None:
        return ()
    depth = 0
    for position in range(match.end() - 1, len(signature)):
        depth += (signature[position] in "([{") - (signature[position] in ")]}")
        if depth == 0:
            return tuple(_parameter(part) for part in split_top(signature[match.end() : position], ",") if part.strip())
    return ()


def _parameter(text: str) -> str:
    """Read one parameter, `final List<Order> orders` or `to order: Order = none`, as `label:type`."""
    open_end = "..." in text or bool(re.search(r"\b(?:params|vararg)\b", text)) or text.rstrip().endswith("*")
    if re.match(r"\s*this\s", text):
        return RECEIVER + _parameter(re.sub(r"^\s*this\s+", "", text)).partition(":")[2]
    plain = DECORATION.sub("", text.strip())
    plain = _without_default(plain).replace("...", " ").strip()
    found = NAMED_TYPE.match(plain)
    if found:
        label, kind = found.group(1) or found.group(2), found.group(3)
    elif (typed := TYPED_NAME.match(plain)) is not None:
        label, kind = typed.group(2), typed.group(1).strip() + typed.group(3)
    else:
        return ":" + plain
    kind = kind.strip()
    if open_end:
        kind = kind.removesuffix("*").removesuffix("[]").strip() + OPEN_END
    return f"{label}:{' '.join(kind.split())}"


def _without_default(text: str) -> str:
    return split_top(text.replace("=>", "->"), "=")[0] if "=" in text else text


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
