"""Records as JSON documents: the field names are the contract of the command line."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from codemem.memory import MemoryHit
    from codemem.types import Call, ErrorFact, Hit, Report, SearchResult

SCORE_DIGITS = 4
SECOND_DIGITS = 3
STAGES = ("walk", "parse", "resolve", "embed", "store", "total")


def json_bytes(document: object) -> bytes:
    """Serialise to UTF-8 with a final newline; lone surrogates of odd file names are escaped."""
    try:
        return (json.dumps(document, ensure_ascii=False, indent=2) + "\n").encode("utf-8")
    except UnicodeEncodeError:
        return (json.dumps(document, ensure_ascii=True, indent=2) + "\n").encode("ascii")


def search_document(
    result: SearchResult, index: dict[str, object], entries: Sequence[Hit | MemoryHit] | None = None
) -> dict[str, object]:
    """Build the document of `search --json`; `entries` is the list to show when it holds memories as well."""
    shown = result.hits if entries is None else entries
    return {
        "query": result.query.text,
        "mode": result.query.mode,
        "count": len(shown),
        "degraded": list(result.degraded),
        "exact_match": result.exact_match,
        **({"untold": result.untold} if result.query.filters.raises else {}),
        "index": index,
        "hits": [_entry_document(hit, rank) for rank, hit in enumerate(shown, result.query.offset + 1)],
    }


def _entry_document(hit: Hit | MemoryHit, rank: int) -> dict[str, object]:
    from codemem.types import Hit

    if isinstance(hit, Hit):
        return hit_document(hit, rank)
    from codemem.render import memories

    return memories.hit_document(rank, hit)


def hit_document(hit: Hit, rank: int) -> dict[str, object]:
    """Build one hit of `search --json`."""
    from codemem.card import own_calls

    chunk = hit.chunk
    return {
        "rank": rank,
        "score": round(hit.score, SCORE_DIGITS),
        "source": hit.source,
        "path": chunk.path,
        "start_line": hit.start_line,
        "end_line": hit.end_line,
        "language": chunk.language,
        "kind": chunk.kind,
        "name": chunk.name,
        "qualified_name": chunk.qualified_name,
        "package": chunk.package,
        "signature": chunk.signature,
        "doc": chunk.doc,
        "calls": [call_document(call) for call in own_calls(chunk)],
        "contract": [fact_document(fact) for fact in chunk.contract],
        "text": hit.text,
        "text_line": hit.text_line or hit.start_line,
        "also": [list(span) for span in hit.also],
        "why": {name: round(value, SCORE_DIGITS) for name, value in hit.why.items()},
        "memories": list(hit.memories),
    }


def call_document(call: Call) -> dict[str, object]:
    """Build one call of a hit."""
    target = call.target.qualified_name if call.target else None
    return {
        "order": call.order,
        "callee": call.callee,
        "target": target,
        "line": call.line,
        "certainty": call.certainty,
    }


def fact_document(fact: ErrorFact) -> dict[str, object]:
    """Build one fact of an exception contract."""
    return {"role": fact.role, "type": fact.type, "line": fact.line, "source": fact.source, "via": fact.via}


def report_document(report: Report) -> dict[str, object]:
    """Build the document of `index --json`."""
    return {
        "root": report.root,
        "files": report.files,
        "added": report.added,
        "changed": report.changed,
        "removed": report.removed,
        "unchanged": report.unchanged,
        "skipped": [{"path": skipped.path, "reason": skipped.reason} for skipped in report.skipped],
        "chunks": report.chunks,
        "embedded": report.embedded,
        "reused": report.reused,
        "problems": [
            {"path": problem.path, "stage": problem.stage, "message": problem.message} for problem in report.problems
        ],
        "seconds": {stage: round(report.seconds.get(stage, 0.0), SECOND_DIGITS) for stage in STAGES},
        "notes": list(report.notes),
    }
