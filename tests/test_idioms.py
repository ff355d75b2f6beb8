"""Where calls lead that are written as people write them today: each idiom a small source, each call with its answer."""

from __future__ import annotations

import pytest
from test_resolve import resolve, told

from codemem.parse import parse_file
from codemem.types import SourceFile

GO = {
    "page/page.go": "package page\n\ntype Page struct{}\n\nfunc Parse(n int) (Page, error) { return Page{}, nil }\nfunc (p Page) Size() int { return 1 }\n",
    "main.go": (
        'package main\n\nimport "example.com/shop/page"\n\ntype Audit struct{}\n\nfunc (a *Audit) Note() {}\n\ntype Order struct{ audit *Audit }\n\n'
        "func (o *Order) Close() {}\n\nfunc run(first any, orders chan *Order, byName map[string]*Order, list []Order) {\n"
        "\tpage, err := page.Parse(1)\n\tpage.Size()\n"
        "\ta := first.(*Audit)\n\ta.Note()\n"
        "\tb, _ := first.(*Order)\n\tb.Close()\n"
        "\tswitch kind := first.(type) {\n\tcase *Audit:\n\t\tkind.Note()\n\tcase *Order:\n\t\tkind.Close()\n\t}\n"
        "\tc := <-orders\n\tc.Close()\n"
        '\td, ok := byName["x"]\n\td.Close()\n'
        "\te := new(Order)\n\te.Close()\n"
        '\tf := make(map[string]*Order)\n\tf["x"].Close()\n'
        "\tg := &list[0]\n\tg.Close()\n"
        "\tselect {\n\tcase h := <-orders:\n\t\th.Close()\n\t}\n}\n"
    ),
}
MODULES = {
    "go.mod": "module example.com/shop/v2\n\ngo 1.22\n",
    "shop.go": "package shop\n\ntype DB struct{}\n\nfunc Open() (db *DB, err error) { return }\nfunc (db *DB) Where(n int) (tx *DB) { return }\nfunc (db *DB) Save() error { return nil }\n",
    "errors/errors.go": 'package errors\n\nimport "errors"\n\nfunc New(text string) error { return errors.New(text) }\n',
    "tools/tools.go": "package tools\n\ntype Kit struct{ Pick bool }\n\nfunc Pick[T any](n int) (T, error) { return nil, nil }\nfunc (k Kit) Use() {}\n",
    "api/api.go": (
        'package api\n\nimport (\n\t"example.com/shop/v2"\n\tfailures "example.com/shop/v2/errors"\n\t"example.com/other/tools"\n\tstd "errors"\n\n\t. "example.com/shop/v2/tools"\n)\n\n'
        'type Label string\n\nfunc (l Label) Show() {}\n\nconst title Label = "x"\n\n'
        "type Base[T any] interface { Walk() }\ntype Deep[T any] interface {\n\tBase[T]\n\tDive()\n}\n\n"
        "func run(given error, deep Deep[int], handlers []func(int), i int) {\n"
        "\tdb, err := shop.Open()\n\tdb.Where(1).Save()\n"
        '\tfailures.New("x")\n\tstd.New("x")\n\ttools.Pick(1)\n'
        "\tKit{Pick: true}.Use()\n\t(&Kit{}).Use()\n\tgiven.(*shop.DB).Save()\n"
        "\tpicked, err := Pick[*shop.DB](1)\n\ttitle.Show()\n\tdeep.Walk()\n\thandlers[i](1)\n"
        "\tfor _, kit := range []Kit{} {\n\t\tkit.Use()\n\t}\n}\n"
        "func twice(first []Kit, second []Label) {\n\tfor _, each := range first {\n\t\teach.Use()\n\t}\n\tfor _, each := range second {\n\t\teach.Use()\n\t}\n}\n"
        "func inner(deep bool) {\n\tadd := func() {}\n\tadd()\n\tif deep {\n\t\tadd := func() {}\n\t\tadd()\n\t}\n}\n"
    ),
}
MOCKED = {
    "src/main/shop/Store.java": "package shop;\npublic interface Store { void take(); }\n",
    "src/main/shop/Disk.java": "package shop;\npublic class Disk implements Store { public void take() { } }\n",
    "src/test/shop/Broken.java": "package shop;\npublic class Broken implements Store { public void take() { throw new IllegalStateException(); } }\n",
    "src/main/shop/Shop.java": "package shop;\nclass Shop { void sell(Store store) { store.take(); } }\n",
    "src/test/shop/ShopTest.java": "package shop;\nclass ShopTest { void sells(Store store) { store.take(); } }\n",
}
MOCKED_INSIDE = {
    "src/lib.rs": (
        "pub trait Store { fn take(&self); }\npub struct Disk;\nimpl Store for Disk { fn take(&self) {} }\n"
        "pub fn sell(store: &dyn Store) { store.take(); }\n"
        "#[cfg(test)]\nmod tests {\n  use super::*;\n  struct Broken;\n  impl Store for Broken { fn take(&self) { panic!() } }\n"
        "  fn sells(store: &dyn Store) { store.take(); }\n}\n"
    )
}
RUST = {
    "src/lib.rs": (
        "use std::collections::HashMap;\n#[derive(Default)]\npub struct Line { count: u32 }\nimpl Line { fn check(&self) -> bool { true } fn next(&self) -> Option<Line> { None } }\n"
        "#[derive(Default)]\npub struct Shop { lines: Vec<Line>, spare: Option<Line>, byname: HashMap<String, Line> }\n"
        "impl Shop { async fn fetch(&self, n: u32) -> Result<Line, String> { Err(String::new()) } fn first(&self) -> Option<&Line> { self.lines.first() } }\n"
        "pub fn pair() -> (Line, u32) { (Line::default(), 1) }\npub fn check() -> bool { false }\npub fn total(n: u32) -> u32 { n }\n"
        "pub async fn run(shop: &Shop) -> Result<(), String> {\n"
        "    let fetched = shop.fetch(1).await?;\n    fetched.check();\n"
        "    if let Some(spare) = shop.spare.as_ref() {\n        spare.check();\n    }\n"
        "    let Some(first) = shop.first() else { return Ok(()) };\n    first.check();\n"
        "    match shop.first() {\n        Some(matched) => matched.check(),\n        None => false,\n    };\n"
        "    shop.lines.iter().for_each(|each| { each.check(); });\n"
        "    let made = Line::default();\n    made.check();\n"
        "    let odd = if total(1) > 0 { 1 } else { 2 };\n    odd.check();\n"
        "    let total = total(2);\n"
        "    let (paired, count) = pair();\n    paired.check();\n"
        "    let longer = Line::default();\n    let longer = longer\n        .next()\n        .unwrap();\n    longer.check();\n"
        "    let shop = shop;\n    shop.lines.iter().any(|made| made.check());\n    made.count.check();\n"
        "    shop.first().map(|kept| kept.check());\n"
        '    assert!(shop.spare.is_some() && made.next().check(), "{}", odd);\n'
        "    debug_assert!(shop.lines.iter().all(|line| (line.count > 0)));\n"
        "    Ok(())\n}\n"
    )
}
JAVA = {
    "shop/Shop.java": (
        "package shop;\nsealed interface Event permits Placed, Moved {}\nrecord Placed(Order order) implements Event { void book() {} }\n"
        "record Moved(Order from, Order to) implements Event { void carry() {} }\nclass Order { void ship() {} }\n"
        "class Shop {\n  Order entry;\n  void run(Event event) {\n    switch (event) {\n      case Placed placed -> placed.book();\n"
        "      case Moved(Order from, var to) -> from.ship();\n    }\n    switch (event) {\n      case Moved moved:\n        moved.carry();\n    }\n"
        "    each(entry -> entry.ship());\n    entry.ship();\n  }\n  void each(java.util.function.IntFunction<Integer> visit) {}\n}\n"
    )
}
CSHARP = {
    "Shop.cs": (
        "namespace Shop;\npublic record Line(int Count) { public void Trim() {} }\npublic class Order { public void Ship() {} }\n"
        "public class Desk(Order first)\n{\n    public void Run(object thing)\n    {\n        first.Ship();\n"
        "        var whole = (Order)thing;\n        whole.Ship();\n        var part = thing as Line;\n        part.Trim();\n"
        "        if (thing is Order order) { order.Ship(); }\n        switch (thing)\n        {\n            case Line line: line.Trim(); break;\n        }\n"
        "        var text = thing switch { Order late => late.Ship(), _ => nameof(Order) };\n"
        "        if (Find(out Order known)) { known.Ship(); }\n    }\n    bool Find(out Order order) { order = null; return false; }\n}\n"
    )
}
OUTER_CSHARP = {
    "Shop/Order.cs": "namespace Shop;\npublic class Order { public void Ship() {} }\npublic class Line { public void Trim() {} }\n",
    "Shop/Desk/Line.cs": "namespace Shop.Desk;\npublic class Line { public void Trim() {} }\n",
    "Shops/Mark.cs": "namespace Shops;\npublic class Mark { public void Set() {} }\n",
    "Shop/Desk/Late/Run.cs": (
        "namespace Shop.Desk.Late;\npublic class Run\n{\n    void Go(Order order, Line line, Mark mark)\n    {\n        order.Ship();\n        line.Trim();\n        mark.Set();\n    }\n}\n"
    ),
}
CLASSES = {
    "main.py": (
        "class Tool:\n    kind = 1\n\n    def use(self):\n        pass\n\n    @classmethod\n    def make(cls, kind):\n        cls(kind).use()\n        return cls(kind)\n\n\n"
        "def main():\n    Tool.make(1).use()\n"
    )
}
KOTLIN = {
    "shop/Headers.kt": "package shop\nclass Headers(block: () -> Unit)\nfun repeated(list: List<Int>, block: (Int) -> Unit) {}\n",
    "desk/Desk.kt": (
        "package desk\nimport shop.Headers\nimport shop.repeated\nfun main() {\n  val headers = Headers { println() }\n  repeated(listOf(1)) { println(it) }\n}\n"
    ),
}
BLOCKS_KOTLIN = {
    "shop/Page.kt": (
        "package shop\nclass Line {\n  fun trim() {}\n}\nclass Page {\n  fun line(text: String) {}\n  fun each(visit: (Line) -> Unit) {}\n}\n"
        "fun page(title: String, build: Page.() -> Unit): Page = Page().apply(build)\n"
        "fun <T : Page> T.twice(build: T.() -> Unit): T = this\n"
        "class Files {\n  fun use(name: String, work: suspend (page: Page, count: Int) -> Unit) {}\n}\n"
    ),
    "desk/Desk.kt": (
        "package desk\nimport shop.*\nclass Desk(val files: Files) {\n  fun line(text: String) {}\n"
        '  fun print(pages: List<Page>, book: Page, any: Any) {\n    line("own")\n'
        '    page("a") {\n      line("of the page")\n    }\n'
        "    book.twice {\n      each { it.trim() }\n    }\n"
        '    files.use("n") { paper, count ->\n      paper.each { one -> one.trim() }\n    }\n'
        "    book.apply {\n      each { }\n    }\n"
        '    book.let { it.line("l") }\n'
        '    pages.forEach { it.line("m") }\n'
        "    with(book) {\n      each { }\n    }\n"
        '    when (any) {\n      is Page -> any.line("w")\n      is Line -> any.trim()\n    }\n  }\n}\n'
    ),
}
EXTENDED = {
    "model/Shape.kt": "package model\nimport foreign.Shape\nfun Shape.target(): Shape = this\n",
    "desk/Draw.kt": "package desk\nimport foreign.Shape\nimport model.target\nfun Shape.draw() {\n  target()\n}\nfun Other.draw() {\n  target()\n}\n",
}
BLOCKS_SWIFT = {
    "shop.swift": (
        "struct Line { func trim() {} }\nstruct Page { func line() {}\n  func each(_ visit: (Line) throws -> Void) rethrows {} }\n"
        "struct Files { func use(name: String, work: @escaping (inout Page, Int) async throws -> Void) {} }\n"
        "func print(files: Files, pages: [Page]) {\n"
        '  files.use(name: "n") { paper, count in\n    paper.line()\n    paper.each { $0.trim() }\n  }\n'
        "  pages.forEach { page in\n    page.line()\n  }\n}\n"
    )
}
BLOCKS_CSHARP = {
    "Shop.cs": (
        "namespace Shop;\npublic class Page { public void Line() {} }\n"
        "public class Files { public void Use(string name, Action<Page, int> work) {} public bool Has(Func<Page, bool> test) => true; }\n"
        'public class Desk\n{\n    void Print(Files files)\n    {\n        files.Use("n", (paper, count) => paper.Line());\n        files.Has(sheet => sheet.Line());\n    }\n}\n'
    )
}
BLOCKS_JAVA = {
    "shop/Desk.java": (
        "package shop;\nimport java.util.function.*;\nclass Page { void line() {} }\nclass Files { void use(String name, BiConsumer<Page, Integer> work) {} boolean has(Predicate<Page> test) { return true; } }\n"
        'class Desk {\n  void print(Files files) {\n    files.use("n", (paper, count) -> paper.line());\n    files.has(sheet -> sheet.line());\n  }\n}\n'
    )
}
ZIG = {
    "src/shop.zig": (
        "pub const Desk = struct {\n    count: u32,\n\n    pub fn open(self: *Desk) void {\n        check(self.count);\n        self.close();\n    }\n\n"
        "    fn check(count: u32) void {\n        _ = count;\n    }\n\n    fn close(self: *Desk) void {\n        _ = self;\n    }\n\n    fn after(self: *Desk) ?*Desk {\n        return self;\n    }\n};\n\n"
        "fn run(desk: ?*Desk, all: []Desk) void {\n    const own = desk.?;\n    own.close();\n    if (own.after()) |next| {\n        next.close();\n    }\n"
        "    while (own.after()) |top| {\n        top.close();\n    }\n    for (all) |each| {\n        each.close();\n    }\n}\n"
    )
}
ZIG_PACKAGE = {
    "src/shop.zig": 'pub const Desk = struct {\n    pub fn close(self: *Desk) void {\n        _ = self;\n    }\n};\npub fn open() void {}\npub const Page = @import("page.zig");\n',
    "src/page.zig": "const Page = @This();\ncount: u32,\npub fn turn(self: *const Page) void {\n    self.smooth();\n}\nfn smooth(self: *const Page) void {\n    _ = self;\n}\n",
    "examples/main.zig": 'const std = @import("std");\nconst shop = @import("shop");\nfn run(desk: *shop.Desk, page: shop.Page) void {\n    page.turn();\n    shop.open();\n    desk.close();\n    std.debug.print("", .{});\n}\n',
}
ROWS = [
    (ZIG_PACKAGE, "examples/main.zig run", "shop.open", "resolved src/shop.zig open"),
    (ZIG_PACKAGE, "examples/main.zig run", "desk.close", "resolved src/shop.zig Desk#close"),
    (ZIG_PACKAGE, "examples/main.zig run", "page.turn", "resolved src/page.zig turn"),
    (ZIG_PACKAGE, "examples/main.zig run", "std.debug.print", "external from std"),
    (ZIG, "src/shop.zig run", "own.close", "resolved src/shop.zig Desk#close"),
    (ZIG, "src/shop.zig run", "next.close", "resolved src/shop.zig Desk#close"),
    (ZIG, "src/shop.zig run", "top.close", "resolved src/shop.zig Desk#close"),
    (ZIG, "src/shop.zig run", "each.close", "resolved src/shop.zig Desk#close"),
    (ZIG, "src/shop.zig Desk#open", "check", "resolved src/shop.zig Desk#check"),
    (ZIG, "src/shop.zig Desk#open", "self.close", "resolved src/shop.zig Desk#close"),
    (BLOCKS_KOTLIN, "desk/Desk.kt Desk#print", "line@6", "resolved desk/Desk.kt Desk#line"),
    (BLOCKS_KOTLIN, "desk/Desk.kt Desk#print", "line@8", "resolved shop/Page.kt Page#line"),
    (BLOCKS_KOTLIN, "desk/Desk.kt Desk#print", "each@11", "resolved shop/Page.kt Page#each"),
    (BLOCKS_KOTLIN, "desk/Desk.kt Desk#print", "it.trim@11", "resolved shop/Page.kt Line#trim"),
    (BLOCKS_KOTLIN, "desk/Desk.kt Desk#print", "paper.each", "resolved shop/Page.kt Page#each"),
    (BLOCKS_KOTLIN, "desk/Desk.kt Desk#print", "one.trim", "resolved shop/Page.kt Line#trim"),
    (BLOCKS_KOTLIN, "desk/Desk.kt Desk#print", "each@17", "resolved shop/Page.kt Page#each"),
    (BLOCKS_KOTLIN, "desk/Desk.kt Desk#print", "it.line@19", "resolved shop/Page.kt Page#line"),
    (BLOCKS_KOTLIN, "desk/Desk.kt Desk#print", "it.line@20", "resolved shop/Page.kt Page#line"),
    (BLOCKS_KOTLIN, "desk/Desk.kt Desk#print", "each@22", "resolved shop/Page.kt Page#each"),
    (BLOCKS_KOTLIN, "desk/Desk.kt Desk#print", "any.line", "resolved shop/Page.kt Page#line"),
    (BLOCKS_KOTLIN, "desk/Desk.kt Desk#print", "any.trim", "resolved shop/Page.kt Line#trim"),
    (EXTENDED, "desk/Draw.kt Shape#draw", "target", "resolved model/Shape.kt Shape#target"),
    (EXTENDED, "desk/Draw.kt Other#draw", "target", "unresolved"),
    (BLOCKS_SWIFT, "shop.swift print", "paper.line", "resolved shop.swift Page#line"),
    (BLOCKS_SWIFT, "shop.swift print", "$0.trim", "resolved shop.swift Line#trim"),
    (BLOCKS_SWIFT, "shop.swift print", "page.line", "resolved shop.swift Page#line"),
    (BLOCKS_CSHARP, "Shop.cs Desk#Print", "paper.Line", "resolved Shop.cs Page#Line"),
    (BLOCKS_CSHARP, "Shop.cs Desk#Print", "sheet.Line", "resolved Shop.cs Page#Line"),
    (BLOCKS_JAVA, "shop/Desk.java Desk#print", "paper.line", "resolved shop/Desk.java Page#line"),
    (BLOCKS_JAVA, "shop/Desk.java Desk#print", "sheet.line", "resolved shop/Desk.java Page#line"),
    (KOTLIN, "desk/Desk.kt main", "Headers", "resolved shop/Headers.kt Headers"),
    (KOTLIN, "desk/Desk.kt main", "repeated", "resolved shop/Headers.kt repeated"),
    (JAVA, "shop/Shop.java Shop#run", "placed.book", "resolved shop/Shop.java Placed#book"),
    (JAVA, "shop/Shop.java Shop#run", "from.ship", "resolved shop/Shop.java Order#ship"),
    (JAVA, "shop/Shop.java Shop#run", "moved.carry", "resolved shop/Shop.java Moved#carry"),
    (OUTER_CSHARP, "Shop/Desk/Late/Run.cs Run#Go", "order.Ship", "resolved Shop/Order.cs Order#Ship"),
    (OUTER_CSHARP, "Shop/Desk/Late/Run.cs Run#Go", "line.Trim", "resolved Shop/Desk/Line.cs Line#Trim"),
    (OUTER_CSHARP, "Shop/Desk/Late/Run.cs Run#Go", "mark.Set", "unresolved"),
    (CSHARP, "Shop.cs Desk#Run", "first.Ship", "resolved Shop.cs Order#Ship"),
    (CSHARP, "Shop.cs Desk#Run", "whole.Ship", "resolved Shop.cs Order#Ship"),
    (CSHARP, "Shop.cs Desk#Run", "part.Trim", "resolved Shop.cs Line#Trim"),
    (CSHARP, "Shop.cs Desk#Run", "order.Ship", "resolved Shop.cs Order#Ship"),
    (CSHARP, "Shop.cs Desk#Run", "line.Trim", "resolved Shop.cs Line#Trim"),
    (CSHARP, "Shop.cs Desk#Run", "late.Ship", "resolved Shop.cs Order#Ship"),
    (CSHARP, "Shop.cs Desk#Run", "known.Ship", "resolved Shop.cs Order#Ship"),
    (CLASSES, "main.py Tool#make", "cls", "resolved main.py Tool"),
    (CLASSES, "main.py Tool#make", "cls(kind).use", "resolved main.py Tool#use"),
    (RUST, "src/lib.rs run", "fetched.check", "resolved src/lib.rs Line#check"),
    (RUST, "src/lib.rs run", "spare.check", "resolved src/lib.rs Line#check"),
    (RUST, "src/lib.rs run", "first.check", "resolved src/lib.rs Line#check"),
    (RUST, "src/lib.rs run", "matched.check", "resolved src/lib.rs Line#check"),
    (RUST, "src/lib.rs run", "each.check", "resolved src/lib.rs Line#check"),
    (RUST, "src/lib.rs run", "made.check", "resolved src/lib.rs Line#check"),
    (RUST, "src/lib.rs run", "odd.check", "unresolved"),
    (RUST, "src/lib.rs run", "paired.check", "resolved src/lib.rs Line#check"),
    (RUST, "src/lib.rs run", "longer.next", "resolved src/lib.rs Line#next"),
    (RUST, "src/lib.rs run", "longer.check", "resolved src/lib.rs Line#check"),
    (RUST, "src/lib.rs run", "made.check", "resolved src/lib.rs Line#check"),
    (RUST, "src/lib.rs run", "kept.check", "likely src/lib.rs Line#check"),
    (RUST, "src/lib.rs run", "total", "resolved src/lib.rs total"),
    (RUST, "src/lib.rs run", "made.next().check", "resolved src/lib.rs Line#check"),
    (MOCKED_INSIDE, "src/lib.rs sell", "store.take", "resolved src/lib.rs Store#take [Disk#take]"),
    (
        MOCKED_INSIDE,
        "src/lib.rs tests.sells",
        "store.take",
        "resolved src/lib.rs Store#take [Disk#take, tests.Broken#take]",
    ),
    (
        MOCKED,
        "src/main/shop/Shop.java Shop#sell",
        "store.take",
        "resolved src/main/shop/Store.java Store#take [Disk#take]",
    ),
    (
        MOCKED,
        "src/test/shop/ShopTest.java ShopTest#sells",
        "store.take",
        "resolved src/main/shop/Store.java Store#take [Disk#take, Broken#take]",
    ),
    (GO, "main.go run", "page.Parse", "resolved page/page.go Parse"),
    (GO, "main.go run", "page.Size", "resolved page/page.go Page#Size"),
    (GO, "main.go run", "a.Note", "resolved main.go Audit#Note"),
    (GO, "main.go run", "b.Close", "resolved main.go Order#Close"),
    (GO, "main.go run", "kind.Note", "resolved main.go Audit#Note"),
    (GO, "main.go run", "kind.Close", "resolved main.go Order#Close"),
    (GO, "main.go run", "c.Close", "resolved main.go Order#Close"),
    (GO, "main.go run", "d.Close", "resolved main.go Order#Close"),
    (GO, "main.go run", "e.Close", "resolved main.go Order#Close"),
    (GO, "main.go run", 'f["x"].Close', "resolved main.go Order#Close"),
    (GO, "main.go run", "g.Close", "resolved main.go Order#Close"),
    (GO, "main.go run", "h.Close", "resolved main.go Order#Close"),
    (MODULES, "errors/errors.go New", "errors.New", "external from errors"),
    (MODULES, "api/api.go run", "shop.Open", "resolved shop.go Open"),
    (MODULES, "api/api.go run", "db.Where", "resolved shop.go DB#Where"),
    (MODULES, "api/api.go run", "db.Where(1).Save", "resolved shop.go DB#Save"),
    (MODULES, "api/api.go run", "failures.New", "resolved errors/errors.go New"),
    (MODULES, "api/api.go run", "std.New", "external from errors"),
    (MODULES, "api/api.go run", "tools.Pick", "external from example.com/other/tools"),
    (MODULES, "api/api.go run", "Kit{Pick: true}.Use", "resolved tools/tools.go Kit#Use"),
    (MODULES, "api/api.go run", "(&Kit{}).Use", "resolved tools/tools.go Kit#Use"),
    (MODULES, "api/api.go run", "given.(*shop.DB).Save", "resolved shop.go DB#Save"),
    (MODULES, "api/api.go run", "Pick", "resolved tools/tools.go Pick"),
    (MODULES, "api/api.go run", "title.Show", "resolved api/api.go Label#Show"),
    (MODULES, "api/api.go run", "deep.Walk", "resolved api/api.go Base#Walk"),
]


