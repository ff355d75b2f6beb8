"""What the memory commands share: the group, their options, the stores, the model."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from codemem.cli import NOTHING
from codemem.cli.door import Door, Repository, find_repository, print_json, warn
from codemem.cli.engine import SubApp
from codemem.errors import BadInput, ModelMissing

if TYPE_CHECKING:
    from codemem.embed import Embedder
    from codemem.memory import Found, Stores
    from codemem.rerank import Reranker
    from codemem.settings import Settings
    from codemem.types import Scope

app = SubApp("Remember what was said about the code, and find it again.")

Reference = Annotated[
    str, typer.Argument(metavar="ID", help="Id of the memory, or its last characters as they are printed.")
]
Tenant = Annotated[
    str, typer.Option("--tenant", metavar="NAME", help="Whose memories; tenants never see each other's.")
]
Cubes = Annotated[
    list[str] | None,
    typer.Option("--cube", metavar="NAME", help="user_profile or agent:NAME (repeatable); all when left out."),
]
Types = Annotated[
    list[str] | None,
    typer.Option("--type", metavar="NAME", help="text_mem, pref_mem, skill_mem, tool_mem (repeatable)."),
]
LanguageOfMessages = Annotated[
    str, typer.Option("--lang-ui", metavar="LANG", help="Language of messages: en or zh; default: the locale's.")
]
EmbedderChoice = Annotated[
    str | None, typer.Option("--embedder", metavar="NAME", help="Embedding model, see `codemem embedders`.")
]
OnlyGlobal = Annotated[bool, typer.Option("--global", help="Only memories seen from every project.")]
OnlyProject = Annotated[bool, typer.Option("--project", help="Only memories of this project.")]
AsOf = Annotated[
    str | None,
    typer.Option("--as-of", metavar="DATE", help="What held at this date or time (UTC unless it has an offset)."),
]
Superseded = Annotated[bool, typer.Option("--include-superseded", help="Show what was replaced, too.")]


@dataclass(frozen=True, slots=True)
class Opened:
    """The memories that a command works on and who asks."""

    stores: Stores
    scope: Scope
    settings: Settings


@contextmanager
def opened(
    door: Door,
    tenant: str,
    cubes: list[str] | None,
    write: bool = False,
    embedder: str | None = None,
    make: tuple[str, ...] = (),
    only_global: bool = False,
    in_part: bool = False,
) -> Iterator[Opened]:
    """Open the project's and the user's memories (only the user's with `only_global`).

    A store is made only where something is to be kept: `make` names the visibilities. One that cannot be read is an
    error; with `in_part` it is told, and the other is served as long as there is one.
    """
    from codemem.config import load_configuration
    from codemem.memory import open_memories
    from codemem.memory.requests import check_name

    check_name("tenant", tenant)
    chosen = tuple(check_name("cube", cube) for cube in cubes or ())
    flags = {"embedder": embedder}
    if only_global:
        root, settings = None, load_configuration(None, flags).settings
    else:
        repository = find_repository(door, None, flags)
        root, settings = repository.root, repository.settings
    with open_memories(root, write=write, make=make) as stores:
        if stores.failures and not (in_part and stores.readable()):
            raise stores.failures[0]
        for message in stores.degraded:
            warn(door, message)
        yield Opened(stores, stores.scope(tenant, chosen), settings)


def renew_ties(door: Door) -> None:
    """Refresh the index when a file that memories are tied to has changed: no memory shall look fresh whose code is gone.

    A few stats instead of a walk; files that nothing is tied to change no answer here.
    """
    repository = find_repository(door)
    if _ties_moved(repository):
        from codemem.cli.fresh import ready_index

        ready_index(door, repository, True).store.close()


def _ties_moved(repository: Repository) -> bool:
    from codemem.errors import CodememError
    from codemem.store import has_index, open_store, store_path
    from codemem.store.anchors import tied_files

    path = store_path(repository.root)
    if not path.exists():
        return False
    try:
        with open_store(path) as store:
            return has_index(store) and any(
                known is not None and _stats(repository.root / name) != known for name, known in tied_files(store)
            )
    except CodememError:
        return False  # said where the memories are opened


def _stats(path: Path) -> tuple[int, int, int] | None:
    try:
        found = path.lstat()
    except OSError:
        return None
    return found.st_size, found.st_mtime_ns, found.st_ctime_ns


def model(door: Door, settings: Settings) -> Embedder | None:
    """Load the embedding model; one that is missing costs its vectors, not the command."""
    from codemem.embed import load_embedder

    try:
        return load_embedder(settings.embedder)
    except ModelMissing as error:
        warn(door, f"{error.message}; going on with words alone ({error.remedy})")
        return None


def reranker_of(settings: Settings) -> Reranker:
    """Load the configured reranker."""
    from codemem.rerank import load_reranker

    if not settings.reranker:
        raise BadInput("no reranker is configured", "set one: codemem config set reranker sentence-transformers:NAME")
    return load_reranker(settings.reranker)


def visibility_of(only_global: bool, only_project: bool) -> str:
    """Return which visibility two options ask for."""
    if only_global and only_project:
        raise BadInput("--global and --project exclude each other", "leave both out to see both")
    return "global" if only_global else "project" if only_project else ""


def moment(text: str | None, option: str) -> int | None:
    """Read a date or time option."""
    from codemem.memory.identity import parse_time

    return None if text is None else parse_time(text, option)


def language_of(chosen: str) -> str:
    """Return the language of messages; raises BadInput for one there is no catalogue of."""
    from codemem.render.memories import LANGUAGES, interface_language

    if chosen and chosen not in LANGUAGES:
        raise BadInput(f"no messages in {chosen!r}", f"known are {', '.join(LANGUAGES)}")
    return interface_language(chosen)


def require(door: Door, here: Opened, reference: str) -> Found:
    """Find the memory that an id names; exit 1 when this context sees none."""
    from codemem.memory import find_one

    found = find_one(here.stores, here.scope, reference)
    if found is None:
        if door.json:
            print_json({"error": "not found", "id": reference})
        warn(door, f"no memory {reference} is visible here")
        raise typer.Exit(NOTHING)
    return found
