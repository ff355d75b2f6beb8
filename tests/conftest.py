"""What every test gets: no settings, home or git configuration of the person who runs it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def nobodys_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the test an empty home folder and a git that reads no configuration but its own."""
    home = tmp_path_factory.mktemp("home")
    for name in [name for name in os.environ if name.startswith(("CODEMEM_", "GIT_", "XDG_"))]:
        monkeypatch.delenv(name)
    for name, value in {
        "HOME": str(home),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "A",
        "GIT_AUTHOR_EMAIL": "a@example.org",
        "GIT_COMMITTER_NAME": "A",
        "GIT_COMMITTER_EMAIL": "a@example.org",
        "NO_COLOR": "1",
    }.items():
        monkeypatch.setenv(name, value)
    return home
