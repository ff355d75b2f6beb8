"""Lists for the cross-encoder: a question, the right file and the files that our own search ranks beside it.

python -m training.rerank_lists learned --work WORK --clones DIR [--part 0/2]   # from repositories.toml, into WORK/lists
python -m training.rerank_lists judged  --work WORK --questions DIR --trees DIR # {"name", "questions": [{"query", "relevant"}]}
python -m training.rerank_lists bench   --work WORK --bench DIR --stores DIR    # the development half
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.quality.cases import load_evaluator
from codemem.card import Card, card_text
from codemem.errors import CodememError
from codemem.indexing import refresh
from codemem.question import read_question
from codemem.retrieval.candidates import gather
from codemem.retrieval.dense import DenseArm, open_arm
from codemem.retrieval.judging import JUDGED, best_cards
from codemem.retrieval.pipeline import rank
from codemem.retrieval.view import View, open_view, score_question
from codemem.settings import Settings
from codemem.signals import signal_matrix
from codemem.store import Store, open_store
from codemem.types import Query
from training.clones import git_folder
from training.extract import repositories
from training.rerank_questions import questions_of

FILES = range(60, 1000)
"""Tracked files of a repository that is learned from: smaller ones have no rivals, larger ones take minutes to index."""
LEARNED_DEPTH = 16
"""Candidates kept of a learned question: beyond them nothing is hard."""
QUESTIONS = 260
"""Learned from one repository at most, so that forty of them count alike."""
FILE_SYMBOLS = 40
HEAD_CHARACTERS = 300


@dataclass(frozen=True, slots=True)
class Asked:
    """A question and what says whether a path answers it; `said` is text that no card of the list may show."""

    kind: str
    query: str
    right: Callable[[str], bool]
    said: str = ""
    wanted: int = 1
    """Files that answer it, for the best order that is possible."""


def write_lists(
    path: Path, repo: str, language: str, store: Store, asked: Iterable[Asked], depth: int, signals: bool
) -> int:
    """Write one line a question under a temporary name, then rename; return how many."""
    temporary = path.with_suffix(".tmp")
    view, arm, about = open_view(store), open_arm(store, None), _file_texts(store)
    count = 0
    with temporary.open("w", encoding="utf-8") as stream:
        for one in asked:
            row = _list_of(store, view, arm, about, one, depth, signals)
            if row:
                count += 1
                text = json.dumps({"repo": repo, "language": language, **row}, ensure_ascii=False)
                stream.write(text.encode("utf-8", "replace").decode("utf-8") + "\n")
    temporary.replace(path)
    return count


def _list_of(
    store: Store, view: View, arm: DenseArm, about: dict[str, tuple[str, str]], one: Asked, depth: int, signals: bool
) -> dict[str, Any] | None:
    """Search as the product does and describe the best candidates; None when none answers and nothing is measured."""
    try:
        question = read_question(one.query)
    except CodememError:
        return None
    lexical = score_question(store, view, question)
    candidates = gather(store, view, question, lexical, arm)
    ranked = rank(Query(one.query), candidates, lexical)
    scores = dict(zip(ranked.order, ranked.scores, strict=True))
    rows = []
    for at, card in best_cards(store, view, lexical, candidates, ranked, depth):
        symbols, head = about[card.path]
        rows.append(
            {
                "card": card._asdict(), "symbols": symbols, "head": head, "fused": scores[at], "at": at,
                "right": one.right(card.path),
            }
        )  # fmt: skip
    row: dict[str, Any] = {
        "kind": one.kind,
        "query": one.query,
        "said": one.said,
        "wanted": one.wanted,
        "symbol": bool(question.symbol),
    }
    if signals:
        paths = [file.path for file in candidates.files]
        row |= {"signals": signal_matrix(candidates.evidence).round(6).tolist(), "paths": paths}
    elif not any(found["right"] for found in rows) or len(rows) < 2:
        return None
    return {**row, "candidates": rows}


def _file_texts(store: Store) -> dict[str, tuple[str, str]]:
    """Return, by path, the names that a file defines, outermost first, and its leading documentation."""
    names: dict[str, dict[str, None]] = {}
    query = (
        "SELECT path, name FROM chunk JOIN file ON file.id = file_id WHERE part = 0 AND name != '' "
        "AND kind NOT IN ('lines', 'section') ORDER BY path, parent != '', start_line"
    )
    for path, name in store.connection.execute(query):
        names.setdefault(path, {}).setdefault(name)
    heads = store.connection.execute("SELECT path, doc FROM file")
    return {path: (" ".join(list(names.get(path, ()))[:FILE_SYMBOLS]), doc[:HEAD_CHARACTERS]) for path, doc in heads}


def learned(clones: Path, work: Path, part: int, parts: int) -> None:
    """Lay out, index and ask every repository of fitting size; what is there already is not repeated."""
    rows = [row for row in repositories() if row["use"] == "code"]
    random.Random(0).shuffle(rows)
    (work / "lists").mkdir(parents=True, exist_ok=True)
    for row in rows[part::parts]:
        name, git = row["name"].replace("/", "+"), git_folder(clones, row["name"])
        target = work / "lists" / f"{name}.jsonl"
        if target.exists() or _tracked(git, row["commit"]) not in FILES:
            continue
        tree = work / "trees" / name
        if not _lay_out(git, row["commit"], tree):
            print(row["name"], "is no whole clone", flush=True)
            continue
        refresh(tree, Settings(jobs=1))
        with open_store(tree / ".codemem" / "codemem.db") as store:
            chosen = list(questions_of(store, git, row["commit"], random.Random(name)))
            random.Random(name).shuffle(chosen)
            asked = (Asked(one.kind, one.query, one.path.__eq__, one.said) for one in chosen[:QUESTIONS])
            count = write_lists(target, row["name"], "", store, asked, LEARNED_DEPTH, signals=False)
        print(row["name"], count, flush=True)


def _tracked(git: Path, commit: str) -> int:
    listed = subprocess.run(["git", "--git-dir", git, "ls-tree", "-r", "--name-only", commit], capture_output=True)
    return listed.stdout.count(b"\n")


def _lay_out(git: Path, commit: str, tree: Path) -> bool:
    """Write the commit's files; False when the clone lacks some."""
    if tree.exists():
        return True
    archive = subprocess.run(["git", "--git-dir", git, "archive", commit], capture_output=True)
    if archive.returncode:
        return False
    tree.mkdir(parents=True)
    subprocess.run(["tar", "-x", "-C", tree], input=archive.stdout, check=True)
    return True


