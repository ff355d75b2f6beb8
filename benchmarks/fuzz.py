"""Feed hostile input: `python -m benchmarks.fuzz --minutes N --target parser|index|question|importer|walk|all --seed S`.

Each case is made from (seed, target, number) alone, so `--case NUMBER` runs one again. Cases run in a forked child that the
kernel ends when one takes too long, native code included; the parent notes it and goes on behind it. What must hold: no
exception but CodememError, bounded time and memory, no line of a file lost, output that can be decoded.
"""

from __future__ import annotations

import argparse
import io
import json
import mmap
import os
import random
import resource
import signal
import struct
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from benchmarks import hostile
from codemem.errors import CodememError

CASE_SECONDS = 20.0
"""CPU seconds after which the kernel ends a case; no case is larger than a hundredth of what is indexed in that time."""
SLOW_SECONDS = 4.0
"""CPU seconds that are reported although the case ended."""
MEMORY_MEGABYTES = 1_500
"""Peak memory of the child that is reported: a run over a large repository takes half of it."""
CORPUS_FILES = 4_000
CORPUS_BYTES = 40_000
FIXTURES = Path(__file__).parent.parent / "fixtures"
STATE = struct.Struct("<qq")
"""Number of the case that runs, cases done."""


@dataclass(slots=True)
class Place:
    """What the cases of one child share."""

    folder: Path
    corpus: list[Path]
    kept: dict[str, object] = field(default_factory=dict)


