"""The errors a person can act on: one base, few children, each message with its remedy.

Bad input (a broken file, a failed model call) is a `Problem` record, not an error. Foreign exceptions are
translated where they are raised; only `cli.main()` catches `CodememError` and turns it into exit code 2.
"""


class CodememError(Exception):
    """Say what went wrong in one line and what to do about it in another."""

    def __init__(self, message: str, remedy: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy


class BadQuery(CodememError):
    """The question cannot be answered as asked (empty, unknown filter value, unknown symbol)."""


class BadInput(CodememError):
    """A path, file or option value cannot be used as given."""


class NotIndexed(CodememError):
    """There is no index for this repository."""


class StoreError(CodememError):
    """The store cannot be opened, read or written."""


class StoreBusy(StoreError):
    """Another process holds the writer lock."""


class StoreNewer(StoreError):
    """The store was written by a newer version of codemem."""


class StoreCorrupt(StoreError):
    """The database file is damaged."""


class ModelMissing(CodememError):
    """An embedding or rerank model is not installed or not reachable."""


class ProviderError(CodememError):
    """A configured remote provider failed or returned something unusable."""


class WrongCount(ProviderError):
    """A judge answered for another number of texts than it was asked about: which score is whose is unknown."""
