"""Source text to chunks: what belongs to whom, in which order, and what survives bad input."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from codemem import workers
from codemem.languages import detect_language
from codemem.parse import parse_file, parse_many, pool, tree
from codemem.parse.comments import clean_doc
from codemem.parse.doctags import documented_errors
from codemem.parse.lines import LEAF_CAP
from codemem.parse.names import bound_type, owner_name, raised_type, returned_error, simple_type, split_types
from codemem.types import Chunk, ParsedFile, SourceFile


def parse(content: str, language: str = "python", path: str = "") -> ParsedFile:
    return parse_file(SourceFile(path or "sample", language, content, "sha"))


def chunk(content: str, name: str, language: str = "python") -> Chunk:
    return next(each for each in parse(content, language).chunks if each.qualified_name == name)


def calls(content: str, name: str = "f", language: str = "python") -> list[str]:
    found = chunk(content, name, language).calls
    return [f"{call.receiver + '.' if call.receiver else ''}{call.callee}{call.mark}" for call in found]


def facts(content: str, name: str = "f", language: str = "python") -> list[tuple[str, str]]:
    return [(fact.role, fact.type) for fact in chunk(content, name, language).contract]


# Evaluation order.


@pytest.mark.parametrize(
    ("code", "order"),
    [
        ("x.a(b()).c()", ["b", "x.a", "x.a(b()).c"]),
        ("f(g(), h(i()))", ["g", "i", "h", "f"]),
        ("return a() if b() else c()", ["b", "a?", "c?"]),
        ("return a() if b() else c() if d() else e()", ["b", "a?", "d?", "c?", "e?"]),
        ("return [a(x) for x in b() if c(x)]", ["b", "c*", "a*"]),
        ("return {k(x): v(x) for x in b()}", ["b", "k*", "v*"]),
        ("return any(a(x) for x in b())", ["b", "a*", "any"]),
        ("x[a()] = b()", ["b", "a"]),
        ("a() and b()", ["a", "b?"]),
        ("for x in a():\n        b()", ["a", "b*"]),
        ("while a():\n        b()", ["a*", "b*"]),
        ("if a():\n        b()\n    else:\n        c()", ["a", "b?", "c?"]),
        ("with a() as x, b():\n        c()", ["a", "b", "c"]),
        ("assert a(), b()", ["a", "b"]),
        ("a(); a(); a()", ["a"]),
        ("a(); b(); a()", ["a", "b", "a"]),
        ("for x in y:\n        for z in a(x):\n            if z: b()", ["a*", "b*"]),
    ],
)
def test_calls_stand_in_evaluation_order(code: str, order: list[str]) -> None:
    assert calls(f"def f():\n    {code}\n") == order


def test_equal_calls_in_a_row_are_counted() -> None:
    (call,) = chunk("def f():\n    a(1)\n    a(2)\n", "f").calls
    assert (call.repeat, call.line, call.arguments) == (2, 2, 1)


@pytest.mark.parametrize(
    ("arguments", "count"), [("", 0), ("1", 1), ("1, x=2", 2), ("*a", None), ("1, **k", None), ("1,  # one\n2", 2)]
)
def test_arguments_are_counted_where_the_syntax_says(arguments: str, count: int | None) -> None:
    assert chunk(f"def f():\n    g({arguments})\n", "f").calls[0].arguments == count


@pytest.mark.parametrize(
    ("parameters", "required", "most"),
    [
        ("", 0, 0),
        ("a, b=1", 1, 2),
        ("a, /, b, *, c=1", 2, 3),
        ("*a", 0, None),
        ("a: int, b: int = 2, **k", 1, None),
        ("a=(lambda x=1: x)", 0, 1),
    ],
)
def test_parameters_are_counted(parameters: str, required: int, most: int | None) -> None:
    found = chunk(f"def f({parameters}): pass\n", "f")
    assert (found.parameters_required, found.parameters) == (required, most)


def test_the_object_itself_is_no_parameter_but_of_static_methods() -> None:
    code = "class A:\n    def f(self, a): pass\n    @staticmethod\n    def g(a): pass\n"
    assert [chunk(code, name).parameters for name in ("A#f", "A#g")] == [1, 1]


# Errors and guards.


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("raise ValueError('x')", [("raise", "ValueError")]),
        ("raise a.b.Gone", [("raise", "Gone")]),
        ("raise X from e", [("raise", "X")]),
        ("raise self.error", [("raise", "")]),
        ("raise error", [("raise", "")]),
        ("error = Gone()\n    raise error", [("raise", "Gone")]),
        ("raise", [("propagate", "")]),
        ("try: a()\n    except (A, b.C) as e: raise e", [("catch", "A"), ("catch", "C"), ("propagate", "A"), ("propagate", "C")]),
        ("try: a()\n    except: raise", [("catch", ""), ("propagate", "")]),
        ("try: a()\n    except* A: pass", [("catch", "A")]),
        ("try: a()\n    except A as e: raise B from e", [("catch", "A"), ("raise", "B")]),
    ],
)  # fmt: skip
def test_facts_have_a_role_and_a_type(code: str, found: list[tuple[str, str]]) -> None:
    assert facts(f"def f():\n    {code}\n") == found


def test_guards_name_the_handlers_around_a_call_innermost_first() -> None:
    code = """def f():
    try:
        try:
            a()
        except A:
            b()
            raise
        except B: pass
    except (C, D): pass
