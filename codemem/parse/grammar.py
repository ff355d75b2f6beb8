"""Parse one file with its grammar and query into chunks: no language is named here, every rule serves all."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace

from codemem.languages import LanguageRow, load_grammar
from codemem.parse.barenames import add_bare_calls, drop_variables
from codemem.parse.capture import DEEPEST, capture
from codemem.parse.chunks import Draft, Place, finish
from codemem.parse.comments import Surroundings, head_documentation, is_generated
from codemem.parse.describe import describe
from codemem.parse.filefacts import FileFacts
from codemem.parse.hidden import NOT_LINE_END, without_hidden
from codemem.parse.lines import LineTable, split_lines
from codemem.parse.nest import Definition, nest
from codemem.parse.records import Captures
from codemem.parse.tree import Broken, broken_ranges, depth_of, syntax_tree
from codemem.text import counted
from codemem.types import Import, ParsedFile, Problem, SourceFile

HEAD = 3_000
"""Characters of a file in which a generator announces itself."""

SIGNATURES = "signatures"
"""Value of a row's `clauses`: overload signatures stand before the one clause that has a body."""

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
    parsed = assemble(source, analyse(source.content, row), split_lines(source.content))
    return replace(parsed, tells_calls=row.contract or bool(row.family))


def analyse(content: str, row: LanguageRow, seams: Sequence[int] = ()) -> Analysis:
    """Read one text with the grammar of `row`; equal calls on both sides of a seam (the last line of a part) stay two."""
    grammar = load_grammar(row.name)
    data = content.encode("utf-8", "replace")
    root = syntax_tree(row.name, without_hidden(row.name, data))
    captures = capture(grammar, root, data)
    add_bare_calls(captures, data)
    broken = broken_ranges(grammar, root) if root.has_error else []
    lines = LineTable(data)
    module, *drafts = _drafts(row, captures, data, lines, broken, seams)
    package = captures.packages[min(captures.packages)] if captures.packages else ""
    rows = tuple(lines.row(start) for start, _ in broken)
    return Analysis(module, drafts, _imports(captures, lines), package, rows, depth_of(root, data), captures.gave_up)


def uncommented(content: str, row: LanguageRow) -> str:
    """Return the text with comments and documentation blanked, line by line; raises ValueError when the parser gets lost."""
    data = content.encode("utf-8", "replace")
    root = syntax_tree(row.name, without_hidden(row.name, data))
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


def _touches(ranges: Broken, start: int, end: int) -> bool:
    """Tell whether one of the sorted ranges begins inside `start..end`."""
    index = bisect_left(ranges, (start, -1))
    return index < len(ranges) and ranges[index][0] < end


def _imports(captures: Captures, lines: LineTable) -> tuple[Import, ...]:
    ordered = sorted(captures.imports.values(), key=lambda each: each.start)
    return tuple(Import(each.path, each.name, each.alias, lines.row(each.start) + 1) for each in ordered)
