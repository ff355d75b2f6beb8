"""Learn the weights of the signals from questions with known answers, and say how well they carry over.

    python -m benchmarks.quality.learn --bench DIR --stores DIR --judged DIR [--mode hybrid|keyword] [--write] [--ablate]

The model is linear. It is fitted so that, in a softmax over the candidates of each question, the right files get the mass
(every repository of the benchmark counts the same, one of our own judged questions OWN_SHARE of that), with a pull towards
the reviewed starting point of prior.json: signals that the questions never touch keep their value. Signs are fixed: a
demotion cannot become a reward. Folds are whole repositories.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np

from benchmarks.quality.cases import NAMES, OWN, Case, collect, collect_judged, means, repo_means

HERE = Path(__file__).parent
WEIGHTS = HERE.parents[1] / "codemem" / "signals" / "weights.json"
DEMOTIONS = frozenset(
    {"data", "depth", "name_length", "name_parts", "example", "generated", "prose", "beside", "test", "vendored"}
)
AT_MOST = {"test": -1.0}
"""Bounds of demotions: the benchmark's trees hold few tests, whole repositories many (`judged/` alone asks for -1.3)."""
DENSE = frozenset({"meaning", "file_meaning", "file_meaning_share"})
HYBRID_ONLY = DENSE | {"using"}
"""Without vectors the best definitions are not sure enough to follow their callers: -.001 on both sets."""
ARMS = {
    "units": ("units", "coverage", "documented", "neighbours"),
    "files": ("file",),
    "dense": tuple(sorted(DENSE)),
    "definitions": tuple(name for name in NAMES if name.startswith("definition")),
    "paths": ("file_name", "file_name_joined", "folder", "path", "named_path", "initials"),
}
"""Signals that stand on one arm: what is lost without the arm's opinion."""
FOLDS = 8
OWN_SHARE = 1 / 16
"""What a repository of our own questions counts against one of the benchmark. Equal shares: benchmark 0.905, own 0.817 out of fold;
none: 0.914 and 0.77; a sixteenth: 0.912 and 0.791."""
PULL = 0.03
"""Strength of the pull towards the starting point."""
SHARPNESS = 3.0
"""Inverse temperature of the softmax: larger values look at the first rank only and carry over worse."""
STEPS = 200
RATE = 0.05
DIGITS = 3


def fit(cases: list[Case], prior: np.ndarray, free: np.ndarray) -> np.ndarray:
    """Return weights by projected Adam on the cross-entropy; `free` says which signals may count at all."""
    matrix, mask, wanted, share = _pad(cases)
    signs = np.array([-1.0 if name in DEMOTIONS else 1.0 for name in NAMES])
    bounds = np.array([AT_MOST.get(name, np.inf) if may else 0.0 for name, may in zip(NAMES, free, strict=True)])
    weights = prior * free
    first, second = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, STEPS + 1):
        scores = np.where(mask, matrix @ weights.astype(np.float32) * SHARPNESS, -1e9)
        scores -= scores.max(axis=1, keepdims=True)
        mass = np.exp(scores)
        mass /= mass.sum(axis=1, keepdims=True)
        error = (mass - wanted) * share[:, None] * (wanted.sum(axis=1, keepdims=True) > 0)
        gradient = np.einsum("qc,qcs->s", error, matrix) * SHARPNESS + PULL * (weights - prior)
        first = 0.9 * first + 0.1 * gradient
        second = 0.999 * second + 0.001 * gradient**2
        move = first / (1 - 0.9**step) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
        weights = weights - RATE * (1 - 0.9 * step / STEPS) * move
        weights = np.where((weights * signs < 0) | ~free, 0.0, np.minimum(weights, bounds))
    return weights


