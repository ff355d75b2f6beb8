"""List the benchmarks, or run one: `python -m benchmarks speed REPOSITORY…` is `python -m benchmarks.speed REPOSITORY…`."""

from __future__ import annotations

import ast
import runpy
import sys
from pathlib import Path

FOLDER = Path(__file__).parent


def benchmarks() -> dict[str, str]:
    """Return the runnable modules below this folder with the first line of what they say of themselves."""
    found = {}
    for file in sorted(FOLDER.rglob("*.py")):
        text = file.read_text("utf-8")
        if file.name.startswith("__") or '__name__ == "__main__"' not in text:
            continue
        name = ".".join(file.relative_to(FOLDER).with_suffix("").parts)
        found[name] = (ast.get_docstring(ast.parse(text)) or "").split("\n")[0]
    return found


def main() -> None:
    known = benchmarks()
    if len(sys.argv) < 2 or sys.argv[1] not in known:
        for name, line in known.items():
            print(f"{name:<28}{line}")
        raise SystemExit(0 if len(sys.argv) < 2 else 2)
    name = sys.argv.pop(1)
    sys.argv[0] = f"benchmarks.{name}"
    runpy.run_module(f"benchmarks.{name}", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
