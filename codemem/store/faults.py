"""The one place that turns errors of sqlite3 into those that a person can act on."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from codemem.errors import BadInput, StoreBusy, StoreCorrupt, StoreError

DAMAGE_SIGNS = ("decode", "malformed", "no such", "vtable constructor failed")
"""What SQLite says of a value that is no text and of a schema that lost something: our statements name what must be there."""


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turn sqlite3 errors into the errors a person can act on."""
    try:
        yield
    except sqlite3.OperationalError as error:
        text = str(error)
        if any(sign in text for sign in DAMAGE_SIGNS):
            raise _damaged(path, error) from error
        if "locked" in text or "busy" in text:
            raise StoreBusy(
                f"the store {path} is locked by another process", "try again, or wait with --wait"
            ) from error
        if "readonly" in text or "read-only" in text or "unable to open" in text:
            raise StoreError(
                f"the store {path} cannot be written: {text}", "check the permissions of the folder"
            ) from error
        if "disk I/O error" in text:
            raise StoreError(
                f"the disk refused to read or write for the store {path}",
                "look at free space, quota and the disk, then run the command again",
            ) from error
        if "disk is full" in text or "full" in text:
            raise StoreError(
                f"no space left for the store {path}", "free some disk space and run the command again"
            ) from error
        raise StoreError(f"the store {path} failed: {text}", "run `codemem doctor`") from error
    except sqlite3.DatabaseError as error:
        if type(error) is not sqlite3.DatabaseError:
            raise  # a broken constraint or a wrong statement is our mistake, not damage
        raise _damaged(path, error) from error
    except UnicodeDecodeError as error:  # a name in the schema
        raise _damaged(path, error) from error
    except UnicodeEncodeError as error:
        raise BadInput(f"the text holds half a character: {error}", "give it as valid UTF-8") from error


def _damaged(path: Path, error: Exception) -> StoreCorrupt:
    return StoreCorrupt(f"the store {path} is damaged: {error}", "run `codemem doctor --fix`")
