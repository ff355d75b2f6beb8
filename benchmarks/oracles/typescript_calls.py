"""A second opinion on TypeScript: the compiler's own symbols, beside the definitions and call targets codemem finds.

Run by hand: `python -m benchmarks.oracles.typescript_calls FOLDER TYPESCRIPT [--show N]`, where TYPESCRIPT is an installed npm
package `typescript` (…/node_modules/typescript) and `node` is on the path. Own calls are those that the compiler leads to a
function, method, class, accessor or arrow constant inside FOLDER; calls of interface members count as that member. The compiler
stops at the name that a destructuring binds, where codemem follows the value (`const { f } = await import("./x")`): such
calls are counted apart ("beyond the binding").
"""

from __future__ import annotations

import argparse
import json
import subprocess
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from codemem.languages import detect_language
from codemem.parse import parse_file
from codemem.resolve import FileFacts, Session, facts_of, resolve_file, universe_of
from codemem.types import Call, Chunk, ChunkKey, SourceFile

CALLABLE = {
    "FunctionDeclaration", "MethodDeclaration", "MethodSignature", "ClassDeclaration", "Constructor", "GetAccessor",
    "VariableDeclaration", "PropertyDeclaration", "PropertySignature", "ClassExpression", "FunctionExpression",
}  # fmt: skip
VALUES = {"VariableDeclaration", "PropertyDeclaration", "PropertySignature"}
"""Declarations that are own calls only where codemem has a definition for them: a parameter's callback is not."""


def parse_sources(folder: Path) -> list[FileFacts]:
    files = []
    for path in sorted([*folder.rglob("*.ts"), *folder.rglob("*.tsx")]):
        if "node_modules" in path.parts:
            continue
        content = path.read_bytes().decode("utf-8", "replace").replace("\r\n", "\n").lstrip("\ufeff")
        name = path.relative_to(folder).as_posix()
        files.append(facts_of(parse_file(SourceFile(name, detect_language(name, content), content, ""))))
    return files


def compiler_rows(folder: Path, compiler: Path) -> list[dict[str, Any]]:
    script = Path(__file__).with_suffix(".mjs")
    command = ["node", "--max-old-space-size=3000", str(script), str(folder), str(compiler)]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return [json.loads(line) for line in output.splitlines()]


def compare(folder: Path, compiler: Path, show: int) -> dict[str, object]:
    files = parse_sources(folder)
    session = Session(universe_of(files))
    chunks: dict[ChunkKey, Chunk] = {chunk.key: chunk for facts in files for chunk in facts.chunks if not chunk.part}
    ours: dict[tuple[str, int, str], list[Call]] = defaultdict(list)
    for facts in files:
        for chunk, resolved in zip(facts.chunks, resolve_file(facts, session).chunks, strict=True):
            for call in resolved.calls:
                ours[facts.head.path, call.line, call.callee].append(call)
            _unfold(chunk, resolved.calls, ours)
    starts: dict[tuple[str, str], list[Chunk]] = defaultdict(list)
    for chunk in chunks.values():
        starts[chunk.path, chunk.name].append(chunk)
    counts: Counter[str] = Counter()
    for row in compiler_rows(folder, compiler):
        if row["kind"] == "definition":
            found = any(c.start_line <= row["line"] <= c.end_line for c in starts[row["file"], row["name"]])
            counts["definitions found" if found else "definitions missed"] += 1
            if not found and show and counts["definitions missed"] <= show:
                print("DEFINITION", row)
        else:
            _judge(row, ours, chunks, starts, counts, show)
    right, wrong, missed = counts["right"], counts["wrong"], counts["missed"]
    known = counts["definitions found"] + counts["definitions missed"]
    return {
        "definitions": round(counts["definitions found"] / max(1, known), 4),
        "precision": round(right / max(1, right + wrong), 4),
        "recall": round(right / max(1, right + missed), 4),
        **dict(sorted(counts.items())),
    }


