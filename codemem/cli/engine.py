"""How Typer is driven: commands are imported when they are named, and all of them take the same common options.

Only this module knows Typer's inner classes. It is pinned below 0.29 in pyproject.toml.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup, TyperOption
from typer.main import get_command

from codemem.cli.commands import COMMANDS, CommandRow
from codemem.cli.door import Door
from codemem.errors import BadInput

PROGRAM = "codemem"
COMPLETION_VARIABLE = "_CODEMEM_COMPLETE"
"""Set by the completion script of the shell."""
UsageError: type[Any] = typer.BadParameter.__mro__[1]
FREE_TEXT = "TEXT"
"""Metavar of options that take any text, none as well; others may only be empty where their help says what that does."""
HELP_WIDTH = 100
SETTINGS: dict[str, Any] = {"help_option_names": ["-h", "--help"], "max_content_width": HELP_WIDTH}
COMMON_OPTIONS = (
    ("root", ["--root"], Path, "The repository, instead of the one around the current folder."),
    ("json", ["--json"], bool, "Print one JSON document on stdout and nothing else there."),
    ("quiet", ["--quiet", "-q"], bool, "No progress and no remarks on stderr, only errors."),
    ("debug", ["--debug"], bool, "Show the traceback of an error."),
)


class CodememCommand(TyperCommand):
    """A command with the common options, whose help ends with its examples."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.context_settings = {**SETTINGS, **self.context_settings}
        taken = {name for parameter in self.params for name in parameter.opts}
        self.params.extend(option for option in common_options() if not taken.intersection(option.opts))

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        refuse_empty_values(args, self.params)
        return super().parse_args(ctx, args)

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        return [piece.strip("{}") for piece in super().collect_usage_pieces(ctx)]


class QueryCommand(CodememCommand):
    """A command whose argument is free text: an unknown word that begins with `-` may be the query itself."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        return super().parse_args(ctx, _queries_last(args, self.params))


class CodememGroup(TyperGroup):
    """The root: names and one-line helps come from a table, a command's module is imported when it runs."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        refuse_empty_values(args, self.params, only_before_command=True)
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: Any) -> list[str]:
        return [row.name for row in COMMANDS if not row.hidden]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        row = next((row for row in COMMANDS if row.name == cmd_name), None)
        return load_command(row) if row else None

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        for title in dict.fromkeys(row.group for row in COMMANDS if not row.hidden):
            with formatter.section(title):
                formatter.write_dl([(row.name, row.help) for row in COMMANDS if row.group == title and not row.hidden])

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args and not args[0].startswith("-") and all(row.name != args[0] for row in COMMANDS):
            from difflib import get_close_matches

            near = get_close_matches(args[0], [row.name for row in COMMANDS], n=1)
            hint = f" Did you mean `{near[0]}`?" if near else ""
            raise UsageError(f"no command `{args[0]}`.{hint}", ctx)
        return super().resolve_command(ctx, args)


class SubGroup(TyperGroup):
    """A group of commands; its help has a whole sentence for each, where Typer would cut it off."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        refuse_empty_values(args, self.params, only_before_command=True)
        return super().parse_args(ctx, args)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        commands: Any = self.commands
        with formatter.section("Commands"):
            formatter.write_dl([(name, commands[name].help.split("\n\n")[0].replace("\n", " ")) for name in commands])


class SubApp(Mapping[str, Any]):
    """The commands of a group (`codemem memory …`), each built when it is named: all sixteen with their options cost 12 ms."""

    def __init__(self, help: str) -> None:
        self.help = help
        self._rows: dict[str, tuple[Callable[..., Any], type[CodememCommand]]] = {}

    def command(self, name: str, cls: type[CodememCommand] = CodememCommand) -> Callable[[Any], Any]:
        """Enter the decorated function as a command."""

        def enter(function: Any) -> Any:
            self._rows[name] = (function, cls)
            return function

        return enter

    def __getitem__(self, name: str) -> Any:
        return build_command(name, *self._rows[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)


def run_command(arguments: list[str], door: Door | None = None) -> int:
    """Run the command that the arguments name and return its exit code; errors pass through.

    Typer's own `main` would turn a closed pipe into exit 1 before our `main` sees it; it serves completion requests only.
    """
    group = root_command()
    if COMPLETION_VARIABLE in os.environ:
        group.main(arguments, prog_name=PROGRAM)
    try:
        with group.make_context(PROGRAM, arguments, obj=door) as context:
            group.invoke(context)
    except typer.Exit as done:
        return int(done.exit_code)
    return 0


def root_command() -> Any:
    """Build the root group; no command's module is imported for it."""
    app = typer.Typer(
        cls=CodememGroup,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        no_args_is_help=True,
        context_settings=SETTINGS,
    )
    app.callback()(_codemem)
    group = get_command(app)
    group.params.extend(common_options())
    return group