@pytest.mark.parametrize(("files", "place", "written", "expected"), ROWS, ids=[f"{row[1]} {row[2]}" for row in ROWS])
def test_where_a_call_of_today_leads(files: dict[str, str], place: str, written: str, expected: str) -> None:
    calls = resolve(files)[place]
    name, _, line = written.partition("@")
    found = [
        told(call)
        for call in calls
        if (f"{call.receiver}." if call.receiver else "") + call.callee == name and (not line or call.line == int(line))
    ]
    assert set(found) == {expected}


def test_a_variable_that_a_second_loop_binds_anew_is_no_repetition_of_the_first() -> None:
    found = resolve(MODULES)["api/api.go twice"]
    assert [told(call) for call in found] == ["resolved tools/tools.go Kit#Use", "unresolved"]


def test_of_two_inner_functions_of_one_name_likely_the_last_before_is_called() -> None:
    found = resolve(MODULES)["api/api.go inner"]
    assert [told(call) for call in found] == ["likely api/api.go inner.add", "likely api/api.go inner.add #1"]


def test_an_indexed_handler_is_no_call_of_its_table() -> None:
    assert all(call.callee != "handlers" for call in resolve(MODULES)["api/api.go run"])


def test_brackets_after_a_name_in_a_macro_are_a_call_only_where_they_touch_it() -> None:
    calls = resolve(RUST)["src/lib.rs run"]
    assert "line" not in {call.callee for call in calls}
    assert "shop.lines.iter()" in {call.receiver for call in calls if call.callee == "all"}


