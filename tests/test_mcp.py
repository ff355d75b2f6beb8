"""Agents speak with the server through the SDK's own client; what a model writes is text and never an option."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from codemem.cli.agents import AGENTS
from codemem.errors import BadInput
from codemem.mcp import MOST_CHARACTERS, TOOLS, Answerer, build_server, command_line, tool_result
from codemem.mcp.wire import whole_characters
from tests.command_line import codemem
from tests.test_cli_cases import repository

STOCK = "def check_stock(item):\n    if item is None:\n        raise ValueError(item)\n    return item.count > 0\n"
CALLS: dict[str, tuple[str, dict[str, Any]]] = {
    "search": ("search", {"query": "check_stock", "limit": 1}),
    "callers": ("callers", {"symbol": "check_stock"}),
    "callees": ("callees", {"symbol": "use"}),
    "trace": ("trace", {"start": "use", "goal": "check_stock"}),
    "raises": ("raises", {"type": "ValueError"}),
    "outline": ("outline", {"path": "stock.py"}),
    "show": ("show", {"symbol": "check_stock"}),
    "context": ("context", {"query": "check_stock", "budget": 500}),
    "status": ("status", {}),
    "keep": ("memory_add", {"content": "check_stock must stay idempotent", "symbol": "check_stock"}),
    "recall": ("memory_search", {"query": "idempotent"}),
    "from stdin": ("memory_add", {"content": "-"}),
    "unknown symbol": ("show", {"symbol": "check_stok"}),
    "unknown language": ("search", {"query": "x", "lang": "klingon"}),
    "missing": ("search", {}),
    "another folder": ("search", {"query": "x", "root": "/"}),
    "no tool": ("no_tool", {}),
    "outside": ("outline", {"path": "../secret.py"}),
    "outside absolute": ("show", {"symbol": "/etc/passwd:1"}),
    "outside filter": ("search", {"query": "hidden", "path": "../"}),
}
"""What one client asks one server, in order."""
COMMANDS = {
    "search": ("search", "check_stock", "--limit", "1"),
    "callers": ("callers", "check_stock"),
    "callees": ("callees", "use"),
    "trace": ("trace", "use", "check_stock"),
    "raises": ("raises", "ValueError"),
    "outline": ("outline", "stock.py"),
    "show": ("show", "check_stock"),
    "context": ("context", "check_stock", "--budget", "500"),
    "status": ("status",),
}
"""The command lines that say the same."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    outer = tmp_path_factory.mktemp("mcp")
    (outer / "secret.py").write_text("hidden = 1\n")
    (outer / "shop").mkdir()
    return repository(
        outer / "shop",
        {"stock.py": STOCK, "use.py": "from stock import check_stock\n\n\ndef use(x):\n    return check_stock(x)\n"},
    )


@pytest.fixture(scope="module")
def said(folder: Path) -> dict[str, Any]:
    """Ask everything in one conversation over stdio; documents of the command line are taken before memories exist."""
    said: dict[str, Any] = {
        "documents": {name: codemem(*line, "--json", folder=folder).json for name, line in COMMANDS.items()}
    }
    asyncio.run(converse(folder, said))
    return said


async def converse(folder: Path, said: dict[str, Any]) -> None:
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client

    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "codemem", "--root", str(folder), "mcp"],
        cwd=folder.parent,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])},
    )
    with (folder.parent / "stderr").open("w") as errors:
        async with (
            stdio_client(server, errlog=errors) as (incoming, outgoing),
            ClientSession(incoming, outgoing) as session,
        ):
            said["server"] = as_document(await session.initialize())
            said["tools"] = as_document(await session.list_tools())["tools"]
            for name, (tool, arguments) in CALLS.items():
                said[name] = as_document(await session.call_tool(tool, arguments))
            (folder / "new.py").write_text("def brand_new():\n    return 1\n")
            said["refreshed"] = as_document(await session.call_tool("search", {"query": "brand_new"}))
            (folder / "new.py").unlink()
            codemem("clear", "--yes", folder=folder)
            said["built again"] = as_document(await session.call_tool("search", {"query": "check_stock"}))
    said["stderr"] = (folder.parent / "stderr").read_text()


def as_document(record: Any) -> dict[str, Any]:
    """Return a record of the SDK as the protocol spells it."""
    return record.model_dump(by_alias=True, mode="json", exclude_none=True)  # type: ignore[no-any-return]


def text(result: dict[str, Any]) -> str:
    return "\n".join(part["text"] for part in result["content"])


def test_the_server_says_who_it_is(said: dict[str, Any]) -> None:
    assert said["server"]["serverInfo"]["name"] == "codemem" and "tools" in said["server"]["capabilities"]
    assert "Traceback" not in said["stderr"]


