"""Ask in other languages: `python -m benchmarks.quality.judged.foreign.run FOLDER [--misses]`; FOLDER as lay_out.py leaves it.

NDCG@10 by language, by kind and by half: the half that is `held` is never looked into while words are added, `--misses` hides it.
Translated questions are asked in English as well, so that the English figure is what there was to reach.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

from benchmarks.quality.cases import DEPTH, DISCOUNTS
from codemem.retrieval import Session, search
from codemem.store import Store, open_store
from codemem.types import Query

HERE = Path(__file__).parent


class Asked(NamedTuple):
    """A question with the files that answer it; `original` is its English twin, '' where it has none."""

    repository: str
    language: str
    category: str
    held: bool
    query: str
    relevant: list[str]
    secondary: list[str]
    original: str = ""


def read_asked(name: str) -> list[Asked]:
    """Read `asked` or `translated`."""
    return [Asked(**json.loads(line)) for line in (HERE / f"{name}.jsonl").read_text("utf-8").splitlines()]


def ndcg(paths: list[str], one: Asked) -> float:
    """Return NDCG@10 of files in order; a secondary file may stand for a relevant one."""
    right = [at for at, path in enumerate(paths[:DEPTH]) if path in one.relevant or path in one.secondary]
    wanted = min(len(one.relevant), DEPTH)
    return float(DISCOUNTS[right[:wanted]].sum() / DISCOUNTS[:wanted].sum())


def asker(folder: Path) -> Callable[[str, str], list[str]]:
    """Return a function from repository and question to the files found, best first, each once."""
    session = Session()

    @cache
    def opened(repository: str) -> Store:
        return open_store(folder / repository / ".codemem" / "codemem.db")

    def ask(repository: str, text: str) -> list[str]:
        hits = search(opened(repository), Query(text, 4 * DEPTH), session).hits
        return list(dict.fromkeys(hit.chunk.path for hit in hits))[:DEPTH]

    return ask


def mean(values: Iterable[float]) -> float:
    """Return NaN for no values."""
    known = list(values)
    return sum(known) / len(known) if known else float("nan")


def table(asked: list[Asked], scores: list[float], key: str) -> str:
    """Return `name half figure` of each value of `key`."""
    rows = []
    for name in dict.fromkeys(getattr(one, key) for one in asked):
        chosen = [(one.held, score) for one, score in zip(asked, scores, strict=True) if getattr(one, key) == name]
        first, held = (mean(score for half, score in chosen if half is which) for which in (False, True))
        rows.append(f"  {name:<14} {len(chosen):>4}  {first:.3f}  {held:.3f}  {mean(score for _, score in chosen):.3f}")
    return "\n".join(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--misses", action="store_true", help="list what of the first half does not come first")
    options = parser.parse_args()
    ask = asker(options.folder)
    print("                 all  first   held  mean")
    for name in ("asked", "translated"):
        asked = read_asked(name)
        found = [ask(one.repository, one.query) for one in asked]
        scores = [ndcg(paths, one) for paths, one in zip(found, asked, strict=True)]
        whole = [one._replace(language="all") for one in asked]
        print(name, table(whole, scores, "language"), table(asked, scores, "language"), sep="\n")
        if name == "asked":
            print(table(asked, scores, "category"))
        else:
            english = [ndcg(ask(one.repository, one.original), one) for one in asked]
            print("in English", table(whole, english, "language"), sep="\n")
            print(f"  translated / English {mean(scores) / mean(english):.3f}")
        if options.misses:
            for one, score, paths in zip(asked, scores, found, strict=True):
                if score < 1 and not one.held:
                    print(
                        f"{score:.2f} {one.language} {one.repository}: {one.query} -> {one.relevant[0]} | {paths[:2]}"
                    )


if __name__ == "__main__":
    main()
