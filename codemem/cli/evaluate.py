"""`codemem eval`: quality of search on one's own questions, against a saved run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from codemem.cli import NOTHING
from codemem.cli.door import Door, Repository, find_repository, open_index, print_json, print_text, say
from codemem.cli.version import version_line
from codemem.errors import BadInput
from codemem.types import Fusion, Mode, Query

if TYPE_CHECKING:
    from codemem.evaluation import EvalQuestion, Score

DEPTH = 50
"""Hits per question: deep enough for the measure of tokens until the first right one."""
TOLERATED = 0.0
Questions = Annotated[
    Path,
    typer.Argument(metavar="FILE", help='Lines of {"question": …, "relevant": [paths or symbols], "category": …}.'),
]


def evaluate(
    context: typer.Context,
    file: Questions,
    mode: Annotated[Mode, typer.Option(help="Which arms answer.")] = "hybrid",
    fusion: Annotated[Fusion, typer.Option(help="How the arms are joined.")] = "ranked",
    save: Annotated[
        Path | None, typer.Option("--save", metavar="RUN", help="Keep this run, to compare with later.")
    ] = None,
    compare: Annotated[
        Path | None, typer.Option("--compare", metavar="RUN", help="Compare with a kept run; exit 1 when worse.")
    ] = None,
    tolerate: Annotated[
        float, typer.Option("--tolerate", min=0.0, metavar="X", help="Loss of NDCG@10 that is no failure.")
    ] = TOLERATED,
) -> None:
    """Measure the quality of search on your own questions."""
    from codemem.evaluation import compare as compared
    from codemem.evaluation import passes_gate, read_questions, read_run, run_document, summarize
    from codemem.render.evaluation import comparison_text, evaluation_document, summaries_text

    door: Door = context.obj
    repository = find_repository(door)
    questions = read_questions(_text_of(file))
    before = read_run(_text_of(compare)) if compare is not None else None
    scores = _answer_all(repository, questions, mode, fusion)
    groups = (*summarize(scores), *(summarize(scores, "category") if any(score.category for score in scores) else ()))
    comparison = compared(before, scores) if before is not None else None
    if save is not None:
        facts: dict[str, object] = {
            "version": version_line(),
            "mode": mode,
            "fusion": fusion,
            "embedder": repository.settings.embedder,
        }
        save.write_text(json.dumps(run_document(scores, facts), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        say(door, f"saved to {save}")
    if door.json:
        print_json(evaluation_document(groups, scores, comparison))
    else:
        print_text(summaries_text(groups) + ("\n\n" + comparison_text(comparison) if comparison else ""))
    if comparison is not None and not passes_gate(comparison, tolerate):
        say(door, "worse than the kept run")
        raise typer.Exit(NOTHING)


def _answer_all(repository: Repository, questions: tuple[EvalQuestion, ...], mode: Mode, fusion: Fusion) -> list[Score]:
    from codemem.evaluation import score_answer
    from codemem.retrieval import Session, search
    from codemem.store.faults import translated

    session = Session()
    with open_index(repository) as store, translated(store.path):
        return [
            score_answer(
                question, search(store, Query(question.question, DEPTH, mode=mode, fusion=fusion), session).hits
            )
            for question in questions
        ]


def _text_of(file: Path) -> str:
    try:
        return file.read_text("utf-8-sig")
    except OSError as error:
        raise BadInput(f"cannot read {file}: {error.strerror or error}", "name a UTF-8 text file") from error
    except UnicodeDecodeError as error:
        raise BadInput(f"cannot read {file}: it is not UTF-8", "name a UTF-8 text file") from error
