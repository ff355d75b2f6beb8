"""An exported index: the same bytes for the same index, refused unless every part of it is what it should be."""

from __future__ import annotations

import json
import os
import sqlite3
import stat
import zlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest
import zstandard
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_faults import remember, remembered
from test_freshness import SETTINGS, counts, edit, repository
from test_walk import git

from codemem.errors import BadInput
from codemem.indexing.freshness import check_freshness
from codemem.indexing.pipeline import refresh
from codemem.indexing.sharing import FORMAT, MAGIC, export_index, import_index
from codemem.indexing.vector_cache import caches_missing
from codemem.indexing.verification import verify
from codemem.store import create_store, open_store, store_path

__all__ = ["repository"]


@pytest.fixture
def exported(repository: Path) -> Path:
    export_index(repository, SETTINGS, repository.parent / "index.cm")
    return repository.parent / "index.cm"


@pytest.fixture
def clone(repository: Path) -> Path:
    git(repository, "clone", "-q", ".", "../clone")
    return repository.parent / "clone"


def test_an_import_saves_parsing_and_embedding(repository: Path, exported: Path, clone: Path) -> None:
    edit(clone)
    report = import_index(clone, SETTINGS, exported)
    head = git(repository, "rev-parse", "HEAD").strip()
    assert (report.commit, report.files, report.model) == (head, 5, "fake:64")
    again = refresh(clone, SETTINGS)
    assert counts(again) == (0, 1, 0) and again.embedded <= 3
    assert verify(clone, SETTINGS).differences == []


def test_an_import_leaves_memories_and_is_not_taken_for_fresh_before_files_are_read(
    exported: Path, clone: Path
) -> None:
    remember(clone)
    edit(clone)
    import_index(clone, SETTINGS, exported)
    assert remembered(clone) == 300
    with open_store(store_path(clone)) as store:
        assert check_freshness(clone, SETTINGS, store).changed == ("a.py",)


def test_equal_indexes_give_equal_bytes(repository: Path, exported: Path, clone: Path) -> None:
    refresh(clone, SETTINGS)
    report = export_index(clone, SETTINGS, clone.parent / "other.cm")
    assert (clone.parent / "other.cm").read_bytes() == exported.read_bytes()
    assert report.key.startswith(f"{FORMAT}-{git(repository, 'rev-parse', 'HEAD').strip()}-")
    remember(repository)  # memories are not in it
    export_index(repository, SETTINGS, clone.parent / "third.cm")
    assert (clone.parent / "third.cm").read_bytes() == exported.read_bytes()
    assert b"memory 1" not in zlib_free(exported)


def zlib_free(archive: Path) -> bytes:
    return parts(archive)[1]


def test_the_key_names_commit_settings_and_model(repository: Path) -> None:
    target = repository.parent / "k"
    keys = [export_index(repository, SETTINGS, target).key]
    keys.append(export_index(repository, replace(SETTINGS, max_file_bytes=5), target).key)
    refresh(repository, replace(SETTINGS, embedder="fake:96"))
    keys.append(export_index(repository, SETTINGS, target).key)
    git(repository, "commit", "--allow-empty", "-m", "x")
    refresh(repository, replace(SETTINGS, embedder="fake:96"))
    keys.append(export_index(repository, SETTINGS, target).key)
    assert len(set(keys)) == 4


def test_the_export_is_private_and_leaves_nothing_beside_it(repository: Path, exported: Path) -> None:
    assert stat.S_IMODE(exported.stat().st_mode) == 0o600
    assert [path.name for path in exported.parent.iterdir() if path.name.startswith("index")] == ["index.cm"]
    assert not list(store_path(repository).parent.glob("export-*"))


def test_an_interrupted_index_is_not_exported(repository: Path) -> None:
    with create_store(store_path(repository)) as store:
        store.connection.execute("UPDATE index_meta SET value = 'building' WHERE key = 'state'")
    with pytest.raises(BadInput, match="not whole"):
        export_index(repository, SETTINGS, repository.parent / "x")


