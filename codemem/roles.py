"""What part a file plays in its repository, told from its path alone: test, example, vendored, or plain source."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

Role = Literal["source", "test", "example", "vendored"]

TEST_FOLDERS = frozenset("test tests testing spec specs mocks e2e testdata test-data testutil testutils".split())
EXAMPLE_FOLDERS = frozenset(
    "example examples sample samples demo demos benchmark benchmarks bench benches docs_src playground playgrounds".split()
)
VENDORED_FOLDERS = frozenset(
    "vendor vendored third_party thirdparty third-party external externals node_modules deps bundled".split()
)
PROSE_EXTENSIONS = frozenset("adoc asciidoc htm html ipynb markdown md mdx org rdoc rst tex textile txt".split())
DATA_EXTENSIONS = frozenset(
    "cfg conf csv def ini json json5 jsonc jsonl lock plist properties toml tsv xml yaml yml".split()
)
_TEST_NAME = re.compile(
    r"[._-](?:test|tests|spec|specs)(?:[._-]|$)|^(?:test|tests|spec)_|^(?:test|tests|conftest|testing)$"
    r"|[a-z0-9](?:Test|Tests|TestCase|Spec|Specs|IT)$"
)
_SHIPPED_NAME = re.compile(r"^(?:test|tests|spec)_|^(?:test|tests|testing)$")
"""What a library calls so is what it offers to tests: `lib/minitest/test.rb`. Its own tests stand elsewhere."""
LIBRARY_FOLDER = "lib"
_BENCHMARK_NAME = re.compile(r"(?:^|[._-])(?:bench|benchmark|benchmarks)(?:[._-]|$)|[a-z0-9]Benchmarks?$")


@lru_cache(maxsize=1 << 16)
def file_role(path: str) -> Role:
    """Return the part that the file at `path` (relative, with `/`) plays.

    A folder decides before the name, vendored before test before example: a vendored test is vendored first.
    """
    *folders, name = path.split("/")
    lowered = {folder.lower().strip("_") for folder in folders}
    stem = name.rpartition(".")[0] or name
    if lowered & VENDORED_FOLDERS:
        return "vendored"
    if lowered & TEST_FOLDERS or any(_is_test_project(folder) for folder in folders):
        return "test"
    if _TEST_NAME.search(stem) and not (LIBRARY_FOLDER in folders and _SHIPPED_NAME.search(stem)):
        return "test"
    if lowered & EXAMPLE_FOLDERS or _BENCHMARK_NAME.search(stem):
        return "example"
    return "source"


def is_test(path: str) -> bool:
    """Say whether the file holds tests or what only tests use."""
    return file_role(path) == "test"


def may_be_test(path: str) -> bool:
    """Say whether a file is a test by a name that what is offered to tests bears as well: `testing.py`, `test_helpers.bash`."""
    stem = path.rpartition("/")[2].rpartition(".")[0]
    folders = path.split("/")[:-1]
    placed = {folder.lower().strip("_") for folder in folders} & TEST_FOLDERS or any(map(_is_test_project, folders))
    return is_test(path) and not placed and _SHIPPED_NAME.search(stem) is not None


def _is_test_project(folder: str) -> bool:
    """Recognise a folder that is a test project by its last word: `Shop.Tests`, `integration-tests`, `androidTest`."""
    return folder.endswith(("Test", "Tests")) or folder.lower().rpartition(".")[2].rpartition("-")[2] in TEST_FOLDERS


def is_prose(path: str) -> bool:
    """Say whether the file is written for reading, by its extension."""
    return path.rpartition(".")[2].lower() in PROSE_EXTENSIONS


def is_data(path: str) -> bool:
    """Say whether the file holds data or settings rather than code, by its extension."""
    return path.rpartition(".")[2].lower() in DATA_EXTENSIONS
