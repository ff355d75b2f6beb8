"""What every test gets: no settings, home or git configuration of the person who runs it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def nobodys_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Give the test an empty home folder and a git that reads no configuration but its own.

    Not by the test's own `monkeypatch`: a test that undoes what it patched would stand in the home of whoever runs it.
    """
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith(("CODEMEM_", "GIT_", "XDG_"))]:
            patch.delenv(name)
        for name, value in {
            "HOME": str(home),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_AUTHOR_NAME": "A",
            "GIT_AUTHOR_EMAIL": "a@example.org",
            "GIT_COMMITTER_NAME": "A",
            "GIT_COMMITTER_EMAIL": "a@example.org",
            "NO_COLOR": "1",
        }.items():
            patch.setenv(name, value)
        yield home
