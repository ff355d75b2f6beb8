"""A server of the Model Context Protocol over stdio, on its official SDK: tools that are commands of codemem.

Every tool runs the command line with `--json` and streams of its own: an agent gets the document that a program would get,
remarks and warnings beside it, and errors with their remedy. Only this module knows the SDK, of which both generations serve.
"""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any

from codemem.cli import FOUND, NOTHING, main
from codemem.cli.door import Door
from codemem.cli.warm import Warm
from codemem.errors import BadInput
from codemem.mcp.tools import TOOLS, Argument, Tool
from codemem.mcp.wire import requests_of_stdin

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_CHARACTERS = 100_000
"""Characters of one answer (some 25,000 tokens): more does not fit a prompt, and the tool says how to ask for less."""
PATH_LISTS = ("skipped", "stale", "problems")
MOST_PATHS = 100
"""Entries of a list of paths in an answer that would else be too long; counts say how many there are."""
LONGEST_ERROR = 2_000
"""Characters of an error, which may repeat what was asked."""


SCHEMA_TYPES: dict[str, type] = {"string": str, "integer": int}


def serve_stdio(root: Path) -> None:
    """Serve the client that started this process until it closes the stream; raises BadInput without the SDK."""
    try:
        import anyio
        from mcp.server.stdio import stdio_server
    except ImportError as error:
        raise BadInput("the SDK of the protocol is not installed", "pip install 'codemem-cli[mcp]'") from error
    os.chdir(root)  # paths are meant from the repository, wherever the agent was started
    # One thread for all calls: the streams of a command line are the process's, and SQLite stays where it was opened.
    with ThreadPoolExecutor(1) as worker:
        server = build_server(Answerer(root), worker)

        async def run() -> None:
            requests: Any = requests_of_stdin()  # only its lines are read
            async with stdio_server(stdin=anyio.wrap_file(requests)) as (incoming, outgoing):
                await server.run(incoming, outgoing, server.create_initialization_options())

        anyio.run(run)


def build_server(answer: Callable[[str, dict[str, Any]], dict[str, Any]], worker: ThreadPoolExecutor) -> Any:
    """Return the SDK's server with these tools; messages, versions and broken requests are the SDK's business."""
    import asyncio

    import mcp.types
    from mcp.server.lowlevel import Server

    types: Any = mcp.types  # what the generations have in common is the protocol's JSON, not their Python
    listing = types.ListToolsResult.model_validate({"tools": [tool_document(tool) for tool in TOOLS]})

    async def listed(*_: Any) -> Any:
        return listing

    async def called(_: Any, asked: Any) -> Any:
        given = dict(asked.arguments or {})
        return types.CallToolResult.model_validate(
            await asyncio.get_running_loop().run_in_executor(worker, answer, asked.name, given)
        )

    if hasattr(Server, "call_tool"):  # SDK 1
        server: Any = Server("codemem", version=_version())

        async def listed_1(_: Any) -> Any:
            return types.ServerResult(listing)

        async def called_1(request: Any) -> Any:
            return types.ServerResult(await called(None, request.params))

        server.request_handlers |= {types.ListToolsRequest: listed_1, types.CallToolRequest: called_1}
        return server
    return Server("codemem", version=_version(), on_list_tools=listed, on_call_tool=called)


class Answerer:
    """Answers calls of tools for one repository, with what it keeps between them."""

    def __init__(self, root: Path) -> None:
        self.door = Door(root=root, json=True, warm=Warm())

    def __call__(self, name: str, given: dict[str, Any]) -> dict[str, Any]:
        """Run one tool; return the fields of a CallToolResult as the protocol spells them."""
        tool = next((tool for tool in TOOLS if tool.name == name), None)
        try:
            if tool is None:
                raise BadInput(f"no tool {name}", f"known are {', '.join(tool.name for tool in TOOLS)}")
            return tool_result(*run_command(command_line(tool, given), self.door))
        except BadInput as error:
            return _error(f"{error.message}\n  {error.remedy}")


def tool_document(tool: Tool) -> dict[str, Any]:
    """Describe a tool as `tools/list` does."""
    return {
        "name": tool.name,
        "description": tool.description,
        "inputSchema": {
            "type": "object",
            "properties": {one.name: _property(one) for one in tool.arguments},
            "required": [one.name for one in tool.arguments if one.required],
            "additionalProperties": False,
        },
        "annotations": {"readOnlyHint": not tool.writes, "openWorldHint": False},
    }


