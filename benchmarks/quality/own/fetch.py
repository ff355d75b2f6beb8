"""Fetch the pinned packages with pip and npm, check their sums, unpack them: `python -m benchmarks.quality.own.fetch FOLDER`."""

from __future__ import annotations

import argparse
import hashlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
CLIENT_TIMEOUT = 300
"""Seconds for one package: pip prepares the build of a source distribution to read its metadata."""


@dataclass(frozen=True, slots=True)
class Package:
    """One pinned package; see packages.toml."""

    name: str
    registry: str
    package: str
    version: str
    sha256: str
    licence: str
    folder: str
    leave_out: tuple[str, ...]

    @property
    def questions(self) -> Path:
        return HERE / "questions" / f"{self.name}.jsonl"


def read_packages(path: Path = HERE / "packages.toml") -> tuple[Package, ...]:
    """Read the manifest, in its order."""
    table = tomllib.loads(path.read_text("utf-8"))
    return tuple(Package(name, **{**row, "leave_out": tuple(row["leave_out"])}) for name, row in table.items())


def fetch(package: Package, folder: Path) -> Path:
    """Return the folder with the package's source, fetching it unless it is there."""
    root = folder / package.name
    if root.is_dir():
        return root / package.folder
    with tempfile.TemporaryDirectory() as scratch:
        archive = _download(package, Path(scratch))
        found = hashlib.sha256(archive.read_bytes()).hexdigest()
        if found != package.sha256:
            raise SystemExit(f"{archive.name} has sha256 {found}, the manifest says {package.sha256}")
        unpacked = Path(scratch) / "unpacked"
        with tarfile.open(archive) as tar:
            tar.extractall(unpacked, filter="data")
        (inside,) = unpacked.iterdir()  # both registries pack one folder
        for unwanted in package.leave_out:
            _remove(inside / unwanted)
        folder.mkdir(parents=True, exist_ok=True)
        shutil.move(inside, root)
    return root / package.folder


def _download(package: Package, scratch: Path) -> Path:
    exact = f"{package.package}@{package.version}"
    command = ["npm", "pack", "--silent", exact]
    if package.registry == "pip":
        exact = f"{package.package}=={package.version}"
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-binary", ":all:", "--no-deps", exact]
    subprocess.run(command, cwd=scratch, check=True, timeout=CLIENT_TIMEOUT, stdout=subprocess.DEVNULL)
    found = [path for path in scratch.rglob("*") if path.is_file() and path.name.endswith((".tgz", ".tar.gz"))]
    if len(found) != 1:
        raise SystemExit(f"{exact} came as {len(found)} archives, one was expected")
    return found[0]


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def main() -> None:
    """Fetch every package that is not there yet."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where the sources go, one folder a package")
    folder = parser.parse_args().folder
    for package in read_packages():
        print(f"{package.name} {package.version} -> {fetch(package, folder)}", flush=True)


if __name__ == "__main__":
    main()
