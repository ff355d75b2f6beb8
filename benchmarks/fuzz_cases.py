"""What `benchmarks.fuzz` runs: each case makes its input from one random generator and asserts what must hold."""

from __future__ import annotations

import io
import json
import os
import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks import hostile
from codemem.errors import CodememError

CORPUS_FILES = 4_000
CORPUS_BYTES = 40_000
FIXTURES = Path(__file__).parent.parent / "fixtures"


@dataclass(slots=True)
class Place:
    """What the cases of one child share."""

    folder: Path
    corpus: list[Path]
    kept: dict[str, object] = field(default_factory=dict)


def list_corpus(folders: list[Path]) -> list[Path]:
    """Return the fixtures and a sample of the small files below the folders, always the same."""
    found = [file for file in sorted(FIXTURES.rglob("*")) if file.is_file() and file.name != "expected.txt"]
    for folder in folders:
        files = [Path(place, name) for place, _, names in os.walk(folder) if "/.git" not in place for name in names]
        small = [file for file in sorted(files) if file.is_file() and file.stat().st_size <= CORPUS_BYTES]
        found += random.Random(0).sample(small, min(len(small), CORPUS_FILES))
    return found


def mutated(chance: random.Random, place: Place) -> tuple[str, bytes]:
    """Return a file's name and its bytes, changed; every language as often as any other."""
    from codemem.languages import detect_language, language_table

    chosen = chance.choice(place.corpus)
    if chance.random() < 0.7:
        language = chance.choice(list(language_table()))
        by_language = place.kept.setdefault("by language", {})
        assert isinstance(by_language, dict)
        if not by_language:
            for file in place.corpus:
                by_language.setdefault(detect_language(file.name), []).append(file)
        chosen = chance.choice(by_language.get(language) or place.corpus)
    others = [chance.choice(place.corpus).read_bytes(), chosen.read_bytes()]
    return chosen.name, hostile.mutate(chosen.read_bytes(), others, chance)


def parse_case(chance: random.Random, place: Place) -> None:
    """Parse a changed file."""
    from codemem.parse import parse_file
    from codemem.store.code import encode_file
    from codemem.walk import decode_source

    name, data = mutated(chance, place)
    source = decode_source(name, data)
    parsed = parse_file(source)
    hostile.check_parsed(parsed, source.content)
    encode_file(source, parsed)


def index_case(chance: random.Random, place: Place) -> None:
    """Index a folder of changed files as a person would, change one, and compare with a clean build now and then."""
    root = place.folder / "tree"
    for _ in range(chance.randint(1, 4)):
        name, data = mutated(chance, place)
        target = root / chance.choice(("", "a", "b/c")) / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    if chance.random() < 0.2:
        for file in [one for one in sorted(root.rglob("*")) if one.is_file() and ".codemem" not in one.parts][::2]:
            file.unlink()
    command("index", "--root", root, "--jobs", "1", chance.choice(("--json", "--quiet")))
    if chance.random() < 0.1:
        assert command("verify", "--root", root, "--json")[0] == 0, "incremental is not clean"


def question_case(chance: random.Random, place: Place) -> None:
    """Ask the small store, memories and graph with filters of any kind."""
    root, words = small_store(place)
    asked = hostile.question(words, chance)
    action = chance.choice(("search", "search", "search", "memory", "graph", "context"))
    if action == "search":
        search_directly(asked, chance, place)
        return
    commands = {
        "memory": [
            ["memory", "search"],
            ["memory", "list", "--symbol"],
            ["memory", "similarity", "a"],
            ["memory", "add", "--force"],
        ],
        "graph": [["callers"], ["callees"], ["trace"], ["raises"], ["show"], ["outline"], ["search"]],
        "context": [["context", "--budget", "800"], ["session", "search", "s"], ["session", "append", "s"]],
    }
    chosen = chance.choice(commands[action])
    option = ["--json"] if chance.random() < 0.5 else []
    code, out, _ = command(*chosen, *option, "--root", root, "--", asked)
    if option and out:
        json.loads(out)
    elif out:
        assert not hostile.HARMFUL.search(out), f"harmful output {out!r}"
    assert code in (0, 1, 2), code


