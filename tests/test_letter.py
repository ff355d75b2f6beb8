"""What is pasted to the letter finds the line that says it: messages, log lines, stack traces, constants, quoted words."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codemem.question import read_question
from codemem.retrieval.letter import MESSAGE_LINES, MOST_PLACES, _densest, _lines_of
from codemem.types import Hit
from tests.test_retrieval import Ask, build

FILLING = "\n".join(f"    step_{number} = account" for number in range(40))
FILES = {
    "bank/transfer.py": f'''"""Transfers between accounts."""

from bank.errors import TransferRefused


def transfer(account, amount):
    """Move an amount from one account to another."""
{FILLING}
    if amount > account.limit:
        raise TransferRefused(f"daily limit of {{account.limit}} exceeded for account {{account.number}}")
    if account.closed:
        raise TransferRefused("Can't book on a closed account.")
    return amount


def cancel(account):
    """Cancel the transfer of an account."""
    raise TransferRefused("cannot cancel")
''',
    "bank/errors.py": '''class TransferRefused(Exception):
    """The transfer of the amount from the account was refused: daily limit, closed account."""
''',
    "bank/limits.py": '''"""Daily limits of accounts: the limit of an account, when it is exceeded, for which account."""

import os

_LIMITS = ["DAILY"]
_LIMITS_SEEN = []


def reset(account):
    """Reset the account's step_total, seen by daily_limit, run and booked."""
    account.step_total = 0


def daily_limit(account):
    """Return the daily limit of an account, 0 when none is exceeded."""
    return int(os.environ.get("LIMITS", 0))


def exceeded(account, limit):
    return account.amount > daily_limit(account)
''',
    "bank/accounts.py": f'''"""Accounts: open, closed, with a daily limit."""

from bank.transfer import cancel, transfer


class Account:
    """An account with a number and a daily limit."""

    def book(self, amount):
        """Book an amount on the account."""
{FILLING.replace("    step", "        step")}
        return transfer(self, amount)
''',
    "tests/test_transfer.py": '''from bank.transfer import transfer


def test_transfer(account):
    transfer(account, 1)
    transfer(account, 2)
    transfer(account, 3)


def test_the_limit_of_a_transfer(account):
    """daily limit of an account exceeded"""
    transfer(account, 10)
''',
    "bank/risk.py": '''class Risk:
    """Reviews the first transfer of a customer."""

    def __init__(self, scores):
        self.scores = scores

    def check(self, name):
        if not self.scores[name]:
            raise ValueError("first transfer of " + name + " needs a review")
''',
    "bank/cli.py": '''"""The command line of the bank: options, routes, accounts."""

import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--dry-run-all", action="store_true")


def options():
    parser.add_argument("--dry-run", action="store_true", help="book nothing")
    parser.add_argument("account")
    return parser.parse_args()
''',
    "bank/web.py": '''"""Routes: accounts and transfers, dry or not, run by the web server."""

DOCUMENTATION = "https://bank.example.org/docs/accounts?page=2"


def routes(app):
    app.get("/accounts/{number}/transfers", list)
    app.post("/accounts", create)


def run(app, dry):
    app.run(dry)
''',
    "bank/report.py": '''"""The step_total of accounts: where step_total is set, and when."""


def report(step_total, account):
    """Print a step_total."""
    if step_total == account.step_total >= 1:
        print(step_total)
    return lambda step_total: step_total
