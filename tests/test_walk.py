"""The walk: what belongs to a repository, decided in one place and equal to what git says."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pathspec import GitIgnoreSpec
from pathspec.patterns.gitignore.base import GitIgnorePatternError

from codemem.errors import BadInput
from codemem.settings import Settings
from codemem.types import FileEntry, Skipped
from codemem.walk import decode, find_root, git_folders, main_worktree, preview, read_bytes, read_commit, walk
from codemem.walk.ignore import IgnoreRules, is_costly
from tests.permissions import bound_by_permissions

LIMIT = 2_000_000


def git(root: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false")
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    command = ["git", *identity, "-c", "init.defaultBranch=main", "-c", "protocol.file.allow=always", *arguments]
    return subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=True).stdout


def write(root: Path, files: dict[str, str | bytes]) -> None:
    for path, content in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content.encode() if isinstance(content, str) else content)


def walked(root: Path, **settings: object) -> set[str]:
    return {entry.path for entry in walk(root, Settings(**settings)).files}  # type: ignore[arg-type]


def reasons(root: Path) -> dict[str, str]:
    """Return path -> reason of everything skipped, by status or by content."""
    found = walk(root, Settings())
    skipped = list(found.skipped)
    skipped += [read for entry in found.files if isinstance(read := read_bytes(root, entry, LIMIT), Skipped)]
    return {skip.path: skip.reason for skip in skipped}


def listed_by_git(root: Path) -> set[str]:
    return {path for path in git(root, "ls-files", "-z", "-co", "--exclude-standard").split("\0") if path}


SOURCES = {"a.py": "a", "app/main.py": "b", "app/gen/out.py": "c", "packages/p/index.js": "d", "docs/x.md": "e"}


@pytest.mark.parametrize("with_git", [True, False], ids=["git", "no git"])
@pytest.mark.parametrize(
    ("ignores", "kept"),
    [
        ({}, {"a.py", "app/main.py", "app/gen/out.py", "packages/p/index.js", "docs/x.md"}),
        ({".gitignore": "/*\n!/app\n!/packages\n"}, {"app/main.py", "app/gen/out.py", "packages/p/index.js"}),
        ({".gitignore": "app/*\n!app/gen\n"}, {"a.py", "app/gen/out.py", "packages/p/index.js", "docs/x.md"}),
        ({".gitignore": "*.py\n", "app/.gitignore": "!main.py\n"}, {"app/main.py", "packages/p/index.js", "docs/x.md"}),
        (
            {".gitignore": "*.md\n", "app/.gitignore": "*.py\n", "app/gen/.gitignore": "!out.py\n"},
            {"a.py", "app/gen/out.py", "packages/p/index.js"},
        ),
        ({".gitignore": "app/\n!app/main.py\n"}, {"a.py", "packages/p/index.js", "docs/x.md"}),
        ({".gitignore": "**/gen/\r\ndocs/**\r\n"}, {"a.py", "app/main.py", "packages/p/index.js"}),
        (
            {".gitignore": "\ufeffa.py\n# docs\n\\#x\n"},
            {"app/main.py", "app/gen/out.py", "packages/p/index.js", "docs/x.md"},
        ),
    ],
)
def test_ignore_files_hold_as_git_reads_them(
    tmp_path: Path, with_git: bool, ignores: dict[str, str | bytes], kept: set[str]
) -> None:
    write(tmp_path, {**SOURCES, **ignores})
    if with_git:
        git(tmp_path, "init")
        assert walked(tmp_path) == listed_by_git(tmp_path)
    assert {path for path in walked(tmp_path) if not path.endswith("ignore")} == kept


@pytest.mark.parametrize("with_git", [True, False], ids=["git", "no git"])
def test_own_ignore_files_narrow_nest_and_negate(tmp_path: Path, with_git: bool) -> None:
    write(tmp_path, {**SOURCES, ".codememignore": "docs/\n*.js\ngen\n", "packages/.codememignore": "!index.js\n"})
    write(tmp_path, {".prettierignore": "*\n", ".dockerignore": "*\n"})
    if with_git:
        git(tmp_path, "init")
        write(tmp_path, {".git/info/exclude": ".codememignore\n"})
    assert {path for path in walked(tmp_path) if not path.endswith("ignore")} == {
        "a.py",
        "app/main.py",
        "packages/p/index.js",
    }


def test_tracked_files_count_though_ignored_and_excluded_ones_do_not(tmp_path: Path) -> None:
    git(tmp_path, "init")
    write(
        tmp_path, {".gitignore": "docs.md\n", "docs.md": "x", ".github/workflows/ci.yml": "on: push", "secret.py": "x"}
    )
    write(tmp_path, {".git/info/exclude": "secret.py\n"})
    git(tmp_path, "add", "-f", "docs.md")
    assert walked(tmp_path) == {".gitignore", "docs.md", ".github/workflows/ci.yml"}


def test_an_ignore_file_in_the_home_folder_has_no_effect(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    write(tmp_path, {".gitignore": "*\n", "plain/a.py": "a", "work/b.py": "b"})
    git(tmp_path / "work", "init")
    assert (walked(tmp_path / "plain"), walked(tmp_path / "work")) == ({"a.py"}, {"b.py"})


def test_variables_and_settings_of_git_do_not_lead_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, {"one/a.py": "a", "two/b.py": "b"})
    git(tmp_path / "one", "init")
    git(tmp_path / "two", "init")
    git(tmp_path / "one", "config", "core.worktree", str(tmp_path / "two"))
    git(tmp_path / "one", "config", "core.fsmonitor", f"touch {tmp_path}/ran; false")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "two/.git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "two/.git/nothing"))
    assert walked(tmp_path / "one") == {"a.py"}
    assert not (tmp_path / "ran").exists()


def test_links_loops_and_pipes_are_skipped_with_a_reason(tmp_path: Path) -> None:
    write(tmp_path, {"a/x.py": "x", "outside": "secret"})
    root = tmp_path / "a"
    (root / "loop").symlink_to("..")
    (root / "gone").symlink_to("nowhere")
    (root / "etc").symlink_to("/etc")
    (root / "again.py").symlink_to("x.py")
    (root / "self.py").symlink_to("self.py")
    (root / "ping").symlink_to("pong")
    (root / "pong").symlink_to("ping/x.py")
    os.mkfifo(root / "pipe")
    expected = {
        "loop": "symbolic link out of the repository",
        "gone": "symbolic link to nothing",
        "etc": "symbolic link out of the repository",
        "again.py": "symbolic link: its target is indexed where it stands",
        "self.py": "symbolic link to itself",
        "ping": "symbolic link to itself",
        "pong": "symbolic link to itself",
        "pipe": "special file (pipe, socket or device)",
    }
    assert (walked(root), reasons(root)) == ({"x.py"}, expected)
    git(root, "init")
    del expected["pipe"]  # git does not list pipes
    assert (walked(root), reasons(root)) == ({"x.py"}, expected)


def test_a_tracked_folder_replaced_by_a_link_is_not_followed(tmp_path: Path) -> None:
    root = tmp_path / "r"
    write(root, {"lib/a.py": "a", "b.py": "b"})
    git(root, "init")
    git(root, "add", ".")
    (root / "lib/a.py").unlink()
    (root / "lib").rmdir()
    write(tmp_path, {"other/a.py": "secret"})
    (root / "lib").symlink_to(tmp_path / "other")
    assert walked(root) == {"b.py"}


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.py", b"", ""),
        ("a.py", b"x = 1", ""),
        ("a.bin", b"ab\0cd", "binary"),
        ("a.pdf", b"%PDF-1.4 text", "binary: PDF"),
        ("noise", bytes(range(1, 256)) * 40, "binary"),
        ("utf16.cs", "class A {}".encode("utf-16"), ""),
        ("utf32.txt", b"\xff\xfe\0\0a\0\0\0", ""),
        ("big.psd", b"version https://git-lfs.github.com/spec/v1\n", "pointer of git LFS: the content is not here"),
        ("app.min.js", b"a()", "minified, by its name"),
        ("app.js.map", b"{}", "generated: source map"),
        ("yarn.lock", b"a", "generated: lock file of a package manager"),
        ("bundle.js", b"function a(){return 1};" * 400, "minified or encoded: lines of up to 9,200 characters"),
        (
            "bundle.js",
            b"/* licence */\n" * 30 + b"let a=f(1);" * 4_000,
            "minified or encoded: lines of up to 44,000 characters",
        ),
        ("code.py", b"x = 1\n" * 200 + b"data = '" + b"QUJD" * 9_000 + b"'\n", ""),
        ("icon.ts", b"export function draw() {\n  paint(ICON);\n}\nconst ICON = '" + b"QUJD" * 9_000 + b"';\n", ""),
        ("table.c", b"int at(int i) {\n  return T[i];\n}\nint T[] = {" + b"0x1f,12," * 2_500 + b"};\n", ""),
        ("query.cs", b"class QueryTest {\n}\n" * 20 + b'var sql = @"' + b"(SELECT([a].[b])UNION(" * 900 + b'";\n', ""),
        ("notes.txt", b"What was said\nand decided\nabout the picture\n" + b"QUJD" * 9_000 + b"\n", ""),
        (
            "icon.ts",
            b"/*\n Licence:\n one\n two\n*/\n// three\nexport const ICON = '" + b"QUJD" * 9_000 + b"';\n",
            "minified or encoded: lines of up to 36,023 characters",
        ),
        (
            "drawing.svg",
            b"<svg>\n<g>\n<path/>\n</g>\n<path d='" + b"1.2L3.4" * 900 + b"'/>\n</svg>\n",
            "minified or encoded: lines of up to 6,312 characters",
        ),
        (
            "wrapped.js",
            b"(function (root, make) {\n  root.lib = make();\n}(this, function () {\n"
            + b"let a=f(1);" * 2_000
            + b"\nreturn a;\n}));\n",
            "minified or encoded: lines of up to 22,000 characters",
        ),
        ("prose.md", b"Some words of a text that is one line. " * 100, ""),
        ("prose.txt", "注文を作成する".encode() * 500, ""),
        ("latin1.py", b"# caf\xe9\ndef a(): pass\n", ""),
        ("big.py", b"#" * (LIMIT + 1), "too large: 2,000,001 bytes, the limit is 2,000,000 (max_file_bytes)"),
        ("nested.pb.go", b"// Code generated by protoc-gen-go. DO NOT EDIT.\npackage a\n", ""),
    ],
)
def test_each_file_is_indexed_or_skipped_with_this_reason(
    tmp_path: Path, name: str, content: bytes, reason: str
) -> None:
    write(tmp_path, {name: content})
    assert reasons(tmp_path) == ({name: reason} if reason else {})


def test_an_unreadable_file_is_skipped_until_it_can_be_read(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "a"})
    (tmp_path / "a.py").chmod(0)
    with bound_by_permissions():
        assert reasons(tmp_path) == {"a.py": "unreadable: permission denied"}
    (tmp_path / "a.py").chmod(0o600)
    assert reasons(tmp_path) == {}


def test_a_file_that_became_a_link_or_vanished_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "a.py").symlink_to("/etc/hostname")
    entry = FileEntry("a.py", 1, 0, 0)
    assert read_bytes(tmp_path, entry, LIMIT) == Skipped("a.py", "symbolic link")
    assert read_bytes(tmp_path, FileEntry("b.py", 1, 0, 0), LIMIT) == Skipped(
        "b.py", "unreadable: no such file or directory"
    )


@pytest.mark.parametrize("with_git", [True, False], ids=["git", "no git"])
def test_strange_names_are_kept_or_named(tmp_path: Path, with_git: bool) -> None:
    with_newline, with_tab, invalid = "two\nlines.py", "H 100644 x\ty.py", b"bad\xff.py"
    write(tmp_path, {with_newline: "a", with_tab: "b", "? x.py": "c", "été.py": "d"})
    with open(os.fsencode(tmp_path) + b"/" + invalid, "wb") as file:  # noqa: PTH123  a Path cannot say this name
        file.write(b"e")
    if with_git:
        git(tmp_path, "init")
        git(tmp_path, "add", with_newline)
    assert walked(tmp_path) == {with_newline, with_tab, "? x.py", "été.py"}
    assert reasons(tmp_path) == {"bad\\xff.py": "name is not valid UTF-8"}


def test_submodules_and_nested_repositories_stay_out_unless_asked_for(tmp_path: Path) -> None:
    write(tmp_path, {"lib/inner.py": "i", "root/a.py": "a", "root/clone/c.py": "c", "root/ignored/x.py": "x"})
    for name in ("lib", "root", "root/clone", "root/ignored"):
        git(tmp_path / name, "init")
        git(tmp_path / name, "add", *(["."] if name != "root" else ["a.py"]))
        git(tmp_path / name, "commit", "-m", "one")
    root = tmp_path / "root"
    git(root, "submodule", "add", str(tmp_path / "lib"), "sub")
    write(root, {".gitignore": "ignored/\n"})
    assert walked(root) == {"a.py", ".gitmodules", ".gitignore"}
    assert reasons(root) == {
        "clone/": "nested repository: index it by itself, or set submodules = true",
        "sub/": "submodule: index it by itself, or set submodules = true",
    }
    assert walked(root, submodules=True) == {"a.py", ".gitmodules", ".gitignore", "clone/c.py", "sub/inner.py"}
    assert find_root(root / "sub") == (root / "sub").resolve()


def test_a_folder_of_repositories_takes_each_as_its_git_lists_it(tmp_path: Path) -> None:
    write(
        tmp_path,
        {"one/a.py": "a", "one/.gitignore": "b.py\n", "one/b.py": "b", "loose.py": "c", "node_modules/m.js": "m"},
    )
    git(tmp_path / "one", "init")
    assert walked(tmp_path) == {"one/a.py", "one/.gitignore", "loose.py"}
    assert reasons(tmp_path) == {"node_modules/": "dependencies or caches of a tool"}


def test_a_linked_worktree_is_its_own_root_and_knows_its_parent(tmp_path: Path) -> None:
    main = tmp_path / "main"
    write(main, {"a.py": "a"})
    git(main, "init")
    git(main, "add", ".")
    git(main, "commit", "-m", "one")
    git(main, "worktree", "add", "nested", "-b", "side")
    assert walked(main) == {"a.py"}
    assert find_root(main / "nested") == (main / "nested").resolve()
    assert (main_worktree(main / "nested"), main_worktree(main)) == (main, None)
    assert walked(main / "nested") == {"a.py"}


def test_the_commit_is_read_without_git(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "a"})
    git(tmp_path, "init")
    folders = git_folders(tmp_path)
    assert folders is not None and read_commit(folders) == ""
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-m", "one")
    head = git(tmp_path, "rev-parse", "HEAD").strip()
    assert read_commit(folders) == head
    git(tmp_path, "pack-refs", "--all")
    assert read_commit(folders) == head
    git(tmp_path, "checkout", "--detach")
    assert read_commit(folders) == head


def test_the_root_is_the_work_tree_or_the_indexed_folder_above(tmp_path: Path) -> None:
    write(tmp_path, {"repo/a/b/c.py": "c", "plain/a/b/c.py": "c", "plain/.codemem/codemem.db": ""})
    git(tmp_path / "repo", "init")
    assert find_root(tmp_path / "repo/a/b") == tmp_path / "repo"
    assert find_root(tmp_path / "plain/a/b") == tmp_path / "plain"
    assert find_root(tmp_path) == tmp_path


def test_a_home_that_is_a_repository_is_not_the_root_of_what_lies_below(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    write(tmp_path, {"project/a.py": "a"})
    git(tmp_path, "init")
    assert find_root(tmp_path / "project") == tmp_path / "project"


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("missing", "there is no folder"),
        ("file.py", "is a file, not a folder"),
        ("", "is your home folder, not a repository"),
        ("/", "is the root of the file system, not a repository"),
        ("nul\0", "cannot use"),
    ],
)
def test_what_is_no_repository_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str, message: str
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    write(tmp_path, {"file.py": "x"})
    with pytest.raises(BadInput, match=message) as caught:
        find_root(tmp_path / place)
    assert caught.value.remedy


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"a\nb", "a\nb"),
        (b"a\r\nb\r\n", "a\nb\n"),
        (b"\xef\xbb\xbfa\r\nb", "a\nb"),
        (b"a\rb\r", "a\nb\n"),
        (b"a\rb\nc", "a b\nc"),
        ("é\r\nb".encode("utf-16"), "é\nb"),
        (b"\xfe\xff" + "é".encode("utf-16-be"), "é"),
        ("aé".encode("utf-32"), "aé"),
        (b"caf\xe9", "café"),
        (b"a\x0cb\xe2\x80\xa8c", "a\x0cb\u2028c"),
        (b"a\0b", "a b"),
        (b"", ""),
        (b"\xef\xbb\xbf", ""),
    ],
)
def test_text_is_decoded_with_plain_line_ends(data: bytes, text: str) -> None:
    assert decode(data) == text


@given(st.binary(max_size=300))
def test_decoding_never_fails_and_keeps_every_line(data: bytes) -> None:
    text = decode(data)
    assert "\r" not in text and "\0" not in text
    text.encode("utf-8")
    if not data.startswith((b"\xff\xfe", b"\xfe\xff")) and b"\n" in data:
        assert text.count("\n") == data.count(b"\n")


NAMES = ("a", "b", "ab", "a.b", "foo", "x y", "é")
SEGMENTS = st.lists(
    st.sampled_from(
        ["a", "b", "*", "?", "[ab]", "[!a]", "[^b]", "[a-c]", "\\a", "foo", ".", " ", "é", "[[:alpha:]]", "[]a]", "["]
    ),
    min_size=1,
    max_size=3,
).map("".join)
PATTERNS = st.builds(
    lambda negated, rooted, segments, folder: negated + rooted + "/".join(segments) + folder,
    st.sampled_from(["", "", "", "!"]),
    st.sampled_from(["", "/"]),
    st.lists(st.one_of(st.just("**"), SEGMENTS, st.sampled_from(NAMES)), min_size=1, max_size=3),
    st.sampled_from(["", "", "/"]),
)
TREES = st.lists(st.lists(st.sampled_from(NAMES), min_size=1, max_size=4).map("/".join), min_size=1, max_size=12)


@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    tree=TREES, ignores=st.lists(st.tuples(st.integers(0, 5), st.lists(PATTERNS, min_size=1, max_size=4)), max_size=3)
)
def test_any_ignore_files_give_the_set_that_git_gives(
    tmp_path_factory: pytest.TempPathFactory, tree: list[str], ignores: list[tuple[int, list[str]]]
) -> None:
    root = tmp_path_factory.mktemp("tree")
    for path in tree:
        if not any((root / path).parents[depth].is_file() for depth in range(path.count("/") + 1)):
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            if not (root / path).exists():
                (root / path).write_text("x")
    folders = sorted(path for path in (root, *root.rglob("*")) if path.is_dir())
    for place, lines in ignores:
        (folders[place % len(folders)] / ".gitignore").write_text("\n".join(lines) + "\n")
    without_git = walked(root)
    git(root, "init")
    assert without_git == listed_by_git(root)
    assert walked(root) == without_git
    git(root, "add", "--force", sorted(tree)[0].split("/")[0])
    with_tracked = walked(root)
    with patch("codemem.walk.tree.list_files", side_effect=TimeoutError("too slow")):
        assert walked(root) == with_tracked == listed_by_git(root)


@given(pattern=PATTERNS.filter(lambda text: text.isascii() and "[" not in text), tree=TREES)
def test_one_pattern_matches_as_pathspec_says(pattern: str, tree: list[str]) -> None:
    try:
        spec = GitIgnoreSpec.from_lines([pattern])
    except GitIgnorePatternError:  # `! ` says nothing: git passes over such a line, and so do we
        spec = GitIgnoreSpec.from_lines([])
    rules = IgnoreRules().extended(pattern, "")
    for path in tree:
        if path.isascii() and not pattern.endswith("/"):
            parents = [path[:end] for end in range(len(path)) if path[end] == "/"]
            ours = any(rules.ignores(parent, True) for parent in parents) or rules.ignores(path, False)
            assert ours == spec.match_file(path), (pattern, path)


def test_a_pattern_made_to_backtrack_ends_at_once() -> None:
    rules = IgnoreRules().extended("*a" * 40 + "b\n" + "**/*a*a/" * 30 + "b\n" + "a*" * 60 + "b/c\n", "")
    began = time.monotonic()
    for _ in range(100):
        assert not rules.ignores("/".join(["a" * 200] * 10), False)
    assert time.monotonic() - began < 5  # exponential would be centuries


HOSTILE = "*a*a*a*a*a*a*a*b\n"


def hostile_repository(root: Path, ignores: dict[str, str]) -> None:
    """Make a repository with names that git does not end on, tracked, ignored, excluded and nested files."""
    write(root, {"a" * 150 + "c": "", "a.py": "", "b.py": "", "out/kept.py": "", "out/gone.py": "", "local.py": ""})
    write(root, {"node_modules/m.js": "", "sub/deep/c.py": "", "inner/d.py": "", ".gitignore": "b.py\nout/\n"})
    git(root, "init")
    git(root / "inner", "init")
    git(root, "add", "-f", "out/kept.py")
    write(root, {".git/info/exclude": "/local.py\n", **ignores})


@pytest.mark.parametrize(
    "ignores",
    [{".gitignore": f"b.py\nout/\n{HOSTILE}"}, {"sub/.gitignore": HOSTILE, "sub/" + "a" * 150 + "c": ""},
     {".git/info/exclude": f"/local.py\n{HOSTILE}"}],
    ids=["at the root", "in a folder", "in the git folder"],
)  # fmt: skip
def test_patterns_that_git_does_not_end_on_are_applied_without_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ignores: dict[str, str]
) -> None:
    hostile_repository(tmp_path, ignores)
    monkeypatch.setattr("codemem.walk.git.QUICK_SECONDS", 0.2)
    found = walk(tmp_path, Settings())
    expected = {"a" * 150 + "c", "a.py", "out/kept.py", "sub/deep/c.py", ".gitignore"} | {
        path for path in ignores if not path.startswith(".git/")
    }
    assert {entry.path for entry in found.files} == expected
    assert {skip.path for skip in found.skipped} == {"inner/", "node_modules/"}
    assert [problem.message for problem in found.problems] == [
        "git ls-files took more than 0 s: ignore files were read without it"
    ]


def test_a_slow_listing_without_such_patterns_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hostile_repository(tmp_path, {})
    monkeypatch.setattr("codemem.walk.git.QUICK_SECONDS", 0.000001)
    found = walk(tmp_path, Settings())
    assert "node_modules/m.js" in {entry.path for entry in found.files} and not found.problems
    monkeypatch.setattr("codemem.walk.git.LISTING_SECONDS", 0.000001)
    found = walk(tmp_path, Settings())
    assert {"a.py", "out/kept.py"} < {entry.path for entry in found.files}
    assert [problem.message for problem in found.problems] == [
        "git ls-files took more than 0 s: ignore files were read without it"
    ]


@pytest.mark.parametrize(
    ("line", "costly"),
    [("*.py", False), ("**/*.[Cc]ache/*/x", False), ("*a*a*b", False), ("*a*a*a*a*b", True), ("**/*a*a/**/*b", True),
     ("# * * * * *", False), ("*****", False)],
)  # fmt: skip
def test_patterns_with_many_wildcards_are_suspected(line: str, costly: bool) -> None:
    assert is_costly(f"a\n{line}\n") == costly


@pytest.mark.parametrize(
    ("ignoring", "with_git", "reason"),
    [
        (".gitignore", True, "ignored: .gitignore:1 says *"),
        (".git/info/exclude", True, "ignored: .git/info/exclude:1 says *"),
        (".codememignore", True, "ignored: .codememignore excludes it"),
        (".gitignore", False, "ignored: .gitignore excludes it"),
        (".codememignore", False, "ignored: .codememignore excludes it"),
    ],
)
def test_f18_nothing_to_index_names_the_ignore_file_that_made_it_so(
    tmp_path: Path, ignoring: str, with_git: bool, reason: str
) -> None:
    if with_git:
        git(tmp_path, "init")
    write(tmp_path, {"a.py": "a", "src/b.py": "b", ignoring: "*\n"})
    found = preview(tmp_path, Settings())
    assert not found.files
    told = {one.path: one.reason for one in found.skipped}
    assert told["a.py"] == reason and len(told) <= 21
    write(tmp_path, {ignoring: "nothing\n"})
    assert all(not one.reason.startswith("ignored") for one in preview(tmp_path, Settings()).skipped)


LEGACY = {
    "创建订单，先冻结库存再核销优惠券": ("gbk", "gb18030"),
    "주문을 생성한다. 재고를 먼저 확인한다": ("euc_kr", "cp949"),
    "注文を作成する。在庫を先に確認する": ("euc_jp", "cp932"),
    "Создать заказ, сначала проверить остатки": ("cp1251", "koi8_r", "cp866"),
    "Größe des Straßenübergangs, schöne Grüße": ("latin-1",),
    "Créé à l'été: déjà vu, où çà": ("latin-1",),
    "¿Año? ¡Mañana, señor! não há opções, coração": ("latin-1",),
    "räksmörgås på ön, åäö ÅÄÖ": ("latin-1",),
}


@pytest.mark.parametrize(("said", "encoding"), [(said, one) for said, many in LEGACY.items() for one in many])
def test_p7_text_of_older_systems_is_read_by_the_shape_of_its_bytes(said: str, encoding: str) -> None:
    text = f"// {said}\nint makeOrder(void);\n"
    assert decode(text.encode(encoding)) == text


@pytest.mark.parametrize(
    ("head", "said", "encoding"),
    [
        ("# -*- coding: iso-8859-2 -*-", "zażółć gęślą jaźń", "iso8859_2"),
        ("# encoding: koi8-r", "да", "koi8_r"),
        ('<?xml version="1.0" encoding="Shift_JIS"?>', "注文", "cp932"),
        ("# vim: set fileencoding=cp1250 :", "żółw", "cp1250"),
    ],
)
def test_p7_a_declared_encoding_is_believed(head: str, said: str, encoding: str) -> None:
    assert decode(f"{head}\n{said}\n".encode(encoding)) == f"{head}\n{said}\n"


@pytest.mark.parametrize("head", ["# coding: rot13", "# coding: idna", "# coding: no-such", "# coding: shift_jis"])
def test_p7_what_a_declaration_cannot_mean_is_read_all_the_same(head: str) -> None:
    assert decode(head.encode() + b"\n# caf\xe9\n") == f"{head}\n# café\n"