def search_directly(asked: str, chance: random.Random, place: Place) -> None:
    from codemem.render.documents import json_bytes, search_document
    from codemem.retrieval.pipeline import Session, search
    from codemem.store import open_store, store_path
    from codemem.types import Filters, Query

    root, words = small_store(place)

    def values(known: tuple[str, ...]) -> tuple[str, ...]:
        if chance.random() < 0.75:
            return ()
        return tuple(
            chance.choice((chance.choice(known), hostile.question(words, chance))) for _ in range(chance.randint(1, 3))
        )

    filters = Filters(
        languages=values(("python", "java")),
        paths=values(("*.py", "src/", "**", "[", "a/../b")),
        kinds=values(("function", "class")),
        raises=values(("OutOfStockException", "*")),
        calls=values(("check", "RiskService#check")),
    )
    query = Query(
        asked,
        limit=chance.choice((1, 10, 1000)),
        offset=chance.choice((0, 0, 5, 10**9)),
        mode=chance.choice(("hybrid", "keyword", "vector")),
        fusion=chance.choice(("ranked", "rrf")),
        filters=filters,
        all_chunks=chance.random() < 0.3,
    )
    session = place.kept.setdefault("session", Session())
    assert isinstance(session, Session)
    with open_store(store_path(root)) as store:
        try:
            result = search(store, query, session)
        except CodememError:
            return
    json.loads(json_bytes(search_document(result, {})))
    for hit in result.hits:
        assert hit.chunk.start_line <= hit.start_line <= hit.end_line <= hit.chunk.end_line


def small_store(place: Place) -> tuple[Path, list[str]]:
    """Index the fixtures once; return the root and the words in it."""
    root = place.folder / "small"
    if not root.exists():
        for file in list_corpus([]):
            target = root / file.relative_to(FIXTURES)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(file.read_bytes())
        command("index", "--root", root, "--jobs", "1", "--quiet")
        for text in ("the order service talks to the risk service", "never retry a payment", "Port 8080 is taken"):
            command("memory", "add", text, "--root", root)
    text = " ".join(file.read_text("utf-8", "replace") for file in list_corpus([])[:60])
    words = place.kept.setdefault("words", sorted(set(text.split())))
    assert isinstance(words, list)
    return root, words


def walk_case(chance: random.Random, place: Place) -> None:
    """Match hostile patterns against paths that nearly match, alone and in a tree."""
    from codemem.settings import Settings
    from codemem.walk import preview
    from codemem.walk.ignore import IgnoreRules

    rules = IgnoreRules().extended(hostile.ignore_file(chance), chance.choice(("", "a", "é/b")))
    for _ in range(20):
        rules.ignores(hostile.path(chance), chance.random() < 0.5)
    if chance.random() < 0.2:
        root = place.folder / "walked"
        for folder in ("", "a", "a/ab", "é"):
            (root / folder).mkdir(parents=True, exist_ok=True)
            (root / folder / chance.choice((".gitignore", ".codememignore"))).write_text(hostile.ignore_file(chance))
            (root / folder / "aab.py").write_bytes(mutated(chance, place)[1])
        found = preview(root, Settings())
        assert len({entry.path for entry in found.files}) == len(found.files)


def command(*arguments: object, stdin: str = "") -> tuple[int, str, str]:
    """Run a command line in this process; only CodememError may come out of it, and counts as exit code 2."""
    from codemem.cli import main as codemem

    with _streams(stdin) as (out, err):
        try:
            code = codemem([str(argument) for argument in arguments])
        except CodememError as error:
            assert error.message
            code = 2
        except OSError as error:
            assert error.filename is not None, error
            code = 2
        sys.stdout.flush()
        return code, out.getvalue().decode("utf-8"), err.getvalue().decode("utf-8")


@contextmanager
def _streams(stdin: str) -> Iterator[tuple[io.BytesIO, io.BytesIO]]:
    before = sys.stdin, sys.stdout, sys.stderr
    out, err = io.BytesIO(), io.BytesIO()
    sys.stdin = io.StringIO(stdin)
    sys.stdout, sys.stderr = (io.TextIOWrapper(stream, encoding="utf-8", write_through=True) for stream in (out, err))
    try:
        yield out, err
    finally:
        sys.stdin, sys.stdout, sys.stderr = before
