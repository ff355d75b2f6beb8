"""What a CI job says about a change: interfaces, contracts for callers, memories; and when it fails."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from test_freshness import SETTINGS
from test_walk import git, write

from codemem.errors import BadInput
from codemem.indexing.ci import (
    Caller,
    CiReport,
    ContractChange,
    InterfaceChange,
    StaleMemory,
    compare_with_base,
    failures,
)
from codemem.indexing.freshness import check_freshness
from codemem.indexing.pipeline import refresh
from codemem.render.interfaces import ci_document, ci_markdown, ci_text, narrowed
from codemem.store import create_store, open_store, store_path
from codemem.store.logical import LOGICAL_TABLES, logical_rows
from codemem.types import Report

SHOP = {
    "pay.py": "class Declined(Exception):\n    pass\n\n\ndef charge(order):\n    return order.total\n",
    "shop.py": "from pay import charge\n\n\ndef create_order(order):\n    return charge(order)\n",
    "web.py": (
        "from shop import create_order\nfrom pay import Declined\n\n\ndef page(request):\n    return create_order(request)\n\n\n"
        "def safe_page(request):\n    try:\n        return create_order(request)\n    except Declined:\n        return None\n"
    ),
    "tests/test_shop.py": "from shop import create_order\n\n\ndef test_order():\n    assert create_order(1)\n",
}
CHARGE = "class Declined(Exception):\n    pass\n\n\ndef charge(order):\n    if not order:\n        raise Declined(order)\n    return order.total\n"


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    root = tmp_path / "shop"
    write(root, SHOP)
    git(root, "init")
    git(root, "add", ".")
    git(root, "commit", "-m", "one")
    git(root, "checkout", "-q", "-b", "change")
    return root


def compared(root: Path, base: str = "main") -> CiReport:
    return compare_with_base(root, SETTINGS, base)


def changes(report: CiReport) -> list[tuple[str, str, str]]:
    return [(change.kind, change.path, change.qualified_name) for change in report.interfaces]


def change_signature(root: Path) -> None:
    write(root, {"shop.py": SHOP["shop.py"].replace("create_order(order)", "create_order(order, note)", 1)})


CASES: dict[str, tuple[Callable[[Path], object], list[tuple[str, str, str]]]] = {
    "nothing": (lambda root: None, []),
    "body": (lambda root: write(root, {"pay.py": SHOP["pay.py"].replace("order.total", "order.total + 1")}), []),
    "added": (lambda root: write(root, {"new.py": "def refund(order):\n    pass\n"}), [("added", "new.py", "refund")]),
    "removed": (
        lambda root: git(root, "rm", "-q", "web.py"), [("removed", "web.py", "page"), ("removed", "web.py", "safe_page")]
    ),
    "signature": (change_signature, [("changed", "shop.py", "create_order")]),
    "moved": (lambda root: git(root, "mv", "shop.py", "store.py"), [("moved", "store.py", "create_order")]),
    "test": (lambda root: write(root, {"tests/test_new.py": "def test_x():\n    pass\n"}), []),
}  # fmt: skip


@pytest.mark.parametrize(("change", "expected"), CASES.values(), ids=CASES.keys())
def test_interfaces_are_compared_with_the_base(
    shop: Path, change: Callable[[Path], object], expected: list[tuple[str, str, str]]
) -> None:
    change(shop)
    report = compared(shop)
    assert changes(report) == expected
    assert report.base == git(shop, "rev-parse", "main").strip()
    assert not list(store_path(shop).parent.glob("base-*"))
    assert git(shop, "worktree", "list").count("\n") == 1


def test_a_new_error_is_told_with_the_callers_that_do_not_handle_it(shop: Path) -> None:
    write(shop, {"pay.py": CHARGE})
    (contract,) = compared(shop).contracts
    assert (contract.qualified_name, contract.type, contract.gained, contract.via) == ("charge", "Declined", True, "")
    assert contract.callers == contract.unhandled == (Caller("create_order", "shop.py", 5),)


OVERLOADS = "class Money {\n    int plus(int a) { return a; }\n    int plus(long b) { return 1; }\n}\n"


def test_an_overload_more_changes_no_other(shop: Path) -> None:
    write(shop, {"Money.java": OVERLOADS})
    git(shop, "add", ".")
    git(shop, "commit", "-qm", "money")
    write(shop, {"Money.java": OVERLOADS.replace("{\n    int", "{\n    int plus() { return 0; }\n    int", 1)})
    report = compared(shop, "HEAD")
    assert [(change.kind, change.signature) for change in report.interfaces] == [("added", "int plus()")]


def test_a_new_error_alone_is_no_changed_interface(shop: Path) -> None:
    write(shop, {"pay.py": CHARGE, "web.py": SHOP["web.py"] + "\n\ndef alone():\n    raise KeyError(1)\n"})
    git(shop, "add", ".")
    git(shop, "commit", "-qm", "raise")
    write(shop, {"web.py": SHOP["web.py"] + "\n\ndef alone():\n    raise TypeError(1)\n"})
    report = compared(shop)
    assert "→" not in ci_markdown(report) and changes(report) == [("added", "web.py", "alone")]
    since = compared(shop, "HEAD")
    assert changes(since) == []
    told = [(change.qualified_name, change.type, change.gained, change.callers) for change in since.contracts]
    assert told == [("alone", "KeyError", False, ()), ("alone", "TypeError", True, ())]


def test_an_error_of_a_new_function_is_told_of_those_that_call_it(shop: Path) -> None:
    checked = "from pay import charge\n\n\ndef check(order):\n    raise ValueError(order)\n\n\ndef create_order(order):\n    check(order)\n    return charge(order)\n"
    write(shop, {"shop.py": checked})
    (contract,) = compared(shop).contracts
    assert (contract.qualified_name, contract.type, contract.via) == ("create_order", "ValueError", "check")
    assert [caller.qualified_name for caller in contract.unhandled] == ["page", "safe_page"]  # and not the test


@pytest.mark.parametrize("error", ["ArithmeticError", "KeyError"])
def test_an_error_that_a_nearer_one_pushes_out_is_not_told(shop: Path, error: str) -> None:
    """A contract keeps the nearest errors: the farthest of `serve` is still there when a nearer one comes."""
    errors = "".join(f"class E{number:02}(Exception):\n    pass\n\n\n" for number in range(40))
    fails = "def deep(n):\n" + "".join(f"    if n == {number}:\n        raise E{number:02}\n" for number in range(40))
    calls = (
        "\n\ndef near(n):\n    return n\n\n\ndef serve(n):\n    near(n)\n    deep(n)\n\n\ndef outer(n):\n    serve(n)\n"
    )
    write(shop, {"many.py": errors + fails + calls})
    git(shop, "add", ".")
    git(shop, "commit", "-qm", "many")
    write(shop, {"many.py": (errors + fails + calls).replace("    return n\n", f"    raise {error}(n)\n")})
    (told,) = compared(shop, "HEAD").contracts
    assert (told.qualified_name, told.type, told.gained) == ("near", error, True)
    assert [caller.qualified_name for caller in told.unhandled] == [
        "serve"
    ]  # also where its contract has no room to say so


def test_what_stands_inside_a_function_is_no_interface(shop: Path) -> None:
    inner = "def outer():\n    def inner(a):\n        return a\n    class Local:\n        def method(self):\n            pass\n    return inner\n"
    write(shop, {"new.py": inner, "pyproject.toml": "[tool.x]\na = 1\n"})
    assert changes(compared(shop)) == [("added", "new.py", "outer")]


def test_what_moved_and_changed_is_told_once(shop: Path) -> None:
    git(shop, "mv", "pay.py", "payment.py")
    write(shop, {"payment.py": CHARGE})
    report = compared(shop)
    assert changes(report) == [("moved", "payment.py", "Declined")]
    assert [(change.qualified_name, change.type) for change in report.contracts] == [("charge", "Declined")]


def test_a_decorator_is_told_where_the_signature_is_the_same(shop: Path) -> None:
    write(shop, {"pay.py": SHOP["pay.py"].replace("def charge", "@cached\ndef charge")})
    for change in compared(shop).interfaces:
        assert change.before != change.signature or change.marks


def test_an_error_that_goes_is_told_too(shop: Path) -> None:
    write(shop, {"pay.py": CHARGE})
    git(shop, "commit", "-qam", "raise")
    write(shop, {"pay.py": SHOP["pay.py"]})
    (contract,) = compared(shop, "HEAD").contracts
    assert (contract.qualified_name, contract.type, contract.gained, contract.unhandled) == (
        "charge",
        "Declined",
        False,
        (),
    )


def test_the_report_is_the_same_from_a_restored_index_and_from_none(shop: Path) -> None:
    write(shop, {"pay.py": CHARGE})
    cold = compared(shop)
    write(shop, {"pay.py": SHOP["pay.py"]})
    refresh(shop, SETTINGS)
    write(shop, {"pay.py": CHARGE})
    warm = compared(shop)
    assert (warm.interfaces, warm.contracts) == (cold.interfaces, cold.contracts)
    assert (cold.stale, warm.stale) == ((), ("pay.py",))


def test_the_base_is_where_the_branch_began(shop: Path) -> None:
    write(shop, {"new.py": "def refund(order):\n    pass\n"})
    git(shop, "add", ".")
    git(shop, "commit", "-qm", "two")
    git(shop, "checkout", "-q", "main")
    write(shop, {"later.py": "def later():\n    pass\n"})
    git(shop, "add", ".")
    git(shop, "commit", "-qm", "three")
    git(shop, "checkout", "-q", "change")
    assert changes(compare_with_base(shop, SETTINGS)) == [("added", "new.py", "refund")]


def test_tracked_but_ignored_files_belong_to_the_base(shop: Path) -> None:
    write(shop, {".gitignore": "gen.py\n", "gen.py": "def made():\n    pass\n"})
    git(shop, "add", "-f", ".")
    git(shop, "commit", "-qm", "two")
    assert changes(compared(shop, "HEAD")) == []


HELPERS = {
    "made/gen.py": "def made():\n    pass\n",
    "notes.md": "# Notes\n",
}
RULES: dict[str, tuple[dict[str, str], list[tuple[str, str, str]]]] = {
    "a file is now left out": ({".codememignore": "made/\n"}, [("removed", "made/gen.py", "made")]),
    "rules that leave nothing out": ({".codememignore": "*.md\n"}, []),
    "a file that a rule of both leaves out": ({"skip/new.py": "def new():\n    pass\n"}, []),
    "a file of a folder whose rules stay": (
        {"made/more.py": "def more():\n    pass\n"}, [("added", "made/more.py", "more")]
    ),
}  # fmt: skip


@pytest.mark.parametrize(("change", "expected"), RULES.values(), ids=RULES.keys())
def test_the_base_has_its_own_ignore_rules(
    shop: Path, change: dict[str, str], expected: list[tuple[str, str, str]]
) -> None:
    write(shop, {**HELPERS, "skip/.codememignore": "*.py\n"})
    git(shop, "add", ".")
    git(shop, "commit", "-qm", "two")
    write(shop, change)
    git(shop, "add", ".")
    assert changes(compared(shop, "HEAD")) == expected


def test_comparing_leaves_the_index_as_it_was(shop: Path) -> None:
    refresh(shop, SETTINGS)
    write(shop, {"pay.py": CHARGE, "new.py": "def refund(order):\n    pass\n"})
    git(shop, "rm", "-q", "--cached", "web.py")
    compared(shop)
    with open_store(store_path(shop)) as store:
        after = {table: list(logical_rows(store, table)) for table in LOGICAL_TABLES}
        assert check_freshness(shop, SETTINGS, store).fresh
    refresh(shop, SETTINGS, full=True)
    with open_store(store_path(shop)) as store:
        assert after == {table: list(logical_rows(store, table)) for table in LOGICAL_TABLES}


@pytest.mark.parametrize("base", ["nowhere", "--help", "-x", ""])
def test_a_base_that_is_not_there_is_said_so(shop: Path, base: str) -> None:
    if not base:
        return
    with pytest.raises(BadInput, match="there is no commit") as caught:
        compared(shop, base)
    assert "fetch-depth: 0" in caught.value.remedy


def test_a_folder_without_git_has_no_base(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no git work tree"):
        compared(tmp_path)


def test_memories_about_changed_code_are_listed(shop: Path) -> None:
    refresh(shop, SETTINGS)
    with create_store(store_path(shop)) as store, store.transaction() as connection:
        connection.execute(
            "INSERT INTO memory (id, uuid, tenant, visibility, project_id, cube, type, content, importance, source, status, created_at, "
            "updated_at, content_hash) VALUES (1, 'u1', 't', 'project', 'p', 'c', 'text_mem', 'm', 5, 'manual', 'active', 1, 1, 'h')"
        )
        connection.execute(
            "INSERT INTO memory_anchor (memory_id, tenant, symbol, path, content_hash, state, checked_at) "
            "VALUES (1, 't', 'gone', 'gone.py', 'h', 'orphaned', 1)"
        )
    report = compared(shop)
    assert [(memory.id, memory.symbol, memory.state) for memory in report.memories] == [("u1", "gone", "orphaned")]
    assert failures(report, ("memory",)) == ("code that changed or went has 1 memory",)


def callers(*names: str) -> tuple[Caller, ...]:
    return tuple(Caller(name, "shop/web.py", line) for line, name in enumerate(names, 10))


REPORT = CiReport(
    base="a" * 40,
    head="b" * 40,
    stale=("x.py",),
    interfaces=(
        InterfaceChange("added", "a.py", 3, "Shop", "class", "class Shop"),
        InterfaceChange("added", "a.py", 4, "Shop#pay", "method", "def pay(self)"),
        InterfaceChange("added", "a.py", 9, "Shopping", "class", "class Shopping"),
        InterfaceChange("changed", "b.py", 1, "f", "function", "def f(a, b)", "def f(a)"),
        InterfaceChange("changed", "b.py", 5, "g", "function", "def g()", "def g()", marks=("now marked cached",)),
        InterfaceChange("changed", "b.py", 9, "h", "function", "def h(x)", "def h()", "old.py"),
        InterfaceChange("moved", "c.py", 1, "i", "function", "def i()", origin="old.py"),
        InterfaceChange("moved", "c.py", 5, "j", "function", "def j()", origin="old.py"),
        InterfaceChange("removed", "d.py", 9, "k", "function", "def k()"),
    ),
    contracts=(
        ContractChange("a.py", 7, "odd`name", "E", False, "", callers("p")),
        ContractChange("a.py", 8, "ship", "Lost", True, "carrier", callers("p")),
        ContractChange("a.py", 8, "ship", "Late", True, "carrier", callers("p")),
        ContractChange("a.py", 8, "ship", "Broken", True, "", callers("p")),
        ContractChange("a.py", 9, "start", "Down", True),
        ContractChange("a.py", 3, "createOrder", "PaymentTimeout", True, "", callers(*"pqrstuv"), callers(*"pqrstuv")),
    ),
    memories=(StaleMemory("u1", "f", "stale", "f takes *one* value"),),
    report=Report("/r"),
)

MARKDOWN = """\
## codemem: interfaces 3 added, 3 changed, 1 removed, 2 moved since aaaaaaaaaa
- failed: 1 interface removed