def _unfold(chunk: Chunk, calls: Sequence[Call], ours: dict[tuple[str, int, str], list[Call]]) -> None:
    """Lay calls that stand for equal ones in a row (`repeat`) on the lines after them, up to the chunk's next call."""
    for position, call in enumerate(calls):
        if call.repeat > 1:
            later = [other.line for other in calls[position + 1 :] if other.line > call.line]
            for line in range(call.line + 1, (later[0] if later else chunk.end_line) + 1):
                ours[chunk.path, line, call.callee].append(call)


def _judge(
    row: dict[str, Any],
    ours: dict[tuple[str, int, str], list[Call]],
    chunks: dict[ChunkKey, Chunk],
    starts: dict[tuple[str, str], list[Chunk]],
    counts: Counter[str],
    show: int,
) -> None:
    calls = ours.get((row["file"], row["line"], row["name"]), [])
    keys = [key for call in calls for key in (call.target, *(call.candidates if call.target is None else ())) if key]
    own = "target" in row and not row["target"].startswith("..") and row["type"] in CALLABLE
    if own and row["type"] in VALUES:
        own = any(c.start_line <= row["start"] <= c.end_line for c in starts[row["target"], row["name"]])
    if not own and keys and row.get("type") == "BindingElement":
        counts["beyond the binding"] += 1
        return
    if not own:
        counts["wrong" if keys and "target" in row else ("only codemem" if keys else "outside for both")] += 1
        if keys and "target" in row and show and counts["wrong"] <= show:
            print("WRONG", row, keys[0].path, keys[0].qualified_name)
        return
    if not keys:
        counts["missed"] += 1
        why = f"{calls[0].receiver} {calls[0].certainty} {calls[0].module}" if calls else "no call"
        counts[f"missed: {calls[0].certainty if calls else 'no call'}"] += 1
        if show and counts["missed"] % max(1, 2000 // show) == 1:
            print("MISSED", row["file"], row["line"], row["name"], row["target"], row["start"], row["type"], "|", why)
        return
    same = any(key.path == row["target"] and _touches(chunks.get(key), row) for key in keys)
    same = same or any(_inherited_constructor(key, row, chunks) for key in keys)
    counts["right" if same else "wrong"] += 1
    counts[f"{'right' if same else 'wrong'}: {calls[0].certainty}"] += 1
    if not same and show and counts["wrong"] <= show:
        print("WRONG", row, [(c.receiver, c.certainty) for c in calls], keys[0].path, keys[0].qualified_name)


def _touches(chunk: Chunk | None, row: dict[str, Any]) -> bool:
    if chunk is None:
        return False
    if row["type"] in ("ClassDeclaration", "ClassExpression"):
        return row["start"] <= chunk.end_line and chunk.start_line <= row["end"]
    return chunk.start_line <= row["start"] <= chunk.end_line or row["start"] <= chunk.start_line <= row["end"]


def _inherited_constructor(key: ChunkKey, row: dict[str, Any], chunks: dict[ChunkKey, Chunk]) -> bool:
    """Tell whether a `new` runs the constructor above: the compiler names the class, codemem what runs."""
    if (
        row["kind"] != "new"
        or row["type"] != "ClassDeclaration"
        or key not in chunks
        or chunks[key].name != "constructor"
    ):
        return False
    kind = next(
        (c for c in chunks.values() if (c.path, c.name) == (row["target"], row["name"]) and _touches(c, row)), None
    )
    own = kind and any(
        c.path == kind.path and c.parent == kind.qualified_name and c.name == "constructor" for c in chunks.values()
    )
    return kind is not None and bool(kind.extends) and not own


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("compiler", type=Path)
    parser.add_argument("--show", type=int, default=0)
    given = parser.parse_args()
    for name, value in compare(given.folder.absolute(), given.compiler.absolute(), given.show).items():
        print(f"{name}: {value}")


if __name__ == "__main__":
    main()
