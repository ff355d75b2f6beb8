"""What `doctor` found, as text and JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from codemem.render.safe import one_line
from codemem.render.table import table_text

if TYPE_CHECKING:
    from codemem.indexing.doctor import Finding

MARKS = {"ok": "ok", "warning": "warning", "error": "ERROR"}


def findings_text(findings: Sequence[Finding]) -> str:
    """List the findings in the order of examination, each bad one with its remedy below it."""
    lines = table_text([(MARKS[one.severity], one.name, one_line(one.message)) for one in findings]).split("\n")
    shown: list[str] = []
    for line, finding in zip(lines, findings, strict=True):
        shown.append(line)
        if finding.severity != "ok" and finding.remedy:
            fixable = " (--fix does this)" if finding.fixable else ""
            shown.append(f"         {one_line(finding.remedy)}{fixable}")
    return "\n".join(shown)


def findings_document(findings: Sequence[Finding]) -> list[dict[str, object]]:
    """Build the findings of `doctor --json`."""
    names = ("severity", "name", "message", "remedy", "fixable")
    return [{name: getattr(finding, name) for name in names} for finding in findings]
