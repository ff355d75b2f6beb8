"""`codemem memory add|edit|delete|restore|verify`: what changes memories."""

from __future__ import annotations

from typing import Annotated

import typer

from codemem.cli import MISUSE, NOTHING
from codemem.cli.door import Door, confirm, print_json, print_text, say, warn
from codemem.cli.inputs import read_stdin
from codemem.cli.memory.common import (
    Cubes,
    EmbedderChoice,
    LanguageOfMessages,
    Reference,
    Tenant,
    app,
    language_of,
    model,
    moment,
    opened,
    require,
)
from codemem.cli.options import Yes
from codemem.errors import BadInput

ValidFrom = Annotated[str | None, typer.Option("--valid-from", metavar="DATE", help="Since when it holds.")]
ValidTo = Annotated[str | None, typer.Option("--valid-to", metavar="DATE", help="Until when it holds.")]
Symbol = Annotated[
    str, typer.Option("--symbol", metavar="NAME", help="Tie it to a symbol: its changes make the memory stale.")
]
ONE_CUBE = "user_profile"


@app.command("add")
def add(
    context: typer.Context,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="The statement to remember; `-` reads it from stdin.")],
    type: Annotated[
        str, typer.Option("--type", metavar="NAME", help="text_mem, pref_mem, skill_mem or tool_mem.")
    ] = "text_mem",
    key: Annotated[
        str, typer.Option("--key", metavar="NAME", help="A name like build.jdk: a new value of it replaces the old.")
    ] = "",
    importance: Annotated[int, typer.Option("--importance", metavar="N", help="1 to 10.")] = 5,
    symbol: Symbol = "",
    global_: Annotated[bool, typer.Option("--global", help="Seen from every project of this user.")] = False,
    cube: Annotated[str, typer.Option("--cube", metavar="NAME", help="user_profile or agent:NAME.")] = ONE_CUBE,
    tenant: Tenant = "default",
    valid_from: ValidFrom = None,
    valid_to: ValidTo = None,
    source: Annotated[
        str, typer.Option("--source", metavar="NAME", help="manual, codebase, doc or conversation.")
    ] = "manual",
    candidate: Annotated[
        bool, typer.Option("--candidate", help="Keep it as a candidate until it is confirmed.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Do not compare it with what is known.")] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Say by which rule it was judged.")] = False,
    lang_ui: LanguageOfMessages = "",
    embedder: EmbedderChoice = None,
) -> None:
    """Remember a statement; say what it duplicates, replaces or contradicts."""
    from codemem.memory import REFUSED, Options, remember
    from codemem.memory.upkeep import FILL_WINDOW, fill_in
    from codemem.render.memories import explained, messages, verdict_document, verdict_text

    door: Door = context.obj
    language = language_of(lang_ui)
    options = Options(
        type=type, visibility="global" if global_ else "project", key=key, importance=importance, source=source, symbol=symbol,
        valid_from=moment(valid_from, "--valid-from"), valid_to=moment(valid_to, "--valid-to"),
        status="candidate" if candidate else "active", force=force,
    )  # fmt: skip
    content = read_stdin() if text == "-" else text
    make = (options.visibility,)
    with opened(door, tenant, [cube], write=True, embedder=embedder, make=make, only_global=global_) as here:
        embedding = model(door, here.settings)
        done = remember(here.stores, content, here.scope, options, embedding)
        if embedding is not None and done.memory is not None and not done.pending_vector:
            fill_in(here.stores.holding(done.memory), embedding, FILL_WINDOW, around=done.memory.id)
    if done.verdict in REFUSED and not door.json:
        raise BadInput(verdict_text(done, language), messages(language)["remedy"])
    for note in done.degraded:
        warn(door, note)
    if door.json:
        print_json(verdict_document(done, language))
        if done.verdict in REFUSED:
            raise typer.Exit(MISUSE)
        return
    print_text(verdict_text(done, language))
    if explain:
        print_text(explained(done))
    if done.memory is not None and done.memory.anchor == "unresolved":
        say(door, messages(language)["unresolved"].format(symbol=symbol, detail="not found"))


