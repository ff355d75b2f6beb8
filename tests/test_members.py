"""Members that stand elsewhere than in their type: extensions, embedding, mixins, default methods, the line of supertypes."""

from __future__ import annotations

import pytest

from codemem.languages import detect_language
from codemem.parse import parse_file
from codemem.resolve import Session, facts_of, resolve_file, universe_of
from codemem.types import SourceFile

KOTLIN = """package shop
class Order { fun total() = 1 }
fun Order.discounted(): Order = this
fun Order.total(rate: Int) = total()
val Order.label: String get() = render()
fun render() = ""
fun String.shout() = uppercase()
fun Int.shout() = 1
class Desk {
  fun Order.local() = total()
  fun run(order: Order, name: String) { CALL }
}
"""
CSHARP = """namespace Shop {
public class Order { public int Total() => 1; }
public static class OrderExtensions {
  public static Order Discounted(this Order order) => order;
  public static int Rate(this Order order, int rate) => order.Total();
  public static string Shout(this string text) => text;
}
public class Desk {
  void run(Order order, string name) { CALL }
}
}
"""
SWIFT = """
struct Order { func total() -> Int { 1 } }
extension Order { func discounted() -> Order { self }
  static func empty() -> Order { Order() } }
protocol Priced { func price() -> Int }
extension Priced { func doubled() -> Int { price() * 2 } }
extension Order: Priced { func price() -> Int { total() } }
extension String { func shout() -> String { self } }
class Desk { func run(order: Order, name: String) { CALL } }
"""
SCALA = """package shop
class Order { def total(): Int = 1 }
object Extensions {
  implicit class RichOrder(order: Order) { def discounted(): Order = order }
}
extension (order: Order) def rated(rate: Int): Int = order.total()
trait Priced { def price(): Int = 1 }
class Box extends Priced
class Desk { def run(order: Order, box: Box): Unit = { CALL } }
"""
GO = """package shop
type Base struct{}
func (b *Base) Save() error { return nil }
func (b Base) name() string { return "" }
type Order struct { *Base; lines int }
func (o *Order) Total() int { return 1 }
type Saver interface { Save() error }
type Deep struct { Order }
func run(order *Order, deep Deep, saver Saver) { CALL }
"""
RUST = """
pub trait Priced { fn price(&self) -> u32; fn doubled(&self) -> u32 { self.price() * 2 } fn make() -> Self; }
pub struct Order;
impl Order { pub fn total(&self) -> u32 { 1 } pub fn new() -> Self { Order } }
impl Priced for Order { fn price(&self) -> u32 { 2 } fn make() -> Self { Order } }
pub struct Other;
impl Priced for Other { fn price(&self) -> u32 { 3 } fn make() -> Self { Other } }
fn run(order: &Order, any: impl Priced, boxed: Box<dyn Priced>) { CALL }
"""
RUBY = """
module Priced
  def price; 1; end
end
module Finders
  def find_all; []; end
end
module Auditable
  extend ActiveSupport::Concern
  included do
  end
  def audit; end
  class_methods do
    def audited; end
  end
end
class Base
  def save; end
end
class Order < Base
  include Priced
  include Auditable
  extend Finders
  def total; 1; end
  def run
    CALL
  end
end
"""
PHP = """<?php
trait Priced { public function price() { return 1; } public static function make() { return new static; } }
trait Logs { use Priced; public function log() {} }
class Base { public function save() {} }
class Order extends Base { use Logs;
  public function total() { return 1; }
  public function run(Order $order) { CALL }
}
"""
PYTHON = """
class Base:
    def save(self): pass
    def hook(self): pass
class Mixin:
    def hook(self): super().hook()
    def log(self): pass
class Order(Mixin, Base):
    def save(self): super().save()
    def hook(self): super().hook()
    @classmethod
    def make(cls) -> "Order": return cls()
    def run(self):
        CALL
"""
DART = """
class Order { int total() => 1; }
mixin Priced on Order { int price() => total(); }
class Base { void save() {} }
class Special extends Base with Priced { void run(Order order, Special special) { CALL } }
extension OrderTools on Order { Order discounted() => this; }
"""
FORMS = {
    "a.kt": KOTLIN, "a.cs": CSHARP, "a.swift": SWIFT, "a.scala": SCALA, "a.go": GO, "a.rs": RUST, "a.rb": RUBY,
    "a.php": PHP, "a.py": PYTHON, "a.dart": DART,
}  # fmt: skip
ROWS = [
    ("a.kt", "order.discounted()", "Order#discounted@3"),
    ("a.kt", "order.total()", "Order#total@2"),
    ("a.kt", "order.total(5)", "Order#total@4"),
    ("a.kt", "order.discounted().total()", "Order#total@2"),
    ("a.kt", "name.shout()", "String#shout@7"),
    ("a.kt", "5.shout()", "Int#shout@8"),
    ("a.kt", "order.local()", "Order#local@10"),
    ("a.cs", "order.Discounted();", "OrderExtensions#Discounted@4"),
    ("a.cs", "order.Rate(5);", "OrderExtensions#Rate@5"),
    ("a.cs", "order.Discounted().Total();", "Order#Total@2"),
    ("a.cs", "name.Shout();", "OrderExtensions#Shout@6"),
    ("a.cs", "OrderExtensions.Discounted(order);", "OrderExtensions#Discounted@4"),
    ("a.swift", "order.discounted()", "Order#discounted@3"),
    ("a.swift", "Order.empty()", "Order#empty@4"),
    ("a.swift", "order.doubled()", "Priced#doubled@6"),
    ("a.swift", "order.price()", "Order#price@7"),
    ("a.swift", "name.shout()", "String#shout@8"),
    ("a.scala", "order.discounted()", "Extensions.RichOrder#discounted@4"),
    ("a.scala", "order.rated(5)", "Order#rated@6"),
    ("a.scala", "box.price()", "Priced#price@7"),
    ("a.go", "order.Save()", "Base#Save@3"),
    ("a.go", "order.name()", "Base#name@4"),
    ("a.go", "deep.Save()", "Base#Save@3"),
    ("a.go", "deep.Total()", "Order#Total@6"),
    ("a.go", "saver.Save()", "Saver#Save@7"),
    ("a.rs", "order.doubled();", "Priced#doubled@2"),
    ("a.rs", "order.price();", "Order#price@5"),
    ("a.rs", "Order::new().price();", "Order#price@5"),
    ("a.rs", "any.doubled();", "Priced#doubled@2"),
    ("a.rs", "boxed.price();", "Priced#price@2"),
    ("a.rs", "Order::make();", "Order#make@5"),
    ("a.rb", "price", "Priced#price@3"),
    ("a.rb", "self.price()", "Priced#price@3"),
    ("a.rb", "save()", "Base#save@18"),
    ("a.rb", "audit()", "Auditable#audit@12"),
    ("a.rb", "Order.find_all()", "Finders#find_all@6"),
    ("a.rb", "Order.audited()", "Auditable#audited@14"),
    ("a.rb", "Order.new.total()", "Order#total@24"),
    ("a.php", "$this->price();", "Priced#price@2"),
    ("a.php", "$order->log();", "Logs#log@3"),
    ("a.php", "$this->save();", "Base#save@4"),
    ("a.php", "self::make();", "Priced#make@2"),
    ("a.py", "self.log()", "Mixin#log@7"),
    ("a.py", "super().hook()", "Mixin#hook@6"),
    ("a.py", "super().save()", "Base#save@3"),
    ("a.py", "self.save()", "Order#save@9"),
    ("a.py", "Order.make().log()", "Mixin#log@7"),
    ("a.dart", "special.price();", "Priced#price@3"),
    ("a.dart", "price();", "Priced#price@3"),
    ("a.dart", "save();", "Base#save@4"),
    ("a.dart", "order.discounted();", "Order#discounted@6"),
    ("a.dart", "special.save();", "Base#save@4"),
]