''',
    "README.md": "# Bank\n\nTransfers have a daily limit of 100 for each account; what exceeds it is refused.\n",
}


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> Ask:
    return build(tmp_path_factory.mktemp("bank"), FILES)


def line_of(path: str, part: str) -> int:
    return next(number for number, line in enumerate(FILES[path].split("\n"), 1) if part in line)


def shows(hit: Hit, path: str, part: str) -> bool:
    """Say whether a hit is in the file, points at the line that has `part`, and shows it."""
    return hit.chunk.path == path and hit.match_line == line_of(path, part) and part in hit.text


@pytest.mark.parametrize("mode", ["keyword", "hybrid"])
@pytest.mark.parametrize(
    ("question", "path", "part"),
    [
        ("daily limit of 500 exceeded for account 12-34", "bank/transfer.py", "daily limit of"),
        (
            "bank.errors.TransferRefused: daily limit of 500 exceeded for account 12-34",
            "bank/transfer.py",
            "daily limit of",
        ),
        (
            "2026-03-01 12:00:07,120 ERROR [worker-3] daily limit of 500 exceeded for account 12-34",
            "bank/transfer.py",
            "daily limit of",
        ),
        ("Can't book on a closed account.", "bank/transfer.py", "Can't book"),
        ("first transfer of ann needs a review", "bank/risk.py", "needs a review"),
        ('where is "cannot cancel" raised as TransferRefused', "bank/transfer.py", "cannot cancel"),
        ("where is LIMITS read from the environment", "bank/limits.py", 'environ.get("LIMITS"'),
        ("who raises TransferRefused because of a closed account", "bank/transfer.py", "raise TransferRefused("),
    ],
)
def test_the_line_that_says_it_leads(bank: Ask, question: str, path: str, part: str, mode: str) -> None:
    hit = bank(question, mode=mode).hits[0]
    assert hit.chunk.path == path
    assert hit.chunk.kind != "class"
    assert part in hit.text.split("\n")[hit.match_line - hit.text_line]


@pytest.mark.parametrize("mode", ["keyword", "hybrid"])
@pytest.mark.parametrize(
    ("question", "path", "part"),
    [
        ("--dry-run", "bank/cli.py", '"--dry-run",'),
        ("where is the --dry-run option handled", "bank/cli.py", '"--dry-run",'),
        ("/accounts/{number}/transfers", "bank/web.py", "/accounts/{number}"),
        ("GET /accounts/4711/transfers", "bank/web.py", "/accounts/{number}"),
        ("handler for /accounts", "bank/web.py", '"/accounts'),
        ("https://bank.example.org/docs/accounts?page=2", "bank/web.py", "https://bank"),
        ("where is step_total set", "bank/limits.py", "account.step_total = 0"),
        ('int(os.environ.get("LIMITS", 0))', "bank/limits.py", 'os.environ.get("LIMITS"'),
        ("    if amount > account.limit:\n        raise TransferRefused(", "bank/transfer.py", "account.limit"),
    ],
)
def test_what_must_stand_there_just_so_leads(bank: Ask, question: str, path: str, part: str, mode: str) -> None:
    hit = bank(question, mode=mode).hits[0]
    assert hit.chunk.path == path
    assert part in hit.text


@pytest.mark.parametrize(
    ("text", "spellings"),
    [
        ("--no-cache", [("--no-cache", '"no-cache"', "'no-cache'")]),
        ("see https://example.org/a_(b)?c=1, or", [("https://example.org/a_(b",)]),
        ("GET /users/42/orders", [("/users/42/orders", "/users/")]),
        ("/users/:id", [("/users/:id", "/users/")]),
        ("POST /users", [("/users",)]),
        ("/{tenant}/users", [("/users",)]),
        ("src/app/main.py", []),
        ("where is MAX_RETRIES set", [("MAX_RETRIES",)]),
        ("where is the environment variable HOME read", [("HOME",), ("HOME",)]),
        ("where is HOME", []),
        ('who says "not found here"', [("not found here",)]),
        ("orders[number] = Order(number)", [("orders[number] = Order(number)",)]),
        ("createOrder(lines, customer)", []),
        ("0x5BD1E995", [("0x5BD1E995",)]),
        ("86_400", [("86_400",)]),
        ("42", []),
        ("create an order", []),
        ('File "src/a.py", line 3, in f\n    x = --dry-run', []),
    ],
)
def test_what_must_stand_there_just_so_is_read(text: str, spellings: list[tuple[str, ...]]) -> None:
    assert [literal.spellings for literal in read_question(text).literals] == spellings


def test_who_calls_shows_the_call_and_tests_come_after(bank: Ask) -> None:
    hits = bank("who calls transfer(").hits
    assert shows(hits[0], "bank/accounts.py", "return transfer(self, amount)")
    assert "tests/test_transfer.py" in [hit.chunk.path for hit in hits]


TRACES = {
    "python": 'Traceback (most recent call last):\n  File "/srv/bank/accounts.py", line {outer}, in book\n'
    '  File "/srv/bank/transfer.py", line {inner}, in transfer\nbank.errors.TransferRefused: refused',
    "node": "Error: refused\n    at transfer (/srv/bank/transfer.py:{inner}:9)\n    at book (/srv/bank/accounts.py:{outer}:16)",
    "go": "panic: refused\n\ngoroutine 1 [running]:\nmain.t(0x1)\n\t/srv/bank/transfer.py:{inner} +0x1d\n"
    "main.b(0x1)\n\t/srv/bank/accounts.py:{outer} +0x2a",
}


@pytest.mark.parametrize("runtime", TRACES)
def test_the_innermost_frame_leads_and_its_line_is_shown(bank: Ask, runtime: str) -> None:
    inner, outer = line_of("bank/transfer.py", "Can't book"), line_of("bank/accounts.py", "return transfer(")
    hits = bank(TRACES[runtime].format(inner=inner, outer=outer)).hits
    assert shows(hits[0], "bank/transfer.py", "Can't book")
    assert any(shows(hit, "bank/accounts.py", "return transfer(") for hit in hits[1:3])


@pytest.mark.parametrize(
    ("text", "fragments"),
    [
        ("ValueError: too many open files", ("too many open", "many open files")),
        ("2026-01-31T09:00:00Z WARN too many open files", ("too many open", "many open files")),
        ("[09:00:00] [main] INFO too many open files", ("too many open", "many open files")),
        ('Exception in thread "main" java.io.IOException: disk full now', ("disk full", "full now")),
        ("TypeError [ERR_X]: bad argument given", ("bad argument", "argument given")),
        ("Can't open the file", ("can't open the", "open the file")),
        ("can not open it: disk", ("can not open", "not open it:", "open it: disk")),
        ("can orders be cancelled twice", ()),
        ("how are too many open files handled", ()),
    ],
)
def test_a_message_is_read_without_what_the_runtime_puts_before_it(text: str, fragments: tuple[str, ...]) -> None:
    assert read_question(text).fragments == fragments


@pytest.mark.parametrize(
    ("text", "callers"),
    [
        ("who creates CancelledError", True),
        ("where is OrderService instantiated", True),
        ("where are orders created", False),
        ("who creates MAX_ORDERS", False),
    ],
)
def test_who_creates_a_type_asks_for_calls_of_its_constructor(text: str, callers: bool) -> None:
    assert read_question(text).wants_callers is callers


WORDS = st.lists(st.sampled_from(["ab", "AB", "a_b", "ab cd", "\n", " ", "x"]), max_size=30).map("".join)


@given(WORDS, st.sampled_from(["ab", "AB", "ab cd", "A_B"]))
def test_lines_are_those_of_a_plain_search(text: str, phrase: str) -> None:
    exact = phrase.isupper()
    searched = text if exact else text.lower()
    expected: list[int] = []
    rest = searched.split(phrase)
    before = ""
    for part, following in pairwise(rest):
        before += part
        around = (
            before[-1:] + (following or phrase)[:1]
            if following or phrase in searched[len(before) + len(phrase) :]
            else before[-1:]
        )
        if not exact or not any(one.isalnum() or one == "_" for one in around):
            expected.append(before.count("\n") + 1)
        before += phrase
    assert _lines_of(phrase, text, text.lower()) == expected[:MOST_PLACES]


@given(st.dictionaries(st.sampled_from("abcd"), st.lists(st.integers(1, 30), min_size=1, max_size=5), min_size=1))
def test_the_densest_lines_hold_most_of_the_phrases(places: dict[str, list[int]]) -> None:
    lines, most = _densest(places)

    def held(line: int) -> int:
        return sum(any(line <= one < line + MESSAGE_LINES for one in found) for found in places.values())

    written = {line for found in places.values() for line in found}
    assert most == max(map(held, written))
    assert lines == sorted(line for line in written if held(line) == most)


def test_a_message_with_values_in_it_is_found_where_it_is_said(tmp_path_factory: pytest.TempPathFactory) -> None:
    """The file that says the message has one of its literals as well; others have that one or the other."""
    values = "\n".join(f'    "key_{number}": {number},' for number in range(30))
    ask = build(
        tmp_path_factory.mktemp("settling"),
        {
            "settle.py": 'def settle(gateway, order):\n    """Settle an order."""\n    limit = REFUND_LIMIT\n'
            f"{FILLING}\n"
            '    raise RuntimeError(f"gateway {gateway} gave up after {limit} attempts to settle the order, see REFUND_LIMIT")\n',
            "settings.py": f'REFUND_LIMIT = 3\nGATEWAY = "https://pay.example.org/v2"\nTABLE = {{\n{values}\n}}\n',
            "gateways.py": 'def gateway():\n    """Return the gateway."""\n    return "https://pay.example.org/v2"\n',
        },
    )
    first = ask(
        "ERROR gateway https://pay.example.org/v2 gave up after 3 attempts to settle the order, see REFUND_LIMIT"
    ).hits[0]
    assert first.chunk.path == "settle.py"
    assert "gave up after" in first.text
