"""What holds for every text: no exception, no line lost or doubled, lines and identities right."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from codemem.parse import parse_file
from codemem.parse.comments import clean_comment
from codemem.parse.doctags import documented_errors
from codemem.parse.lines import cut
from codemem.parse.names import bound_type, owner_name, raised_type, returned_error, simple_type, split_types
from codemem.types import ParsedFile, SourceFile

TOKENS = [
    "def f():", "class A(B):", "class A {", "function f(a) {", "public void run() throws E {", "try {", "} catch (E e) {", "}", "{",
    "(", ")", "[", "]", "if x:", "else:", "try:", "except E as e:", "raise E(x)", "throw e;", "return a.b(c(1), *d)", "x = y()",
    "self.x = Foo()", "@dec", "# comment", "// comment", "/** doc */", '"""doc', '"""', "'", "`", "${", "import a.b as c", "export default",
    "const f = () => {", "interface I { m(): void }", "-----", "# Title", "## Sub", "```", "key: value", "  key: |", "- item", "---", "<script>",
    "</script>", "<template>", "\t", "    ", " ", "", "\0", "é漢🙂", "lambda x: x", "async", "a" * 300, ";", ",",
]  # fmt: skip
LANGUAGES = [
    "python",
    "java",
    "typescript",
    "tsx",
    "javascript",
    "go",
    "ruby",
    "markdown",
    "restructuredtext",
    "yaml",
    "vue",
    "text",
]
SOURCE = st.lists(st.lists(st.sampled_from(TOKENS) | st.text(max_size=6), max_size=5).map(" ".join), max_size=40).map(
    lambda lines: "\n".join(lines).replace("\r", "\n")
)


def check(parsed: ParsedFile, content: str) -> None:
    """Assert the promises of PARSE: exactly once each written line, spans inside ranges, one identity per chunk."""
    lines = content.split("\n")
    owners = [0] * (len(lines) + 1)
    identities = [(chunk.key, chunk.part) for chunk in parsed.chunks]
    assert len(set(identities)) == len(identities)
    for chunk in parsed.chunks:
        assert 1 <= chunk.start_line <= chunk.end_line <= len(lines)
        own = [line for first, last in chunk.spans for line in range(first, last + 1)]
        assert own == sorted(set(own))
        assert not own or chunk.start_line <= own[0] <= own[-1] <= chunk.end_line
        assert chunk.text.endswith("\n".join(lines[line - 1] for line in own))
        assert all(chunk.start_line <= call.line <= chunk.end_line for call in chunk.calls) or chunk.name == ""
        assert [call.order for call in chunk.calls] == list(range(1, len(chunk.calls) + 1))
        assert "\n" not in chunk.signature
        for line in own:
            owners[line] += 1
    for number, line in enumerate(lines, 1):
        assert owners[number] == 1 if line.strip() else owners[number] <= 1, (number, line)


@pytest.mark.parametrize("language", LANGUAGES)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(content=SOURCE)
def test_every_written_line_belongs_to_exactly_one_chunk(language: str, content: str) -> None:
    check(parse_file(SourceFile("sample", language, content, "")), content)


@settings(max_examples=60, deadline=None)
@given(content=st.text(), language=st.sampled_from([*LANGUAGES, "jupyter", "asciidoc", "svelte", "unknown language"]))
def test_no_text_raises(content: str, language: str) -> None:
    assert parse_file(SourceFile("sample", language, content.replace("\r", "\n"), "")).language == language


@settings(max_examples=100, deadline=None)
@given(lengths=st.lists(st.integers(0, 90), max_size=60), cap=st.integers(10, 500), size=st.integers(10, 300))
def test_cutting_loses_no_row_and_keeps_the_order(lengths: list[int], cap: int, size: int) -> None:
    lines = ["x" * length for length in lengths]
    pieces = cut(range(len(lines)), lines, cap, size)
    assert [row for piece in pieces for row in piece] == list(range(len(lines)))
    assert all(pieces) or not lines


@settings(max_examples=150, deadline=None)
@given(text=st.text(alphabet="aA_.:<>[]()|,*&'\" \n@\\{}-#/?!", max_size=60))
def test_names_and_comments_are_total(text: str) -> None:
    for reduce in (simple_type, bound_type, owner_name, clean_comment):
        assert isinstance(reduce(text), str)
    assert isinstance(raised_type(text, {}, (), ()), str) and isinstance(returned_error(text, {}), str)
    assert all(isinstance(each, str) for each in split_types(text))
    assert all(tag.row >= 0 for tag in documented_errors(text))
