"""BM25 over fields: analysis of chunks into documents, immutable segments of postings, scoring with numpy."""

from codemem.lexical.documents import FIELDS, LAYOUT, Document, document, enclosing_names, path_parts
from codemem.lexical.segments import (
    Arrays,
    SegmentData,
    build_segment,
    decode_arrays,
    decode_posting,
    merge_arrays,
    merge_postings,
)

__all__ = [
    "FIELDS",
    "LAYOUT",
    "Arrays",
    "Document",
    "SegmentData",
    "build_segment",
    "decode_arrays",
    "decode_posting",
    "document",
    "enclosing_names",
    "merge_arrays",
    "merge_postings",
    "path_parts",
]
