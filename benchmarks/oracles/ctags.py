"""A second opinion on definitions: universal-ctags over a repository, read beside what codemem finds.

Run by hand: `python -m benchmarks.oracles.ctags LANGUAGE DIRECTORY [--files N] [--show N]`.
Skips with a message when ctags is missing.

Two recalls are printed. The first is over all tags that look like a definition by their line alone. The second leaves out,
found or missed alike, what a written rule (RULES) shows to be no definition, and says how many by which rule:
  text       the line of the tag begins inside a string or a comment that began on an earlier line (whole trees only)
  cut        the name does not stand as a whole word on the line that ctags gives (it loses letters and counts lines wrong)
  nameless   there is no letter in it, it is a place in a table (`res[i]`), or made at compile time (`unquote`)
  result     Lua: what is assigned is what a call returns or a table, though a `function` stands on the line
  parameter  Kotlin: a "method" without `fun` before it is the parameter of a lambda
  local      Kotlin: a value inside the body of a function, lambda or initialiser (ctags leaves those of methods out itself)
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tree_sitter import Node, Parser

from codemem.languages import detect_language, load_grammar
from codemem.parse import parse_file
from codemem.types import ParsedFile, SourceFile

TITLES = {
    "bash": "Sh",
    "c": "C",
    "cpp": "C++",
    "csharp": "C#",
    "elixir": "Elixir",
    "go": "Go",
    "haskell": "Haskell",
    "kotlin": "Kotlin",
    "lua": "Lua",
    "ocaml": "OCaml",
    "php": "PHP",
    "ruby": "Ruby",
    "rust": "Rust",
}
"""Languages that both know, with the name ctags gives them."""
LINES = {
    "csharp": re.compile(
        r"^\s*(?:\[[^\]]*\]\s*)*(?:(?:public|private|protected|internal|static|readonly|const|abstract|sealed|partial|"
        r"override|virtual|async|unsafe|extern|new|event|required|volatile|ref|file|implicit|explicit)\s+)+(?!new\b)"
    ),
    "kotlin": re.compile(
        r"\b(?:fun|class|interface|object|typealias|const)\b|^\s*(?:private |internal |public )?va[lr]\b"
    ),
    "elixir": re.compile(r"^\s*(?:def|@)"),
}
"""What the line of a definition looks like: these parsers of ctags take calls, lambda parameters and constraints for one too."""
IGNORED = {
    "*": {"package", "packageName", "namespace", "header", "local", "parameter", "label", "unknown"},
    "bash": {"script", "heredoc", "alias"},
    "go": {"anonMember"},
    "elixir": {"implementation", "test"},
    "haskell": {"module", "constructor"},
    "kotlin": {"variable"},
    "ocaml": {"module", "Constructor", "RecordField"},
    "php": {"alias", "variable"},
    "ruby": {"module", "library"},
    "rust": {"module", "implementation"},
}
"""Kinds that are no chunk by design: namespaces and modules qualify names, heads and imports define nothing here."""
KEYWORDS = frozenset(("class", "deriving", "instance", "ref", "static_assert"))
"""Words that some parsers of ctags take for a name."""
CAPITALS = re.compile(r"^[A-Z][A-Z0-9_]+$")
"""A function of such a name is a macro that makes the head (`TEST(Suite, Name) {`): codemem names the argument instead."""
GUARD = re.compile(r"(_H|_H_|_H__|_HPP|_HPP_|_INCLUDED|_INC|_h|_h_)_*$")
"""An include guard, not a definition."""
SIZE_CAP = 1_000_000
"""Bytes of a file above which neither side is asked."""


@dataclass(frozen=True, slots=True)
class Tag:
    """One definition as ctags sees it."""

    path: str
    name: str
    line: int
    kind: str


@dataclass(slots=True)
class Comparison:
    """What was counted over the files of one language."""

    tags: Counter[str] = field(default_factory=Counter)
    missed: list[Tag] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    left_out_missed: int = 0
    files: int = 0
    lines: int = 0
    chunks: int = 0
    broken: int = 0
    seconds: float = 0.0


def main() -> int:
    """Compare and print recall by kind with samples of what is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("language", choices=sorted(TITLES))
    parser.add_argument("directory", type=Path)
    parser.add_argument("--files", type=int, default=2_000, help="look at the first N files by path")
    parser.add_argument("--show", type=int, default=30, help="print N definitions that only ctags has")
    options = parser.parse_args()
    if shutil.which("ctags") is None:
        print("skipped: ctags is not installed (Debian: universal-ctags)")
        return 0
    files = list(_files(options.directory, options.language))[: options.files]
    comparison = compare(options.directory, files, options.language)
    _report(options.language, options.directory, comparison, options.show)
    return 0


