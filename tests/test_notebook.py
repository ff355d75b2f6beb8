"""Notebooks: calls per cell, lines of the file, commands of the notebook, broken files."""

from __future__ import annotations

import json
from typing import Any

import pytest

from codemem.parse import parse_file
from codemem.resolve import Session, facts_of, resolve_file, universe_of
from codemem.types import Chunk, ParsedFile, SourceFile

OUTPUT = {
    "output_type": "display_data",
    "data": {"application/json": {"source": ["hidden()"]}, "text/plain": "hidden()"},
}


def code(source: object, **more: object) -> dict[str, object]:
    return {"cell_type": "code", "execution_count": 1, "metadata": {}, "outputs": [OUTPUT], "source": source} | more


def text(source: str) -> dict[str, object]:
    return {"cell_type": "markdown", "metadata": {}, "source": source.splitlines(keepends=True)}


def notebook(*cells: dict[str, object], indent: int | None = 1) -> str:
    document = {"cells": cells, "metadata": {"kernelspec": {"language": "python"}}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(document, indent=indent)


def parse(content: str) -> ParsedFile:
    return parse_file(SourceFile("a.ipynb", "jupyter", content, ""))


def calls(parsed: ParsedFile) -> dict[str, list[tuple[str, int]]]:
    return {each.name: [(call.callee, call.repeat) for call in each.calls] for each in parsed.chunks if each.calls}


def shown(content: str, chunk: Chunk) -> list[str]:
    lines = content.split("\n")
    return [json.loads(line.strip().rstrip(",")) for line in lines[chunk.start_line - 1 : chunk.end_line]]


def test_equal_calls_collapse_within_a_cell_only() -> None:
    cells = code(["plot(a)\n", "plot(a)"]), text("# Next\n"), code(["plot(a)"]), code(["plot(a)"])
    parsed = parse(notebook(*cells))
    assert calls(parsed) == {"cell 1": [("plot", 2)], "cell 3": [("plot", 1)], "cell 4": [("plot", 1)]}


def test_equal_lines_of_a_cell_each_have_their_row() -> None:
    content = notebook(code(["plot(a)\n", "plot(a)\n", "show()"]), code(["plot(a)\n", "show()"]))
    first, second = parse(content).chunks
    assert shown(content, first) == ["plot(a)\n", "plot(a)\n", "show()"]
    assert shown(content, second) == ["plot(a)\n", "show()"]


def test_a_source_in_one_string_stands_on_its_row() -> None:
    content = notebook(code("a = load()\nplot(a)"), code("plot(a)\nshow()"))
    rows = [number for number, line in enumerate(content.split("\n"), 1) if line.startswith('   "source"')]
    assert {call.line for chunk in parse(content).chunks if chunk.name == "cell 2" for call in chunk.calls} == {rows[1]}


def test_empty_cells_count_and_are_not_listed() -> None:
    parsed = parse(
        notebook(text(""), code([]), text("# Title\n"), {"cell_type": "raw", "source": ["kept\n"]}, code(["f()"]))
    )
    assert [each.qualified_name for each in parsed.chunks] == ["cell 3", "cell 4", "cell 5"]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("%matplotlib inline\n", ["after"]),
        ("  !pip install shop(1)\n", ["after"]),
        ("plot.line?\n", ["after"]),
        ("??plot\n", ["after"]),
        ("took = %timeit -o run()\n", ["after"]),
        ("%%time\n", ["after"]),
        ("%%bash\n", []),
        ("f(b % c(1))\n", ["c", "f", "after"]),
        ("x = '?'; ask('really?')\n", ["ask", "after"]),
    ],
)
def test_commands_of_the_notebook_are_no_code(line: str, found: list[str]) -> None:
    parsed = parse(notebook(code([line, "after()"])))
    assert [call.callee for chunk in parsed.chunks for call in chunk.calls] == found
    assert parsed.problems == ()


def test_outputs_are_not_read() -> None:
    assert calls(parse(notebook(code(["shown()"])))) == {"cell 1": [("shown", 1)]}


def test_broken_code_is_told_at_its_line_of_the_file() -> None:
    content = notebook(code(["fine()"]), code(["def (:\n", "x"]))
    line = next(number for number, text in enumerate(content.split("\n"), 1) if "def (" in text)
    [problem] = parse(content).problems
    assert problem.message.endswith(f"first line {line}")


@pytest.mark.parametrize("content", ['{"cells": [', "[1, 2]", '{"nbformat": 3, "worksheets": []}', '{"cells": 3}'])
def test_what_is_no_notebook_is_a_problem_and_stays_searchable(content: str) -> None:
    parsed = parse(content)
    assert [each.kind for each in parsed.chunks] == ["lines"]
    assert [each.message for each in parsed.problems] == ["not a notebook of version 4: indexed by lines"]


@pytest.mark.parametrize("odd", [{"cell_type": "code"}, {"cell_type": "code", "source": None}, {"source": [1, None]}])
def test_a_cell_without_source_costs_only_itself(odd: dict[str, Any]) -> None:
    assert calls(parse(notebook(odd, code(["ok()"])))) == {"cell 2": [("ok", 1)]}


def test_cells_call_what_they_import_and_what_other_cells_define() -> None:
    content = notebook(
        code(["from shop import load\n"]), code(["def clean(a):\n", "    return load(a)"]), code(["clean(1)"])
    )
    shop = facts_of(parse_file(SourceFile("shop.py", "python", "def load(path):\n    return path\n", "")))
    cells = facts_of(parse(content))
    resolved = resolve_file(cells, Session(universe_of([cells, shop])))
    targets = [call.target for chunk in resolved.chunks for call in chunk.calls]
    assert [(key.path, key.qualified_name) for key in targets if key] == [("shop.py", "load"), ("a.ipynb", "clean")]