def _property(argument: Argument) -> dict[str, Any]:
    limits: dict[str, int] = {} if argument.least is None else {"minimum": argument.least}
    return {"type": argument.kind, "description": argument.help, **limits}


def command_line(tool: Tool, given: dict[str, Any]) -> list[str]:
    """Turn the arguments of a call into a command line; raises BadInput for unknown, missing and wrongly typed ones."""
    known = {one.name: one for one in tool.arguments}
    takes = f"{tool.name} takes {', '.join(known) or 'nothing'}"
    if unknown := sorted(set(given) - set(known)):
        raise BadInput(f"unknown argument {unknown[0]}", takes)
    options: list[str] = []
    positional: list[str] = []
    for name, argument in known.items():
        value: Any = given.get(name)
        if isinstance(value, float) and value.is_integer() and argument.kind == "integer":
            value = int(value)  # JSON knows one kind of number: 5.0 is the integer 5 to a schema
        if value is None or value == "":
            if argument.required:
                raise BadInput(f"argument {name} is missing", takes)
        elif type(value) is not SCHEMA_TYPES[argument.kind]:
            raise BadInput(f"argument {name} must be of type {argument.kind}", takes)
        elif isinstance(value, int) and argument.least is not None and value < argument.least:
            raise BadInput(f"argument {name} is {value}", f"give {argument.least} or more, or leave it out")
        elif isinstance(value, str) and argument.most_characters is not None and len(value) > argument.most_characters:
            size = f"{len(value):,} characters, at most {argument.most_characters:,} are read"
            raise BadInput(
                f"argument {name} has {size}", "give the part that matters, of an error its message and last frames"
            )
        elif argument.option:
            options.append(f"{argument.option}={value}")
        else:
            positional.append(str(value))
    # What the model wrote stands behind `--`: it can never become an option.
    return [*tool.command, *options, "--", *positional] if positional else [*tool.command, *options]


def run_command(arguments: list[str], door: Door) -> tuple[int, str, str]:
    """Run a command line with streams of its own; return its exit code, its result and its remarks."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    with redirect_stdout(out), redirect_stderr(err), _nothing_to_read():
        code = main(arguments, door)
    said = [stream.buffer.getvalue().decode("utf-8", "replace").strip() for stream in (out, err)]
    return code, said[0], said[1]


def tool_result(code: int, document: str, remarks: str) -> dict[str, Any]:
    """Build the result: the document, structured and as text (older clients), then the remarks."""
    if code not in (FOUND, NOTHING):
        return _error(remarks or document)  # a refused memory is a document with its verdict
    found = json.loads(document) if document else {}
    if len(document) > MOST_CHARACTERS:
        found, cut = _with_shorter_lists(found)
        if not cut or len(json.dumps(found, ensure_ascii=False)) > MOST_CHARACTERS:
            return _error(
                f"the answer has {len(document)} characters\n  ask with a smaller limit, depth or budget, a path or a kind"
            )
        remarks = "\n".join(filter(None, (remarks, f"{cut} more paths are left out")))
    texts = [text for text in (json.dumps(found, ensure_ascii=False) if document else "", remarks) if text]
    return {
        "content": [{"type": "text", "text": text} for text in texts],
        "structuredContent": found,
        "isError": False,
    }


def _with_shorter_lists(found: dict[str, Any]) -> tuple[dict[str, Any], int]:
    """Keep the beginnings of lists that no argument narrows; return how many entries were left out."""
    lists = {name: found[name] for name in PATH_LISTS if isinstance(found.get(name), list)}
    shorter = {name: listed[:MOST_PATHS] for name, listed in lists.items()}
    return found | shorter, sum(len(listed) for listed in lists.values()) - sum(map(len, shorter.values()))


def _error(message: str) -> dict[str, Any]:
    if len(message) > LONGEST_ERROR:
        message = f"{message[: LONGEST_ERROR // 2]} … {message[-LONGEST_ERROR // 2 :]}"
    return {"content": [{"type": "text", "text": message}], "isError": True}


@contextmanager
def _nothing_to_read() -> Iterator[None]:
    """Give a command an empty stdin: `-` as an argument must not read the protocol."""
    before, sys.stdin = sys.stdin, io.StringIO()
    try:
        yield
    finally:
        sys.stdin = before


def _version() -> str:
    from codemem.cli.version import version_line

    return version_line().removeprefix("codemem ")
