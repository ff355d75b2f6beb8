"""Parse one file with its grammar and query into chunks: no language is named here, every rule serves all."""

from __future__ import annotations

import re
import time
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from codemem.languages import Grammar, LanguageRow, language_table, load_grammar
from codemem.parse.barenames import add_bare_calls, drop_variables
from codemem.parse.branches import one_branch
from codemem.parse.capture import DEEPEST, capture
from codemem.parse.chunks import Draft, Place, finish
from codemem.parse.comments import Surroundings, head_documentation, is_generated
from codemem.parse.describe import describe
from codemem.parse.filefacts import FileFacts
from codemem.parse.lines import LineTable, split_lines
from codemem.parse.nest import Definition, nest
from codemem.parse.records import Captures
from codemem.text import counted
from codemem.types import Import, ParsedFile, Problem, SourceFile

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

HEAD = 3_000
"""Characters of a file in which a generator announces itself."""

SIGNATURES = "signatures"
"""Value of a row's `clauses`: overload signatures stand before the one clause that has a body."""

KEPT = "kept"
"""Name of a group of a row's `hidden` patterns that is only there to be referred to."""
MARKS = {"separator": (b";", b";"), "comma": (b",", b" "), "plain": (b"x", b"x")}
"""Names of groups that become something else than blanks: the first byte and the others."""
HIDDEN_ROUNDS = 4
"""How often a pattern runs: what it blanks can be what kept it from the next place (macros in a row)."""
NOT_LINE_END = re.compile(rb"[^\n]")

SLICE = 256
"""Bytes handed to a parser at once. The binding (tree-sitter 0.25 and 0.26) never frees what it was handed, and a parser that
looks for a way through broken source reads the same places a thousand times (found by fuzzing: 120 MB for 30 KB of Lua). So
slices end at multiples of this and are handed out again: what is lost is the text once and the starts in between."""
CHARACTER = 3
"""Bytes that may follow the first one of a character."""
STEPS, STEPS_PER_BYTE = 500, 0.05
"""Steps a parser may report for a text. Real files need up to 0.013 a byte; a grammar that gets lost in broken source
(found by fuzzing Kotlin: 6 KB, no end) needs millions. Steps, not seconds: the same text falls back on every machine."""
READS, READS_PER_BYTE = 500_000, 2
"""Slices that a parser may ask for. Real files need a hundredth of one a byte; 60 KB of `é` in Dart asked for 14 million."""
PATIENCE_SECONDS, PATIENCE_PER_BYTE = 1.0, 10e-6
"""CPU time for a text in which single steps are slow (a scanner that reads on to the end from every blank line): twenty times
what the slowest grammar takes for real files."""
WIDEST_ERROR = 20_000
"""Children of one broken place: 140,000 take a query eight seconds, and a person's text breaks in smaller pieces."""

Broken = list[tuple[int, int]]
NO_COMMENTS: list[tuple[int, int]] = []


@dataclass(frozen=True, slots=True)
class Analysis:
    """What a grammar says about one text: the module and its definitions (source order), imports, broken rows."""

    module: Draft
    drafts: list[Draft]
    imports: tuple[Import, ...] = ()
    package: str = ""
    broken: tuple[int, ...] = ()
    depth: int = 0
    gave_up: bool = False


def parse_grammar(source: SourceFile, row: LanguageRow) -> ParsedFile:
    """Parse a source file; a tree with errors keeps what matched and marks it partial."""
    return assemble(source, analyse(source.content, row), split_lines(source.content))


def analyse(content: str, row: LanguageRow, seams: Sequence[int] = ()) -> Analysis:
    """Read one text with the grammar of `row`; equal calls on both sides of a seam (the last line of a part) stay two."""
    grammar = load_grammar(row.name)
    data = content.encode("utf-8", "replace")
    root = _tree(row.name, _without_hidden(row.name, data))
    if root.has_error:
        _refuse_rubble(root)
    captures = capture(grammar, root, data)
    add_bare_calls(captures, data)
    broken = _broken_ranges(grammar, root) if root.has_error else []
    lines = LineTable(data)
    module, *drafts = _drafts(row, captures, data, lines, broken, seams)
    package = captures.packages[min(captures.packages)] if captures.packages else ""
    rows = tuple(lines.row(start) for start, _ in broken)
    return Analysis(module, drafts, _imports(captures, lines), package, rows, _depth(root, data), captures.gave_up)


def uncommented(content: str, row: LanguageRow) -> str:
    """Return the text with comments and documentation blanked, line by line; raises ValueError when the parser gets lost."""
    data = content.encode("utf-8", "replace")
    root = _tree(row.name, _without_hidden(row.name, data))
    if root.has_error:
        _refuse_rubble(root)
    captures = capture(load_grammar(row.name), root, data)
    documented = {each for site in captures.sites.values() for each in site.docs}
    bare = bytearray(data)
    for start, end in captures.comments | captures.docs | documented:
        bare[start:end] = NOT_LINE_END.sub(b" ", data[start:end])
    return bare.decode("utf-8", "replace")


