"""Handlers that tell types apart: which errors stay inside and which go on, from the source to the guards of a call."""

from __future__ import annotations

import pytest

from codemem.parse import parse_file
from codemem.types import SourceFile

FORMS = {
    "typescript": "function f() { try { a(); } catch (e) { %s } }",
    "python": "def f():\n    try:\n        a()\n    except Exception as e:\n        %s\n",
    "java": "class A { void f() { try { a(); } catch (Exception e) { %s } } }",
    "kotlin": "fun f() { try { a() } catch (e: Exception) { %s } }",
    "csharp": "class A { void f() { try { a(); } catch (Exception e) %s } }",
    "php": "<?php function f() { try { a(); } catch (\\Exception $e) { %s } }",
    "ruby": "def f\n  begin\n    a()\n  rescue StandardError => e\n    %s\n  end\nend\n",
}
KEPT, PASSED, AGAIN = "handles only X", "lets out only X", "lets out all"
ROWS = [
    ("typescript", "if (!(e instanceof X)) throw e;", KEPT),
    ("typescript", "if (e instanceof X) return; throw e;", KEPT),
    ("typescript", "if (e instanceof X) { log(e); } else { throw e; }", KEPT),
    ("typescript", "if (e instanceof X) throw e;", PASSED),
    ("typescript", "if (e instanceof X) { log(e); } throw e;", AGAIN),
    ("python", "if not isinstance(e, X):\n            raise", KEPT),
    ("python", "if isinstance(e, X):\n            return 1\n        raise", KEPT),
    ("python", "if isinstance(e, X):\n            log(e)\n        else:\n            raise", KEPT),
    ("python", "if isinstance(e, X):\n            raise", PASSED),
    ("python", "if isinstance(e, X):\n            raise e", PASSED),
    ("python", "if isinstance(e, X):\n            log(e)\n        raise", AGAIN),
    ("java", "if (!(e instanceof X)) throw e;", KEPT),
    ("java", "if (e instanceof X) { return; } throw e;", KEPT),
    ("java", "if (e instanceof X) throw e;", PASSED),
    ("java", "if (e instanceof X) { log(e); } throw e;", AGAIN),
    ("kotlin", "if (e !is X) throw e", KEPT),
    ("kotlin", "if (e is X) { return }\n throw e", KEPT),
    ("kotlin", "if (e is X) throw e", PASSED),
    ("csharp", "{ if (!(e is X)) throw; }", KEPT),
    ("csharp", "{ if (e is not X) throw; }", KEPT),
    ("csharp", "when (e is X) { }", KEPT),
    ("csharp", "{ if (e is X) throw; }", PASSED),
    ("csharp", "when (Ok()) { }", AGAIN),
    ("php", "if (!$e instanceof X) throw $e;", KEPT),
    ("php", "if ($e instanceof X) { return 1; } throw $e;", KEPT),
    ("php", "if ($e instanceof X) throw $e;", PASSED),
    ("ruby", "raise unless e.is_a?(X)", KEPT),
    ("ruby", "return if e.is_a?(X)\n    raise", KEPT),
    ("ruby", "raise e if e.is_a?(X)", PASSED),
    ("ruby", "raise if e.is_a?(X)", PASSED),
]


@pytest.mark.parametrize(("language", "body", "expected"), ROWS)
def test_what_a_handler_keeps_and_lets_out(language: str, body: str, expected: str) -> None:
    parsed = parse_file(SourceFile("sample", language, FORMS[language] % body, ""))
    function = next(chunk for chunk in parsed.chunks if chunk.name == "f")
    guards = next(call.guards for call in function.calls if call.callee == "a")
    known = [(guard.types, guard.rethrows) for guard in guards]
    rest = {"typescript": ("*",), "ruby": ("StandardError",)}.get(language, ("Exception",))
    wanted = {
        KEPT: [(("X",), False), (rest, True)],
        PASSED: [(("X",), True), (rest, False)],
        AGAIN: [(rest, True)],
    }[expected]
    if language == "typescript" and expected == KEPT:
        wanted = wanted[:1]  # what a handler without a type does not tell apart was never caught
    assert known == wanted
    assert not parsed.problems


def test_each_throw_names_the_types_of_its_own_comparison() -> None:
    body = "if (e instanceof X || e instanceof Y) throw e; if (e instanceof Z) throw e;"
    parsed = parse_file(SourceFile("sample", "typescript", FORMS["typescript"] % body, ""))
    facts = next(chunk for chunk in parsed.chunks if chunk.name == "f").contract
    assert [fact.type for fact in facts if fact.role == "propagate"] == ["X", "Y", "Z"]
