"""Answer a question from the index: arms, candidates, signals, hits."""

from codemem.retrieval.pipeline import Session, search

__all__ = ["Session", "search"]
