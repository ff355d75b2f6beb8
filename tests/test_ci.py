"""What a CI job says about a change: interfaces, contracts for callers, memories; and when it fails."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from test_freshness import SETTINGS
from test_walk import git, write

from codemem.errors import BadInput
from codemem.indexing.ci import CiReport, ContractChange, InterfaceChange, compare_with_base, failures
from codemem.indexing.pipeline import refresh
from codemem.render.interfaces import ci_document, ci_markdown, ci_text
from codemem.store import create_store, store_path
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
    assert (contract.callers, contract.unhandled) == (("create_order",), ("create_order",))


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


REPORT = CiReport(
    base="a" * 40,
    head="b" * 40,
    stale=("x.py",),
    interfaces=(
        InterfaceChange("added", "a.py", 3, "Shop#pay", "method", "def pay(self)"),
        InterfaceChange("changed", "b.py", 1, "f", "function", "def f(a, b)", "def f(a)"),
        InterfaceChange("moved", "c.py", 1, "g", "function", "def g()", "old.py"),
        InterfaceChange("removed", "d.py", 9, "h", "function", "def h()"),
    ),
    contracts=(
        ContractChange("a.py", "createOrder", "PaymentTimeout", True, "", ("p", "q", "r", "s", "t"), ("p", "q", "r", "s")),
        ContractChange("a.py", "ship", "Lost", True, "carrier", ("p",), ()),
        ContractChange("a.py", "odd`name", "E", False, "", ("p",), ()),
    ),
    memories=(),
    report=Report("/r"),
)  # fmt: skip

MARKDOWN = """\
## codemem: 1 added, 1 changed, 1 removed, 1 moved since aaaaaaaaaa
- failed: 1 interface removed

### Contracts
- `createOrder` may now raise `PaymentTimeout`, 4 callers do not handle it: `p`, `q`, `r`, `s`
- `ship` may now raise `Lost` through `carrier`, 1 caller, handled or declared by all
- `` odd`name `` no longer raises `E`, 1 caller

### Removed
- function `h` (`d.py:9`)

### Changed
- function `f` (`b.py:1`): `def f(a)` → `def f(a, b)`

### Added
- method `Shop#pay` (`a.py:3`): `def pay(self)`

### Moved
- function `g` (`c.py:1`), from `old.py`
"""


def test_the_summary_reads_well() -> None:
    assert ci_markdown(REPORT, failures(REPORT, ("removed",))) == MARKDOWN


def test_the_same_report_as_text_and_as_json() -> None:
    text = ci_text(REPORT)
    assert "createOrder may now raise PaymentTimeout, 4 callers do not handle it: p, q, r, s" in text
    assert "`" not in text.replace("odd`name", "")
    document = ci_document(REPORT, ("why",))
    contract = json.loads(json.dumps(document))["contracts"][0]
    assert (contract["type"], contract["unhandled"]) == ("PaymentTimeout", ["p", "q", "r", "s"])
    assert set(document) == {"base", "head", "stale", "interfaces", "contracts", "memories", "index", "failed"}


@pytest.mark.parametrize(
    ("fail_on", "reasons"),
    [
        ((), ()),
        (("stale",), ("the index was stale: 1 file differed",)),
        (("contract",), ("1 new error not handled by callers",)),
        (("removed",), ("1 interface removed",)),
        (("memory",), ()),
        (("memory", "removed", "stale"), ("the index was stale: 1 file differed", "1 interface removed")),
    ],
)
def test_only_what_was_asked_for_fails_the_job(fail_on: tuple[str, ...], reasons: tuple[str, ...]) -> None:
    assert failures(REPORT, fail_on) == reasons  # type: ignore[arg-type]
