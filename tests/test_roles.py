"""The part a file plays, told from its path."""

from __future__ import annotations

import pytest

from codemem.roles import file_role, is_prose, is_test, may_be_test


@pytest.mark.parametrize(
    ("path", "doubtful"),
    [
        ("src/click/testing.py", True),
        ("bats/test_functions.bash", True),
        ("pkg/test_order.py", True),
        ("tests/test_order.py", False),
        ("src/order_test.go", False),
        ("src/order.spec.ts", False),
        ("src/order.py", False),
    ],
)
def test_some_names_are_those_of_tests_and_of_what_is_offered_to_them(path: str, doubtful: bool) -> None:
    assert may_be_test(path) is doubtful


@pytest.mark.parametrize(
    ("path", "role"),
    [
        ("src/mux.go", "source"),
        ("src/mux_test.go", "test"),
        ("tests/conftest.py", "test"),
        ("test_flask.py", "test"),
        ("order/OrderServiceTest.java", "test"),
        ("src/router.spec.ts", "test"),
        ("src/__tests__/router.ts", "test"),
        ("Shop.Tests/OrderTests.cs", "test"),
        ("app/src/androidTest/Main.kt", "test"),
        ("src/latest.py", "source"),
        ("src/contest.py", "source"),
        ("src/audit.py", "source"),
        ("src/inspect.rs", "source"),
        ("locale/it.js", "source"),
        ("_examples/rest/main.go", "example"),
        ("benches/insert.rs", "example"),
        ("vendor/github.com/x/y_test.go", "vendored"),
        ("node_modules/left-pad/index.js", "vendored"),
        ("lib/minitest/test.rb", "source"),
        ("lib/active_support/test_case.rb", "source"),
        ("lib/shop/test/order.rb", "test"),
        ("lib/shop/order_test.dart", "test"),
        ("lib/shop/order.test.js", "test"),
        ("test_order.py", "test"),
        ("Makefile", "source"),
    ],
)
def test_a_path_tells_the_role(path: str, role: str) -> None:
    assert file_role(path) == role
    assert is_test(path) == (role == "test")


@pytest.mark.parametrize(
    ("path", "prose"), [("README.md", True), ("docs/a.rst", True), ("a.py", False), ("LICENSE", False)]
)
def test_prose_is_told_by_extension(path: str, prose: bool) -> None:
    assert is_prose(path) is prose
