"""The wheel holds everything that the checkout has, and only what belongs into it."""

from __future__ import annotations

import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MAX_WHEEL_BYTES = 14_000_000
"""The model may take 12 MB; the code is small."""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    source.mkdir()
    # Built from a copy: setuptools writes beside its sources.
    names = ["codemem", "grammars", "pyproject.toml", "README.md", "LICENSE"]
    subprocess.run(["cp", "-r", *[str(ROOT / name) for name in names], str(source)], check=True)
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(source)],
        check=True,
        capture_output=True,
    )
    return next(folder.glob("*.whl"))


def shipped_files() -> set[str]:
    """Return what of the checkout belongs into the wheel, by its name there."""
    found = set()
    for folder, prefix in (("codemem", "codemem"), ("grammars", "codemem/grammars")):
        for file in (ROOT / folder).rglob("*"):
            if file.is_file() and "__pycache__" not in file.parts and file.suffix != ".pyc":
                found.add(f"{prefix}/{file.relative_to(ROOT / folder)}")
    return found


def test_the_wheel_holds_every_file_of_the_package(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert shipped_files() - names == set()
    assert names - shipped_files() == set()


def test_the_wheel_has_the_query_files_and_stays_small(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert sum(name.endswith(".scm") for name in names) == len(list((ROOT / "grammars").glob("*.scm")))
    assert wheel.stat().st_size <= MAX_WHEEL_BYTES


def test_the_distribution_is_named_and_the_default_has_no_torch() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["name"] == "codemem-cli" and project["scripts"] == {"codemem": "codemem.cli:run"}
    assert not any(
        name.startswith(("torch", "sentence-transformers", "onnxruntime")) for name in project["dependencies"]
    )
