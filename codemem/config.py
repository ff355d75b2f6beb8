"""Where a setting's value comes from: flag > environment > project > user > default, and how one is set."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, NamedTuple

from codemem.errors import BadInput
from codemem.settings import SETTING_NAMES, Settings

PROJECT_FILE = ".codemem.toml"
USER_FILE = "config.toml"
PYPROJECT = "pyproject.toml"
ENVIRONMENT_PREFIX = "CODEMEM_"
SECRET_WORDS = ("key", "token", "secret", "password")
"""A setting with one of these in its name is never printed."""
LEAST = {"limit": 1}
"""The smallest value where 0 makes no sense."""
TRUE_WORDS = ("1", "true", "yes", "on")
FALSE_WORDS = ("0", "false", "no", "off")
TYPES: dict[str, type] = {field.name: type(field.default) for field in fields(Settings)}


class Configuration(NamedTuple):
    """The settings of this run and, for each one, where its value was found."""

    settings: Settings
    origins: dict[str, str]


def load_configuration(root: Path | None, flags: Mapping[str, object | None] | None = None) -> Configuration:
    """Resolve every setting; a flag that is None was not given. Raises BadInput for unknown names and wrong values."""
    values: dict[str, Any] = {}
    origins = dict.fromkeys(SETTING_NAMES, "default")
    layers = [(*_file_layer(user_file()), "user"), *((*layer, "project") for layer in _project_layers(root))]
    for found, place, level in layers:
        for name, value in found.items():
            values[name] = _checked(name, value, place)
            origins[name] = f"{level}: {place}"
    for name in SETTING_NAMES:
        variable = ENVIRONMENT_PREFIX + name.upper()
        if os.environ.get(variable):
            values[name] = parse_value(name, os.environ[variable], variable)
            origins[name] = f"environment: {variable}"
    for name, flag in (flags or {}).items():
        if flag is not None:
            values[name] = flag
            origins[name] = f"flag: --{name.replace('_', '-')}"
    return Configuration(Settings(**values), origins)


def parse_value(name: str, text: str, place: str) -> object:
    """Turn the text of an environment variable or of `config set` into the setting's type."""
    kind = _type_of(name, place)
    words = text.strip().lower()
    if kind is bool and words in TRUE_WORDS + FALSE_WORDS:
        return words in TRUE_WORDS
    if kind is str:
        return text
    try:
        return _checked(name, kind(words.replace("_", "")) if kind is not bool else words, place)
    except ValueError:
        raise _wrong_value(name, text, place) from None


def shown_value(name: str, value: object) -> object:
    """Return what `config show` prints: secrets stay hidden."""
    return "********" if value and any(word in name for word in SECRET_WORDS) else value


def write_setting(name: str, text: str, file: Path) -> object:
    """Set one value in a flat TOML file, keeping its comments and other lines; return the value written."""
    value = parse_value(name, text, "config set")
    line = f"{name} = {_toml(value)}"
    old = file.read_text("utf-8-sig") if file.exists() else ""
    pattern = re.compile(rf"(?m)^\s*{re.escape(name)}\s*=.*$")
    if pattern.search(old):
        new = pattern.sub(lambda _: line, old, count=1)
    else:
        new = (old if not old or old.endswith("\n") else old + "\n") + line + "\n"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(new, encoding="utf-8")
    return value


def user_file() -> Path:
    """Return the user's own configuration file (it need not exist): where platformdirs would put it, without its 10 ms."""
    try:
        home = Path.home()
    except RuntimeError:  # no HOME and no entry for the user
        home = Path(os.devnull)
    if sys.platform == "darwin":
        folder = home / "Library/Application Support"
    else:
        folder = Path(os.environ.get("XDG_CONFIG_HOME", "").strip() or home / ".config")
    return folder / "codemem" / USER_FILE


def _project_layers(root: Path | None) -> list[tuple[dict[str, Any], str]]:
    """Read pyproject.toml's table and .codemem.toml, the stronger one last."""
    if root is None:
        return []
    return [_file_layer(root / PYPROJECT, table=True), _file_layer(root / PROJECT_FILE)]


def _file_layer(file: Path, table: bool = False) -> tuple[dict[str, Any], str]:
    """Read one TOML file; a missing one is empty. `table` looks below [tool.codemem]."""
    place = file.name if file.name != USER_FILE else str(file)
    try:
        content = file.read_bytes()
    except OSError:
        return {}, place
    if table and b"codemem" not in content:
        return {}, place  # most pyproject files do not mention codemem: the TOML parser costs 5 ms of start-up
    import tomllib

    try:
        found = tomllib.loads(content.decode("utf-8-sig", "replace"))
    except tomllib.TOMLDecodeError as error:
        if table:
            return {}, place
        raise BadInput(f"{place} is not valid TOML: {error}", f"mend {file} or remove it") from error
    if table:
        tools = found.get("tool")
        found = tools.get("codemem", {}) if isinstance(tools, dict) else {}
        place = f"{place} [tool.codemem]"
    return (found if isinstance(found, dict) else {}), place


def _checked(name: str, value: object, place: str) -> object:
    """Return `value` when it has the setting's type (an int serves as a float); negatives make no sense anywhere."""
    kind = _type_of(name, place)
    if kind is float and type(value) is int:
        value = float(value)
    if type(value) is not kind or (isinstance(value, int | float) and value < LEAST.get(name, 0)):
        raise _wrong_value(name, value, place)
    return value


def _type_of(name: str, place: str) -> type:
    if name not in TYPES:
        from difflib import get_close_matches

        near = get_close_matches(name, SETTING_NAMES, n=1)
        hint = f"did you mean `{near[0]}`? " if near else ""
        raise BadInput(f"{place}: unknown setting `{name}`", f"{hint}settings are {', '.join(SETTING_NAMES)}")
    return TYPES[name]


def _wrong_value(name: str, value: object, place: str) -> BadInput:
    wanted = {
        bool: "true or false",
        int: f"a whole number, {LEAST.get(name, 0)} or more",
        float: "a number, 0 or more",
        str: "a text",
    }[TYPES[name]]
    return BadInput(f"{place}: `{name}` cannot be {value!r}", f"give {wanted}")


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        import json

        return json.dumps(value, ensure_ascii=False)
    return repr(value)
