"""Run the whole recipe: python -m training CLONES WORK WORDNET ENCODER [--benchmark DIR]

Each step is a process of its own (and so gives its memory back); extraction runs as two. A step whose result is there is
not repeated by extraction only: delete WORK/pairs to begin anew.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

TARGET = Path(__file__).parents[1] / "codemem" / "embed" / "static_model"
EXTRACTING = 2
"""Processes that extract pairs: the cores that the recipe is timed on."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clones", type=Path, help="bare clones, owner+name/repo")
    parser.add_argument("work", type=Path, help="everything that arises on the way")
    parser.add_argument("wordnet", type=Path, help="the folder with WordNet's data.noun and so on")
    parser.add_argument("encoder", type=Path, help="the folder of all-MiniLM-L6-v2")
    parser.add_argument("--benchmark", type=Path, help="repositories whose text must not be learned")
    given = parser.parse_args()
    work = ["--work", str(given.work)]
    extraction = [
        _start("extract", "--clones", str(given.clones), *work, "--part", f"{part}/{EXTRACTING}")
        for part in range(EXTRACTING)
    ]
    for process in extraction:
        _finish(process)
    prepare = ["--wordnet", str(given.wordnet), "--wordpieces", str(given.encoder / "vocab.txt")]
    _finish(_start("prepare", *work, *prepare, *(["--benchmark", str(given.benchmark)] if given.benchmark else [])))
    _finish(_start("initial", *work, "--encoder", str(given.encoder)))
    _finish(_start("train", *work, "--threads", "2"))
    _finish(_start("export", *work, "--target", str(TARGET)))


def _start(step: str, *arguments: str) -> subprocess.Popen[bytes]:
    print(f"-- {step}", flush=True)
    return subprocess.Popen([sys.executable, "-m", f"training.{step}", *arguments])


def _finish(process: subprocess.Popen[bytes]) -> None:
    if process.wait():
        sys.exit(f"failed: {' '.join(map(str, process.args))}")  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
