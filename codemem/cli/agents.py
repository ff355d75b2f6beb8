"""`codemem mcp` and `codemem install`: codemem for coding agents."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from typing import Annotated, Any

import typer

from codemem.cli import NOTHING
from codemem.cli.door import Door, confirm, find_folder, print_json, print_text, say, warn
from codemem.cli.options import Yes
from codemem.errors import BadInput

NAME = "codemem"


@dataclass(frozen=True, slots=True)
class Agent:
    """One agent: the JSON file that names its servers, below the repository or (`~`) the home folder, and the key in it."""

    name: str
    file: str
    key: str = "mcpServers"
    extra: tuple[tuple[str, str], ...] = ()


AGENTS = (
    Agent("claude-code", ".mcp.json"),
    Agent("cursor", ".cursor/mcp.json"),
    Agent("gemini", ".gemini/settings.json"),
    Agent("vscode", ".vscode/mcp.json", "servers", (("type", "stdio"),)),
    Agent("windsurf", "~/.codeium/windsurf/mcp_config.json"),
)


def mcp(context: typer.Context) -> None:
    """Serve agents over stdio with the Model Context Protocol."""
    from codemem.mcp import serve_stdio

    door: Door = context.obj
    serve_stdio(find_folder(door))


def install(
    context: typer.Context,
    agent: Annotated[str, typer.Argument(metavar="AGENT", help=f"One of {', '.join(agent.name for agent in AGENTS)}.")],
    yes: Yes = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be written and write nothing.")] = False,
) -> None:
    """Write codemem into an agent's configuration, after showing it."""
    door: Door = context.obj
    chosen = next((one for one in AGENTS if one.name == agent), None)
    if chosen is None:
        raise BadInput(f"unknown agent `{agent}`", f"known agents: {', '.join(one.name for one in AGENTS)}")
    file = Path(chosen.file).expanduser() if chosen.file.startswith("~") else find_folder(door) / chosen.file
    before = _configuration(file)
    after = with_server(before, chosen, file)
    if find_spec("mcp") is None:
        warn(door, "the server needs the SDK of the protocol: pip install 'codemem-cli[mcp]'")
    written = after != before and not dry_run
    if after == before:
        say(door, f"{file} names codemem already")
    else:
        if not door.json:
            print_text(preview(before, after, file))
        if not dry_run and not confirm(door, f"Write {file}?", yes):
            say(door, "nothing was written")
            raise typer.Exit(NOTHING)
    if written:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(after, encoding="utf-8")
        say(door, f"written: {file}; start the agent anew")
    if door.json:
        print_json({"agent": agent, "file": str(file), "written": written, "content": json.loads(after)})


def _configuration(file: Path) -> str:
    """Return the agent's configuration as text, without a byte order mark; empty when there is none."""
    if not file.exists():
        return ""
    try:
        return file.read_text("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInput(f"{file} is not UTF-8", "save it as UTF-8, or add the server by hand: codemem mcp") from error


def server_command() -> dict[str, Any]:
    """Return how an agent starts the server: by name where every shell finds it, by path out of a virtual environment."""
    if which(NAME) and sys.prefix == sys.base_prefix:
        return {"command": NAME, "args": ["mcp"]}
    return {"command": sys.executable, "args": ["-m", NAME, "mcp"]}


def with_server(text: str, agent: Agent, file: Path) -> str:
    """Return the configuration with codemem among its servers, everything else as it was."""
    try:
        document: Any = json.loads(text) if text.strip() else {}
    except ValueError as error:
        raise BadInput(
            f"{file} is not valid JSON: {error}", "mend it, or add the server by hand: codemem mcp"
        ) from error
    servers = document.setdefault(agent.key, {}) if isinstance(document, dict) else None
    if not isinstance(servers, dict):
        raise BadInput(f"{file} has another form than {agent.name} reads", f"it should be an object with `{agent.key}`")
    wanted = {**dict(agent.extra), **server_command()}
    if servers.get(NAME) == wanted:
        return text
    servers[NAME] = wanted
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def preview(before: str, after: str, file: Path) -> str:
    """Show the change as a unified diff."""
    from difflib import unified_diff

    from codemem.render.safe import safe_text

    lines = unified_diff(before.splitlines(), after.splitlines(), str(file), str(file), lineterm="")
    return safe_text("\n".join(lines))
