"""Overloads that only types tell apart: the definition that the language would choose, or an honest "ambiguous"."""

from __future__ import annotations

import pytest

from codemem.languages import detect_language
from codemem.parse import parse_file
from codemem.resolve import Session, facts_of, resolve_file, universe_of
from codemem.types import SourceFile

JAVA = """
class Shape {} class Circle extends Shape {} enum Color { RED } interface Task { void run(); }
class Desk {
  String name; Circle circle; int[] counts;
  void put(String s) {}
  void put(int i) {}
  void put(Shape s) {}
  void put(Color c) {}
  void put(Object o) {}
  void roll(long l) {}
  void roll(String... s) {}
  void hold(Task t) {}
  void hold(Shape s) {}
  void many(int[] a) {}
  void many(String[] a) {}
  void many(String a) {}
  Desk(String s) {}
  Desk(int i) {}
  void run(Shape shape, Object any, String... rest) { CALL }
}
"""
DEFAULTS = {
    "D.cs": (
        "public class Desk {\n  public void Put(string key) {}\n  public void Put(string key, int count = 1) {}\n"
        "  public void Cut(string key, bool deep = false) {}\n  public void Cut(int key) {}\n  public void Each() {}\n"
        "  public void Each(int depth = 1) {}\n  void Run(Desk s, object x) { CALL; }\n}\n"
    ),
    "D.kt": (
        "class Desk {\n  fun put(key: String) {}\n  fun put(key: String, count: Int = 1) {}\n  fun each() {}\n"
        "  fun each(depth: Int = 1) {}\n  fun run(s: Desk) { CALL }\n}\n"
    ),
}
KOTLIN = """
open class Shape
class Circle : Shape()
enum class Color { RED }
class Desk(val name: String) {
  fun put(s: String) {}
  fun put(i: Int) {}
  fun put(s: Shape) {}
  fun put(c: Color) {}
  fun named(left: Int) {}
  fun named(right: String) {}
  fun run(shape: Shape, any: Any) { CALL }
}
"""
CSHARP = """
class Shape {} class Circle : Shape {} enum Color { Red }
class Desk {
  string name; Circle circle;
  void Put(string s) {}
  void Put(int i) {}
  void Put(Shape s) {}
  void Put(Color c) {}
  void Put(object o) {}
  void Named(int left) {}
  void Named(string right) {}
  void run(Shape shape, bool flag) { CALL }
}
"""
CPP = """
class Shape {};
class Circle : public Shape {};
class Desk {
  int count;
  void put(const std::string& s) {}
  void put(int i) {}
  void put(double d) {}
  void put(const Shape& s) {}
  void run(Shape shape, double d) { CALL }
};
"""
SCALA = """
class Shape
class Circle extends Shape
class Desk(name: String) {
  def put(s: String): Unit = {}
  def put(i: Int): Unit = {}
  def put(s: Shape): Unit = {}
  def run(shape: Shape, any: Any): Unit = { CALL }
}
"""
SWIFT = """
class Shape {}
class Circle: Shape {}
class Desk {
  let name: String = ""
  func put(_ s: String) {}
  func put(_ i: Int) {}
  func put(_ s: Shape) {}
  func move(to place: Int) {}
  func move(by step: Int) {}
  func run(shape: Shape) { CALL }
}
"""
FORMS = {
    "Desk.java": JAVA, "Desk.kt": KOTLIN, "Desk.cs": CSHARP, "desk.cpp": CPP, "Desk.scala": SCALA, "Desk.swift": SWIFT,
}  # fmt: skip
AMBIGUOUS = "ambiguous"
ROWS = [
    ("Desk.java", 'put("x");', "String s"),
    ("Desk.java", "put(1);", "int i"),
    ("Desk.java", "put(circle);", "Shape s"),
    ("Desk.java", "put(shape);", "Shape s"),
    ("Desk.java", "put(new Circle());", "Shape s"),
    ("Desk.java", "put(Color.RED);", "Color c"),
    ("Desk.java", "put(any);", "Object o"),
    ("Desk.java", "put((String) any);", "String s"),
    ("Desk.java", "put(name);", "String s"),
    ("Desk.java", 'put("a" + any);', "String s"),
    ("Desk.java", "put(this);", "Object o"),
    ("Desk.java", "put(unknown());", AMBIGUOUS),
    ("Desk.java", "put(null);", AMBIGUOUS),
    ("Desk.java", "roll(1);", "long l"),
    ("Desk.java", 'roll("x");', "String... s"),
    ("Desk.java", "hold(() -> {});", "Task t"),
    ("Desk.java", "hold(circle);", "Shape s"),
    ("Desk.java", "many(counts);", "int[] a"),
    ("Desk.java", "many(rest);", "String[] a"),
    ("Desk.java", 'many("x");', "String a"),
    ("Desk.java", 'new Desk("x");', "Desk(String s)"),
    ("Desk.java", "new Desk(1);", "Desk(int i)"),
    ("Desk.java", "for (var s : rest) put(s);", "String s"),
    ("Desk.kt", 'put("x")', "s: String"),
    ("Desk.kt", "put(1)", "i: Int"),
    ("Desk.kt", "put(shape)", "s: Shape"),
    ("Desk.kt", "put(Circle())", "s: Shape"),
    ("Desk.kt", "put(name)", "s: String"),
    ("Desk.kt", "put(Color.RED)", "c: Color"),
    ("Desk.kt", "put(any)", AMBIGUOUS),
    ("Desk.kt", "named(right = other())", "right: String"),
    ("Desk.cs", 'Put("x");', "string s"),
    ("Desk.cs", "Put(1);", "int i"),
    ("Desk.cs", "Put(circle);", "Shape s"),
    ("Desk.cs", "Put(new Circle());", "Shape s"),
    ("Desk.cs", "Put(name);", "string s"),
    ("Desk.cs", "Put(Color.Red);", "Color c"),
    ("Desk.cs", "Named(right: Other());", "string right"),
    ("desk.cpp", 'put("x");', "const std::string& s"),
    ("desk.cpp", "put(1);", "int i"),
    ("desk.cpp", "put(1.5);", "double d"),
    ("desk.cpp", "put(d);", "double d"),
    ("desk.cpp", "put(count);", "int i"),
    ("desk.cpp", "put(shape);", "const Shape& s"),
    ("Desk.scala", 'put("x")', "s: String"),
    ("Desk.scala", "put(1)", "i: Int"),
    ("Desk.scala", "put(shape)", "s: Shape"),
    ("Desk.scala", "put(new Circle)", "s: Shape"),
    ("Desk.swift", 'put("x")', "_ s: String"),
    ("Desk.swift", "put(1)", "_ i: Int"),
    ("Desk.swift", "put(shape)", "_ s: Shape"),
    ("Desk.swift", "put(Circle())", "_ s: Shape"),
    ("Desk.swift", "put(name)", "_ s: String"),
    ("Desk.swift", "move(to: 1)", "to place: Int"),
    ("Desk.swift", "move(by: other())", "by step: Int"),
]