def compare(root: Path, files: Iterable[str], language: str) -> Comparison:
    """Parse every file with both and collect the tags that codemem has no definition for."""
    found = Comparison()
    files = list(files)
    tags: dict[str, list[Tag]] = {}
    for tag in _tags(root, files, language):
        tags.setdefault(tag.path, []).append(tag)
    for path in files:
        content = (root / path).read_text(encoding="utf-8", errors="replace")
        begin = time.perf_counter()
        parsed = parse_file(SourceFile(path, language, content, ""))
        found.seconds += time.perf_counter() - begin
        found.files += 1
        found.lines += parsed.lines
        found.chunks += len(parsed.chunks)
        found.broken += bool(parsed.problems)
        _compare_file(parsed, tags.get(path, []), Text(content, language), found)
    return found


def _compare_file(parsed: ParsedFile, tags: Iterable[Tag], text: Text, found: Comparison) -> None:
    defined: dict[str, list[tuple[int, int]]] = {}
    for chunk in parsed.chunks:
        if chunk.part == 0 and chunk.kind != "module":
            for name in {chunk.name, *chunk.names}:
                defined.setdefault(_plain(name), []).append((chunk.start_line, chunk.end_line))
    for tag in tags:
        missed = not any(start <= tag.line <= end for start, end in defined.get(_plain(tag.name), ()))
        reason = next((name for name in RULES.get(parsed.language, ()) if CHECKS[name](tag, text)), None)
        if reason is not None:
            found.left_out[reason] += 1
            found.left_out_missed += missed
            continue
        found.tags[tag.kind] += 1
        if missed:
            found.missed.append(tag)


class Text:
    """A file's lines and, on first use, its tree."""

    def __init__(self, content: str, language: str) -> None:
        self.content, self.language = content, language
        self.lines = content.split("\n")
        self._root: Node | None = None

    def line(self, number: int) -> str:
        """Return the line of that number, counted from 1."""
        return self.lines[number - 1] if 0 < number <= len(self.lines) else ""

    def around(self, number: int) -> Iterator[Node]:
        """Yield the nodes around the first character of a line, from the inside out."""
        if self._root is None:
            self._root = Parser(load_grammar(self.language).language).parse(self.content.encode()).root_node
        line = self.line(number)
        point = (number - 1, len(line) - len(line.lstrip()))
        node = self._root.descendant_for_point_range(point, point)
        while node is not None:
            yield node
            node = node.parent


def _in_text(tag: Tag, text: Text) -> bool:
    around = list(text.around(tag.line))
    if any(node.is_error for node in around):
        return False
    return any(TEXTS.search(node.type) and node.start_point[0] < tag.line - 1 for node in around)


def _is_cut(tag: Tag, text: Text) -> bool:
    return not re.search(rf"(?<!\w){re.escape(tag.name)}(?!\w)", text.line(tag.line))


def _is_nameless(tag: Tag, _text: Text) -> bool:
    plain = tag.name.rpartition(".")[2]
    return not re.search(r"[^\W\d_]", plain) or bool(PLACE.search(plain)) or plain == "unquote"


def _is_result(tag: Tag, text: Text) -> bool:
    line = text.line(tag.line)
    value = line[line.find(tag.name) + len(tag.name) :]
    return not (re.search(r"\bfunction\s+$", line[: line.find(tag.name)]) or FUNCTION_VALUE.match(value))


def _is_parameter(tag: Tag, text: Text) -> bool:
    return tag.kind == "method" and not re.search(r"\bfun\b", text.line(tag.line).partition(tag.name)[0])


def _is_local(tag: Tag, text: Text) -> bool:
    if tag.kind != "constant":
        return False
    around = (node.type for node in text.around(tag.line) if node.type in BODIES or node.type in MEMBERS)
    return next(around, "") in BODIES


TEXTS = re.compile(r"string|comment|heredoc|sigil|charlist")
"""Kinds of nodes that hold prose; code inside an interpolation begins no line of its own in practice."""
INDEX = re.compile(r"\[(['\"])(.+)\1\]$")
"""An index that is a string names what stands there."""
PLACE = re.compile(r"^[^\['\"]*\[(?!['\"])")
"""An index that is no string: a place in a table."""
FUNCTION_VALUE = re.compile(
    r"^['\"\]]*\s*=\s*(?:[^,{}()]*\b(?:or|and)\s+|[\w.:]*(?:wrap|throttle|debounce|memoize|once|cached?)\w*\((?:[\w.]+,\s*)?)?"
    r"function\b"
)
"""What is assigned is a function, one with a default or a condition before it, or one in a wrapper that returns it."""
BODIES = frozenset(
    ("block", "function_body", "lambda_literal", "anonymous_initializer", "getter", "setter", "when_expression")
)
MEMBERS = frozenset(("class_body", "enum_class_body", "source_file"))
CHECKS: dict[str, Callable[[Tag, Text], bool]] = {
    "text": _in_text,
    "cut": _is_cut,
    "nameless": _is_nameless,
    "result": _is_result,
    "parameter": _is_parameter,
    "local": _is_local,
}
RULES = {
    "elixir": ("text", "cut", "nameless"),
    "lua": ("text", "cut", "nameless", "result"),
    "kotlin": ("text", "cut", "nameless", "parameter", "local"),
}
"""Which rules speak for which language; only where all misses were read."""


