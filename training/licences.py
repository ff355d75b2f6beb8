"""Check the licence of every clone by its text and write repositories.toml: name, commit, licence, use.

python -m training.licences --clones DIR NAME... [--prose NAME...]
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from training.clones import git_folder, head_commit, list_blobs, read_blobs

LICENCE_FILE = re.compile(r"^(?:licenses/[\w.-]+|(?:[\w-]+/)?(?:mit-)?(?:licen[cs]e|copying)[\w.-]*)$", re.IGNORECASE)
PERMISSIVE = (
    ("Apache-2.0", r"Apache License,?\s+Version 2\.0|Apache2开源协议"),
    ("BSL-1.0", r"Boost Software License"),
    (
        "PostgreSQL",
        r"Permission to use, copy, modify, and distribute this software and its documentation for any purpose, without fee",
    ),
    ("ISC", r"Permission to use, copy, modify, and/?(?:or)? ?distribute this software for any purpose"),
    ("BSD", r"Redistribution and use in source and binary forms"),
    ("MIT", r"Permission is hereby granted, free of charge, to any person obtaining"),
    ("MPL-2.0", r"Mozilla Public License,? [Vv]ersion 2\.0"),
)
FORBIDDEN = re.compile(
    r"GNU (?:Affero |Lesser )?General Public|Commons Clause|Business Source|Server Side Public|NonCommercial", re.I
)


def licence_of(folder: Path, commit: str) -> str:
    """Return the name of a permissive licence, several joined by ` OR `, or "" when none is recognised.

    A file that holds a copyleft text is passed over: it counts only where another file offers a permissive choice.
    """
    found: list[str] = []
    blobs = [blob for blob in list_blobs(folder, commit) if LICENCE_FILE.match(blob.path)]
    top = [blob for blob in blobs if "/" not in blob.path] or blobs
    for _, text in read_blobs(folder, top):
        flat = " ".join(text.split())
        if FORBIDDEN.search(flat[:2000]):
            continue
        name = next((name for name, pattern in PERMISSIVE if re.search(pattern, flat)), "")
        if name and name not in found:
            found.append(name)
    return " OR ".join(sorted(found))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clones", type=Path, required=True)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--prose", nargs="*", default=[])
    arguments = parser.parse_args()
    rows = []
    uses = dict.fromkeys(arguments.names, "code") | dict.fromkeys(arguments.prose, "prose")
    for name, use in sorted(uses.items(), key=lambda item: item[0].lower()):
        folder = git_folder(arguments.clones, name)
        commit = head_commit(folder)
        licence = licence_of(folder, commit)
        if licence:
            rows.append(f'[[repository]]\nname = "{name}"\ncommit = "{commit}"\nlicence = "{licence}"\nuse = "{use}"\n')
        else:
            print(f"left out, no permissive licence recognised: {name}")
    target = Path(__file__).parent / "repositories.toml"
    head = "# Repositories that the bundled model is trained on; written by licences.py from the licence files of these commits.\n"
    target.write_text(head + "\n" + "\n".join(rows), encoding="utf-8")
    print(f"{len(rows)} repositories in {target}")


if __name__ == "__main__":
    main()
