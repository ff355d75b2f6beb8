"""What the session commands share: the group, their arguments, the store of conversations."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from codemem.cli.door import Door, find_folder
from codemem.cli.engine import SubApp
from codemem.errors import BadInput, StoreError

if TYPE_CHECKING:
    from codemem.memory import Stores
    from codemem.store import Store
    from codemem.store.sessions import SessionKey

app = SubApp("Keep conversations and fit them into a prompt.")

Session = Annotated[str, typer.Argument(metavar="SESSION", help="Id of the session; `agent:NAME` is an agent's own.")]
Tenant = Annotated[
    str, typer.Option("--tenant", metavar="NAME", help="Whose conversations; they never see each other.")
]
TokenizerFile = Annotated[
    str,
    typer.Option("--tokenizer", metavar="FILE", help="Count tokens with this tokenizer.json instead of the estimate."),
]


@contextmanager
def open_sessions(
    door: Door, tenant: str, write: bool = False
) -> Iterator[tuple[Store, Stores, Callable[[str], SessionKey]]]:
    """Open the project's store and give the way from a session id to its key."""
    from codemem.memory import open_memories
    from codemem.sessions.conversation import session_key

    with open_memories(find_folder(door), write=write) as stores:
        if stores.project is None and stores.degraded:
            raise StoreError(stores.degraded[0], "no conversation can be read before that")
        if stores.project is None:
            raise BadInput("no conversation is kept for this project", "begin one with `codemem session append`")
        yield stores.project, stores, lambda identity: session_key(tenant, stores.project_id, identity)[0]


def session_fields(row: Any) -> dict[str, object]:
    from codemem.identity import iso_time

    return {
        "session": row.key.id,
        "messages": row.messages,
        "tokens": row.tokens,
        "created_at": iso_time(row.created_at),
        "updated_at": iso_time(row.updated_at),
        "summary": row.summary,
        "summary_upto": row.summary_upto,
        "compacted_upto": row.compacted_upto,
    }


def fields_of(record: Any) -> dict[str, object]:
    from dataclasses import asdict

    return asdict(record)
