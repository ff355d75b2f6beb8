"""A server of the Model Context Protocol over stdio: one JSON-RPC message a line, tools that are commands of codemem.

The protocol is small enough to speak without its SDK, whose import takes 0.8 s. Every tool runs the command line with
its own streams, so that an agent reads exactly what a person would read, stale warnings included.
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from codemem.cli import NOTHING, main

PROTOCOL_VERSIONS = ("2025-06-18", "2025-03-26", "2024-11-05")
"""Versions whose initialize, tools/list, tools/call and ping are the same; the newest is the first."""
PARSE_ERROR, INVALID_REQUEST, NO_METHOD, INVALID_PARAMS = -32700, -32600, -32601, -32602
MOST_CHARACTERS = 60_000
"""Characters of one answer: more does not fit a prompt, and the tool says how to ask for less."""


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a tool: a positional one, or the option that it becomes."""

    name: str
    kind: str
    help: str
    option: str = ""
    required: bool = False


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool: the command that answers and the arguments it takes."""

    name: str
    description: str
    command: tuple[str, ...]
    arguments: tuple[Argument, ...] = ()
    writes: bool = False


SYMBOL = Argument(
    "symbol", "string", "A name, a qualified name (OrderFacade#createOrder), or path:line.", required=True
)
DEPTH = Argument("depth", "integer", "How many calls away, 1 by default.", "--depth")
TOOLS: tuple[Tool, ...] = (
    Tool("callees", "What a definition calls, in order, with certainty.", ("callees",), (SYMBOL, DEPTH)),
    Tool("callers", "Who calls a definition, with certainty.", ("callers",), (SYMBOL, DEPTH)),
    Tool(
        "context", "Memories, interface cards and code that fit a token budget for a task.", ("context",),
        (Argument("query", "string", "The task or question.", required=True),
         Argument("budget", "integer", "Tokens, 4000 by default.", "--budget")),
    ),
    Tool(
        "outline", "The interfaces of a file or folder, without bodies.", ("outline",),
        (Argument("path", "string", "File or folder.", required=True),),
    ),
    Tool(
        "raises", "Who raises, declares, catches or lets through an error type.", ("raises",),
        (Argument("type", "string", "The error type.", required=True),),
    ),
    Tool(
        "recall", "Memories about this repository and the user that answer a question.", ("memory", "search"),
        (Argument("query", "string", "Words or a question.", required=True),),
    ),
    Tool(
        "remember", "Keep one fact, decision or preference; duplicates and secrets are recognised.", ("memory", "add"),
        (Argument("content", "string", "The statement, one fact.", required=True),
         Argument("symbol", "string", "The definition it is about.", "--symbol")),
        writes=True,
    ),
    Tool(
        "search", "Find code by what it does, by names, calls, errors or stack traces: ranked spans, each with call chain and "
        "exception contract.", ("search",),
        (Argument("query", "string", "Words, a question, a name, an error message.", required=True),
         Argument("limit", "integer", "How many hits, 10 by default.", "--limit"),
         Argument("lang", "string", "Only these languages, comma-separated.", "--lang"),
         Argument("path", "string", "Only below this folder or matching this glob.", "--path"),
         Argument("kind", "string", "Only these kinds: function, method, class …", "--kind"),
         Argument("raises", "string", "Only what can fail with this error type.", "--raises"),
         Argument("calls", "string", "Only what calls this symbol.", "--calls")),
    ),
    Tool("show", "A definition: its interface card and its code.", ("show",), (SYMBOL,)),
    Tool("status", "What is indexed, how fresh it is and what was skipped.", ("status",)),
    Tool(
        "trace", "The ways along calls from one definition to another.", ("trace",),
        (Argument("start", "string", "Where the calls begin.", required=True),
         Argument("goal", "string", "Where they shall lead.", required=True)),
    ),
)  # fmt: skip
SCHEMA_TYPES: dict[str, type] = {"string": str, "integer": int}


class _Refused(Exception):
    """A request that cannot be served, with its JSON-RPC code."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


def serve(root: Path, lines: Iterable[str], out: IO[str]) -> None:
    """Answer the messages of `lines` on `out` until the client closes the stream."""
    for line in lines:
        if line.strip():
            reply = answer_line(root, line)
            if reply is not None:
                out.write(json.dumps(reply, ensure_ascii=True) + "\n")
                out.flush()