NESTED = {
    "shop/Bag.java": "package shop;\npublic interface Bag<E> { interface Entry<E> { int count(); } }\n",
    "shop/AbstractBag.java": (
        "package shop;\nabstract class AbstractBag<E> implements Bag<E> {\n  int count(E e) { return 0; }\n"
        "  static abstract class Own<E> implements Entry<E> { int twice() { return count() * 2; } }\n"
        "  void each(Entry<E> entry) { entry.count(); }\n}\n"
    ),
    # Supertypes that are looked for in each other.
    "shop/Ring.java": "package shop;\nclass Left extends Right.Inner { class Inner extends Deep {} }\nclass Right extends Left.Inner { class Deep {} }\n",
}


@pytest.mark.parametrize("place", ["AbstractBag.Own#twice", "AbstractBag#each"])
def test_a_type_inside_a_supertype_of_the_type_around_is_seen(place: str) -> None:
    calls = resolve(NESTED)[f"shop/AbstractBag.java {place}"]
    assert [told(call) for call in calls] == ["resolved shop/Bag.java Bag.Entry#count"]


SCALA = {
    "shop/Act.scala": (
        "package shop\ncase class Act(run: Int)\nobject Act {\n  def apply(a: Int, b: Int): Act = Act(a)\n  def pick[T](f: T => Int): Int = 1\n"
        "  def pick[T](f: T => Int, n: Int): Int = 2\n}\nclass Use {\n"
        "  def go(): Unit = {\n    Act.pick { case 1 => one()\n      case _ => other() }\n    Act.pick({ x => x }, 3)\n    Act(1, 2)\n    Act(1)\n  }\n"
        "  def one() = 1\n  def other() = 2\n}\n"
    )
}


