"""The generated parts of the README equal their source; `python -m tests.test_docs` rewrites them."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from codemem.cli.commands import COMMANDS
from codemem.cli.engine import COMMON_OPTIONS, load_command, root_command
from codemem.languages import language_table
from tests.command_line import codemem

README = Path(__file__).parents[1] / "README.md"
SCHEMAS = ("index_schema.sql", "memory_schema.sql", "session_schema.sql")
REASONS = re.compile(r"(?m)^(  \w+  \S+)  \(.*\)$")
"""Why a hit ranks where it does changes with every training; that the example is found is what is tested."""
COLUMN = 36
"""Where the descriptions of options begin."""


def commands_part() -> str:
    """Return usage, options and help of every command."""
    common = ", ".join("/".join(names) for _, names, _, _ in COMMON_OPTIONS)
    parts = [f"Every command also takes {common} and --help.", ""]
    context = root_command().make_context("codemem", ["--help"], resilient_parsing=True)
    for title in dict.fromkeys(row.group for row in COMMANDS if not row.hidden):
        parts += [f"**{title}**", "", "```text"]
        for row in COMMANDS:
            if row.group == title and not row.hidden:
                parts += _command_lines(load_command(row), f"codemem {row.name}", context)
        parts += ["```", ""]
    return "\n".join(parts).rstrip()


def _command_lines(command: Any, path: str, parent: Any) -> Iterator[str]:
    members = getattr(command, "commands", None)
    if members:
        for name, member in members.items():
            yield from _command_lines(member, f"{path} {name}", parent)
        return
    context = type(parent)(command, info_name=path, parent=None)
    usage = " ".join(piece for piece in command.collect_usage_pieces(context) if piece != "[OPTIONS]")
    yield f"{path} {usage}".rstrip()
    yield f"    {command.help.splitlines()[0]}"
    shared = {name for _, names, _, _ in COMMON_OPTIONS for name in names} | {"--help"}
    for parameter in command.params:
        record = parameter.get_help_record(context)
        if parameter.param_type_name == "option" and record and not shared.intersection(parameter.opts):
            yield f"  {record[0]:<{COLUMN}} {' '.join(record[1].split())}".rstrip()


def languages_part() -> str:
    """Return the language table."""
    lines = ["| Language | Interfaces and calls | Exception contracts | Files |", "|---|---|---|---|"]
    for row in sorted(language_table().values(), key=lambda row: row.shown.lower()):
        names = " ".join(f"`{name}`" for name in (*row.extensions, *row.names))
        lines.append(f"| {row.shown} | {'yes' if row.module else ''} | {'yes' if row.contract else ''} | {names} |")
    return "\n".join(lines)


def schema_part() -> str:
    """Return the schema of the store, as it is executed."""
    folder = files("codemem.store")
    texts = [folder.joinpath(name).read_text("utf-8").strip() for name in SCHEMAS if folder.joinpath(name).is_file()]
    return "```sql\n" + "\n\n".join(texts) + "\n```"


def example_part() -> str:
    """Return what the first hit of the README's first command looks like."""
    with TemporaryDirectory() as folder:
        orders = Path(folder) / "orders"
        copytree(README.parent / "fixtures/orders", orders, ignore=lambda *_: [".codemem"])
        run = codemem("search", "createOrder", "-k", "1", folder=orders)
    return f"```text\n{run.out.rstrip()}\n```"


PARTS: dict[str, tuple[str, Callable[[], str]]] = {
    "example": ("<!-- example -->", example_part),
    "commands": ("<!-- generated: commands -->", commands_part),
    "languages": ("<!-- generated: languages -->", languages_part),
    "schema": ("<!-- generated: schema -->", schema_part),
}
"""Name of a generated part -> the mark that it stands behind, up to the next end mark."""


def marked(name: str) -> re.Pattern[str]:
    """Match the part between its marks."""
    return re.compile(rf"({re.escape(PARTS[name][0])}\n)(.*?)(<!-- end -->)", re.DOTALL)


@pytest.mark.parametrize("name", PARTS)
def test_the_readme_says_what_the_source_says(name: str) -> None:
    found = marked(name).search(README.read_text("utf-8"))
    assert found, f"README.md has no part `{PARTS[name][0]}` … `<!-- end -->`"
    written, source = (REASONS.sub("", part) for part in (found.group(2).rstrip("\n"), PARTS[name][1]()))
    assert written == source, "run `python -m tests.test_docs`"


def rewrite() -> None:
    """Write every generated part anew."""
    text = README.read_text("utf-8")
    for name, (_, part) in PARTS.items():
        content = part()
        text = marked(name).sub(lambda match, new=content: f"{match.group(1)}{new}\n{match.group(3)}", text)
    README.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    rewrite()
    sys.exit(0)
