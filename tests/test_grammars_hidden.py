"""What a grammar cannot know is blanked before parsing, and the definitions around it are found in their places."""

from __future__ import annotations

import pytest

from codemem.languages import detect_language
from codemem.parse import parse_file
from codemem.types import SourceFile

ROWS = [
    ("cpp", "SHOP_NAMESPACE_BEGIN\nclass Order { int id; };\nSHOP_NAMESPACE_END\n", {"Order": 2, "Order#id": 2}),
    (
        "cpp",
        "class SHOP_EXPORT Order final : Base {\n  int total() { return 1; }\n};\n",
        {"Order": 1, "Order#total": 2},
    ),
    ("cpp", "struct Order {\n  int rows() SHOP_LIFETIME_BOUND { return 1; }\n};\n", {"Order": 1, "Order#rows": 2}),
    ("cpp", "SHOP_API int total(int a) { return a; }\n", {"total": 1}),
    ("cpp", "int total(Order* absl_nonnull order) { return 1; }\n", {"total": 1}),
    ("c", "SHOP_EXPORT const char *name(void) { return 0; }\n", {"name": 1}),
    ("c", "static int log_it(const char *text, ...) SHOP_PRINTF(1, 2);\nint total(void) { return 1; }\n", {"total": 2}),
    ("c", "SHOP_API(void) place(void) { pay(1); }\n", {"place": 1}),
    ("c", "static SHOP_PUBLIC(const char *)\nname(void)\n{\n  return 0;\n}\n", {"name": 1}),
    ("c", "int f(void) {\n  EACH(order) pay(order);\n  return 0;\n}\n", {"f": 1}),
    (
        "cpp",
        "API(int) total(int a) { return a; }\nShopAPI_FUNC(std::string) name(int a) { return {}; }\n",
        {"total": 1, "name": 2},
    ),
    ("csharp", "struct Line(int count)\n{\n    int Twice() { return count * 2; }\n}\n", {"Line": 1, "Line#Twice": 3}),
    (
        "rust",
        "cfg_rt! {\n    pub fn spawn() {\n        inner()\n    }\n\n    impl Order {\n        fn id(&self) {}\n    }\n}\n",
        {"spawn": 2, "Order#id": 7},
    ),
    (
        "rust",
        "mod a {\n    cfg_x! {\n        #[inline]\n        fn deep() {}\n    }\n}\nlazy_static! {\n    static ref X: u8 = 1;\n}\n",
        {"a.deep": 3},
    ),
    ("csharp", "public\n#if FAST\nref\n#endif\nstruct Line\n{\n    int Id;\n}\n", {"Line": 1, "Line#Id": 7}),
    ("haskell", "module A where\n#ifdef FAST\na = 1\n#else\nb = 2\n#endif\n", {"a": 3, "b": 5}),
    ("kotlin", "class Order { val id = 1 }\nclass Line\n", {"Order": 1, "Order#id": 1, "Line": 2}),
    ("kotlin", "context(scope: Scope)\nfun place() = 1\n", {"place": 2}),
    (
        "kotlin",
        "class Pool\nactual constructor(val size: Int) : Base() {\n    fun take() = 1\n}\n",
        {"Pool": 1, "Pool#take": 3},
    ),
    ("kotlin", "class Order {\n    var id: Int\n        @Internal set(value) { field = value }\n}\n", {"Order#id": 2}),
    ("java", "class A {\n  void f(String @Nullable ... names) {}\n  void g() {}\n}\n", {"A#f": 2, "A#g": 3}),
    ("java", "import module java.base;\nclass A {}\n", {"A": 2}),
    (
        "csharp",
        "class A {\n  int F(bool async) { if (async) { } return G(async, 1); }\n  int H() => 1;\n}\n",
        {"A#F": 2, "A#H": 3},
    ),
    ("csharp", "class A {\n  void F() { G([property, 1]); items?[0] = 1; }\n}\n", {"A#F": 2}),
    ("csharp", "class A {\n  T F<T>() where T : allows ref struct => G<T>();\n}\n", {"A#F": 2}),
    ("kotlin", 'fun f() {\n    val a = b\n    get("/") { h() }\n}\nfun g() = 1\n', {"f": 1, "g": 5}),
    ("kotlin", "fun f(a: Any) = when (a) {\n    is Order if a.open() -> 1\n    else -> 2\n}\n", {"f": 1}),
    ("kotlin", 'fun f() = g($$"a $b")\nfun h() = 1\n', {"f": 1, "h": 2}),
    ("kotlin", "context(log: Log) fun f() = 1\n", {"f": 1}),
    ("kotlin", "class A<T : Any> @Internal internal constructor(val id: T) {\n    fun f() = 1\n}\n", {"A#f": 2}),
    ("kotlin", "class A<T : Any>\n@Internal internal constructor(val id: T) {\n    fun f() = 1\n}\n", {"A#f": 3}),
    ("kotlin", "@A\n@B(x = 1)\n@C(\n    x\n)\npublic annotation class D\n\nclass E\n", {"D": 1, "E": 8}),
    ("kotlin", "fun f() = g(\n    a = b,\n    suspend = { c() }\n)\nfun h() = 1\n", {"f": 1, "h": 5}),
    ("kotlin", "class A<T : Any>\n@Internal\ninternal constructor(val id: T) {\n    fun f() = 1\n}\n", {"A#f": 4}),
    (
        "bash",
        'a() {\n\techo "${out:+${out};}1"\n}\nb() {\n\techo "${x:-a;b}"\n}\nc() { d; }\n',
        {"a": 1, "b": 4, "c": 7},
    ),
    ("python", "class A[T = int]:\n    def f(self): pass\n", {"A": 1, "A#f": 2}),
    ("typescript", 'export type * as orders from "./orders";\nexport class A {}\n', {"A": 2}),
    ("javascript", "class A {\n  accessor total = 1;\n  f() {}\n}\n", {"A#f": 3}),
    ("cpp", "SHOP_NODISCARD SHOP_INLINE void* take(int a) { return 0; }\n", {"take": 1}),
    ("c", "SHOP_SLOW_CALL order_t *take(int a) { return 0; }\n", {"take": 1}),
    (
        "cpp",
        "Order::Order(int a)\n#if SLIM\n    : Base() {\n#else\n    : Base(a) {\n#endif\n}\nint f() { return 1; }\n",
        {"f": 8},
    ),
    (
        "c",
        '#ifdef __cplusplus\nextern "C" {\n#endif\nint f(void);\nstruct order { int id; };\n#ifdef __cplusplus\n}\n#endif\n',
        {"order": 5},
    ),
    (
        "cpp",
        "enum : int { FIRST = 1 };\nenum class Kind { A, B [[deprecated]] };\nint f() { return 1; }\n",
        {"Kind": 2, "f": 3},
    ),
    (
        "cpp",
        "namespace pb = ::google::protobuf;\nextern template class Box<int>;\nint f() { return (this->*run)(1); }\n",
        {"f": 3},
    ),
    (
        "cpp",
        "#if SLIM\nvoid Order::clear(int a) {\n#else\nvoid Order::clear() {\n#endif\n  if (x) { y(); }\n}\nint f() { return 1; }\n",
        {"Order#clear": 2, "f": 8},
    ),
    (
        "c",
        "int f(int a) {\n#ifdef BIG\n  if (a) { big(); } else {\n#endif\n  small();\n#ifdef BIG\n  }\n#endif\n}\nint g() { return 1; }\n",
        {"f": 1, "g": 10},
    ),
    (
        "c",
        "int f(list *a) {\n  list_for_each(node, &a->head) {\n    if (node) { use(node); }\n  }\n}\nint g() { return 1; }\n",
        {"f": 1, "g": 6},
    ),
    (
        "csharp",
        "#if SLIM\nclass Order {\n#else\nclass Order : Base {\n#endif\n  int Id;\n}\nclass Line {}\n",
        {"Order": 2, "Line": 8},
    ),
    (
        "cpp",
        "class SHOP_EXPORT [[nodiscard]]\n    Order final : public Base {\n  int id;\n};\n",
        {"Order": 1, "Order#id": 3},
    ),
    (
        "cpp",
        "template <typename R, typename... A>\nclass SHOP_VIEW Ref<R(A...)> {\n  int id;\n};\n",
        {"Ref": 1},
    ),
    ("cpp", 'MATCHER_P(EqualsOrder, order, "") {\n  return true;\n}\nint f() { return 1; }\n', {"f": 4}),
    (
        "cpp",
        'SHOP_FLAG(int, retries, 3, "how often");\nextern template int g<1>(\n    int a);\nint f() { return 1; }\n',
        {"f": 4},
    ),
    (
        "cpp",
        "class A {\n  int id;\n  SHOP_DECLARE_MEMBER\n};\nint f(const ::B& b SHOP_ATTRIBUTE_BOUND) { return 1; }\n",
        {"A#id": 2, "f": 5},
    ),
    (
        "csharp",
        "#if INTERNAL\n    internal\n#else\n    public\n#endif\n    ref partial struct Line\n{\n    int Id;\n    public Line(int a) : this() { }\n}\n",
        {"Line": 2, "Line#Id": 8, "Line#Line": 9},
    ),
    (
        "swift",
        "func a() {\n  promise.succeed(())\n  other.resume(returning: ())\n  return ()\n}\nfunc b() {}\n",
        {"a": 1, "b": 6},
    ),
    ("swift", "func <<V: Value>(left: V, right: V) -> Bool { lt(left) }\nfunc b() {}\n", {"<": 1, "b": 2}),
    (
        "swift",
        "struct Desk {\n  func hand<T>(to desk: isolated (any Actor)?, _ body: () -> sending T) -> sending T { body() }\n}\n",
        {"Desk": 1, "Desk#hand": 2},
    ),
    (
        "kotlin",
        "class Repeater<\n    Output,\n    > : Book {\n    fun expects() {\n        assertFailsWith<Broken> { fail() }\n        val later = suspend { wait() }\n    }\n    fun next() {}\n}\n",
        {"Repeater": 1, "Repeater#expects": 4, "Repeater#next": 8},
    ),
    (
        "kotlin",
        "class Headers(override: Map<String, String>) {\n    fun all() = 1\n}\n",
        {"Headers": 1, "Headers#all": 2},
    ),
    (
        "java",
        "class A {\n  int f(Object o) {\n    return switch (o) {\n      case B b -> 1;\n      case null, default -> 2;\n    };\n  }\n  void g() {}\n}\n",
        {"A#f": 2, "A#g": 8},
    ),
    (
        "csharp",
        "class A {\n  void F() { Each((in Order each, string name) => each.Ship()); Some((in Order o) => 1); }\n  void G() {}\n}\n",
        {"A#F": 2, "A#G": 3},
    ),
]