def test_scala_counts_a_block_as_one_argument_and_parameters_after_type_parameters() -> None:
    calls = resolve(SCALA)["shop/Act.scala Use#go"]
    assert [(told(call).removeprefix("resolved shop/Act.scala "), call.mark) for call in calls] == [
        ("Use#one", "?"),
        ("Use#other", "?"),
        ("Act#pick", ""),
        ("Act#pick #1", ""),
        ("Act#apply", ""),
        ("Act", ""),
    ]


WRAPPED = {
    "util/Future.scala": (
        "package util\ntrait Future[A] { def transform(n: Int): Future[A] = this }\nclass Line { def tell(): Unit = () }\n"
        "class Use {\n  def start(): Future[Int] = null\n  def next(): Future[Line] = null\n  def go(o: Any): Unit = {\n"
        "    val first = start()\n    first.transform(1)\n    next().transform(2)\n    next().tell()\n"
        "    o match { case line: Line => line.tell()\n      case same @ Line() => same.tell() }\n  }\n}\n"
    )
}


def test_a_wrapper_of_the_repository_has_members_of_its_own() -> None:
    calls = resolve(WRAPPED)["util/Future.scala Use#go"]
    names = [
        told(call).removeprefix("resolved util/Future.scala ") for call in calls if call.callee in ("transform", "tell")
    ]
    assert names == ["Future#transform", "Future#transform", "Line#tell", "Line#tell", "Line#tell"]