def main() -> None:
    """Share the time among the targets and print what was run and found; exit 1 when something was found."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--target", default="all", choices=[*TARGETS, "all"])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--case", type=int, default=-1, help="run this case alone, in this process, with its traceback")
    parser.add_argument("--corpus", type=Path, nargs="*", default=[], help="folders of real files to mutate")
    given = parser.parse_args()
    corpus = list_corpus(given.corpus)
    targets = list(TARGETS) if given.target == "all" else [given.target]
    if given.case >= 0:
        with tempfile.TemporaryDirectory(prefix="codemem-fuzz-") as folder:
            run_case(given.target, given.seed, given.case, prepare(given.target, Path(folder), corpus))
        return
    findings: list[str] = []
    for target in targets:
        seconds = given.minutes * 60 / len(targets)
        cases, found = supervise(target, given.seed, seconds, corpus)
        findings += found
        print(f"{target}: {cases:,} cases in {seconds / 60:.1f} minutes, {len(found)} findings", flush=True)
    sys.exit(1 if findings else 0)


def list_corpus(folders: list[Path]) -> list[Path]:
    """Return the fixtures and a sample of the small files below the folders, always the same."""
    found = [file for file in sorted(FIXTURES.rglob("*")) if file.is_file() and file.name != "expected.txt"]
    for folder in folders:
        files = [Path(place, name) for place, _, names in os.walk(folder) if "/.git" not in place for name in names]
        small = [file for file in sorted(files) if file.is_file() and file.stat().st_size <= CORPUS_BYTES]
        found += random.Random(0).sample(small, min(len(small), CORPUS_FILES))
    return found


def supervise(target: str, seed: int, seconds: float, corpus: list[Path]) -> tuple[int, list[str]]:
    """Run cases in forked children until the time is up; return how many, and what was found."""
    end = time.monotonic() + seconds
    state = mmap.mmap(-1, STATE.size)
    findings: list[str] = []
    first = total = 0
    while time.monotonic() < end:
        STATE.pack_into(state, 0, first, 0)
        child = os.fork()
        if child == 0:
            run_child(target, seed, first, end, corpus, state)
        _, status = os.waitpid(child, 0)
        number, done = STATE.unpack_from(state, 0)
        total += done
        code = os.waitstatus_to_exitcode(status)
        if code:
            told = "took too long" if code == -signal.SIGPROF else "" if code == 1 else f"ended with {code}"
            findings.append(f"{target} {seed} {number} {told}")
            print(f"FINDING --target {target} --seed {seed} --case {number} {told}", flush=True)
        first = number + 1
    return total, findings


def run_child(target: str, seed: int, first: int, end: float, corpus: list[Path], state: mmap.mmap) -> None:
    """Run cases one after the other; exit 1 at the first that breaks what must hold."""
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    code = 1
    try:
        with tempfile.TemporaryDirectory(prefix="codemem-fuzz-") as folder:
            place = prepare(target, Path(folder), corpus)
            for number in count(first):
                if time.monotonic() >= end:
                    break
                STATE.pack_into(state, 0, number, number - first)
                signal.setitimer(signal.ITIMER_PROF, CASE_SECONDS)
                run_case(target, seed, number, place)
                signal.setitimer(signal.ITIMER_PROF, 0)
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)  # the child must never go on as its parent


def run_case(target: str, seed: int, number: int, place: Place) -> None:
    """Run one case; raises what breaks."""
    before = time.process_time()
    TARGETS[target](random.Random(f"{seed} {target} {number}"), place)
    took = time.process_time() - before
    assert took < SLOW_SECONDS, f"slow: {took:.1f} s of CPU"
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    assert peak < MEMORY_MEGABYTES, f"peak memory {peak:.0f} MB"


def prepare(target: str, folder: Path, corpus: list[Path]) -> Place:
    """Give the child a home of its own, errors that are raised, and what its cases share."""
    os.environ.update(HOME=str(folder / "home"), CODEMEM_DEBUG="1", CODEMEM_EMBEDDER="fake", NO_COLOR="1")
    (folder / "home").mkdir()
    place = Place(folder, corpus)
    if target in ("question", "importer"):
        small_store(place)
    return place


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


def import_case(chance: random.Random, place: Place) -> None:
    """Import a changed archive, memory file, SmileCli folder or transcript."""
    root, _ = small_store(place)
    chance.choice((_import_archive, _import_image, _import_memories, _import_smilecli, _import_transcript))(
        root, chance, place
    )


def _archive(root: Path, place: Place) -> bytes:
    file = place.folder / "index.codemem"
    if not file.exists():
        assert command("export", file, "--root", root)[0] == 0
    return file.read_bytes()


def _import_archive(root: Path, chance: random.Random, place: Place) -> None:
    data = _archive(root, place)
    head = data.index(b"\n", 20) + 1
    changed = hostile.mutate(data[:head], [data[:900]], chance) + data[head:]
    if chance.random() < 0.5:
        changed = bytearray(data)
        for _ in range(chance.randint(1, 5)):
            changed[chance.randrange(len(data))] = chance.randrange(256)
    _take_over(bytes(changed[: chance.choice((len(changed), chance.randint(0, len(changed))))]), chance, place)


def _import_image(root: Path, chance: random.Random, place: Place) -> None:
    """Damage the database inside and make size and checksum right again: what a forger would do."""
    import hashlib

    import zstandard

    data = _archive(root, place)
    magic, header_line, packed = data.split(b"\n", 2)
    image = bytearray(zstandard.ZstdDecompressor().decompress(packed))
    for _ in range(chance.choice((1, 1, 3, 30))):
        at = chance.choice((chance.randrange(len(image)), chance.randrange(min(len(image), 40_000))))
        image[at : at + chance.randint(1, 8)] = chance.randbytes(chance.randint(1, 8))
    header = json.loads(header_line) | {"image_bytes": len(image), "image_sha256": hashlib.sha256(image).hexdigest()}
    _take_over(
        b"\n".join((magic, json.dumps(header).encode(), zstandard.ZstdCompressor(level=1).compress(bytes(image)))),
        chance,
        place,
    )


def _take_over(archive: bytes, chance: random.Random, place: Place) -> None:
    """Import into a folder with a memory; whatever came in, the next commands work and the memory is there."""
    folder = place.folder / "taker"
    if not folder.exists():
        folder.mkdir()
        (folder / "a.py").write_text("def alpha():\n    return beta()\n")
        command("memory", "add", "the one memory", "--root", folder)
    file = place.folder / "changed.codemem"
    file.write_bytes(archive)
    code, _, _ = command("import", file, "--root", folder)
    if code == 0:
        for arguments in (
            ["search", "order service", "--no-refresh"],
            ["show", "createOrder", "--no-refresh"],
            ["index"],
            ["status"],
        ):
            assert command(*arguments, "--root", folder)[0] in (0, 1, 2)
        if chance.random() < 0.2:
            assert command("verify", "--root", folder)[0] == 0, "an import made an index that no run mends"
    assert "the one memory" in command("memory", "list", "--root", folder)[1], "a memory is lost"


def _import_memories(root: Path, chance: random.Random, place: Place) -> None:
    file = place.folder / "memories.jsonl"
    if not file.exists():
        assert command("memory", "export", file, "--root", root)[0] == 0
    _memories_from(
        hostile.mutate(_mutated_json(file.read_bytes(), chance), [file.read_bytes()], chance), ["import"], root, place
    )


def _memories_from(data: bytes, words: list[str], root: Path, place: Place) -> None:
    file = place.folder / "changed.jsonl"
    file.write_bytes(data)
    command("memory", *words, file, "--root", root)
    code, out, _ = command("memory", "list", "--json", "--root", root)
    assert code in (0, 1)
    json.loads(out)


def _import_smilecli(root: Path, chance: random.Random, place: Place) -> None:
    folder = place.folder / "smilecli"
    rows = [
        {"id": "a1", "content": "a fact", "scope": "GLOBAL", "projectPath": None, "createdTime": "2026-01-01T00:00:00Z"}
    ]
    vectors = [
        {
            "memoryId": "a1",
            "embeddingModel": "fake",
            "dimension": 64,
            "vector": [0.5] * 64,
            "updatedTime": "2026-01-01T00:00:00Z",
        }
    ]
    folder.mkdir(exist_ok=True)
    for name, value in (("long_term_memories.json", rows), ("memory_embeddings.json", vectors)):
        data = _mutated_json(json.dumps(value).encode(), chance)
        (folder / name).write_bytes(hostile.mutate(data, [data], chance) if chance.random() < 0.4 else data)
    command("memory", "import", folder, "--format", "smilecli", "--root", root)


def _import_transcript(root: Path, chance: random.Random, place: Place) -> None:
    lines = [
        {"role": "user", "content": "hello"},
        {
            "type": "assistant",
            "message": {
                "role": "assistant",
                "content": [{"type": "text", "text": "hi"}, {"type": "tool_use", "name": "x"}],
            },
        },
        {
            "timestamp": "2026-01-01T00:00:00Z",
            "payload": {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "a"}]},
        },
        {"payload": {"type": "function_call_output", "output": {"a": [1, None]}}},
    ]
    data = _mutated_json(b"\n".join(json.dumps(line).encode() for line in lines), chance)
    if chance.random() < 0.5:
        data = hostile.mutate(data, [data], chance)
    command("session", "append", "s", "--jsonl", "--root", root, stdin=data.decode("utf-8", "surrogateescape"))
    assert command("session", "show", "s", "--json", "--root", root)[0] in (0, 1, 2)


def _mutated_json(data: bytes, chance: random.Random) -> bytes:
    """Swap some values of JSON lines for values of other kinds, so that the lines stay JSON."""
    odd = (
        None,
        True,
        -1,
        10**30,
        1e308,
        "",
        "\x00",
        "\ud800",
        [],
        {},
        [[]],
        {"a": []},
        "x" * 9_000,
        "9999-99-99",
        0.5,
        ["a", 1],
        "NaN",
        float("nan"),
    )
    lines = []
    for line in data.split(b"\n"):
        try:
            value = json.loads(line)
        except ValueError:
            lines.append(line)
            continue
        for _ in range(chance.randint(0, 3)):
            value = _swapped(value, odd, chance)
        lines.append(json.dumps(value).encode())
    return b"\n".join(lines)


def _swapped(value: object, odd: tuple[object, ...], chance: random.Random) -> object:
    if isinstance(value, dict) and value and chance.random() < 0.9:
        key = chance.choice(list(value))
        return value | {key: _swapped(value[key], odd, chance)}
    if isinstance(value, list) and value and chance.random() < 0.9:
        at = chance.randrange(len(value))
        return [*value[:at], _swapped(value[at], odd, chance), *value[at + 1 :]]
    return chance.choice(odd)


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


TARGETS: dict[str, Callable[[random.Random, Place], None]] = {
    "parser": parse_case,
    "index": index_case,
    "question": question_case,
    "importer": import_case,
    "walk": walk_case,
}

if __name__ == "__main__":
    main()