def answer_line(root: Path, line: str) -> dict[str, Any] | None:
    """Answer one message; notifications have no answer."""
    identity: Any = None
    try:
        try:
            message = json.loads(line)
        except ValueError as error:
            raise _Refused(PARSE_ERROR, f"not JSON: {error}") from error
        if not isinstance(message, dict) or not isinstance(message.get("method"), str):
            raise _Refused(INVALID_REQUEST, "not a request")
        identity = message.get("id")
        if identity is None:
            return None
        result = _respond(root, message["method"], message.get("params") or {})
    except _Refused as refused:
        return {"jsonrpc": "2.0", "id": identity, "error": {"code": refused.code, "message": str(refused)}}
    return {"jsonrpc": "2.0", "id": identity, "result": result}


def tool_document(tool: Tool) -> dict[str, Any]:
    """Describe a tool as `tools/list` does."""
    properties = {one.name: {"type": one.kind, "description": one.help} for one in tool.arguments}
    required = [one.name for one in tool.arguments if one.required]
    return {
        "name": tool.name,
        "description": tool.description,
        "inputSchema": {
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": False,
        },
        "annotations": {"readOnlyHint": not tool.writes},
    }


def command_line(tool: Tool, given: dict[str, Any]) -> list[str]:
    """Turn the arguments of a call into a command line; raises for unknown, missing and wrongly typed ones."""
    known = {one.name: one for one in tool.arguments}
    if unknown := sorted(set(given) - set(known)):
        raise _Refused(INVALID_PARAMS, f"unknown argument {unknown[0]}: known are {', '.join(known) or 'none'}")
    options: list[str] = []
    positional: list[str] = []
    for name, argument in known.items():
        value = given.get(name)
        if value is None or value == "":
            if argument.required:
                raise _Refused(INVALID_PARAMS, f"argument {name} is missing")
        elif type(value) is not SCHEMA_TYPES[argument.kind]:
            raise _Refused(INVALID_PARAMS, f"argument {name} must be of type {argument.kind}")
        elif argument.option:
            options.append(f"{argument.option}={value}")
        else:
            positional.append(str(value))
    # What the model wrote stands behind `--`: it can never become an option.
    return [*tool.command, *options, "--", *positional] if positional else [*tool.command, *options]


def _respond(root: Path, method: str, parameters: Any) -> dict[str, Any]:
    if not isinstance(parameters, dict):
        raise _Refused(INVALID_PARAMS, "params must be an object")
    if method == "initialize":
        asked = parameters.get("protocolVersion")
        version = asked if asked in PROTOCOL_VERSIONS else PROTOCOL_VERSIONS[0]
        return {
            "protocolVersion": version,
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "codemem", "version": _version()},
        }
    if method == "ping":
        return {}
    if method == "tools/list":
        return {"tools": [tool_document(tool) for tool in TOOLS]}
    if method == "tools/call":
        return _call(root, parameters)
    raise _Refused(NO_METHOD, f"no method {method}")


def _call(root: Path, parameters: dict[str, Any]) -> dict[str, Any]:
    tool = next((tool for tool in TOOLS if tool.name == parameters.get("name")), None)
    given = parameters.get("arguments") or {}
    if tool is None or not isinstance(given, dict):
        raise _Refused(
            INVALID_PARAMS, f"no tool {parameters.get('name')}: known are {', '.join(tool.name for tool in TOOLS)}"
        )
    code, text = run_command(["--root", str(root), *command_line(tool, given)])
    if len(text) > MOST_CHARACTERS:
        text = text[:MOST_CHARACTERS] + "\n… cut: ask with a smaller limit, a path or a kind"
    return {"content": [{"type": "text", "text": text}], "isError": code > NOTHING}


def run_command(arguments: list[str]) -> tuple[int, str]:
    """Run a command line with streams of its own; return its exit code and all that it said."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    with redirect_stdout(out), redirect_stderr(err):
        code = main(arguments)
    said = [stream.buffer.getvalue().decode("utf-8", "replace").strip() for stream in (out, err)]
    return code, "\n\n".join(part for part in said if part)


def _version() -> str:
    from codemem.cli.version import version_line

    return version_line().removeprefix("codemem ")


def serve_stdio(root: Path) -> None:
    """Serve the client that started this process."""
    serve(root, sys.stdin, sys.stdout)
