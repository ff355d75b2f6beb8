"""The verbs over the stored graph: callers, callees, traces, raises, drawings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from codemem.card import interface_card
from codemem.errors import BadQuery
from codemem.graph import CallGraph, Edge, all_mismatches, callees, callers, draw_graph, find_raises, trace
from codemem.indexing.resolving import resolve_changed
from codemem.languages import detect_language
from codemem.parse import parse_file
from codemem.resolve.mismatch import mismatches
from codemem.store import Store, create_store
from codemem.store.code import StoredFile, replace_files
from codemem.store.graph import load_resolved
from codemem.store.symbols import find_symbols
from codemem.types import ChunkKey, FileEntry, SourceFile

FILES = {
    "errors.py": "class ShopError(Exception):\n    pass\n\n\nclass NoStock(ShopError):\n    pass\n",
    "stock.py": "from errors import NoStock\n\n\nclass Stock:\n    def freeze(self, n):\n        if not n:\n            raise NoStock('x')\n        return check(n)\n\n\ndef check(n):\n    return n\n",
    "order.py": (
        "import json\nfrom stock import Stock, check as verify\n\n\nclass Order:\n    def __init__(self, stock: Stock):\n        self.stock = stock\n\n"
        "    def create(self, n):\n        for one in n:\n            self.stock.freeze(one)\n        self.save(n)\n        return json.dumps(n)\n\n"
        "    def save(self, n):\n        verify(n)\n\n    def quiet(self, n):\n        try:\n            self.create(n)\n        except ShopError:\n            pass\n"
    ),
    "main.py": "from order import Order\n\nhandler = lambda n: Order(None).create(n)\n\n\ndef main(n):\n    Order(None).create(n)\n    unknown.create(n)\n",
    "Shop.java": (
        "class Fault extends Exception {}\nclass Shop {\n  void fails() throws Fault { throw new Fault(); }\n  void hides() { fails(); }\n"
        "  void claims() throws Fault { nothing(); }\n  void nothing() {}\n  void honest() throws Fault { fails(); }\n"
        "  void foreign() { throw new org.jruby.RaiseException(); }\n}\n"
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with filled(tmp_path_factory.mktemp("graph") / "codemem.db", FILES) as opened:
        yield opened


@contextmanager
def filled(database: Path, sources: Mapping[str, str]) -> Iterator[Store]:
    """Open a new store with these files, resolved."""
    with create_store(database) as opened:
        files = []
        for path, text in sources.items():
            parsed = parse_file(SourceFile(path, detect_language(path, text), text, path))
            files.append(StoredFile(parsed, text, FileEntry(path, len(text), 1, 1), 1))
        with opened.transaction() as connection:
            replace_files(connection, files)
        resolve_changed(opened)
        yield opened


def key(store: Store, name: str) -> ChunkKey:
    row = find_symbols(store, name)[0]
    return ChunkKey(row.path, row.qualified_name, row.ordinal)


def told(edge: Edge) -> str:
    callee = edge.callee.qualified_name if edge.callee else f"({edge.name})"
    return f"{edge.depth} {edge.caller.qualified_name}:{edge.line}{edge.mark} -> {callee} {edge.certainty}"


def test_callees_come_in_evaluation_order_with_certainty(store: Store) -> None:
    assert [told(edge) for edge in callees(store, [key(store, "Order#create")], 2).edges] == [
        "1 Order#create:11* -> Stock#freeze resolved",
        "1 Order#create:12 -> Order#save resolved",
        "1 Order#create:13 -> (json.dumps) external",
        "2 Stock#freeze:7? -> NoStock resolved",
        "2 Stock#freeze:8 -> check resolved",
        "2 Order#save:16 -> check resolved",
    ]


def test_callers_by_alias_method_and_module_code_and_the_unresolved_ones(store: Store) -> None:
    assert [told(edge) for edge in callers(store, [key(store, "check")], 2).edges] == [
        "1 Order#save:16 -> check resolved",
        "1 Stock#freeze:8 -> check resolved",
        "2 Order#create:12 -> Order#save resolved",
        "2 Order#create:11* -> Stock#freeze resolved",
    ]
    graph = callers(store, [key(store, "Order#create")])
    assert {edge.caller.qualified_name for edge in graph.edges} >= {"Order#quiet", "main"}
    assert [f"{edge.caller.qualified_name} {edge.name} {edge.certainty}" for edge in graph.possible] == [
        "main unknown.create unresolved"
    ]


@pytest.mark.parametrize("walk", [callers, callees])
def test_a_depth_beyond_all_calls_ends_with_the_last_one(walk: Callable[..., CallGraph], store: Store) -> None:
    start = [key(store, "Order#create")]
    assert walk(store, start, 10**20).edges == walk(store, start, len(FILES) * 10).edges


def test_trace_gives_the_shortest_ways_and_those_one_longer(store: Store) -> None:
    found = trace(store, [key(store, "main")], [key(store, "check")])
    assert [[edge.callee.qualified_name for edge in path if edge.callee] for path in found.paths] == [
        ["Order#create", "Stock#freeze", "check"],
        ["Order#create", "Order#save", "check"],
    ]
    assert not trace(store, [key(store, "check")], [key(store, "main")]).paths


def test_trace_without_a_goal_is_the_tree_of_own_callees(store: Store) -> None:
    edges = trace(store, [key(store, "Order#save")]).edges
    assert [told(edge) for edge in edges] == ["1 Order#save:16 -> check resolved"]


def test_raises_tells_who_raises_lets_through_and_catches_with_subtypes(store: Store) -> None:
    sites = [
        f"{site.role} {site.type} {site.qualified_name} {site.via or ''}".strip()
        for site in find_raises(store, "ShopError")
    ]
    assert sites[0] == "raise NoStock Stock#freeze"
    assert "propagate NoStock Order#create Stock#freeze" in sites
    assert "propagate NoStock main Order#create" in sites
    assert "catch ShopError Order#quiet" in sites
    assert not any(site.startswith("propagate NoStock Order#quiet") for site in sites)
    assert [site.type for site in find_raises(store, "ShopError", subtypes=False)] == ["ShopError"]


def test_an_unknown_error_type_is_an_error_with_near_names(store: Store) -> None:
    with pytest.raises(BadQuery) as error:
        find_raises(store, "NoStok")
    assert "NoStock" in error.value.remedy


def test_drawings_are_text_with_escaped_names(store: Store) -> None:
    start = [key(store, "Order#save")]
    edges = callees(store, start).edges
    assert draw_graph(edges, start, "mermaid") == (
        'flowchart LR\n  n0["Order#35;save"]\n  n1["check"]\n  n0 --> n1\n  style n0 stroke-width:3px\n'
    )
    assert '  n0 [label="Order#save", tooltip="order.py", penwidth=3];\n' in draw_graph(edges, start, "dot")
    assert draw_graph((), start, "mermaid").startswith('flowchart LR\n  n0["Order#35;save"]')


@pytest.mark.parametrize(
    ("name", "mermaid", "dot"),
    [
        ("operator==", "operator#61;#61;", "operator=="),
        ("Map<K, V>#get", "Map#60;K#44; V#62;#35;get", "Map<K, V>#get"),
        ('say "hi"', "say #34;hi#34;", 'say \\"hi\\"'),
        ("a\\", "a#92;", "a\\\\"),
        ("x && &lt;y", "x #38;#38; #38;lt#59;y", "x &amp;&amp; &amp;lt;y"),
        ("Größe#函数", "Größe#35;函数", "Größe#函数"),
        ("Order#__init__", "Order#35;#95;#95;init#95;#95;", "Order#__init__"),
        ("boxed_clone", "boxed_clone", "boxed_clone"),
        ("1. a list", "1#46; a list", "1. a list"),
        ("- a list", "#45; a list", "- a list"),
        ("$$typeof", "#36;#36;typeof", "$$typeof"),
        ("end", "end", "end"),
        ("two\nlines\x1b[31m", "two lines#91;31m", "two lines[31m"),
    ],
)
def test_drawn_names_mean_nothing_to_the_drawing_program(name: str, mermaid: str, dot: str) -> None:
    start = [ChunkKey("a.py", name, 0)]
    assert f'  n0["{mermaid}"]\n' in draw_graph((), start, "mermaid")
    assert f'  n0 [label="{dot}", tooltip="a.py", penwidth=3];\n' in draw_graph((), start, "dot")


def test_equal_names_are_drawn_with_their_files() -> None:
    drawn = draw_graph((), [ChunkKey("a.py", "run", 0), ChunkKey("b.py", "run", 0), ChunkKey("b.py", "go", 0)], "dot")
    assert [line.split('"')[1] for line in drawn.splitlines() if " [label" in line] == [
        "run (a.py)",
        "go",
        "run (b.py)",
    ]


def test_contracts_that_differ_from_their_declaration(store: Store) -> None:
    kinds = {"Fault": frozenset({"Fault", "Exception", "Throwable"})}
    found = {}
    for name in ("fails", "hides", "claims", "nothing", "honest"):
        row = find_symbols(store, f"Shop#{name}")[0]
        chunk = load_resolved(store.connection, [row.chunk_id])[row.chunk_id]
        found[name] = [(one.kind, one.type) for one in mismatches(chunk, lambda kind: kinds.get(kind, frozenset()))]
    assert found == {
        "fails": [],
        "hides": [("undeclared", "Fault")],
        "claims": [("never raised", "Fault")],
        "nothing": [],
        "honest": [],
    }


def test_all_mismatches_of_a_repository(store: Store) -> None:
    found = [(chunk.qualified_name, one.kind, one.type) for chunk, one in all_mismatches(store)]
    assert found == [("Shop#hides", "undeclared", "Fault"), ("Shop#claims", "never raised", "Fault")]


PANICS = {
    "a.go": (
        'package shop\n\nfunc Take(n int) {\n\tif n < 0 {\n\t\tpanic("negative count")\n\t}\n}\n\n'
        "func Safe() {\n\tdefer func() { recover() }()\n\tpanic(1)\n}\n\nfunc Over() { Take(1) }\n"
    ),
    "a.rs": "fn take(n: Option<u32>) {\n    n.unwrap();\n}\n",
}


def test_what_ends_the_program_stands_on_the_card_and_is_found(tmp_path: Path) -> None:
    with filled(tmp_path / "codemem.db", PANICS) as store:
        found = {(site.qualified_name, site.via) for site in find_raises(store, "panic") if not site.handled}
        rows = [row for name in ("Take", "Safe", "Over", "take") for row in find_symbols(store, name)]
        chunks = load_resolved(store.connection, {row.chunk_id for row in rows}).values()
    cards = {chunk.qualified_name: interface_card(chunk, (), chunk.contract, to_read=True).raises for chunk in chunks}
    assert found == {("Take", None), ("Over", "Take"), ("take", None)}
    assert cards["Take"] == ('panic ("negative count")',)
    assert cards["Safe"] == ()
    assert cards["Over"] == ("panic (via Take)",)
    assert cards["take"] == ("panic (unwrap)",)