### Contracts
- `a.py:3` `createOrder` may now raise `PaymentTimeout`; 7 callers do not handle it: `p` (`shop/web.py:10`), \
`q` (`shop/web.py:11`), `r` (`shop/web.py:12`), `s` (`shop/web.py:13`), `t` (`shop/web.py:14`) and 2 more
- `a.py:8` `ship` may now raise `Broken`, `Lost`, `Late` through `carrier`; 1 caller, handled or declared by all
- `a.py:9` `start` may now raise `Down`; nothing here calls it
- `a.py:7` `` odd`name `` no longer raises `E`; 1 caller

### Removed
- `d.py`
  - function `k` (line 9)

### Changed
- `b.py`
  - function `f` (line 1): `def f(a)` → `def f(a, b)`
  - function `g` (line 5): now marked `cached`
  - function `h` (line 9): was in `old.py`, `def h()` → `def h(x)`

### Added
- `a.py`
  - class `Shop` (line 3) with 1 member: `class Shop`
  - class `Shopping` (line 9): `class Shopping`

### Moved
- `old.py` → `c.py:1`: `i`, `j`

### Memories to look at
- `f` is stale: `f takes *one* value` (`u1`)
"""


def test_the_summary_reads_well() -> None:
    assert ci_markdown(REPORT, failures(REPORT, ("removed",))) == MARKDOWN


def test_places_are_links_where_the_service_has_an_address() -> None:
    text = ci_markdown(REPORT, (), "https://example.org/o/r/blob/{commit}/{path}")
    assert f"[`a.py:8`](https://example.org/o/r/blob/{'b' * 40}/a.py#L8) `ship`" in text
    assert f"`p` ([`web.py:10`](https://example.org/o/r/blob/{'b' * 40}/shop/web.py#L10))" in text
    assert f"- [`d.py`](https://example.org/o/r/blob/{'a' * 40}/d.py)" in text  # what went stands in the base


def test_nothing_in_a_name_takes_effect() -> None:
    odd = InterfaceChange("added", "a b)(<i>.py", 1, "f`](http://x) <b>\n# |*_", "function", "def \x1b[2J(`a`)")
    text = ci_markdown(replace(REPORT, interfaces=(odd,), contracts=()), (), "https://e.org/{commit}/{path}")
    assert f"[`a b)(<i>.py`](https://e.org/{'b' * 40}/a%20b%29%28%3Ci%3E.py)" in text
    assert "function `` f`](http://x) <b> # |*_ `` (line 1): `` def ␛[2J(`a`) ``" in text


def test_a_long_list_is_cut_and_counted() -> None:
    many = tuple(InterfaceChange("removed", f"m{number}.py", 1, "f", "function", "") for number in range(1_060))
    text = ci_markdown(replace(REPORT, interfaces=many, contracts=()))
    assert text.count("function `f`") == 50 and "- … and 1,010 more (`codemem ci --json` lists all)" in text


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        ("def f(a)", "def f(b)", ("def f(a)", "def f(b)")),
        (
            f"def f(first: int, {', '.join(f'value{n}: str' for n in range(20))}, last: int) -> None",
            f"def f(first: str, {', '.join(f'value{n}: str' for n in range(20))}, last: int) -> None",
            ("def f(first: int, value0: …", "def f(first: str, value0: …"),
        ),
    ],
)
def test_of_long_signatures_only_the_difference_is_shown(before: str, after: str, shown: tuple[str, str]) -> None:
    assert narrowed(before, after) == shown


