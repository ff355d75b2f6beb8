"""The window of a conversation: what is in it, what is not, and that it never lies about either."""

from __future__ import annotations

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codemem.sessions import Message, Window, window
from codemem.tokens import count_tokens

EXAMPLES = int(os.environ.get("CODEMEM_EXAMPLES", "600"))
"""More by hand: CODEMEM_EXAMPLES=10000."""


def conversation(script: str) -> list[Message]:
    """`u:hello a:hi t:result` -> messages; s, u, a, t are the roles."""
    roles = {"s": "system", "u": "user", "a": "assistant", "t": "tool"}
    return [
        Message(seq, roles[item[0]], item[2:].replace("_", " ")) for seq, item in enumerate(script.split(), start=1)
    ]


def outline(result: Window) -> str:
    return " ".join(
        f"{item.role[0]}:{item.text.replace(' ', '_').replace(chr(10) * 2, '|')}" for item in result.messages
    )


ROWS = [
    # script, tokens, expected
    ("u:hello a:hi", 100, "u:hello a:hi"),
    ("a:welcome u:hello a:hi", 100, "u:hello a:hi"),
    ("s:be_brief u:hello a:hi", 100, "s:be_brief u:hello a:hi"),
    ("a:one a:two u:three u:four a:five t:six u:seven", 100, "u:three|four a:five t:six u:seven"),
    ("u:one a:call t:first t:second a:done", 100, "u:one a:call t:first|second a:done"),
    ("u:one_two_three a:four_five u:six_seven a:eight", 7, "u:six_seven a:eight"),
    ("s:rule u:one_two_three a:four_five u:six_seven a:eight", 7, "s:rule u:six_seven a:eight"),
    ("a:only_the_assistant", 100, ""),
    ("", 100, ""),
    ("u:hello", 0, ""),
]


@pytest.mark.parametrize(("script", "tokens", "expected"), ROWS)
def test_what_stands_in_the_window(script: str, tokens: int, expected: str) -> None:
    assert outline(window(conversation(script), tokens, count_tokens)) == expected


@pytest.mark.parametrize(
    ("rounds", "expected"),
    [
        (0, "s:rule"),
        (-3, "s:rule"),
        (1, "s:rule u:three a:four"),
        (2, "s:rule u:one a:two u:three a:four"),
        (9, "s:rule u:one a:two u:three a:four"),
    ],
)
def test_rounds_are_counted_by_user_turns(rounds: int, expected: str) -> None:
    script = "s:rule u:one a:two u:three a:four"
    assert outline(window(conversation(script), 100, count_tokens, rounds=rounds)) == expected


def test_a_summary_stands_in_place_of_what_was_trimmed() -> None:
    messages = conversation("u:" + "_".join(["long"] * 200) + " a:ok u:now a:yes")
    result = window(messages, 60, count_tokens, summary="- decided to use Java 17", summary_upto=2)
    assert [item.role for item in result.messages] == ["system", "user", "assistant"]
    assert "Java 17" in result.messages[0].text and result.summary_used and not result.summary_stale
    assert result.trimmed == 2


def test_a_summary_that_misses_trimmed_turns_is_flagged_stale() -> None:
    messages = conversation(
        "u:" + "_".join(["long"] * 200) + " a:ok u:" + "_".join(["long"] * 200) + " a:ok u:now a:yes"
    )
    result = window(messages, 60, count_tokens, summary="- decided to use Java 17", summary_upto=2)
    assert result.summary_used and result.summary_stale


@pytest.mark.parametrize("summary", ["", "   ", "\n\t\n"])
def test_a_blank_summary_adds_nothing(summary: str) -> None:
    messages = conversation("u:" + "_".join(["long"] * 200) + " a:ok u:now a:yes")
    assert outline(window(messages, 40, count_tokens, summary=summary)) == "u:now a:yes"


def test_a_newest_message_that_is_too_big_keeps_its_ends() -> None:
    text = "BEGIN " + "middle " * 5_000 + "END"
    result = window([Message(1, "user", text)], 100, count_tokens)
    assert (
        result.messages[0].cut
        and result.messages[0].text.startswith("BEGIN")
        and result.messages[0].text.endswith("END")
    )
    assert "characters]" in result.messages[0].text and result.tokens <= 100


messages_strategy = st.lists(
    st.tuples(
        st.sampled_from(["system", "user", "assistant", "tool"]),
        st.text(alphabet="ab é漢\n.", min_size=1, max_size=80),
    ),
    max_size=14,
).map(lambda rows: [Message(seq, role, text) for seq, (role, text) in enumerate(rows, start=1)])


@settings(max_examples=EXAMPLES, deadline=None)
@given(
    messages_strategy,
    st.integers(-2, 160),
    st.sampled_from(["", "summary line\nsecond line"]),
    st.none() | st.integers(-1, 4),
)
def test_properties(messages: list[Message], tokens: int, summary: str, rounds: int | None) -> None:
    result = window(messages, tokens, count_tokens, summary=summary, summary_upto=3, rounds=rounds)
    assert result.tokens == sum(count_tokens(item.text) for item in result.messages) <= max(0, tokens)
    talk = [item for item in result.messages if item.role != "system"]
    assert not talk or talk[0].role == "user"
    assert all(first.role != second.role for first, second in zip(result.messages, result.messages[1:], strict=False))
    seqs = [seq for item in talk for seq in item.seqs]
    spoken = [message.seq for message in messages if message.role != "system"]
    if rounds is None and seqs:
        assert seqs == spoken[spoken.index(seqs[0]) :], "contiguous, and it ends with the newest"
    by_seq = {message.seq: message for message in messages}
    for item in result.messages:
        if not item.cut and item.seqs and by_seq[item.seqs[0]].text in item.text:
            assert "\n\n".join(by_seq[seq].text for seq in item.seqs) in item.text, "merging loses no text"
    kept = {seq for item in result.messages for seq in item.seqs}
    assert result.trimmed == len(messages) - len(kept)
