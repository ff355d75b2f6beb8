"""Turn-level recall on LoCoMo without any LLM: one message a turn, the question as query, evidence turns as gold.

    python -m benchmarks.memory.locomo DATA.json [--embedder NAME] [--ablation] [--out FILE]

DATA.json is a list of conversations in LoCoMo's own format (snap-research/locomo, CC BY-NC 4.0: for measuring only; not part of
this repository). Per conversation a fresh store; R@k = gold turns in the top k over gold turns, mean over questions.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from codemem.embed import load_embedder
from codemem.embed.protocol import Embedder
from codemem.memory import ranking, search
from codemem.memory.remembering import add_turns
from codemem.memory.requests import MemoryQuery, Turn
from codemem.memory.stores import open_memories

EVIDENCE = re.compile(r"D:?(\d+):0*(\d+)")
CUTS = (1, 5, 10, 20)
DEPTH = 100
"""Turns read to name ten different sessions."""
CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}


def turns(conversation: dict[str, Any]) -> Iterator[Turn]:
    """Yield the turns of a conversation with what is indexed beside their text: speaker, caption, date."""
    numbers = sorted(int(key.split("_")[1]) for key in conversation if re.fullmatch(r"session_\d+", key))
    for number in numbers:
        date = conversation.get(f"session_{number}_date_time", "")
        for turn in conversation[f"session_{number}"]:
            caption = turn.get("blip_caption", "")
            yield Turn(
                turn["text"] or caption or "…",
                f"{turn['speaker']} {date}",
                caption,
                f"session_{number}",
                turn["dia_id"],
            )


def session_of(turn: str) -> str:
    """Return the session of a turn: "D3:7" -> "D3"."""
    return turn.split(":")[0]


def questions(sample: dict[str, Any], known: set[str]) -> Iterator[tuple[str, int, set[str]]]:
    for entry in sample["qa"]:
        found = {f"D{one}:{two}" for one, two in EVIDENCE.findall(" ".join(entry.get("evidence", [])))}
        gold = found & known
        if gold:
            yield entry["question"], entry.get("category", 0), gold


def measure(data: list[dict[str, Any]], embedder: Embedder | None, mode: str) -> dict[str, float]:
    """Return recall at each cut for turns and sessions, and seconds per question."""
    sums: dict[str, float] = {}
    count = 0
    seconds = 0.0
    for sample in data:
        with (
            tempfile.TemporaryDirectory() as folder,
            open_memories(Path(folder), write=True, home=Path(folder) / "home") as stores,
        ):
            said = list(turns(sample["conversation"]))
            scope = stores.scope()
            add_turns(stores, said, scope, embedder if mode != "keyword" else None)
            for question, category, gold in questions(sample, {turn.message for turn in said}):
                start = time.perf_counter()
                found = search.search_memories(stores, MemoryQuery(question, limit=DEPTH, mode=mode), scope, embedder)
                seconds += time.perf_counter() - start
                ranked = [hit.memory.source_message for hit in found.hits]
                sessions = {session_of(turn) for turn in gold}
                seen = list(dict.fromkeys(session_of(turn) for turn in ranked))
                count += 1
                for cut in CUTS:
                    _add(sums, f"R@{cut}", len(gold & set(ranked[:cut])) / len(gold))
                    _add(sums, f"session R@{cut}", len(sessions & set(seen[:cut])) / len(sessions))
                    _add(
                        sums,
                        f"sessions of R@{cut}",
                        len(sessions & {session_of(turn) for turn in ranked[:cut]}) / len(sessions),
                    )
                _add(sums, f"R@10 {CATEGORIES.get(category, category)}", len(gold & set(ranked[:10])) / len(gold))
                _add(sums, f"n {CATEGORIES.get(category, category)}", 1)
    result = {}
    for name, value in sums.items():
        kind = name.removeprefix("R@10 ")
        result[name] = value if name.startswith("n ") else value / sums.get(f"n {kind}", count)
    return {**result, "questions": count, "ms per question": 1000 * seconds / max(count, 1)}


@contextmanager
def changed(module: Any, **values: Any) -> Iterator[None]:
    """Set constants of a module for one measurement."""
    before = {name: getattr(module, name) for name in values}
    for name, value in values.items():
        setattr(module, name, value)
    try:
        yield
    finally:
        for name, value in before.items():
            setattr(module, name, value)


def _add(sums: dict[str, float], name: str, value: float) -> None:
    sums[name] = sums.get(name, 0.0) + value


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--embedder", default="static")
    parser.add_argument("--modes", default="keyword,hybrid")
    parser.add_argument("--ablation", action="store_true")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    data = json.loads(options.data.read_text("utf-8"))
    embedder = load_embedder(options.embedder) if options.modes != "keyword" else None
    rows = {mode: measure(data, embedder, mode) for mode in options.modes.split(",")}
    if options.ablation:
        with changed(ranking, NEIGHBOUR=0.0):
            rows["keyword, no neighbours"] = measure(data, None, "keyword")
        with changed(search, WEIGHTS={**search.WEIGHTS, "conversation": 0.0}):
            rows["keyword, no conversation score"] = measure(data, None, "keyword")
        with changed(ranking, NEIGHBOUR=0.0), changed(search, WEIGHTS={**search.WEIGHTS, "conversation": 0.0}):
            rows["keyword, words of the turn alone"] = measure(data, None, "keyword")
    for name, row in rows.items():
        print(
            f"{name:36s} "
            + "  ".join(
                f"{key} {row[key]:.3f}"
                for key in ("R@1", "R@5", "R@10", "R@20", "session R@10", "sessions of R@10", "ms per question")
            )
        )
        print(
            " " * 37
            + "  ".join(f"{kind} {row.get(f'R@10 {kind}', 0):.3f}" for kind in CATEGORIES.values())
            + f"  n {row['questions']}"
        )
    if options.out:
        options.out.write_text(json.dumps(rows, indent=1), "utf-8")


if __name__ == "__main__":
    main()
