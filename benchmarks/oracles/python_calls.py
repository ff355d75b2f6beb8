"""A second opinion on Python: `jedi` infers where each call leads, beside the targets codemem finds.

Run by hand: `python -m benchmarks.oracles.python_calls FOLDER [--calls N] [--show N]`; needs `pip install jedi`. FOLDER is the
root of a repository or package; a sample of calls is compared, since jedi takes tens of milliseconds for each.
Precision: of the calls that codemem gives an own target and jedi knows, the share where both name the same definition.
Recall: of the calls that jedi leads to a definition in FOLDER, the share for which codemem names the same one.
"""

from __future__ import annotations

import argparse
import random
import re
from collections import Counter
from pathlib import Path

from codemem.languages import detect_language
from codemem.parse import parse_file
from codemem.resolve import FileFacts, Session, facts_of, resolve_file, universe_of
from codemem.types import Call, Chunk, ChunkKey, SourceFile

SEED = 7
CONSTRUCTORS = ("__init__", "__new__")


def parse_sources(folder: Path) -> tuple[list[FileFacts], dict[str, list[str]]]:
    files: list[FileFacts] = []
    lines: dict[str, list[str]] = {}
    for path in sorted(folder.rglob("*.py")):
        content = path.read_bytes().decode("utf-8", "replace").replace("\r\n", "\n").lstrip("\ufeff")
        name = path.relative_to(folder).as_posix()
        lines[name] = content.split("\n")
        files.append(facts_of(parse_file(SourceFile(name, detect_language(name, content), content, ""))))
    return files, lines


def columns_of(call: Call, text: str) -> list[int]:
    """Return where the callee of a call stands on its line."""
    return [match.start() for match in re.finditer(rf"\b{re.escape(call.callee)}\s*\(", text)]


def definitions(script: object, line: int, column: int) -> list[tuple[str, int, str]]:
    """Ask jedi where the name at a place is defined: path, line, kind."""
    found = script.goto(line, column, follow_imports=True, follow_builtin_imports=False)  # type: ignore[attr-defined]
    return [(str(name.module_path or ""), name.line or 0, name.type) for name in found]


def compare(folder: Path, number: int, show: int) -> dict[str, object]:
    import jedi

    files, lines = parse_sources(folder)
    session = Session(universe_of(files))
    chunks: dict[ChunkKey, Chunk] = {chunk.key: chunk for facts in files for chunk in facts.chunks if not chunk.part}
    sites = []
    for facts in files:
        for chunk, resolved in zip(facts.chunks, resolve_file(facts, session).chunks, strict=True):
            sites.extend((facts.head.path, chunk, call) for call in resolved.calls)
    random.Random(SEED).shuffle(sites)
    project = jedi.Project(folder)
    scripts: dict[str, object] = {}
    counts: Counter[str] = Counter()
    for path, chunk, call in sites[:number]:
        text = lines[path][call.line - 1] if call.line <= len(lines[path]) else ""
        columns = columns_of(call, text)
        if len(columns) != 1:
            continue
        if path not in scripts:
            scripts[path] = jedi.Script("\n".join(lines[path]), path=folder / path, project=project)
        try:
            theirs = definitions(scripts[path], call.line, columns[0])
        except Exception as error:  # jedi fails on some code; that is no opinion
            counts[f"jedi failed: {type(error).__name__}"] += 1
            continue
        _judge(call, theirs, folder, chunks, counts, f"{path}:{call.line} {chunk.qualified_name}", show)
    right, wrong = counts["right"], counts["wrong"]
    own = right + wrong + counts["missed"]
    return {
        "precision": round(right / max(1, right + wrong), 4),
        "recall": round(right / max(1, own), 4),
        **dict(sorted(counts.items())),
    }


def _judge(
    call: Call,
    theirs: list[tuple[str, int, str]],
    folder: Path,
    chunks: dict[ChunkKey, Chunk],
    counts: Counter[str],
    place: str,
    show: int,
) -> None:
    own = [(path[len(str(folder)) + 1 :], line, kind) for path, line, kind in theirs if path.startswith(f"{folder}/")]
    own = [entry for entry in own if entry[2] in ("function", "class")]
    if not own and any(kind == "param" or kind == "statement" for _, _, kind in theirs):
        counts["variable for jedi"] += call.target is not None
        return
    keys = [key for key in (call.target, *(call.candidates if call.target is None else ())) if key is not None]
    if not theirs:
        counts["only codemem" if keys else "nobody"] += 1
        return
    if not own:
        counts["outside for both" if not keys else "wrong"] += 1
        if keys and show:
            print(
                "WRONG",
                place,
                call.receiver,
                call.callee,
                call.certainty,
                keys[0].path,
                keys[0].qualified_name,
                "jedi:",
                theirs[0],
            )
        return
    if not keys:
        counts["missed"] += 1
        if show and counts["missed"] <= show:
            print("MISSED", place, call.receiver, call.callee, call.certainty, own[0])
        return
    same = any(_is_same(chunks.get(key), own) for key in keys)
    counts["right" if same else "wrong"] += 1
    if not same and show:
        print(
            "WRONG",
            place,
            call.receiver,
            call.callee,
            call.certainty,
            keys[0].path,
            keys[0].qualified_name,
            "jedi:",
            own[0],
        )


def _is_same(chunk: Chunk | None, own: list[tuple[str, int, str]]) -> bool:
    if chunk is None:
        return False
    for path, line, _ in own:
        if path == chunk.path and chunk.start_line <= line <= chunk.end_line:
            return True
    return chunk.name in CONSTRUCTORS and any(kind == "class" for _, _, kind in own)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--calls", type=int, default=1500)
    parser.add_argument("--show", type=int, default=0)
    given = parser.parse_args()
    for name, value in compare(given.folder.absolute(), given.calls, given.show).items():
        print(f"{name}: {value}")


if __name__ == "__main__":
    main()