def test_every_tool_is_a_command_with_a_schema(folder: Path, said: dict[str, Any]) -> None:
    assert [tool["name"] for tool in said["tools"]] == sorted(tool.name for tool in TOOLS)
    assert [tool["name"] for tool in said["tools"] if not tool["annotations"]["readOnlyHint"]] == ["memory_add"]
    for tool in TOOLS:
        run = codemem(*tool.command, "--help", folder=folder)
        assert (
            run.code == 0 and [one.option for one in tool.arguments if one.option and one.option not in run.out] == []
        )


@pytest.mark.parametrize("name", COMMANDS)
def test_structured_results_are_the_documents_of_the_command_line(said: dict[str, Any], name: str) -> None:
    assert said[name]["isError"] is False
    assert said[name]["structuredContent"] == said["documents"][name]
    assert json.loads(said[name]["content"][0]["text"]) == said["documents"][name]


def test_memories_are_kept_and_found(said: dict[str, Any]) -> None:
    assert said["keep"]["structuredContent"]["verdict"] == "stored"
    assert [hit["content"] for hit in said["recall"]["structuredContent"]["hits"]] == [
        "check_stock must stay idempotent"
    ]


def test_a_changed_index_is_opened_anew(said: dict[str, Any]) -> None:
    assert said["refreshed"]["structuredContent"]["hits"][0]["path"] == "new.py"
    assert "refreshed new.py" in text(said["refreshed"])
    assert [hit["path"] for hit in said["built again"]["structuredContent"]["hits"]] == ["stock.py", "use.py"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("unknown symbol", "did you mean check_stock?"),
        ("unknown language", "known values: "),
        ("missing", "argument query is missing\n  search takes query, limit"),
        ("another folder", "unknown argument root"),
        ("no tool", "no tool no_tool\n  known are callees, "),
        ("outside", "give a path or a glob inside the repository"),
        ("outside absolute", "/etc/passwd"),
        ("outside filter", "give a path or a glob inside the repository"),
    ],
)
def test_errors_are_results_with_the_remedy(said: dict[str, Any], name: str, message: str) -> None:
    assert said[name]["isError"] is True and message in text(said[name])
    assert "root:" not in text(said[name]) and "hidden = 1" not in text(said[name])


def test_a_dash_does_not_read_the_protocol(said: dict[str, Any]) -> None:
    assert said["from stdin"]["isError"] is True and '"verdict": "empty"' in text(said["from stdin"])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "argument query is missing"),
        ({"query": 3}, "argument query must be of type string"),
        ({"query": "x", "limit": "3"}, "argument limit must be of type integer"),
        ({"query": "x", "limit": True}, "argument limit must be of type integer"),
        ({"query": "x", "root": "/"}, "unknown argument root"),
        ({"query": "x", "limit": 0}, "argument limit is 0"),
        ({"query": "x", "offset": -1}, "argument offset is -1"),
        ({"query": "x" * 20_001}, "argument query has 20,001 characters"),
    ],
)
def test_wrong_arguments_are_refused(given: dict[str, Any], message: str) -> None:
    tool = next(tool for tool in TOOLS if tool.name == "search")
    with pytest.raises(BadInput, match=message):
        command_line(tool, given)


def test_a_whole_number_may_be_written_with_a_point() -> None:
    tool = next(tool for tool in TOOLS if tool.name == "search")
    assert command_line(tool, {"query": "x", "limit": 5.0}) == ["search", "--limit=5", "--", "x"]
    with pytest.raises(BadInput, match="limit must be of type integer"):
        command_line(tool, {"query": "x", "limit": 5.5})


@pytest.mark.parametrize("written", ["--help", "-x", "--root=/", "-- --json", "--limit 3"])
def test_what_a_model_writes_never_becomes_an_option(folder: Path, written: str) -> None:
    tool = next(tool for tool in TOOLS if tool.name == "search")
    assert command_line(tool, {"query": written, "lang": "--x"}) == ["search", "--lang=--x", "--", written]
    assert "Usage" not in text(Answerer(folder)("search", {"query": written}))


def test_one_session_stays_warm_while_the_index_is_the_same(folder: Path) -> None:
    answer = Answerer(folder)
    answer("search", {"query": "check_stock"})
    kept = answer.door.warm
    assert kept is not None and kept.session is not None and kept.session.view is not None
    session, view = kept.session, kept.session.view
    answer("search", {"query": "use"})
    assert kept.session is session and session.view is view
    codemem("index", "--full", folder=folder)
    answer("search", {"query": "use"})
    assert kept.session.view is not view


@pytest.mark.parametrize(
    ("code", "document", "remarks", "expected"),
    [
        (
            0,
            '{"a": 1}',
            "",
            {"content": [{"type": "text", "text": '{"a": 1}'}], "structuredContent": {"a": 1}, "isError": False},
        ),
        (
            1,
            "",
            "nothing",
            {"content": [{"type": "text", "text": "nothing"}], "structuredContent": {}, "isError": False},
        ),
        (2, "", "codemem: no\n  do", {"content": [{"type": "text", "text": "codemem: no\n  do"}], "isError": True}),
        (
            2,
            '{"verdict": "empty"}',
            "",
            {"content": [{"type": "text", "text": '{"verdict": "empty"}'}], "isError": True},
        ),
    ],
)
def test_results_in_the_words_of_the_protocol(code: int, document: str, remarks: str, expected: dict[str, Any]) -> None:
    assert tool_result(code, document, remarks) == expected


