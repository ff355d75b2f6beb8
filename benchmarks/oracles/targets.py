"""Second opinions on where calls lead: a compiler's own answers beside the targets that codemem finds.

    python -m benchmarks.oracles.targets LANGUAGE FOLDER [--show N] [-- ARGUMENTS OF THE SCRIPT]

LANGUAGE is a row of ORACLES below, where what each needs is written; FOLDER is a repository or a part of one. Each script prints
JSON lines: definitions, and calls with the place of what the compiler leads them to (`target`, `start`), or with `outside`
where that stands in a library; without either the compiler does not know (a library is missing), and the call is not judged.

Precision: of the calls that codemem gives an own target and the compiler knows, the share where both name the same definition.
An `ambiguous` call is counted apart: codemem says itself that it does not know which.
Recall: of the calls that the compiler leads to a definition in FOLDER, the share for which codemem names the same one.
Calls of values (a variable or field that holds a function) count only where codemem has a definition at that place.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from codemem.languages import detect_language
from codemem.parse import parse_file
from codemem.resolve import FileFacts, Session, facts_of, resolve_file, universe_of
from codemem.types import Call, Chunk, ChunkKey, SourceFile

HERE = Path(__file__).parent
SKIPPED = frozenset((".git", "node_modules", "testdata", "vendor"))
Row = dict[str, Any]


@dataclass(frozen=True)
class Oracle:
    """How a compiler is asked about one language."""

    needs: str
    languages: frozenset[str]
    command: Callable[[Path, Sequence[str]], list[str]]
    unnamed: frozenset[str] = frozenset()
    """Names that codemem gives what the compiler names by its type: constructors."""


ORACLES = {
    "go": Oracle(
        "the Go toolchain (Debian: golang-go)",
        frozenset(("go", "gomod")),
        lambda folder, more: ["go", "run", str(HERE / "go_calls.go"), str(folder), *more],
    ),
}


@dataclass
class Tally:
    """What was counted and what was seen to differ."""

    counts: Counter[str] = field(default_factory=Counter)
    shown: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    def add(self, kind: str, text: str = "") -> None:
        self.counts[kind] += 1
        if text:
            self.shown[kind].append(text)


def sources(folder: Path, languages: Iterable[str]) -> Iterator[FileFacts]:
    """Parse the files of these languages, as `index` would."""
    for path in sorted(folder.rglob("*")):
        if SKIPPED & set(path.relative_to(folder).parts) or not path.is_file():
            continue
        name = path.relative_to(folder).as_posix()
        if not detect_language(name):
            continue
        content = path.read_bytes().decode("utf-8", "replace").replace("\r\n", "\n").lstrip("\ufeff")
        language = detect_language(name, content)
        if language in languages:
            yield facts_of(parse_file(SourceFile(name, language, content, "")))


def rows_of(oracle: Oracle, folder: Path, more: Sequence[str]) -> Iterator[Row]:
    """Run the script of an oracle and read what it prints."""
    with subprocess.Popen(oracle.command(folder, more), stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith("{"):
                yield json.loads(line)


class Comparison:
    """The definitions and resolved calls of a folder, by place."""

    def __init__(self, files: Sequence[FileFacts]) -> None:
        session = Session(universe_of(files))
        self.chunks = {chunk.key: chunk for facts in files for chunk in facts.chunks if not chunk.part}
        self.paths = {facts.head.path for facts in files}
        self.calls: dict[tuple[str, int, str], list[Call]] = defaultdict(list)
        self.named: dict[tuple[str, str], list[Chunk]] = defaultdict(list)
        for chunk in self.chunks.values():
            for name in {chunk.name, *chunk.names}:
                self.named[chunk.path, name].append(chunk)
        for facts in files:
            for chunk, resolved in zip(facts.chunks, resolve_file(facts, session).chunks, strict=True):
                for call in resolved.calls:
                    self.calls[facts.head.path, call.line, call.callee].append(call)
                self._unfold(chunk, resolved.calls)

    def _unfold(self, chunk: Chunk, calls: Sequence[Call]) -> None:
        """Lay calls that stand for equal ones in a row (`repeat`) on the lines after them, up to the chunk's next call."""
        for position, call in enumerate(calls):
            if call.repeat > 1:
                later = [other.line for other in calls[position + 1 :] if other.line > call.line]
                for line in range(call.line + 1, (later[0] if later else chunk.end_line) + 1):
                    self.calls[chunk.path, line, call.callee].append(call)

    def defined(self, row: Row) -> list[Chunk]:
        """Return the definitions that stand where the compiler says a call leads."""
        named = self.named.get((row["target"], str(row.get("title", row["name"]))), ())
        return [chunk for chunk in named if chunk.start_line <= row["start"] <= chunk.end_line]

    def covers(self, key: ChunkKey, row: Row) -> bool:
        """Tell whether a target of codemem is the place that the compiler names, or the type of that member."""
        chunk = self.chunks.get(key)
        return chunk is not None and chunk.path == row["target"] and chunk.start_line <= row["start"] <= chunk.end_line

    def judge(self, row: Row, tally: Tally) -> None:
        place = f"{row['file']}:{row['line']} {row['name']}"
        if row["kind"] == "definition":
            near = self.named.get((row["file"], row["name"]), ())
            found = any(chunk.start_line <= row["line"] <= chunk.end_line for chunk in near)
            tally.add("definitions found" if found else "definitions missed", "" if found else place)
            return
        calls = self.calls.get((row["file"], row["line"], row["name"]), [])
        sure = [key for call in calls for key in (call.target,) if key and call.certainty != "ambiguous"]
        listed = [key for call in calls for key in (call.target, *call.candidates) if key]
        own = "target" in row and row["target"] in self.paths
        if own and row.get("type") == "value" and not self.defined(row):
            tally.add("values: named" if sure else "values: not named")
            return
        said = f"{calls[0].receiver} {calls[0].certainty} {calls[0].module}" if calls else "no call"
        at = f"{row.get('target')}:{row.get('start')}"
        if not own and not row.get("outside"):
            tally.add("not judged: named" if sure else "not judged", f"{place} [{said}] -> {sure[0]}" if sure else "")
        elif not own:
            sure = (
                sure if len(sure) == len(calls) else []
            )  # calls of one name on one line: one of them is the library's
            tally.add(
                "wrong" if sure else "outside for both", f"{place} [{said}] -> {sure[0]}, outside" if sure else ""
            )
        elif any(self.covers(key, row) for key in sure):
            tally.add("right")
        elif not sure and any(self.covers(key, row) for key in listed):
            tally.add("listed as ambiguous", f"{place} [{said}] {listed[:3]} for {at}")
        elif sure:
            tally.add("wrong", f"{place} [{said}] -> {sure[0]} for {at}")
        else:
            tally.add("missed", f"{place} [{said}] for {at}")