@pytest.mark.parametrize(("language", "content", "expected"), ROWS)
def test_definitions_behind_what_the_grammar_does_not_know(
    language: str, content: str, expected: dict[str, int]
) -> None:
    parsed = parse_file(SourceFile("sample", language, content, ""))
    found = {chunk.qualified_name: chunk.start_line for chunk in parsed.chunks}
    assert {name: found.get(name) for name in expected} == expected
    assert not parsed.problems


def test_blanking_keeps_every_position() -> None:
    content = "class SHOP_EXPORT Order {\n  // é\n  int id SHOP_GUARDED_BY(lock_);\n};\n"
    parsed = parse_file(SourceFile("order.hpp", "cpp", content, ""))
    order = next(chunk for chunk in parsed.chunks if chunk.name == "Order")
    assert order.text == content.rstrip("\n")
    assert order.signature == "class SHOP_EXPORT Order"


def test_names_in_capitals_that_are_no_attributes_stay() -> None:
    content = "int f(int a) {\n  if (a) MUTEX_UNLOCK(b);\n  return MY_LOCK;\n}\nstatic int MAX_UNUSED = 5;\n"
    parsed = parse_file(SourceFile("lock.c", "c", content, ""))
    found = {chunk.name: chunk for chunk in parsed.chunks}
    assert [call.callee for call in found["f"].calls] == ["MUTEX_UNLOCK"]
    assert "MAX_UNUSED" in found


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("#include <stdio.h>\nstruct order { int id; };\nint total(struct order *order);\n", "c"),
        ("/* Orders of a class of their own, see namespace. */\nint total(void);\n", "c"),
        ("#pragma once\nnamespace shop {\nclass Order;\n}\n", "cpp"),
        ("#include <vector>\nint total(int count);\n", "cpp"),
        ("template <typename T>\nstruct Box { T value; };\n", "cpp"),
        ("struct Order {\n  virtual ~Order() = default;\n};\n", "cpp"),
    ],
)
def test_headers_show_which_language_they_are(content: str, expected: str) -> None:
    assert detect_language("order.h", content) == expected