"""
    first, second = chunk(code, "f").calls
    assert [(guard.types, guard.rethrows, guard.scope) for guard in first.guards] == [
        (("A",), True, 1),
        (("B",), False, 1),
        (("C", "D"), False, 2),
    ]
    assert [guard.types for guard in second.guards] == [("C", "D")]


def test_else_and_finally_are_not_guarded() -> None:
    code = "def f():\n    try: a()\n    except A: b()\n    else: c()\n    finally: d()\n"
    assert [call.callee for call in chunk(code, "f").calls if call.guards] == ["a"]


def test_a_handler_that_compares_and_throws_the_rest_keeps_what_it_compares_with() -> None:
    code = "function f() { try { a(); } catch (e) { if (e instanceof Gone) return; throw e; } }"
    (call,) = chunk(code, "f", "javascript").calls
    assert [(guard.types, guard.rethrows) for guard in call.guards] == [(("Gone",), False)]


@pytest.mark.parametrize(
    ("doc", "types"),
    [
        (":raises KeyError: when absent", ["KeyError"]),
        ("@throws com.shop.Gone when gone\n@exception Late", ["Gone", "Late"]),
        ("@throws {Gone} x", ["Gone"]),
        ('<exception cref="T:System.IO.IOException">x</exception>', ["IOException"]),
        ("Raises:\n    ValueError: bad\n        and worse: very\n    a.TypeError, KeyError: other", ["ValueError", "TypeError", "KeyError"]),
        ("Raises\n------\nValueError\n    When bad.\n\nReturns\n-------\nint", ["ValueError"]),
        ("Raises an error when it rains.", []),
        ("Returns:\n    Value: good", []),
        ("# Panics\n\nWhen it is empty.", [""]),
        ("# Errors\n\nReturns [`order::OrderError::Gone`] when gone.", ["Gone"]),
        ("- Throws: `OrderError` when late.", ["OrderError"]),
    ],
)  # fmt: skip
def test_documentation_tags_declare(doc: str, types: list[str]) -> None:
    assert [tag.type for tag in documented_errors(doc)] == types


# Names of types.


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("new Foo('x')", "Foo"), ("a::b::Foo { x }", "Foo"), ("Foo::new(1)", "Foo"), ("Foo.new", "Foo"), ("&Foo{x}", "Foo"),
        ("errors.New('x')", "error"), ("'text'", ""), ("`text`", ""), ("42", ""), ("err", ""), ("known", "known"), ("make()", ""),
        ("Foo(x).with_traceback(t)", "Foo"), ("type(e)(x)", ""), ("None", ""), ("_Private()", "_Private"), ("", ""), ("(", ""),
        ("new Foo<Bar>(x)", "Foo"), ("socket.error('x')", "error"),
    ],
)  # fmt: skip
def test_raised_type(text: str, name: str) -> None:
    assert raised_type(text, {"errors.New": "error"}, {"make"}, {"known"}) == name


def test_types_are_reduced_to_their_names() -> None:
    assert [simple_type(text) for text in ("const std::exception &e", "List<Order>", "*pkg.Order", "Order?", "[]Order", "")] == [
        "exception", "List", "Order", "Order", "Order", "",
    ]  # fmt: skip
    assert [bound_type(text) for text in ("Optional[a.Order]", "Order | None", "Box<dyn Order>", "Arc<Mutex<Order>>")] == [
        "a.Order", "Order", "Order", "Order",
    ]  # fmt: skip
    assert [returned_error(text, {}) for text in ("Result<A, b::Gone>", "-> Either[Gone, A]", "error", "Result<A>")] == [
        "Gone", "Gone", "error", "Result",
    ]  # fmt: skip
    assert split_types("(A, b.C)") == ("A", "b.C") and split_types("A | B<C|D>") == ("A", "B<C|D>")
    assert [owner_name(text) for text in ("Foo<T>", "A::B", "M", "&mut Foo")] == ["Foo", "A.B", "M", "mutFoo"]


@pytest.mark.parametrize(
    ("parts", "text"),
    [
        (["/** Says.\n *\n * More. */"], "Says.\n\nMore."),
        (["// one", "// two"], "one\ntwo"),
        (["/// doc"], "doc"),
        (["# one"], "one"),
        (["-- | haddock"], "haddock"),
        (["{- block -}"], "block"),
        (["(* ml *)"], "ml"),
        (['"""Doc.\n\n    Args:\n        x: y\n    """'], "Doc.\n\nArgs:\n    x: y"),
        (["r'''raw'''"], "raw"),
        (["'one'"], "one"),
        (["# ------", "# Title", "# ------"], "Title\n------"),
        (["/* a * b */"], "a * b"),
        (["/**/"], ""),
    ],
)
def test_comment_markers_of_every_family_are_stripped(parts: list[str], text: str) -> None:
    assert clean_doc(parts) == text


def test_xml_documentation_reads_as_text() -> None:
    code = '/// <summary>Sells to <see cref="T:Shop.Customer"/>.</summary>\n/// <exception cref="GoneException">x</exception>\nclass A { }\n'
    found = chunk(code, "A", "csharp")
    assert found.doc == "Sells to Shop.Customer.\nx"
    assert [(fact.type, fact.source) for fact in found.contract] == [("GoneException", "doc")]


# Lines.


def test_a_definition_includes_its_comments_and_decorators() -> None:
    code = "x = 1\n\n# Says.\n# More.\n@dec\ndef f():\n    pass\n"
    found = chunk(code, "f")
    assert (found.start_line, found.end_line, found.doc, found.signature) == (3, 7, "Says.\nMore.", "def f()")


def test_a_blank_line_or_trailing_comment_ends_what_belongs_to_a_definition() -> None:
    code = "# far\n\nx = 1  # same line\ndef f(): pass\n"
    assert (chunk(code, "f").start_line, chunk(code, "f").doc) == (4, "")


def test_small_containers_are_one_unit_and_big_ones_give_their_members_lines() -> None:
    small = "class A:\n    x = 1\n\n    def f(self):\n        pass\n"
    big = "class A:\n    x = 1\n\n" + "".join(
        f"    def f{n}(self):\n        return {'x' * 200!r}\n\n" for n in range(8)
    )
    assert [(c.qualified_name, c.spans) for c in parse(small).chunks] == [("A", ((1, 5),)), ("A#x", ()), ("A#f", ())]
    found = {c.qualified_name: c for c in parse(big).chunks}
    assert found["A"].spans == ((1, 2),) and found["A"].end_line == 26
    assert found["A#f7"].spans == ((25, 26),) and found["A#f7"].parent == "A"
    assert "def f0" not in found["A"].text


def test_a_long_definition_is_cut_with_its_header_kept_and_no_line_lost() -> None:
    body = "".join(f"    if step_{n}():\n        value_{n} = {'x' * 30!r}\n" for n in range(200))
    pieces = [c for c in parse(f"def f(a,\n      b):\n{body}    last_word = 1\n").chunks if c.name == "f"]
    assert len(pieces) > 1 and [c.part for c in pieces] == list(range(len(pieces)))
    assert (pieces[0].start_line, pieces[0].end_line) == (1, 403)
    assert all(len(c.text) <= LEAF_CAP for c in pieces)
    assert all(c.text.startswith("def f(a,\n") for c in pieces)
    assert all(c.text.split("\n")[1].startswith("    if") for c in pieces[1:])
    assert "last_word" in pieces[-1].text and pieces[-1].end_line == 403
    assert [line for c in pieces for first, last in c.spans for line in range(first, last + 1)] == list(range(1, 404))
    assert pieces[0].calls and not pieces[1].calls


def test_lines_outside_definitions_are_the_module() -> None:
    found = chunk("import a\n\ndef f(): pass\n\nstart()\n", "<module>")
    assert (found.kind, found.spans, [call.callee for call in found.calls]) == ("module", ((1, 1), (5, 5)), ["start"])


def test_equal_names_are_told_apart_by_ordinal() -> None:
    code = "def f(): a()\ndef g(): pass\ndef f(): b()\n"
    found = [(c.ordinal, c.calls[0].callee) for c in parse(code).chunks if c.name == "f"]
    assert found == [(0, "a"), (1, "b")]


def test_overload_signatures_are_one_definition_with_their_body() -> None:
    code = "function f(a: string): A;\nfunction f(a: number, b: C): B;\nfunction f(a: any) { g(); }\n"
    found = chunk(code, "f", "typescript")
    assert (found.start_line, found.end_line, found.parameters_required, found.parameters) == (1, 3, 1, 2)
    assert [call.callee for call in found.calls] == ["g"]


# Hashes.


def test_content_hash_survives_moves_and_indentation() -> None:
    one = chunk("def f():\n    a()\n\n    b()\n", "f")
    two = chunk("x = 1\n\n\nif x:\n    def f():\n        a()  \n        b()\n", "f")
    assert one.content_hash == two.content_hash
    assert one.content_hash != chunk("def f():\n    a()\n    c()\n", "f").content_hash


@pytest.mark.parametrize(
    ("code", "same"),
    [
        ("def f( a,\n       b ):\n    other()\n", True),
        ("def f(a, b): pass  # why\n", True),
        ("def f(a, c): pass\n", False),
        ("async def f(a, b): pass\n", False),
        ("def f(a, b): raise Gone()\n", False),
    ],
)
def test_interface_hash_sees_signature_and_contract_only(code: str, same: bool) -> None:
    assert (chunk(code, "f").interface_hash == chunk("def f(a, b): pass\n", "f").interface_hash) is same


# Bad input.


@pytest.mark.parametrize("language", ["python", "java", "typescript", "markdown", "yaml", "jupyter", "vue", "text"])
@pytest.mark.parametrize(
    "content",
    ["", "\n", "\0", "\ud800", "(" * 3_000, ")" * 3_000, "\"'`" * 500, "x" * 20_000, "a\n" * 3_000, "'" + "é漢🙂" * 3_000, "<|endoftext|>"],
    ids=["empty", "newline", "nul", "surrogate", "open", "close", "quotes", "long", "lines", "wide", "marker"],
)  # fmt: skip
def test_bad_source_ends_in_chunks_and_problems(language: str, content: str) -> None:
    parsed = parse(content, language)
    assert parsed.lines == len(content.split("\n")) - (not content or content.endswith("\n"))
    assert bool(parsed.chunks) == bool(content.strip())


@pytest.mark.parametrize("word", ["ATTRIBUTE_ATTRIBUTE_ATTRIBUTE", "LOCK_LOCK_LOCK", "A_ATTRIBUTE_ATTRIBUTE_A"])
def test_words_that_can_be_read_in_many_ways_are_read_in_one(word: str) -> None:
    """A pattern that tries every reading of every word would not end in the lifetime of the universe."""
    parsed = parse(f"int odd() {f'{word} ' * 60}?\nint even() {word} {{ return 2; }}\n", "cpp")
    assert "even" in [each.qualified_name for each in parsed.chunks]


def test_a_long_run_of_comments_is_searchable_and_what_follows_is_found() -> None:
    """The Python grammar's scanner is quadratic in such a run: 30,000 lines would take minutes."""
    run = "".join(f"# line {number}\n\n" for number in range(15_000))
    content = f"def before():\n    pass\n{run}# Of after.\ndef after():\n    pass\n"
    parsed = parse(content)
    assert [(each.qualified_name, each.start_line) for each in parsed.chunks if each.kind == "function"] == [
        ("before", 1), ("after", 30_004)
    ]  # fmt: skip
    assert any("line 14999" in each.text for each in parsed.chunks)


