"""What every command needs: the repository, its settings and store, and how to speak to people and programs."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from codemem.errors import BadInput

if TYPE_CHECKING:
    from codemem.cli.warm import Warm
    from codemem.render.style import Style
    from codemem.settings import Settings
    from codemem.store import Store


@dataclass(frozen=True, slots=True)
class Door:
    """The common options of one command line."""

    root: Path | None = None
    json: bool = False
    quiet: bool = False
    debug: bool = False
    warm: Warm | None = None
    """What a server keeps between its calls; a command line that ends after one keeps nothing."""


class Repository(NamedTuple):
    """The repository a command works on, with its settings and where each one came from."""

    root: Path
    settings: Settings
    origins: dict[str, str]


def find_repository(
    door: Door, place: Path | None = None, flags: Mapping[str, object | None] | None = None
) -> Repository:
    """Find the repository: `--root` exactly as given, else the one around `place` or the current folder.

    An index keeps the embedding model it was built with until a flag or a setting names another one.
    """
    from codemem.config import load_configuration

    root = find_folder(door, place)
    found = load_configuration(root, flags)
    settings, origins = found.settings, found.origins
    if origins["embedder"] == "default":
        kept = _embedder_of_index(root)
        if kept and kept != settings.embedder:
            settings, origins = replace(settings, embedder=kept), {**origins, "embedder": "index"}
    return Repository(root, settings, origins)


def _embedder_of_index(root: Path) -> str:
    """Return the name of the model that the index was built with, empty when there is no index to ask."""
    from codemem.errors import NotIndexed, StoreError
    from codemem.store import has_index, open_store, read_meta, store_path

    path = store_path(root)
    if not path.exists():
        return ""
    try:
        with open_store(path) as store:
            return read_meta(store, "embedder") if has_index(store) else ""
    except (NotIndexed, StoreError):
        return ""  # said where the index is opened to be used


def find_folder(door: Door, place: Path | None = None) -> Path:
    """Return the repository's root without reading any setting."""
    if door.root is not None:
        return exact_root(door.root)
    from codemem.walk import find_root

    return find_root(place or Path())


def exact_root(path: Path) -> Path:
    """Return the folder of `--root` as it is; raises BadInput for what cannot be indexed."""
    from codemem.walk import find_root, is_forbidden

    folder = path.expanduser().resolve()
    if not folder.is_dir() or is_forbidden(folder):
        return find_root(path)
    return folder


def open_index(repository: Repository) -> Store:
    """Open the repository's store read-only; raises NotIndexed when nothing is indexed there."""
    from codemem.errors import NotIndexed
    from codemem.store import has_index, open_store, read_meta, store_path

    store = open_store(store_path(repository.root))
    if not has_index(store) or not read_meta(store, "indexed_at"):  # empty, or its first run never ended
        store.close()
        raise NotIndexed(f"no index at {repository.root}", "run `codemem index` there first")
    return store


def say(door: Door, text: str) -> None:
    """Tell the person something beside the result, on stderr; `--quiet` silences it."""
    if not door.quiet:
        from codemem.render.safe import safe_text

        print(safe_text(text), file=sys.stderr)


def warn(door: Door, text: str) -> None:
    """Tell the person something that matters for trusting the result; `--quiet` does not silence it."""
    from codemem.render.safe import safe_text

    print(safe_text(f"warning: {text}"), file=sys.stderr)


def print_text(text: str) -> None:
    """Write the result to stdout, in characters that its encoding has."""
    from codemem.render.safe import drawable

    sys.stdout.write(drawable(text, sys.stdout.encoding or "utf-8"))
    if text and not text.endswith("\n"):
        sys.stdout.write("\n")
    sys.stdout.flush()


def print_json(document: object) -> None:
    """Write one JSON document to stdout as UTF-8, whatever the locale says."""
    from codemem.render.documents import json_bytes

    sys.stdout.flush()
    binary = getattr(sys.stdout, "buffer", None)
    content = json_bytes(document)
    if binary is None:
        sys.stdout.write(content.decode("utf-8"))
    else:
        binary.write(content)
        binary.flush()


def print_json_line(document: object) -> None:
    """Write one JSON document on one line, at once: a stream of events."""
    import json

    sys.stdout.write(json.dumps(document, ensure_ascii=True) + "\n")
    sys.stdout.flush()


def terminal_style() -> Style:
    """Return the styles for stdout: none unless it is a terminal that wants colour."""
    from codemem.render.style import COLOUR, PLAIN

    return COLOUR if _wants_colour() else PLAIN


def confirm(door: Door, question: str, yes: bool) -> bool:
    """Ask before something that cannot be undone; without a terminal to ask on, `--yes` is required."""
    if yes:
        return True
    if not sys.stdin.isatty():
        raise BadInput("this needs a yes, and there is no terminal to ask on", "add --yes")
    print(f"{question} [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _wants_colour() -> bool:
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def terminal_width() -> int:
    """Return the columns of the terminal on stdout, 0 when it is none."""
    if not sys.stdout.isatty():
        return 0
    return os.get_terminal_size(sys.stdout.fileno()).columns
