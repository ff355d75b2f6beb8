"""search(): the question, the arms, the ranking, the hits: one straight line."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from codemem.fuse import reciprocal_ranks
from codemem.question import Question, name_key, read_question
from codemem.retrieval.candidates import Candidates, gather
from codemem.retrieval.dense import DenseArm, closed_arm, open_arm
from codemem.retrieval.filters import allowed_documents
from codemem.retrieval.hits import build_hits
from codemem.retrieval.spans import Ranked, choose_spans
from codemem.retrieval.view import LexicalScores, View, holds_word, open_view, score_question
from codemem.signals import SIGNALS, load_weights, signal_matrix, weigh
from codemem.store import Store
from codemem.store.symbols import near_names
from codemem.text import is_writable, writable
from codemem.types import Query, SearchResult

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    from codemem.rerank import Reranker

SHORTEST_MISSPELLED = 6
"""Letters of a name that may be misspelled: shorter ones are near too much."""
MISSPELLED = 0.85
"""Share of letters that a misspelled name has in order: two wrong ones of twelve."""
SCORE_DIGITS = 9
"""Digits of a score that count: below them only the order of summation speaks."""


@dataclass(slots=True)
class Session:
    """What a long-lived process keeps between queries of one store: the loaded corpus, model and vectors."""

    view: View | None = None
    arm: DenseArm | None = None
    judge: Reranker | None = None


def search(store: Store, query: Query, session: Session | None = None) -> SearchResult:
    """Answer a query from the index as it is; never writes. Raises `BadQuery` for an empty question."""
    session = session or Session()
    query = _writable(query)
    with store.snapshot():  # several statements, one state: a writer may replace chunks between them
        return _answer(store, query, session)


def _writable(query: Query) -> Query:
    """Replace half characters, which an argument with broken bytes brings along and no store can look up."""
    chosen = query.filters
    texts = [query.text, *chosen.paths, *chosen.calls, *chosen.raises, *chosen.languages, *chosen.kinds]
    if all(map(is_writable, texts)):
        return query
    filters = {
        name: tuple(map(writable, getattr(chosen, name))) for name in ("paths", "calls", "raises", "languages", "kinds")
    }
    return replace(query, text=writable(query.text), filters=replace(chosen, **filters))


def _answer(store: Store, query: Query, session: Session) -> SearchResult:
    view = session.view = open_view(store, session.view)
    question = read_question(query.text, lambda word: holds_word(store, view, word))
    allowed = allowed_documents(store, view.corpus, query.filters)
    lexical = score_question(store, view, question, allowed)
    meant = meant_name(store, question, lexical)
    if meant:
        question = read_question(question.text.replace(question.names[0].text, meant))
        lexical = score_question(store, view, question, allowed)
    if query.mode == "keyword":
        arm = closed_arm()
    else:
        arm = session.arm = open_arm(store, session.arm)
    candidates = gather(store, view, question, lexical, arm)
    ranked = rank(query, candidates, lexical)
    remarks: tuple[str, ...] = (f"nothing is called {query.text.strip()}; this answers {meant}",) if meant else ()
    if query.rerank and not question.symbol:  # a bare symbol needs no judge, and a judge takes seconds to load
        from codemem.rerank import load_reranker
        from codemem.retrieval.judging import judge_again

        judge = session.judge = session.judge or load_reranker(query.rerank)
        ranked, warnings = judge_again(store, view, question, lexical, candidates, ranked, judge)
        remarks = (*remarks, *warnings)
    spans = choose_spans(store, view, lexical, candidates, ranked, query)
    hits = build_hits(store, candidates, spans[query.offset : query.offset + query.limit])
    exact = any(found.written for definitions in candidates.definitions.values() for found in definitions)
    return SearchResult(query, hits, exact and not meant, (*candidates.dense.degraded, *remarks))


def meant_name(store: Store, question: Question, lexical: LexicalScores) -> str:
    """Return the one name that a misspelled symbol nearly is, empty where the symbol stands somewhere or none is near."""
    asked = question.names[0] if question.symbol else None
    if asked is None or len(asked.text) < SHORTEST_MISSPELLED or len(lexical.named[asked]):
        return ""
    if lexical.mentioned.any() and not asked.scope:  # of `A#b` the A is mentioned
        return ""
    from difflib import SequenceMatcher

    near = (name for name in near_names(store, asked.text)[:1] if name_key(name) != asked.key)
    return next((name for name in near if SequenceMatcher(None, asked.text, name).ratio() >= MISSPELLED), "")


def rank(query: Query, candidates: Candidates, lexical: LexicalScores) -> Ranked:
    """Order the candidate files by the fusion that the query names; ties go by path."""
    if query.mode == "vector":
        return _by_columns(
            {"meaning": candidates.evidence.unit_cosine, "file_meaning": candidates.evidence.file_cosine}
        )
    if query.fusion == "rrf":
        return _by_reciprocal_ranks(candidates, lexical)
    model = "keyword" if query.mode == "keyword" or not candidates.dense.available else "hybrid"
    names = tuple(signal.name for signal in SIGNALS)
    contributions = weigh(signal_matrix(candidates.evidence), names, load_weights(model))
    return _sorted(contributions, names)


def _by_columns(columns: dict[str, NDArray[numpy.floating[Any]]]) -> Ranked:
    import numpy as np

    return _sorted(np.stack(list(columns.values()), axis=1), tuple(columns))


def _sorted(contributions: NDArray[numpy.floating[Any]], names: tuple[str, ...]) -> Ranked:
    """Sort by the sum of the contributions; candidates come sorted by path, so a stable sort settles ties."""
    import numpy as np

    totals = np.round(contributions.sum(axis=1), SCORE_DIGITS)
    order = np.argsort(-totals, kind="stable")
    return Ranked(tuple(order.tolist()), tuple(totals[order].tolist()), contributions, names)


def _by_reciprocal_ranks(candidates: Candidates, lexical: LexicalScores) -> Ranked:
    import numpy as np

    dense = candidates.dense
    columns = {
        "units": lexical.files_by_units,
        "file": lexical.files,
        "meaning": dense.units_by_file,
        "file_meaning": dense.files,
    }
    arms: dict[str, list[int]] = {}
    for name, column in columns.items():
        scores = column[candidates.rows]
        arms[name] = [at for at in np.argsort(-scores, kind="stable").tolist() if scores[at] > 0]
    contributions = np.zeros((len(candidates.files), len(columns)))
    for at, parts in reciprocal_ranks(arms).items():
        contributions[at] = [parts.get(name, 0.0) for name in columns]
    ranked = _sorted(contributions, tuple(columns))
    named = sum(score > 0 for score in ranked.scores)
    return Ranked(ranked.order[:named], ranked.scores[:named], contributions, ranked.names)
