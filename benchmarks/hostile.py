"""Bytes, questions and patterns that mean harm, all from one random generator: what `benchmarks.fuzz` feeds."""

from __future__ import annotations

import random
from collections.abc import Sequence

from codemem.parse.chunks import HEADER_CAP
from codemem.parse.lines import LEAF_CAP
from codemem.render.safe import HARMFUL
from codemem.types import ParsedFile

__all__ = ["HARMFUL", "check_parsed", "ignore_file", "mutate", "path", "question"]

DEEPEST = 3_000
"""How often an opening is repeated: far beyond any stack."""
LONGEST = 60_000
"""Bytes of a case: what is wrong with large input shows in small input first, and small input is tried more often."""
NESTS = (
    b"(", b"[", b"{", b"<", b"if x:\n ", b"(a,", b"f(", b"[[", b"{{", b"`${", b"<div>", b"/*", b'"', b"'", b"- ",
    b"* ", b"> ", b"#", b"\\",
    b"a.", b"a+", b"!", b"x ? ", b"fn(", b"do ", b"begin ", b"let ", b"\t", b" ", b"\n", b" \n", b"\r", b"\r\n", b"@",
    b"::", b"->", b"*", b"&",
    b"if", b"else ", b"=> ", b"$(", b"<<A\n", b"#if A\n", b"template<", b"class A{", b"|", b"~~~\n", b"```\n", b"|a",
    b"{%", b"\xe2\x80\x8b",
)  # fmt: skip
UNUSUAL = (
    "\ufeff", "\u202e", "\u200b", "\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1b[2J", "\x00", "\u0301" * 40, "𝕒𝕓",
    "🙂", "İ", "ß", "ﬁ",
    "\ud7ff", "\U0010ffff", "注文", "ةيبرعلا", "１２", "Ⅷ", "\u00a0", "\u3000", "e\u0301", "\u1e9e", "\ufffe",
)  # fmt: skip
OPERATORS = (
    "AND", "OR", "NOT", "NEAR", "NEAR/3", "col:val", "name:", "*", "^x", "-x", '"', '"a b"', "(", ")", "()", "a/b",
    "std::vector", "--", "-h",
    "foo(bar)", "{", "}", "[a-z]+", "(a+)+$", ".*", "\\", "%", "_", "'; DROP TABLE chunk; --", "x' OR '1'='1",
    "${HOME}", "`id`", "$(id)", "\n", "\t",
    "@", "#", "OrderService#createOrder", "a.b.c", "createOrder()", "where is", "who calls", "raises", "caller of",
    "38.101", "0", "NaN", "null",
    "../../etc/passwd", "file:///etc", "~", "C:\\x", ":1", "a.py:3", "&&", "||", "!", "?", "test", "docs", "<b>",
    "&amp;", "=", ",", ";",
)  # fmt: skip
NOTEBOOK = "jupyter"
"""Its chunks show the cells, which are not the lines of the file."""
GLOBS = (
    "*", "**", "?", "[", "]", "[!", "[a-", "[]]", "[^/]", "[[:alpha:]]", "[[:x:]]", "\\", "/", "//", "!", "#", " ",
    "a", "b", "ab", ".", "..",
    "**/", "/**", "***", "*a", "a*", "*?", "[a-z]*", "\\*", "é", "\t", "\r", "{a,b}", "(a+)+", "node_modules", "*.py",
)  # fmt: skip