@pytest.mark.parametrize("content", ["x = " + "(" * 20_000 + "1" + ")" * 20_000, "x = " + "1 + " * 30_000 + "1"])
def test_a_deep_tree_is_bounded_and_said(content: str) -> None:
    parsed = parse(f"def g(): h()\n\n{content}\n")
    assert {c.qualified_name for c in parsed.chunks} == {"g", "x"}
    assert any("levels deep" in problem.message for problem in parsed.problems)


def test_a_grammar_that_gets_lost_costs_only_its_file(monkeypatch: pytest.MonkeyPatch) -> None:
    content = "".join(f"def f{number}(): return g({number})\n" for number in range(2_000))
    monkeypatch.setattr(tree, "STEPS", 1)
    monkeypatch.setattr(tree, "STEPS_PER_BYTE", 0)
    parsed = parse(content)
    assert "no end" in parsed.problems[0].message and any("f1999" in each.text for each in parsed.chunks)
    monkeypatch.undo()
    assert chunk(content, "f1999").start_line == 2_000


def test_characters_that_a_slice_of_the_text_cuts_stay_whole() -> None:
    content = "x = 1\n" + "".join(f"def 表é🙂{number}(): pass\n".replace("🙂", "") for number in range(2_000))
    assert chunk(content, "表é1999").start_line == 2_001 and not parse(content).problems


