"""Compare the Python parsing with the `ast` module: definitions, lines, calls in evaluation order, exception facts.

    python -m benchmarks.oracles.python_ast [--limit N] [--show N] FOLDER…

Without folders the standard library is read. Prints one line of figures per folder and the first differences of each kind.
Rules of codemem that the oracle follows: decorators run in the enclosing definition; defaults and annotations belong to
the function; a name assigned at module or class level is a definition of its own; calls of unnamed callees (`f()()`) have
no name and are not counted.
"""

from __future__ import annotations

import argparse
import ast
import sys
import sysconfig
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from codemem.parse import parse_file
from codemem.types import SourceFile

DEFINITION_KINDS = ("function", "method", "class")
HOLDING = {"raises": 1, "assertRaises": 1, "assertRaisesRegex": 2}
"""Callees whose first argument names the errors that their block or call may fail with, and where what they call stands."""
MAXIMUM_DEPTH = 20_000
"""Frames for the deepest expression of the corpora (a sum of thousands of terms in sympy)."""
ANY = "?"
"""A type that the oracle does not judge: what a lower-case name refers to."""


@dataclass
class Truth:
    """What the ast module says about one definition."""

    kind: str
    first: int
    last: int
    calls: list[str] = field(default_factory=list)
    facts: list[tuple[str, int, str]] = field(default_factory=list)


@dataclass
class Tally:
    """Counts of one folder."""

    files: int = 0
    skipped: int = 0
    definitions: Counter[str] = field(default_factory=Counter)
    calls: Counter[str] = field(default_factory=Counter)
    facts: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)


