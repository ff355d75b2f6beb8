"""What the captures of a file say of variables: what each of them stands for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemem.parse.names import without_arguments
from codemem.parse.nodes import Captured, source_text
from codemem.parse.records import Captures, RawBinding

if TYPE_CHECKING:
    from tree_sitter import Node

BINDING_SOURCES = ("type", "narrowed", "many", "value", "from", "element", "member", "block")
"""What a variable takes its type from, the surest first; `narrowed` is the type that it has from there on."""
EXPRESSIONS = {"many": "{0}[]", "from": "={0}", "element": "=[]{0}", "member": "={0}.{1}"}
THIS = "this"
"""How a variable is written down that takes many of a type, stands for an expression, an element of it, or its member of the
same name."""


def take_binding(found: Captures, captures: Captured, data: bytes, given: str = "") -> None:
    """Record variables with what they stand for: a type, a call's value, or (`=`) an expression, its element or member.

    A variable of which nothing is known is recorded too: it hides what bears its name outside. It is seen from its place on,
    or from the end of the `after` node (a statement that may use another one of that name), until the end of the `scope`.
    `given` is a name that no node spells: what a block calls its receiver or its only parameter.
    """
    source = next((each for each in BINDING_SOURCES if "binding." + each in captures), "")
    kinds = captures["binding." + source] if source else []
    kind = kinds[0] if kinds else None
    text = data[kinds[0].start_byte : kinds[-1].end_byte].decode("utf-8", "replace") if kinds else ""
    if source == "type":
        text = text.removeprefix("=>").lstrip()  # Scala's values by name: the mark begins other things here
    if source == "value" and kind is not None and _is_indexed(kind, data):
        source, text = "from", f"{text}[]"  # an index, which a grammar takes for a call
    for node in captures["binding"]:
        name = given or source_text(data, node)
        if source == "block" and kind is not None:
            text = _handed(captures["binding.scope"][0], node, kind, given, data)
        stands = EXPRESSIONS[source].format(text, name) if source in EXPRESSIONS else text
        at = kind if source == "narrowed" and kind is not None else node
        start, end = at.start_byte, at.end_byte
        if "binding.after" in captures:
            end = captures["binding.after"][0].end_byte
            start = end - 1
        until = captures["binding.scope"][0].end_byte if "binding.scope" in captures else 0
        key = (at.start_byte, source + given)
        if until or key not in found.bindings or not found.bindings[key].until:
            found.bindings[key] = RawBinding(start, end, name, stands, source != "value", until)


def _is_indexed(called: Node, data: bytes) -> bool:
    """Tell whether square brackets that are no type arguments follow what seems to be called."""
    if data[called.end_byte : called.end_byte + 2].lstrip(b"?!")[:1] != b"[":
        return False
    return called.parent is None or called.parent.child_by_field_name("type_arguments") is None


def _handed(block: Node, name: Node, call: Node, given: str, data: bytes) -> str:
    """Say which parameter of which argument of a call a block's variable is: `=>-1:0:list.each`."""
    parent, place = _listed(block, None)
    bracketed = (
        parent is not None
        and data[parent.start_byte : parent.start_byte + 1] + data[parent.end_byte - 1 : parent.end_byte] == b"()"
    )
    wanted = given if given == THIS else "0" if given else str(_listed(name, block)[1])
    text = source_text(data, call)
    whole = call.end_byte >= block.end_byte
    return f"=>{place if bracketed else -1}:{wanted}:{without_arguments(text) if whole else text}"


def _listed(node: Node, top: Node | None) -> tuple[Node | None, int]:
    """Return the list that a node stands in, below `top`, and its place there."""
    parent = node.parent
    while parent is not None and parent != top and parent.start_byte == node.start_byte:
        node, parent = parent, parent.parent
    if parent is None or parent == top:
        return None, 0
    return parent, next((at for at, each in enumerate(parent.named_children) if each == node), 0)