PRIMARY = {
    "shop/Foo.kt": (
        "package shop\nclass Foo(val a: Int) {\n  constructor(s: String, n: Int) : this(n)\n}\nfun run() {\n  Foo(1)\n  Foo(\"a\", 2)\n}\n"
    ),
    "shop/Pair.java": (
        "package shop;\nrecord Pair(int x, int y) { Pair(int x) { this(x, 0); } }\nrecord Same(int x) { Same(int x) { this.x = x; } }\n"
        "class Use { void run() { new Pair(1, 2); new Pair(3); new Same(4); } }\n"
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        ("shop/Foo.kt run", ["shop/Foo.kt Foo", "shop/Foo.kt Foo#constructor"]),
        ("shop/Pair.java Use#run", ["shop/Pair.java Pair", "shop/Pair.java Pair#Pair", "shop/Pair.java Same#Same"]),
        ("shop/Pair.java Pair#Pair", ["shop/Pair.java Pair"]),
    ],
)
def test_a_type_is_constructed_by_the_parameters_after_its_name_too(place: str, expected: list[str]) -> None:
    assert [told(call) for call in resolve(PRIMARY)[place]] == [f"resolved {each}" for each in expected]


SIGNED = {
    "a.swift": (
        "struct Desk { func open(at n: Int) -> Bool { true } }\nfunc rank(_ n: Int) -> Int { n }\nfunc sure() -> Bool { true }\n"
        "func run(desk: Desk, list: [Int]) -> Int {\n  guard !desk.open(at: 1), !sure() else { return -rank(1) }\n"
        "  let sum = list.reduce(0) { total, each in total + rank(each) }\n  return 1 - rank(2) * rank(sum)\n}\n"
    ),
    "a.kt": (
        "class Desk(val shelf: Desk) { fun open(n: Int) = true }\nfun sure(n: Int) = true\nfun rank(n: Int) = n\n"
        "fun run(desk: Desk): Int {\n  if (!sure(1) || !desk.shelf.open(2)) return -rank(3)\n  return 1\n}\n"
    ),
    "a.zig": (
        "const Desk = struct { fn open(self: Desk) bool { return true; } };\nfn sure() bool { return true; }\n"
        "fn run(desk: Desk) bool { return !sure() and !desk.open(); }\n"
    ),
}


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("a.swift", ["Desk#open", "sure", "rank", "rank", "rank", "rank"]),
        ("a.kt", ["sure", "Desk#open", "rank"]),
        ("a.zig", ["sure", "Desk#open"]),
    ],
)
def test_a_sign_before_a_call_hides_nothing(path: str, expected: list[str]) -> None:
    calls = resolve({path: SIGNED[path]})[f"{path} run"]
    names = [call.target.qualified_name for call in calls for _ in range(call.repeat) if call.target]
    assert names == expected