def assemble(
    source: SourceFile, analysis: Analysis, lines: Sequence[str], rows: Sequence[int] | None = None
) -> ParsedFile:
    """Make the parsed file of an analysis; `rows` are those of the file where `lines` are only parts of it."""
    place = Place(source, analysis.package, lines, frozenset(analysis.broken))
    chunks, problems = finish(analysis.module, analysis.drafts, place)
    if analysis.broken:
        first = analysis.broken[0] if rows is None else rows[analysis.broken[0]]
        where = f"{counted(len(analysis.broken), 'place')}, first line {first + 1}"
        problems.append(Problem(source.path, "parse", f"syntax not understood at {where}"))
    if analysis.depth > DEEPEST:
        nested = f"nested {analysis.depth:,} levels deep: what is below {DEEPEST:,} was not read"
        problems.append(Problem(source.path, "parse", nested))
    if analysis.gave_up:
        problems.append(
            Problem(source.path, "parse", "too many ways to read this text: some definitions may be missing")
        )
    return ParsedFile(
        path=source.path,
        language=source.language,
        sha=source.sha,
        lines=len(lines),
        chunks=chunks,
        imports=analysis.imports,
        problems=tuple(problems),
        package=analysis.package,
        doc=analysis.module.doc,
        generated=is_generated(source.content[:HEAD]),
    )


def merge_clauses(definitions: Sequence[Definition], signatures: bool) -> list[Definition]:
    """Merge neighbours with one qualified name: the language spells one function in several clauses.

    With `signatures` only clauses without a body go together with what follows them.
    """
    merged: list[Definition] = []
    for definition in definitions:
        before = merged[-1] if merged else None
        if (
            before is not None
            and before.qualified_name == definition.qualified_name
            and before.kind == definition.kind
            and before.kind in ("function", "method")
            and before.end <= definition.start
            and not (signatures and before.sites[-1].body > 0)
        ):
            before.sites.extend(definition.sites)
            before.end = max(before.end, definition.end)
            for name in ("calls", "facts", "bindings", "extends", "modifiers", "results", "docs"):
                getattr(before, name).extend(getattr(definition, name))
            before.absorbed.append(definition)
        else:
            merged.append(definition)
    return merged


def _drafts(
    row: LanguageRow, captures: Captures, data: bytes, lines: LineTable, broken: Broken, seams: Sequence[int]
) -> list[Draft]:
    """Describe the module and every definition; scopes only qualify names."""
    definitions = nest(captures, len(data))
    if captures.locals:
        drop_variables(definitions, data)
    if row.clauses:
        definitions = merge_clauses(definitions, row.clauses == SIGNATURES)
    _give_scope_supertypes(definitions)
    surroundings = Surroundings(captures, data, lines)
    facts = FileFacts(row, captures, data, lines, definitions, seams)
    drafts: list[Draft] = []
    index: dict[int, int] = {}
    taken = -1
    for definition in definitions:
        row_of = lines.row(definition.start)
        first_on_line = row_of != taken
        taken = -1 if definition.module else row_of
        if definition.scope:
            continue
        start, comments = definition.start, NO_COMMENTS
        if not definition.module and first_on_line:  # what stands above belongs to the definition that begins the line
            start, comments = surroundings.above(definition.start, _first_inside(definition))
        draft = describe(definition, facts, surroundings, start, comments)
        draft.partial = not definition.module and _touches(broken, start, definition.end)
        draft.up = _draft_around(definition, index)
        index[id(definition)] = len(drafts) - 1
        for absorbed in definition.absorbed:
            index[id(absorbed)] = len(drafts) - 1
        drafts.append(draft)
    first = min((draft.start for draft in drafts[1:]), default=len(data) + 1)
    drafts[0].doc = drafts[0].doc or head_documentation(surroundings, data, lines, first)
    return drafts


def _first_inside(definition: Definition) -> int:
    """Return the byte from which text can belong to a definition: what stands before the name around it is the outer's."""
    up = definition.up
    if up is None or up.module:
        return 0
    return max(up.start, *(site.name_start for site in up.sites[:1]), 0)


def _draft_around(definition: Definition, index: dict[int, int]) -> int:
    """Return the place among the drafts after the module of the definition around this one."""
    up = definition.up
    while up is not None and not up.module:
        if id(up) in index:
            return index[id(up)]
        up = up.up
    return -1


