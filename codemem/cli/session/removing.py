"""`codemem session prune|delete`: what was said goes, what was remembered of it stays."""

from __future__ import annotations

from typing import Annotated

import typer

from codemem.cli import NOTHING
from codemem.cli.door import Door, confirm, print_json, say
from codemem.cli.options import Yes
from codemem.cli.session.common import Session, Tenant, app, open_sessions
from codemem.text import counted


@app.command("prune")
def prune(
    context: typer.Context,
    session: Session,
    keep: Annotated[int, typer.Option("--keep", min=0, metavar="N", help="How many of the newest messages stay.")],
    yes: Yes = False,
    tenant: Tenant = "default",
) -> None:
    """Remove all but the newest messages; memories taken from them stay."""
    from codemem.sessions.conversation import require
    from codemem.store.sessions import prune_messages

    door: Door = context.obj
    with open_sessions(door, tenant, write=True) as (store, _, key_of):
        found = require(store, key_of(session))
        gone = max(0, found.messages - keep)
        if gone and not confirm(door, f"Remove {counted(gone, 'message')} of {session!r}?", yes):
            raise typer.Exit(NOTHING)
        with store.transaction(durable=True) as connection:
            gone = prune_messages(connection, found.key, keep)
    _say_removed(door, session, gone)


@app.command("delete")
def delete(context: typer.Context, session: Session, yes: Yes = False, tenant: Tenant = "default") -> None:
    """Remove a session with its messages; memories taken from it stay."""
    from codemem.sessions.conversation import require
    from codemem.store.sessions import delete_session

    door: Door = context.obj
    with open_sessions(door, tenant, write=True) as (store, _, key_of):
        found = require(store, key_of(session))
        if not confirm(door, f"Remove {session!r} with {counted(found.messages, 'message')}?", yes):
            raise typer.Exit(NOTHING)
        with store.transaction(durable=True) as connection:
            gone = delete_session(connection, found.key)
    _say_removed(door, session, gone)


def _say_removed(door: Door, session: str, gone: int) -> None:
    if door.json:
        print_json({"session": session, "removed": gone})
    else:
        say(door, f"{counted(gone, 'message')} removed")