ZIG_TYPES = {
    "list.zig": (
        "pub fn List(comptime T: type) type {\n    return struct {\n        items: []T,\n        const Self = @This();\n"
        "        pub fn init() Self { return .{}; }\n        pub fn push(self: *Self, item: T) void { _ = item; }\n    };\n}\n"
        "const Bytes = List(u8);\nconst Holder = struct { list: List(u8) };\nfn run(holder: *Holder, taken: *List(u8)) void {\n"
        "    const P = List(u32);\n    var p = P.init();\n    p.push(1);\n    List(u8).init().push(2);\n    taken.push(3);\n"
        "    holder.list.push(4);\n    Bytes.init().push(5);\n}\n"
    )
}


def test_a_function_that_gives_a_type_is_one() -> None:
    calls = [call for call in resolve(ZIG_TYPES)["list.zig run"] if call.callee in ("push", "init")]
    wanted = {"push": "resolved list.zig List.push", "init": "resolved list.zig List.init"}
    assert [told(call) for call in calls] == [wanted[call.callee] for call in calls]
    assert len(calls) == 8


DART = {
    "shop.dart": (
        "class Base { Base(int a); Base.named(int a, {int? b}); }\nclass Box<T> extends Base {\n  Box(super.a);\n  Box.of(int a) : super.named(a);\n"
        "  Box.two() : this.of(1);\n  Box.three() : super(3);\n  void put<K>(K k) {}\n}\n"
        "void run(Box<int> box) {\n  final a = Box<int>.of(1);\n  const Box<int>(2);\n  new Box<int>.of(3);\n  take(Box<int>.of(4));\n"
        "  box.put<int>(5 + 1);\n}\nvoid take(Box<int> box) {}\n"
    )
}


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        ("run", ["Box#of", "Box#Box", "Box#of", "Box#of", "take", "Box#put"]),
        ("Box#of", ["Base#named"]),
        ("Box#two", ["Box#of"]),
        ("Box#three", ["Base#Base"]),
    ],
)
def test_dart_constructors_with_type_arguments_and_of_supertypes(place: str, expected: list[str]) -> None:
    calls = resolve(DART)[f"shop.dart {place}"]
    found = [told(call) for call in calls for _ in range(call.repeat)]
    assert found == [f"resolved shop.dart {each}" for each in expected]


