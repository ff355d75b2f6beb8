"""Rows become the records that they were made of, whatever stands in them."""

from __future__ import annotations

import json

import pytest

from codemem.store.records import chunk_record, chunk_row, read_json
from codemem.types import Binding, Call, Chunk, ErrorFact, Guard

LINES = ["def f():", "    return g()"]
FULL = Chunk(
    path="a.py", language="python", kind="method", name="f", qualified_name="T#f", ordinal=2, start_line=1, end_line=2,
    signature="def f()", doc="Says.", text="\n".join(LINES), spans=((1, 2),), package="p", parent="T", names=("f", "g"),
    parameters=1, parameters_required=0, result="int", calls=(Call("g", None, 2, 1, 0, "", 1, (Guard(("E",), True, 3),)),),
    contract=(ErrorFact("raise", "E", "raise E", 2, "code"),), extends=("B",), bindings=(Binding("x", "int", 1),),
    modifiers=("async",), partial=True, part=0, content_hash="c", interface_hash="i",
)  # fmt: skip
BARE = Chunk("a.py", "python", "lines", "", "", 0, 1, 2, names=("",), spans=((1, 2),), text="\n".join(LINES))


@pytest.mark.parametrize("chunk", [FULL, BARE], ids=["full", "bare"])
def test_every_field_comes_back_in_its_place(chunk: Chunk) -> None:
    kind, name, names, qualified_name, ordinal, part, start, end, *rest = chunk_row(chunk, LINES)
    row = (
        1, chunk.path, chunk.language, chunk.package, kind, name, names, qualified_name, ordinal, part, start, end, *rest, 7
    )  # fmt: skip
    assert chunk_record(row, LINES)._asdict() == chunk._asdict()


@pytest.mark.parametrize("text", ["[]", '["a",1,null,true,1.5]', '{"a":[{}]}', " [1] ", '"\\u00e9"', "7"])
def test_json_is_read_as_everywhere(text: str) -> None:
    assert read_json(text) == json.loads(text)


@pytest.mark.parametrize("text", ["", "[1", "[1] x", "nothing", "[1,]"])
def test_what_is_no_json_is_refused_as_everywhere(text: str) -> None:
    with pytest.raises(json.JSONDecodeError):
        read_json(text)
