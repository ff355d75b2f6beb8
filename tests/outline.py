"""Outline of a fixture as readable text: what expected.txt holds. `python tests/outline.py LANGUAGE…` rewrites and prints it."""

from __future__ import annotations

import sys
from pathlib import Path

from codemem.languages import language_table
from codemem.parse import parse_file
from codemem.types import Call, Chunk, ErrorFact, ParsedFile, SourceFile

FIXTURES = Path(__file__).parent.parent / "fixtures"
EXPECTED = "expected.txt"


def fixture_files(language: str) -> list[Path]:
    """Return the sample files of one language."""
    return sorted(path for path in (FIXTURES / language).iterdir() if path.is_file() and path.name != EXPECTED)


def parse_fixture(path: Path, language: str) -> ParsedFile:
    return parse_file(SourceFile(path.name, language, path.read_text(encoding="utf-8"), ""))


def outline(language: str) -> str:
    """Return the outline of all samples of one language."""
    return "\n".join(outline_file(parse_fixture(path, language)) for path in fixture_files(language))


def outline_file(parsed: ParsedFile) -> str:
    """Return one parsed file as text: a line per chunk, an indented line per thing known about it."""
    lines = [f"== {parsed.path}" + (f"  package {parsed.package}" if parsed.package else "")]
    if parsed.doc:
        lines.append(f"   doc: {_flat(parsed.doc)}")
    for each in parsed.imports:
        name = f" name {each.name}" if each.name else ""
        alias = f" as {each.alias}" if each.alias else ""
        lines.append(f"   import {each.path}{name}{alias}")
    lines.extend(f"   problem: {problem.message}" for problem in parsed.problems)
    for chunk in parsed.chunks:
        lines.extend(_outline_chunk(chunk))
    return "\n".join(lines) + "\n"


def _outline_chunk(chunk: Chunk) -> list[str]:
    number = f"~{chunk.ordinal}" if chunk.ordinal else ""
    part = f" part {chunk.part}" if chunk.part else ""
    own = " ".join(f"{first}-{last}" for first, last in chunk.spans)
    lines = [f"{chunk.kind} {chunk.qualified_name}{number}{part}  {chunk.start_line}-{chunk.end_line}"]
    if own != f"{chunk.start_line}-{chunk.end_line}":
        lines[0] += f"  own {own or 'none'}"
    if chunk.partial:
        lines[0] += "  partial"
    if chunk.signature and not chunk.part:
        lines.append(f"    {chunk.signature}")
    if len(chunk.names) > 1:
        lines.append(f"    names: {' '.join(chunk.names)}")
    if chunk.doc:
        lines.append(f"    doc: {_flat(chunk.doc)}")
    if chunk.modifiers and not chunk.part:
        lines.append(f"    modifiers: {' '.join(chunk.modifiers)}")
    if chunk.parameters_required is not None and not chunk.part:
        most = "or more" if chunk.parameters is None else f"to {chunk.parameters}"
        same = chunk.parameters == chunk.parameters_required
        lines.append(f"    parameters: {chunk.parameters_required}" + ("" if same else f" {most}"))
    if chunk.result and not chunk.part:
        lines.append(f"    result: {chunk.result}")
    if chunk.extends and not chunk.part:
        lines.append(f"    extends: {', '.join(chunk.extends)}")
    if chunk.bindings:
        lines.append(f"    bindings: {', '.join(f'{each.name}: {each.type}' for each in chunk.bindings)}")
    if chunk.calls:
        lines.append(f"    calls: {' -> '.join(_call(call) for call in chunk.calls)}")
    lines.extend(f"    {_fact(fact)}" for fact in chunk.contract)
    return lines


def _call(call: Call) -> str:
    receiver = f"{call.receiver}." if call.receiver else ""
    arguments = "…" if call.arguments is None else str(call.arguments)
    repeat = f" ×{call.repeat}" if call.repeat > 1 else ""
    guards = f" [{_guards(call)}]" if call.guards else ""
    return f"{receiver}{call.callee}({arguments}){call.mark}{repeat}{guards}"


def _fact(fact: ErrorFact) -> str:
    guards = f" [{_guards(fact)}]" if fact.guards else ""
    source = f" ({fact.source})" if fact.source != "code" else ""
    return f"{fact.role} {fact.type or '-'} at {fact.line}{source}: {fact.text}{guards}"


def _guards(item: Call | ErrorFact) -> str:
    return "; ".join(
        f"{guard.scope}:{'|'.join(guard.types)}{' again' if guard.rethrows else ''}" for guard in item.guards
    )


def _flat(text: str) -> str:
    return " ".join(text.split())


if __name__ == "__main__":
    for name in sys.argv[1:] or language_table():
        if (FIXTURES / name).is_dir():
            text = outline(name)
            (FIXTURES / name / EXPECTED).write_text(text, encoding="utf-8")
            print(text)
