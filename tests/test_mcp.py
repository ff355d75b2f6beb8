"""Agents speak JSON-RPC with the server; what a model writes is text and never an option."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from codemem.cli.agents import AGENTS
from codemem.mcp import TOOLS, answer_line, command_line, serve
from tests.command_line import codemem
from tests.test_cli_cases import PLAIN, repository


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return repository(
        tmp_path_factory.mktemp("mcp"),
        {"stock.py": PLAIN, "use.py": "from stock import check_stock\n\n\ndef use(x):\n    return check_stock(x)\n"},
    )


def request(method: str, parameters: Any = None, identity: int | None = 1) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": identity, "method": method, "params": parameters or {}})


def call(folder: Path, name: str, **arguments: Any) -> dict[str, Any]:
    reply = answer_line(folder, request("tools/call", {"name": name, "arguments": arguments}))
    assert reply is not None
    return reply["result"] if "result" in reply else reply["error"]  # type: ignore[no-any-return]


def text(result: dict[str, Any]) -> str:
    return str(result["content"][0]["text"])


@pytest.mark.parametrize(
    ("asked", "version"), [("2024-11-05", "2024-11-05"), ("2025-06-18", "2025-06-18"), ("1999-01-01", "2025-06-18")]
)
def test_initialize_agrees_on_a_version(folder: Path, asked: str, version: str) -> None:
    reply = answer_line(folder, request("initialize", {"protocolVersion": asked}))
    assert reply is not None
    assert reply["result"]["protocolVersion"] == version and reply["result"]["serverInfo"]["name"] == "codemem"


def test_every_tool_is_a_command_with_a_schema(folder: Path) -> None:
    reply = answer_line(folder, request("tools/list"))
    assert reply is not None
    assert [tool["name"] for tool in reply["result"]["tools"]] == sorted(tool.name for tool in TOOLS)
    for tool in TOOLS:
        run = codemem(*tool.command, "--help", folder=folder)
        assert (
            run.code == 0 and [one.option for one in tool.arguments if one.option and one.option not in run.out] == []
        )


def test_tools_answer_what_the_command_line_answers(folder: Path) -> None:
    assert text(call(folder, "search", query="check_stock", limit=1)).startswith("stock.py:1-2\n")
    assert "← use" in text(call(folder, "callers", symbol="check_stock"))
    assert "def check_stock(item)" in text(call(folder, "outline", path="stock.py"))
    assert "2 files" in text(call(folder, "status"))


def test_misuse_is_an_error_that_the_model_reads(folder: Path) -> None:
    result = call(folder, "show", symbol="check_stok")
    assert result["isError"] is True and "did you mean check_stock?" in text(result)
    assert call(folder, "search", query="x", lang="klingon")["isError"] is True


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("search", {}, "argument query is missing"),
        ("search", {"query": 3}, "argument query must be of type string"),
        ("search", {"query": "x", "limit": "3"}, "argument limit must be of type integer"),
        ("search", {"query": "x", "root": "/"}, "unknown argument root"),
        ("no_tool", {}, "no tool no_tool"),
    ],
)
def test_wrong_calls_are_refused(folder: Path, name: str, arguments: dict[str, Any], message: str) -> None:
    refused = call(folder, name, **arguments)
    assert refused["code"] == -32602 and message in refused["message"]


@pytest.mark.parametrize("written", ["--help", "-x", "--root=/", "-- --json", "--limit 3"])
def test_what_a_model_writes_never_becomes_an_option(folder: Path, written: str) -> None:
    tool = next(tool for tool in TOOLS if tool.name == "search")
    assert command_line(tool, {"query": written})[-2:] == ["--", written]
    assert "Usage" not in text(call(folder, "search", query=written))


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("{", -32700),
        ("[]", -32600),
        ("{}", -32600),
        (request("no/method"), -32601),
        (request("tools/call", [1]), -32602),
    ],
)
def test_broken_messages_are_answered(folder: Path, line: str, code: int) -> None:
    reply = answer_line(folder, line)
    assert reply is not None and reply["error"]["code"] == code


def test_notifications_have_no_answer(folder: Path) -> None:
    out = io.StringIO()
    serve(folder, ["\n", request("notifications/initialized", identity=None), request("ping", identity=7)], out)
    assert json.loads(out.getvalue()) == {"jsonrpc": "2.0", "id": 7, "result": {}}


def test_the_server_speaks_over_its_own_stdio(folder: Path) -> None:
    lines = [request("initialize"), request("tools/call", {"name": "search", "arguments": {"query": "check_stock"}}, 2)]
    run = subprocess.run(
        [sys.executable, "-m", "codemem", "mcp"], cwd=folder, input="\n".join(lines) + "\n", capture_output=True, text=True, check=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])},
    )  # fmt: skip
    replies = [json.loads(line) for line in run.stdout.splitlines()]
    assert [reply["id"] for reply in replies] == [1, 2] and "stock.py:1-2" in text(replies[1]["result"])


@pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.name)
def test_install_adds_the_server_and_keeps_the_rest(tmp_path: Path, nobodys_home: Path, agent: Any) -> None:
    file = Path(agent.file.replace("~", str(nobodys_home))) if agent.file.startswith("~") else tmp_path / agent.file
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps({"theme": "dark", agent.key: {"other": {"command": "x"}}}))
    dry = codemem("install", agent.name, "--dry-run", folder=tmp_path)
    assert dry.code == 0 and '+    "codemem": {' in dry.out and "codemem" not in file.read_text()
    assert codemem("install", agent.name, folder=tmp_path).code == 2, "nobody can say yes"
    assert codemem("install", agent.name, "--yes", folder=tmp_path).code == 0
    document = json.loads(file.read_text())
    assert document["theme"] == "dark" and list(document[agent.key]) == ["other", "codemem"]
    assert document[agent.key]["codemem"]["args"] == ["mcp"]
    again = codemem("install", agent.name, "--yes", folder=tmp_path)
    assert again.code == 0 and "already" in again.err


@pytest.mark.parametrize("content", ["{broken", "[]", '{"mcpServers": 3}'])
def test_install_does_not_touch_what_it_does_not_understand(tmp_path: Path, content: str) -> None:
    (tmp_path / ".mcp.json").write_text(content)
    assert codemem("install", "claude-code", "--yes", folder=tmp_path).code == 2
    assert (tmp_path / ".mcp.json").read_text() == content
    assert "known agents" in codemem("install", "nobody", folder=tmp_path).err
