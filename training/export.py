"""Round the trained vectors to one byte a dimension and write the files of the bundled model, with checksums.

python -m training.export --work DIR --target codemem/embed/static_model [--name trained]
"""

from __future__ import annotations

import argparse
import hashlib
import json
from pathlib import Path

import numpy as np

from training.train import COUNT_POWER

FIELDS = {"path": 5.0, "names": 3.0, "scope": 1.0}
"""Weights of the fields at run time, chosen on the development half of the benchmark."""
CODES = 127
FILES = ("model.json", "pieces.npy", "table.npy", "weights.npy", "words.txt")


def export(work: Path, name: str, target: Path) -> None:
    """Write table, weights, words, pieces and facts; the model's name carries the hash of its table."""
    trained = np.load(work / f"{name}.npz")
    vocabulary = json.loads((work / "vocabulary.json").read_text())
    vectors = trained["vectors"]
    scales = np.abs(vectors).max(axis=1, keepdims=True) / CODES
    table = np.rint(vectors / np.maximum(scales, 1e-9)).astype(np.int8)
    target.mkdir(parents=True, exist_ok=True)
    np.save(target / "table.npy", table)
    np.save(target / "weights.npy", (scales[:, 0] * np.exp(trained["weights"])).astype(np.float16))
    np.save(target / "pieces.npy", np.array(vocabulary["logs"], np.float16))
    (target / "words.txt").write_text("\n".join(vocabulary["words"]), encoding="utf-8")
    digest = hashlib.sha256(table.tobytes()).hexdigest()[:8]
    facts = {"name": f"static:{digest}", "dimension": table.shape[1], "count_power": COUNT_POWER, "fields": FIELDS}
    (target / "model.json").write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")
    sums = [f"{hashlib.sha256((target / file).read_bytes()).hexdigest()}  {file}\n" for file in FILES]
    (target / "CHECKSUMS").write_text("".join(sums), encoding="utf-8")
    print(facts["name"], f"{sum((target / file).stat().st_size for file in FILES) / 1e6:.1f} MB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--target", type=Path, required=True)
    parser.add_argument("--name", default="trained")
    arguments = parser.parse_args()
    export(arguments.work, arguments.name, arguments.target)


if __name__ == "__main__":
    main()
