"""The tools that agents see, as one table: each is a command of codemem."""

from __future__ import annotations

from dataclasses import dataclass

LONGEST_ARGUMENT = 20_000
"""Characters of a question, a name or a path: a long stack trace has them; a statement to remember has a limit of its own."""


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a tool: a positional one, or the option that it becomes."""

    name: str
    kind: str
    help: str
    option: str = ""
    required: bool = False
    least: int | None = None
    most_characters: int | None = LONGEST_ARGUMENT


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
DEPTH = Argument("depth", "integer", "How many calls away, 1 by default.", "--depth", least=1)
TOOLS: tuple[Tool, ...] = (
    Tool("callees", "What a definition calls, in order, with certainty.", ("callees",), (SYMBOL, DEPTH)),
    Tool("callers", "Who calls a definition, with certainty.", ("callers",), (SYMBOL, DEPTH)),
    Tool(
        "context", "Memories, interface cards and code that fit a token budget for a task.", ("context",),
        (Argument("query", "string", "The task or question.", required=True),
         Argument("budget", "integer", "Tokens, 4000 by default.", "--budget")),
    ),
    Tool(
        "memory_add", "Keep one fact, decision or preference; duplicates and secrets are recognised.", ("memory", "add"),
        (Argument("content", "string", "The statement, one fact.", required=True, most_characters=None),
         Argument("symbol", "string", "The definition it is about.", "--symbol")),
        writes=True,
    ),
    Tool(
        "memory_search", "Memories about this repository and the user that answer a question.", ("memory", "search"),
        (Argument("query", "string", "Words or a question.", required=True),
         Argument("limit", "integer", "How many, 10 by default.", "--limit", least=1)),
    ),
    Tool(
        "outline", "The interfaces of a file or folder, without bodies.", ("outline",),
        (Argument("path", "string", "File or folder; `.` is the whole repository.", required=True),),
    ),
    Tool(
        "raises", "Who raises, declares, catches or lets through an error type.", ("raises",),
        (Argument("type", "string", "The error type.", required=True),),
    ),
    Tool(
        "search", "Find code by what it does, by names, calls, errors or stack traces: ranked spans, each with call chain and "
        "exception contract.", ("search",),
        (Argument("query", "string", "Words, a question, a name, an error message.", required=True),
         Argument("limit", "integer", "How many hits, 10 by default.", "--limit", least=1),
         Argument("offset", "integer", "Skip this many first: the next page.", "--offset", least=0),
         Argument("source", "string", "code, docs, memory or all, comma-separated; code,docs by default.", "--source"),
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
