"""The shape of the code: imports point down, each foreign library has one room, starting up is cheap."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "codemem"

LAYERS: tuple[frozenset[str], ...] = (
    frozenset(
        {
            "card", "errors", "fence", "identity", "languages", "onnx_folder", "roles", "settings", "text", "tokens",
            "types", "workers",
        }
    ),
    frozenset({"store", "lock"}),
    frozenset(
        {
            "embed", "evaluation", "fuse", "judge", "lexical", "parse", "question", "redact", "rerank", "resolve", "scale",
            "signals", "vectors", "walk",
        }
    ),
    frozenset({"universe"}),
    frozenset({"graph"}),
    frozenset({"retrieval"}),
    frozenset({"memory"}),
    frozenset({"indexing", "sessions"}),
    frozenset({"packing"}),
    frozenset({"render", "config"}),
    frozenset({"cli", "mcp", "__main__"}),
)  # fmt: skip
ENGINES = LAYERS[2]
ENGINE_INPUTS: dict[str, frozenset[str]] = {"signals": frozenset({"question"})}
"""Engine -> the engines whose records name its input; every entry is a design decision."""
ONE_ROOM = {
    "sqlite3": {"store"},
    "faiss": {"vectors"},
    "tree_sitter": {"languages", "parse"},
    "typer": {"cli"},
    "mcp": {"mcp"},
    "httpx": {"embed", "rerank"},
    "onnxruntime": {"onnx_folder"},
    "tokenizers": {"onnx_folder", "tokens"},
}
"""Foreign library -> the only rooms that may import it."""
NOT_AT_THE_TOP = {"torch", "sentence_transformers", "onnxruntime", "faiss", "httpx", "watchfiles", "rich"}
"""Heavy libraries: imported inside the function that needs them."""


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def room(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def level(name: str) -> int:
    for index, layer in enumerate(LAYERS):
        if name in layer:
            return index
    raise AssertionError(f"room {name!r} stands in no layer: say where it belongs")


def imported(tree: ast.AST) -> list[tuple[str, int]]:
    """Return (module, nesting) of every import; nesting 0 is the module's top, type-checking blocks are left out."""
    found: list[tuple[str, int]] = []

    def visit(node: ast.AST, depth: int) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.dump(child.test):
                continue
            if isinstance(child, ast.Import):
                found.extend((alias.name, depth) for alias in child.names)
            elif isinstance(child, ast.ImportFrom) and child.module and not child.level:
                found.append((child.module, depth))
                found.extend(
                    (f"{child.module}.{alias.name}", depth) for alias in child.names if child.module == "codemem"
                )
            visit(child, depth + isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef))

    visit(tree, 0)
    return found


def imports_of(path: Path) -> list[tuple[str, int]]:
    return imported(ast.parse(path.read_text("utf-8")))


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_down(path: Path) -> None:
    own = room(path)
    if own in {"__init__", "py"}:
        return
    for name, _ in imports_of(path):
        parts = name.split(".")
        if parts[0] != "codemem" or len(parts) < 2 or parts[1].startswith("__"):
            continue
        other = parts[1]
        if other == own or other == "grammars":
            continue
        assert level(other) <= level(own), f"{path.name} imports {name}: arrows point down"
        if own in ENGINES:
            assert other != "store", f"{path.name}: engines do not know the store"
            if other in ENGINES:
                assert other in ENGINE_INPUTS.get(own, frozenset()), (
                    f"{path.name}: an engine imports the engine {other}"
                )


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_foreign_library_has_one_room(path: Path) -> None:
    for name, depth in imports_of(path):
        library = name.split(".")[0]
        if library in ONE_ROOM:
            assert room(path) in ONE_ROOM[library], f"{path.relative_to(PACKAGE)} imports {library}"
        if library in NOT_AT_THE_TOP:
            assert depth > 0, f"{path.relative_to(PACKAGE)} imports {library} at the top"


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_only_the_door_catches_everything(path: Path) -> None:
    if room(path) == "cli":
        return
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ExceptHandler):
            names = ast.dump(node.type) if node.type else "bare"
            broad = node.type is None or "'Exception'" in names or "'BaseException'" in names
            # Undoing work and re-raising is not swallowing.
            assert not broad or any(isinstance(inner, ast.Raise) for inner in ast.walk(node)), (
                f"{path.name}:{node.lineno}"
            )


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_nothing_is_unpickled_or_evaluated(path: Path) -> None:
    for name, _ in imports_of(path):
        assert name.split(".")[0] not in {"pickle", "shelve", "marshal", "dill", "joblib"}
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in {"eval", "exec"}, f"{path.name}:{node.lineno}"
        if isinstance(node, ast.keyword) and node.arg in {"shell", "allow_pickle"}:
            assert isinstance(node.value, ast.Constant) and node.value.value is False, (
                f"{path.name}:{node.value.lineno}"
            )


@pytest.mark.parametrize("path", sorted((PACKAGE / "store").glob("*.py")), ids=lambda path: path.name)
def test_parameters_of_sql_are_not_numbered(path: Path) -> None:
    """Python 3.12 takes `?1` for a name and warns of the sequence given for it: `?` or `:name`."""
    texts = (node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Constant))
    assert not [text.lineno for text in texts if isinstance(text.value, str) and re.search(r"= \?\d", text.value)]


@pytest.mark.parametrize("command", [["--help"], ["--version"]])
def test_starting_up_imports_nothing_heavy(command: list[str]) -> None:
    code = (
        "import sys\nfrom codemem.cli import main\n"
        f"sys.argv = ['codemem', *{command!r}]\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "heavy = {'numpy','faiss','torch','onnxruntime','tree_sitter','rich','pathspec','httpx','watchfiles','pydantic'}\n"
        "print('HEAVY', sorted(heavy & set(sys.modules)), file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "HEAVY []" in done.stderr, done.stderr


def for_types_only(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)


def names_imported(node: ast.AST) -> set[str]:
    found = (inner for inner in ast.walk(node) if isinstance(inner, ast.Import | ast.ImportFrom))
    return {(alias.asname or alias.name).split(".")[0] for inner in found for alias in inner.names}


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_what_is_imported_for_types_is_not_used_when_it_runs(path: Path) -> None:
    """Neither mypy nor ruff sees it, and it fails only where it is reached."""
    tree = ast.parse(path.read_text("utf-8"))
    only = {name for node in tree.body if for_types_only(node) for name in names_imported(node)}
    notes = [getattr(node, name, None) for node in ast.walk(tree) for name in ("annotation", "returns")]
    annotations = {id(inner) for note in notes if note is not None for inner in ast.walk(note)}

    def visit(node: ast.AST, own: set[str]) -> None:
        if for_types_only(node):
            return
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            own = own | names_imported(node)
        if isinstance(node, ast.Name) and id(node) not in annotations:
            assert node.id not in only - own, f"{path.name}:{node.lineno} uses {node.id}, imported for types only"
        for child in ast.iter_child_nodes(node):
            visit(child, own)

    visit(tree, set())