def _give_scope_supertypes(definitions: Sequence[Definition]) -> None:
    """Pass the supertypes of a type scope to its type when the file defines it, else to the scope's members."""
    types = {each.qualified_name: each for each in definitions if each.kind in ("class", "enum", "type", "interface")}
    for scope in definitions:
        if not scope.scope or not (scope.extends or any(site.extends for site in scope.sites)):
            continue
        target = types.get(scope.qualified_name)
        targets = [target] if target is not None else [each for each in definitions if each.up is scope]
        for each in targets:
            each.extends.extend(scope.extends)
            for site in scope.sites:
                each.sites[0].extends.extend(site.extends)


def _tree(name: str, data: bytes) -> Node:
    """Return the root of the syntax tree; raises ValueError when the parser gets lost in the text."""
    parser, left = _parser(name), STEPS + STEPS_PER_BYTE * len(data)
    end = time.process_time() + PATIENCE_SECONDS + PATIENCE_PER_BYTE * len(data)

    def lost(*_progress: object) -> bool:
        nonlocal left
        left -= 1
        return left < 0 or time.process_time() > end

    slices: dict[int, bytes] = {}
    reads = READS + READS_PER_BYTE * len(data)

    def read(at: int, _point: object) -> bytes:
        nonlocal reads, left
        reads -= 1
        if reads < 0:  # one step of the parser may read for minutes: to it, the text ends here
            left = 0
            return b""
        piece = slices.get(at)
        if piece is None:
            # A character that a slice cuts is asked for again from its first byte: then the slice must hold all of it.
            piece = slices[at] = data[at : (at + CHARACTER) // SLICE * SLICE + SLICE]
        return piece

    try:
        tree = parser.parse(read, progress_callback=lost)
    except ValueError:
        tree = None
    if tree is None or reads < 0:
        parser.reset()
        raise ValueError("the grammar found no end in this text")
    return tree.root_node


@cache
def _parser(name: str) -> Parser:
    from tree_sitter import Parser

    return Parser(load_grammar(name).language)


@cache
def _hidden(name: str) -> tuple[re.Pattern[bytes], ...]:
    return tuple(re.compile(each.encode(), re.MULTILINE) for each in language_table()[name].hidden)


def _without_hidden(name: str, data: bytes) -> bytes:
    """Blank what the grammar cannot know (attribute macros), byte for byte: positions stay true to the source."""
    if language_table()[name].conditionals:
        data = one_branch(data)
    for pattern in _hidden(name):
        for _ in range(HIDDEN_ROUNDS):
            before, data = data, pattern.sub(_blank, data)
            if data == before:
                break
    return data


def _blank(found: re.Match[bytes]) -> bytes:
    """Put blanks, or separators for a group of that name, in place of what the groups found; line ends stay."""
    text = bytearray(found.group())
    named = {index: name for name, index in found.re.groupindex.items()}
    for index in range(1, found.re.groups + 1):
        start, end = found.span(index)
        if start >= 0 and named.get(index) != KEPT:
            first, other = MARKS.get(named.get(index, ""), (b" ", b" "))
            at = start - found.start()
            blank = NOT_LINE_END.sub(other, bytes(text[at : at + end - start]))
            text[at : at + end - start] = first + blank[1:] if first != other else blank
    return bytes(text)


def _refuse_rubble(root: Node) -> None:
    """Raise ValueError when a broken place is so wide that walking over it takes quadratic time."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.is_error and node.child_count > WIDEST_ERROR:
            raise ValueError(f"{node.child_count:,} pieces that the grammar can make nothing of")
        waiting += [child for child in node.children if child.has_error]


def _depth(root: Node, data: bytes) -> int:
    """Probe how deep the tree is, in the middle of the text and of its longest line."""
    longest = max(data.split(b"\n"), key=len)
    depths = []
    for position in {len(data) // 2, data.find(longest) + len(longest) // 2}:
        cursor = root.walk()
        while cursor.goto_first_child_for_byte(position) is not None:
            pass
        depths.append(cursor.depth)
    return max(depths)


def _broken_ranges(grammar: Grammar, root: Node) -> Broken:
    from tree_sitter import QueryCursor

    cursor = QueryCursor(grammar.errors)
    cursor.set_max_start_depth(DEEPEST)  # as for captures: without it, a deep tree takes quadratic time
    found = cursor.captures(root).get("error", [])
    return sorted({(node.start_byte, node.end_byte) for node in found})


def _touches(ranges: Broken, start: int, end: int) -> bool:
    """Tell whether one of the sorted ranges begins inside `start..end`."""
    index = bisect_left(ranges, (start, -1))
    return index < len(ranges) and ranges[index][0] < end


def _imports(captures: Captures, lines: LineTable) -> tuple[Import, ...]:
    ordered = sorted(captures.imports.values(), key=lambda each: each.start)
    return tuple(Import(each.path, each.name, each.alias, lines.row(each.start) + 1) for each in ordered)
