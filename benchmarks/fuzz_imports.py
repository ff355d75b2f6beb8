"""Cases of `benchmarks.fuzz` that import something: archives, memories, SmileCli folders, transcripts."""

from __future__ import annotations

import json
import random
from pathlib import Path

from benchmarks import hostile
from benchmarks.fuzz_cases import Place, command, small_store


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