@app.command("edit")
def edit(
    context: typer.Context,
    reference: Reference,
    text: Annotated[str | None, typer.Argument(metavar="TEXT", help="The new text; `-` reads it from stdin.")] = None,
    type: Annotated[str | None, typer.Option("--type", metavar="NAME", help="Another type.")] = None,
    key: Annotated[str | None, typer.Option("--key", metavar="NAME", help="Another key; empty removes it.")] = None,
    importance: Annotated[int | None, typer.Option("--importance", metavar="N", help="1 to 10.")] = None,
    symbol: Annotated[
        str | None, typer.Option("--symbol", metavar="NAME", help="Tie it to another symbol; empty unties it.")
    ] = None,
    valid_from: ValidFrom = None,
    valid_to: ValidTo = None,
    confirm_: Annotated[bool, typer.Option("--confirm", help="Make a candidate a full memory.")] = False,
    tenant: Tenant = "default",
    cube: Cubes = None,
    embedder: EmbedderChoice = None,
) -> None:
    """Change a memory in place; its history keeps the old state."""
    from codemem.memory import Changes, edit_memory
    from codemem.render.memories import memory_document, memory_line

    door: Door = context.obj
    content = read_stdin() if text == "-" else text
    changes = Changes(
        content,
        type,
        key,
        importance,
        symbol,
        moment(valid_from, "--valid-from"),
        moment(valid_to, "--valid-to"),
        confirm_,
    )
    if changes == Changes():
        raise BadInput("nothing to change", "give a new TEXT or an option, see `codemem memory edit --help`")
    with opened(door, tenant, cube, write=True, embedder=embedder) as here:
        found = require(door, here, reference)
        changed = edit_memory(here.stores, here.scope, found, changes, model(door, here.settings))
    if door.json:
        print_json(memory_document(changed))
    else:
        print_text(memory_line(changed))


@app.command("delete")
def delete(
    context: typer.Context,
    reference: Reference,
    purge: Annotated[
        bool, typer.Option("--purge", help="Remove it for good, with its history; it cannot be restored.")
    ] = False,
    yes: Yes = False,
    tenant: Tenant = "default",
    cube: Cubes = None,
) -> None:
    """Delete a memory; `memory restore` brings it back unless it was purged."""
    from codemem.memory import delete_memory
    from codemem.render.memories import memory_line

    door: Door = context.obj
    with opened(door, tenant, cube, write=True) as here:
        found = require(door, here, reference)
        if purge and not confirm(door, f"Remove {memory_line(found.memory)} for good?", yes):
            raise typer.Exit(NOTHING)
        delete_memory(found, purge)
    if door.json:
        print_json({"deleted": found.memory.uuid, "purged": purge})
    else:
        print_text(f"deleted {memory_line(found.memory)}")


@app.command("restore")
def restore(
    context: typer.Context,
    reference: Reference,
    tenant: Tenant = "default",
    cube: Cubes = None,
    embedder: EmbedderChoice = None,
) -> None:
    """Bring a deleted or replaced memory back."""
    from codemem.memory import restore_memory
    from codemem.render.memories import memory_document, memory_line

    door: Door = context.obj
    with opened(door, tenant, cube, write=True, embedder=embedder) as here:
        found = require(door, here, reference)
        restored = restore_memory(here.stores, found, model(door, here.settings))
    if door.json:
        print_json(memory_document(restored))
    else:
        print_text(memory_line(restored))


@app.command("verify")
def verify(context: typer.Context, reference: Reference, tenant: Tenant = "default", cube: Cubes = None) -> None:
    """Say that a memory is right for the code as it is now."""
    from codemem.memory import verify_memory
    from codemem.render.memories import memory_document, memory_line

    door: Door = context.obj
    with opened(door, tenant, cube, write=True) as here:
        verified = verify_memory(require(door, here, reference))
    if door.json:
        print_json(memory_document(verified))
    else:
        print_text(memory_line(verified))