def test_an_answer_that_fits_no_prompt_says_how_to_ask() -> None:
    result = tool_result(0, json.dumps({"text": "x" * MOST_CHARACTERS}), "")
    assert result["isError"] is True and "smaller limit" in text(result)


def test_a_status_of_many_paths_is_cut_and_says_so() -> None:
    stale = [f"some/folder/module_{number}.py" for number in range(9_000)]
    result = tool_result(1, json.dumps({"fresh": False, "stale": stale, "skipped": [], "reasons": []}), "")
    assert result["isError"] is False and result["structuredContent"]["stale"] == stale[:100]
    assert "8900 more paths are left out" in text(result)


def test_an_error_does_not_repeat_all_that_was_asked(folder: Path) -> None:
    result = Answerer(folder)("show", {"symbol": "create" * 3_000})
    assert result["isError"] is True and len(text(result)) < 2_100
    assert "no definition is called `create" in text(result) and "codemem search" in text(result)


def test_limits_stand_in_the_schema(said: dict[str, Any]) -> None:
    search = next(tool for tool in said["tools"] if tool["name"] == "search")["inputSchema"]["properties"]
    assert search["limit"]["minimum"] == 1 and search["offset"]["minimum"] == 0 and "minimum" not in search["query"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (r'{"q": "cut \ud83d"}', r'{"q": "cut \ufffd"}'),
        (r'{"q": "\uDE00 tail"}', r'{"q": "\ufffd tail"}'),
        (r'{"q": "\ud83d\ud83d\ude00"}', r'{"q": "\ufffd\ud83d\ude00"}'),
        (r'{"q": "\ud83d\ude00"}', r'{"q": "\ud83d\ude00"}'),
        (r'{"q": "a regex \\ud83d"}', r'{"q": "a regex \\ud83d"}'),
        (r'{"q": "\\\ud83d"}', r'{"q": "\\\ufffd"}'),
        (r'{"q": "\u00e9 \n \" \ud7ff"}', r'{"q": "\u00e9 \n \" \ud7ff"}'),
        ("no json \\", "no json \\"),
    ],
)
def test_half_characters_become_replacements_and_nothing_else_changes(line: str, expected: str) -> None:
    assert whole_characters(line) == expected


def test_a_question_cut_inside_an_emoji_is_answered(folder: Path) -> None:
    """The SDK drops such a line with its id: the agent would wait for ever."""
    opening = {
        "protocolVersion": "2025-03-26",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    }
    lines = [
        json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": opening}),
        json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        "no json at all",
        '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":'
        '{"name":"search","arguments":{"query":"check_stock \\ud83d","limit":1}}}',
    ]
    process = subprocess.Popen(
        [sys.executable, "-m", "codemem", "mcp"], cwd=folder, text=True, encoding="utf-8",
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])},
    )  # fmt: skip
    with process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write("\n".join(lines) + "\n")
        process.stdin.flush()
        answers: dict[int, Any] = {}
        while 2 not in answers:
            line = process.stdout.readline()
            assert line, "the server ended without an answer"
            answer = json.loads(line)
            answers[answer.get("id")] = answer
        process.stdin.close()
        assert process.wait(timeout=30) == 0
    assert answers[2]["result"]["structuredContent"]["hits"][0]["name"] == "check_stock"


def test_the_server_object_needs_no_stdio(folder: Path) -> None:
    with ThreadPoolExecutor(1) as worker:
        assert build_server(Answerer(folder), worker).create_initialization_options().server_name == "codemem"


def test_without_the_sdk_one_line_says_what_to_install(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "mcp.py").write_text("raise ImportError('no SDK')\n")
    run = subprocess.run(
        [sys.executable, "-m", "codemem", "mcp"], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{Path(__file__).parents[1]}"},
    )  # fmt: skip
    assert (run.returncode, run.stdout) == (2, "") and "pip install 'codemem-cli[mcp]'" in run.stderr
    assert len(run.stderr.splitlines()) == 2


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
    server = document[agent.key]["codemem"]
    assert (
        subprocess.run([server["command"], *server["args"], "--help"], capture_output=True, check=False).returncode == 0
    )
    again = codemem("install", agent.name, "--yes", folder=tmp_path)
    assert again.code == 0 and "already" in again.err


@pytest.mark.parametrize("content", ["{broken", "[]", '{"mcpServers": 3}'])
def test_install_does_not_touch_what_it_does_not_understand(tmp_path: Path, content: str) -> None:
    (tmp_path / ".mcp.json").write_text(content)
    assert codemem("install", "claude-code", "--yes", folder=tmp_path).code == 2
    assert (tmp_path / ".mcp.json").read_text() == content
    assert "known agents" in codemem("install", "nobody", folder=tmp_path).err
