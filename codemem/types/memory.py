"""What was said: statements, and who may see them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scope:
    """Who asks: what it may see, and where what it writes goes."""

    tenant: str = "default"
    cubes: tuple[str, ...] = ()
    """Cubes that are visible; empty means all of the tenant's. A write goes to the first, or to `user_profile`."""
    project_id: str = ""
    """Identity of the project; empty sees no project memory."""

    @property
    def cube(self) -> str:
        return self.cubes[0] if self.cubes else "user_profile"


@dataclass(frozen=True, slots=True)
class Memory:
    """One remembered statement. Times are UTC milliseconds; `uuid` is its identity outside the store."""

    uuid: str
    tenant: str
    visibility: str
    project_id: str
    cube: str
    type: str
    content: str
    importance: int
    status: str
    created_at: int
    updated_at: int
    content_hash: str
    key: str = ""
    context: str = ""
    """Indexed with the content but not shown: speaker, caption, date."""
    symbol: str = ""
    version: int = 1
    source: str = "manual"
    source_session: str = ""
    source_message: str = ""
    raw: bool = False
    """A conversation turn as it was said: never deduplicated or judged."""
    valid_from: int | None = None
    valid_to: int | None = None
    superseded_at: int | None = None
    superseded_by: str | None = None
    seen_count: int = 1
    last_used_at: int | None = None
    id: int = 0
    """Number inside its store."""
    aliases: tuple[str, ...] = ()
    anchor: str = ""
    """State of its tie to code: fresh, stale:body, stale:contract, orphaned, ambiguous, unresolved; empty without one."""

    @property
    def short_id(self) -> str:
        """The last characters: the first ones of a UUIDv7 are the time, equal for memories of one minute."""
        return self.uuid[-8:]
