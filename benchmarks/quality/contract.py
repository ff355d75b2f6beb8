"""Questions that the public benchmark lacks, made from Python packages by a written rule, with answers from Python's own parser.

    python -m benchmarks.quality.contract --packages FOLDER… --out FILE       make them
    python -m benchmarks.quality.contract --packages FOLDER… --ask [--mode …]     index them and answer

The rule. A question is made only when one to three functions are right, and an answer counts only if its span is right:
  raises        "what raises X"            functions with `raise X(…)`, X a class of the package
  handles       "where is X handled"       functions with `except X`
  calls         "who calls f"              functions that call f; f is defined once in the package and has a telling name
  symptom       the text of a raise        the message as a user sees it, placeholders filled in; the function that raises it
  configuration "which code reads KEY"     functions that read an environment variable
  span          the first documentation sentence of a function longer than five words; its own lines
Questions of a kind are taken in the order of a hash of their text, at most MOST_OF_A_KIND from a package.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import re
import shutil
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from codemem.evaluation import EvalQuestion, Score, Target, score_answer, summarize
from codemem.indexing import refresh
from codemem.retrieval import Session, candidates, description, search, view
from codemem.retrieval.facts import Facts
from codemem.retrieval.letter import Letter
from codemem.settings import Settings
from codemem.store import open_store, store_path
from codemem.types import Query

MOST_ANSWERS = 3
MOST_OF_A_KIND = 12
LEAST_NAME = 7
"""Letters of a function that "who calls" asks about: shorter names are everybody's."""
LEAST_WORDS = 5
Place = tuple[str, int, int]


class Reader(ast.NodeVisitor):
    """Collects, per kind and subject, the functions of one file that answer."""

    def __init__(self, path: str, found: dict[str, dict[str, set[Place]]], defined: dict[str, int]) -> None:
        self.path = path
        self.found = found
        self.defined = defined
        self.around: list[ast.FunctionDef | ast.AsyncFunctionDef] = []

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self.defined[node.name] += 1
        self.around.append(node)
        sentence = " ".join((ast.get_docstring(node) or "").split("\n\n")[0].split()).rstrip(".")
        if len(sentence.split()) > LEAST_WORDS and len(sentence) < 160:
            self.keep("span", sentence)
        self.generic_visit(node)
        self.around.pop()

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Raise(self, node: ast.Raise) -> None:
        thrown = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        if thrown is not None and (name := last_name(thrown)):
            self.keep("raises", name)
            if isinstance(node.exc, ast.Call) and node.exc.args and (text := message(node.exc.args[0])):
                self.keep("symptom", text)
        self.generic_visit(node)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        types = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type] if node.type else []
        for one in types:
            self.keep("handles", last_name(one))
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        name, first = last_name(node.func), node.args[0] if node.args else None
        self.keep("calls", name)
        reads = name == "getenv" or (name == "get" and "environ" in ast.dump(node.func))
        if reads and isinstance(first, ast.Constant) and isinstance(first.value, str):
            self.keep("configuration", first.value)
        self.generic_visit(node)

    def keep(self, kind: str, subject: str) -> None:
        if subject and self.around:
            function = self.around[-1]
            first = min([function.lineno, *(one.lineno for one in function.decorator_list)])
            self.found[kind][subject].add((self.path, first, function.end_lineno or function.lineno))


def last_name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def message(node: ast.expr) -> str:
    """Return the text of a message with a filled-in value for every placeholder, or nothing when it is too short."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        text = re.sub(r"%[sdr]|\{[^}]*\}", "widget7", node.value)
    elif isinstance(node, ast.JoinedStr):
        text = "".join(str(part.value) if isinstance(part, ast.Constant) else "widget7" for part in node.values)
    else:
        return ""
    text = " ".join(text.split())
    return text if len(text.split()) > LEAST_WORDS and len(text) < 200 else ""


def questions(package: Path) -> Iterator[EvalQuestion]:
    """Make the questions of one package."""
    found: dict[str, dict[str, set[Place]]] = defaultdict(lambda: defaultdict(set))
    defined: dict[str, int] = defaultdict(int)
    classes: set[str] = set()
    for path in sorted(package.rglob("*.py")):
        tree = ast.parse(path.read_text("utf-8", "replace"))
        classes |= {node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
        Reader(path.relative_to(package).as_posix(), found, defined).visit(tree)
    wording = {
        "raises": "what raises {}", "handles": "where is {} handled", "calls": "who calls {}",
        "configuration": "which code reads {}", "symptom": "{}", "span": "{}",
    }  # fmt: skip
    for kind, form in wording.items():
        rows = []
        for subject, places in found[kind].items():
            own = subject in classes if kind in ("raises", "handles") else True
            telling = kind != "calls" or (defined[subject] == 1 and len(subject) >= LEAST_NAME)
            if own and telling and len(places) <= MOST_ANSWERS:
                targets = tuple(Target(path, "", first, last) for path, first, last in sorted(places))
                rows.append(EvalQuestion(form.format(subject), targets, kind))
        yield from sorted(rows, key=lambda row: hashlib.sha256(row.question.encode()).digest())[:MOST_OF_A_KIND]


def answer(package: Path, mode: str) -> list[Score]:
    """Index a copy of the package and answer its questions."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / package.name
        shutil.copytree(package, root, ignore=shutil.ignore_patterns("*.so", "*.pyc", "__pycache__"))
        refresh(root, Settings())
        session = Session()
        with open_store(store_path(root)) as store:
            return [
                replace(
                    score_answer(one, search(store, Query(one.question, mode=mode), session).hits),
                    language=package.name,
                )  # type: ignore[arg-type]
                for one in questions(root)
            ]


def leave_out(parts: list[str]) -> None:
    """Switch parts of the retrieval off: facts (who raises, handles, calls), calls and contract as words, the letter."""
    if "facts" in parts:
        candidates.find_facts = lambda *_: Facts()
    if "relations" in parts:
        view.UNIT_WEIGHTING.weights["relations"] = 0.0
    if "letter" in parts:
        description.find_letter = lambda *known: Letter(np.zeros(len(known[-2])), np.zeros(len(known[-2])))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--packages", type=Path, nargs="+", required=True)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--ask", action="store_true")
    parser.add_argument("--mode", default="hybrid")
    parser.add_argument(
        "--without", nargs="*", default=[], choices=["facts", "relations", "letter"], help="for ablation"
    )
    options = parser.parse_args()
    if options.out:
        with options.out.open("w", encoding="utf-8") as out:
            for package in options.packages:
                for one in questions(package):
                    relevant = [
                        {"path": t.path, "start_line": t.start_line, "end_line": t.end_line} for t in one.relevant
                    ]
                    row = {
                        "question": one.question,
                        "relevant": relevant,
                        "category": one.category,
                        "repo": package.name,
                    }
                    out.write(json.dumps(row) + "\n")
    leave_out(options.without)
    if options.ask:
        scores = [score for package in options.packages for score in answer(package, options.mode)]
        for key in ("", "category", "language"):
            for row in summarize(scores, key):
                print(
                    f"{row.group:<16}{row.questions:>5}  NDCG@10 {row.ndcg:.3f} [{row.low:.3f}, {row.high:.3f}]"
                    f"  recall@1 {row.recall_1:.3f}  recall@10 {row.recall_10:.3f}  MRR {row.mrr:.3f}"
                    f"  tokens {row.tokens:.0f}"
                )
        for score in scores:
            if not any(score.ranks):
                print("missed:", score.category, "|", score.question[:90])


if __name__ == "__main__":
    main()
