"""Values that are of one of several types: what only one of them has is meant, what several have is said to be ambiguous."""

from __future__ import annotations

import pytest
from test_resolve import resolve, told

TYPESCRIPT = """class A { run() {} only() {} }
class B { run() {} other() {} }
class Base { shared() {} }
class C extends Base { own() {} }
class D extends Base {}
type Both = A | B
type Json = string | Json[] | A
function f(x: A | B, y: A | undefined, w: A | string, u: Both, j: Json, n: (A | B)[], h: A | HTMLElement, s: C | D, z: null | B) {
  CALL
}
class Holder {
  one: A | B
  make(): A | B { return this.one }
  go() { this.one.only(); this.make().run() }
}
"""
PYTHON = """from typing import Union
class A:
    def run(self): ...
    def only(self): ...
class B:
    def run(self): ...
def f(x: A | B, y: A | None, u: Union[A, B]):
    CALL
"""
PHP = """<?php
class A { public function run() {} public function only() {} }
class B { public function run() {} }
function f(A|B $x, A|null $y) { CALL; }
"""


@pytest.mark.parametrize(
    ("path", "call", "expected"),
    [
        ("u.ts", "x.only()", "resolved u.ts A#only"),
        ("u.ts", "x.run()", "ambiguous [A#run, B#run]"),
        ("u.ts", "y.run()", "resolved u.ts A#run"),
        ("u.ts", "w.run()", "resolved u.ts A#run"),
        ("u.ts", "u.other()", "resolved u.ts B#other"),
        ("u.ts", "u.run()", "ambiguous [A#run, B#run]"),
        ("u.ts", "j.only()", "resolved u.ts A#only"),
        ("u.ts", "for (const each of n) each.only()", "resolved u.ts A#only"),
        ("u.ts", "s.shared()", "resolved u.ts Base#shared"),
        # The foreign one may have it too.
        ("u.ts", "h.only()", "likely u.ts A#only"),
        ("u.ts", "const k = y ?? new B(); k.only()", "resolved u.ts A#only"),
        ("u.ts", "(y || z).run()", "ambiguous [A#run, B#run]"),
        ("u.ts", "(y || z).other()", "resolved u.ts B#other"),
        ("u.py", "x.only()", "resolved u.py A#only"),
        ("u.py", "x.run()", "ambiguous [A#run, B#run]"),
        ("u.py", "y.run()", "resolved u.py A#run"),
        ("u.py", "u.only()", "resolved u.py A#only"),
        ("u.php", "$x->only()", "resolved u.php A#only"),
        ("u.php", "$x->run()", "ambiguous [A#run, B#run]"),
        ("u.php", "$y->run()", "resolved u.php A#run"),
    ],
)
def test_a_call_on_one_of_several_types(path: str, call: str, expected: str) -> None:
    source = {"u.ts": TYPESCRIPT, "u.py": PYTHON, "u.php": PHP}[path].replace("CALL", call)
    assert told(resolve({path: source})[f"{path} f"][-1]) == expected


def test_fields_and_results_can_be_of_several_types() -> None:
    calls = resolve({"u.ts": TYPESCRIPT})["u.ts Holder#go"]
    assert [told(call) for call in calls] == [
        "resolved u.ts A#only",
        "resolved u.ts Holder#make",
        "ambiguous [A#run, B#run]",
    ]
