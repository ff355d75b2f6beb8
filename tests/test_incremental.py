"""Whatever is done to a repository, in whatever order: the refreshed index equals one built from nothing."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from test_freshness import SETTINGS
from test_walk import git, write

from codemem.indexing.freshness import check_freshness
from codemem.indexing.pipeline import refresh
from codemem.indexing.verification import verify
from codemem.store import open_store, store_path

NAMES = ("alpha", "beta", "gamma", "delta")
ERRORS = ("KeyError", "Lost", "Late")
PATHS = st.sampled_from(
    ["a.py", "b.py", "lib/a.py", "lib/c.py", "lib/deep/d.py", "gen/g.py", "notes.md", "data.txt", "pic.bin"]
)
NAME = st.sampled_from(NAMES)

SNIPPETS = st.one_of(
    st.builds("def {}():\n    return {}()\n".format, NAME, NAME),
    st.builds("def {}(x):\n    raise {}(x)\n".format, NAME, st.sampled_from(ERRORS)),
    st.builds("def {}():\n    try:\n        {}()\n    except {}:\n        return 1\n".format, NAME, NAME, st.sampled_from(ERRORS)),
    st.builds("from {} import {}\n\n\ndef {}():\n    {}()\n    {}()\n".format, st.sampled_from(["a", "b", "lib.a"]), NAME, NAME, NAME, NAME),
    st.builds("class {}:\n    def {}(self):\n        return self.{}()\n".format, st.sampled_from(["Shop", "Cart"]), NAME, NAME),
    st.builds("class {}({}):\n    def run(self, cart):\n        cart.{}()\n".format, st.sampled_from(["Shop", "Lost"]), st.sampled_from(["Cart", "Exception"]), NAME),
    st.builds("import {}\n\n\ndef use(item: {}):\n    item.{}()\n".format, st.sampled_from(["a", "lib.c"]), st.sampled_from(["Shop", "Cart"]), NAME),
    st.builds("{} = 1\n# {}\n".format, NAME, NAME),
)  # fmt: skip
TEXTS = st.lists(SNIPPETS, max_size=3).map("\n\n".join)
IGNORES = st.sampled_from(["", "gen/\n", "*.md\nlib/*\n!lib/a.py\n", "lib/deep\n*.txt\n"])


class Repository(RuleBasedStateMachine):
    """A person at work, with an index that is refreshed now and then."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.root = self.folder / "repository"
        self.branches = 1
        self.dirty = False

    def teardown(self) -> None:
        shutil.rmtree(self.folder)

    @initialize(first=TEXTS, second=TEXTS)
    def begin(self, first: str, second: str) -> None:
        write(self.root, {"a.py": first, "lib/c.py": second})
        git(self.root, "init", "-q")
        self.commit()
        refresh(self.root, SETTINGS)

    @rule(path=PATHS, text=TEXTS)
    def write_file(self, path: str, text: str) -> None:
        write(self.root, {path: text if path != "pic.bin" else text.encode() + b"\0"})
        self.dirty = True

    @rule(path=PATHS)
    def delete(self, path: str) -> None:
        (self.root / path).unlink(missing_ok=True)
        self.dirty = True

    @rule(old=PATHS, new=PATHS)
    def rename(self, old: str, new: str) -> None:
        if (self.root / old).exists():
            (self.root / new).parent.mkdir(parents=True, exist_ok=True)
            (self.root / old).replace(self.root / new)
            self.dirty = True

    @rule(one=PATHS, other=PATHS)
    def swap(self, one: str, other: str) -> None:
        if one != other and (self.root / one).exists() and (self.root / other).exists():
            first, second = (self.root / one).read_bytes(), (self.root / other).read_bytes()
            write(self.root, {one: second, other: first})
            self.dirty = True

    @rule(path=PATHS, text=TEXTS)
    def edit_unseen(self, path: str, text: str) -> None:
        """Rewrite a file with another of the same length and set its time back."""
        target = self.root / path
        if target.exists():
            old = target.stat()
            with target.open("r+b") as file:
                file.write(text.encode()[: old.st_size].ljust(old.st_size, b"\n"))
            os.utime(target, ns=(old.st_atime_ns, old.st_mtime_ns))
            self.dirty = True

    @rule(name=st.sampled_from([".gitignore", ".codememignore", "lib/.gitignore"]), text=IGNORES)
    def ignore(self, name: str, text: str) -> None:
        write(self.root, {name: text})
        self.dirty = True

    @rule()
    def commit(self) -> None:
        git(self.root, "add", "-A")
        git(self.root, "commit", "-q", "--allow-empty", "-m", "work")

    @rule()
    def branch(self) -> None:
        self.branches += 1
        git(self.root, "checkout", "-q", "-b", f"branch{self.branches}")

    @precondition(lambda self: self.branches > 1)
    @rule(number=st.integers(2, 9))
    def switch(self, number: int) -> None:
        self.commit()
        git(self.root, "checkout", "-q", f"branch{min(number, self.branches)}")
        self.dirty = True

    @rule()
    def stash(self) -> None:
        git(self.root, "stash", "-q", "--include-untracked")
        self.dirty = True

    @invariant()
    def incremental_equals_clean(self) -> None:
        if not self.dirty or not store_path(self.root).exists():
            return
        self.dirty = False
        refresh(self.root, SETTINGS)
        found = verify(self.root, SETTINGS)
        assert found.differences == []
        with open_store(store_path(self.root)) as store:
            assert check_freshness(self.root, SETTINGS, store).fresh


Repository.TestCase.settings = settings(
    max_examples=int(os.environ.get("CODEMEM_STATEFUL_EXAMPLES", "6")),
    stateful_step_count=int(os.environ.get("CODEMEM_STATEFUL_STEPS", "10")),
    deadline=None,
    derandomize="CODEMEM_STATEFUL_EXAMPLES" not in os.environ,
    suppress_health_check=list(HealthCheck),
)
TestRepository = Repository.TestCase
