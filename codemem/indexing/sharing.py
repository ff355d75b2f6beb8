"""Export the index as one file and import it: compressed, the same bytes for the same index, checked before use.

Layout: the magic line, one line of JSON that says what is inside, then one zstandard frame of the database image.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import IO, Any

from codemem.errors import BadInput
from codemem.indexing.fingerprint import LAYERS, meta_key
from codemem.indexing.freshness import COMPLETE
from codemem.lock import writer_lock
from codemem.settings import Settings
from codemem.store import create_store, open_store, read_meta, store_path, write_meta
from codemem.store.files import count_rows
from codemem.store.image import check_image, write_image
from codemem.store.seeding import replace_index

FORMAT = 1
MAGIC = b"codemem index\n"
HEADER_LIMIT = 65_536
"""Bytes of the line that says what is inside."""
LEVEL = 9
"""zstandard level: a quarter of the database at 60 MB/s; the highest level saves a tenth more at a tenth of the speed."""
CHUNK_BYTES = 1 << 20
LARGEST_IMAGE = 1 << 36
"""64 GB: no repository is larger, and a header that says so lies."""
LARGEST_RATIO = 200
"""An index is compressed to a fifth or a tenth; what claims to be smaller than this is made to fill a disk."""
HEX_DIGEST = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class ExportReport:
    """What was written; `key` names commit, settings, model and format: equal keys need no new export."""

    path: Path
    key: str
    size_bytes: int
    store_bytes: int
    files: int
    chunks: int


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What was taken over; `index` then reads every file once and parses those that differ."""

    key: str
    commit: str
    files: int
    chunks: int
    model: str


def export_index(root: Path, settings: Settings, target: Path, wait_seconds: float = 0.0) -> ExportReport:
    """Write the index of `root` to `target`, replacing it in one step; memories are never in it."""
    path = store_path(root)
    _check_target(target)
    with (
        open_store(path) as store,
        writer_lock(path.parent, "export", wait_seconds),
        tempfile.TemporaryDirectory(prefix="export-", dir=path.parent) as folder,
    ):
        if read_meta(store, "state") != COMPLETE:
            raise BadInput("the index is not whole: a run was interrupted", "run `codemem index`, then export")
        image = Path(folder) / "image"
        write_image(store, image)
        counts = count_rows(store)
        header = _header(store_key(store, settings), image, {name: counts[name] for name in ("files", "chunks")}, store)
        _write_archive(target, header, image)
        return ExportReport(
            target, str(header["key"]), target.stat().st_size, image.stat().st_size, counts["files"], counts["chunks"]
        )


def import_index(root: Path, settings: Settings, source: Path, wait_seconds: float = 0.0) -> ImportReport:
    """Put an exported index in the place of that of `root`, after checking every part of it; memories stay.

    Raises BadInput for a file that is not what it claims, is damaged, of another version, or reaches outside.
    """
    path = store_path(root)
    with _opened(source) as file:
        header = _read_header(file, source.stat().st_size)
        with (
            writer_lock(path.parent, "import", wait_seconds),
            tempfile.TemporaryDirectory(prefix="import-", dir=path.parent) as folder,
        ):
            image = Path(folder) / "image"
            _expand(file, header, image)
            check_image(image, settings.max_file_bytes)
            _place(image, path)
    return ImportReport(
        str(header["key"]), str(header["commit"]), int(header["files"]), int(header["chunks"]), str(header["model"])
    )


def _place(image: Path, path: Path) -> None:
    """Make a checked image the index: as the store itself where there is none yet, else row by row beside the memories."""
    if not path.exists():
        image.replace(path)
    else:
        with create_store(path) as store:
            replace_index(image, store)
    with create_store(path) as store, store.transaction() as connection:
        write_meta(connection, indexed_at=datetime.now(UTC).isoformat(timespec="seconds"))