def test_the_same_report_as_text_and_as_json() -> None:
    text = ci_text(REPORT)
    assert (
        "  a.py:3 createOrder may now raise PaymentTimeout; 7 callers do not handle it: p (shop/web.py:10), q" in text
    )
    assert "  b.py:1 function f: def f(a) → def f(a, b)" in text
    assert "`" not in text.replace("odd`name", "").replace("`codemem", "")
    document = json.loads(json.dumps(ci_document(REPORT, ("why",))))
    contract = document["contracts"][-1]
    assert (contract["type"], len(contract["unhandled"])) == ("PaymentTimeout", 7)
    assert contract["callers"][0] == {"qualified_name": "p", "path": "shop/web.py", "line": 10}
    assert set(document) == {"base", "head", "stale", "interfaces", "contracts", "memories", "index", "failed"}


@pytest.mark.parametrize(
    ("fail_on", "reasons"),
    [
        ((), ()),
        (("stale",), ("the index was stale: 1 file differed",)),
        (("contract",), ("1 new error not handled by callers",)),
        (("removed",), ("1 interface removed",)),
        (("memory",), ("code that changed or went has 1 memory",)),
        (("removed", "stale"), ("the index was stale: 1 file differed", "1 interface removed")),
    ],
)
def test_only_what_was_asked_for_fails_the_job(fail_on: tuple[str, ...], reasons: tuple[str, ...]) -> None:
    assert failures(REPORT, fail_on) == reasons  # type: ignore[arg-type]
