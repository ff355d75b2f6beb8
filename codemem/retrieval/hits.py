"""Build the hits that are shown."""

from __future__ import annotations

from collections.abc import Sequence

from codemem.retrieval.candidates import Candidates
from codemem.retrieval.snippets import cut_snippet, term_weights
from codemem.retrieval.spans import Span
from codemem.roles import is_prose
from codemem.store import Store
from codemem.store.candidates import read_unit_rows
from codemem.store.code import read_content
from codemem.store.graph import load_resolved
from codemem.text import stem
from codemem.types import Chunk, Hit


def build_hits(store: Store, candidates: Candidates, spans: Sequence[Span]) -> tuple[Hit, ...]:
    """Read the chunks of the spans and cut their snippets."""
    chunks = load_resolved(store.connection, sorted({span.chunk_id for span in spans}), with_text=False)
    folded = read_unit_rows(store.connection, {chunk for span in spans for chunk in span.also})
    information = {stem(part): value for part, value in candidates.evidence.idf.items()}
    weights = term_weights(information)
    file_ids = {file.path: file.id for file in candidates.files}
    hits: list[Hit] = []
    for span in spans:
        if span.chunk_id not in chunks:
            continue  # a damaged posting list names chunks that never were
        chunk = chunks[span.chunk_id]
        lines = read_content(store.connection, file_ids[chunk.path]).split("\n")
        also = {(folded[number].start_line, folded[number].end_line) for number in span.also if number in folded}
        hits.append(_hit(chunk, span, lines, weights, also, candidates.answer_lines.get(span.chunk_id, 0)))
    return tuple(hits)


def _hit(
    chunk: Chunk, span: Span, lines: list[str], weights: dict[str, float], also: set[tuple[int, int]], answer: int
) -> Hit:
    start, end = chunk.start_line, chunk.end_line
    head = _head_line(chunk, lines, start, end)
    snippet = cut_snippet(lines, start, end, weights, head, answer)
    spans = chunk.spans or ((start, end),)
    text = "\n".join("\n".join(lines[one - 1 : other]) for one, other in spans)
    return Hit(
        chunk=chunk._replace(text=text),
        score=span.score,
        start_line=start,
        end_line=end,
        text=snippet.text,
        why=span.why,
        also=tuple(sorted(also - {(start, end)})),
        source="docs" if is_prose(chunk.path) else "code",
        text_line=snippet.first,
        match_line=snippet.best,
    )


def _head_line(chunk: Chunk, lines: list[str], start: int, end: int) -> int:
    """Return the line that names the definition: documentation and attributes stand above it."""
    if not chunk.name or chunk.part:
        return 0
    for at in range(start, min(end, len(lines)) + 1):
        if chunk.name in lines[at - 1] and (not chunk.signature or _begins(lines[at - 1], chunk.signature)):
            return at
    return 0


def _begins(line: str, signature: str) -> bool:
    """Say whether the signature starts on this line."""
    written = line.split()
    return bool(written) and " ".join(signature.split()[:2]).startswith(written[0])