def chosen(path: str, call: str) -> str:
    """Return the signature of what the (last) call in `run` means, or its certainty."""
    content = FORMS[path].replace("CALL", call)
    parsed = parse_file(SourceFile(path, detect_language(path, content), content, ""))
    facts = facts_of(parsed)
    resolved = resolve_file(facts, Session(universe_of([facts])))
    signatures = {chunk.key: chunk.signature for chunk in parsed.chunks}
    at = next(index for index, chunk in enumerate(parsed.chunks) if chunk.name == "run" and chunk.calls)
    names = ("put", "roll", "hold", "many", "named", "move", "desk")
    last = [each for each in resolved.chunks[at].calls if each.callee.lower() in names][-1]
    return signatures[last.target] if last.target is not None else last.certainty


@pytest.mark.parametrize(("path", "call", "expected"), ROWS)
def test_the_arguments_types_choose_the_overload(path: str, call: str, expected: str) -> None:
    assert expected in chosen(path, call)


@pytest.mark.parametrize(
    ("path", "call", "expected"),
    [
        ("D.cs", 's.Put("a")', "Put 1"),
        ("D.cs", "s.Put(x.ToString())", "Put 1"),
        ("D.cs", 's.Put("a", 2)', "Put 2"),
        ("D.cs", "s.Cut(x)", "ambiguous"),
        ("D.cs", "s.Each()", "Each 0"),
        ("D.kt", 's.put("a")', "put 1"),
        ("D.kt", "s.each()", "each 0"),
    ],
)
def test_a_definition_that_needs_no_default_goes_before_one_that_does(path: str, call: str, expected: str) -> None:
    source = DEFAULTS[path].replace("CALL", call)
    facts = facts_of(parse_file(SourceFile(path, detect_language(path, source), source, "")))
    session = Session(universe_of([facts]))
    parameters = {chunk.key: chunk.parameters for chunk in facts.chunks}
    at = next(at for at, chunk in enumerate(facts.chunks) if chunk.name.lower() == "run")
    name = call.split("(")[0].partition(".")[2]
    found = next(each for each in resolve_file(facts, session).chunks[at].calls if each.callee == name)
    assert (
        f"{found.target.qualified_name[5:]} {parameters[found.target]}" if found.target else found.certainty
    ) == expected


def test_equal_calls_on_one_line_and_in_a_row_are_told_apart() -> None:
    assert "Shape s" in chosen("Desk.java", 'put("x"); other(); put(circle);')
    assert "String s" in chosen("Desk.java", 'put("x"); put("y");')
    assert chosen("Desk.java", 'put("x"); put(1);') == AMBIGUOUS  # one call ×2 with two meanings