def meaning(path: str, call: str) -> str:
    """Return name and line of what the last call of `run` means, or its certainty."""
    content = FORMS[path].replace("CALL", call)
    parsed = parse_file(SourceFile(path, detect_language(path, content), content, ""))
    assert not parsed.problems
    facts = facts_of(parsed)
    resolved = resolve_file(facts, Session(universe_of([facts])))
    at = next(index for index, chunk in enumerate(parsed.chunks) if chunk.name == "run" and chunk.calls)
    last = resolved.chunks[at].calls[-1]
    lines = {chunk.key: chunk.start_line for chunk in parsed.chunks}
    return f"{last.target.qualified_name}@{lines[last.target]}" if last.target is not None else last.certainty


@pytest.mark.parametrize(("path", "call", "expected"), ROWS)
def test_a_member_is_found_where_it_stands(path: str, call: str, expected: str) -> None:
    assert meaning(path, call) == expected


TOOLS = SourceFile("tools.kt", "kotlin", "package tools\n\nfun Order.discounted() = this\nfun String.shout() = 1\n", "")


@pytest.mark.parametrize(
    ("imports", "call", "certainty"),
    [
        ("import tools.discounted", "order.discounted()", "resolved"),
        ("import tools.*", "order.discounted()", "resolved"),
        ("import tools.*", '"x".shout()', "resolved"),
        ("import other.*", '"x".shout()', "unresolved"),
    ],
)
def test_an_extension_of_another_package_is_seen_when_it_is_imported(imports: str, call: str, certainty: str) -> None:
    content = f"package shop\n{imports}\nclass Order\nfun run(order: Order) {{ {call} }}\n"
    files = [facts_of(parse_file(source)) for source in (SourceFile("shop.kt", "kotlin", content, ""), TOOLS)]
    resolved = resolve_file(files[0], Session(universe_of(files)))
    calls = [each for chunk in resolved.chunks for each in chunk.calls]
    assert [each.certainty for each in calls] == [certainty]
