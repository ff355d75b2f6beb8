"""A setting's value comes from the strongest of flag, environment, project, user, default, and says which."""

from __future__ import annotations

from pathlib import Path

import pytest

from codemem import config
from codemem.config import load_configuration, parse_value, shown_value, write_setting
from codemem.errors import BadInput
from codemem.settings import SETTING_NAMES


def test_the_users_file_is_where_platformdirs_puts_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from platformdirs import user_config_path

    monkeypatch.undo()
    for folder in ("", str(tmp_path)):
        monkeypatch.setenv("XDG_CONFIG_HOME", folder)
        assert config.user_file() == user_config_path("codemem") / "config.toml"


@pytest.fixture(autouse=True)
def no_other_sources(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in SETTING_NAMES:
        monkeypatch.delenv(f"CODEMEM_{name.upper()}", raising=False)
    monkeypatch.setattr(config, "user_file", lambda: tmp_path / "user" / "config.toml")


def test_each_source_overrides_the_weaker_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def limit(flag: int | None = None) -> tuple[int, str]:
        found = load_configuration(tmp_path, {"limit": flag})
        return found.settings.limit, found.origins["limit"]

    assert limit() == (10, "default")
    write_setting("limit", "11", config.user_file())
    assert limit() == (11, f"user: {config.user_file()}")
    (tmp_path / "pyproject.toml").write_text("[tool.codemem]\nlimit = 12\n")
    assert limit() == (12, "project: pyproject.toml [tool.codemem]")
    (tmp_path / ".codemem.toml").write_text("limit = 13\n")
    assert limit() == (13, "project: .codemem.toml")
    monkeypatch.setenv("CODEMEM_LIMIT", "14")
    assert limit() == (14, "environment: CODEMEM_LIMIT")
    assert limit(15) == (15, "flag: --limit")


def test_a_broken_pyproject_is_not_ours_but_a_broken_own_file_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.codemem\n")
    assert load_configuration(tmp_path).settings.limit == 10
    (tmp_path / ".codemem.toml").write_text("limit = \n")
    with pytest.raises(BadInput, match="not valid TOML"):
        load_configuration(tmp_path)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("limt = 3", "unknown setting `limt`"),
        ('limit = "3"', "`limit` cannot be '3'"),
        ("limit = -1", "`limit` cannot be -1"),
        ("limit = true", "`limit` cannot be True"),
        ("submodules = 1", "`submodules` cannot be 1"),
    ],
)
def test_wrong_values_name_their_file(tmp_path: Path, line: str, message: str) -> None:
    (tmp_path / ".codemem.toml").write_text(line)
    with pytest.raises(BadInput) as caught:
        load_configuration(tmp_path)
    assert caught.value.message == f".codemem.toml: {message}" and caught.value.remedy


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("limit", "20", 20),
        ("max_file_bytes", "5_000_000", 5_000_000),
        ("refresh_seconds", "2", 2.0),
        ("refresh_seconds", "0.5", 0.5),
        ("submodules", "YES", True),
        ("submodules", "off", False),
        ("embedder", "ollama:nomic", "ollama:nomic"),
    ],
)
def test_text_becomes_the_settings_type(name: str, text: str, value: object) -> None:
    assert parse_value(name, text, "x") == value and type(parse_value(name, text, "x")) is type(value)


@pytest.mark.parametrize(
    ("name", "text"),
    [("limit", "many"), ("limit", "1.5"), ("limit", "0"), ("submodules", "maybe"), ("refresh_seconds", "nan?")],
)
def test_text_of_another_type_is_refused(name: str, text: str) -> None:
    with pytest.raises(BadInput, match="cannot be"):
        parse_value(name, text, "CODEMEM_X")


def test_setting_a_value_keeps_comments_and_other_lines(tmp_path: Path) -> None:
    file = tmp_path / ".codemem.toml"
    file.write_text("# ours\nlimit = 5  # few\njobs = 2")
    write_setting("limit", "7", file)
    write_setting("embedder", 'a"b', file)
    assert file.read_text() == '# ours\nlimit = 7\njobs = 2\nembedder = "a\\"b"\n'
    assert load_configuration(tmp_path).settings.embedder == 'a"b'


def test_secrets_are_not_shown() -> None:
    assert (
        shown_value("api_key", "abc") == "********"
        and shown_value("api_key", "") == ""
        and shown_value("limit", 3) == 3
    )
