"""What is taken from conversations: foreign transcripts, sentences worth remembering, summaries."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codemem.sessions import Message, read_messages, summarize
from codemem.sessions.extract import extract
from codemem.tokens import count_tokens

LINES = [
    # line, expected (role, text, kind) rows
    ({"role": "user", "content": "hello"}, [("user", "hello", "chat")]),
    ({"role": "developer", "content": "be brief"}, [("system", "be brief", "chat")]),
    ({"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "input_text", "text": "b"}]}, [("user", "a", "chat"), ("user", "b", "chat")]),
    (
        {"role": "assistant", "content": None, "tool_calls": [{"id": "1", "function": {"name": "run", "arguments": '{"x": 1}'}}]},
        [("assistant", '[call run] {"x": 1}', "tool_call")],
    ),
    ({"role": "tool", "tool_call_id": "1", "content": "42"}, [("tool", "42", "tool_result")]),
    # Claude Code
    ({"type": "user", "uuid": "u1", "timestamp": "2026-01-02T03:04:05Z", "message": {"role": "user", "content": "fix it"}}, [("user", "fix it", "chat")]),
    (
        {"type": "assistant", "message": {"role": "assistant", "content": [{"type": "text", "text": "ok"}, {"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": "ls"}}]}},
        [("assistant", "ok", "chat"), ("assistant", '[call Bash] {"command": "ls"}', "tool_call")],
    ),
    (
        {"type": "user", "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": [{"type": "text", "text": "a.py"}]}]}},
        [("tool", "a.py", "tool_result")],
    ),
    # Other chats
    ({"role": "USER", "content": "hi"}, [("user", "hi", "chat")]),
    ({"sender": "human", "text": "hi"}, [("user", "hi", "chat")]),
    ({"from": "gpt", "value": "hi"}, [("assistant", "hi", "chat")]),
    ({"role": "model", "parts": [{"text": "hi"}, {"text": "there"}]}, [("assistant", "hi", "chat"), ("assistant", "there", "chat")]),
    # Codex
    ({"type": "response_item", "payload": {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "hi"}]}}, [("user", "hi", "chat")]),
    ({"type": "response_item", "payload": {"type": "function_call", "name": "shell", "arguments": '{"command":["ls"]}'}}, [("assistant", '[call shell] {"command":["ls"]}', "tool_call")]),
    ({"type": "response_item", "payload": {"type": "function_call_output", "output": "done"}}, [("tool", "done", "tool_result")]),
]  # fmt: skip


@pytest.mark.parametrize(("line", "expected"), LINES)
def test_a_line_of_a_transcript(line: dict[str, object], expected: list[tuple[str, str, str]]) -> None:
    found = [(item.role, item.text, item.kind) for item in read_messages(json.dumps(line))]
    assert found == expected


@pytest.mark.parametrize(
    "line",
    [
        "not json",
        '{"type": "file-history-snapshot", "snapshot": {}}',
        '{"type": "session_meta", "payload": {"id": "x", "cwd": "/"}}',
        '{"role": "martian", "content": "?"}',
        "42",
        "null",
        '"text"',
        '{"role": ["user"]}',
    ],
)
def test_what_is_not_understood_is_kept_opaque(line: str) -> None:
    assert [item.kind for item in read_messages(line)] == ["opaque"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ({"role": "assistant", "content": ""}, ("assistant", "", "chat")),
        ({"role": "user", "content": []}, ("user", "", "chat")),
        (
            {"role": "assistant", "content": None, "function_call": {"name": "grep", "arguments": "{}"}},
            ("assistant", "[call grep] {}", "tool_call"),
        ),
        ({"role": "assistant", "content": [], "refusal": "I cannot"}, ("assistant", "I cannot", "chat")),
    ],
)
def test_a_message_without_text_is_understood(line: dict[str, object], expected: tuple[str, str, str]) -> None:
    assert [(item.role, item.text, item.kind) for item in read_messages(json.dumps(line))] == [expected]


@pytest.mark.parametrize(
    "wrap", ["[{}, {}]", '{{"messages": [{}, {}]}}', "{}\n{}\n", "\ufeff{}\r\n\r\n{}", '{{"chat_messages": [{}, {}]}}']
)
def test_whole_files_in_every_wrapping(wrap: str) -> None:
    line = json.dumps({"role": "user", "content": "hi"})
    assert [item.text for item in read_messages(wrap.format(line, line))] == ["hi", "hi"]


def test_only_line_ends_end_a_line() -> None:
    line = json.dumps({"role": "user", "content": "one\u2028two\u0085three\x0bfour"}, ensure_ascii=False)
    assert [item.text for item in read_messages(f"{line}\n{line}\r\n")] == ["one\u2028two\u0085three\x0bfour"] * 2


def test_each_block_of_a_line_is_a_message_of_its_own() -> None:
    blocks = [
        {"type": "text", "text": "I look"},
        {"type": "tool_use", "name": "Bash", "input": {}},
        {"type": "text", "text": "then"},
    ]
    line = {"type": "assistant", "uuid": "u1", "message": {"role": "assistant", "content": blocks}}
    assert [item.source_id for item in read_messages(json.dumps(line))] == ["u1", "u1#1", "u1#2"]


JSON = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(st.sampled_from(["role", "content", "type", "message", "payload", "text", "tool_calls", "function"]), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(JSON)
def test_no_json_ends_an_import(document: object) -> None:
    for item in read_messages(json.dumps(document)):
        assert item.role in {"system", "user", "assistant", "tool"} and isinstance(item.text, str)


EXTRACTED = [
    # role, text, expected sentence or None, explicit
    ("user", "Please remember that the build uses Java 17.", "Please remember that the build uses Java 17.", True),
    ("user", "Hm. From now on use spaces, not tabs. Thanks!", "From now on use spaces, not tabs.", True),
    ("user", "请记住订单服务的超时时间是 30 秒。", "请记住订单服务的超时时间是 30 秒。", True),
    ("user", "以后都用 pnpm 安装依赖。然后继续。", "以后都用 pnpm 安装依赖。", True),
    (
        "user",
        "We decided to freeze the stock before the coupon",
        "We decided to freeze the stock before the coupon",
        False,
    ),
    ("user", "我们决定用 PostgreSQL 存订单", "我们决定用 PostgreSQL 存订单", False),
    ("user", "Never log card numbers.", "Never log card numbers.", False),
    ("user", "不要在测试里访问网络。", "不要在测试里访问网络。", False),
    ("user", "I prefer short answers in code reviews.", "I prefer short answers in code reviews.", False),
    (
        "assistant",
        "Remember that the cache is cold after a deploy.",
        "Remember that the cache is cold after a deploy.",
        False,
    ),
    ("user", "Do you remember that we use Java 17?", None, False),
    ("user", "你记住订单号了吗？", None, False),
    ("user", "never mind", None, False),
    ("user", "I remember that", None, False),
    ("user", "You must do this.", None, False),
    ("user", "记住了吧", None, False),
    ("user", "```\n# always run this\n```", None, False),
    ("user", "    always_run(this, thing, now)", None, False),
    ("user", "> we decided to use tabs here", None, False),
    ("user", "2026-01-02T10:00:00 ERROR we decided to never retry", None, False),
    ("tool", "Always use the --force flag here", None, False),
    ("user", "The weather is nice and the build is green.", None, False),
]


@pytest.mark.parametrize(("role", "text", "expected", "explicit"), EXTRACTED)
def test_what_is_worth_remembering(role: str, text: str, expected: str | None, explicit: bool) -> None:
    found = extract([Message(1, role, text)])
    assert [(item.text, item.explicit) for item in found] == ([(expected, explicit)] if expected else [])


def test_users_come_before_assistants_and_repeats_once() -> None:
    talk = [
        Message(1, "assistant", "We decided to use Java 17."),
        Message(2, "user", "From now on use Java 17 everywhere."),
        Message(3, "user", "from now on use java 17 everywhere."),
    ]
    assert [(item.seq, item.role) for item in extract(talk)] == [(2, "user"), (1, "assistant")]


def bag_of_letters(texts: list[str]) -> np.ndarray:
    matrix = np.array([[text.lower().count(chr(97 + letter)) for letter in range(26)] for text in texts], np.float32)
    return matrix / np.maximum(np.linalg.norm(matrix, axis=1, keepdims=True), 1e-6)


def test_a_summary_puts_decisions_first_and_keeps_order() -> None:
    talk = [
        Message(1, "user", "Why does the checkout fail for some of the orders?"),
        Message(2, "assistant", "The payment gateway times out when the ledger is slow."),
        Message(3, "user", "We decided to retry three times with a growing pause."),
    ]
    assert summarize(talk, 200, count_tokens, bag_of_letters) == (
        "## Decisions and wishes\n"
        "- We decided to retry three times with a growing pause.\n"
        "## What was said\n"
        "- user: Why does the checkout fail for some of the orders?\n"
        "- assistant: The payment gateway times out when the ledger is slow."
    )


@settings(max_examples=150, deadline=None)
@given(st.lists(st.text(alphabet="abc .!\n我们决定", max_size=200), max_size=8), st.integers(0, 120))
def test_a_summary_stays_in_its_budget_and_is_deterministic(texts: list[str], budget: int) -> None:
    talk = [Message(seq, "user" if seq % 2 else "assistant", text) for seq, text in enumerate(texts, start=1)]
    summary = summarize(talk, budget, count_tokens, bag_of_letters)
    assert count_tokens(summary) <= budget
    assert summary == summarize(talk, budget, count_tokens, bag_of_letters)