def mutate(data: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
    """Change `data` in one to four ways."""
    for _ in range(chance.randint(1, 4)):
        data = chance.choice(MUTATIONS)(data, others, chance)[:LONGEST]
    return data


def _place(data: bytes, chance: random.Random) -> int:
    return chance.randint(0, len(data))


def _flip(data: bytes, _: Sequence[bytes], chance: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(chance.randint(1, 20)):
        if changed:
            changed[chance.randrange(len(changed))] = chance.randrange(256)
    return bytes(changed)


def _splice(data: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
    other = chance.choice(others)
    return data[: _place(data, chance)] + other[_place(other, chance) :]


def _insert(data: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
    other = chance.choice(others)
    start = _place(other, chance)
    at = _place(data, chance)
    return data[:at] + other[start : start + chance.randint(1, 400)] + data[at:]


def _cut(data: bytes, _: Sequence[bytes], chance: random.Random) -> bytes:
    start, end = sorted((_place(data, chance), _place(data, chance)))
    return chance.choice((data[:start], data[end:], data[start:end], data[:start] + data[end:]))


def _nest(data: bytes, _: Sequence[bytes], chance: random.Random) -> bytes:
    at = _place(data, chance)
    token = chance.choice(NESTS)
    if chance.random() < 0.3:
        token += chance.choice(NESTS)
    return data[:at] + token * chance.randint(2, DEEPEST) + data[at:]


def _repeat(data: bytes, _: Sequence[bytes], chance: random.Random) -> bytes:
    start = _place(data, chance)
    piece = data[start : start + chance.randint(1, 60)]
    return data[:start] + piece * chance.randint(2, 500) + data[start:]


def _unicode(data: bytes, _: Sequence[bytes], chance: random.Random) -> bytes:
    for _ in range(chance.randint(1, 8)):
        at = _place(data, chance)
        data = data[:at] + chance.choice(UNUSUAL).encode() + data[at:]
    return data


def _encode(data: bytes, _: Sequence[bytes], chance: random.Random) -> bytes:
    text = data.decode("utf-8", "replace")
    encoding = chance.choice(("utf-8-sig", "utf-16", "utf-32", "latin-1", "utf-16-le", "shift_jis", "utf-7"))
    return text.encode(encoding, "replace")


def _line_ends(data: bytes, _: Sequence[bytes], chance: random.Random) -> bytes:
    return data.replace(
        b"\n", chance.choice((b"\r\n", b"\r", b"\n\r", b" \n", b"\n\n", b"\x0c\n", b"\\\n", b"\t\n", b""))
    )


def _shuffle(data: bytes, _: Sequence[bytes], chance: random.Random) -> bytes:
    lines = data.split(b"\n")
    chance.shuffle(lines)
    return b"\n".join(lines)


def _indent(data: bytes, _: Sequence[bytes], chance: random.Random) -> bytes:
    return b"\n".join(chance.choice((b"", b" ", b"\t", b"        ")) + line for line in data.split(b"\n"))


def _blank(data: bytes, _: Sequence[bytes], chance: random.Random) -> bytes:
    at = _place(data, chance)
    return (
        data[:at]
        + chance.choice((b" \n", b"\t\n", b"\n", b"  \t \n", b"\n;", b"\\\n")) * chance.randint(50, 5_000)
        + data[at:]
    )


MUTATIONS = (_flip, _splice, _insert, _cut, _nest, _repeat, _unicode, _encode, _line_ends, _shuffle, _indent, _blank)


def question(words: Sequence[str], chance: random.Random) -> str:
    """Put together a question of words that are there, operators of other tools and characters nobody types."""
    parts = [
        chance.choice(
            (lambda: chance.choice(words), lambda: chance.choice(OPERATORS), lambda: chance.choice(UNUSUAL))
        )()
        for _ in range(chance.choice((1, 1, 2, 3, 5, 8, 30)))
    ]
    text = chance.choice((" ", "", " ", "\n", ".", "::")).join(parts)
    if chance.random() < 0.05:
        text *= chance.randint(2, 2_000)
    if chance.random() < 0.2:
        text = mutate(text.encode("utf-8", "replace"), [text.encode("utf-8", "replace")], chance).decode(
            "utf-8", "surrogateescape"
        )
    return text


def ignore_file(chance: random.Random) -> str:
    """Put together an ignore file of pieces that translate badly."""
    lines = []
    for _ in range(chance.randint(1, 30)):
        line = "".join(chance.choice(GLOBS) for _ in range(chance.choice((1, 2, 3, 5, 8, 20))))
        lines.append(line * chance.choice((1, 1, 1, 1, 10, 100)))
    return "\n".join(lines)


def path(chance: random.Random) -> str:
    """Put together a path that such patterns nearly match."""
    names = (
        "".join(chance.choice("aab.é[*") for _ in range(chance.choice((1, 3, 10, 250))))
        for _ in range(chance.randint(1, 12))
    )
    return "/".join(names)


def check_parsed(parsed: ParsedFile, content: str) -> None:
    """Assert what holds for every text: each written line stands in exactly one chunk, and what is told can be written."""
    lines = content.split("\n")
    owners = [0] * (len(lines) + 1)
    identities = [(chunk.key, chunk.part) for chunk in parsed.chunks]
    assert len(set(identities)) == len(identities), "two chunks of one identity"
    for chunk in parsed.chunks:
        assert 1 <= chunk.start_line <= chunk.end_line <= len(lines), "a chunk beyond the file"
        own = [line for first, last in chunk.spans for line in range(first, last + 1)]
        assert own == sorted(set(own)), "spans overlap"
        if parsed.language != NOTEBOOK and sum(len(lines[line - 1]) + 1 for line in own) <= LEAF_CAP - HEADER_CAP:
            assert chunk.text.endswith("\n".join(lines[line - 1] for line in own)), "the text is not that of the lines"
        assert "\n" not in chunk.signature, "a signature of two lines"
        for text in (chunk.text, chunk.name, chunk.qualified_name, chunk.signature, chunk.doc):
            text.encode("utf-8")
        for line in own:
            owners[line] += 1
    for number, line in enumerate(lines if parsed.language != NOTEBOOK else (), 1):
        assert owners[number] == 1 if line.strip() else owners[number] <= 1, (
            f"line {number} stands in {owners[number]} chunks"
        )
    for problem in parsed.problems:
        problem.message.encode("utf-8")