def load_command(row: CommandRow) -> Any:
    """Import the row's module and turn its function, or its SubApp, into a command."""
    target = getattr(import_module(row.module), row.attribute)
    if isinstance(target, SubApp):
        commands: Any = target
        return SubGroup(
            name=row.name,
            commands=commands,
            help=target.help,
            params=common_options(),
            rich_markup_mode=None,
            no_args_is_help=True,
            context_settings=SETTINGS,
        )
    return build_command(row.name, target, QueryCommand if row.takes_query else CodememCommand)


def build_command(name: str, function: Callable[..., Any], cls: type[CodememCommand]) -> Any:
    """Turn a function into a command."""
    app = typer.Typer(rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False)
    app.command(name, cls=cls)(function)
    return get_command(app)


def common_options() -> list[TyperOption]:
    """Build the options that every command takes, before or after its name."""
    return [
        TyperOption(param_decls=names, type=kind if kind is not bool else None, is_flag=kind is bool or None, help=text,
                    default=None, expose_value=False, callback=_keep(field))
        for field, names, kind, text in COMMON_OPTIONS
    ]  # fmt: skip


def refuse_empty_values(arguments: list[str], parameters: list[Any], only_before_command: bool = False) -> None:
    """Raise BadInput for an option that an unset variable of the shell left empty: it would count as not given."""
    options = {name: parameter for parameter in parameters for name in parameter.opts if name.startswith("-")}
    rest = iter(arguments)
    for argument in rest:
        name, given, value = argument.partition("=")
        if argument == "--" or (only_before_command and not argument.startswith("-")):
            return
        option = options.get(name)
        if option is None or option.is_flag:
            continue
        value = value if given else next(rest, "-")
        if not value.strip(" ,\t\n") and option.metavar != FREE_TEXT and "empty" not in (option.help or ""):
            raise BadInput(f"{name} has no value", f"name one, or leave {name} out")


def usage_remedy(error: Any) -> str:
    """Point at the help of the command that was misused."""
    path = error.ctx.command_path if getattr(error, "ctx", None) else "codemem"
    query = (
        " (a query that begins with - goes after --)"
        if type(error).__name__ == "NoSuchOption" and path.endswith("search")
        else ""
    )
    return f"see `{path} --help`{query}"


def _print_version(wanted: bool) -> None:
    if wanted:
        from codemem.cli.version import version_line

        print(version_line())
        raise typer.Exit


def _codemem(
    context: typer.Context,
    version: bool = typer.Option(
        False, "--version", help="Print the version and exit.", is_eager=True, callback=_print_version
    ),
) -> None:
    """Find code by what it does, by its name, by what it calls and by how it fails; remember what was said about it."""
    if context.obj is None:
        context.obj = Door()


def _keep(field: str) -> Callable[[Any, Any, Any], None]:
    """Make a callback that keeps the option's value in the context's Door."""

    def keep(context: Any, _parameter: Any, value: Any) -> None:
        door = context.obj or Door()
        context.obj = door if not value else replace(door, **{field: Path(value) if field == "root" else value})

    return keep


def _queries_last(arguments: list[str], parameters: list[Any]) -> list[str]:
    """Move arguments that can only be a query behind `--`: `"-x"` alone, `"--help me"` with its space."""
    if "--" in arguments:
        return arguments
    options = {name: parameter for parameter in parameters for name in parameter.opts if name.startswith("-")}
    plain: list[str] = []
    queries: list[str] = []
    unknown: list[str] = []
    words = 0
    rest = iter(arguments)
    for argument in rest:
        name = argument.split("=", 1)[0]
        if name in options or name in SETTINGS["help_option_names"]:
            plain.append(argument)
            if name == argument and name in options and not options[name].is_flag:
                plain.extend(value for value in [next(rest, None)] if value is not None)
        elif argument.startswith("-") and any(character.isspace() for character in argument):
            queries.append(argument)
        elif argument.startswith("-") and not argument.startswith("--") and argument[:2] not in options:
            unknown.append(argument)
        else:
            words += not argument.startswith("-")
            plain.append(argument)
    if unknown and (words or queries or len(unknown) > 1):
        return arguments
    queries += unknown
    return [*plain, "--", *queries] if queries else arguments
