"""Pairs of every repository of repositories.toml, one JSON Lines file each.

python -m training.extract --clones DIR --work DIR [--part 0/2] [--only NAME...]
"""

from __future__ import annotations

import argparse
import random
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from codemem.languages import detect_language, language_table
from codemem.parse import parse_file
from codemem.roles import file_role
from codemem.types import ParsedFile, SourceFile
from training.clones import Blob, git_folder, list_blobs, read_blobs
from training.code_pairs import pairs_of_files
from training.history_pairs import commit_pairs
from training.prose_pairs import catalogue_language, catalogue_pairs, markdown_pairs
from training.records import Pair, write_pairs

SOURCE_BYTES = 1_500_000
TEST_BYTES = 300_000
PROSE_BYTES = 1_500_000
CATALOGUE_BYTES = 6_000_000
"""Read of each repository, drawn at random: a large repository must not outweigh the others."""
COMMITS = 2_500
COMMIT_PAIRS = 4_500
CATALOGUE_PAIRS = 20_000
CODE_SIZES = range(300, 120_000)
PROSE_SIZES = range(500, 200_000)
LONGEST_LINE_MEAN = 150
"""Characters: minified and generated files have longer lines."""
PROSE = re.compile(r"\.(md|markdown|mdx|rst)$", re.IGNORECASE)
CATALOGUE = re.compile(r"\.(po|ini|properties)$")
CATALOGUE_PLACE = re.compile(r"locale|i18n|lang|LC_MESSAGES|Messages|resources/", re.IGNORECASE)
LANGUAGE_ORDER = "en zh ja ru de fr es ko pt it pl uk"
UNUSED = re.compile(
    r"(^|/)(dist|build|generated|gen|node_modules|migrations|snapshots?|__snapshots__|fixtures?|baselines?|assets)(/|$)|\.min\.js$|"
    r"\.pb\.(go|cc|h)$|_pb2\.py$|\.g\.cs$|\.designer\.cs$|\.d\.ts$|zz_generated|changelog|changes|(^|/)history",
    re.IGNORECASE,
)


def extract(name: str, commit: str, use: str, clones: Path) -> Iterator[Pair]:
    """Yield the pairs of one repository; `use` is "code" or "prose" (which takes code only for its comments)."""
    chooser = random.Random(name)
    folder = git_folder(clones, name)
    blobs = [blob for blob in list_blobs(folder, commit) if not UNUSED.search(blob.path)]
    chooser.shuffle(blobs)
    yield from pairs_of_files(_parsed(folder, blobs), chooser)
    prose = _cut(
        [b for b in blobs if PROSE.search(b.path) and b.size in PROSE_SIZES], PROSE_BYTES * (1 if use == "code" else 4)
    )
    for blob, text in read_blobs(folder, prose):
        yield from markdown_pairs(blob.path, text, chooser)
    if use == "code":
        yield from commit_pairs(folder, commit, COMMITS, COMMIT_PAIRS)
    else:
        catalogues = [blob for blob in blobs if _is_catalogue(blob.path)]
        # English first: without it the other languages of a key have nothing to be paired with.
        catalogues.sort(key=lambda blob: LANGUAGE_ORDER.find(catalogue_language(blob.path)))
        texts = ((blob.path, text) for blob, text in read_blobs(folder, _cut(catalogues, CATALOGUE_BYTES)))
        yield from catalogue_pairs(texts, chooser, CATALOGUE_PAIRS)


def _parsed(folder: Path, blobs: list[Blob]) -> Iterator[tuple[ParsedFile, str]]:
    """Parse a share of the source files and a smaller one of the tests."""
    table = language_table()
    code = [
        blob for blob in blobs if blob.size in CODE_SIZES and table[detect_language(blob.path)].chunker == "grammar"
    ]
    roles = {blob.path: file_role(blob.path) for blob in code}
    chosen = _cut([blob for blob in code if roles[blob.path] == "source"], SOURCE_BYTES)
    chosen += _cut([blob for blob in code if roles[blob.path] == "test"], TEST_BYTES)
    for blob, text in read_blobs(folder, chosen):
        if text.count("\n") >= 8 and len(text) < LONGEST_LINE_MEAN * text.count("\n"):
            yield parse_file(SourceFile(blob.path, detect_language(blob.path, text), text, blob.sha)), text


def _is_catalogue(path: str) -> bool:
    return bool(CATALOGUE.search(path) and CATALOGUE_PLACE.search(path) and catalogue_language(path))


def _cut(blobs: list[Blob], most: int) -> list[Blob]:
    """Take blobs in their (random) order up to `most` bytes."""
    kept, total = [], 0
    for blob in blobs:
        if total + blob.size <= most:
            kept.append(blob)
            total += blob.size
    return kept


def repositories() -> list[dict[str, Any]]:
    """Return the rows of repositories.toml."""
    with (Path(__file__).parent / "repositories.toml").open("rb") as stream:
        return list(tomllib.load(stream)["repository"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clones", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--part", default="0/1")
    parser.add_argument("--only", nargs="*")
    arguments = parser.parse_args()
    part, parts = map(int, arguments.part.split("/"))
    folder = arguments.work / "pairs"
    folder.mkdir(parents=True, exist_ok=True)
    rows = [row for row in repositories() if not arguments.only or row["name"] in arguments.only]
    for row in rows[part::parts]:
        target = folder / f"{row['name'].replace('/', '+')}.jsonl"
        if target.exists():
            continue
        pairs = list(extract(row["name"], row["commit"], row["use"], arguments.clones))
        write_pairs(target, pairs)
        print(row["name"], len(pairs), dict(Counter(pair.kind for pair in pairs)), flush=True)


if __name__ == "__main__":
    main()