def test_a_huge_line_is_cut_and_said() -> None:
    parsed = parse("var a = '" + "x" * 400_000 + "';\n", "javascript")
    assert all(len(c.text) <= LEAF_CAP for c in parsed.chunks)
    assert any("searchable" in problem.message for problem in parsed.problems)


def test_a_broken_file_keeps_what_matched() -> None:
    parsed = parse("def good():\n    a()\n\ndef bad(:\n    b(\n\ndef also_good():\n    c()\n")
    assert "good" in {c.name for c in parsed.chunks}
    assert any("not understood" in problem.message for problem in parsed.problems)
    assert any(c.partial for c in parsed.chunks)


def test_line_ends_and_the_last_line_count() -> None:
    assert parse("a = 1\nb = 2").lines == 2
    assert chunk("def f(): pass", "f").end_line == 1


def test_head_documentation_is_neither_licence_nor_directive() -> None:
    code = (
        "#!/bin/x\n# Copyright Me.\n# All rights reserved.\n\n# eslint x\n\n# What it does.\n# In two lines.\n\nx = 1\n"
    )
    assert parse(code).doc == "What it does.\nIn two lines."
    assert parse("# Code generated by gen. DO NOT EDIT.\nx = 1\n").generated
    assert not parse("# Generates code.\nx = 1\n").generated