def test_haskell_members_of_an_instance_are_no_functions_of_the_module() -> None:
    files = {
        "Raw.hs": (
            "module Raw where\nimport Control.Monad.IO.Class\ninstance Functor (RAW k v ro rw) where\n    fmap = Fmap\n"
            "instance Foo a where\n    change = one\none :: Int\none = 1\n"
        ),
        "Use.hs": "module Use where\nimport Raw\ngo xs = fmap change xs\nboth = liftIO $ outer 1 $ inner 2\nouter n x = n\ninner n = n\n",
    }
    found = resolve(files)
    assert [told(call) for call in found["Use.hs go"]] == ["unresolved"]
    assert [call.callee for call in found["Use.hs both"]] == ["inner", "outer", "liftIO"]


def test_lua_methods_of_a_table_without_a_definition_see_each_other_and_parameters_may_be_left_out() -> None:
    text = (
        "local M = { Entry = {} }\nlocal Entry = M.Entry\nfunction Entry:one(a, b)\n  self:two()\n  self.three(self)\n"
        "  table.concat(a)\n  error('Invalid arguments, expected (argc)')\nend\nfunction Entry:two(x) end\nfunction Entry.three(self, x) end\n"
    )
    calls = resolve({"c.lua": text, "vendor.lua": "local M = {}\nfunction M.concat(list, i, j) end\nreturn M\n"})[
        "c.lua Entry#one"
    ]
    assert [told(call) for call in calls] == ["resolved c.lua Entry#two", "resolved c.lua Entry#three", "external"]
    chunk = next(each for each in parse_file(SourceFile("c.lua", "lua", text, "")).chunks if each.name == "one")
    assert [(fact.role, fact.type) for fact in chunk.contract] == [("raise", "")]


