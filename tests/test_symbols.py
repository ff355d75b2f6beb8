"""Definitions are found by every spelling people use for a name."""

from __future__ import annotations

from pathlib import Path

import pytest

from codemem.errors import BadQuery
from codemem.store import open_store, store_path
from codemem.store.symbols import find_symbols, near_names
from tests.test_cli_cases import repository

JAVA = """\
class Orders {
    Orders() {}
    void createOrder(int a) {}
    void createOrder(int a, int b) {}
    class Inner { void createOrder() {} }
}
"""
FILES: dict[str, str | bytes] = {
    "shop/Orders.java": JAVA,
    "shop/tools.py": "def create_order():\n    pass\n\n\ndef other():\n    pass\n",
    "lib/tools.py": "def other():\n    pass\n",
    "docs/orders.md": "# Ordering guide\n\nHow to order.\n",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return repository(tmp_path_factory.mktemp("symbols"), FILES)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Orders", ["shop/Orders.java:1"]),
        ("Orders#createOrder", ["shop/Orders.java:3", "shop/Orders.java:4"]),
        ("Orders.createOrder", ["shop/Orders.java:3", "shop/Orders.java:4", "shop/Orders.java:5"]),
        ("Inner::createOrder", ["shop/Orders.java:5"]),
        ("Inner:createOrder", ["shop/Orders.java:5"]),
        ("shop/tools.py:other", ["shop/tools.py:5"]),
        ("lib/tools.py::other", ["lib/tools.py:1"]),
        ("createOrder", ["shop/Orders.java:3", "shop/Orders.java:4", "shop/Orders.java:5"]),
        ("create_order", ["shop/tools.py:1"]),
        ("createorder()", ["shop/Orders.java:3", "shop/Orders.java:4", "shop/Orders.java:5", "shop/tools.py:1"]),
        ("CREATE_ORDER(a, b)", ["shop/Orders.java:3", "shop/Orders.java:4", "shop/Orders.java:5", "shop/tools.py:1"]),
        ("other", ["lib/tools.py:1", "shop/tools.py:5"]),
        ("lib.tools.other", ["lib/tools.py:1"]),
        ("shop/tools.py:6", ["shop/tools.py:5"]),
        ("./shop/tools.py:5-6", ["shop/tools.py:5"]),
    ],
)
def test_a_name_is_found_as_it_is_written(folder: Path, text: str, found: list[str]) -> None:
    with open_store(store_path(folder)) as store:
        assert [f"{row.path}:{row.start_line}" for row in find_symbols(store, text)] == found


@pytest.mark.parametrize(
    ("text", "remedy"),
    [("creatOrder", "createOrder"), ("Order#create", "createOrder"), ("", "give a name"), ("zzz", "search")],
)
def test_an_unknown_name_is_answered_with_near_ones(folder: Path, text: str, remedy: str) -> None:
    with open_store(store_path(folder)) as store, pytest.raises(BadQuery) as caught:
        find_symbols(store, text)
    assert remedy in caught.value.remedy


def test_only_what_can_be_looked_up_is_offered_instead(folder: Path) -> None:
    with open_store(store_path(folder)) as store:
        assert near_names(store, "creatOrder")[0] == "createOrder"
        assert near_names(store, "Ordering guide") == []  # a heading: `show` knows definitions