def store_key(store: Any, settings: Settings) -> str:
    """Return the key of an index: commit, settings that decide what is in it, fingerprint, and format."""
    layers = {layer: read_meta(store, meta_key(layer)) for layer in LAYERS}
    chosen = {"max_file_bytes": settings.max_file_bytes, "submodules": settings.submodules, **layers}
    digest = sha256(json.dumps(chosen, sort_keys=True).encode()).hexdigest()[:16]
    return f"{FORMAT}-{read_meta(store, 'commit') or 'none'}-{digest}"


def _header(key: str, image: Path, counts: Mapping[str, int], store: Any) -> dict[str, Any]:
    digest = sha256()
    with image.open("rb") as file:
        while part := file.read(CHUNK_BYTES):
            digest.update(part)
    return {
        "format": FORMAT,
        "key": key,
        "commit": read_meta(store, "commit"),
        "model": read_meta(store, "model"),
        **counts,
        "image_bytes": image.stat().st_size,
        "image_sha256": digest.hexdigest(),
    }


def _write_archive(target: Path, header: Mapping[str, Any], image: Path) -> None:
    """Write beside the target, flush to the disk, rename."""
    import zstandard

    temporary = target.with_name(target.name + ".tmp")
    compressor = zstandard.ZstdCompressor(level=LEVEL, write_checksum=True, write_content_size=True)
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file, image.open("rb") as data:
            file.write(MAGIC + json.dumps(header, sort_keys=True).encode() + b"\n")
            compressor.copy_stream(data, file, size=header["image_bytes"])
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _check_target(target: Path) -> None:
    if target.is_dir():
        raise BadInput(f"{target} is a folder", "name the file to write")
    if not target.parent.is_dir():
        raise BadInput(f"there is no folder {target.parent}", "make it, or name another file")


def _opened(source: Path) -> IO[bytes]:
    try:
        return source.open("rb")
    except OSError as error:
        raise BadInput(
            f"cannot read {source}: {error.strerror or error}", "name a file that `codemem export` wrote"
        ) from error


def _read_header(file: IO[bytes], size: int) -> dict[str, Any]:
    """Read and check the header; nothing it says is believed beyond its limits."""
    if file.read(len(MAGIC)) != MAGIC:
        raise BadInput("this is no exported index", "name a file that `codemem export` wrote")
    line = file.readline(HEADER_LIMIT)
    try:
        header = json.loads(line)
        number = int(header["format"])
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise BadInput("the exported index has no readable header", "export it again") from error
    if number > FORMAT:
        raise BadInput(
            f"the file has format {number}, this codemem reads {FORMAT}", "upgrade with `pip install -U codemem-cli`"
        )
    sizes = [header.get(name) for name in ("image_bytes", "files", "chunks")]
    texts = [header.get(name) for name in ("key", "commit", "model", "image_sha256")]
    if not all(isinstance(value, int) and 0 <= value <= LARGEST_IMAGE for value in sizes):
        raise BadInput("the exported index claims an impossible size", "export it again")
    if not all(isinstance(value, str) for value in texts) or not HEX_DIGEST.fullmatch(header["image_sha256"]):
        raise BadInput("the exported index has no readable header", "export it again")
    if header["image_bytes"] > LARGEST_RATIO * size:
        raise BadInput("the exported index would expand beyond any real index", "export it again")
    return dict(header)


def _expand(file: IO[bytes], header: Mapping[str, Any], image: Path) -> None:
    """Decompress to exactly the size and checksum that the header names, and stop at the first byte beyond."""
    import zstandard

    digest = sha256()
    left = int(header["image_bytes"])
    descriptor = os.open(image, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as out, zstandard.ZstdDecompressor().stream_reader(file) as reader:
            while part := reader.read(CHUNK_BYTES):
                left -= len(part)
                if left < 0:
                    break
                digest.update(part)
                out.write(part)
    except zstandard.ZstdError as error:
        raise BadInput(f"the exported index is damaged: {error}", "copy or export it again") from error
    if left or digest.hexdigest() != header["image_sha256"]:
        raise BadInput(
            "the exported index is damaged: size or checksum differ from its header", "copy or export it again"
        )