def judged(questions: Path, trees: Path, work: Path) -> None:
    """Ask the judged questions; TREES/<name> holds the tree, its index is built where it stands."""
    (work / "judged").mkdir(parents=True, exist_ok=True)
    for path in sorted(questions.glob("*.json")):
        document = json.loads(path.read_text("utf-8"))
        tree = trees / document["name"]
        refresh(tree, Settings(jobs=1))
        with open_store(tree / ".codemem" / "codemem.db") as store:
            asked = [
                Asked(one["category"], one["query"], files.__contains__, wanted=len(files))
                for one in document["questions"]
                for files in [{*one["relevant"], *one.get("secondary", ())}]
            ]
            target = work / "judged" / f"{document['name']}.jsonl"
            count = write_lists(target, document["name"], document["language"], store, asked, JUDGED, signals=True)
        print(document["name"], count, flush=True)


def bench(folder: Path, stores: Path, work: Path) -> None:
    """Ask the questions of the development half."""
    (work / "bench").mkdir(parents=True, exist_ok=True)
    evaluator = load_evaluator(folder)
    queries = evaluator.load_queries("dev")
    roots = {
        row["name"]: row.get("benchmark_root") or "" for row in json.loads((folder / "semble/repos.json").read_text())
    }

    def judge(prefix: str, targets: list[Any]) -> Callable[[str], bool]:
        return lambda path: any(evaluator.covers(prefix + path, None, None, target) for target in targets)

    for name in sorted({query["repo"] for query in queries}):
        prefix = roots[name] + "/" if roots[name] else ""
        mine = [query for query in queries if query["repo"] == name]
        asked = [
            Asked(one["category"], one["query"], judge(prefix, one["targets"]), wanted=len(one["targets"]))
            for one in mine
        ]
        with open_store(stores / name / ".codemem" / "codemem.db") as store:
            target = work / "bench" / f"{name}.jsonl"
            print(name, write_lists(target, name, mine[0]["language"], store, asked, JUDGED, signals=True), flush=True)


def text_of(candidate: dict[str, Any]) -> str:
    """Return the text that the product would give to judge: the card of the span that is shown."""
    fields: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in candidate["card"].items()
    }
    return card_text(Card(**fields))


def read_lists(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield the lists of a folder, repository by repository."""
    for path in sorted(folder.glob("*.jsonl")):
        with path.open(encoding="utf-8") as stream:
            yield from map(json.loads, stream)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", choices=["learned", "judged", "bench"])
    for name in ("clones", "work", "questions", "trees", "bench", "stores"):
        parser.add_argument(f"--{name}", type=Path)
    parser.add_argument("--part", default="0/1")
    given = parser.parse_args()
    if given.source == "learned":
        learned(given.clones, given.work, *map(int, given.part.split("/")))
    elif given.source == "judged":
        judged(given.questions, given.trees, given.work)
    else:
        bench(given.bench, given.stores, given.work)


if __name__ == "__main__":
    main()