def test_cpp_variables_made_of_variables_alone_are_no_functions() -> None:
    text = (
        "struct Tag { Tag(int n) {} void go() {} };\nnamespace ns { struct Mark { void go() {} }; }\n"
        "void f(int token) {\n  Tag made(token);\n  made.go();\n  ns::Mark mark(token, token);\n  mark.go();\n  int local(size_t);\n}\n"
    )
    calls = resolve({"a.cpp": text})["a.cpp f"]
    assert [told(call) for call in calls] == [
        "resolved a.cpp Tag#Tag", "resolved a.cpp Tag#go", "resolved a.cpp ns.Mark", "resolved a.cpp ns.Mark#go",
    ]  # fmt: skip


def test_csharp_global_usings_hold_below_their_folder_and_new_takes_the_declared_type() -> None:
    files = {
        "Shop/GlobalUsings.cs": "global using Shop.Core;\n",
        "Shop/Core/Sink.cs": "namespace Shop.Core;\npublic class Sink { public Sink(int n) {} public void Go() {} }\n",
        "Shop/Use.cs": (
            "namespace Other;\nclass Use {\n  Sink First => new(1);\n  Sink Second() => new(2);\n"
            "  Sink Third() { if (ready) return new(3); return new(4); }\n  void Run(Sink taken) { taken.Go(); new Sink(5).Go(); }\n}\n"
        ),
        "Bank/Use.cs": "namespace Bank;\nclass Use { void Run(Sink taken) { taken.Go(); } }\n",
    }
    found = resolve(files)
    sink = "resolved Shop/Core/Sink.cs Sink#Sink"
    assert [told(call) for call in found["Shop/Use.cs Use#First"]] == [sink]
    assert [told(call) for call in found["Shop/Use.cs Use#Second"]] == [sink]
    assert [told(call) for call in found["Shop/Use.cs Use#Third"]] == [sink, sink]
    go = "resolved Shop/Core/Sink.cs Sink#Go"
    assert [told(call) for call in found["Shop/Use.cs Use#Run"]] == [go, sink, go]
    assert [call.certainty for call in found["Bank/Use.cs Use#Run"]] != ["resolved"]


def test_a_path_in_rust_begins_with_no_variable() -> None:
    text = (
        "mod scope {\n  pub enum Scoped { Dyn(u32) }\n  impl Scoped { pub fn of(n: u32) -> Scoped { Scoped::Dyn(n) } }\n}\n"
        "fn scoped(scope: u32) -> scope::Scoped { scope::Scoped::of(scope) }\n"
    )
    assert [told(call) for call in resolve({"src/lib.rs": text})["src/lib.rs scoped"]] == [
        "resolved src/lib.rs scope.Scoped#of"
    ]
