"""`codemem config`: every value and where it came from; set one."""

from __future__ import annotations

from typing import Annotated

import typer

from codemem.cli.door import Door, find_folder, print_json, print_text, say
from codemem.cli.engine import SubApp

app = SubApp("Show or set the settings.")


@app.command("show")
def show(
    context: typer.Context, name: Annotated[str, typer.Argument(metavar="NAME", help="Only this setting.")] = ""
) -> None:
    """Show each setting, its value and where the value came from."""
    from codemem.config import load_configuration, shown_value, user_file
    from codemem.errors import BadInput
    from codemem.settings import SETTING_NAMES

    door: Door = context.obj
    root = find_folder(door)
    found = load_configuration(root)
    if name and name not in SETTING_NAMES:
        raise BadInput(f"unknown setting `{name}`", f"settings are {', '.join(SETTING_NAMES)}")
    names = [name] if name else list(SETTING_NAMES)
    rows = [(key, shown_value(key, getattr(found.settings, key)), found.origins[key]) for key in names]
    if door.json:
        print_json({"root": str(root), "user_file": str(user_file()),
                    "settings": {key: {"value": value, "origin": origin} for key, value, origin in rows}})  # fmt: skip
        return
    from codemem.render.table import table_text

    print_text(table_text([(key, _shown(value), origin) for key, value, origin in rows]))


@app.command("set")
def set_(
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The setting.")],
    value: Annotated[str, typer.Argument(metavar="VALUE", help="Its new value.")],
    user: Annotated[bool, typer.Option("--user", help="For all your repositories instead of this one.")] = False,
) -> None:
    """Set one value in .codemem.toml of this repository."""
    from codemem.config import PROJECT_FILE, load_configuration, user_file, write_setting

    door: Door = context.obj
    root = find_folder(door)
    if name == "embedder":
        check_embedder(value)
    file = user_file() if user else root / PROJECT_FILE
    written = write_setting(name, value, file)
    if door.json:
        print_json({"file": str(file), "name": name, "value": written})
        return
    origin = load_configuration(root).origins[name]
    say(door, f"{name} = {_shown(written)} in {file}")
    if origin.startswith("environment") or (user and origin.startswith("project")):
        say(door, f"note: {origin} still overrides it here")


def check_embedder(name: str) -> None:
    """Refuse a kind of model that does not exist; whether it is installed is said where it is used."""
    from codemem.embed import EMBEDDERS
    from codemem.errors import BadInput

    if name.partition(":")[0] not in {row.name for row in EMBEDDERS}:
        known = ", ".join(row.usage for row in EMBEDDERS)
        raise BadInput(f"unknown embedding model: {name or '(empty)'}", f"known are {known}")


def _shown(value: object) -> str:
    return {True: "true", False: "false"}.get(value, str(value)) if isinstance(value, bool) else str(value) or '""'
