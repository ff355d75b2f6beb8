"""Judge two statements without a model: same fact, update, conflict or unrelated, and say why."""

from codemem.judge.ladder import Similarity, similarity
from codemem.judge.rules import Judgement, Verdict, judge

__all__ = ["Judgement", "Similarity", "Verdict", "judge", "similarity"]
