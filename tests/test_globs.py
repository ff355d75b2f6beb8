"""`--path`: folders, files and globs, equal to a plain definition of them and never exponential."""

from __future__ import annotations

import re
import time
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codemem.retrieval.filters import path_matches


@pytest.mark.parametrize(
    ("pattern", "fits", "fits_not"),
    [
        ("src", ("src", "src/a.py", "src/b/c.py"), ("srcs/a.py", "lib/src/a.py")),
        ("./src/", ("src/a.py",), ("a.py",)),
        ("*.py", ("a.py", "b/c.py"), ("a.pyi", "b/c.txt")),
        ("src/*.py", ("src/a.py",), ("src/b/c.py", "lib/src/a.py")),
        ("src/**/*.py", ("src/a.py", "src/b/c/d.py"), ("lib/a.py", "srca.py")),
        ("**/gen", ("gen/a.py", "b/gen/a.py", "b/gen"), ("gens/a.py", "b/agen")),
        ("src/**", ("src/a.py", "src/b/c.py"), ("srcs/a.py",)),
        ("src/**/**/***/a.py", ("src/a.py", "src/b/c/a.py"), ("src/b/c/aa.py",)),
        ("src**.py", ("src.py", "src/a/b.py", "src_old/b.py"), ("lib/src.txt",)),
        ("a**/b", ("a/b", "ac/d/b", "a/c/b/x.py"), ("ab", "b")),
        ("t?st/[ab]*.py", ("test/a1.py", "tost/b.py"), ("test/c.py", "t/st/a.py")),
        ("src[!a]x.py", ("srcbx.py",), ("src/x.py", "srcax.py")),
        ("src[+-9]x.py", ("src1x.py",), ("src/x.py",)),
    ],
)
def test_a_pattern_fits_these_paths(pattern: str, fits: tuple[str, ...], fits_not: tuple[str, ...]) -> None:
    assert [path for path in (*fits, *fits_not) if path_matches(path, (pattern,))] == list(fits)


def fits_by_definition(pattern: str, path: str) -> bool:
    """Try every way a pattern can match, each state once."""
    pattern = pattern if "/" in pattern else f"**/{pattern}"
    tokens = re.findall(r"(?:(?<=/)|^)\*{2,}/|\*{2,}|.", pattern)

    @cache
    def fits(token: int, at: int) -> bool:
        if token == len(tokens):
            return at == len(path) or path[at] == "/"
        kind, here = tokens[token], path[at : at + 1]
        if len(kind) > 1 and kind.endswith("/"):
            starts = [at, *(end + 1 for end in range(at, len(path)) if path[end] == "/")]
            return any(fits(token + 1, start) for start in starts)
        if len(kind) > 1 or kind == "*":
            return fits(token + 1, at) or (bool(here) and (len(kind) > 1 or here != "/") and fits(token, at + 1))
        return bool(here) and (here == kind or (kind == "?" and here != "/")) and fits(token + 1, at + 1)

    return fits(0, 0)


PIECES = st.sampled_from(["*", "**", "**/", "/", "a", "b", "?"])
GLOBS = st.lists(PIECES, min_size=1, max_size=9).map(lambda parts: re.sub("/+", "/", "".join(parts)).rstrip("/"))
PATHS = st.lists(st.text("ab", min_size=1, max_size=4), min_size=1, max_size=4).map("/".join)


@settings(max_examples=1_000, deadline=None)
@given(GLOBS.filter(lambda pattern: "*" in pattern or "?" in pattern), PATHS)
def test_any_glob_fits_what_its_definition_says(pattern: str, path: str) -> None:
    assert path_matches(path, (pattern,)) == fits_by_definition(pattern, path)


@pytest.mark.parametrize(
    "pattern",
    ["*a" * 40 + "b", "**/*a*a/" * 30 + "b", "a*" * 60 + "b/c", "**a" * 60 + "b", "**/" * 60 + "*a" * 50 + "b", "?*" * 99 + "b"],
)  # fmt: skip
def test_a_glob_made_to_backtrack_ends_at_once(pattern: str) -> None:
    began = time.monotonic()
    for _ in range(100):
        assert not path_matches("/".join(["a" * 200] * 10), (pattern,))
    assert time.monotonic() - began < 5  # exponential would be centuries