@pytest.mark.parametrize(("target", "message"), [("missing/x", "there is no folder"), (".", "is a folder")])
def test_a_target_that_cannot_be_written_is_said_so(repository: Path, target: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        export_index(repository, SETTINGS, repository.parent / target)


def parts(archive: Path) -> tuple[dict[str, object], bytes]:
    header, _, frame = archive.read_bytes().removeprefix(MAGIC).partition(b"\n")
    return json.loads(header), zstandard.ZstdDecompressor().decompressobj().decompress(frame)


def forged(archive: Path, image: bytes, **claims: object) -> None:
    """Write an archive around any image, with a header that fits it unless it claims otherwise."""
    header, _ = parts(archive)
    header |= {"image_bytes": len(image), "image_sha256": sha256(image).hexdigest(), **claims}
    archive.write_bytes(MAGIC + json.dumps(header).encode() + b"\n" + zstandard.ZstdCompressor().compress(image))


def with_sql(*statements: str | tuple[str, tuple[object, ...]]) -> Callable[[Path], None]:
    """Forge an archive whose image was changed by SQL."""

    def change(archive: Path) -> None:
        file = archive.with_suffix(".image")
        file.write_bytes(parts(archive)[1])
        connection = sqlite3.connect(file, isolation_level=None)
        for statement in statements:
            connection.execute(*((statement,) if isinstance(statement, str) else statement))
        connection.close()
        forged(archive, file.read_bytes())

    return change


def cut(archive: Path) -> None:
    archive.write_bytes(archive.read_bytes()[:-100])


def flip(archive: Path) -> None:
    data = bytearray(archive.read_bytes())
    data[-len(data) // 3] ^= 0xFF
    archive.write_bytes(bytes(data))


FORGERIES: dict[str, tuple[Callable[[Path], object], str]] = {
    "empty": (lambda archive: archive.write_bytes(b""), "no exported index"),
    "another file": (lambda archive: archive.write_bytes(b"PK\x03\x04" * 100), "no exported index"),
    "no header": (lambda archive: archive.write_bytes(MAGIC), "no readable header"),
    "endless header": (lambda archive: archive.write_bytes(MAGIC + b"[" * 1_000_000), "no readable header"),
    "cut": (cut, "is damaged"),
    "flipped bit": (flip, "is damaged"),
    "newer format": (lambda archive: forged(archive, b"x", format=FORMAT + 1), "upgrade|has format"),
    "wrong checksum": (lambda archive: forged(archive, b"x" * 999, image_sha256="0" * 64), "size or checksum"),
    "larger than it says": (lambda archive: forged(archive, b"x" * 9_999_999, image_bytes=1000), "size or checksum"),
    "smaller than it says": (lambda archive: forged(archive, b"x" * 500, image_bytes=501), "size or checksum"),
    "bomb": (lambda archive: forged(archive, b"\0" * 300_000_000), "beyond any real index"),
    "impossible size": (lambda archive: forged(archive, b"x", image_bytes=1 << 60), "impossible size"),
    "negative size": (lambda archive: forged(archive, b"x", files=-1), "impossible size"),
    "checksum that is none": (lambda archive: forged(archive, b"x", image_sha256="../x"), "no readable header"),
    "no database": (lambda archive: forged(archive, b"garbage" * 1000), "no readable database|not those of this version"),
    "a table more": (with_sql("CREATE TABLE evil (x)"), "tables are not those"),
    "a trigger more": (
        with_sql("CREATE TRIGGER evil AFTER INSERT ON file BEGIN DELETE FROM chunk; END"), "tables are not those",
    ),
    "a view for a table": (with_sql("DROP TABLE skipped", "CREATE VIEW skipped AS SELECT 1"), "tables are not those"),
    "path above": (with_sql("UPDATE file SET path = '../../etc/passwd' WHERE path = 'a.py'"), "outside the repository"),
    "absolute path": (with_sql("UPDATE file SET path = '/etc/passwd' WHERE path = 'a.py'"), "outside the repository"),
    "path into the store": (with_sql("UPDATE file SET path = '.codemem/codemem.db' WHERE path = 'a.py'"), "outside the repository"),
    "path that is no text": (with_sql("UPDATE file SET path = x'2e2e' WHERE path = 'a.py'"), "outside the repository"),
    "text that is a bomb": (
        with_sql(("UPDATE file SET content = ? WHERE path = 'a.py'", (zlib.compress(b"0" * 40_000_000),))), "larger than any file",
    ),
    "text that is none": (with_sql("UPDATE file SET content = x'ffff' WHERE path = 'a.py'"), "cannot be expanded"),
    "text that is no UTF-8": (
        with_sql(("UPDATE file SET content = ? WHERE path = 'a.py'", (zlib.compress(b"\xff"),))), "not UTF-8",
    ),
    "short vector": (with_sql("UPDATE vector SET data = x'0000'"), "not the length"),
    "chunk of no file": (with_sql("UPDATE chunk SET file_id = 999"), "pages are damaged"),
}  # fmt: skip


@pytest.mark.parametrize(("forge", "message"), FORGERIES.values(), ids=FORGERIES.keys())
def test_a_file_that_is_not_what_it_claims_is_refused_and_nothing_is_changed(
    exported: Path, clone: Path, forge: Callable[[Path], object], message: str
) -> None:
    refresh(clone, SETTINGS)
    before = store_path(clone).read_bytes()
    forge(exported)
    with pytest.raises(BadInput, match=message) as caught:
        import_index(clone, SETTINGS, exported)
    assert caught.value.remedy
    assert store_path(clone).read_bytes() == before
    assert not list(store_path(clone).parent.glob("import-*"))


def test_a_missing_file_is_said_so(clone: Path) -> None:
    with pytest.raises(BadInput, match="cannot read"):
        import_index(clone, SETTINGS, clone / "none")
    assert not store_path(clone).parent.exists()


EDITS = st.lists(
    st.tuples(st.floats(0, 1, exclude_max=True), st.binary(min_size=1, max_size=8)), min_size=1, max_size=6
)


def edited(data: bytes, edits: list[tuple[float, bytes]]) -> bytes:
    changed = bytearray(data)
    for place, new in edits:
        at = int(place * len(changed))
        changed[at : at + len(new)] = new
    return bytes(changed)


@settings(max_examples=int(os.environ.get("CODEMEM_FUZZ", "40")), deadline=None, derandomize="CODEMEM_FUZZ" not in os.environ,
          suppress_health_check=list(HealthCheck))  # fmt: skip
@given(edits=EDITS, inside=st.booleans())
def test_any_damage_is_refused_or_harmless(
    exported: Path, clone: Path, edits: list[tuple[float, bytes]], inside: bool
) -> None:
    whole = exported.read_bytes()
    try:
        if inside:  # a database that was tampered with, under a checksum that fits it
            forged(exported, edited(parts(exported)[1], edits))
        else:
            exported.write_bytes(edited(whole, edits))
        with suppress(BadInput):
            import_index(clone, SETTINGS, exported)
            refresh(clone, SETTINGS)
            with open_store(store_path(clone)) as store:
                check_freshness(clone, SETTINGS, store)
    finally:
        exported.write_bytes(whole)


def test_caches_of_the_index_before_are_none_of_the_imported(repository: Path, exported: Path, clone: Path) -> None:
    refresh(clone, SETTINGS)
    with open_store(store_path(clone)) as store:
        assert not caches_missing(store, 64)
    import_index(clone, SETTINGS, exported)
    with open_store(store_path(clone)) as store:
        assert caches_missing(store, 64), "equal numbers, but other vectors"
    refresh(clone, SETTINGS)
    assert verify(clone, SETTINGS).differences == []
