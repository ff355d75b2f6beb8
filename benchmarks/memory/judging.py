"""How the judge does on pairs by kind: `python -m benchmarks.memory.judging PAIRS.tsv ... [--half first|second] [--show]`.

A row is: verdicts that are right (the first is the best, others behind `|` do no harm), kind, older statement, newer statement.
`--half` takes every other row, so that one half can be read for mending while the other is only scored.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from codemem.embed import load_embedder
from codemem.judge import judge

NAMES = {"same_fact": "same", "update_old": "update", "conflict": "conflict", "unrelated": "unrelated"}
HARMS = {
    "false merge": lambda right, found: found == "same" and "same" not in right,
    "false supersede": lambda right, found: found == "update" and "update" not in right,
    "false conflict": lambda right, found: found == "conflict" and "conflict" not in right,
    "missed supersede": lambda right, found: found == "unrelated" and right[0] == "update" and "unrelated" not in right,
    "missed conflict": lambda right, found: found == "unrelated" and right[0] == "conflict" and found not in right,
    "missed same": lambda right, found: found == "unrelated" and right[0] == "same",
}
"""What goes wrong, the worst first: a merge or a supersede hides what was said, the others leave two rows."""


class Pair(NamedTuple):
    right: tuple[str, ...]
    kind: str
    older: str
    newer: str


def read_pairs(path: Path, half: str = "both") -> list[Pair]:
    rows = [
        line.split("\t") for line in path.read_text("utf-8").splitlines() if line and not line.startswith("verdict\t")
    ]
    chosen = rows if half == "both" else rows[half == "second" :: 2]
    return [Pair(tuple(verdicts.split("|")), kind, older, newer) for verdicts, kind, older, newer in chosen]


def judged(pairs: list[Pair], model: str) -> list[tuple[str, str, float | None]]:
    """Return the verdict, the rule and the cosine of each pair; no model, no cosine."""
    cosines: list[float | None] = [None] * len(pairs)
    if model:
        matrix = load_embedder(model).embed_texts([text for pair in pairs for text in (pair.older, pair.newer)])
        cosines = [float(one) for one in (matrix[::2] * matrix[1::2]).sum(axis=1)]
    found = [judge(pair.older, pair.newer, cosine) for pair, cosine in zip(pairs, cosines, strict=True)]
    return [(NAMES[one.verdict], one.rule, cosine) for one, cosine in zip(found, cosines, strict=True)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--half", choices=("first", "second", "both"), default="both")
    parser.add_argument("--model", default="static", help="'' for no cosine")
    parser.add_argument("--show", action="store_true", help="list what is wrong; not for a half that is held back")
    options = parser.parse_args()
    for path in options.files:
        pairs = read_pairs(path, options.half)
        verdicts = judged(pairs, options.model)
        best = sum(found == pair.right[0] for pair, (found, _, _) in zip(pairs, verdicts, strict=True))
        harmless = sum(found in pair.right for pair, (found, _, _) in zip(pairs, verdicts, strict=True))
        harms = Counter(
            name
            for pair, (found, _, _) in zip(pairs, verdicts, strict=True)
            for name, is_harm in HARMS.items()
            if is_harm(pair.right, found)
        )
        shares = f"best {best / len(pairs):.2f}, right {harmless / len(pairs):.2f}"
        told = ", ".join(f"{harms[name]} {name}" for name in HARMS)
        print(f"{path.name} {options.half}: {len(pairs)} pairs, {shares}; {told}")
        if options.show:
            for pair, (found, rule, cosine) in zip(pairs, verdicts, strict=True):
                if found not in pair.right:
                    shown = "-" if cosine is None else f"{cosine:.2f}"
                    print(
                        f"  {pair.kind}: {'|'.join(pair.right)}, got {found} ({rule}, {shown}): {pair.older} / {pair.newer}"
                    )


if __name__ == "__main__":
    main()
