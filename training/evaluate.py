"""Measure a model on the development half of the benchmark, on dialogue and on Chinese notes, dense search alone.

    python -m training.evaluate --model DIR --work DIR --benchmark DIR --judgements DIR

Code: NDCG@10, one result a file, mean over repositories: by the best unit card, by the file card, and by .65 unit + .9 file.
Dialogue (LoCoMo): recall@10 of turns. Chinese: recall@1 and mean reciprocal rank over training/chinese.jsonl.
"""

from __future__ import annotations

import argparse
import json
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from codemem.card import Card
from codemem.embed.cards import FileCard
from codemem.embed.protocol import Embedder

DEPTH = 10
UNIT_SHARE, FILE_SHARE = 0.65, 0.9
EVIDENCE = re.compile(r"D:?(\d+):0*(\d+)")


@dataclass(frozen=True, slots=True)
class Repository:
    """The cards of one repository and its questions: text, category, target paths."""

    name: str
    language: str
    paths: list[str]
    units: list[Card]
    unit_files: np.ndarray
    files: list[FileCard]
    questions: list[tuple[str, str, list[str]]]


def read_repositories(benchmark: Path, judgements: Path, work: Path) -> list[Repository]:
    """Parse the repositories of the development half, or read what an earlier run parsed into `work`/cards."""
    rows = {row["name"]: row for row in json.loads((judgements / "semble/repos.json").read_text())}
    chosen = json.loads((judgements / "split.json").read_text())["dev"]
    cache = work / "cards"
    cache.mkdir(parents=True, exist_ok=True)
    found = []
    for name in chosen:
        path = cache / f"{name}.json"
        if not path.exists():
            path.write_text(json.dumps(_parse(benchmark / name / (rows[name].get("benchmark_root") or ""))))
        data = json.loads(path.read_text())
        units = [
            Card(**{key: tuple(v) if isinstance(v, list) else v for key, v in unit.items()}) for unit in data["units"]
        ]
        files = [
            FileCard(**{key: tuple(v) if isinstance(v, list) else v for key, v in file.items()})
            for file in data["files"]
        ]
        questions = json.loads((judgements / f"semble/annotations/{name}.json").read_text())
        found.append(
            Repository(
                name,
                rows[name]["language"],
                [file.path for file in files],
                units,
                np.array(data["unit_files"], np.int64),
                files,
                [(q["query"], _category(q), _targets(q)) for q in questions],
            )
        )
    return found


def score_code(repositories: list[Repository], embedder: Embedder) -> dict[str, float]:
    """Return the mean NDCG@10 of each way to score a file, and of the sum by language and category."""
    scores: dict[str, list[float]] = {}
    for repository in repositories:
        own: dict[str, list[float]] = {}
        units, files = embedder.embed_cards(repository.units), embedder.embed_cards(repository.files)
        questions = embedder.embed_queries([text for text, _, _ in repository.questions])
        for (_, category, targets), question in zip(repository.questions, questions, strict=True):
            by_unit = np.full(len(files), -1.0)
            np.maximum.at(by_unit, repository.unit_files, units @ question)
            by_file = files @ question
            for way, values in (
                ("unit", by_unit),
                ("file", by_file),
                ("both", UNIT_SHARE * by_unit + FILE_SHARE * by_file),
            ):
                order = np.argsort(-values, kind="stable")[:DEPTH]
                gain = ndcg([repository.paths[place] for place in order], targets)
                own.setdefault(way, []).append(gain)
                if way == "both":
                    own.setdefault(f"category {category}", []).append(gain)
        for way, values in own.items():
            scores.setdefault(way, []).append(float(np.mean(values)))
        scores.setdefault(f"language {repository.language}", []).append(float(np.mean(own["both"])))
    return {way: float(np.mean(values)) for way, values in scores.items()}


def ndcg(paths: Sequence[str], targets: Sequence[str]) -> float:
    """Return the NDCG@10 of a list of paths: a target counts at the first path that ends like it."""
    ranks = {rank for target in targets if (rank := _rank(paths, target))}
    ideal = sum(1 / math.log2(rank + 1) for rank in range(1, min(DEPTH, len(targets)) + 1))
    return sum(1 / math.log2(rank + 1) for rank in ranks) / ideal


def score_dialogue(path: Path, embedder: Embedder) -> float:
    """Return the recall@10 of the turns that answer, mean over questions."""
    recalls = []
    for sample in json.loads(path.read_text()):
        turns = {}
        for key, session in sample["conversation"].items():
            if re.fullmatch(r"session_\d+", key):
                turns.update({turn["dia_id"]: _turn_text(turn) for turn in session})
        ids = list(turns)
        matrix = embedder.embed_texts(list(turns.values()))
        asked = [(q["question"], _evidence(q["evidence"], turns)) for q in sample["qa"]]
        asked = [(text, gold) for text, gold in asked if gold]
        questions = embedder.embed_prose_queries([text for text, _ in asked])
        for (_, gold), scores in zip(asked, questions @ matrix.T, strict=True):
            best = {ids[place] for place in np.argsort(-scores, kind="stable")[:DEPTH]}
            recalls.append(len(best & gold) / len(gold))
    return float(np.mean(recalls))