def test_script_blocks_keep_the_lines_of_the_file() -> None:
    code = '<template>\n</template>\n<script lang="ts">\nfunction f(): void { g(); }\n</script>\n'
    found = chunk(code, "f", "vue")
    assert (found.start_line, found.calls[0].line) == (4, 4)


# Worker processes.


def sources() -> list[SourceFile]:
    return [SourceFile(f"m{n}.py", "python", f"def f{n}():\n    g{n}()\n" * (n % 7), "") for n in range(60)]


def worker_that(parses: str) -> str:
    """Return the program of a worker that parses a `source` so; `real` is the true parser."""
    patched = f"import os, time, codemem.parse.pool as pool; real = pool.parse_file; pool.parse_file = lambda source: {parses}\n"
    return workers.WORKER.replace("; serve(", f"\n{patched}serve(")


def test_workers_give_what_serial_gives_in_the_same_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "BATCH_FILES", 4)
    assert list(parse_many(iter(sources()), jobs=2)) == [parse_file(source) for source in sources()]


@pytest.mark.parametrize(("jobs", "total"), [(1, None), (0, None), (0, 1), (2, 1)])
def test_little_text_is_parsed_in_this_process(jobs: int, total: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_start", lambda _module: pytest.fail("a worker was started"))
    assert len(list(parse_many(iter(sources()), jobs=jobs, total=total))) == 60


def test_sources_are_read_ahead_only_a_little(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "BATCH_FILES", 2)
    read = 0

    def lazily() -> Iterator[SourceFile]:
        nonlocal read
        for source in sources():
            read += 1
            yield source

    results = parse_many(lazily(), jobs=2)
    next(results)
    assert read <= 2 * (2 * workers.WINDOW + 1) + 1
    results.close()  # type: ignore[attr-defined]


def test_a_dying_worker_costs_only_the_file_that_killed_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "WORKER", worker_that("os.abort() if 'm13' in source.path else real(source)"))
    monkeypatch.setattr(pool, "BATCH_FILES", 8)
    found = list(parse_many(iter(sources()), jobs=2))
    assert [each.path for each in found] == [source.path for source in sources()]
    assert [each.path for each in found if each.problems] == ["m13.py"]
    assert {chunk.kind for chunk in found[13].chunks} == {"lines"}
    assert found[12] == parse_file(sources()[12])


