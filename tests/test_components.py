"""Members that a type gets by what constructs it: records, case classes, structures, promoted parameters; and how they are read."""

from __future__ import annotations

import pytest
from test_resolve import resolve, told

from codemem.languages import detect_language
from codemem.parse import parse_file
from codemem.resolve import shown_calls
from codemem.types import SourceFile

SOURCES = {
    "Order.java": (
        "package shop;\nrecord Customer(String label) { void greet() {} }\nrecord Order(Customer customer, int total) {\n"
        "  void who() { customer.greet(); customer().greet(); }\n}\nclass Named { Customer customer() { return null; } }\n"
        "class Holder extends Named { Customer customer; void take() { customer(); } }\nclass Use {\n"
        "  void run(Order taken) {\n    taken.customer().greet();\n    var held = taken.customer();\n    held.greet();\n  }\n}\n"
    ),
    "Order.cs": (
        "namespace Shop;\npublic record Customer(string Label) { public void Greet() {} }\npublic record Order(Customer Customer, int Total);\n"
        "public class Use {\n  void Run(Order taken) {\n    taken.Customer.Greet();\n    var other = taken with { Total = 2 };\n"
        "    other.Customer.Greet();\n  }\n}\n"
    ),
    "order.kt": (
        "package shop\nclass Customer(val label: String) {\n  fun greet() {}\n}\n"
        "data class Order(val customer: Customer, plain: Customer) {\n  init {\n    plain.greet()\n  }\n}\n"
        "fun run(taken: Order) {\n  taken.customer.greet()\n  taken.copy().customer.greet()\n}\n"
    ),
    "Order.scala": (
        "package market\ncase class Customer(label: String) { def greet(): Unit = () }\ncase class Order(customer: Customer, total: Int)\n"
        "class Use(val order: Order, hidden: Order) {\n  def run(taken: Order): Unit = {\n    taken.customer.greet()\n"
        "    hidden.customer.greet()\n    val held = taken.customer\n    held.greet()\n    taken.copy(total = 2).customer.greet()\n  }\n}\n"
    ),
    "order.dart": (
        "class Customer { final String label; Customer(this.label); void greet() {} }\n"
        "class Order { final Customer customer; Order(this.customer); }\nclass Sub extends Order { Sub(super.customer);\n"
        "  void hi() { customer.greet(); } }\nvoid run(Order taken) {\n  final held = taken.customer;\n  held.greet();\n"
        "  final same = held;\n  same.greet();\n}\n"
    ),
    "order.php": (
        "<?php\nclass Customer { public function greet(): void {} }\n"
        "class Order { public function __construct(private Customer $customer) {}\n  public function run(Order $taken) {\n"
        "    $held = $taken->customer;\n    $held->greet();\n    $same = $held;\n    $same->greet();\n  }\n}\n"
    ),
    "order.rb": (
        "class Customer\n  def greet; end\nend\nLine = Struct.new(:customer, :total) do\n  def who\n    total\n  end\nend\n"
        "class Row < Struct.new(:customer)\n  def who\n    customer\n  end\nend\nCoord = Data.define(:lat)\n"
        "class Use\n  attr_reader :line\n  def run\n    line\n    Line.new(1, 2).total\n    Coord.new(1).lat\n  end\nend\n"
    ),
}