def _plain(name: str) -> str:
    """Compare `operator ==`, `Foo.bar`, `Foo::bar` by their last part without blanks."""
    name = name.replace(" ", "").partition("(")[0]
    if name.startswith("operator"):
        return name
    if quoted := INDEX.search(name):
        name = quoted[2]
    return name.rpartition(":")[2].rpartition(".")[2].strip("`=?!'\"[]") or name


def _files(root: Path, language: str) -> Iterator[str]:
    for path in sorted(root.rglob("*")):
        if not path.is_file() or ".git" in path.parts or path.stat().st_size > SIZE_CAP:
            continue
        name = path.relative_to(root).as_posix()
        if detect_language(name) == language or (
            path.suffix == ".h" and detect_language(name, _head(path)) == language
        ):
            yield name


def _head(path: Path) -> str:
    with path.open(encoding="utf-8", errors="replace") as file:
        return file.read(4_000)


def _tags(root: Path, files: list[str], language: str) -> Iterator[Tag]:
    ignored = IGNORED["*"] | IGNORED.get(language, set())
    title = TITLES[language]
    command = ["ctags", "--output-format=json", "--fields=+neKP", f"--language-force={title}", "-f", "-", "-L", "-"]
    done = subprocess.run(
        command, input="\n".join(files), capture_output=True, text=True, errors="replace", cwd=root, check=True
    )
    for line in done.stdout.splitlines():
        if not line.startswith("{"):
            continue
        tag = json.loads(line)
        if (
            tag.get("_type") == "tag"
            and tag["kind"] not in ignored
            and not _artefact(tag)
            and _plausible(tag, language)
        ):
            yield Tag(tag["path"], tag["name"], tag.get("line", 0), tag["kind"])


def _plausible(tag: dict[str, str], language: str) -> bool:
    """Tell whether the tag's source line, as ctags quotes it, looks like a definition at all."""
    shape = LINES.get(language)
    if shape is None:
        return True
    line = tag.get("pattern", "").removeprefix("/^").replace("\\", "")
    before = line.partition(tag["name"])[0]
    if tag["kind"] in ("field", "method") and ("(" in before or "companion object" in line):
        return False
    return bool(shape.search(line)) and "." not in tag["name"] and "companion object" not in line


def _artefact(tag: dict[str, str]) -> bool:
    """Tell whether a tag names nothing a reader would look for: anonymous things, locals, guards, heads made by macros."""
    name, kind = tag["name"], tag["kind"]
    if (
        name in KEYWORDS
        or name.startswith(("__anon", "<", "AnonymousClass"))
        or (kind == "function" and name.endswith("="))
    ):
        return True
    if kind in ("constant", "variable", "object") and tag.get("scopeKind") in ("method", "function"):
        return True
    return (kind == "function" and bool(CAPITALS.match(name))) or (kind == "macro" and bool(GUARD.search(name)))


def _report(language: str, root: Path, found: Comparison, show: int) -> None:
    total, missed = sum(found.tags.values()), len(found.missed)
    every, lost = total + found.left_out.total(), missed + found.left_out_missed
    speed = found.lines / found.seconds if found.seconds else 0
    print(
        f"{language} {root.name}: {found.files} files, {found.lines} lines, {found.chunks} chunks, "
        f"{found.broken} files with a problem, "
        f"{speed:,.0f} lines/s; ctags {every} definitions, recall {1 - lost / every if every else 1:.4f}"
    )
    if found.left_out:
        reasons = ", ".join(f"{reason} {count}" for reason, count in found.left_out.most_common())
        print(
            f"  left out by rule {found.left_out.total()} ({found.left_out_missed} of them missed): {reasons}; "
            f"of {total} left, recall {1 - missed / total if total else 1:.4f}"
        )
    by_kind = Counter(tag.kind for tag in found.missed)
    for kind, count in found.tags.most_common():
        print(f"  {kind:16} {count:7} missed {by_kind[kind]:5}  recall {1 - by_kind[kind] / count:.4f}")
    step = max(1, missed // show) if show else 1
    for tag in found.missed[::step][:show]:
        print(f"    {tag.kind} {tag.name} {tag.path}:{tag.line}")


if __name__ == "__main__":
    sys.exit(main())
