"""What a process that answers many questions keeps between them: corpus, model and vectors, while the index is the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from codemem.retrieval import Session
    from codemem.store import Store


@dataclass(slots=True)
class Warm:
    """The session of the last search and the index it belongs to."""

    mark: tuple[object, ...] = ()
    session: Session | None = None


def session_of(warm: Warm | None, store: Store) -> Session | None:
    """Return the session to search this store with: the kept one, or a new one when the index was built anew.

    What changes within one index file a session notices itself; a file in the place of another may count the same.
    """
    if warm is None:
        return None
    from codemem.retrieval import Session
    from codemem.store import read_meta

    found = store.path.stat()
    mark = (str(store.path), found.st_ino, read_meta(store, "indexed_at"), read_meta(store, "vectors_generation", "0"))
    if warm.session is None or warm.mark != mark:
        warm.session = Session()
        warm.mark = mark
    return warm.session
