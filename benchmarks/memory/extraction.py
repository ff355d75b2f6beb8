"""After `session compact` nothing is lost: the share of LoCoMo's evidence turns that raw search still reaches.

    python -m benchmarks.memory.extraction LOCOMO_DEV.json

Every conversation becomes a session, one message a turn; it is compacted; then every turn that a question names as evidence is
looked for by its own words among the raw turns (top 5) and among all stored messages.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
from pathlib import Path
from typing import Any

from codemem.memory import open_memories
from codemem.sessions.compaction import compact_session
from codemem.sessions.conversation import append, read_all, search_turns, session_key
from codemem.sessions.importers import Imported
from codemem.tokens import count_tokens

EVIDENCE = re.compile(r"D:?(\d+):0*(\d+)")
TOP = 5


def turns(conversation: dict[str, Any]) -> list[tuple[str, str]]:
    """Return (turn id, text) in order."""
    found = []
    for number in range(1, 1 + sum(re.fullmatch(r"session_\d+", key) is not None for key in conversation)):
        for turn in conversation.get(f"session_{number}", ()):
            found.append(
                (turn["dia_id"], f"{turn['speaker']}: {turn['text']} {turn.get('blip_caption') or ''}".strip())
            )
    return found


def measure(sample: dict[str, Any]) -> tuple[int, int, int, int]:
    """Return (evidence turns, found by raw search, still stored, memories taken)."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        said = turns(sample["conversation"])
        with open_memories(root, write=True, home=root / "home") as stores:
            store = stores.of("project")
            messages = [Imported("user", text, source_id=identity) for identity, text in said]
            append(store, "default", stores.project_id, "main", messages, count_tokens)
            key, _ = session_key("default", stores.project_id, "main")
            kept = compact_session(stores, key, embedder=None)
            stored = {message.text for message in read_all(store, key)}
            text_of = dict(said)
            wanted = {
                f"D{session}:{turn}"
                for question in sample["qa"]
                for evidence in question["evidence"]
                for session, turn in EVIDENCE.findall(evidence)
            } & set(text_of)
            found = sum(
                any(
                    row.source_id == identity
                    for _, row, _ in search_turns(store, "default", stores.project_id, text_of[identity], TOP)
                )
                for identity in wanted
            )
            return len(wanted), found, sum(text_of[identity] in stored for identity in wanted), len(kept)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    rows = [measure(sample) for sample in json.loads(parser.parse_args().data.read_text("utf-8"))]
    wanted, found, stored, kept = (sum(column) for column in zip(*rows, strict=True))
    print(f"{wanted} evidence turns; {kept} memories taken")
    print(f"{found / wanted:.4f} in the top {TOP} of raw search, {stored / wanted:.4f} stored verbatim")


if __name__ == "__main__":
    main()