class Reader(ast.NodeVisitor):
    """Walk a module in evaluation order and collect what each definition calls and raises."""

    def __init__(self, tree: ast.Module) -> None:
        self.found: dict[str, list[Truth]] = {"<module>": [Truth("module", 1, 0)]}
        self.names = ["<module>"]
        self.kinds = ["module"]
        self.current = self.found["<module>"][0]
        self.handlers: list[ast.ExceptHandler] = []
        for statement in tree.body:
            self.visit_scoped(statement, "constant")

    def visit_scoped(self, statement: ast.stmt, kind: str) -> None:
        """Visit a statement of a module or class body: an assignment to a name is a definition."""
        target = statement.targets[0] if isinstance(statement, ast.Assign) else getattr(statement, "target", None)
        if isinstance(statement, ast.Assign | ast.AnnAssign) and isinstance(target, ast.Name):
            with_name = self.qualified(target.id, kind)
            self.inside(with_name, kind, statement, [statement])
        else:
            self.visit(statement)

    def qualified(self, name: str, kind: str) -> str:
        if len(self.names) == 1:
            return name
        joint = "#" if self.kinds[-1] == "class" and kind != "class" else "."
        return f"{self.names[-1]}{joint}{name}"

    def inside(self, name: str, kind: str, node: ast.stmt, parts: Iterable[ast.AST]) -> None:
        first = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", ()))])
        truth = Truth(kind, first, node.end_lineno or 0)
        self.found.setdefault(name, []).append(truth)
        outer, handlers = self.current, self.handlers
        self.current, self.handlers = truth, []
        self.names.append(name)
        self.kinds.append(kind)
        for part in parts:
            if kind == "class" and isinstance(part, ast.stmt):
                self.visit_scoped(part, "field")
            else:
                self.visit(part)
        self.names.pop()
        self.kinds.pop()
        self.current, self.handlers = outer, handlers

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        for decorator in node.decorator_list:
            self.visit(decorator)
        kind = "method" if self.kinds[-1] == "class" else "function"
        arguments = sorted(_direct(node.args), key=_position)
        parts = [*getattr(node, "type_params", []), *arguments, *([node.returns] if node.returns else []), *node.body]
        self.inside(self.qualified(node.name, kind), kind, node, parts)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        for decorator in node.decorator_list:
            self.visit(decorator)
        heads = sorted([*node.bases, *node.keywords], key=_position)
        parts = [*getattr(node, "type_params", []), *heads, *node.body]
        self.inside(self.qualified(node.name, "class"), "class", node, parts)

    def visit_Call(self, node: ast.Call) -> None:
        self.visit(node.func)
        for argument in sorted([*node.args, *node.keywords], key=_position):
            self.visit(argument)
        if isinstance(node.func, ast.Name):
            self.current.calls.append(node.func.id)
        elif isinstance(node.func, ast.Attribute):
            self.current.calls.append(node.func.attr)

    def visit_With(self, node: ast.With | ast.AsyncWith) -> None:
        for item in node.items:
            if isinstance(item.context_expr, ast.Call):
                self.expected(item.context_expr)
        self.generic_visit(node)

    visit_AsyncWith = visit_With

    def visit_Expr(self, node: ast.Expr) -> None:
        call = node.value
        handed = call.args[HOLDING.get(_last(call.func), len(call.args)) :] if isinstance(call, ast.Call) else []
        if isinstance(call, ast.Call) and isinstance(
            *handed[:1] or (None,), ast.Name | ast.Attribute | ast.Lambda | ast.Call
        ):
            self.expected(call)
        self.generic_visit(node)

    def expected(self, call: ast.Call) -> None:
        """Note what a block or call is expected to fail with: `suppress(X)`, `pytest.raises(X)`, `assertRaises(X, f)`."""
        name = _last(call.func)
        for argument in call.args if name == "suppress" else call.args[:1] if name in HOLDING else ():
            for each in argument.elts if isinstance(argument, ast.Tuple) else [argument]:
                self.current.facts.append(("catch", each.lineno, _last(each)))

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self.in_order(node.test, node.body, node.orelse)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self.in_order(*sorted(_direct(node.args), key=_position), node.body)

    def visit_comprehension_of(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> None:
        for generator in node.generators:
            self.in_order(generator.iter, generator.target, *generator.ifs)
        self.in_order(*((node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt,)))

    visit_ListComp = visit_SetComp = visit_GeneratorExp = visit_DictComp = visit_comprehension_of

    def visit_Dict(self, node: ast.Dict) -> None:
        for key, value in zip(node.keys, node.values, strict=True):
            self.in_order(*([key] if key else []), value)

    def visit_Assign(self, node: ast.Assign) -> None:
        self.in_order(node.value, *node.targets)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        self.in_order(node.value)

    def visit_For(self, node: ast.For | ast.AsyncFor) -> None:
        self.in_order(node.target, node.iter, *node.body, *node.orelse)

    visit_AsyncFor = visit_For

    def visit_Raise(self, node: ast.Raise) -> None:
        self.current.facts.extend(self.raised(node))
        self.generic_visit(node)

    def raised(self, node: ast.Raise) -> Iterator[tuple[str, int, str]]:
        """Yield the facts of a raise statement: a bare one and one of a caught variable let the caught types out."""
        caught = None
        if node.exc is None:
            caught = self.handlers[-1] if self.handlers else None
            if caught is None:
                yield "propagate", node.lineno, ""
                return
        elif isinstance(node.exc, ast.Name):
            name = node.exc.id
            caught = next((each for each in reversed(self.handlers) if each.name == name), None)
        if caught is not None:
            for kind in dict.fromkeys(_last(each) for each in _types(caught)) or {"": None}:
                yield "propagate", node.lineno if node.exc is None else node.exc.lineno, kind
            return
        assert node.exc is not None
        yield "raise", node.exc.lineno, _raised_type(node.exc)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        kinds = _types(node)
        for each in kinds:
            self.current.facts.append(("catch", each.lineno, _last(each)))
        if node.type is None:
            self.current.facts.append(("catch", node.lineno, ""))
        if node.type is not None:
            self.visit(node.type)
        self.handlers = [*self.handlers, node]
        self.in_order(*node.body)
        self.handlers = self.handlers[:-1]

    def in_order(self, *nodes: ast.AST) -> None:
        for node in nodes:
            self.visit(node)


def _direct(arguments: ast.arguments) -> list[ast.AST]:
    """Return annotations and defaults of a parameter list."""
    named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    named.extend(each for each in (arguments.vararg, arguments.kwarg) if each)
    annotations = [each.annotation for each in named if each.annotation]
    return [*annotations, *arguments.defaults, *(each for each in arguments.kw_defaults if each)]


def _position(node: ast.AST) -> tuple[int, int]:
    return getattr(node, "lineno", 0), getattr(node, "col_offset", 0)


def _types(handler: ast.ExceptHandler) -> list[ast.expr]:
    if handler.type is None:
        return []
    return list(handler.type.elts) if isinstance(handler.type, ast.Tuple) else [handler.type]


def _last(node: ast.expr) -> str:
    if isinstance(node, ast.Name):
        return node.id
    return node.attr if isinstance(node, ast.Attribute) else ANY


def _raised_type(node: ast.expr) -> str:
    target = node.func if isinstance(node, ast.Call) else node
    name = _last(target)
    return name if name.lstrip("_")[:1].isupper() else ANY


def compare(path: Path, root: Path, tally: Tally) -> None:
    """Add the comparison of one file to the tally."""
    try:
        content = path.read_text(encoding="utf-8").replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(content)
    except (SyntaxError, ValueError, UnicodeDecodeError, RecursionError):
        tally.skipped += 1
        return
    tally.files += 1
    truth = Reader(tree).found
    parsed = parse_file(SourceFile(str(path.relative_to(root)), "python", content, ""))
    lines = content.split("\n")
    for chunk in parsed.chunks:
        if chunk.part == 0 and chunk.kind in (*DEFINITION_KINDS, "module", "field", "constant"):
            known = truth.get(chunk.qualified_name, [])
            if chunk.ordinal >= len(known):
                _differ(tally, tally.definitions, "extra", path, f"{chunk.kind} {chunk.qualified_name}~{chunk.ordinal}")
                continue
            expected = known[chunk.ordinal]
            if chunk.kind in DEFINITION_KINDS:
                first = chunk.start_line
                while first < chunk.end_line and lines[first - 1].lstrip().startswith("#"):
                    first += 1
                exact = (chunk.kind, first, chunk.end_line) == (expected.kind, expected.first, expected.last)
                where = f"{chunk.qualified_name} {first}-{chunk.end_line} for {expected.first}-{expected.last}"
                _differ(tally, tally.definitions, "exact" if exact else "lines", path, where)
            _compare_calls(chunk, expected, path, tally)
            _compare_facts(chunk, expected, path, tally)
    found = Counter((chunk.qualified_name, chunk.ordinal) for chunk in parsed.chunks if chunk.part == 0)
    for name, known in truth.items():
        for ordinal, each in enumerate(known):
            if (name, ordinal) not in found and (each.kind in DEFINITION_KINDS or each.calls or each.facts):
                _differ(tally, tally.definitions, "missing", path, f"{each.kind} {name}~{ordinal} line {each.first}")


def _compare_calls(chunk: object, expected: Truth, path: Path, tally: Tally) -> None:
    calls = [call.callee for call in chunk.calls for _ in range(call.repeat)]  # type: ignore[attr-defined]
    tally.calls["calls"] += len(expected.calls)
    if calls == expected.calls:
        tally.calls["exact"] += len(calls)
        return
    tally.calls["differing definitions"] += 1
    kind = "order" if Counter(calls) == Counter(expected.calls) else "set"
    same = next((at for at, (a, b) in enumerate(zip(calls, expected.calls, strict=False)) if a != b), -1)
    shown = f"{chunk.qualified_name}: {calls[same:][:6]} for {expected.calls[same:][:6]}"  # type: ignore[attr-defined]
    _differ(tally, tally.calls, kind, path, shown)


def _compare_facts(chunk: object, expected: Truth, path: Path, tally: Tally) -> None:
    found = Counter((each.role, each.line, each.type) for each in chunk.contract if each.source == "code")  # type: ignore[attr-defined]
    for role, line, kind in expected.facts:
        tally.facts["facts"] += 1
        match = next((each for each in found if each[:2] == (role, line) and kind in (ANY, each[2])), None)
        if match is None:
            _differ(tally, tally.facts, "missing", path, f"{chunk.qualified_name} {role} {kind} line {line}")  # type: ignore[attr-defined]
            continue
        tally.facts["exact"] += 1
        found[match] -= 1
        if not found[match]:
            del found[match]
    for each in found:
        _differ(tally, tally.facts, "extra", path, f"{chunk.qualified_name} {each}")  # type: ignore[attr-defined]


def _differ(tally: Tally, counter: Counter[str], kind: str, path: Path, text: str) -> None:
    counter[kind] += 1
    if kind != "exact":
        tally.differences.append(f"{kind}: {path}: {text}")


def main() -> int:
    """Read the folders of the command line."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folders", nargs="*", type=Path, default=[Path(sysconfig.get_path("stdlib"))])
    options.add_argument("--limit", type=int, default=0, help="files per folder, 0 for all")
    options.add_argument("--show", type=int, default=20, help="differences to print")
    chosen = options.parse_args()
    sys.setrecursionlimit(MAXIMUM_DEPTH)
    for folder in chosen.folders:
        tally = Tally()
        files = [path for path in sorted(folder.rglob("*.py")) if "site-packages" not in path.relative_to(folder).parts]
        for path in files[: chosen.limit or None]:
            compare(path, folder, tally)
        print(f"{folder}: {tally.files} files ({tally.skipped} not valid Python)")
        for name in ("definitions", "calls", "facts"):
            print(f"  {name}: " + ", ".join(f"{key} {count:,}" for key, count in sorted(getattr(tally, name).items())))
        for text in tally.differences[: chosen.show]:
            print("   ", text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