@pytest.mark.parametrize(
    ("path", "place", "written", "expected"),
    [
        ("Order.java", "Order#who", "customer.greet", "resolved Order.java Customer#greet"),
        ("Order.java", "Order#who", "customer", "resolved Order.java Order#customer"),
        ("Order.java", "Order#who", "customer().greet", "resolved Order.java Customer#greet"),
        ("Order.java", "Use#run", "taken.customer", "resolved Order.java Order#customer"),
        ("Order.java", "Use#run", "taken.customer().greet", "resolved Order.java Customer#greet"),
        ("Order.java", "Use#run", "held.greet", "resolved Order.java Customer#greet"),
        # A field of a class is no method: the one above is meant.
        ("Order.java", "Holder#take", "customer", "resolved Order.java Named#customer"),
        ("Order.cs", "Use#Run", "taken.Customer.Greet", "resolved Order.cs Customer#Greet"),
        ("Order.cs", "Use#Run", "other.Customer.Greet", "resolved Order.cs Customer#Greet"),
        ("order.kt", "Order", "plain.greet", "resolved order.kt Customer#greet"),
        ("order.kt", "run", "taken.customer.greet", "resolved order.kt Customer#greet"),
        ("order.kt", "run", "taken.copy().customer.greet", "resolved order.kt Customer#greet"),
        ("Order.scala", "Use#run", "taken.customer.greet", "resolved Order.scala Customer#greet"),
        ("Order.scala", "Use#run", "hidden.customer.greet", "resolved Order.scala Customer#greet"),
        ("Order.scala", "Use#run", "held.greet", "resolved Order.scala Customer#greet"),
        ("Order.scala", "Use#run", "taken.copy(total = 2).customer.greet", "resolved Order.scala Customer#greet"),
        ("order.dart", "Sub#hi", "customer.greet", "resolved order.dart Customer#greet"),
        ("order.dart", "run", "held.greet", "resolved order.dart Customer#greet"),
        ("order.dart", "run", "same.greet", "resolved order.dart Customer#greet"),
        ("order.php", "Order#run", "$held.greet", "resolved order.php Customer#greet"),
        ("order.php", "Order#run", "$same.greet", "resolved order.php Customer#greet"),
        ("order.rb", "Line#who", "total", "resolved order.rb Line#total"),
        ("order.rb", "Row#who", "customer", "resolved order.rb Row#customer"),
        ("order.rb", "Use#run", "line", "resolved order.rb Use#line"),
        ("order.rb", "Use#run", "Line.new(1, 2).total", "resolved order.rb Line#total"),
        ("order.rb", "Use#run", "Coord.new(1).lat", "resolved order.rb Coord#lat"),
    ],
)
def test_calls_through_what_constructs_a_type(path: str, place: str, written: str, expected: str) -> None:
    calls = resolve({path: SOURCES[path]})[f"{path} {place}"]
    told_ones = {f"{call.receiver}.{call.callee}" if call.receiver else call.callee: told(call) for call in calls}
    assert told_ones[written] == expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("Order.java", ["Customer#label", "Order#customer", "Order#total", "Holder#customer"]),
        ("Order.cs", ["Customer#Label", "Order#Customer", "Order#Total"]),
        ("order.kt", ["Customer#label", "Order#customer"]),
        ("Order.scala", ["Customer#label", "Order#customer", "Order#total", "Use#order"]),
        ("order.rb", ["Line#customer", "Line#total", "Row#customer", "Coord#lat", "Use#line"]),
    ],
)
def test_what_constructs_a_type_is_a_member(path: str, expected: list[str]) -> None:
    text = SOURCES[path]
    chunks = parse_file(SourceFile(path, detect_language(path, text), text, "")).chunks
    assert [chunk.qualified_name for chunk in chunks if chunk.kind == "field"] == expected


def test_what_stands_above_a_type_belongs_to_it_and_not_to_its_first_component() -> None:
    text = '/** Places orders. */\n@deprecated("x", "2")\nclass Service(val ledger: Ledger)\n'
    chunks = {chunk.qualified_name: chunk for chunk in parse_file(SourceFile("a.scala", "scala", text, "")).chunks}
    assert chunks["Service"].doc == "Places orders."
    assert chunks["Service#ledger"].doc == ""
    assert chunks["Service#ledger"].start_line == 3


@pytest.mark.parametrize(
    ("path", "place", "expected"),
    [
        ("Order.java", "Use#run", ["Customer#greet", "Customer#greet"]),
        ("order.rb", "Use#run", ["Line", "Coord"]),
    ],
)
def test_a_card_leaves_out_what_only_reads_a_component(path: str, place: str, expected: list[str]) -> None:
    calls = resolve({path: SOURCES[path]})[f"{path} {place}"]
    assert [
        call.target.qualified_name for call in shown_calls(calls, detect_language(path, "")) if call.target
    ] == expected
