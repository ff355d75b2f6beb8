"""Records as JSON documents: the field names are the contract of the command line."""

from __future__ import annotations

import json


def json_bytes(document: object) -> bytes:
    """Serialise to UTF-8 with a final newline; lone surrogates of odd file names are escaped, which stays valid JSON."""
    try:
        return (json.dumps(document, ensure_ascii=False, indent=2) + "\n").encode("utf-8")
    except UnicodeEncodeError:
        return (json.dumps(document, ensure_ascii=True, indent=2) + "\n").encode("ascii")