def _pad(cases: list[Case]) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    longest = max(len(case.paths) for case in cases)
    matrix = np.zeros((len(cases), longest, len(NAMES)), dtype=np.float32)
    mask = np.zeros((len(cases), longest), dtype=bool)
    wanted = np.zeros((len(cases), longest), dtype=np.float32)
    counts: dict[str, int] = {}
    for at, case in enumerate(cases):
        size = len(case.paths)
        matrix[at, :size], mask[at, :size] = case.matrix, True
        right = case.targets.any(axis=1)
        if right.any():
            wanted[at, :size] = right / right.sum()
        counts[case.repo] = counts.get(case.repo, 0) + 1
    share = np.array(
        [(OWN_SHARE if case.source == OWN else 1.0) / counts[case.repo] for case in cases], dtype=np.float32
    )
    return matrix, mask, wanted, share / share.sum()


def cross_validate(cases: list[Case], prior: np.ndarray, free: np.ndarray) -> dict[str, float]:
    """Return the mean NDCG@10 of every repository under weights learned without it."""
    repos = sorted({case.repo for case in cases})
    found: dict[str, float] = {}
    for fold in range(FOLDS):
        held = set(repos[fold::FOLDS])
        weights = fit([case for case in cases if case.repo not in held], prior, free)
        found |= repo_means([case for case in cases if case.repo in held], weights)
    return found


def mean(values: dict[str, float]) -> float:
    return sum(values.values()) / len(values)


def _by_source(cases: list[Case], values: dict[str, float]) -> dict[str, float]:
    """Return the mean over the repositories of each source."""
    sources = {case.repo: case.source for case in cases}
    names = dict.fromkeys(sources.values())
    return {name: mean({repo: value for repo, value in values.items() if sources[repo] == name}) for name in names}


def _report(cases: list[Case], weights: np.ndarray, held_out: dict[str, float]) -> dict[str, float]:
    """Print the figures of both sources; return those out of fold."""
    fitted, whole = _by_source(cases, repo_means(cases, weights)), _by_source(cases, held_out)
    for source in whole:
        of_source = [case for case in cases if case.source == source]
        print(f"{source}: {len(of_source)} questions, fitted {fitted[source]:.4f}, out of fold {whole[source]:.4f}")
        for key in ("category", "language"):
            print({name: (count, round(value, 3)) for name, (count, value) in means(of_source, weights, key).items()})
    return whole


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bench", type=Path, required=True, help="folder of evaluate.py and the judgements")
    parser.add_argument("--stores", type=Path, required=True, help="NAME/.codemem/codemem.db or NAME.db per repository")
    parser.add_argument(
        "--judged", type=Path, required=True, help="NAME/.codemem/codemem.db of benchmarks/quality/judged"
    )
    parser.add_argument("--mode", choices=["hybrid", "keyword"], default="hybrid")
    parser.add_argument("--write", action="store_true", help="replace this mode's weights in weights.json")
    parser.add_argument("--ablate", action="store_true", help="leave each arm and each signal out, out of fold")
    options = parser.parse_args()
    start = json.loads((HERE / "prior.json").read_text("utf-8"))
    prior = np.array([float(start.get(name, 0.0)) for name in NAMES])
    free = np.array([options.mode == "hybrid" or name not in HYBRID_ONLY for name in NAMES])
    cases = [*collect(options.bench, options.stores, options.mode), *collect_judged(options.judged, options.mode)]
    weights = np.round(fit(cases, prior, free), DIGITS)
    whole = _report(cases, weights, cross_validate(cases, prior, free))
    if options.ablate:
        groups = {f"arm {name}": signals for name, signals in ARMS.items()} | {name: (name,) for name in NAMES}
        for name, signals in groups.items():
            without = free & ~np.isin(NAMES, signals)
            left = _by_source(cases, cross_validate(cases, prior * without, without))
            print(
                f"without {name:<24} " + " ".join(f"{key} {left[key] - whole[key]:+.4f}" for key in whole), flush=True
            )
    print(json.dumps(dict(zip(NAMES, weights.tolist(), strict=True)), indent=2))
    if options.write:
        table = json.loads(WEIGHTS.read_text("utf-8"))
        table[options.mode] = dict(zip(NAMES, weights.tolist(), strict=True))
        WEIGHTS.write_text(json.dumps(table, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
