"""Judge the best candidates again: a cross-encoder here or behind HTTP, blended with the fused score."""

from codemem.rerank.blend import Blended, blend
from codemem.rerank.table import RERANKERS, Reranker, load_reranker

__all__ = ["RERANKERS", "Blended", "Reranker", "blend", "load_reranker"]