def test_a_hanging_worker_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    hanging = worker_that("time.sleep(60) if source.path == 'm1.py' else real(source)")
    monkeypatch.setattr(workers, "WORKER", hanging)
    monkeypatch.setattr(workers, "BATCH_SECONDS", 1.5)
    found = list(parse_many(iter(sources()[:3]), jobs=2))
    assert [bool(each.problems) for each in found] == [False, True, False]


def test_workers_that_cannot_start_leave_the_work_to_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "WORKER", "raise SystemExit(3)")
    assert list(parse_many(iter(sources()), jobs=2)) == [parse_file(source) for source in sources()]


def test_a_worker_ends_with_its_parent() -> None:
    worker = workers._start("codemem.parse.pool")
    worker.connection.close()
    assert worker.process.wait(timeout=20) == 0


def test_a_piece_of_a_large_group_names_only_what_stands_in_it() -> None:
    names = [f"Code{number}" for number in range(900)]
    content = "package p\n\nconst (\n" + "".join(f"\t{name} = {at}\n" for at, name in enumerate(names)) + ")\n"
    pieces = [chunk for chunk in parse_file(SourceFile("a.go", "go", content, "s")).chunks if len(chunk.names) > 1]
    assert len(pieces) > 2 and pieces[0].names == tuple(names)
    assert all(name in piece.text for piece in pieces[1:] for name in piece.names)
    assert sum(len(piece.names) for piece in pieces[1:]) < len(names)


@pytest.mark.parametrize(
    ("path", "directive"),
    [
        ("a.py", "#!/usr/bin/env -S uv run --script"),
        ("a.py", "# -*- coding: utf-8 -*-"),
        ("a.py", "# pylint: disable=too-many-arguments"),
        ("a.py", "# type: ignore[misc]"),
        ("a.js", "// eslint-disable-next-line complexity"),
        ("a.js", "/* istanbul ignore next */"),
        ("a.ts", "// @ts-expect-error"),
        ("a.go", "//go:noinline"),
        ("a.rb", "# rubocop:disable Metrics/MethodLength"),
        ("a.sh", "# shellcheck disable=SC2034"),
        ("a.kt", "// ktlint-disable max-line-length"),
    ],
)
def test_what_a_comment_tells_a_tool_is_no_documentation(path: str, directive: str) -> None:
    code = {
        "py": "def make():\n    pass\n", "js": "function make() {}\n", "ts": "function make() {}\n", "go": "func make() {}\n",
        "rb": "def make; end\n", "sh": "make() { :; }\n", "kt": "fun make() {}\n",
    }[path[2:]]  # fmt: skip
    mark = "#" if path[2:] in ("py", "rb", "sh") else "//"
    for lines, doc in ((f"{directive}\n", ""), (f"{directive}\n{mark} Makes orders.\n", "Makes orders.")):
        head = "package a\n\n" if path == "a.go" else ""
        text = f"{head}{lines}{code}"
        chunks = parse_file(SourceFile(path, detect_language(path, text), text, "")).chunks
        assert [chunk.doc for chunk in chunks if chunk.name == "make"] == [doc]


@pytest.mark.parametrize(
    "said",
    ["Type: the kind of an order.", "Global limits of the parser.", "Go: see the other one.", "Ignore what is older."],
)
def test_prose_that_begins_like_a_directive_is_documentation(said: str) -> None:
    text = f"# {said}\ndef make():\n    pass\n"
    chunks = parse_file(SourceFile("a.py", "python", text, "")).chunks
    assert [chunk.doc for chunk in chunks if chunk.name == "make"] == [said]


def test_a_comment_behind_code_does_not_document_the_file() -> None:
    text = '#include "a.h"  // only for macros\n#include "b.h"\n\n// Reads documents.\n\nnamespace a { int f() { return 1; } }\n'
    assert parse_file(SourceFile("a.cpp", "cpp", text, "")).doc == "Reads documents."


@pytest.mark.parametrize(
    ("language", "content", "told"),
    [
        ("python", "x = 1\n", True),
        ("ocaml_interface", "val pay : int -> unit\n", True),
        ("markdown", "# Orders\n", True),
        ("sql", "CREATE TABLE orders (id INT);\n", False),
        ("hcl", 'resource "a" "b" {\n  c = 1\n}\n', False),
        ("css", "a { color: red }\n", False),
    ],
)
def test_a_grammar_of_definitions_says_nothing_of_calls(language: str, content: str, told: bool) -> None:
    assert parse(content, language).tells_calls is told
