"""The commands, in the order of `codemem --help`: where each one lives and its line of help."""

from __future__ import annotations

from typing import NamedTuple

FIND, INDEX, GRAPH, MEMORY, TEAM, SETUP = (
    "Find",
    "Index",
    "Call graph and contracts",
    "Memory",
    "Team and agents",
    "Set up",
)


class CommandRow(NamedTuple):
    """One command: `attribute` of `module` is its function, or a SubApp."""

    name: str
    group: str
    module: str
    attribute: str
    help: str
    takes_query: bool = False
    hidden: bool = False


# fmt: off
COMMANDS: tuple[CommandRow, ...] = (
    CommandRow("search", FIND, "codemem.cli.search", "search", "Find code by words, names, calls or errors.", True),
    CommandRow("show", FIND, "codemem.cli.show", "show", "Show a definition: its interface card and its code."),
    CommandRow("outline", FIND, "codemem.cli.show", "outline", "List the interfaces of a file or folder, without bodies."),
    CommandRow("callers", GRAPH, "codemem.cli.graph", "callers", "Say who calls a definition."),
    CommandRow("callees", GRAPH, "codemem.cli.graph", "callees", "Say what a definition calls, in order."),
    CommandRow("trace", GRAPH, "codemem.cli.graph", "trace", "Show the ways along calls from one definition to another."),
    CommandRow("raises", GRAPH, "codemem.cli.graph", "raises", "Say who raises, declares, catches or lets through an error type."),
    CommandRow("index", INDEX, "codemem.cli.index", "index", "Build or refresh the index of a repository."),
    CommandRow("status", INDEX, "codemem.cli.status", "status", "Say what is indexed and how fresh it is; exit 1 when stale."),
    CommandRow("watch", INDEX, "codemem.cli.watch", "watch", "Refresh the index whenever files change, until interrupted."),
    CommandRow("verify", INDEX, "codemem.cli.upkeep", "verify", "Prove that the index equals a clean rebuild; exit 1 when not."),
    CommandRow("doctor", INDEX, "codemem.cli.upkeep", "doctor", "Examine environment, store and vectors; exit 1 when broken."),
    CommandRow("clear", INDEX, "codemem.cli.status", "clear", "Remove the index of a repository; memories and settings stay."),
    CommandRow("session", MEMORY, "codemem.cli.session", "app", "Keep conversations and fit them into a prompt."),
    CommandRow("context", MEMORY, "codemem.cli.context", "context", "Pack memories, code and recent turns for a prompt.", True),
    CommandRow("memory", MEMORY, "codemem.cli.memory", "app", "Remember what was said about the code, and find it again."),
    CommandRow("ci", TEAM, "codemem.cli.ci", "ci", "Refresh, then report changed interfaces, contracts and memories."),
    CommandRow("export", TEAM, "codemem.cli.share", "export", "Write the index to one compressed file to share."),
    CommandRow("import", TEAM, "codemem.cli.share", "import_", "Put an exported index in the place of this repository's."),
    CommandRow("eval", TEAM, "codemem.cli.evaluate", "evaluate", "Measure the quality of search on your own questions."),
    CommandRow("mcp", TEAM, "codemem.cli.agents", "mcp", "Serve agents over stdio with the Model Context Protocol."),
    CommandRow("install", TEAM, "codemem.cli.agents", "install", "Write codemem into an agent's configuration, after showing it."),
    CommandRow("config", SETUP, "codemem.cli.settings", "app", "Show or set the settings."),
    CommandRow("embedders", SETUP, "codemem.cli.setup", "embedders", "List the embedding models that --embedder takes."),
    CommandRow("languages", SETUP, "codemem.cli.setup", "languages", "List the languages and what is understood of each."),
)
# fmt: on