def score_notes(path: Path, embedder: Embedder) -> tuple[float, float]:
    """Return recall@1 and mean reciprocal rank of questions, each with one note among all."""
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    notes = embedder.embed_texts([row["note"] for row in rows])
    questions = embedder.embed_prose_queries([row["question"] for row in rows])
    scores = questions @ notes.T
    # Ties count against the model: equal vectors find nothing.
    ranks = (scores >= scores.diagonal()[:, None]).sum(axis=1)
    return float((ranks == 1).mean()), float((1 / ranks).mean())


def _parse(root: Path) -> dict[str, Any]:
    """Walk and parse one repository and build the cards as indexing does, calls kept when the repository defines them."""
    from dataclasses import asdict

    from codemem.card import interface_card
    from codemem.embed.cards import file_card
    from codemem.languages import detect_language
    from codemem.parse import parse_file
    from codemem.roles import is_test
    from codemem.settings import Settings
    from codemem.types import SourceFile
    from codemem.walk import walk

    parsed = []
    for entry in walk(root, Settings()).files:
        text = (root / entry.path).read_text("utf-8", "replace").replace("\r\n", "\n")
        parsed.append(parse_file(SourceFile(entry.path, detect_language(entry.path, text), text, "")))
    defined = {chunk.name for file in parsed for chunk in file.chunks}
    units, owners = [], []
    for number, file in enumerate(parsed):
        for chunk in file.chunks:
            if chunk.part == 0 and not is_test(file.path):
                calls = tuple(call for call in chunk.calls if call.callee in defined)
                units.append(asdict(interface_card(chunk, calls, chunk.contract)))
                owners.append(number)
    return {"units": units, "unit_files": owners, "files": [asdict(file_card(file)) for file in parsed]}


def _category(question: dict[str, Any]) -> str:
    text = question["query"].strip()
    if question.get("category"):
        return str(question["category"])
    return "symbol" if " " not in text else "architecture" if text.lower().startswith("how ") else "semantic"


def _targets(question: dict[str, Any]) -> list[str]:
    both = question.get("relevant", []) + question.get("secondary", [])
    return [target if isinstance(target, str) else target["path"] for target in both]


def _rank(paths: Sequence[str], target: str) -> int:
    for rank, path in enumerate(paths, 1):
        if path == target or path.endswith("/" + target) or target.endswith("/" + path):
            return rank
    return 0


def _turn_text(turn: dict[str, str]) -> str:
    return f"{turn['speaker']}: {turn['text']} {turn.get('blip_caption', '')}"


def _evidence(listed: Sequence[str], turns: dict[str, str]) -> set[str]:
    found = {f"D{a}:{int(b)}" for text in listed for a, b in EVIDENCE.findall(text)}
    return {turn for turn in found if turn in turns}


def report(name: str, embedder: Embedder, arguments: argparse.Namespace, say: Callable[[str], None] = print) -> None:
    """Print all measures of one model."""
    repositories = read_repositories(arguments.benchmark, arguments.judgements, arguments.work)
    repositories.sort(key=lambda repository: len(repository.units))
    code = score_code(repositories[: arguments.smallest or None], embedder)
    say(f"{name}: " + "  ".join(f"{way} {value:.4f}" for way, value in code.items() if not way.startswith("language")))
    if arguments.languages:
        say("  ".join(f"{way[9:]} {value:.3f}" for way, value in sorted(code.items()) if way.startswith("language")))
    dialogue = score_dialogue(arguments.judgements / "locomo_dev.json", embedder)
    first, reciprocal = score_notes(Path(__file__).parent / "chinese.jsonl", embedder)
    say(f"{name}: dialogue recall@10 {dialogue:.4f}  Chinese recall@1 {first:.3f} MRR {reciprocal:.3f}")


def parse_arguments(description: str | None, *parents: argparse.ArgumentParser) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=description, parents=parents)
    parser.add_argument("--model", type=Path)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--benchmark", type=Path, required=True)
    parser.add_argument("--judgements", type=Path, required=True)
    parser.add_argument(
        "--smallest", type=int, default=0, help="measure only so many repositories, those with the fewest cards"
    )
    parser.add_argument("--languages", action="store_true", help="print the score of each language too")
    return parser.parse_args()


def main() -> None:
    from codemem.embed.static import MODEL_FOLDER, read_model

    arguments = parse_arguments(__doc__)
    folder = arguments.model or MODEL_FOLDER
    report(folder.name, read_model(folder), arguments)


if __name__ == "__main__":
    main()
