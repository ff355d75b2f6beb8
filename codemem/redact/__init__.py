"""Keep secrets and control characters out of what is remembered: `clean` and `redact`, one function for every write path."""

from codemem.redact.clean import clean, is_empty
from codemem.redact.secrets import Redacted, redact, safe

__all__ = ["Redacted", "clean", "is_empty", "redact", "safe"]