def compare(oracle: Oracle, folder: Path, more: Sequence[str]) -> Tally:
    """Judge every row of an oracle."""
    comparison = Comparison(list(sources(folder, oracle.languages)))
    tally = Tally()
    for row in rows_of(oracle, folder, more):
        if row["file"] in comparison.paths:
            comparison.judge(row, tally)
    return tally


def report(tally: Tally, show: int) -> None:
    """Print the figures and samples of what differs."""
    counts = tally.counts
    right, wrong = counts["right"], counts["wrong"]
    own = right + wrong + counts["missed"] + counts["listed as ambiguous"]
    known = counts["definitions found"] + counts["definitions missed"]
    print(f"definitions {counts['definitions found'] / max(1, known):.4f} of {known:,}")
    print(f"own calls: precision {right / max(1, right + wrong):.4f}, recall {right / max(1, own):.4f}")
    print(", ".join(f"{kind} {count:,}" for kind, count in sorted(counts.items())))
    for kind in ("definitions missed", "wrong", "missed", "listed as ambiguous", "not judged: named"):
        texts = tally.shown[kind]
        step = max(1, len(texts) // show) if show else 1
        for text in texts[::step][:show]:
            print(f"  {kind}: {text}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("language", choices=sorted(ORACLES))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--show", type=int, default=0)
    parser.add_argument("more", nargs="*", help="arguments for the script of the language, after --")
    given = parser.parse_args()
    report(compare(ORACLES[given.language], given.folder.absolute(), given.more), given.show)
    return 0


if __name__ == "__main__":
    sys.exit(main())
