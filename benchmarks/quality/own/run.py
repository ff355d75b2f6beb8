"""Index and evaluate the packages: `python -m benchmarks.quality.own.run FOLDER [--without PART …] [--save RUN] [--compare RUN]`.

`--without` leaves a part of what a card says about calls and errors out, so that its worth shows:
`relations` (the field of BM25), `facts` (raises, handles and calls as signals, nominations and spans; at query time),
`vectors` (calls and errors in the text that is embedded; indexes a copy of its own).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

from benchmarks.quality.own.fetch import Package, fetch, read_packages
from codemem.evaluation import Score, compare, read_questions, read_run, run_document, score_answer, summarize
from codemem.indexing import refresh
from codemem.question import Question
from codemem.render.evaluation import comparison_text, summaries_text
from codemem.retrieval import Session, search
from codemem.retrieval import view as retrieval_view
from codemem.retrieval.facts import Facts, find_facts
from codemem.settings import Settings
from codemem.store import Store, open_store, store_path
from codemem.types import Fusion, Mode, Query

DEPTH = 50
"""Hits per question, as `codemem eval` takes them."""
PARTS = ("relations", "facts", "vectors")
PLAIN = "without-vectors"
"""Folder of the copies whose vectors know no calls and no errors."""


@contextmanager
def without(parts: tuple[str, ...]) -> Iterator[None]:
    """Leave parts of the card out while the block runs."""
    with ExitStack() as stack:
        if "relations" in parts:
            weighting = retrieval_view.UNIT_WEIGHTING
            blind = weighting._replace(weights={**weighting.weights, "relations": 0.0})
            stack.enter_context(patch("codemem.retrieval.view.UNIT_WEIGHTING", blind))
        if "facts" in parts:
            stack.enter_context(patch("codemem.retrieval.candidates.find_facts", _frames_only))
        if "vectors" in parts:
            stack.enter_context(patch("codemem.embed.cards.EMBEDDED_CALLS", 0))
            stack.enter_context(patch("codemem.embed.cards.EMBEDDED_ERRORS", 0))
        yield


def _frames_only(store: Store, question: Question, addressed: list[int]) -> Facts:
    """Stack frames are no part of a card: they stay."""
    silent = question._replace(wants_raisers=False, wants_handlers=False, wants_callers=False)
    return find_facts(store, silent, addressed) if question.frames else Facts()


def evaluate(package: Package, root: Path, mode: Mode, fusion: Fusion) -> list[Score]:
    """Bring the package's index up to date and ask its questions."""
    refresh(root, Settings(jobs=1))
    session = Session()
    questions = read_questions(package.questions.read_text("utf-8"))
    with open_store(store_path(root)) as store:
        return [
            score_answer(one, search(store, Query(one.question, DEPTH, mode=mode, fusion=fusion), session).hits)
            for one in questions
        ]


def misses(scores: list[Score], package: Package) -> list[str]:
    """Name the questions whose first right answer is not the first hit, with all ranks."""
    return [
        f"{','.join(str(rank) if rank else '-' for rank in score.ranks):<8} {score.category:<14} {package.name}: "
        + " ".join(score.question.split())
        for score in scores
        if 1 not in score.ranks
    ]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where fetch.py put the sources")
    parser.add_argument("--without", nargs="+", choices=PARTS, default=[], metavar="PART")
    parser.add_argument("--only", nargs="+", default=[], metavar="PACKAGE")
    parser.add_argument("--mode", choices=("hybrid", "keyword", "vector"), default="hybrid")
    parser.add_argument("--fusion", choices=("ranked", "rrf"), default="ranked")
    parser.add_argument("--misses", action="store_true", help="list what does not come first")
    parser.add_argument("--save", type=Path, metavar="RUN")
    parser.add_argument("--compare", type=Path, metavar="RUN")
    return parser.parse_args()


def main() -> None:
    """Evaluate all packages and print the means by kind and by language."""
    options = _options()
    folder = options.folder / PLAIN if "vectors" in options.without else options.folder
    scores: list[Score] = []
    with without(tuple(options.without)):
        for package in read_packages():
            if options.only and package.name not in options.only:
                continue
            found = evaluate(package, fetch(package, folder), options.mode, options.fusion)
            scores += [replace(score, question=f"{package.name}: {score.question}") for score in found]
            if options.misses:
                print("\n".join(misses(found, package)), flush=True)
    print(summaries_text((*summarize(scores), *summarize(scores, "category"), *summarize(scores, "language"))))
    if options.save:
        facts: dict[str, object] = {"mode": options.mode, "fusion": options.fusion, "without": options.without}
        options.save.write_text(json.dumps(run_document(scores, facts), ensure_ascii=False) + "\n", "utf-8")
    if options.compare:
        print("\n" + comparison_text(compare(read_run(options.compare.read_text("utf-8")), scores)))


if __name__ == "__main__":
    main()
