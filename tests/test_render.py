"""Records become what people and programs read."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codemem.graph import Edge
from codemem.packing.entries import code_entries
from codemem.render.documents import hit_document, json_bytes, report_document, search_document
from codemem.render.graph import edge_documents, tree_text, ways_text
from codemem.render.highlight import best_line, highlighted, token_code
from codemem.render.hits import Look, search_markdown, search_paths, search_text
from codemem.render.reports import report_text, size_text, skipped_lines
from codemem.render.safe import drawable, one_line, safe_text
from codemem.render.style import COLOUR, PLAIN
from codemem.render.symbols import outline_text, symbol_text
from codemem.render.table import cell_width, cut_width, table_text
from codemem.render.wrap import hanging
from codemem.store.symbols import SymbolRow
from codemem.types import Call, Chunk, ChunkKey, ErrorFact, Hit, Query, Report, SearchResult, Skipped


def key(name: str) -> ChunkKey:
    return ChunkKey("a.java", name, 0)


CODE = "Order createOrder(Request request) {\n\trisk.check(request);\n\treturn stock.freeze(request);\n}\n"
CHUNK = Chunk(
    path="order/OrderFacade.java",
    language="java",
    kind="method",
    name="createOrder",
    qualified_name="OrderFacade#createOrder",
    ordinal=0,
    start_line=21,
    end_line=24,
    calls=(
        Call("check", "risk", 22, 1, target=key("RiskService#check"), certainty="resolved"),
        Call("info", "log", 22, 2, certainty="external"),
        Call("freeze", "stock", 23, 3, target=key("StockService#freeze"), certainty="likely"),
    ),
    contract=(
        ErrorFact("declare", "OutOfStock", "throws OutOfStock", 21),
        ErrorFact("propagate", "OutOfStock", "", 23, via="StockService#freeze"),
        ErrorFact("catch", "DuplicateKey", "", 22),
    ),
)
HIT = Hit(CHUNK, 0.98, 21, 24, CODE, {"definition": 0.5, "bm25": 0.25, "depth": -0.1}, also=((88, 102), (140, 140)))
RESULT = SearchResult(Query("createOrder freeze"), (HIT,), exact_match=True)
LOOK = Look(phrases={"definition": "defines the name", "bm25": "words"})

BLOCK = """\
order/OrderFacade.java:21-24
  method  OrderFacade#createOrder  (defines the name, words)
  ▶ 21 │ Order createOrder(Request request) {
    22 │     risk.check(request);
    23 │     return stock.freeze(request);
    24 │ }
  calls: RiskService#check → StockService#freeze
  raises: OutOfStock (declared; via StockService#freeze)
  handles: DuplicateKey
  also: 88-102, 140"""


def test_a_hit_begins_with_its_range_and_says_what_it_calls_and_raises() -> None:
    assert search_text(RESULT, LOOK) == BLOCK


def test_explain_lists_every_signal_by_size() -> None:
    shown = search_text(RESULT, Look(explain=True)).splitlines()
    assert shown[-4:] == [
        "    score 0.980",
        "    definition  +0.500",
        "    bm25        +0.250",
        "    depth       -0.100",
    ]


def test_lines_are_cut_at_the_terminals_width_and_never_in_a_pipe() -> None:
    long = Hit(CHUNK, 1.0, 1, 1, "x" * 300, {})
    narrow = search_text(SearchResult(Query("x"), (long,)), Look(width=40)).splitlines()
    assert max(map(len, narrow[2:3])) == 40 and narrow[2].endswith("…")
    assert "x" * 300 in search_text(SearchResult(Query("x"), (long,)), Look())


WIDE = CHUNK._replace(
    signature="Order createOrder(Request request) throws OutOfStock",
    doc="Creates an order, freezes the stock, and tells the warehouse of both.",
    contract=(
        *CHUNK.contract,
        *(ErrorFact("propagate", "CouponExpired", "", 23, via=f"CouponService#{verb}") for verb in ("redeem", "check")),
        ErrorFact("raise", "Refused", "", 23),
    ),
)

NARROW_BLOCK = """\
order/OrderFacade.java:21-24
  method  OrderFacade#createOrder
    (defines the name, words)
  ▶ 21 │ Order createOrder(Request requ…
    22 │     risk.check(request);
    23 │     return stock.freeze(reques…
    24 │ }
  calls: RiskService#check
         → StockService#freeze
  raises: OutOfStock (declared;
          via StockService#freeze),
          CouponExpired (via CouponServ…
  handles: DuplicateKey
  also: 88-102, 140"""

NARROW_CARD = """\
order/OrderFacade.java:21-24
  [interface] OrderFacade#createOrder
  path: order/OrderFacade.java
        language: java
  signature: Order createOrder(Request
             request) throws OutOfStock
  doc: Creates an order, freezes the
       stock, and tells the warehouse of
       both.
  calls: RiskService#check
         -> StockService#freeze
  raises: OutOfStock (declared;
          via StockService#freeze),
          CouponExpired (via
          CouponService#redeem;
          via CouponService#check),
          Refused
  handles: DuplicateKey"""


def test_in_a_terminal_facts_hang_below_their_beginning_and_end_in_three_lines() -> None:
    result = SearchResult(Query("createOrder freeze"), (replace(HIT, chunk=WIDE),))
    assert search_text(result, LOOK._replace(width=40)) == NARROW_BLOCK
    assert "(via CouponService#redeem; via CouponService#check), Refused\n" in search_text(result, LOOK)


def test_in_a_terminal_a_card_shows_all_of_its_lists() -> None:
    card = symbol_text(WIDE, PLAIN, 40, str)
    assert card[: len(NARROW_CARD) + 1] == NARROW_CARD + "\n"
    assert "\n  raises: OutOfStock (declared; via StockService#freeze), CouponExpired (via" in symbol_text(
        WIDE, PLAIN, 0, str
    )


def test_in_a_terminal_an_outline_hangs_what_an_interface_raises_below_it() -> None:
    rows = [
        SymbolRow(1, "a.py", "python", "class", "Shop", "Shop", 0, 1, 9, "class Shop", "", ""),
        SymbolRow(2, "a.py", "python", "method", "order", "Shop#order", 0, 2, 9, "def order(self, request: Request) -> Order", "", "Shop"),
    ]  # fmt: skip
    raises = {2: "OutOfStock, CouponExpired, Refused"}
    assert outline_text(rows, raises, PLAIN, 40, str).splitlines() == [
        "a.py",
        "  1-9 class Shop",
        "  2-9   method def order(self, request:…",
        "            raises OutOfStock,",
        "                   CouponExpired,",
        "                   Refused",
    ]
    line = "  2-9   method def order(self, request: Request) -> Order   raises OutOfStock, CouponExpired, Refused"
    assert outline_text(rows, raises, PLAIN, 0, str).splitlines()[-1] == line


@given(
    st.lists(
        st.sampled_from(["Fault (via A#b; via C#d)", "E", "→ B*", "→ " + "x" * 30, "订单服务", "y" * 70]), min_size=1
    ),
    st.integers(min_value=30, max_value=90),
    st.booleans(),
)
def test_hanging_lines_fit_and_lose_nothing(items: list[str], width: int, listed: bool) -> None:
    text = ", ".join(items)
    first, *others = hanging("  raises: ", text, width, listed=listed)
    assert all(cell_width(line) <= width for line in (first, *others))
    assert first.startswith("  raises: ") and all(line.startswith(" " * 10) for line in others)
    written = "".join(line[10:] for line in (first, *others))
    assert written.replace(" ", "") == text.replace(" ", "")


def test_colour_changes_nothing_but_the_styles() -> None:
    import re

    coloured = search_text(RESULT, Look(style=COLOUR, phrases=LOOK.phrases))
    assert "\x1b[" in coloured and re.sub(r"\x1b\[[0-9;]*m", "", coloured) == BLOCK


def test_a_snippet_shorter_than_its_unit_says_where_the_unit_ends() -> None:
    hit = Hit(CHUNK, 1.0, 21, 40, CODE, {})
    assert "       … to line 40" in search_text(SearchResult(Query("freeze"), (hit,)), Look()).splitlines()


def test_a_window_inside_the_unit_keeps_its_line_numbers() -> None:
    hit = Hit(CHUNK, 1.0, 21, 90, CODE, {}, text_line=60, match_line=61)
    shown = search_text(SearchResult(Query("freeze"), (hit,)), Look()).splitlines()
    assert shown[0].endswith(":21-90") and shown[3] == "  ▶ 61 │     risk.check(request);"


@pytest.mark.parametrize(
    ("first", "last", "text_line", "text", "said"),
    [
        (21, 24, 0, CODE, ""),
        (21, 24, 21, CODE.rstrip(), ""),
        (21, 90, 60, CODE, "lines 60-63"),
        (21, 90, 0, CODE, "lines 21-24"),
        (21, 24, 24, "}", "lines 24-24"),
    ],
)
def test_a_snippet_that_is_not_the_whole_unit_says_its_lines(
    first: int, last: int, text_line: int, text: str, said: str
) -> None:
    """Agents get no line numbers beside the code: without this they take the unit's for the snippet's."""
    hit = Hit(CHUNK, 1.0, first, last, text, {}, text_line=text_line)
    assert hit.excerpt == said
    assert ("- shown: " in search_markdown(SearchResult(Query("freeze"), (hit,)))) == bool(said)
    entry = code_entries([hit])[0]
    assert entry.brief.splitlines()[0] == entry.text.splitlines()[0] + (f"  ({said})" if said else "")


def test_paths_and_markdown() -> None:
    assert search_paths(RESULT) == "order/OrderFacade.java:21"
    assert search_paths(RESULT, lambda path: "../" + path) == "../order/OrderFacade.java:21"
    document = search_markdown(RESULT)
    assert document.startswith("# createOrder freeze\n\n## 1. `order/OrderFacade.java:21-24`\n")
    assert "```java\nOrder createOrder" in document and "- handles: DuplicateKey" in document


def test_markdown_fences_are_longer_than_the_codes_own() -> None:
    hit = Hit(CHUNK, 1.0, 1, 1, "````\nx", {})
    assert "`````java" in search_markdown(SearchResult(Query("<b>x</b>"), (hit,)))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[2Jgone", "␛[2Jgone"),
        ("\x1b]0;title\x07", "␛]0;title␇"),
        ("a\rb", "a␍b"),
        ("a\u202eb", "a\\u202eb"),
        ("a\x9b31mb", "a\\u009b31mb"),
        ("a\tb", "a   b"),
        ("bad \udcff name", "bad \\udcff name"),
        ("注文 заказ 🙂", "注文 заказ 🙂"),
    ],
)
def test_nothing_from_a_file_commands_the_terminal(text: str, shown: str) -> None:
    assert safe_text(text) == shown


def test_one_line_is_one_line() -> None:
    assert one_line(" a\n\tb\r\n c ") == "a b c"


@pytest.mark.parametrize(
    ("encoding", "shown"),
    [("utf-8", "▶ 1 │ a → 注"), ("ascii", "> 1 | a -> 注"), ("latin-1", "> 1 | a -> 注"), ("no such", "> 1 | a -> 注")],
)
def test_drawing_characters_have_plain_twins(encoding: str, shown: str) -> None:
    assert drawable("▶ 1 │ a → 注", encoding) == shown


@pytest.mark.parametrize(
    ("query", "line"),
    [
        ("freeze stock", 12),
        ("createOrder", 10),
        ("create order", 10),
        ("nothing here at all", 0),
        ("", 0),
        ("注文", 13),
    ],
)
def test_the_line_that_answers_best_is_marked(query: str, line: int) -> None:
    assert best_line(["createOrder()", "x", "stock.freeze()", "// 注文"], query, 10) == line


def test_highlighting_keeps_every_character_of_every_line() -> None:
    lines = ["", "class A:", '    """doc', '    doc"""', "", "    x = 1  # one"]
    for style in (PLAIN, COLOUR):
        pieces = highlighted(lines, "python", style)
        assert ["".join(text for _, text in spans) for spans in pieces] == lines
    assert highlighted(lines, "no such language", COLOUR) == [[("", line)] for line in lines]


@pytest.mark.parametrize(
    ("token", "code"),
    [("Keyword.Declaration", "34"), ("Name.Function.Magic", "1"), ("Name", ""), ("Literal.String.Doc", "32")],
)
def test_a_token_takes_the_code_of_its_nearest_ancestor(token: str, code: str) -> None:
    assert token_code(token) == code


@pytest.mark.parametrize(
    ("text", "width", "cut"),
    [
        ("abcdef", 6, "abcdef"),
        ("abcdefg", 6, "abcde…"),
        ("注文注文", 5, "注文…"),
        ("注文注", 6, "注文注"),
        ("ééé", 2, "é…"),
    ],
)
def test_cutting_counts_cells(text: str, width: int, cut: str) -> None:
    assert cut_width(text, width) == cut and cell_width(cut) <= width


def test_table() -> None:
    assert table_text([("注", "b"), ("long", "")], header=("h", "i")) == "h     i\n注    b\nlong"
    assert table_text([]) == ""


def test_search_json_has_the_contracts_fields() -> None:
    document = search_document(RESULT, {"root": "/r"})
    assert list(document) == ["query", "mode", "count", "degraded", "exact_match", "index", "hits"]
    assert hit_document(HIT, 3) | {"text": ""} == {
        "rank": 3,
        "score": 0.98,
        "source": "code",
        "path": "order/OrderFacade.java",
        "start_line": 21,
        "end_line": 24,
        "language": "java",
        "kind": "method",
        "name": "createOrder",
        "qualified_name": "OrderFacade#createOrder",
        "package": "",
        "signature": "",
        "doc": "",
        "calls": [
            {"order": 1, "callee": "check", "target": "RiskService#check", "line": 22, "certainty": "resolved"},
            {"order": 3, "callee": "freeze", "target": "StockService#freeze", "line": 23, "certainty": "likely"},
        ],
        "contract": [
            {"role": "declare", "type": "OutOfStock", "line": 21, "source": "code", "via": None},
            {"role": "propagate", "type": "OutOfStock", "line": 23, "source": "code", "via": "StockService#freeze"},
            {"role": "catch", "type": "DuplicateKey", "line": 22, "source": "code", "via": None},
        ],
        "text": "",
        "text_line": 21,
        "also": [[88, 102], [140, 140]],
        "why": {"definition": 0.5, "bm25": 0.25, "depth": -0.1},
        "memories": [],
    }


def test_ranks_go_on_over_pages() -> None:
    page = search_document(SearchResult(Query("q", offset=10), (HIT,)), {})
    assert [hit["rank"] for hit in page["hits"]] == [11]  # type: ignore[attr-defined]


def test_index_json_has_the_contracts_fields() -> None:
    report = report_document(Report("/r", files=2, skipped=(Skipped("a.bin", "binary"),), seconds={"walk": 0.12345}))
    assert report["skipped"] == [{"path": "a.bin", "reason": "binary"}]
    assert report["seconds"] == {"walk": 0.123, "parse": 0.0, "resolve": 0.0, "embed": 0.0, "store": 0.0, "total": 0.0}


@pytest.mark.parametrize("text", ["plain", "注文 🙂", "bad \udcff name", "\x00\x1b"])
def test_json_is_always_valid_utf8(text: str) -> None:
    content = json_bytes({"text": text})
    content.decode("utf-8")
    assert json.loads(content) == {"text": text}


EDGES = (
    Edge(key("A#run"), key("B#go"), "b.go", "A.java", 3, 1, "resolved", 1, "*"),
    Edge(key("A#run"), key("C#<init>"), "C", "A.java", 4, 2, "likely"),
    Edge(key("A#run"), None, "log.info", "A.java", 5, 3, "external"),
    Edge(key("B#go"), key("A#run"), "a.run", "B.java", 12, 1, "resolved", 2),
)

TREE = """\
A.java:3   → B#go*
B.java:12    → A#run  (see above)
A.java:4   → C#<init> (likely)
A.java:5   → log.info (external)"""


def test_callees_as_a_tree_end_at_recursion() -> None:
    assert tree_text([key("A#run")], EDGES, False, PLAIN, str) == TREE


def test_callers_as_a_tree() -> None:
    assert tree_text([key("B#go")], EDGES[:1], True, PLAIN, str) == "A.java:3  ← A#run"


def test_ways_are_steps() -> None:
    assert ways_text([EDGES[:1]], PLAIN, str) == "A.java:3  A#run → B#go*"


def test_edges_json_has_the_contracts_fields() -> None:
    row = {
        "caller": "A#run",
        "callee": "B#go",
        "path": "A.java",
        "line": 3,
        "order": 1,
        "certainty": "resolved",
        "depth": 1,
    }
    assert edge_documents(EDGES[:1]) == [row]
    assert edge_documents(EDGES[2:3])[0]["callee"] == "log.info"


SKIPPED = (
    Skipped("b.min.js", "minified, by its name"),
    Skipped("a.bin", "binary"),
    Skipped("c.bin", "binary"),
    Skipped("big.sql", "too large: 3,000,000 bytes, the limit is 2,000,000 (max_file_bytes)"),
)


def test_what_was_skipped_is_grouped_by_reason() -> None:
    assert skipped_lines(SKIPPED, 1) == [
        "skipped 4 files:",
        "  binary (2)",
        "    a.bin",
        "    … and 1 more (--json lists all)",
        "  minified, by its name (1)",
        "    b.min.js",
        "  too large (1)",
        "    big.sql  (3,000,000 bytes, the limit is 2,000,000 (max_file_bytes))",
    ]
    assert skipped_lines((), 1) == []


def test_a_report_says_what_changed_and_that_nothing_was_found() -> None:
    report = Report("/r", files=1234, chunks=1, added=2, removed=1, embedded=3, reused=4, seconds={"total": 1.25})
    assert report_text(report) == "1,234 files, 1 chunk in 1.2 s: 2 added, 1 removed; 3 embedded, 4 reused"
    assert "0 files, 0 chunks in 0.0 s: nothing changed" in report_text(Report("/r"))
    assert "nothing to index here" in report_text(Report("/r"))


@pytest.mark.parametrize(
    ("size", "text"), [(0, "0 B"), (1023, "1023 B"), (1536, "1.5 KB"), (5 << 20, "5.0 MB"), (3 << 30, "3.0 GB")]
)
def test_sizes(size: int, text: str) -> None:
    assert size_text(size) == text
