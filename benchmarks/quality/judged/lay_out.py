"""Lay out the judged repositories from their clones and index them: `python -m benchmarks.quality.judged.lay_out CLONES FOLDER`.

CLONES holds a git directory `OWNER+NAME` (bare or not) of each repository, with the commit that its questions name;
FOLDER/NAME gets the tree of that commit and its index. What is there already is left alone.
"""

from __future__ import annotations

import argparse
import io
import subprocess
import tarfile
from pathlib import Path

from benchmarks.quality.judged.reading import Judged, read_judged
from codemem.indexing import refresh
from codemem.settings import Settings


def lay_out(judged: Judged, clones: Path, folder: Path) -> Path:
    """Unpack the repository's sub-tree at its commit; raises CalledProcessError when the clone does not hold it."""
    target = folder / judged.name
    if not target.exists():
        clone = clones / judged.url.removeprefix("https://github.com/").replace("/", "+")
        command = ["git", "-C", str(clone), "archive", judged.commit, *([judged.root] if judged.root else [])]
        packed = subprocess.run(command, check=True, capture_output=True).stdout
        with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
            archive.extractall(target, filter="data")
    return target


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clones", type=Path)
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    for judged in read_judged():
        report = refresh(lay_out(judged, options.clones, options.folder), Settings())
        print(f"{judged.name}: {report.files} files")


if __name__ == "__main__":
    main()
