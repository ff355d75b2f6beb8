"""Read conversations in the shapes people have: chat messages, exported chats, Claude Code transcripts, Codex rollouts.

Every line of a JSON Lines file is judged by its own shape, so files may mix shapes and versions. What is not understood
is kept as an opaque message and counted; nothing a file holds ends the import. Shapes are those of public documentation:
chat `{"role", "content"}`, in exports with `sender` or `from` and `text`, `value` or `parts`; Claude
Code `{"type", "message": {"role", "content"}}` with text, tool_use and tool_result
blocks; Codex `{"type": "response_item", "payload": {"type": "message", "role", "content"}}` and its function calls.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

OPAQUE = "opaque"
CHAT = "chat"
TOOL_CALL = "tool_call"
TOOL_RESULT = "tool_result"
ROLES = {
    "developer": "system",
    "human": "user",
    "ai": "assistant",
    "model": "assistant",
    "gpt": "assistant",
    "function": "tool",
}
"""Other names of the four roles."""
_KNOWN = ("system", "user", "assistant", "tool")
_TEXT_BLOCKS = ("text", "input_text", "output_text")
_SPEAKERS = ("role", "sender", "from")
_SAID = ("content", "text", "value", "parts")
"""Keys under which a message says who speaks and what; the first that is there counts."""
_LISTS = ("messages", "chat_messages", "conversations")
"""Keys under which a document holds its messages."""


@dataclass(frozen=True, slots=True)
class Imported:
    """One message taken from a foreign line; `kind` opaque when the line was not understood."""

    role: str
    text: str
    kind: str = CHAT
    time: str = ""
    """ISO-8601 as written, empty when the line has none."""
    source_id: str = ""


def read_messages(text: str) -> Iterator[Imported]:
    """Yield the messages of a whole file: JSON Lines, one JSON array, or an object with `messages`."""
    stripped = text.lstrip("\ufeff \t\r\n")
    if stripped.startswith(("[", "{")):
        try:
            document = json.loads(stripped)
        except (ValueError, RecursionError):
            document = None
        rows = document
        if isinstance(document, dict):
            rows = next((document[name] for name in _LISTS if name in document), None)
        if isinstance(rows, list):
            for row in rows:
                yield from read_row(row)
            return
    yield from read_lines(stripped.split("\n"))  # only they end a line: JSON may hold U+2028 and U+0085 as they are


def read_lines(lines: Iterable[str]) -> Iterator[Imported]:
    """Yield the messages of JSON Lines; a line that is no JSON is kept as an opaque message."""
    for line in lines:
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            yield Imported("system", line.strip(), OPAQUE)
            continue
        yield from read_row(row)


def read_row(row: Any) -> Iterator[Imported]:
    """Yield the messages of one decoded line."""
    found = list(_messages(row)) if isinstance(row, dict) else []
    if found:
        yield from found
    else:
        time = row.get("timestamp", "") if isinstance(row, dict) else ""
        yield Imported(
            "system", json.dumps(row, ensure_ascii=False, sort_keys=True), OPAQUE, time if isinstance(time, str) else ""
        )


def _messages(row: dict[str, Any]) -> Iterator[Imported]:
    time = row.get("timestamp") or row.get("created_at") or row.get("time") or ""
    time = time if isinstance(time, str) else ""
    identity = row.get("uuid") or row.get("id") or ""
    identity = identity if isinstance(identity, str) else ""
    payload = row.get("payload")
    message = row.get("message")
    if isinstance(payload, dict):
        yield from _codex(payload, time)
    elif isinstance(message, dict):
        role = message.get("role") or row.get("type")
        yield from _content(_role(role), message.get("content"), time, identity)
    else:
        speaker = next((row[name] for name in _SPEAKERS if name in row), None)
        said = next((row[name] for name in _SAID if name in row), None)
        said = said or row.get("refusal") or said  # an empty text stays an empty text
        calls = list(_tool_calls(row, time)) if _role(speaker) else []
        if _role(speaker) and said in ("", []) and not calls:
            yield Imported(_role(speaker), "", CHAT, time, identity)  # understood: it says nothing
        yield from _content(_role(speaker), said, time, identity)
        yield from calls


def _codex(payload: dict[str, Any], time: str) -> Iterator[Imported]:
    kind = payload.get("type")
    if kind == "message":
        yield from _content(_role(payload.get("role")), payload.get("content"), time, "")
    elif kind in ("function_call", "custom_tool_call"):
        yield Imported(
            "assistant", _call(payload.get("name"), payload.get("arguments", payload.get("input"))), TOOL_CALL, time
        )
    elif kind in ("function_call_output", "custom_tool_call_output"):
        yield Imported("tool", _plain(payload.get("output")), TOOL_RESULT, time)


def _content(role: str, content: Any, time: str, identity: str) -> Iterator[Imported]:
    """Yield one message per run of text and one per tool block, in order."""
    if not role:
        return
    if isinstance(content, str):
        if content:
            kind = TOOL_RESULT if role == "tool" else CHAT
            yield Imported(role, content, kind, time, identity)
        return
    if not isinstance(content, list):
        return
    for place, block in enumerate(content):
        own = f"{identity}#{place}" if identity and place else identity  # each is a message, and none the other again
        if isinstance(block, str):
            yield Imported(role, block, CHAT, time, own)
        elif isinstance(block, dict):
            block_type = block.get("type", "text")
            if block_type in _TEXT_BLOCKS and isinstance(block.get("text"), str):
                yield Imported(role, block["text"], CHAT, time, own)
            elif block_type == "tool_use":
                yield Imported("assistant", _call(block.get("name"), block.get("input")), TOOL_CALL, time, own)
            elif block_type == "tool_result":
                yield Imported("tool", _plain(block.get("content")), TOOL_RESULT, time, own)
            else:
                yield Imported(role, json.dumps(block, ensure_ascii=False, sort_keys=True), OPAQUE, time, own)


def _tool_calls(row: dict[str, Any], time: str) -> Iterator[Imported]:
    """Yield the calls of a chat message; older ones have a single one under `function_call`."""
    calls = row.get("tool_calls")
    functions = [call.get("function") for call in calls if isinstance(call, dict)] if isinstance(calls, list) else []
    for function in (*functions, row.get("function_call")):
        if isinstance(function, dict):
            yield Imported("assistant", _call(function.get("name"), function.get("arguments")), TOOL_CALL, time)


def _call(name: Any, arguments: Any) -> str:
    written = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False, sort_keys=True)
    return f"[call {name or '?'}] {written}"


def _plain(content: Any) -> str:
    """Flatten a tool result: a string, blocks of text, or anything else as JSON."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        texts = [block["text"] for block in content if isinstance(block, dict) and isinstance(block.get("text"), str)]
        if texts:
            return "\n".join(texts)
    return json.dumps(content, ensure_ascii=False, sort_keys=True)


def _role(role: Any) -> str:
    name = ROLES.get(role.lower(), role.lower()) if isinstance(role, str) else ""
    return name if name in _KNOWN else ""
